"""The camera: pictures in, readings out. Only here and in tests is OpenCV used."""

import os

os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(1 << 27))  # else 1 << 30: 3 GB from 1 MB
os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "3")  # s without a picture; else 10
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # quiet: what goes wrong is said by us
