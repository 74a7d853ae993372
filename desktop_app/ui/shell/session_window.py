"""The windows of one process: panes, flows and open thread of each, and where a further one stands."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject, QPoint, QRect, QSize, QTimer
from PySide6.QtWidgets import QDialog

from desktop_app.core.errors import PlimsollError
from desktop_app.paths import DataPaths
from desktop_app.ui.shell.background_presence import BackgroundPresence
from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.shell.opening import furnish
from desktop_app.ui.shell.page_specs import Presenters
from desktop_app.ui.shell.window_menu import new_thread
from desktop_app.ui.shell.wiring import wire
from desktop_app.ui.spelling.spelling_presenter import SharedSpeller
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.bridge import Bridge, Tasks
from desktop_app.ui.state.services import WindowServices
from desktop_app.ui.state.window_state import ReadingPosition, WindowState
from desktop_app.ui.theme.style import Appearance
from desktop_app.ui.theme.theme import COLUMN, GRID, Theme

SAVE_WITHIN_MS = 400
"""From a thread's opening to the write: who looks through threads writes once."""
PLACE_WITHIN_MS = 3_000
"""From a move of the transcript to the write of where it is read: who scrolls on writes no more often than that."""


class LastThread(QObject):
    """Follows the open thread, where it is read, and where the window stands, until `close`."""

    def __init__(self, app_state: AppState, state: WindowState, window: MainWindow) -> None:
        super().__init__(window)
        self._app_state = app_state
        self._state = state
        self._window = window
        self._view = view = window.stage.transcript
        self._written_layout = self.layout
        self.written, self._written_place = state.open_thread, state.reading_place
        self._order = asyncio.Lock()
        self.timer = self._made_timer(SAVE_WITHIN_MS)
        self.place_timer = self._made_timer(PLACE_WITHIN_MS)
        for happened in (app_state.thread_opened, app_state.thread_made, app_state.thread_closed):
            happened.connect(lambda *_: _start(self.timer))
        # an answer, a question that is sent and a pane move the view, too, and no rest follows these
        for moved in (view.rested, view.verticalScrollBar().valueChanged):
            moved.connect(self._moved)
        panes = window.inspector.shown_changed, window.artifacts.shown_changed
        for changed in (window.frame_changed, window.splitter.splitterMoved, *panes):
            changed.connect(lambda *_: _start(self.place_timer))

    @property
    def place(self) -> ReadingPosition | None:
        """The place where the open thread is read; None: at its end, or nothing is kept of it."""
        layout = self._view.row_layout
        reads_on = self._app_state.lasting_id is not None and (layout.y < layout.bottom or layout.hold is not None)
        return self._view.navigation.whereabouts if reads_on else None

    @property
    def layout(self) -> Mapping[str, object]:
        """The window's place and panes, as `WindowState` keeps them."""
        window, inspector, beside = self._window, self._window.inspector, self._window.artifacts
        shown = self._app_state.lasting_id is not None and (beside.shown or beside.covered)
        return self._state.layout(
            window,
            thread_list=(window.list_slot.wanted, window.list_slot.width),
            inspector=(inspector.shown or inspector.covered, inspector.pane_width),
            artifact=beside.subject() if shown else "",
        )

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

    def _moved(self, *_: object) -> None:
        if self._app_state.lasting_id is not None:  # before that, only the first paint is there
            _start(self.place_timer)

    def _made_timer(self, milliseconds: int) -> QTimer:
        timer = QTimer(self, singleShot=True, interval=milliseconds)
        timer.timeout.connect(lambda: self._app_state.start(self._write()))
        return timer

    async def _write(self) -> None:
        async with self._order:
            now = self._app_state.lasting_id, self.place
            if now != (self.written, self._written_place):
                # a disk may take its time, which the window does not wait for
                await asyncio.to_thread(self._state.write_open_thread, *now)
                self.written, self._written_place = now
            if (layout := self.layout) != self._written_layout:
                await asyncio.to_thread(self._state.write_layout, layout)
                self._written_layout = layout


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
        self.presenters: Presenters = wire(
            window, self.app_state, shared.appearance, shared.paths, shared.speller, state=state
        )
        self.last_thread = LastThread(self.app_state, state, window)

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
        state.save(self.last_thread.layout)

    def hide(self) -> None:
        """Takes the window out of sight, with the dialogs that nobody answers any more."""
        for dialog in self.window.findChildren(QDialog):
            if dialog.isVisible():
                dialog.reject()
        self.window.hide()

    async def flush_drafts(self) -> None:
        """A history that can't be written does not keep the rest from ending in order."""
        self.window.composer.editor.commit_composed()
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
        self.app_state.unfinished.hand_over(heir.app_state.unfinished)
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


WIDTH: Final = COLUMN + 6 * GRID
"""Of a window that shows one thread, without the list: the reading column and what stands beside it."""
STEP: Final = 5 * GRID
"""From the upper left corner of the window that it was opened from."""


def further_window(theme: Theme, place: Callable[[MainWindow], None]) -> MainWindow:
    """A window with panes and without a thread, in view; `place` puts it somewhere before."""
    window = MainWindow(theme)
    place(window)
    window.stage.set_empty(True)
    window.composer.focus_editor()
    window.show()
    window.raise_()
    window.activateWindow()
    return window


def put_back(window: MainWindow, state: WindowState, others: Sequence[MainWindow]) -> None:
    """Put a window back in its place; a step aside where another would lie right beneath it."""
    furnish(window, state)
    # a frame, which it has none of yet, may stand between the two
    while any((window.pos() - other.pos()).manhattanLength() < STEP for other in others):
        window.move(window.pos() + QPoint(STEP, STEP))


def place_beside(window: MainWindow, other: MainWindow) -> None:
    """As high as the other and a step aside, in view of the same screen; for one thread, so without the list."""
    window.list_slot.want(False)
    room = other.screen().availableGeometry()
    frame = other.frameGeometry().size() - other.size()
    usual = QSize(min(WIDTH, other.normalGeometry().width()), other.normalGeometry().height())
    window.resize(usual.boundedTo(room.size() - frame))
    place = QRect(other.pos() + QPoint(STEP, STEP), window.size() + frame)
    place.moveRight(min(place.right(), room.right()))
    place.moveBottom(min(place.bottom(), room.bottom()))
    window.move(max(place.left(), room.left()), max(place.top(), room.top()))


def wire_presence(
    presence: BackgroundPresence,
    front: Callable[[], SessionWindow],
    *,
    show_thread: Callable[[str], None],
    end: Callable[[], None],
) -> None:
    """Connects the quick line, the tray and the notices with the window in front; `end` asks for the end of all."""

    def show(action: str) -> None:
        one = front()
        bring_forward(one.window)
        match action:
            case "new_thread":
                new_thread(one.window, one.app_state)
            case "open_connections" | "add_key" | "replace_key" | "unlock_keyring":
                one.window.actions_by_id["connections"].trigger()
            case "switch_model":
                one.presenters.connections.offer_models()
            case "edit_caps":
                one.presenters.pages.show_caps()

    presence.window_wanted.connect(show)
    presence.thread_wanted.connect(show_thread)
    presence.quit_wanted.connect(end)
    presence.told.connect(lambda words: front().window.toast.show_message(words))  # noqa: PLW0108 - another each time


def wire_window_presence(one: SessionWindow, presence: BackgroundPresence, is_last: Callable[[], bool]) -> None:
    """Connects one window with what is there beside it; the last one only hides where Plimsoll stays in the tray."""
    window, app_state, to = one.window, one.app_state, one.presenters
    window.keeps_running = lambda: presence.stays and is_last()
    window.left.connect(window.hide)
    window.left.connect(presence.told_of_tray)
    presence.quick.seen.connect(to.thread_list.thread_opened)
    presence.quick.seen.connect(to.read_progress.mark_read)
    app_state.services_arrived.connect(presence.supply)
    app_state.thread_opened.connect(lambda opened: presence.quick.go_on_like(opened.thread))
    for thread_id in presence.quick.unseen:
        window.threads.model.set_mark(thread_id, "unread", True)
    for another in (app_state.thread_made, app_state.thread_changed):
        another.connect(presence.quick.go_on_like)


def bring_forward(window: MainWindow) -> None:
    """The window comes to the front, also out of the tray or the task bar."""
    window.setWindowState(window.windowState() & ~window.windowState().WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()


REST_WITHIN_S: Final = 10.0
"""So long a message may take from a window into the history before its thread is opened in another all the same."""


class ThreadOwners:
    """Which window showed a thread last."""

    def __init__(self) -> None:
        self._last: dict[str, SessionWindow] = {}

    def follow(self, one: SessionWindow) -> None:
        """From now on what this window shows is its own."""
        one.app_state.thread_opened.connect(lambda opened: self._take(opened.thread.id, one))
        one.app_state.thread_made.connect(lambda thread: self._take(thread.id, one))

    def of(self, thread_id: str) -> SessionWindow | None:
        """The window that has what is left of a thread."""
        return self._last.get(thread_id)

    def inherit(self, gone: SessionWindow, heir: SessionWindow) -> None:
        """A window goes, and another has what it left."""
        self._last = {one: heir if owner is gone else owner for one, owner in self._last.items()}

    def _take(self, thread_id: str, one: SessionWindow) -> None:
        self._last[thread_id] = one


@dataclass(eq=False)
class OthersOf:
    """The other windows as one of them sees them, see `OtherWindows`."""

    _one: SessionWindow
    _windows: Callable[[], Sequence[SessionWindow]]
    _owners: ThreadOwners

    def have(self, thread_id: str) -> bool:
        """Return True if one of them shows the thread, or is about to."""
        return any(other.app_state.shows(thread_id) for other in self._others())

    def come_forward(self, thread_id: str, message_id: str = "", words: str = "") -> bool:
        """Brings the one that shows the thread to the front, at the message; False where none does."""
        other = next((other for other in self._others() if other.app_state.shows(thread_id)), None)
        if other is None:
            return False
        self._one.window.threads.view.clear_selection()
        bring_forward(other.window)
        if message_id:
            other.app_state.start(other.presenters.navigation.show_message(thread_id, message_id, words))
        elif other.presenters.pages.page is not None:
            other.presenters.pages.leave()
        return True

    async def rest(self, thread_id: str) -> None:
        """Waits until nothing that was written in the thread there is on its way into the history."""
        if (owner := self._owners.of(thread_id)) is not None and owner is not self._one:
            with suppress(TimeoutError):
                await asyncio.wait_for(owner.presenters.sending.rest(thread_id), REST_WITHIN_S)
            await owner.presenters.drafts.rest(thread_id)

    def hand_over(self, thread_id: str) -> None:
        """Hand over all that they still keep of the thread: it is this window's from now on."""
        owner = self._owners.of(thread_id)
        if owner is None or owner is self._one or self._one.app_state.ready is None:
            return
        left, to = owner.presenters, self._one.presenters
        left.drafts.hand_over(thread_id, to.drafts)
        left.sending.hand_over(thread_id, to.sending)
        left.error_cards.hand_over(thread_id, to.error_cards)
        left.transcript.hand_over(thread_id, to.transcript)
        left.pages.hand_over(thread_id, to.pages)
        left.unsaved_artifacts.hand_over(to.unsaved_artifacts, thread_id)
        owner.app_state.unfinished.hand_over(self._one.app_state.unfinished, thread_id)

    def _others(self) -> Iterator[SessionWindow]:
        return (other for other in self._windows() if other is not self._one)
