"""Owns the line in an answer's place while it is awaited: words, things to do, what the server said. Knows no clock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from desktop_app.core.markdown.blocks import Leaf
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.transcript.canvas.row import CanvasRow
from desktop_app.ui.transcript.items.line_items import NoteItem

if TYPE_CHECKING:
    from desktop_app.ui.transcript.message.message_layout import MessageLayout
    from desktop_app.ui.transcript.message.row_builder import RowBuilder
    from desktop_app.ui.transcript.view import TranscriptView

STATUS = "status"
GAP = 4


class AnswerStatus:
    """Its line stays the same item while its words change, so that the pointer and the keyboard stay on its buttons."""

    def __init__(self) -> None:
        self._words = tr("Waiting for the answer…")
        self._actions: tuple[tuple[str, str], ...] = ()
        self._said = ""
        self._line: NoteItem | None = None

    def show(self, words: str, actions: Sequence[tuple[str, str]] = (), said: str = "") -> None:
        """`actions`: (id, words) to click; `said`: what the server said, shown beneath the line."""
        self._words, self._actions, self._said = words, tuple(actions), said
        if self._line is not None:
            self._line.set_note(words, self._actions)

    def rows(self, row_builder: RowBuilder, gap: int) -> list[CanvasRow]:
        """The line, and what stands beneath it."""
        if self._line is None or self._line.style is not row_builder.style:
            self._line = NoteItem(row_builder.style, self._words, self._actions)
        rows = [CanvasRow(self._line, gap)]
        if self._said:
            said = row_builder.row(Leaf("code", self._said, 0, 0), {}, None)
            said.leaf, said.gap = None, GAP  # it is no part of the answer's own text
            rows.append(said)
        for row in rows:
            row.decoration = STATUS
        return rows


def status_rows(row_builder: RowBuilder, status: AnswerStatus | None, gap: int) -> list[CanvasRow]:
    """The rows that say that an answer is awaited; None: nothing is known of it."""
    return (status or AnswerStatus()).rows(row_builder, gap)


def awaited_words(layout: MessageLayout) -> str:
    """What the line of an awaited answer says; "" where it has none."""
    return next(
        (row.item.note for row in layout.rows if isinstance(row.item, NoteItem) and row.decoration == STATUS), ""
    )


def show_status(view: TranscriptView, status: AnswerStatus) -> bool:
    """Shows a status, or its other words, in the answer that a view awaits; False where its text stands already."""
    shown = False
    for message_id in view.stream.growing:
        layout = view.path.layout_of(message_id)
        layout.status = status
        layout.arrange()
        shown |= any(row.decoration == STATUS for row in layout.rows)
    view.auto_scroll.show_changes()
    return shown
