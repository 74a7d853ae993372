"""The windows of one process beside each other: a thread is in one alone, and where a further one stands."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Final

from PySide6.QtCore import QPoint, QRect, QSize

from desktop_app.ui.shell.background_presence import BackgroundPresence
from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.shell.opening import furnish
from desktop_app.ui.shell.session_window import SessionWindow
from desktop_app.ui.shell.wiring_actions import new_thread
from desktop_app.ui.state.window_state import WindowState
from desktop_app.ui.theme.theme import COLUMN, GRID, Theme

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
    """Put a window back in its place; a step aside where another would lie right beneath it, as the screen is
    another one.
    """
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
            case "open_connections" | "replace_key":
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


class OthersOf:
    """The other windows as one of them sees them, see `OtherWindows`."""

    def __init__(
        self, one: SessionWindow, windows: Callable[[], Sequence[SessionWindow]], owners: ThreadOwners
    ) -> None:
        self._one = one
        self._windows = windows
        self._owners = owners

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
        owner = self._owners.of(thread_id)
        if owner is not None and owner is not self._one:
            with suppress(TimeoutError):
                await asyncio.wait_for(owner.presenters.sending.rest(thread_id), REST_WITHIN_S)
            await owner.presenters.drafts.rest(thread_id)

    def hand_over(self, thread_id: str) -> None:
        """Hand over all that they still keep of the thread: it is this window's from now on."""
        owner, services = self._owners.of(thread_id), self._one.app_state.ready
        if owner is None or owner is self._one or services is None:
            return
        left, to = owner.presenters, self._one.presenters
        left.drafts.hand_over(thread_id, to.drafts)
        left.sending.hand_over(thread_id, to.sending)
        left.error_cards.hand_over(thread_id, to.error_cards)
        left.transcript.hand_over(thread_id, to.transcript)
        left.pages.hand_over(thread_id, to.pages)
        left.unsaved_artifacts.hand_over(to.unsaved_artifacts, thread_id)
        opened = services.chat.loaded(thread_id)
        if opened is not None:
            messages = opened.conversation
            left.branches.hand_over(lambda message_id: message_id in messages, to.branches)
            left.marks.hand_over(lambda message_id: message_id in messages, to.marks)

    def _others(self) -> Iterator[SessionWindow]:
        return (other for other in self._windows() if other is not self._one)
