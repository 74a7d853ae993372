"""Extracts the text of a project's documents and renders their pages: `DocumentExtractor` of the controller.

What is read is untrusted: processes of their own open it (`project_worker`); here only the answers are put together.
"""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from desktop_app.core.projects import DocumentText, Passage
from desktop_app.documents.project_worker import project_worker_command
from desktop_app.documents.reading_errors import PROJECT_TIME_LIMIT_S, RECOGNITION_LANGUAGE, TIME_LIMIT_S
from desktop_app.documents.reading_process import ReadingProcess
from desktop_app.documents.text_pieces import joined_text, passages_of
from desktop_app.worker_process import IDLE_S


class WorkerDocumentExtractor:
    """Reads one document at a time, and shows pages meanwhile. Constructed cheaply: processes start when needed.

    Every method raises `UserError("usage")` whose words name the file and say what to do. `below` the folder that is
    named with a path no link is followed.
    """

    def __init__(
        self,
        *,
        command: Sequence[str] | None = None,
        time_limit_s: float = PROJECT_TIME_LIMIT_S,
        idle_s: float = IDLE_S,
        language: Callable[[], str | None] = lambda: None,
    ) -> None:
        """`command` starts a process; None: this program itself. Times in seconds. `language`: of text in scans;
        None: English."""
        started = command or project_worker_command()
        self._reading = ReadingProcess(started, time_limit_s=time_limit_s, idle_s=idle_s)
        # apart, so that a page is shown at once while a folder is being read
        self._showing = ReadingProcess(started, time_limit_s=min(time_limit_s, TIME_LIMIT_S), idle_s=idle_s)
        self._turn = asyncio.Lock()
        self._language = language

    async def extract(self, path: Path, below: Path | None = None) -> DocumentText:
        """The text of a document with its passages. Cancelling it ends the reading, and the process."""
        name = path.name
        order = {"read": "document", "language": self._language() or RECOGNITION_LANGUAGE, **_place(path, below)}
        async with self._turn:
            facts = await self._reading.ask(name, order)
            text: str = facts["text"]
            passages: list[Passage] = passages_of(facts)
            for number in range(1, facts["pieces"]):
                piece = await self._reading.ask(name, {"read": "piece", "number": number})
                text += piece["text"]  # grows in place; one large copy at the end would hold the window still
                passages += passages_of(piece)
        return joined_text(facts, text, passages)

    async def page_image(self, path: Path, page: int, width: int, below: Path | None = None) -> bytes:
        """A page of a PDF (from 1) as PNG, `width` pixels wide."""
        order = {"read": "page", "page": page, "width": width, **_place(path, below)}
        answer = await self._showing.ask(path.name, order)
        return base64.b64decode(answer["data"])

    async def page_sizes(self, path: Path, below: Path | None = None) -> Sequence[tuple[float, float]]:
        """Width and height of each page of a PDF in points."""
        answer = await self._showing.ask(path.name, {"read": "pages", **_place(path, below)})
        return [(wide, high) for wide, high in answer["sizes"]]

    async def text_boxes(
        self, path: Path, page: int, first: int, last: int, below: Path | None = None
    ) -> Sequence[tuple[float, float, float, float]]:
        """Return the places of the characters `first` to `last` of a page, counted without spaces: left, top, right,
        bottom.

        As shares of its width and height; none where the page is a picture.
        """
        order = {"read": "boxes", "page": page, "first": first, "last": last, **_place(path, below)}
        answer = await self._showing.ask(path.name, order)
        return [(left, top, right, bottom) for left, top, right, bottom in answer["boxes"]]

    async def close(self) -> None:
        """Ends the processes."""
        await self._reading.close()
        await self._showing.close()


def _place(path: Path, below: Path | None) -> dict[str, str]:
    return {"path": os.fspath(path), "below": "" if below is None else os.fspath(below)}
