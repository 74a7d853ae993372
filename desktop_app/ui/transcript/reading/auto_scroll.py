"""Owns where the reader is while an answer streams: what is held at the top, and whether the end is in view.

Knows nothing of painting. The rule (INTERFACE.md, "Reading while it streams"): on Send the question moves to the top
and the answer grows beneath it; nothing scrolls by itself after that; a reader who scrolls is left alone.
"""

from __future__ import annotations

from desktop_app.ui.transcript.canvas.row import CanvasRow
from desktop_app.ui.transcript.canvas.row_layout import RowLayout
from desktop_app.ui.transcript.canvas.text_style import OUTDENT

#: A question up to this share of the view is shown whole, as with a tall picture: beneath it an answer can begin.
WHOLE_SHARE = 0.75
#: One that is higher is shown by its end, in this share of the view, so that there is room for the answer.
QUESTION_SHARE = 0.4
#: So much of the view stays free beneath an end that is followed, whenever it has come to the lower edge.
ROOM_SHARE = 0.2
#: Closer to the end than this counts as being there (pixels).
NEAR = 24


class AutoScroll:
    """Moves the view only when an answer begins or the reader asks for the latest."""

    def __init__(self, row_layout: RowLayout) -> None:
        self._row_layout = row_layout
        self.streaming = False
        self.following = False
        """Whether the end stays in view while it grows."""

    def begin(self, question: int | None) -> None:
        """An answer begins: its question moves to the top. None: there is no question, the view stays."""
        self.streaming = True
        if question is None:
            return
        self.following = False
        row_layout = self._row_layout
        height = sum(row.height for row in self._laid_out(question))
        top = OUTDENT // 2
        if height > row_layout.view * WHOLE_SHARE:
            top = int(row_layout.view * QUESTION_SHARE) - height
        self._hold(question, top)

    def end(self) -> None:
        """The answer is complete; nothing moves."""
        self.streaming = self.following = False

    def scrolled(self) -> None:
        """The reader scrolled: the end is not followed any more, and room that is held but out of view is given up."""
        self.following = False
        if not self.streaming:
            self._row_layout.release()

    def show_latest(self) -> None:
        """The reader asked for the end: the view follows it while the answer grows."""
        self._row_layout.place_end()
        self.following = self.streaming
        if self.following:
            self._make_room()

    def place_again(self) -> None:
        """Something changed: what is in view stays, but where the reader follows the end, that stays in view."""
        row_layout = self._row_layout
        row_layout.place_again()
        if self.following and row_layout.heights.total - row_layout.y > row_layout.view:
            row_layout.place_end()
            self._make_room()

    def _make_room(self) -> None:
        """Room beneath the end to grow into, so that not every line moves all others."""
        row_layout = self._row_layout
        room, last = int(row_layout.view * ROOM_SHARE), len(row_layout.messages) - 1
        missing = row_layout.heights.total + room - row_layout.y - row_layout.view
        if missing > 0 and last >= 0:
            row_layout.hold = (last, row_layout.heights.total + room - row_layout.heights.before(last))
            row_layout.place_at(row_layout.y + missing)

    @property
    def at_latest(self) -> bool:
        """True if the end of the last message is in view."""
        return self._row_layout.heights.total - self._row_layout.y - self._row_layout.view <= NEAR

    def _laid_out(self, index: int) -> list[CanvasRow]:
        layout = self._row_layout.row_list(index)
        for row in layout.rows:
            layout.lay_out(row)
        return layout.rows

    def _hold(self, index: int, top: int) -> None:
        row_layout = self._row_layout
        row_layout.hold = (index, row_layout.view - top)
        row_layout.place_message(index, top)
