"""SQLite's own file system layer, with an ear at each write and sync of its files.

A copy of the layer "unix" is registered beside it, whose files have methods of ours for these two.
That needs the library that Python's `sqlite3` uses itself: one that it shares, as Debian's does.
"""

import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p
from typing import Any, Protocol

NAME = "simulated"
FULL, WRITE_FAILS, SYNC_FAILS = 13, 10 | 3 << 8, 10 | 4 << 8
"""SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_IOERR_FSYNC."""
NO_SPACE = 28

_Open = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
_Write = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
_Sync = CFUNCTYPE(c_int, c_void_p, c_int)


class Ear(Protocol):
    """Who hears of writes and syncs, and says what they fail with (errno); 0 where they do not."""

    def write(self, path: str, size: int) -> int: ...

    def sync(self, path: str) -> int: ...


class _Layer(Structure):
    """`sqlite3_vfs`."""

    _fields_ = (
        ("version", c_int),
        ("file_size", c_int),
        ("longest_path", c_int),
        ("next", c_void_p),
        ("name", c_char_p),
        ("data", c_void_p),
        ("open", c_void_p),
        ("others", c_void_p * 14),
    )


class _Methods(Structure):
    """`sqlite3_io_methods`."""

    _fields_ = (
        ("version", c_int),
        ("close", c_void_p),
        ("read", c_void_p),
        ("write", c_void_p),
        ("truncate", c_void_p),
        ("sync", c_void_p),
        ("others", c_void_p * 13),
    )


_ear: Ear
_kept: list[Any] = []
"""What SQLite has pointers to."""
_patched: dict[int, int] = {}
"""Our methods, by the address of those they stand for."""
_paths: dict[int, str] = {}
"""The paths of open files, by the file's address."""


def install(ear: Ear) -> str:
    """The name of a layer whose writes and syncs this one hears from now on."""
    global _ear
    _ear = ear
    if not _kept:
        _register(ctypes.CDLL("libsqlite3.so.0"))
    return NAME


def _register(library: ctypes.CDLL) -> None:
    library.sqlite3_vfs_find.restype = POINTER(_Layer)
    unix = library.sqlite3_vfs_find(b"unix").contents
    layer = _Layer()
    ctypes.memmove(ctypes.byref(layer), ctypes.byref(unix), ctypes.sizeof(_Layer))
    layer.name = NAME.encode()
    opened = _Open(unix.open)

    def open_(vfs: int, name: int, file: int, flags: int, out: int) -> int:
        status = int(opened(vfs, name, file, flags, out))
        methods = ctypes.cast(file, POINTER(c_void_p))
        if status == 0 and name and methods[0]:
            _paths[file] = ctypes.string_at(name).decode()
            methods[0] = _heard(methods[0])
        return status

    ours = _Open(open_)
    layer.open = ctypes.cast(ours, c_void_p)
    _kept.extend((layer, ours, library))
    if library.sqlite3_vfs_register(ctypes.byref(layer), 0):
        raise OSError("SQLite takes no layer of ours")


def _heard(address: Any) -> int:
    """Methods that do as those at an address, and are heard."""
    if address not in _patched:
        methods = _Methods()
        ctypes.memmove(ctypes.byref(methods), address, ctypes.sizeof(_Methods))
        written, synced = _Write(methods.write), _Sync(methods.sync)

        def write(file: int, data: int, size: int, at: int) -> int:
            if fault := _ear.write(_paths[file], size):
                return FULL if fault == NO_SPACE else WRITE_FAILS
            return int(written(file, data, size, at))

        def sync(file: int, flags: int) -> int:
            return SYNC_FAILS if _ear.sync(_paths[file]) else int(synced(file, flags))

        ours = _Write(write), _Sync(sync)
        methods.write, methods.sync = (ctypes.cast(it, c_void_p) for it in ours)
        _kept.extend((methods, *ours, written, synced))
        _patched[address] = ctypes.addressof(methods)
    return _patched[address]
