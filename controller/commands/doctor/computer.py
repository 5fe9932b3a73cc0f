"""What the doctor sees of this computer: the program, files of one's own, clock, network, power."""

import grp
import os
import platform
import pwd
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from importlib import metadata, util
from pathlib import Path
from typing import TYPE_CHECKING

from hexboard import __version__
from hexboard.commands.doctor.checked import Checked, good, look, mend, refused, why
from hexboard.words import message, say
from hexboard.words.errors import BadFile

if TYPE_CHECKING:
    from hexboard.settings import Settings

FEW = 5
"""So many libraries are named."""
SYSTEMD = Path("/run/systemd/system")
SYNCHRONIZED = Path("/run/systemd/timesync/synchronized")
KEPT = ("timedatectl", "show", "-p", "NTPSynchronized", "--value")
"""Asks whether any program keeps the clock: chrony and ntpd leave no such file."""
LINGER = Path("/var/lib/systemd/linger")
UNIT = Path(".config/systemd/user/hexboard.service")
WANTED = Path(".config/systemd/user/default.target.wants/hexboard.service")
LOCKED = re.compile(r"^([a-z0-9-]+)==([^\s;\\]+)", re.MULTILINE)
"""A library and its version, in a lock file."""
NOW_OR_SINCE_THE_START = 0x10001
"""What the Pi tells of its supply and heat has a bit for now, and one 16 higher for ever since."""
LOW_VOLTAGE, TOO_HOT = 0, 3


def program() -> Iterator[Checked]:
    """hexboard itself and the packages that it needs."""
    wrong = _wrong_packages()
    for line in wrong:
        yield mend("program", why(line), message("doctor.reinstall"))
    if not wrong:
        python = platform.python_version()
        said = message("doctor.program", version=__version__, python=python, where=sys.prefix)
        yield good("program", said)
    lock = Path(sys.prefix, "lock.txt")  # hardware/install.sh leaves it
    if lock.is_file():
        there = others(lock.read_text("utf-8"), _version)
        names = ", ".join(there[:FEW]) + (" …" if there[FEW:] else "")
        said = message("doctor.others", count=len(there), names=names)
        again = message("doctor.reinstall")
        yield (
            look("libraries", said, again) if there else good("libraries", message("doctor.tested"))
        )


def others(lock: str, version: Callable[[str], str]) -> list[str]:
    """The libraries that are there in another version than a lock has: each with both. `version`
    tells that of a name, "" where it is not there, as some are only on some computers."""
    tested: dict[str, list[str]] = {}
    for name, wanted in LOCKED.findall(lock):
        tested.setdefault(name, []).append(wanted)
    found = ((name, version(name), wanted) for name, wanted in tested.items())
    return [
        f"{n} {it} ({' / '.join(wanted)})" for n, it, wanted in found if it and it not in wanted
    ]


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


@cache
def _wrong_packages() -> list[str]:
    """What pip says of packages that lack, or are of another version than hexboard asks for."""
    if util.find_spec("pip") is None:
        return []
    told = _answer(sys.executable, "-P", "-m", "pip", "--disable-pip-version-check", "check")
    return [line for line in told.splitlines() if line.startswith("hexboard ")]


def _answer(*command: str) -> str:
    """What another program prints; nothing where it cannot be asked."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    except (OSError, subprocess.TimeoutExpired, UnicodeError):
        return ""
    return done.stdout


def own_files(home: Path) -> Iterator[Checked]:
    """The files that people wrote, and the games that they brought."""
    from hexboard.commands.files import checked, misnamed
    from hexboard.game import registry

    closed: list[OSError] = []
    walked = os.walk(home, onerror=closed.append)
    there = sorted(Path(at, it) for at, _, names in walked for it in names)
    paths = [it for it in there if it.name.endswith(".toml") or misnamed(it, home)]
    barred = [error for error in closed if not isinstance(error, FileNotFoundError)]
    yield from (refused("files", error, home) for error in barred)
    wrong = len(barred)
    for path in paths:
        try:
            _, remarks = checked(path, home)
            yield from (
                look("files", message("doctor.remark", file=str(path), why=it)) for it in remarks
            )
        except BadFile as error:
            wrong += 1
            first, more = say(error.mistakes[0]), len(error.mistakes) - 1
            said = message("doctor.mistakes", why=first, more=more) if more else why(first)
            yield mend("files", said, message("doctor.check", file=str(path)))
        except OSError as error:
            wrong += 1
            yield refused("files", error, home)
    if not wrong:
        yield good("files", message("doctor.files", count=len(paths), home=str(home)))
    for broken in (*registry.broken().values(), *registry.left_out()):
        yield look("games", why(broken))


def surroundings(chosen: "Settings") -> Iterator[Checked]:
    """What is not the board's: clock, network, service, power."""
    yield _clock()
    yield _network(chosen)
    yield from _service()
    yield from _groups()
    yield from _power()


def _clock() -> Checked:
    from hexboard.daemon.clock import behind

    now, todo = time.strftime("%Y-%m-%d %H:%M"), message("doctor.clock_todo")
    if behind():
        return look("clock", message("doctor.clock_behind", now=now), todo)
    if SYNCHRONIZED.exists() or _answer(*KEPT).strip() == "yes":
        return good("clock", message("doctor.clock", now=now))
    if SYSTEMD.is_dir():
        return look("clock", message("doctor.clock_unset", now=now), todo)
    return good("clock", message("doctor.clock_says", now=now))


def _network(chosen: "Settings") -> Checked:
    from hexboard.daemon.greeting import found_at

    if not chosen.web.lan:
        return good("network", message("doctor.here_only"))
    link, named = found_at(chosen.web)
    if named.key == "web.no_network":
        return look("network", named)
    said = message("doctor.for_phones", link=link, why=say(named))
    return (good if named.key in ("web.named", "web.certified") else look)("network", said)


def _service() -> Iterator[Checked]:
    home = Path.home()
    user = os.environ.get("USER", home.name)
    if not (home / UNIT).exists():
        return
    if not (home / WANTED).exists():
        yield look("service", message("doctor.not_enabled"), message("doctor.not_enabled_todo"))
    elif not (LINGER / user).exists():
        said = message("doctor.not_lingering", user=user)
        yield look("service", said, message("doctor.not_lingering_todo", user=user))
    else:
        yield good("service", message("doctor.service"))


def _groups() -> Iterator[Checked]:
    """Groups that this user is in by now, and this process is not: it began before."""
    me = pwd.getpwuid(os.getuid())
    lacking = {*os.getgrouplist(me.pw_name, me.pw_gid)} - {*os.getgroups(), os.getgid()}
    names = ", ".join(sorted(grp.getgrgid(it).gr_name for it in lacking))
    if names:
        yield look("groups", message("doctor.groups", groups=names), message("doctor.groups_todo"))


def _power() -> Iterator[Checked]:
    """What a Raspberry Pi tells of its supply and its heat: `throttled=0x50005`."""
    asked = shutil.which("vcgencmd")
    if asked is None:
        return
    told = _answer(asked, "get_throttled").strip().partition("=")[2]
    try:
        bits = int(told, 16)
    except ValueError:  # it may not open /dev/vcio
        yield look("power", message("doctor.power_untold"), message("doctor.power_untold_todo"))
        return
    low, hot = (bits >> bit & NOW_OR_SINCE_THE_START for bit in (LOW_VOLTAGE, TOO_HOT))
    if low:
        yield mend("power", message("doctor.power"), message("doctor.power_todo"))
    if hot:
        yield look("power", message("doctor.hot"), message("doctor.hot_todo"))
    if not (low or hot):
        yield good("power", message("doctor.powered"))
