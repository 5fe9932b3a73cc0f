"""The camera: pictures in, readings out. Only here and in tests is OpenCV used."""

import os

os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(1 << 27))  # else 1 << 30: 3 GB from 1 MB
