"""The prompt of a Pico that runs MicroPython, on stdin and stdout, for mpremote: friendly and raw.

Arguments: the version that it says it has; of how many blocks its flash is, a LittleFS as a Pico's
in memory (0: the current folder). What mpremote sends is really executed, there, by MicroPython's
unix port, which has no raw prompt of its own; only `sys` says that it is a
Pico, "" is the root folder as there, and `machine.reset` ends the process. The banners are those of
MicroPython's pyexec.c.
"""

import os
import sys

import vfs  # type: ignore[import-not-found]

VERSION = tuple(int(part) for part in sys.argv[1].split("."))
BLOCKS, BLOCK = int(sys.argv[2]), 4096
BANNER = b"raw REPL; CTRL-B to exit\r\n>"
stdin, stdout = sys.stdin.buffer, sys.stdout.buffer


class Flash:
    """Blocks in memory, for LittleFS."""

    data = bytearray(BLOCKS * BLOCK)

    def readblocks(self, number: int, into: bytearray, at: int = 0) -> None:
        start = number * BLOCK + at
        into[:] = self.data[start : start + len(into)]

    def writeblocks(self, number: int, data: bytes, at: int = 0) -> None:
        start = number * BLOCK + at
        self.data[start : start + len(data)] = data

    def ioctl(self, what: int, _: int) -> int:
        return {4: BLOCKS, 5: BLOCK}.get(what, 0)


if BLOCKS:
    vfs.VfsLfs2.mkfs(Flash(), progsize=256)
    vfs.mount(vfs.VfsLfs2(Flash(), progsize=256), "/flash")
    os.chdir("/flash")


class Module:
    pass


fake_sys, machine = Module(), Module()
fake_sys.platform = "rp2"  # type: ignore[attr-defined]
fake_sys.implementation = ("micropython", VERSION)  # type: ignore[attr-defined]
fake_sys.stdout, fake_sys.stdin = sys.stdout, sys.stdin  # type: ignore[attr-defined]
machine.reset = sys.exit  # type: ignore[attr-defined]
fake_os = Module()
for name in dir(os):
    setattr(fake_os, name, getattr(os, name))
fake_os.stat = lambda path: os.stat(path or ".")  # type: ignore[attr-defined]
modules, print_exception = sys.modules, sys.print_exception  # type: ignore[attr-defined]
for name, module in (("sys", fake_sys), ("os", fake_os), ("machine", machine)):
    modules[name] = module  # type: ignore[assignment]


def execute(code: bytes, names: dict[str, object]) -> None:
    stdout.write(b"OK")
    try:
        exec(code, names)
        stdout.write(b"\4\4>")
    except Exception as error:
        stdout.write(b"\4")
        print_exception(error)
        stdout.write(b"\4>")


names: dict[str, object] = {}
code, raw = b"", False
while True:
    byte = stdin.read(1)
    if not byte:
        break
    if byte == b"\1":
        raw = True
        stdout.write(BANNER)
    elif byte == b"\2":
        raw = False
        stdout.write(b"\r\nMicroPython\r\n>>> ")
    elif byte == b"\3":
        code = b""
        if not raw:
            stdout.write(b"\r\n>>> ")
    elif byte == b"\4" and raw and not code.strip():
        names = {}
        stdout.write(b"OK\r\nMPY: soft reboot\r\n" + BANNER)
    elif byte == b"\4" and raw:
        execute(code, names)
    elif byte == b"\5" and raw:  # raw paste mode: not here
        stdin.read(2)
        stdout.write(b"R\0")
    elif raw:
        code += byte
        continue
    code = b""
