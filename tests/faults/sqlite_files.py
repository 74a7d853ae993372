"""A file layer beneath SQLite that writes down every write and sync, and can make any of them fail.

It stands before SQLite's own unix layer (VFS) in the library that Python's `sqlite3` uses: `xOpen` opens as always, and
the opened file gets a copy of its table of methods in which `xWrite`, `xTruncate` and `xSync` come to us first. Linux
only; one at a time, for all connections that are opened while it is in force.
"""

from __future__ import annotations

import ctypes
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

OK: Final = sqlite3.SQLITE_OK
FULL: Final = sqlite3.SQLITE_FULL
IOERR: Final = sqlite3.SQLITE_IOERR

What: TypeAlias = Literal["write", "truncate", "sync", "delete", "name"]

_P = ctypes.c_void_p
# SQLite keeps the pointer to a name for as long as the file is open: it must be handed on itself, not a copy's.
_OPEN = ctypes.CFUNCTYPE(ctypes.c_int, _P, _P, _P, ctypes.c_int, _P)
_DELETE = ctypes.CFUNCTYPE(ctypes.c_int, _P, ctypes.c_char_p, ctypes.c_int)
_WRITE = ctypes.CFUNCTYPE(ctypes.c_int, _P, _P, ctypes.c_int, ctypes.c_int64)
_TRUNCATE = ctypes.CFUNCTYPE(ctypes.c_int, _P, ctypes.c_int64)
_SYNC = ctypes.CFUNCTYPE(ctypes.c_int, _P, ctypes.c_int)
_CLOSE = ctypes.CFUNCTYPE(ctypes.c_int, _P)


class _Vfs(ctypes.Structure):
    """`sqlite3_vfs`, version 3, as sqlite3.h has it."""

    _fields_ = (
        ("version", ctypes.c_int),
        ("file_size", ctypes.c_int),
        ("longest_path", ctypes.c_int),
        ("next", _P),
        ("name", ctypes.c_char_p),
        ("data", _P),
        ("open", _OPEN),
        ("delete", _DELETE),
        ("rest", _P * 14),
    )


class _Methods(ctypes.Structure):
    """`sqlite3_io_methods`, version 3."""

    _fields_ = (
        ("version", ctypes.c_int),
        ("close", _CLOSE),
        ("read", _P),
        ("write", _WRITE),
        ("truncate", _TRUNCATE),
        ("sync", _SYNC),
        ("rest", _P * 13),
    )


class _File(ctypes.Structure):
    _fields_ = (("methods", ctypes.POINTER(_Methods)),)


@dataclass(frozen=True, slots=True)
class FileAct:
    """What was done to a file, by its name without folders.

    `data`: written at `offset`, or the second name it gets; `offset`: the size cut to.
    """

    what: What
    name: str
    offset: int = 0
    data: bytes = b""


Judge: TypeAlias = Callable[[FileAct], int]
"""Is asked before anything is done; another answer than `OK` is SQLite's error code, and nothing is done."""


def _library() -> ctypes.CDLL:
    with Path("/proc/self/maps").open(encoding="ascii") as maps:
        for line in maps:
            if "libsqlite3" in line:
                return ctypes.CDLL(line.split()[-1])
    import _sqlite3  # built in: its symbols are in the module itself

    return ctypes.CDLL(_sqlite3.__file__)


class _Layer:
    """The layer itself. It stays registered once it was: a connection that is open must never lose it."""

    def __init__(self) -> None:
        self.judge: Judge | None = None
        self._names: dict[int, str] = {}
        self._copies: dict[int, _Methods] = {}
        self._originals: dict[int, _Methods] = {}
        library = _library()
        library.sqlite3_vfs_find.restype = ctypes.POINTER(_Vfs)
        self._register, self._unregister = library.sqlite3_vfs_register, library.sqlite3_vfs_unregister
        self._own = library.sqlite3_vfs_find(None)
        real = self._own.contents
        self._open, self._delete = real.open, real.delete
        self._vfs = _Vfs.from_buffer_copy(real)
        self._vfs.name = b"recorded"
        self._vfs.next = None
        self._vfs.open, self._vfs.delete = _OPEN(self._opened), _DELETE(self._deleted)

    def begin(self) -> None:
        """New connections go through the layer."""
        self._register(ctypes.byref(self._vfs), 1)

    def end(self) -> None:
        """New connections go past it."""
        self._register(self._own, 1)

    def _ask(self, act: FileAct) -> int:
        return OK if self.judge is None else self.judge(act)

    def _opened(self, vfs: int, name: int | None, file: int, flags: int, flags_out: int) -> int:
        code = self._open(ctypes.cast(self._own, _P), name, file, flags, flags_out)
        handle = ctypes.cast(file, ctypes.POINTER(_File)).contents
        if code == OK and handle.methods and name is not None:
            self._names[file] = Path(ctypes.string_at(name).decode()).name
            handle.methods = ctypes.pointer(self._copy(handle.methods))
        return int(code)

    def _copy(self, methods: Any) -> _Methods:
        if (address := ctypes.addressof(methods.contents)) not in self._copies:
            real = _Methods.from_buffer_copy(methods.contents)

            def written(file: int, data: int, size: int, offset: int) -> int:
                held = ctypes.string_at(data, size)
                return self._ask(FileAct("write", self._names[file], offset, held)) or real.write(
                    file, data, size, offset
                )

            def truncated(file: int, size: int) -> int:
                return self._ask(FileAct("truncate", self._names[file], size)) or real.truncate(file, size)

            def synced(file: int, flags: int) -> int:
                return self._ask(FileAct("sync", self._names[file])) or real.sync(file, flags)

            copy = _Methods.from_buffer_copy(methods.contents)
            copy.write, copy.truncate, copy.sync = _WRITE(written), _TRUNCATE(truncated), _SYNC(synced)
            self._originals[address], self._copies[address] = real, copy
        return self._copies[address]

    def _deleted(self, vfs: int, name: bytes, sync: int) -> int:
        act = FileAct("delete", Path(name.decode()).name, sync)
        return self._ask(act) or self._delete(ctypes.cast(self._own, _P), name, sync)


_layer: list[_Layer] = []


@contextmanager
def watched_files(judge: Judge) -> Iterator[None]:
    """While it lasts, every connection that is opened asks `judge` before each write, truncation, sync and deletion.

    Such a connection must be closed, or given up, before another one is made.
    """
    if not _layer:
        _layer.append(_Layer())
    layer = _layer[0]
    layer.judge = judge
    layer.begin()
    try:
        yield
    finally:
        layer.end()
        layer.judge = None
