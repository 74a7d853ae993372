"""Writes export files whole or not at all; PDF and formulas are made by processes of their own."""

from __future__ import annotations

import json
import stat
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from filecmp import cmp
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO, Final, TextIO

from desktop_app.core.errors import UserError
from desktop_app.core.phrases import phrase
from desktop_app.system.private_files import PrivateFolder, bring_to_disk, open_new, path_beside, put_in_place
from desktop_app.system.worker_process import WorkerChild, WorkerFailedError, WorkerProcess


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


PDF_LIMIT_S: Final = 900.0
"""Seconds after which a document is too long to be laid out; a thousand messages take some ten."""


class PdfPrinting:
    """The process starts with the first document, and takes one after the other."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = WorkerProcess(command, time_limit_s=PDF_LIMIT_S)

    def document(self, title: str, style: str) -> PrintedFile:
        """A document to which pieces are added."""
        return PrintedFile(self._process, title, style)

    async def close(self) -> None:
        """Ends the process."""
        await self._process.close()


class PrintedFile:
    """A document on its way to be a PDF; `add` and `remove` may take a moment and belong into a thread."""

    def __init__(self, process: WorkerProcess, title: str, style: str) -> None:
        self._process, self._title, self._style = process, title, style
        self._folder: PrivateFolder | None = None
        self._source: TextIO | None = None

    def add(self, piece: Mapping[str, Any]) -> None:
        """Adds a piece as `print_export` describes it. Raises `OSError`."""
        if self._source is None:
            self._folder = PrivateFolder()
            self._source = (self._folder.path / "pieces").open("w", encoding="utf-8", errors="replace")
        self._source.write(f"{json.dumps(piece)}\n")

    async def printed(self) -> Path:
        """The PDF, which stays until `remove`. Raises `UserError("store")` where it could not be laid out."""
        assert self._folder is not None
        assert self._source is not None
        output = self._folder.path / "document.pdf"
        try:
            self._source.close()
            order = {"source": str(self._folder.path / "pieces"), "output": str(output)}
            answer = await self._process.ask({**order, "title": self._title, "style": self._style})
            if not answer.get("pages") or not output.is_file():
                raise WorkerFailedError("no pages")
        except (WorkerFailedError, OSError) as error:
            words = phrase(
                "“{title}” could not be laid out as PDF. Export it as HTML and print that.", title=self._title
            )
            raise UserError("store", words, detail=type(error).__name__) from None
        return output

    def remove(self) -> None:
        """Removes what was written on the way."""
        if self._source is not None:
            self._source.close()
        if self._folder is not None:
            self._folder.remove()


FORMULA_LIMIT_S: Final = 10.0
"""Seconds after which the process is ended; it gives up a formula by itself long before."""

MOST_FAILURES: Final = 3
"""A process that ends so often without an answer is not started again."""


class FormulaTypesetting:
    """At most one process, started with the first formula. For one thread at a time; `close` may come from any."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = list(command)
        self._child: WorkerChild | None = None
        self._failures = 0
        self._known: dict[tuple[str, bool], Mapping[str, Any] | None] = {}

    def typeset(self, source: str, display: bool) -> Mapping[str, Any] | None:
        """The outlines of a formula without its delimiters; None where it can't be typeset."""
        key = source, display
        if key not in self._known:
            self._known[key] = self._asked(source, display)
        return self._known[key]

    def close(self) -> None:
        """Ends the process."""
        self._failures = MOST_FAILURES
        child, self._child = self._child, None
        if child is not None:
            child.end()

    def _asked(self, source: str, display: bool) -> Mapping[str, Any] | None:
        if self._failures >= MOST_FAILURES:
            return None
        try:
            child = self._child = self._child or WorkerChild(self._command)
        except OSError:
            self._failures += 1
            return None
        too_late = threading.Timer(FORMULA_LIMIT_S, child.kill)
        too_late.daemon = True
        too_late.start()
        try:
            answer = child.ask({"tex": source, "display": display})
        finally:
            too_late.cancel()
        if answer is None:
            self._failures += 1
            self._child = None
        return None if answer is None or "failed" in answer else answer
