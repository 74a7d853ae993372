"""One window of the process: its panes, flows, open thread, wishes, and the state it leaves to the others."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QDialog

from desktop_app.core.errors import PlimsollError
from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.shell.page_specs import Presenters
from desktop_app.ui.shell.wiring import wire
from desktop_app.ui.spelling.spelling_presenter import SharedSpeller
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.bridge import Bridge, Tasks
from desktop_app.ui.state.window_state import WindowState
from desktop_app.ui.theme.style import Appearance

if TYPE_CHECKING:
    from desktop_app.paths import DataPaths
    from desktop_app.ui.state.services import WindowServices
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


log = logging.getLogger(__name__)

MADE_WITHIN_S: Final = 1.0
"""Seconds the end waits for the thread of the text typed last: making one may ask a server for its models."""

REST_WITHIN_MS: Final = 24 * 3_600_000
"""A window that was closed lets what it began come to its end, such as an import; it is not seen any more."""


@dataclass(frozen=True, slots=True)
class Shared:
    """The state that all windows of the process have in common before there are services."""

    loop: asyncio.AbstractEventLoop
    appearance: Appearance
    paths: DataPaths
    speller: SharedSpeller


class SessionWindow:
    """One window, from the time its panes are painted to its end."""

    def __init__(self, window: MainWindow, state: WindowState, shared: Shared) -> None:
        self._loop = shared.loop
        self.window = window
        self.state = state
        self.tasks = Tasks(shared.loop, window)
        self.app_state = AppState(shared.loop, self.tasks, Bridge(window), window)
        self.presenters: Presenters = wire(window, self.app_state, shared.appearance, shared.paths, shared.speller)
        self.last_thread = LastThread(self.app_state, state, window.stage.transcript, window)

    def begin(self, services: WindowServices, like: SessionWindow) -> None:
        """Another window has been there before: this one knows what came until now, and goes on like that one."""
        self.app_state.go_on_like(like.app_state)
        self.app_state.supply(services)
        self.presenters.thread_list.reload()
        for thread_id in services.chat.answering:
            self.app_state.show_running(thread_id)

    def show_new(self) -> None:
        """Nothing is open: a new thread is about to be written."""
        self.presenters.connections.show_choice()
        self.presenters.parameters.refresh()
        self.presenters.gauge.refresh()

    def keep(self, slot: int) -> None:
        """Remembers for the next start where the window stands and what it shows; `slot`: its number."""
        state, window = self.state, self.window
        state.slot = slot
        self.last_thread.keep()
        state.closed_groups = window.threads.model.lasting_closed_groups()
        state.keep_inspector(window.inspector.shown, window.inspector.pane_width)
        state.save(window, window.splitter, list_shown=window.list_slot.wanted)

    def hide(self) -> None:
        """Takes the window out of sight, with the dialogs that nobody answers any more."""
        for dialog in self.window.findChildren(QDialog):
            if dialog.isVisible():
                dialog.reject()
        self.window.hide()

    async def flush_drafts(self) -> None:
        """A history that can't be written does not keep the rest from ending in order."""
        with suppress(TimeoutError):  # what was begun just now becomes a draft once its thread is there
            await asyncio.wait_for(self.app_state.settled(), MADE_WITHIN_S)
        try:
            await self.presenters.drafts.flush()
        except PlimsollError as error:
            log.warning("a draft could not be kept: %s", error.failure.code)

    async def leave_to(self, heir: SessionWindow) -> None:
        """Ends this window while others go on: its thread is left in order, and `heir` goes on with what waits."""
        await self.last_thread.close()
        self.hide()
        self.app_state.close_thread()
        mine, to = self.presenters, heir.presenters
        mine.drafts.hand_over_all(to.drafts)
        mine.sending.hand_over_all(to.sending)
        mine.transcript.hand_over_all(to.transcript)
        mine.branches.hand_over(lambda _: True, to.branches)
        mine.marks.hand_over(lambda _: True, to.marks)
        mine.unsaved_artifacts.hand_over(to.unsaved_artifacts)
        self.tasks.failed.connect(heir.tasks.failed)
        self.tasks.unwritable.connect(heir.tasks.unwritable)
        await self.tasks.come_to_rest(REST_WITHIN_MS)
        await self.tasks.close()
        mine.spelling.close()
        self.app_state.bridge.end()
        await self.destroy()

    async def destroy(self) -> None:
        """Here and now: a window left to Python's garbage could be destroyed by any thread."""
        gone: asyncio.Future[None] = self._loop.create_future()
        self.window.close_now()
        self.window.destroyed.connect(lambda: gone.set_result(None))
        self.window.deleteLater()
        await gone


def holds_private_answer(one: SessionWindow) -> bool:
    """Return True if a window shows a private thread with an answer."""
    shown = one.window.stage.transcript.row_layout.messages
    return one.app_state.private and any(message.role == "assistant" for message in shown)
