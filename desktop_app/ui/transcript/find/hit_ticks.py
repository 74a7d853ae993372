"""The ticks in the scroll bar for matches, worked out a slice at a time."""

from __future__ import annotations

import time
from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer

from desktop_app.ui.transcript.canvas.canvas import Canvas
from desktop_app.ui.transcript.find.thread_search import ThreadSearch

#: How long after what was found has changed the ticks are worked out again.
AGAIN_MS = 150
#: Longest uninterrupted work; the finder may read in the same turn of the event loop.
SLICE_S = 0.002
#: Messages between two looks at the clock.
STRIDE = 32


class HitTicks(QObject):
    """Shows where in a view's messages a finder has found something."""

    def __init__(self, canvas: Canvas, search: ThreadSearch) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._search = search
        self._lines: set[int] = set()
        self._work: Iterator[None] | None = None
        self._stale = False
        self.timer = QTimer(self)
        self.timer.setSingleShot(True)
        self.timer.timeout.connect(self.go_on)

    @property
    def busy(self) -> bool:
        """True until the ticks are those of what was found."""
        return self._work is not None or self.timer.isActive()

    def renew(self) -> None:
        """Renew the ticks soon, as the matches or their places have changed."""
        if self._work is not None:
            self._stale = True
        elif not self.timer.isActive():
            self.timer.start(AGAIN_MS)

    def forget(self) -> None:
        """Nothing of what was found before counts any more; the ticks stay till there are others."""
        self.timer.stop()
        self._work, self._stale = None, False

    def clear(self) -> None:
        """No ticks."""
        self.forget()
        self._canvas.ticked_bar.set_ticks((), self._canvas.text_style.color("fill"))

    def go_on(self) -> None:
        deadline = time.perf_counter() + SLICE_S
        self._work = self._work or self._read()
        while next(self._work, True) is None:
            if time.perf_counter() > deadline:
                self.timer.start(0)
                return
        self._canvas.ticked_bar.set_ticks(self._lines, self._canvas.text_style.color("fill-warning"))
        again = self._stale
        self.forget()
        if again:
            self.renew()

    def _read(self) -> Iterator[None]:
        """Fills `_lines`. Heights that become exact meanwhile shift a tick by less than anybody sees."""
        row_layout, room = self._canvas.row_layout, self._canvas.ticked_bar.room
        scale = room / max(1, row_layout.extent)
        lines = self._lines = set()
        top = 0
        for index, (height, found) in enumerate(zip(row_layout.heights, self._search.found, strict=False)):
            if found and height * scale < 2:
                lines.add(int(top * scale))
            else:
                lines.update(int((top + each.share * height) * scale) for each in found)
            top += height
            if index % STRIDE == 0:
                yield
