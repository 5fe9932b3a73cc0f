"""`python -m tests.vm [pytest arguments]`: the tests in guest/ under a kernel of their own.

Prints what the guest prints and ends with pytest's exit status there; 1 when it could not be built,
did not come up or was not done in time. Needs no root.
"""

import os
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
CHECKOUT = HERE.parent.parent
GUEST = "tests/vm/guest"
BOUND = 1800
"""Seconds from power-on after which the guest hangs: some five times what it takes."""
MEMORY = 1024
"""MB; what the guest writes is in there too."""
TAIL = 25
"""Lines of the console that are shown again after a failure."""


def main(arguments: Sequence[str]) -> int:
    build = subprocess.run([HERE / "build"], stdout=subprocess.PIPE, text=True, check=False)
    if build.returncode:
        return 1
    with tempfile.TemporaryDirectory(prefix="hexboard-vm-") as folder:
        share = Path(folder)
        (share / "command").write_text(command(arguments), "utf-8")
        trouble = boot(Path(build.stdout.strip()), share)
        status = share / "status"
        if not trouble and not status.exists():
            trouble = "the guest went off before its tests had ended"
        if trouble:
            print(f"tests.vm: {trouble}", file=sys.stderr)
            return 1
        return int(status.read_text())


def command(arguments: Sequence[str]) -> str:
    """What the guest runs: pytest, by the Python that runs this."""
    colour = "yes" if sys.stdout.isatty() else "no"
    pytest = [sys.executable, "-m", "pytest", "-vv", f"--color={colour}", GUEST, *arguments]
    return (
        f"cd {shlex.quote(str(CHECKOUT))} || exit\n"
        "export HEXBOARD_VM=1 PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1\n"
        f"export HEXBOARD_NO_SKIPS={shlex.quote(os.environ.get('HEXBOARD_NO_SKIPS', ''))}\n"
        f"exec {shlex.join(pytest)}\n"
    )


def boot(image: Path, share: Path) -> str:
    """Run the guest until it goes off, printing its console; what went wrong, or nothing."""
    with subprocess.Popen(
        qemu(image, share),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    ) as machine:
        started = time.monotonic()
        alarm = threading.Timer(BOUND, machine.kill)
        alarm.start()
        tail: deque[str] = deque(maxlen=TAIL)
        try:
            assert machine.stdout is not None
            for line in machine.stdout:
                tail.append(line.rstrip())
                print(tail[-1], flush=True)
        finally:  # also after Ctrl-C
            alarm.cancel()
            machine.kill()
    if time.monotonic() - started >= BOUND:
        last = "\n".join(f"  {line}" for line in tail)
        return f"the guest was not done after {BOUND} s; its last lines:\n{last}"
    return ""


def qemu(image: Path, share: Path) -> list[str | Path]:
    """The command: no KVM, for it is not everywhere and the timing would be another."""
    common = "security_model=none,multidevs=remap"
    return [
        *("qemu-system-x86_64", "-machine", "q35,accel=tcg", "-cpu", "max", "-smp", "2"),
        *("-m", str(MEMORY), "-nodefaults", "-display", "none", "-no-reboot", "-serial", "stdio"),
        *("-kernel", image / "kernel", "-initrd", image / "initrd"),
        *("-append", "console=ttyS0 quiet panic=-1"),
        *("-virtfs", f"local,path=/,mount_tag=host,readonly=on,{common}"),
        *("-virtfs", f"local,path={share},mount_tag=out,{common}"),
    ]


def stop(number: int, _: object) -> None:
    """The machine never outlives us."""
    sys.exit(128 + number)


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    sys.exit(main(sys.argv[1:]))
