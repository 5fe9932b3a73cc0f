"""What pyproject.toml cannot say: the wheel's one name, `hexboard`, and the data that it carries.

The repository's folders keep the names that its owner asked for. In the wheel, and in an editable
install, `controller/` is the package `hexboard` and `calibration/` is `hexboard.calibration`;
`hardware/`, `firmware/` and the pages of `docs/` travel as data in `hexboard/shipped`
(`hexboard.files.shipped` finds them).
"""

import shutil
from contextlib import suppress
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

FOLDERS = {"hexboard": "controller", "hexboard.calibration": "calibration"}


class BuildWithData(build_py):
    def run(self) -> None:
        if self.editable_mode:
            super().run()
            return  # a checkout has them beside `controller`
        # Of an earlier build files would be taken that are newer, and that are gone since.
        with suppress(FileNotFoundError):
            shutil.rmtree(self.build_lib)
        super().run()
        for folder in ("hardware", "firmware"):
            target = Path(self.build_lib) / "hexboard" / "shipped" / folder
            shutil.copytree(folder, target, ignore=shutil.ignore_patterns("__pycache__", "*.mpy"))
        pages = Path(self.build_lib) / "hexboard" / "shipped" / "docs"
        pages.mkdir()
        for page in Path("docs").glob("*.md"):
            shutil.copy(page, pages)


def packages() -> list[str]:
    """Every package by the name that it is imported by."""
    inside = {name: find_packages(folder) for name, folder in FOLDERS.items()}
    return [*inside, *(f"{name}.{part}" for name, parts in inside.items() for part in parts)]


setup(packages=packages(), package_dir=FOLDERS, cmdclass={"build_py": BuildWithData})
