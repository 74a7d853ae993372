"""The thread that a killed window opens again, at the place where it was read. Keeps nothing of a private one.

A window that is closed in order remembers more at its end, see `WindowState`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.window_state import WindowState

if TYPE_CHECKING:
    from desktop_app.ui.state.window_state import ReadingPosition
    from desktop_app.ui.transcript.view import TranscriptView

SAVE_WITHIN_MS = 400
"""From a thread's opening to the write: who looks through threads writes once."""
PLACE_WITHIN_MS = 3_000
"""From a rest of the transcript to the write of where it is read: who scrolls on writes no more often than that."""


class LastThread(QObject):
    """Follows the open thread, and where it is read, until `close`."""

    def __init__(self, app_state: AppState, state: WindowState, view: TranscriptView, parent: QObject) -> None:
        super().__init__(parent)
        self._app_state = app_state
        self._state = state
        self._view = view
        self.written, self._written_place = state.open_thread, state.reading_place
        self._order = asyncio.Lock()
        self.timer = self._made_timer(SAVE_WITHIN_MS)
        self.place_timer = self._made_timer(PLACE_WITHIN_MS)
        for happened in (app_state.thread_opened, app_state.thread_made, app_state.thread_closed):
            happened.connect(lambda *_: _start(self.timer))
        view.rested.connect(self._rested)

    @property
    def place(self) -> ReadingPosition | None:
        """The place where the open thread is read; None: at its end, or nothing is kept of it."""
        layout = self._view.row_layout
        reads_on = self._app_state.lasting_id is not None and (layout.y < layout.bottom or layout.hold is not None)
        return self._view.navigation.whereabouts if reads_on else None

    def keep(self) -> None:
        """Hands what is open now to the state, for whoever writes that."""
        self._state.open_thread = self.written = self._app_state.lasting_id
        self._state.reading_place = self._written_place = self.place

    async def close(self) -> None:
        """Writes no more; what is on its way to the disk arrives before what the end of the window writes."""
        self.timer.stop()
        self.place_timer.stop()
        async with self._order:
            pass

    def _rested(self) -> None:
        if self._app_state.lasting_id is not None:  # before that, only the first paint is there
            _start(self.place_timer)

    def _made_timer(self, milliseconds: int) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(lambda: self._app_state.start(self._write()))
        return timer

    async def _write(self) -> None:
        async with self._order:
            now = self._app_state.lasting_id, self.place
            if now != (self.written, self._written_place):
                # a disk may take its time, which the window does not wait for
                await asyncio.to_thread(self._state.write_open_thread, *now)
                self.written, self._written_place = now


def _start(timer: QTimer) -> None:
    if not timer.isActive():
        timer.start()
