"""Reads the slides of a PowerPoint file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from desktop_app.core.document_structure import DocumentSection, heading_line, markdown_sections
from desktop_app.documents.archives import Archive, attribute, opened_archive
from desktop_app.documents.extracted_text import ExtractedText
from desktop_app.documents.file_kinds import SLIDES
from desktop_app.documents.markdown_writer import MarkdownWriter
from desktop_app.documents.reading_errors import NO_TEXT, ReadingLimits, UnreadableError

_TITLES: Final = ("title", "ctrTitle")
_APART: Final = ("sldNum", "dt", "ftr", "hdr", "sldImg")
"""Placeholders that every slide repeats."""


def slides_of(data: bytes, limits: ReadingLimits) -> ExtractedText:
    """The slides in their order, with their notes. Raises `UnreadableError`."""
    with opened_archive(data, limits) as archive:
        order = _SlideOrder()
        archive.parse(SLIDES, order)
        related = archive.related(SLIDES)
        entries = [related[key] for key in order.ids if related.get(key) in archive.names][: limits.pages]
        slides = [_slide(archive, entry) for entry in entries]
    if not any(body or title for title, body in slides):
        raise UnreadableError(NO_TEXT)
    return joined_slides(slides)


def joined_slides(slides: list[tuple[str, str]]) -> ExtractedText:
    """A text of slides, each with its title and what it says."""
    pieces: list[str] = []
    places: list[tuple[int, int]] = []
    size = 0
    for number, (title, body) in enumerate(slides, 1):
        heading = heading_line(1, f"Slide {number}: {title}" if title else f"Slide {number}")
        piece = f"{heading}\n{body}\n\n" if body else f"{heading}\n\n"
        pieces.append(piece)
        places.append((size, size + len(piece)))
        size += len(piece)
    text = "".join(pieces)
    sections = [
        section
        for number, (start, end) in enumerate(places, 1)
        for section in markdown_sections(text, DocumentSection(start, end, "slide", page=number))
    ]
    return ExtractedText(text, tuple(sections), pages=len(slides))


def _slide(archive: Archive, entry: str) -> tuple[str, str]:
    slide = SlideReader()
    archive.parse(entry, slide)
    body = slide.writer.text()
    for other in archive.related(entry).values():
        if "notesSlides/" in other and other in archive.names:
            notes = SlideReader()
            archive.parse(other, notes)
            if said := notes.writer.text():
                body = f"{body}\n\nNotes: {said}".strip()
    return slide.title, body


class _SlideOrder:
    """The ids of the slides in the order they are shown in."""

    size = 0

    def __init__(self) -> None:
        self.ids: list[str] = []

    def opened(self, name: str, attributes: Mapping[str, Any]) -> None:
        if name.endswith(" sldId"):
            # one attribute is `id` without a namespace, the reference is `id` with one
            self.ids += [str(value) for key, value in attributes.items() if key.endswith(" id")]

    def closed(self, name: str) -> None:
        pass

    def said(self, text: str) -> None:
        pass


class SlideReader:
    """The reader of one slide: its title, and the paragraphs and tables of its other shapes."""

    def __init__(self) -> None:
        self.writer = MarkdownWriter()
        self.title = ""
        self._place = ""
        self._titles: list[str] = []
        self._in_text = False

    @property
    def size(self) -> int:
        return self.writer.size

    def opened(self, name: str, attributes: Mapping[str, Any]) -> None:
        match name.rpartition(" ")[2]:
            case "sp" | "graphicFrame":
                self._place = ""
            case "ph":
                self._place = attribute(attributes, "type") or "body"
            case "t":
                self._in_text = True
            case "br":
                self._say("\n")
            case "tbl":
                self.writer.open_table()
            case "tr":
                self.writer.open_row()
            case "tc":
                self.writer.open_cell()

    def closed(self, name: str) -> None:
        match name.rpartition(" ")[2]:
            case "t":
                self._in_text = False
            case "p":
                self.writer.end_paragraph()
            case "tc":
                self.writer.close_cell()
            case "tbl":
                self.writer.close_table()
            case "sp":
                if self._titles:
                    self.title = " ".join([self.title, *"".join(self._titles).split()]).strip()
                self._titles, self._place = [], ""
                self.writer.add_line("")

    def said(self, text: str) -> None:
        if self._in_text:
            self._say(text)

    def _say(self, text: str) -> None:
        if self._place in _TITLES:
            self._titles.append(text)
        elif self._place not in _APART:
            self.writer.say(text)
