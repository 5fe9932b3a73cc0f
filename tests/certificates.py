"""Certificates that openssl makes, signed by themselves."""

import shutil
import subprocess
from pathlib import Path

import pytest


def certificate(folder: Path, name: str, *words: str) -> tuple[Path, Path]:
    """NAME.pem in a folder, and its key, NAME.key; `words` are more of `openssl req`."""
    maker = shutil.which("openssl") or pytest.skip("openssl makes the certificate")
    pem, key = folder / f"{name}.pem", folder / f"{name}.key"
    how = ("-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    who = words if "-subj" in words else ("-subj", f"/CN={name}", *words)
    made = (maker, "req", *how, *who, "-keyout", str(key), "-out", str(pem))
    subprocess.run(made, capture_output=True, check=True)
    return pem, key
