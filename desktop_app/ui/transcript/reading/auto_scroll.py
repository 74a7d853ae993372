"""The reader's place while an answer streams: the text held at the top, and whether the end is in view.

Knows nothing of painting. The rule (INTERFACE.md, "Reading while it streams"): on Send the question moves to the top
and the answer grows beneath it; nothing scrolls by itself after that; a reader who scrolls is left alone.
"""

from __future__ import annotations

from PySide6.QtCore import QObject

from desktop_app.ui.theme.theme import OUTDENT
from desktop_app.ui.transcript.canvas.canvas import Canvas
from desktop_app.ui.transcript.canvas.row import CanvasRow

#: A question up to this share of the view is shown whole, as with a tall picture: beneath it an answer can begin.
WHOLE_SHARE = 0.75
#: One that is higher is shown by its end, in this share of the view, so that there is room for the answer.
QUESTION_SHARE = 0.4
#: So much of the view stays free beneath an end that is followed, whenever it has come to the lower edge.
ROOM_SHARE = 0.2
#: Closer to the end than this counts as being there (pixels).
NEAR = 24


class AutoScroll(QObject):
    """Moves the view only when an answer begins or the reader asks for the latest.

    `end_left`: the end was out of view when rows were placed last.
    """

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._row_layout = canvas.row_layout
        self.streaming = False
        self.following = False
        """True while the end stays in view while it grows."""
        self.end_left = False
        canvas.scrolled_by_user.connect(self._on_scrolled)

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

    def _on_scrolled(self) -> None:
        # the end is not followed any more, and room that is held but out of view is given up
        self.following = False
        if not self.streaming:
            self._row_layout.release()
        self._canvas.sync_scroll_bar()

    def show_latest(self) -> None:
        """The reader asked for the end: the view follows it while the answer grows."""
        self._row_layout.place_end()
        self.following = self.streaming
        if self.following:
            self._make_room()
        self._canvas.refresh()
        self._canvas.start_rest()

    def show_foot(self) -> None:
        """Bring the part behind the last message into view; of a part higher than the view, its beginning."""
        self.following = False
        self._place_foot()
        self._canvas.refresh()
        self._canvas.start_rest()

    def _place_foot(self) -> None:
        row_layout = self._row_layout
        row_layout.place_end()
        if row_layout.foot.height > row_layout.view:
            row_layout.place_message(len(row_layout.messages), 0)

    def show_changes(self) -> None:
        """Something changed: what is in view stays, but where the reader follows the end, that stays in view."""
        row_layout = self._row_layout
        row_layout.place_again()
        if self.following and row_layout.heights.total - row_layout.y > row_layout.view:
            row_layout.place_end()
            self._make_room()
        self._canvas.refresh()

    def show_end_again(self) -> None:
        """Something changed at the end: it stays in view for whoever reads it."""
        if self.reads_end:
            self._place_foot()
            self._canvas.refresh()
        else:
            self.show_changes()

    def _make_room(self) -> None:
        """Room beneath the end to grow into, so that not every line moves all others."""
        row_layout = self._row_layout
        room, last = int(row_layout.view * ROOM_SHARE), len(row_layout.messages) - 1
        missing = row_layout.heights.total + room - row_layout.y - row_layout.view
        if missing > 0 and last >= 0:
            row_layout.hold = (last, row_layout.heights.total + room - row_layout.heights.before(last))
            row_layout.place_at(row_layout.y + missing)

    @property
    def reads_end(self) -> bool:
        """True while the end was in view when rows were placed last, and nothing grows there."""
        return not self.end_left and self._row_layout.hold is None

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
