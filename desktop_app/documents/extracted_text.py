"""The text that was extracted of a file, with the sections of its structure."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_app.core.document_structure import DocumentSection, markdown_sections


@dataclass(frozen=True, slots=True)
class ExtractedText:
    """`sections` are of `text`, in order; `pages` 0 where it has none. `note`: one phrase where it is not whole or not
    sure. `scan`: its pages are pictures.
    """

    text: str
    sections: tuple[DocumentSection, ...]
    pages: int = 0
    note: str = ""
    scan: bool = False


def of_markdown(text: str, note: str = "") -> ExtractedText:
    """A text whose structure is told by the marks of Markdown."""
    return ExtractedText(text, markdown_sections(text), note=note)
