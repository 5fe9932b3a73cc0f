"""The camera: pictures in, readings out. Only here, and in the camera's calibration, is OpenCV used."""
