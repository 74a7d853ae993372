"""The line in an answer's place while it is awaited: words, things to do, the server's words. Reads no clock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.transcript.canvas.row import CanvasRow
from desktop_app.ui.transcript.items.line_items import NoteItem

if TYPE_CHECKING:
    from desktop_app.ui.transcript.message.row_builder import RowBuilder

STATUS = "status"


class AnswerStatus:
    """Its lines stay the same items while the words change, so that the pointer and the keyboard stay on buttons."""

    def __init__(self) -> None:
        self._words = tr("Waiting for the answer…")
        self._actions: tuple[tuple[str, str], ...] = ()
        self._said = ""
        self._narrow = False
        self._lines: tuple[NoteItem, NoteItem] | None = None

    def show(
        self, words: str, actions: Sequence[tuple[str, str]] = (), said: str = "", *, narrow: bool = False
    ) -> None:
        """`actions`: (id, words) to click, in a line of their own if `narrow`; `said`: what the server said."""
        self._words, self._actions, self._said, self._narrow = words, tuple(actions), said, narrow

    def rows(self, row_builder: RowBuilder, gap: int) -> list[CanvasRow]:
        """The line, and what stands beneath it."""
        if self._lines is None or self._lines[0].style is not row_builder.style:
            self._lines = NoteItem(row_builder.style, ""), NoteItem(row_builder.style, "")
        line, beneath = self._lines
        line.set_note(self._words, () if self._narrow else self._actions)
        beneath.set_note("", self._actions if self._narrow else ())
        rows = [CanvasRow(line, gap)]
        if self._narrow and self._actions:
            rows.append(CanvasRow(beneath))
        if self._said:
            from desktop_app.ui.transcript.message.tool_rows import plain_rows

            rows += plain_rows(row_builder, self._said)
        for row in rows:
            row.decoration = STATUS
        return rows


def status_rows(row_builder: RowBuilder, status: AnswerStatus | None, gap: int) -> list[CanvasRow]:
    """The rows that say that an answer is awaited; None: nothing is known of it."""
    return (status or AnswerStatus()).rows(row_builder, gap)


def cut_rows(row_builder: RowBuilder, gap: int, *, growing: bool) -> list[CanvasRow]:
    """The row that says that there is more than is shown."""
    later, never = (
        tr("The rest appears when the answer is finished"),
        tr("Shown up to 16 million characters. An export has all of it."),
    )
    return [CanvasRow(NoteItem(row_builder.style, later if growing else never), gap)]


def awaited_words(rows: Iterable[CanvasRow]) -> str:
    """Return the words of an awaited answer's line, by the answer's rows; "" where it has none."""
    return next((row.item.note for row in rows if isinstance(row.item, NoteItem) and row.decoration == STATUS), "")
