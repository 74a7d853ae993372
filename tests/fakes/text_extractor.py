"""Reads plain text files as documents, without a process apart, and fails where a test wants it to."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from desktop_app.core.errors import UserError
from desktop_app.core.phrases import phrase
from desktop_app.core.projects import DocumentText, Passage


@dataclass
class TextExtractor:
    """A passage for each paragraph. `gate`, once set, holds every reading up until it is opened."""

    read: list[str] = field(default_factory=list)
    broken: dict[str, str] = field(default_factory=dict)
    """Names of files with the words that they fail with; `{name}` is the file's."""
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    gate: asyncio.Event | None = None
    on_read: Callable[[Path], None] | None = None
    """Called before a file is opened."""

    async def extract(self, path: Path, below: Path | None = None) -> DocumentText:
        self.read.append(path.name)
        self.begun.set()
        if self.gate is not None:
            await self.gate.wait()
        if self.on_read is not None:
            self.on_read(path)
        if path.name in self.broken:
            raise UserError("usage", phrase(self.broken[path.name], name=path.name))
        try:
            data = await asyncio.to_thread(path.read_bytes)
        except OSError:
            raise UserError("usage", phrase("There is no file “{name}”. Check the name.", name=path.name)) from None
        text = data.decode()
        return DocumentText(hashlib.sha256(data).hexdigest(), "text/plain", text, tuple(_passages(text)))

    async def page_image(self, path: Path, page: int, width: int, below: Path | None = None) -> bytes:
        raise UserError("usage", phrase("“{name}” has no pages.", name=path.name))


def _passages(text: str) -> list[Passage]:
    made, at = [], 0
    for number, paragraph in enumerate(text.split("\n\n"), 1):
        made.append(Passage(number, "text", at, at + len(paragraph)))
        at += len(paragraph) + 2
    return made
