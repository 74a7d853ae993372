"""The times at which the heights of the open thread are kept for the next start, and read. Uses no file format.

Nothing of a private thread is kept; what is kept of a thread goes when it is deleted.
"""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QFontMetricsF

from desktop_app.core.events import ThreadDeleted
from desktop_app.core.messages import Thread
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.threads.thread_list_model import ThreadListModel
from desktop_app.ui.transcript.canvas.height_files import HeightFiles, StoredHeights
from desktop_app.ui.transcript.canvas.text_style import TextStyle
from desktop_app.ui.transcript.view import TranscriptView

LAYOUT = 2
"""To be raised when messages come to be laid out in another way: what was kept before is then no longer used."""
REST_MS = 3_000
"""After scrolling has rested so long, what was learnt is written."""
TIDY_MS = 20_000
"""So long after the start the files of threads that were deleted elsewhere are removed."""
SAMPLE = "The quick brown fox, 0123456789 {}"


class HeightCache(QObject):
    """Reads with each thread what is known of its heights, and writes what came to be known."""

    def __init__(self, app_state: AppState, view: TranscriptView, threads: ThreadListModel, folder: Path) -> None:
        super().__init__(view)
        self._app_state, self._view, self._threads = app_state, view, threads
        self.files = HeightFiles(folder)
        self._measures: tuple[TextStyle, str] | None = None
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self.save)
        self._tidy = QTimer(self)
        self._tidy.setSingleShot(True)
        self._tidy.setInterval(TIDY_MS)
        self._tidy.timeout.connect(self.keep_only_threads)
        view.row_layout.known = lambda thread_id: self.files.known(thread_id, self.layout)
        view.rested.connect(self._rest.start)
        app_state.beside = self._read

    def services_arrived(self) -> None:
        """The list of threads is there soon."""
        self._tidy.start()

    def thread_left(self, thread: Thread) -> None:
        """Another thread is about to be shown."""
        if not thread.private:
            self._save_of(thread.id)

    def thread_deleted(self, deleted: ThreadDeleted) -> None:
        self._app_state.start(asyncio.to_thread(self.files.forget, deleted.thread_id))

    async def close(self) -> None:
        """Writes what is known of the open thread."""
        self._rest.stop()
        self._tidy.stop()
        thread_id = self._app_state.lasting_id
        known = self._known_of(thread_id) if thread_id is not None else None
        if thread_id is not None and known is not None:
            await asyncio.to_thread(self.files.keep, thread_id, known)

    @property
    def layout(self) -> str:
        """The facts that heights depend on beside the messages and the column: fonts, and how code is shown."""
        look = self._view.text_style
        if self._measures is None or self._measures[0] is not look:
            widths = (QFontMetricsF(face.font).horizontalAdvance(SAMPLE) for face in (look.body, look.code))
            self._measures = (look, "/".join(f"{width:.2f}" for width in (*widths, look.body.pitch, look.code.pitch)))
        return f"{LAYOUT}/{self._measures[1]}/{int(self._view.wraps_code)}"

    async def _read(self, thread_id: str) -> None:
        await asyncio.to_thread(self.files.read, thread_id)

    def save(self) -> None:
        """Writes what is known of the open thread, unless nothing of it is to last."""
        if self._app_state.lasting_id is not None:
            self._save_of(self._app_state.lasting_id)

    def _save_of(self, thread_id: str) -> None:
        known = self._known_of(thread_id)
        if known is not None:
            self._app_state.start(asyncio.to_thread(self.files.keep, thread_id, known))

    def _known_of(self, thread_id: str) -> StoredHeights | None:
        """Return the heights the view has of a thread that it shows whole; an answer that grows is not worth
        keeping.
        """
        messages, heights = self._view.row_layout.messages, self._view.row_layout.heights
        count = len(messages)
        if (
            not count
            or messages[0].thread_id != thread_id
            or self._view.path.missing
            or messages[-1].id in self._view.growing
        ):
            return None
        return StoredHeights(self.layout, self._view.row_layout.width, messages[-1].id, tuple(heights)[:count])

    def keep_only_threads(self) -> None:
        """Removes what is kept of threads that are gone."""
        ids = [summary.thread.id for summary in self._threads.threads()]
        self._app_state.start(asyncio.to_thread(partial(self.files.keep_only, ids)))
