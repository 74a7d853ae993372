"""Owns that a window that was killed opens the thread again that was open. Knows no pane and nothing of a private one.

A window that is closed in order remembers more at its end, see `WindowState`.
"""

from __future__ import annotations

import asyncio

from PySide6.QtCore import QObject, QTimer

from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.window_state import WindowState

SAVE_WITHIN_MS = 400
"""From a thread's opening to the write: who looks through threads writes once."""


class LastThread(QObject):
    """Follows the open thread until `close`."""

    def __init__(self, app_state: AppState, state: WindowState, parent: QObject) -> None:
        super().__init__(parent)
        self._app_state = app_state
        self._state = state
        self.written = state.open_thread
        self._order = asyncio.Lock()
        self.timer = QTimer(self)
        self.timer.setSingleShot(True)
        self.timer.setInterval(SAVE_WITHIN_MS)
        self.timer.timeout.connect(lambda: app_state.start(self._write()))
        for happened in (app_state.thread_opened, app_state.thread_made, app_state.thread_closed):
            happened.connect(self._changed)

    async def close(self) -> None:
        """Writes no more; what is on its way to the disk arrives before what the end of the window writes."""
        self.timer.stop()
        async with self._order:
            pass

    def _changed(self) -> None:
        if not self.timer.isActive():
            self.timer.start()

    async def _write(self) -> None:
        async with self._order:
            thread_id = self._app_state.lasting_id
            if thread_id != self.written:
                # a disk may take its time, which the window does not wait for
                await asyncio.to_thread(self._state.write_open_thread, thread_id)
                self.written = thread_id
