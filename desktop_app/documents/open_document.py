"""Reads texts and slides of the OpenDocument formats (LibreOffice, Google Docs)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from desktop_app.core.document_structure import heading_line
from desktop_app.documents.archives import attribute, opened_archive
from desktop_app.documents.extracted_text import ExtractedText, of_markdown
from desktop_app.documents.markdown_writer import MarkdownWriter
from desktop_app.documents.reading_errors import NO_TEXT, PASSWORD, ReadingLimits, UnreadableError
from desktop_app.documents.slides import joined_slides

CONTENT: Final = "content.xml"
MANIFEST: Final = "META-INF/manifest.xml"

_SKIPPED: Final = ("tracked-changes", "annotation", "automatic-styles", "font-face-decls", "scripts", "forms", "title")
_MOST_SPACES: Final = 100
"""An element may claim any number of them."""


def open_document_text(data: bytes, limits: ReadingLimits) -> ExtractedText:
    """The text of an .odt, or the slides of an .odp. Raises `UnreadableError`."""
    with opened_archive(data, limits) as archive:
        if MANIFEST in archive.names and b"encryption-data" in archive.bytes_of(MANIFEST):
            raise UnreadableError(PASSWORD)
        reading = _OpenDocumentReader()
        archive.parse(CONTENT, reading)
    slides, text = reading.slides, reading.writer.text()
    if not (text or any(map(any, slides))):
        raise UnreadableError(NO_TEXT)
    return joined_slides(slides[: limits.pages]) if slides else of_markdown(text)


class _OpenDocumentReader:
    """The parser's place in the document."""

    def __init__(self) -> None:
        self.writer = MarkdownWriter()
        self.slides: list[tuple[str, str]] = []
        self._taken = 0
        self._skipped = 0
        self._open: list[str] = []
        """Paragraphs that are open; text elsewhere is none."""
        self._title, self._in_title, self._in_notes = "", False, False
        self._times = 1

    @property
    def size(self) -> int:
        return self._taken + self.writer.size

    def opened(self, name: str, attributes: Mapping[str, Any]) -> None:
        space, _, plain = name.rpartition(" ")
        if self._skipped or (plain in _SKIPPED and not (plain == "title" and "svg" not in space)):
            self._skipped += 1
            return
        writer = self.writer
        match plain:
            case "p" | "h":
                self._open_paragraph(plain, attributes)
            case "list-item" if not writer.in_table:
                writer.prefix = "- "
            case "s":
                count = attribute(attributes, "c")
                writer.say(" " * min(int(count) if count.isascii() and count.isdigit() else 1, _MOST_SPACES))
            case "tab":
                writer.say("\t")
            case "line-break":
                writer.say("\n")
            case "note-body":
                writer.say(" [")
            case "note-citation":
                self._skipped = 1
            case "page":
                self._title, self.writer = "", MarkdownWriter()
            case "frame":
                self._in_title = attribute(attributes, "class") == "title"
            case "notes":
                self._in_notes = True
                writer.add_line("")
                writer.prefix = "Notes: "
            case _:
                self._open_table_part(plain, attributes)

    def _open_table_part(self, plain: str, attributes: Mapping[str, Any]) -> None:
        writer = self.writer
        match plain:
            case "table":
                writer.open_table()
            case "table-row":
                writer.open_row()
            case "table-cell" | "covered-table-cell":
                times = attribute(attributes, "number-columns-repeated")
                self._times = int(times) if times.isascii() and times.isdigit() else 1
                writer.open_cell()

    def closed(self, name: str) -> None:
        if self._skipped:
            self._skipped -= 1
            return
        match name.rpartition(" ")[2]:
            case "p" | "h":
                self._close_paragraph()
            case "note-body":
                self.writer.say("]")
            case "table-cell" | "covered-table-cell":
                self.writer.close_cell(self._times)
                self._times = 1
            case "table":
                self.writer.close_table()
            case "frame":
                self._in_title = False
            case "notes":
                self._in_notes = False
            case "page":
                self.slides.append((" ".join(self._title.split()), self.writer.text()))
                self._taken += self.writer.size

    def said(self, text: str) -> None:
        if self._skipped or not self._open:
            return
        if self._in_title and not self._in_notes:
            self._title += f" {text}"
        else:
            self.writer.say(text)

    def _open_paragraph(self, plain: str, attributes: Mapping[str, Any]) -> None:
        self._open.append(plain)
        if plain == "h" and not self.writer.in_table and len(self._open) == 1:
            level = attribute(attributes, "outline-level")
            mark = heading_line(int(level) if level.isascii() and level.isdigit() else 1, "x")
            self.writer.prefix = mark.removesuffix("x")

    def _close_paragraph(self) -> None:
        if self._open:
            self._open.pop()
        if self._open:
            self.writer.say(" ")  # a note within a paragraph
        else:
            self.writer.end_paragraph(blank=True)
