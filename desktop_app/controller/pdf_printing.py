"""Has documents laid out as PDF by a process of its own, piece by piece through a private folder."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TextIO

from desktop_app.core.errors import UserError
from desktop_app.core.phrases import phrase
from desktop_app.system.private_folder import PrivateFolder
from desktop_app.worker_process import WorkerFailedError, WorkerProcess

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
