"""Reads the text of a Word document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from desktop_app.documents.archives import Archive, attribute, opened_archive
from desktop_app.documents.file_kinds import WORD_TEXT
from desktop_app.documents.markdown_writer import MarkdownWriter
from desktop_app.documents.reading_errors import NO_TEXT, ReadingLimits, UnreadableError

NOTES: Final = (("word/footnotes.xml", "Footnote"), ("word/endnotes.xml", "Endnote"))

_BREAKS: Final[Mapping[str, str]] = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_SPACES: Final = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main ",
    "http://purl.oclc.org/ooxml/wordprocessingml/main ",  # of the strict form
)
_COMPATIBILITY: Final = "http://schemas.openxmlformats.org/markup-compatibility/2006 "


def docx_text(data: bytes, limits: ReadingLimits) -> str:
    """Paragraphs, headings as `#`, list items as `-`, table rows between bars, notes at the end.

    Raises `UnreadableError` for what is damaged, locked, without text or larger than it should be.
    """
    with opened_archive(data, limits) as archive:
        body = _text_of(archive, WORD_TEXT)
        notes = [_text_of(archive, entry, label) for entry, label in NOTES if entry in archive.names]
    text = "\n\n".join(filter(None, [body, *notes]))
    if not text:
        raise UnreadableError(NO_TEXT)
    return text


def _text_of(archive: Archive, entry: str, note: str = "") -> str:
    reading = _DocxReader(note)
    archive.parse(entry, reading)
    return reading.writer.text()


class _DocxReader:
    """The parser's place in the document."""

    def __init__(self, note: str) -> None:
        self.writer = MarkdownWriter()
        self._note = note
        self._skipped = 0
        self._in_text = self._in_properties = False

    @property
    def size(self) -> int:
        return self.writer.size

    def opened(self, name: str, attributes: Mapping[str, Any]) -> None:
        if self._skipped or name == f"{_COMPATIBILITY}Fallback":  # says again what its choice has said
            self._skipped += 1
            return
        writer = self.writer
        match _plain(name):
            case "t":
                self._in_text = True
            case "p" if not writer.in_table:
                writer.end_paragraph()  # one that stands in a text box of another comes before the rest of it
            case "pPr":
                self._in_properties = True
            case "pStyle":
                writer.prefix = _heading(attribute(attributes, "val")) or writer.prefix
            case "numPr":
                writer.prefix = writer.prefix or "- "
            case "tbl":
                writer.open_table()
            case "tr":
                writer.open_row()
            case "tc":
                writer.open_cell()
            case "footnote" | "endnote":
                writer.prefix = ""
                writer.add_line(f"[{self._note} {attribute(attributes, 'id')}]")
            case other if other in _BREAKS and not self._in_properties:  # where it is a stop of the ruler
                writer.say(_BREAKS[other])

    def closed(self, name: str) -> None:
        if self._skipped:
            self._skipped -= 1
            return
        match _plain(name):
            case "t":
                self._in_text = False
            case "p":
                self.writer.end_paragraph(blank=True)
            case "pPr":
                self._in_properties = False
            case "tc":
                self.writer.close_cell()
            case "tbl":
                self.writer.close_table()

    def said(self, text: str) -> None:
        if self._in_text and not self._skipped:
            self.writer.say(text)


def _plain(name: str) -> str:
    """The element's name if it is one of Word's text, else nothing that is known."""
    return next((name.removeprefix(space) for space in _SPACES if name.startswith(space)), "")


def _heading(style: str) -> str:
    """`## ` for the style of a second heading, whatever the language of the program that wrote it."""
    level = style.lower().removeprefix("heading").removeprefix("berschrift").removeprefix("titre")
    if style.lower() == "title":
        return "# "
    return (
        "#" * int(level) + " "
        if level.isascii() and level.isdigit() and level != style and 1 <= int(level) <= 6
        else ""
    )
