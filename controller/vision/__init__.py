"""The camera: pictures in, readings out. Only here and in tests is OpenCV used."""
