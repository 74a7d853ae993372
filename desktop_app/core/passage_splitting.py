"""Splits the sections of a text into passages of a size that a search can show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from desktop_app.core.document_structure import DocumentSection
from desktop_app.core.projects import Passage

MOST: Final = 1_600
"""Bytes of UTF-8 of one passage: about 400 tokens of English. Bytes, because a token is four letters of Latin script
but one or two characters of others, which take two to four bytes each.
"""

LEAST: Final = 600
"""Bytes below which a section is not cut where it would be good to: about 150 tokens."""

_SENTENCE_ENDS: Final = (". ", "! ", "? ", "。", "！", "？", "; ")


def passages(text: str, sections: Iterable[DocumentSection]) -> tuple[Passage, ...]:
    """The passages of a text in order, cut between paragraphs, lines, sentences or words, whatever comes first.

    Sections are given in order and do not overlap; no passage reaches over the end of one.
    """
    found = (
        (section, start, end) for section in sections for start, end in _cut(text, *_trimmed(text, section), section)
    )
    return tuple(
        Passage(number, section.kind, start, end, section.heading, section.page, section.table_head)
        for number, (section, start, end) in enumerate(found, 1)
    )


def _trimmed(text: str, section: DocumentSection) -> tuple[int, int]:
    start, end = section.start, section.end
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _cut(text: str, start: int, end: int, section: DocumentSection) -> Iterator[tuple[int, int]]:
    while start < end:
        stop = _limit(text, start, end)
        if stop < end:
            stop = _good_place(text, start, stop, rows=bool(section.table_head))
        kept = stop
        while kept > start and text[kept - 1].isspace():
            kept -= 1
        if kept > start:
            yield start, kept
        start = stop
        while start < end and text[start].isspace():
            start += 1


def _limit(text: str, start: int, end: int) -> int:
    """Return how far a passage may go: to the end, or, where little would be left over, to the middle."""
    window = text[start : min(end, start + MOST + LEAST)]
    size = _size(window)
    if size <= MOST and start + len(window) == end:
        return end
    most = size // 2 + 1 if size <= MOST + LEAST and start + len(window) == end else MOST
    return start + _characters(window, most)


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def _characters(text: str, most: int) -> int:
    """Return how many characters of a text take at most so many bytes; at least one."""
    if text.isascii():
        return max(1, min(len(text), most))
    return max(1, len(text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore")))


def _good_place(text: str, start: int, stop: int, *, rows: bool) -> int:
    """The last good place to cut at before `stop`, but not so early that a passage says too little."""
    least = start + (stop - start) * LEAST // MOST
    for mark in ("\n",) if rows else ("\n\n", "\n"):
        at = text.rfind(mark, least, stop)
        if at > start:
            return at + len(mark)
    at = max((found + len(end) for end in _SENTENCE_ENDS if (found := text.rfind(end, least, stop)) >= 0), default=-1)
    if at > start:
        return at
    at = text.rfind(" ", least, stop)
    return at + 1 if at > start else stop
