"""Owns what stands beside the messages of a surface: the lines above and beneath them, and which are toned down.

Knows nothing of how messages come, grow and change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from desktop_app.ui.transcript.canvas.row_layout import RowLayout
from desktop_app.ui.transcript.canvas.text_style import TextStyle
from desktop_app.ui.transcript.message.decorations import BRANCHES, StepLine, SummaryLine
from desktop_app.ui.transcript.message.message_layout import MessageLayout
from desktop_app.ui.transcript.message.message_surface import MessageSurface
from desktop_app.ui.transcript.message.shown_path import MatchingMessages, ShownPath
from desktop_app.ui.transcript.message.thread_footer import ThreadFooter

if TYPE_CHECKING:
    from desktop_app.ui.transcript.message.annotation_line import AnnotationLine


class DecoratedSurface(MessageSurface):
    """A surface of messages with lines beside them. Ids are those of any message of the path."""

    def __init__(self, row_layout: RowLayout, text_style: TextStyle, parent: QWidget | None = None) -> None:
        super().__init__(row_layout, text_style, parent)
        self.path = ShownPath(row_layout)
        self._version: tuple[int, int, bool] | None = None  # message, top, whether that of its arrows
        self._foot = ThreadFooter(row_layout, text_style, self.viewport())

    @property
    def _reads_end(self) -> bool:
        """True while the end is in view and nothing grows there."""
        raise NotImplementedError

    def set_load_line(
        self,
        message_id: str | None,
        reasons: Mapping[str, str] | None = None,
        marks: Mapping[str, str] | None = None,
    ) -> None:
        """Marks where the model's view begins; text above is toned down, with its reason on hover.

        `reasons` are by message id. With any, only messages that have one are toned down; without, all above the line.
        Messages whose reason is `decorations.PINNED` or `ALWAYS_SENT` stay as they are and carry that mark. `marks`
        are further words that stand above messages, such as `Excluded`.
        """
        decorations = self._decorations
        line = None if message_id is None else self.path.id_of(message_id)
        decorations.load_line, decorations.reasons, decorations.marks = line, dict(reasons or {}), marks or {}
        self._mark_read()
        self._redecorate()

    def set_private(self, private: bool) -> None:
        """Whether what is shown from the next path on is kept in memory only."""
        self._decorations.private = private

    def set_steps(self, line: StepLine | None, ticks: Mapping[str, str] | None = None) -> None:
        """The newest step as a line beneath its message, older ones as ticks in the margin with their words."""
        self._decorations.step, self._decorations.ticks = line, dict(ticks or {})
        self._mark_read()
        self._redecorate()

    def set_summaries(self, summaries: Mapping[str, SummaryLine]) -> None:
        """Summaries, each above the message that comes after what it stands for."""
        self._decorations.summaries = dict(summaries)
        self._redecorate()

    def set_branches(self, branches: Mapping[str, tuple[int, int]], *, frozen: bool) -> None:
        """Which version of how many is shown of a message, from 1; `frozen`: the arrows lead nowhere for now."""
        last = self.row_layout.messages[-1].id if self.row_layout.messages else None
        if self._decorations.set_branches(branches, frozen=frozen, last=last):
            self._redecorate()

    def keep_version(self, message_id: str) -> None:
        """Another version of a message comes: `place_version` puts it where this one stands.

        That is its beginning, or where only the end is in view the arrows that lead to it.
        """
        number = self.path.number(message_id)
        rows = [placed for placed in self.row_layout.placed if placed.message == number]
        first = next((placed for placed in rows if placed.first and placed.top >= 0), None)
        arrows = next((placed for placed in rows if placed.row.decoration == BRANCHES), None)
        kept = first or arrows
        self._version = (kept.message, kept.top, kept is not first) if kept is not None else None

    def place_version(self) -> None:
        """Puts the version that has come where the one before stood; nothing where none was kept."""
        kept, self._version = self._version, None
        if kept is None or kept[0] >= len(self.row_layout.messages):
            return
        number, top, by_arrows = kept
        layout = self.row_layout.message_layout(number)
        row = next((row for row in layout.foot if row.decoration == BRANCHES), None) if by_arrows else None
        body = layout.rows[len(layout.head)]
        for above in layout.rows if row is not None else ():
            layout.lay_out(above)
        self.row_layout.place_row_with_room(number, row or body, top)
        self.refresh()
        self.start_rest()

    def set_annotations(self, marks: Mapping[str, AnnotationLine]) -> None:
        """What the user marked messages with, by the ids of what is shown, each as a line beneath its message."""
        if marks == self._decorations.annotations:
            return
        at_end = self._reads_end
        self._decorations.annotations = dict(marks)
        self._redecorate()
        if at_end:
            self.row_layout.place_end()
            self.refresh()

    def set_detour(self, line: StepLine | None) -> None:
        """A line above a message that stands on another branch than the one looked at before; None: no line."""
        if line != self._decorations.detour:
            self._decorations.detour = line
            self._redecorate()

    def set_onward(self, line: StepLine | None) -> None:
        """A line beneath the last message, where more was said after it than the branch goes; None: no line."""
        if line != self._decorations.onward:
            self._decorations.onward = line
            self._redecorate()

    def set_hint(self, line: StepLine | None) -> None:
        """Lines beneath an answer with what helps; None: no line."""
        if line != self._decorations.hint:
            self._decorations.hint = line
            self._redecorate()

    def branch_of(self, message_id: str) -> tuple[int, int] | None:
        """Which version of how many a message is, where there are several."""
        return self._decorations.branches.get(message_id)

    @property
    def step(self) -> StepLine | None:
        """The line of the newest step."""
        return self._decorations.step

    def _mark_read(self) -> None:
        decorations = self._decorations
        if decorations.reasons:
            self.row_layout.faded = MatchingMessages(self.row_layout, decorations.tones_down)
        else:
            line = decorations.load_line
            self.row_layout.faded = range((self.path.number(line) or 0) if line is not None else 0)
        self.row_layout.ticked = MatchingMessages(self.row_layout, decorations.ticks.__contains__)

    def _redecorate(self) -> None:
        for index in self.row_layout.made:
            self._decorate(self.row_layout.message_layout(index))
        self.row_layout.place_again()
        self.repaint_all()

    def _decorate(self, layout: MessageLayout) -> None:
        message, decorations = layout.message, self._decorations
        # what a card says in an answer's place is not said twice
        carded = self._foot.card is not None and message.id == self.row_layout.messages[-1].id
        quiet = carded or message.id in self._growing
        layout.decorate(
            decorations.head(message, self.text_style), decorations.foot(message, self.text_style, quiet=quiet)
        )
