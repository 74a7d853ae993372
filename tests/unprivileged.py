"""Lets the permissions of files bind, whoever runs the tests: root gives up what lets it pass them by.

For the block's thread, and those that it starts.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_DAC = 1 << 1 | 1 << 2
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH."""
_VERSION_3 = 0x20080522

is_root = sys.platform.startswith("linux") and os.geteuid() == 0
needs_permissions = pytest.mark.skipif(sys.platform == "win32", reason="there, a folder's mode forbids nothing")


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Sets(ctypes.Structure):
    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))


@contextmanager
def unprivileged() -> Iterator[None]:
    """In the block a file's mode binds this thread."""
    if not is_root:
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header, before = _Header(_VERSION_3, 0), (_Sets * 2)()
    assert libc.capget(ctypes.byref(header), before) == 0
    without = (_Sets * 2)(*(_Sets(one.effective, one.permitted, one.inheritable) for one in before))
    without[0].effective &= ~_DAC
    assert libc.capset(ctypes.byref(header), without) == 0
    try:
        yield
    finally:
        assert libc.capset(ctypes.byref(header), before) == 0


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """In the block nothing in the folder, nor below it, can be written."""
    every = (folder, *folder.rglob("*"))
    before = {path: path.stat().st_mode for path in every if not path.is_symlink() and not path.is_socket()}
    for path in reversed(every):
        if path in before:
            path.chmod(before[path] & ~0o222)
    try:
        yield
    finally:
        for path, mode in before.items():
            if path.exists():
                path.chmod(mode)
