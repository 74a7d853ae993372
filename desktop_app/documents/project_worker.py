"""Reads the documents of projects and renders their pages in a worker process; a text leaves it in pieces."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from desktop_app.core.projects import DocumentText, Passage
from desktop_app.documents.file_opening import PROJECT, PROJECT_MEMORY_LIMIT, PROJECT_TIME_LIMIT_S
from desktop_app.documents.pdf import PageImages
from desktop_app.documents.reading_worker import told
from desktop_app.system.own_processes import READ_PROJECTS, own_command
from desktop_app.system.worker_loop import serve

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


NICE: Final = 5
"""Reading a folder takes minutes; the window and the programs of others come first."""


def project_worker_command() -> list[str]:
    """The command that runs `main`."""
    return own_command(READ_PROJECTS, __name__)


def main(argv: Sequence[str] = ()) -> int:
    """Answers orders until standard input ends. `argv` is not used."""
    del argv
    return serve(ProjectWorker().answer, memory=PROJECT_MEMORY_LIMIT, cpu_s=PROJECT_TIME_LIMIT_S, nice=NICE)


class ProjectWorker:
    """Answers orders; keeps the text that was extracted last, to be fetched in pieces, and the last PDF open."""

    def __init__(self) -> None:
        self._pieces: Pieces | None = None
        self._pages: PageImages | None = None

    def answer(self, order: dict[str, Any]) -> dict[str, Any]:
        """Return the data read, or why it could not be read."""
        return told(order["name"], lambda: self._answer(order))

    def _answer(self, order: dict[str, Any]) -> dict[str, Any]:
        match order["read"]:
            case "document":
                return self._document(order)
            case "piece":
                assert self._pieces is not None
                return self._pieces.piece(order["number"])
            case _:
                return self._page(order)

    def _document(self, order: dict[str, Any]) -> dict[str, Any]:
        from desktop_app.documents.text_extraction import Recognition, document_text, found

        self._pieces = None
        recognition, password = Recognition(found(), order["language"]), order.get("password", "")
        text = document_text(Path(order["path"]), PROJECT, recognition, _below(order), password)
        self._pieces = Pieces(text)
        return {**facts_of(text), "pieces": self._pieces.count, **self._pieces.piece(0)}

    def _page(self, order: dict[str, Any]) -> dict[str, Any]:
        pages = self._pages = self._pages or PageImages(PROJECT)
        path, below = Path(order["path"]), _below(order)
        match order["read"]:
            case "page":
                return {"data": base64.b64encode(pages.image(path, order["page"], order["width"], below)).decode()}
            case "pages":
                return {"sizes": pages.sizes(path, below)}
            case _:
                return {"boxes": pages.boxes(path, order["page"], order["first"], order["last"], below)}


def _below(order: dict[str, Any]) -> Path | None:
    return Path(order["below"]) if order.get("below") else None
