"""The line that shows a user's marks on a message: a rating in words, and a note that unfolds.

Knows nothing of messages and of how marks are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_app.core.markdown.inline_text import plain_inline
from desktop_app.core.messages import MessageMark
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.transcript.canvas.row import CanvasRow
from desktop_app.ui.transcript.canvas.text_style import TextStyle
from desktop_app.ui.transcript.items.line_items import NoteItem
from desktop_app.ui.transcript.items.text_item import TextItem

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
