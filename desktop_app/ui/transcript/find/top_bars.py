"""The bars over the text: the one that finds words, and the one that leads to a message."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from desktop_app.ui.transcript.canvas.canvas import Canvas
from desktop_app.ui.transcript.find.find_in_thread import FindInThread
from desktop_app.ui.transcript.find.go_to_bar import GoToBar


class TopBars(QObject):
    """Shows one bar at a time. `closed` comes when the reader has closed it, `chosen` with the number of a message."""

    closed = Signal()
    chosen = Signal(int)

    def __init__(self, canvas: Canvas, find_in_thread: FindInThread) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._find_in_thread = find_in_thread
        self._go_to: GoToBar | None = None
        find_in_thread.close_requested.connect(self.close)

    @property
    def go_to(self) -> GoToBar:
        """The bar that leads to a message by number or date, made when it is first asked for."""
        if self._go_to is None:
            self._go_to = GoToBar(self._canvas)
            self._go_to.set_theme(self._canvas.text_style.theme)
            self._canvas.style_changed.connect(lambda: self.go_to.set_theme(self._canvas.text_style.theme))
            self._go_to.closed.connect(self.close)
            self._go_to.chosen.connect(self._on_chosen)
        return self._go_to

    def open_find(self) -> None:
        """Opens the bar in which words are found."""
        if self._go_to is not None:
            self._go_to.hide()
        self._find_in_thread.open()

    def ask_where(self) -> None:
        """Opens the bar that leads to a message by number or date."""
        self._find_in_thread.close()
        self._canvas.set_top_bar(self.go_to)
        self.go_to.begin(self._canvas.row_layout.messages)

    def close(self) -> bool:
        """Closes the bar over the text; False if there was none. What a search found stands out no more."""
        found, asked = self._find_in_thread.shown, self._go_to is not None and not self._go_to.isHidden()
        self._find_in_thread.close()
        if asked and not found:
            self._canvas.set_top_bar(None)
        if found or asked:
            self.closed.emit()
        return found or asked

    def _on_chosen(self, index: int) -> None:
        self.close()
        self.chosen.emit(index)
