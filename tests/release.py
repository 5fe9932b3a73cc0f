"""A release: `make release`, or `python -m tests.release [X.Y.Z]`.

With a number what is *Unreleased* in CHANGELOG.md becomes that release's, of today, the number goes
into pyproject.toml and the firmware, and a match of each game is kept as it writes it
(`tests/kept`); without one nothing is written but `dist/`. Then, into `dist/`:

    hexboard-X.Y.Z.tar.gz, .whl   built, and looked over by twine and check-wheel-contents
    hexboard-X.Y.Z.cdx.json       what a Pi installs beside it, with hashes (SBOM, CycloneDX)
    hexboard-X.Y.Z.licences.txt   and under which licences
    hexboard-X.Y.Z-hardware.zip   what its boards are built from (`tests/hardware.py`), some 9 MB

and the tests of both packages run (`tests/test_wheel.py`). Ends with status 1 at the first of all
that which is not good.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from tests import hardware

HERE = Path(__file__).parents[1]
DIST = HERE / "dist"
LOCKS = ("lock.txt", "lock-camera.txt")
NUMBER = re.compile(r"\d+\.\d+\.\d+")
NUMBERED = {
    "pyproject.toml": 'version = "X.Y.Z"',
    "firmware/main.py": 'FIRMWARE = b"hexboard X.Y.Z"',
}
"""The files that have the number of the release, and their line with it."""
UNRELEASED = "## [Unreleased]\n"
NAMED = re.compile(r"^([a-z0-9-]+)==([^\s;\\]+)", re.MULTILINE)
FREE = (
    *("MIT", "BSD", "APACHE", "ISC", "MPL", "PSF", "PYTHON SOFTWARE", "ZLIB"),
    *("PUBLIC DOMAIN", "UNLICENSE"),
)
"""Words of licences under which a library may be installed beside hexboard, whatever uses it."""


class Refused(Exception):
    """No release comes of this."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.release", description=__doc__)
    parser.add_argument("number", nargs="?", help="X.Y.Z, to be written down first")
    asked = parser.parse_args()
    try:
        if asked.number:
            write_down(HERE, asked.number, time.strftime("%Y-%m-%d"))
            did("tests.kept", asked.number)
        made(tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["project"]["version"])
    except Refused as error:
        sys.exit(f"No release: {error}")


def write_down(folder: Path, number: str, today: str) -> None:
    """The number into CHANGELOG.md, pyproject.toml and the firmware of a checkout. Raises
    `Refused`."""
    log = folder / "CHANGELOG.md"
    text = log.read_text("utf-8")
    if not NUMBER.fullmatch(number):
        raise Refused(f"{number} is no number like 1.2.3")
    if f"## [{number}]" in text:
        raise Refused(f"CHANGELOG.md has {number} already")
    if text.count(UNRELEASED) != 1:
        raise Refused("CHANGELOG.md has no part [Unreleased]")
    log.write_text(text.replace(UNRELEASED, f"{UNRELEASED}\n## [{number}] - {today}\n"), "utf-8")
    for file, line in NUMBERED.items():
        there = folder / file
        found = re.escape(line).replace(r"X\.Y\.Z", ".*")
        text = there.read_text("utf-8")
        new = line.replace("X.Y.Z", number)
        there.write_text(re.sub(f"^{found}$", new, text, count=1, flags=re.M), "utf-8")


def made(version: str) -> None:
    """All that `dist/` is to have of it, checked. Raises `Refused`."""
    shutil.rmtree(DIST, ignore_errors=True)
    did("build", "--outdir", str(DIST), str(HERE))
    wheel, sdist = (
        DIST / f"hexboard-{version}-py3-none-any.whl",
        DIST / f"hexboard-{version}.tar.gz",
    )
    did("twine", "check", "--strict", str(wheel), str(sdist))
    did("check_wheel_contents", str(wheel))
    text = "".join((HERE / "hardware" / name).read_text("utf-8") for name in LOCKS)
    with tempfile.TemporaryDirectory() as folder:
        lock = Path(folder, "lock.txt")
        lock.write_text(text, "utf-8")
        bill = DIST / f"hexboard-{version}.cdx.json"
        about = ("--pyproject", str(HERE / "pyproject.toml"), "--output-file", str(bill))
        did("cyclonedx_py", "requirements", *about, str(lock))
    under = licences(dict(NAMED.findall(text)))
    rows = "".join(f"{name:40} {licence}\n" for name, licence in sorted(under.items()))
    (DIST / f"hexboard-{version}.licences.txt").write_text(rows, "utf-8")
    if bad := not_free(under):
        raise Refused(f"look at the licences of {', '.join(bad)}")
    if missing := hardware.lacking(hardware.tools()):
        raise Refused(f"no circuit boards without {', '.join(missing)}: apt install them")
    did("tests.hardware")
    hardware.packed(hardware.BUILT, DIST / f"hexboard-{version}-hardware.zip", version)
    did("pytest", "-m", "long", "tests/test_wheel.py")
    print("".join(f"{path.relative_to(HERE)}\n" for path in sorted(DIST.iterdir())), end="")


def did(*module: str) -> None:
    """A module's command, well ended. Raises `Refused`."""
    print(f"== {module[0]}", flush=True)
    done = subprocess.run([sys.executable, "-m", *module], cwd=HERE, check=False)
    if done.returncode:
        raise Refused(f"{module[0]} ended with {done.returncode}")


def licences(names: Iterable[str]) -> dict[str, str]:
    """The licence that each library states; "" where it is not installed here."""
    found = {}
    for name in names:
        try:
            about = metadata.metadata(name).json
        except metadata.PackageNotFoundError:
            found[name] = ""
            continue
        classes = [it.rpartition(" :: ")[2] for it in about.get("classifier", ())]
        licence = [it for it in classes if "License" in it and it != "OSI Approved"]
        said = about.get("license_expression") or ", ".join(licence) or about.get("license") or "?"
        found[name] = str(said).splitlines()[0]
    return found


def not_free(under: dict[str, str]) -> list[str]:
    """The libraries whose licence is none of those that we know to be free; those that are not here
    cannot be asked."""
    return [
        f"{name} ({said})"
        for name, said in under.items()
        if said and not any(word in said.upper() for word in FREE)
    ]


if __name__ == "__main__":
    main()
