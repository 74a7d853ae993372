"""Opens and lists what is below a folder without following links on the way, and writes any path as text."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

DEEPEST: Final = 200
"""Folders between the one that was chosen and a file; nobody reads what is deeper."""

_READING: Final = (
    os.O_RDONLY
    # an opened pipe would wait for its writer, a terminal would become ours
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
)
_FOLDER: Final = _READING | getattr(os, "O_DIRECTORY", 0)
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)
_PASSING: Final = _FOLDER | _NO_LINK | getattr(os, "O_PATH", 0)
"""Of a folder on the way, which may be one that can't be read."""
_BY_FOLDER: Final = bool({os.open, os.stat} <= os.supports_dir_fd and os.scandir in os.supports_fd and _NO_LINK)
_LINKS: Final = {getattr(stat, "IO_REPARSE_TAG_SYMLINK", -1), getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", -1)}

_BARE: Final = re.compile("[\udc80-\udcff]|\ufffd(?=[89a-f][0-9a-f])")
_WRITTEN: Final = re.compile("\ufffd([89a-f][0-9a-f])")


def opened(path: Path, root: Path | None = None) -> int:
    """A descriptor for reading. With `root`, each folder on the way is opened by itself, and none may be a link: it is
    the real path of what the user chose, which another folder may have taken the place of.

    Without `root` links are followed: whoever names a path means what it leads to. Raises `OSError`, also for what is
    not below `root` or deeper than `DEEPEST`.
    """
    if root is None:
        return os.open(path, _READING)
    parts = _parts(path, root)
    with _folder(root, parts[:-1]) as folder:
        if folder is not None:
            return os.open(parts[-1], _READING | _NO_LINK, dir_fd=folder)
        descriptor = os.open(path, _READING)
        try:
            _check_no_link(root, parts)
            same = os.path.samestat(os.fstat(descriptor), path.lstat())
            if not same or not _was_reached_by(descriptor, path):  # a link while it was opened
                raise _error(errno.ELOOP)
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor


def status(path: Path, root: Path | None = None) -> os.stat_result:
    """Return the status of the path, links as with `opened`. Raises `OSError`."""
    if root is None:
        return path.stat()
    parts = _parts(path, root)
    with _folder(root, parts[:-1]) as folder:
        return path.lstat() if folder is None else os.stat(parts[-1], dir_fd=folder, follow_symlinks=False)


def entries(root: Path, parts: tuple[str, ...] = ()) -> list[tuple[str, os.stat_result]]:
    """Return the entries of a folder below `root`, links left out. Raises `OSError`."""
    found = []
    with _folder(root, parts) as folder, os.scandir(root.joinpath(*parts) if folder is None else folder) as inside:
        for entry in inside:
            try:
                one = entry.stat(follow_symlinks=False)
            except OSError:
                continue  # it vanished while the folder was read
            if not stat.S_ISLNK(one.st_mode) and getattr(one, "st_reparse_tag", 0) not in _LINKS:
                found.append((entry.name, one))
    return found


def path_text(path: Path | str) -> str:
    """A path as text that can be shown, stored and read back by `path_of`: a byte that is no UTF-8 as `�e9`."""
    text = os.fsencode(path).decode("utf-8", "surrogateescape")
    return _BARE.sub(
        lambda one: "".join(f"\ufffd{byte:02x}" for byte in one[0].encode("utf-8", "surrogateescape")), text
    )


def path_of(text: str) -> Path:
    """The path that `path_text` wrote."""
    bare = _WRITTEN.sub(lambda one: chr(0xDC00 + int(one[1], 16)), text)
    return Path(os.fsdecode(bare.encode("utf-8", "surrogateescape")))


def _parts(path: Path, root: Path) -> tuple[str, ...]:
    parts = path.parts[len(root.parts) :]
    if not parts or ".." in parts or path.parts[: len(root.parts)] != root.parts:
        raise _error(errno.ENOENT)
    return parts


@contextmanager
def _folder(root: Path, parts: tuple[str, ...]) -> Iterator[int | None]:
    """A descriptor of a folder below `root`; None where systems open by paths only."""
    if len(parts) > DEEPEST:
        raise _error(errno.ENAMETOOLONG)
    if not _BY_FOLDER:
        _check_no_link(root, parts)
        yield None
        return
    folder = os.open(root.anchor, _PASSING)
    try:
        for part in (*root.parts[1:], *parts, "."):
            below = os.open(part, _FOLDER if part == "." else _PASSING, dir_fd=folder)
            os.close(folder)
            folder = below
        yield folder
    finally:
        os.close(folder)


def _check_no_link(root: Path, parts: tuple[str, ...]) -> None:
    path = root.joinpath(*parts)
    if os.path.normcase(os.path.realpath(path)) != os.path.normcase(path):
        raise _error(errno.ELOOP)


def _was_reached_by(descriptor: int, path: Path) -> bool:
    """Return False if the system tells another path of an open file."""
    real = str(path)
    if sys.platform == "win32":
        import ctypes
        import msvcrt

        found = ctypes.create_unicode_buffer(1 << 15)
        file = ctypes.c_void_p(msvcrt.get_osfhandle(descriptor))
        ctypes.windll.kernel32.GetFinalPathNameByHandleW(file, found, len(found), 0)
        real = found.value.replace("\\\\?\\UNC\\", "\\\\").removeprefix("\\\\?\\")
    return os.path.normcase(real) == os.path.normcase(path)


def _error(number: int) -> OSError:
    return OSError(number, os.strerror(number))
