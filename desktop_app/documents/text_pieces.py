"""Takes a document's text from one process to another in pieces, so that neither end is busy for long at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from desktop_app.core.projects import DocumentText, Passage

PIECE: Final = 100_000
"""Characters of the text, at most, and of its passages as many as begin in them: a millisecond to read as JSON."""


class Pieces:
    """A text cut into pieces, the first of which goes along with its facts."""

    def __init__(self, text: DocumentText) -> None:
        self._text = text
        self._starts: list[int] = []
        """The first passage of each piece."""
        for at, passage in enumerate(text.passages):
            while passage.start >= len(self._starts) * PIECE:
                self._starts.append(at)
        while len(self._starts) < self.count:
            self._starts.append(len(text.passages))

    @property
    def count(self) -> int:
        """The number of pieces; one at least."""
        return max(1, -(-len(self._text.text) // PIECE))

    def piece(self, number: int) -> dict[str, Any]:
        """The text and passages of a piece, from 0, as JSON can hold them."""
        first, after = self._starts[number], [*self._starts, len(self._text.passages)][number + 1]
        told = [
            [one.number, one.kind, one.start, one.end, one.heading, one.page, one.table_head]
            for one in self._text.passages[first:after]
        ]
        return {"text": self._text.text[number * PIECE : (number + 1) * PIECE], "passages": told}


def facts_of(text: DocumentText) -> dict[str, Any]:
    """Return the facts of a text besides its pieces."""
    return {"sha256": text.sha256, "media_type": text.media_type, "pages": text.pages, "note": text.note}


def joined_text(facts: Mapping[str, Any], text: str, passages: Iterable[Passage]) -> DocumentText:
    """The text that was taken apart."""
    return DocumentText(
        facts["sha256"], facts["media_type"], text, tuple(passages), pages=facts["pages"], note=facts["note"]
    )


def passages_of(piece: Mapping[str, Any]) -> list[Passage]:
    """The passages that begin in a piece."""
    return [Passage(*told) for told in piece["passages"]]
