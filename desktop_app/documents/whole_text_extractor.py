"""Reads files as documents of projects, a passage for each paragraph of their text."""

from __future__ import annotations

from pathlib import Path

from desktop_app.core.errors import UserError
from desktop_app.core.messages import DocumentPart
from desktop_app.core.phrases import phrase
from desktop_app.core.projects import DocumentText, Passage
from desktop_app.documents.document_reader import DocumentReader


class WholeTextExtractor:
    """What can be attached, as the text of a document."""

    def __init__(self, reader: DocumentReader) -> None:
        self._reader = reader

    async def extract(self, path: Path) -> DocumentText:
        """Raises `UserError("usage")` whose words name the file and say what to do."""
        part = await self._reader.read_file(path)
        if not isinstance(part, DocumentPart):
            words = phrase("“{name}” is a picture. Attach it to a message, or add its text.", name=path.name)
            raise UserError("usage", words)
        return DocumentText(part.sha256, part.media_type, part.text, tuple(_passages(part.text)))

    async def page_image(self, path: Path, page: int, width: int) -> bytes:
        """Raises `UserError("usage")`."""
        raise UserError("usage", phrase("The pages of “{name}” can't be shown.", name=path.name))


def _passages(text: str) -> list[Passage]:
    made: list[Passage] = []
    at = 0
    for paragraph in text.split("\n\n"):
        if paragraph.strip():
            made.append(Passage(len(made) + 1, "text", at, at + len(paragraph)))
        at += len(paragraph) + 2
    return made
