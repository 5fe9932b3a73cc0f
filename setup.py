"""Carries `hardware/` and `firmware/` into the wheel, as data of the package `controller`.

Everything else about the build stands in pyproject.toml. `controller.files.shipped` finds them.
"""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithData(build_py):
    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return  # a checkout has them beside `controller`
        for folder in ("hardware", "firmware"):
            target = Path(self.build_lib) / "controller" / "shipped" / folder
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(folder, target, ignore=shutil.ignore_patterns("__pycache__", "*.mpy"))


setup(cmdclass={"build_py": BuildWithData})
