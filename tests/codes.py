"""QR codes, as a camera reads them: by OpenCV's two readers, for each of them fails at a few of a
hundred codes that phones read."""

from typing import Any


def read(cv2: Any, picture: Any) -> str:
    """What the code in a picture (gray or BGR) says; "" where none is found."""
    readers = (cv2.QRCodeDetectorAruco(), cv2.QRCodeDetector())
    return next((text for it in readers if (text := str(it.detectAndDecode(picture)[0]))), "")
