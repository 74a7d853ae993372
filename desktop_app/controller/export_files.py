"""Writes export files whole or not at all."""

from __future__ import annotations

import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from desktop_app.atomic_write import bring_to_disk, open_new, path_beside, put_in_place
from desktop_app.core.errors import UserError
from desktop_app.core.phrases import phrase


def write_export(path: Path, pieces: Iterable[str]) -> Path:
    """Writes UTF-8 text so that `path` holds either the old or the whole new text; only this user may read it.

    Raises as `write_bytes`.
    """
    return write_bytes(path, (piece.encode("utf-8", "replace") for piece in pieces))


def write_bytes(path: Path, pieces: Iterable[bytes]) -> Path:
    """Writes a file so that `path` holds either the old or the whole new one; only this user may read it.

    Raises `UserError("usage")` if `path` is something other than a plain file, `UserError("store")` if it fails.
    """
    file = WrittenFile(path)
    try:
        for piece in pieces:
            file.write(piece)
        return file.finish()
    except BaseException:
        file.discard()
        raise


class WrittenFile:
    """A file that is written piece by piece: its path holds the old or the whole new one; only this user may read it.

    `write` and `finish` raise `UserError("usage")` if the path is something other than a plain file, and
    `UserError("store")` if it fails.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._target = self._fresh = path
        self._file: BinaryIO | None = None

    def write(self, piece: bytes) -> None:
        with self._named():
            self._opened().write(piece)

    def finish(self) -> Path:
        """Puts the file in its place, the path of which it returns."""
        with self._named():
            file = self._opened()
            bring_to_disk(file)
            file.close()
            put_in_place(self._fresh, self._target)
        return self._path

    def discard(self) -> None:
        """Leaves the path as it was, unless the file is finished."""
        if self._file is not None:
            with suppress(OSError):  # what could not be written is still waiting in it
                self._file.close()
            self._fresh.unlink(missing_ok=True)

    def _opened(self) -> BinaryIO:
        if self._file is None:
            self._target = self._path.resolve()
            if self._target.exists() and not stat.S_ISREG(self._target.stat().st_mode):
                words = phrase("{path} is not a plain file; nothing was written. Give another path.", path=self._path)
                raise UserError("usage", words)
            self._target.parent.mkdir(parents=True, exist_ok=True)
            self._fresh = path_beside(self._target)
            self._file = open_new(self._fresh)
        return self._file

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            reason = error.strerror or error
            words = phrase("{path} could not be written: {reason}.", path=self._path, reason=reason)
            raise UserError("store", words) from error
