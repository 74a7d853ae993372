"""The lines that tell a message's state: awaited, cut, or marked by the user. Reads no clock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_app.core.markdown.inline_text import plain_inline
from desktop_app.core.messages import MessageMark
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.transcript.canvas.row import CanvasRow
from desktop_app.ui.transcript.canvas.text_style import TextStyle
from desktop_app.ui.transcript.items.line_items import NoteItem
from desktop_app.ui.transcript.items.text_item import TextItem

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


FOLD_NOTE, EDIT_NOTE = "fold_note", "note"
SHORT = 40
"""Characters of a note that stand in the line whole, in a column that is not narrow."""


@dataclass(frozen=True, slots=True)
class AnnotationLine:
    """A mark as it is shown. `unfolded`: the whole note stands beneath the line."""

    mark: MessageMark
    unfolded: bool = False

    def rows(self, style: TextStyle) -> list[CanvasRow]:
        """The line, and the note's paragraphs while it is unfolded."""
        rows = [CanvasRow(AnnotationItem(style, self._line, self._actions), 0, 0, decoration="own-mark")]
        paragraphs = [line for line in self.mark.note.split("\n") if line.strip()] if self.unfolded else []
        for number, paragraph in enumerate(paragraphs):
            item = TextItem(style, style.body, paragraph, plain_inline)
            rows.append(CanvasRow(item, 4 if number else 0, 0, "t", decoration="own-note", quoted_above=bool(number)))
        rows[-1].tail = 8
        return rows

    @property
    def spoken(self) -> str:
        """The text for a screen reader on it, beside who speaks."""
        words = (rating_words(self.mark), tr("has a note") if self.mark.note else "")
        return ", ".join(word for word in words if word)

    @property
    def _line(self) -> str:
        rating, note = rating_words(self.mark), " ".join(self.mark.note.split())
        if self.unfolded:
            return rating or tr("Your note")
        told = tr("Your note: {note}").format(note=note) if note else ""
        return " · ".join(words for words in (rating, told) if words)

    @property
    def _actions(self) -> Sequence[tuple[str, str]]:
        if not self.mark.note:
            return ()
        edit = (EDIT_NOTE, tr("Edit"))
        if self.unfolded:
            return (FOLD_NOTE, tr("Collapse")), edit
        # all of it is shown before it is edited; the row of buttons beneath the message leads there at once
        return ((FOLD_NOTE, tr("Show all")),) if len(self.mark.note) > SHORT or "\n" in self.mark.note else (edit,)


class AnnotationItem(NoteItem):
    """One muted line."""

    __slots__ = ()


def rating_words(mark: MessageMark) -> str:
    """A rating in words, "" for none."""
    return {"up": tr("Rated up"), "down": tr("Rated down")}.get(mark.rating, "")
