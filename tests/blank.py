"""From nothing to a board that is well: `python -m tests.blank [RELEASE…]`, as root.

Makes a root of each release of Debian that Raspberry Pi OS is made of (debootstrap, the computer's
own architecture) and gives it nothing but hexboard's wheel and the installer. Then, as on a Pi:

    installed    in one command, for a person who is not root; `hexboard doctor --simulate` is green
    again        nothing is to be done twice; `hexboard update` brings another, which comes up
    broken       a hexboard that does not come up is not taken: the one before stays, and is well
    uninstalled  `hexboard uninstall` leaves nothing but recordings and settings

Prints how long each took; ends with status 1 where one of them is not so. From nothing to a green
doctor it should take less than five minutes on a computer that does nothing else.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parents[1]
RELEASES = ("bookworm", "trixie")
PERSON = "ann"
HOME = Path("home", PERSON)
SETTINGS = HOME / ".config/hexboard"
STATE = HOME / ".local/state/hexboard"
FOR_PIP = ("PIP_CERT", "SSL_CERT_FILE", "http_proxy", "https_proxy", "no_proxy")
"""What this computer may need to reach anybody, its root needs as well."""


class Failed(Exception):
    """Something is not as it should be."""


class Root:
    """A blank Debian in the folder `at`."""

    def __init__(self, at: Path, release: str, wheel: Path) -> None:
        self.at, self.wheel = at, f"/{wheel.name}"
        at.chmod(0o755)  # not everybody in there is root
        packages = "--include=python3-venv,ca-certificates,udev"
        done = subprocess.run(
            ["debootstrap", "--variant=minbase", packages, release, str(at)],
            capture_output=True,
            text=True,
            check=False,
        )
        wanted(done.returncode == 0, f"debootstrap: {done.stdout[-2000:]}{done.stderr}")
        for file in ("/etc/resolv.conf", "/etc/ssl/certs/ca-certificates.crt"):
            shutil.copy(file, at / file[1:])
        for own in (wheel, HERE / "hardware" / "install.sh"):
            shutil.copy(own, at)
        self.said("useradd", "--create-home", "--shell", "/bin/sh", PERSON)

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """What a command does in there, with /proc and /dev of its own while it runs."""
        mounts = "mount -t proc proc $0/proc && mount --rbind /dev $0/dev"
        inside = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c"]
        inside += [f'{mounts} && exec chroot "$0" "$@"', str(self.at), *command]
        kept = {name: os.environ[name] for name in FOR_PIP if name in os.environ}
        path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        environment = {"PATH": path, "SUDO_USER": PERSON, "LC_ALL": "C.UTF-8", **kept}
        return subprocess.run(inside, capture_output=True, text=True, env=environment, check=False)

    def said(self, *command: str) -> str:
        """What a command prints, having ended well."""
        done = self.run(*command)
        wanted(done.returncode == 0, f"{command}: {done.stdout}{done.stderr}")
        return done.stdout

    def hexboard(self, words: str) -> str:
        """What that person's own command prints."""
        return self.said("su", "-", PERSON, "-c", f"LC_ALL=C.UTF-8 ~/.local/bin/hexboard {words}")

    def well(self) -> None:
        """The doctor finds nothing that must be mended."""
        told = json.loads(self.hexboard("doctor --simulate --json"))
        wanted(told["good"], f"doctor: {told}")
        checks = {one["check"]: one["state"] for one in told["checks"]}
        for check in ("program", "libraries", "board", "pico", "sensors", "space"):
            wanted(checks.get(check) == "good", f"doctor, {check}: {told}")

    def tree(self) -> set[str]:
        """The files that hexboard may have brought to that person and to the system."""
        folders = (self.at / HOME, self.at / "etc/udev", self.at / "var/lib/systemd/linger")
        found = {path for folder in folders for path in folder.rglob("*") if not path.is_dir()}
        return {str(path.relative_to(self.at)) for path in found}


def wanted(so: bool, why: str) -> None:
    if not so:
        raise Failed(why)


def installed(root: Root) -> None:
    would = root.said("sh", "/install.sh", "--dry-run", root.wheel)
    before = root.tree()
    wanted("/dev/hexboard" in would, would)
    root.said("sh", "/install.sh", "--yes", root.wheel)
    root.well()
    groups = root.said("id", "-nG", PERSON).split()
    wanted({"dialout", "video"} <= set(groups), f"groups: {groups}")
    wanted(before < root.tree(), "nothing came")
    if "verify" in root.run("udevadm", "--help").stdout:  # trixie's can
        root.said("udevadm", "verify", "/etc/udev/rules.d/99-hexboard.rules")


def again(root: Root) -> None:
    plan = root.said("sh", "/install.sh", "--dry-run", root.wheel).splitlines()
    steps = [line for line in plan if line.startswith("  - ")]
    wanted(all("hexboard" in step and "install packages" not in step for step in steps), str(plan))
    wanted(len(steps) == 2, str(plan))  # it is brought up to date, and started anew
    root.hexboard(f"update --yes {root.wheel}")
    root.well()


def broken(root: Root) -> None:
    """With the same name and number, and a mistake that only who serves a page comes upon."""
    folder = root.at / "broken"
    folder.mkdir()
    name = root.wheel.lstrip("/")
    with zipfile.ZipFile(root.at / name) as good, zipfile.ZipFile(folder / name, "w") as bad:
        for one in good.infolist():
            text = good.read(one)
            bad.writestr(one, b"1 / 0\n" if one.filename == "hexboard/daemon/run.py" else text)
    done = root.run("su", "-", PERSON, "-c", f"~/.local/bin/hexboard update --yes /broken/{name}")
    wanted(done.returncode != 0, "a broken hexboard was taken")
    wanted("the one before is back" in done.stderr, done.stdout + done.stderr)
    root.well()


def uninstalled(root: Root) -> None:
    root.hexboard("run --simulate --fast --turns 2 --state ~/.local/state/hexboard/hextraction-22")
    root.hexboard("init")
    kept = {path for path in root.tree() if path.startswith((f"{STATE}/", f"{SETTINGS}/"))}
    wanted(any(path.endswith(".mcap") for path in kept), f"no recording: {kept}")
    wanted(f"{SETTINGS}/settings.toml" in kept, f"no settings: {kept}")
    root.said(f"/{HOME}/hexboard/bin/hexboard", "uninstall", "--yes")
    left = root.tree()
    wanted(kept <= left, f"gone: {kept - left}")
    more = {path for path in left - kept if "hexboard" in path}
    wanted(not more, f"left: {sorted(more)[:20]}")


STEPS = (again, broken, uninstalled)


@contextmanager
def wheel() -> Iterator[Path]:
    """hexboard's wheel, made of this checkout."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "build", "--outdir", folder, str(HERE)]
        subprocess.run(command, check=True, capture_output=True)
        yield next(Path(folder).glob("*.whl"))


def proved(release: str, made: Path) -> None:
    """All of it for one release. Raises `Failed`."""
    with tempfile.TemporaryDirectory(prefix="hexboard-blank-") as folder:
        begun = time.monotonic()
        root = Root(Path(folder), release, made)
        bare = time.monotonic() - begun
        installed(root)
        took = time.monotonic() - begun
        own = f"{bare:.0f} of it debootstrap"
        print(f"{release:9} installed    {took:4.0f} s from nothing ({own})", flush=True)
        for step in STEPS:
            since = time.monotonic()
            step(root)
            print(f"{release:9} {step.__name__:12} {time.monotonic() - since:4.0f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.blank", description=__doc__)
    parser.add_argument("releases", nargs="*", default=RELEASES, help="bookworm, trixie")
    asked = parser.parse_args()
    if os.geteuid() or not shutil.which("debootstrap"):
        sys.exit("This makes roots of Debian: be root, and apt install debootstrap.")
    bad = 0
    with wheel() as made:
        for release in asked.releases:
            try:
                proved(release, made)
            except Failed as error:
                bad += 1
                print(f"{release:9} FAILED {error}", flush=True)
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
