"""Reads files, pictures and documents by asking processes of their own: into parts, into passages, as pages.

What is read is untrusted: a process of its own opens it (`worker`); here only the answer becomes a part.

What is read is untrusted: processes of their own open it (`project_worker`); here only the answers are put together.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

from desktop_app.core.attachment_facts import BYTES, NOTE, NOTE_PHRASE, PAGES
from desktop_app.core.errors import UserError
from desktop_app.core.messages import AttachedPart, DocumentPart, ImagePart, Json
from desktop_app.core.phrases import from_json, phrase, to_json
from desktop_app.core.projects import DocumentText, Passage
from desktop_app.documents.file_opening import (
    DAMAGED,
    LOCKED_PDF,
    MOST_BYTES,
    PROJECT_TIME_LIMIT_S,
    RECOGNITION_LANGUAGE,
    TIME_LIMIT_S,
    TOO_DEMANDING,
    TOO_LARGE,
    UnreadableError,
    display_name,
    megabytes,
)
from desktop_app.documents.project_worker import joined_text, passages_of, project_worker_command
from desktop_app.documents.reading_worker import NOT_DRAWN, worker_command
from desktop_app.system.worker_process import (
    IDLE_S,
    MissingModuleError,
    UnforeseenError,
    WorkerFailedError,
    WorkerProcess,
)

log = logging.getLogger(__name__)


DRAWING_LIMIT_S: Final = 15.0
"""A diagram of a hundred boxes takes a third of a second."""

T = TypeVar("T")
PasswordAsker: TypeAlias = Callable[[str, bool], Awaitable[str]]
"""Asks for the password of a file of this name; True: the one before was wrong. "" is for none."""


async def unlocked(asker: PasswordAsker | None, name: str, read: Callable[[str], Awaitable[T]]) -> T:
    """Reads a file without a password, or with one that is asked for. It is kept nowhere."""
    password = ""
    while True:
        try:
            return await read(password)
        except UserError as error:
            if asker is None or error.failure.detail != LOCKED_PDF:
                raise
            password = await asker(display_name(name, "file"), bool(password))
            if not password:
                raise


class ReadingProcess:
    """A process that reads files, started with the first order and ended when idle. Times in seconds."""

    def __init__(
        self, command: Sequence[str], *, time_limit_s: float, idle_s: float = IDLE_S, failed: str = ""
    ) -> None:
        """`failed`: what to say where it gave no answer, if not that the file is damaged or demands too much."""
        self._failed = failed
        self._process = WorkerProcess(command, time_limit_s=time_limit_s, idle_s=idle_s)

    async def ask(self, name: str, order: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to an order about a file of this name; its `note` is a phrase. Raises `UserError`: "usage", or
        "config" where a part of the program is missing."""
        shown = display_name(name, "file")
        try:
            answer = await self._process.ask({"name": shown, **order})
        except MissingModuleError as error:
            log.error("a file could not be read: %s", error)
            words = phrase(
                "“{name}” can't be read: a part of Plimsoll is missing ({module}). Install Plimsoll again.",
                name=shown,
                module=error.module,
            )
            raise UserError("config", words, detail=str(error)) from None
        except WorkerFailedError as error:
            log.warning("a file could not be read: %s", error)
            why = self._failed or (DAMAGED if isinstance(error, UnforeseenError) else TOO_DEMANDING)
            raise UserError("usage", UnreadableError(why).sentence(shown), detail=str(error)) from None
        except OSError as error:
            words = phrase(
                "“{name}” can't be read now: this computer can't start another program. Close some, then try again.",
                name=shown,
            )
            raise UserError("usage", words, detail=type(error).__name__) from None
        said = from_json(answer.get("phrase"), answer.get("error") or answer.get("note", ""))
        if "error" in answer:
            raise UserError("usage", said, detail=answer["detail"])
        return {**answer, "note": said}

    async def close(self) -> None:
        """Ends the process."""
        await self._process.close()


class DocumentReader:
    """Reads one thing at a time in a process that ends when idle. `UserError("usage")` says what to do."""

    def __init__(
        self,
        *,
        command: Sequence[str] | None = None,
        time_limit_s: float = TIME_LIMIT_S,
        idle_s: float = IDLE_S,
    ) -> None:
        """`command` starts the process; None: this program itself. Times in seconds."""
        self._process = ReadingProcess(command or worker_command(), time_limit_s=time_limit_s, idle_s=idle_s)
        # a process of its own: an attachment does not wait for a diagram that takes long
        self._drawing = ReadingProcess(
            command or worker_command(), time_limit_s=DRAWING_LIMIT_S, idle_s=idle_s, failed=NOT_DRAWN
        )
        self.password_asker: PasswordAsker | None = None

    async def read_file(self, path: Path) -> AttachedPart:
        """The image or document in a file, called as the file; the path may count from the working folder."""
        name = display_name(path.name, "file")

        def read(password: str) -> Awaitable[dict[str, Any]]:
            return self._process.ask(name, {"read": "file", "path": os.fspath(path), "password": password})

        return _part(name, await unlocked(self.password_asker, name, read))

    async def read_image(self, data: bytes, name: str) -> ImagePart:
        """A picture by its bytes, in any format that files may have."""
        name = display_name(name, "image")
        _check_size(name, len(data))
        encoded = await asyncio.to_thread(base64.b64encode, data)  # a screenshot takes longer than a frame
        part = _part(name, await self._process.ask(name, {"read": "image", "data": encoded.decode()}))
        assert isinstance(part, ImagePart)
        return part

    async def read_text(self, text: str, name: str) -> DocumentPart:
        """A text as a document."""
        name = display_name(name, "text")
        _check_size(name, len(text))
        part = _part(name, await self._process.ask(name, {"read": "text", "data": text}))
        assert isinstance(part, DocumentPart)
        return part

    async def draw_diagram(self, text: str, name: str, scale: float, *, dark: bool = False) -> bytes:
        """The picture of a text of Mermaid, as a PNG; `scale` is how many pixels it has for one of its own.

        `dark`: for a dark background, which is seen through it.
        """
        name = display_name(name, "diagram")
        _check_size(name, len(text))
        drawn = await self._drawing.ask(name, {"read": "diagram", "data": text, "scale": scale, "dark": dark})
        return base64.b64decode(drawn["data"])

    async def close(self) -> None:
        """Ends the processes."""
        await self._process.close()
        await self._drawing.close()


def _check_size(name: str, size: int) -> None:
    if size > MOST_BYTES:
        words = UnreadableError(TOO_LARGE, size=megabytes(size), most=MOST_BYTES // 2**20)
        raise UserError("usage", words.sentence(name))


def _part(name: str, facts: Mapping[str, Any]) -> AttachedPart:
    note = facts["note"]
    extra: dict[str, Json] = {NOTE: str(note), NOTE_PHRASE: to_json(note)} if note else {}
    if not facts["sha256"]:
        return ImagePart(name, facts["media_type"], facts["data"], facts["width"], facts["height"], extra)
    if facts["pages"]:
        extra[PAGES] = facts["pages"]
    if facts["data"]:
        extra[BYTES] = facts["data"]
    return DocumentPart(name, facts["text"], facts["sha256"], facts["media_type"], extra)


class WorkerDocumentExtractor:
    """Reads one document at a time, and shows pages meanwhile; processes start when needed.

    Methods are those of `DocumentExtractor` and `DocumentPages` (`controller.ports`), which have the documentation.
    """

    def __init__(
        self,
        *,
        command: Sequence[str] | None = None,
        time_limit_s: float = PROJECT_TIME_LIMIT_S,
        idle_s: float = IDLE_S,
        language: Callable[[], str | None] = lambda: None,
    ) -> None:
        """`command` starts a process; None: this program. Times in seconds. `language`: of scans; None: English."""
        started = command or project_worker_command()
        self._reading = ReadingProcess(started, time_limit_s=time_limit_s, idle_s=idle_s)
        # apart, so that a page is shown at once while a folder is being read
        self._showing = ReadingProcess(started, time_limit_s=min(time_limit_s, TIME_LIMIT_S), idle_s=idle_s)
        self._turn = asyncio.Lock()
        self._language = language
        self.password_asker: PasswordAsker | None = None

    async def extract(self, path: Path, below: Path | None = None) -> DocumentText:
        """A document's text with its passages; a chosen file's password is asked for. Cancelling ends the process."""
        asker = self.password_asker if below is None else None
        return await unlocked(asker, path.name, partial(self._extract, path, below))

    async def _extract(self, path: Path, below: Path | None, password: str) -> DocumentText:
        name = path.name
        order = {"read": "document", "language": self._language() or RECOGNITION_LANGUAGE, **_place(path, below)}
        order["password"] = password
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
        order = {"read": "page", "page": page, "width": width, **_place(path, below)}
        answer = await self._showing.ask(path.name, order)
        return base64.b64decode(answer["data"])

    async def page_sizes(self, path: Path, below: Path | None = None) -> Sequence[tuple[float, float]]:
        answer = await self._showing.ask(path.name, {"read": "pages", **_place(path, below)})
        return [(wide, high) for wide, high in answer["sizes"]]

    async def text_boxes(
        self, path: Path, page: int, first: int, last: int, below: Path | None = None
    ) -> Sequence[tuple[float, float, float, float]]:
        order = {"read": "boxes", "page": page, "first": first, "last": last, **_place(path, below)}
        answer = await self._showing.ask(path.name, order)
        return [(left, top, right, bottom) for left, top, right, bottom in answer["boxes"]]

    async def close(self) -> None:
        """Ends the processes."""
        await self._reading.close()
        await self._showing.close()


def _place(path: Path, below: Path | None) -> dict[str, str]:
    return {"path": os.fspath(path), "below": "" if below is None else os.fspath(below)}
