"""Writes export files whole or not at all."""

from __future__ import annotations

import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from filecmp import cmp
from itertools import count
from pathlib import Path
from typing import BinaryIO

from desktop_app.atomic_write import bring_to_disk, open_new, path_beside, put_in_place
from desktop_app.core.errors import UserError
from desktop_app.core.phrases import phrase


def write_export(path: Path, pieces: Iterable[str], *, beside: bool = False) -> Path:
    """Writes UTF-8 text as `write_bytes` does."""
    return write_bytes(path, (piece.encode("utf-8", "replace") for piece in pieces), beside=beside)


def write_bytes(path: Path, pieces: Iterable[bytes], *, beside: bool = False) -> Path:
    """Writes a `WrittenFile` from its beginning to its end; raises what that does. Returns its path."""
    file = WrittenFile(path, beside=beside)
    try:
        for piece in pieces:
            file.write(piece)
        return file.finish()
    except BaseException:
        file.discard()
        raise


class WrittenFile:
    """A file that is written piece by piece: its path holds the old or the whole new one; only this user may read it.

    `beside`, for a name that the user did not choose: what is there stays, and this file gets a number; one of the same
    content is not written again. `write` and `finish` raise `UserError("usage")` if the path that was chosen is
    something other than a plain file, and `UserError("store")` if it fails.
    """

    def __init__(self, path: Path, *, beside: bool = False) -> None:
        self._path, self._beside = path, beside
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
            if not self._beside:
                put_in_place(self._fresh, self._target)
            elif (free := self._free()) is not None:
                put_in_place(self._fresh, free)
        return self._path

    def _free(self) -> Path | None:
        """The first path that nothing has, taken by an empty file; None where this file is there already."""
        for number in count(2):
            try:
                open_new(self._path).close()
            except FileExistsError:
                if self._path.is_file() and not self._path.is_symlink() and cmp(self._fresh, self._path, shallow=False):
                    self._fresh.unlink()
                    return None
                self._path = self._target.with_stem(f"{self._target.stem} {number}")
            else:
                return self._path
        raise AssertionError

    def discard(self) -> None:
        """Leaves the path as it was, unless the file is finished."""
        if self._file is not None:
            with suppress(OSError):  # what could not be written is still waiting in it
                self._file.close()
            self._fresh.unlink(missing_ok=True)

    def _opened(self) -> BinaryIO:
        if self._file is None:
            self._target = self._path if self._beside else self._path.resolve()
            if not self._beside and self._target.exists() and not stat.S_ISREG(self._target.stat().st_mode):
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
