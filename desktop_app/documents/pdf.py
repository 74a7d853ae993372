"""Reads the text of a PDF page by page."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO, Final

from desktop_app.core.document_structure import LONGEST_HEADING, SEPARATOR, DocumentSection
from desktop_app.core.phrases import joined, phrase
from desktop_app.documents.extracted_text import ExtractedText
from desktop_app.documents.reading_errors import (
    DAMAGED,
    ENCRYPTED,
    PASSWORD,
    TOO_MANY_PAGES,
    ReadingLimits,
    UnreadableError,
)

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

LEAST_OF_A_PAGE: Final = 20
"""Characters from which a page has text: a scan may bear a stamp or a page number."""

MOST_BOOKMARKS: Final = 20_000
DEEPEST_BOOKMARK: Final = 8

_WRONG_PASSWORD: Final = 4
_UNKNOWN_SECURITY: Final = 5
"""Codes of pdfium."""

_BROKEN_WORD: Final = re.compile("-?[\x02\ufffe]\r?\n?")
"""The characters that pdfium puts where a word goes on in the next line."""


@dataclass(frozen=True, slots=True)
class PdfPages:
    """The text of each page that was looked at, None where it can't be read; `count` of all there are.

    `headings`: the bookmarks that lead to a page (from 1) with the title of the last, in order.
    """

    texts: Sequence[str | None]
    count: int
    headings: Sequence[tuple[int, str, str]] = ()

    @property
    def bare(self) -> int:
        """Pages that were read and have no text to speak of."""
        return sum(text is not None and len(text) < LEAST_OF_A_PAGE for text in self.texts)

    @property
    def scanned(self) -> bool:
        """True if no page has text, but some could be read."""
        return self.bare > 0 and not any(text and len(text) >= LEAST_OF_A_PAGE for text in self.texts)


@contextmanager
def opened_pdf(source: bytes | BinaryIO) -> Iterator[PdfDocument]:
    """The PDF in some bytes or an open file. Raises `UnreadableError`."""
    from pypdfium2 import PdfDocument, PdfiumError

    try:
        document = PdfDocument(source)
    except PdfiumError as error:
        code = getattr(error, "err_code", None)
        words = {_WRONG_PASSWORD: PASSWORD, _UNKNOWN_SECURITY: ENCRYPTED}.get(code or 0, DAMAGED)
        raise UnreadableError(words) from None
    try:
        yield document
    finally:
        document.close()


def read_pages(data: bytes, limits: ReadingLimits) -> PdfPages:
    """The text of a PDF's pages. Raises `UnreadableError` for what is locked, damaged or has too many.

    A page that can't be read is left out, as long as others can.
    """
    with opened_pdf(data) as document:
        count = len(document)
        if not count:
            raise UnreadableError(DAMAGED)
        if count > limits.pages:
            raise UnreadableError(TOO_MANY_PAGES, size=f"{count:,}", most=f"{limits.pages:,}")
        pages = PdfPages(_texts(document, count, limits), count, _bookmarks(document))
    if all(text is None for text in pages.texts):
        raise UnreadableError(DAMAGED)
    return pages


def text_with_marks(pages: PdfPages) -> str:
    """The text of the pages, each after a line that tells its number, for a model that reads it as a whole."""
    marked = [_marked(number, text) for number, text in enumerate(pages.texts, 1)]
    if len(marked) < pages.count:
        marked.append(f"[Pages {len(marked) + 1:,} to {pages.count:,} left out]")
    return "\n\n".join(marked)


def extracted(pages: PdfPages, note: str = "") -> ExtractedText:
    """The text of the pages, cut where they end and where a bookmark's title stands."""
    pieces: list[str] = []
    sections: list[DocumentSection] = []
    size, heading = 0, ""
    marks: dict[int, list[tuple[str, str]]] = {}
    for page, path, title in pages.headings:
        marks.setdefault(page, []).append((path, title))
    for number, text in enumerate(pages.texts, 1):
        start = size
        for path, title in marks.get(number, ()):
            at = (text or "").find(title, start - size)
            if at > start - size:
                sections.append(DocumentSection(start, size + at, heading=heading, page=number))
                start = size + at
            heading = path
        if not text:
            continue
        pieces.append(f"{text}\n\n")
        size += len(pieces[-1])
        sections.append(DocumentSection(start, size, heading=heading, page=number))
    return ExtractedText("".join(pieces), tuple(sections), pages.count, joined(filter(None, [notes_of(pages), note])))


def notes_of(pages: PdfPages) -> str:
    """Return the notes on parts left out of the pages; empty where there are none."""
    said = []
    bare, damaged, read = pages.bare, sum(text is None for text in pages.texts), len(pages.texts)
    if read < pages.count:
        words = phrase(
            "The first {read:,} of {pages:,} pages were read; the others are left out.", read=read, pages=pages.count
        )
        said.append(words)
    if bare:
        said.append(
            phrase(
                "{count:,} of {pages:,} pages hold no text; pictures are left out.",
                "1 of {pages:,} page holds no text; pictures are left out.",
                count=bare,
                pages=pages.count,
            )
        )
    if damaged:
        said.append(
            phrase(
                "{count:,} of {pages:,} pages can't be read and are left out.",
                "1 of {pages:,} pages can't be read and is left out.",
                count=damaged,
                pages=pages.count,
            )
        )
    return joined(said)


def tidy(text: str) -> str:
    """Without the spaces that layout leaves at the ends of lines, and with at most one empty line in a row."""
    lines: list[str] = []
    for line in _BROKEN_WORD.sub("", text).replace("\r\n", "\n").replace("\r", "\n").replace("\0", "").split("\n"):
        kept = line.rstrip()
        if kept or (lines and lines[-1]):
            lines.append(kept)
    return "\n".join(lines).strip("\n")


def _texts(document: PdfDocument, count: int, limits: ReadingLimits) -> list[str | None]:
    from pypdfium2 import PdfiumError

    texts: list[str | None] = []
    size, started = 0, time.monotonic()
    for number in range(count):
        if texts and (size > limits.characters or time.monotonic() - started > limits.time_s):
            break
        try:
            page = document[number]
            text = tidy(page.get_textpage().get_text_range(errors="replace"))
            page.close()
        except PdfiumError:
            texts.append(None)
            continue
        texts.append(text)
        size += len(text)
    return texts


def _bookmarks(document: PdfDocument) -> list[tuple[int, str, str]]:
    from pypdfium2 import PdfiumError

    found: list[tuple[int, str, str]] = []
    path: list[str] = []
    try:
        for mark in islice(document.get_toc(max_depth=DEEPEST_BOOKMARK), MOST_BOOKMARKS):
            title = " ".join(mark.get_title().split())
            path = [*path[: mark.level], title]
            place = mark.get_dest()
            page = place.get_index() if place is not None else None
            if title and page is not None and page >= (found[-1][0] - 1 if found else 0):
                found.append((page + 1, SEPARATOR.join(filter(None, path))[:LONGEST_HEADING], title))
    except (PdfiumError, ValueError):  # a damaged outline: the text is worth more
        return found
    return found


def _marked(number: int, text: str | None) -> str:
    if text is None:
        return f"[Page {number}: can't be read]"
    return f"[Page {number}]\n{text}" if text else f"[Page {number}: no text]"
