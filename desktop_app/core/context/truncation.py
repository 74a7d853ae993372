"""Cuts long texts: documents and tool results, never what a user typed.

What is left out is said in the place where it was.

Where the text is cut is kept with the attachment, so that its bytes never change.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from desktop_app.core.attachment_facts import FIRST, SENT_IN_PART, cut_of, scanned_pdf, whole_document
from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.messages import DocumentPart

LOOK_BACK: Final = 0.2
"""Share of the kept text within which a better place to cut is looked for."""

PIECE: Final = 1_000_000
"""Characters that are weighed at a time: the memory it takes is a multiple of them."""

# from the best place to the worst; the text is cut behind each
_PLACES: Final = (
    re.compile(r"\n\s*\n"),
    re.compile(r"[.!?…]['\"”’)\]]*\s+|[。！？]|\n"),
    re.compile(r"\s+"),
)


def left_out_mark(tokens: int) -> str:
    """`[... 12,400 tokens left out]`."""
    return f"[... {tokens:,} token{'' if tokens == 1 else 's'} left out]"


def place_for(text: str, most: int, estimator: TokenEstimator) -> tuple[int, int]:
    """Return the place to cut a text so that the kept part and the mark have at most `most` tokens, and how many are
    left out.

    The text's length and 0 where it is no longer.
    """
    whole = estimator.tokens(features(text))
    if whole <= most:
        return len(text), 0
    room = most - estimator.tokens(features("\n\n" + left_out_mark(round(whole))))
    at = cut_place(text, _longest(text, room, estimator))
    return at, max(1, round(whole - estimator.tokens(features(text[:at].rstrip()))))


def cut_characters(text: str, most: int, estimator: TokenEstimator) -> str:
    """The beginning of `text` in at most `most` characters and a mark; `text` itself if it is no longer.

    Cut at the same places. In time proportional to the text, however much longer it is.
    """
    if len(text) <= most:
        return text
    kept = text[: cut_place(text, most)].rstrip()
    rest = range(len(kept), len(text), PIECE)
    gone = sum(estimator.tokens(features(text[start : start + PIECE])) for start in rest)
    mark = left_out_mark(max(1, round(gone)))
    return f"{kept}\n\n{mark}" if kept else mark


def split_text(text: str, most: int, estimator: TokenEstimator) -> list[str]:
    """The whole text in pieces of at most `most` tokens each, cut at the same places; nothing is left out."""
    pieces: list[str] = []
    while text:
        size = max(1, _longest(text, most, estimator))
        size = len(text) if size == len(text) else max(1, cut_place(text, size))
        pieces.append(text[:size])
        text = text[size:]
    return pieces


def _longest(text: str, room: float, estimator: TokenEstimator) -> int:
    """Return how many characters of the beginning fit into `room` tokens."""
    low, high = 0, len(text)
    # of a text that is much longer no more is looked at than some times what fits
    reach = max(64, int(room) * 4)
    while reach < high:
        if estimator.tokens(features(text[:reach])) > room:
            high = reach
        else:
            low, reach = reach, reach * 2
    while low < high:
        middle = (low + high + 1) // 2
        if estimator.tokens(features(text[:middle])) <= room:
            low = middle
        else:
            high = middle - 1
    return low


def cut_place(text: str, size: int) -> int:
    """Return the place to cut a text so that at most `size` characters are kept: the best place in the last fifth of
    them.
    """
    earliest = int(size * (1 - LOOK_BACK))
    for place in _PLACES:
        ends = [found.end() for found in place.finditer(text, earliest, size + 1) if earliest < found.end() <= size + 1]
        if ends:
            return min(ends[-1], size)
    return size


def first_tokens(part: DocumentPart, most: int, estimator: TokenEstimator) -> DocumentPart:
    """The document of which the first `most` tokens are sent; whole where it is no longer, or is looked at."""
    whole = whole_document(part)
    if scanned_pdf(whole) is not None:
        return whole
    at, left_out = place_for(whole.text, most, estimator)
    return (
        whole
        if at >= len(whole.text)
        else replace(whole, extra={**whole.extra, FIRST: {"at": at, "left_out": left_out}})
    )


def as_sent(part: DocumentPart) -> DocumentPart:
    """The document as it goes along: whole, or its beginning and a mark.

    As a document of its own: where another part of it, or all of it, is attached, neither refers to the other.
    """
    cut = cut_of(part)
    if cut is None:
        return part
    at, left_out = cut
    text = f"{part.text[:at].rstrip()}\n\n{left_out_mark(left_out)}"
    return replace(part, text=text, sha256=f"{part.sha256}/{at}", extra={SENT_IN_PART: True})
