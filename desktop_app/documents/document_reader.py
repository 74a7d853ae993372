"""Reads files, pictures and pasted texts into parts.

What is read is untrusted: a process of its own opens it (`worker`); here only the answer becomes a part.
"""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from desktop_app.core.attachment_facts import BYTES, NOTE, NOTE_PHRASE, PAGES
from desktop_app.core.errors import UserError
from desktop_app.core.messages import AttachedPart, DocumentPart, ImagePart, Json
from desktop_app.core.phrases import to_json
from desktop_app.documents.file_opening import display_name
from desktop_app.documents.reading_errors import (
    MOST_BYTES,
    TIME_LIMIT_S,
    TOO_LARGE,
    UnreadableError,
    megabytes,
)
from desktop_app.documents.reading_process import ReadingProcess
from desktop_app.documents.reading_worker import worker_command
from desktop_app.worker_process import IDLE_S


class DocumentReader:
    """Reads one thing at a time. Constructed cheaply: the process starts with the first, and ends when idle.

    Every method raises `UserError("usage")` whose words name the file and say what to do.
    """

    def __init__(
        self,
        *,
        command: Sequence[str] | None = None,
        time_limit_s: float = TIME_LIMIT_S,
        idle_s: float = IDLE_S,
    ) -> None:
        """`command` starts the process; None: this program itself. Times in seconds."""
        self._process = ReadingProcess(command or worker_command(), time_limit_s=time_limit_s, idle_s=idle_s)

    async def read_file(self, path: Path) -> AttachedPart:
        """The image or document in a file, which may be given from the working folder on.

        Its name is the file's own, without the path.
        """
        name = display_name(path.name, "file")
        return _part(name, await self._process.ask(name, {"read": "file", "path": os.fspath(path)}))

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

    async def close(self) -> None:
        """Ends the process."""
        await self._process.close()


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
