"""The way to a message, on whatever branch it stands, and the way back from there. Finds nothing itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QPoint, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

from desktop_app.core.deletions import shown_nowhere
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import BranchChanged, TurnStarted
from desktop_app.ui.conversation.shown_messages import ShownMessages
from desktop_app.ui.i18n.language import translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.window_state import ReadingPosition
from desktop_app.ui.theme.theme import motion
from desktop_app.ui.transcript.message.decorations import StepLine
from desktop_app.ui.transcript.view import TranscriptView
from desktop_app.ui.widgets.floating import Toast

if TYPE_CHECKING:
    from desktop_app.controller.open_threads import OpenThread

MESSAGE_AT: Final = 0.2
"""Share of the view's height above the message that was led to."""
BACK: Final = "detour_back"
"""The action of the line above a message on another branch."""


@dataclass(frozen=True, slots=True)
class Detour:
    """A branch that was left for a message on another one: its tip, and where the reader was in it."""

    thread_id: str
    message_id: str
    tip: str
    place: ReadingPosition | None


class Navigation(QObject):
    """Opens thread and branch of a message and brings it into view; a line above it leads back to the branch before.

    `set_out`: a message is about to be shown, so that nothing may cover the transcript.
    """

    about_to_show = Signal()

    def __init__(self, app_state: AppState, messages: ShownMessages, view: TranscriptView, toast: Toast) -> None:
        super().__init__(view)
        self._app_state = app_state
        self._messages = messages
        self._view = view
        self._toast = toast
        self._detour: Detour | None = None
        self._switching = False  # whether the change of branch that is announced is ours
        self._pointed = QTimer(self)
        self._pointed.setSingleShot(True)
        self._pointed.setInterval(motion("said"))
        self._pointed.timeout.connect(lambda: view.navigation.point_out(None))

    # Wishes

    async def show_message(self, thread_id: str, message_id: str, words: str = "", *, way_back: bool = True) -> None:
        """To a message of a thread; a toast says why where that can't be. `words` of a search stand out there.

        `way_back`: where it stands on another branch, a line above it leads back to the one that was open.
        """
        if self._app_state.others.come_forward(thread_id, message_id, words):
            return
        self.about_to_show.emit()
        try:
            if not self._app_state.is_open(thread_id):
                await self._app_state.open_thread(thread_id)
            if self._app_state.is_open(thread_id):  # nothing else was asked for meanwhile
                await self._show_in_thread(thread_id, message_id, way_back)
                self._view.mark_found(words, message_id)
        except PlimsollError as error:
            self._toast.show_message(translated(error.failure.message))

    def forget_words(self) -> None:
        """The search that led here was left."""
        self._view.unmark_found()

    def act(self, _message_id: str, action: str) -> None:
        """The words to click in the line above the message."""
        if action == BACK:
            self.go_back()

    def fill_menu(self, message_id: str, _position: QPoint) -> None:
        """The menu of a message is about to open: what its line offers is there for the keyboard."""
        menu, detour = self._view.menu, self._detour
        if menu is not None and detour is not None and message_id == self._messages.id_of(detour.message_id):
            menu.more.addSeparator()
            menu.add_more(self.tr("Go back to the previous branch"), self.go_back)

    def go_back(self) -> None:
        """Shows the branch that was left, where it was left."""
        if self._detour is not None:
            self._app_state.start(self._go_back(self._detour))

    # Facts

    def forget(self, _fact: object = None) -> None:
        """Another thread is open, or none: there is no way back."""
        self._detour = None
        self._view.decorations.set_detour(None)

    def turn_started(self, started: TurnStarted) -> None:
        """Whoever asks something here stays here."""
        if self._detour is not None and started.thread_id == self._detour.thread_id:
            self.forget()

    def branch_changed(self, changed: BranchChanged) -> None:
        """Another way than ours led to another branch."""
        if not self._switching and self._detour is not None and changed.thread_id == self._detour.thread_id:
            self.forget()

    # Doings

    async def _show_in_thread(self, thread_id: str, message_id: str, way_back: bool) -> None:
        services = await self._app_state.services()
        opened = await services.chat.open_thread(thread_id)
        here = any(message.id == message_id for message in opened.shown)
        if not here and message_id not in opened.conversation:
            self._toast.show_message(self.tr("This message is no longer in the thread."))
        elif message_id in shown_nowhere(opened.conversation, opened.thread.choices):
            self._toast.show_message(self.tr("This message is deleted. Restore it in the inspector."))
        elif here:
            if self._view.path.number(message_id) is None:
                await self._app_state.reopen()  # only the end of the path is shown so far
            self._point_out(message_id)
        elif services.chat.running(thread_id):
            words = self.tr("This message is on another branch. You can view it when the answer is complete.")
            self._toast.show_message(words)
        else:
            await self._switch_branch(opened, message_id, way_back)

    async def _switch_branch(self, opened: OpenThread, message_id: str, way_back: bool) -> None:
        thread_id, tip = opened.thread.id, opened.thread.tip
        place = self._view.navigation.whereabouts
        first = self._detour  # from one message on another branch to the next: the way back is that of the first
        await self._show_branch(thread_id, message_id)
        if not self._app_state.is_open(thread_id) or self._view.path.number(message_id) is None or tip is None:
            return
        if not way_back:
            self.forget()
            self._point_out(message_id)
            return
        if first is not None and first.thread_id == thread_id:
            tip, place = first.tip, first.place
        self._detour = Detour(thread_id, message_id, tip, place)
        words = self.tr("This message is on another branch of the thread")
        line = StepLine(self._messages.id_of(message_id), words, ((BACK, self.tr("Go back")),))
        self._view.decorations.set_detour(line)
        self._point_out(message_id)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._view, words))

    async def _go_back(self, detour: Detour) -> None:
        if not self._app_state.is_open(detour.thread_id):
            return
        self.forget()
        try:
            await self._show_branch(detour.thread_id, detour.tip)
        except PlimsollError as error:
            self._toast.show_message(translated(error.failure.message))
            return
        if detour.place is not None and self._app_state.is_open(detour.thread_id):
            self._view.navigation.return_to(detour.place)

    async def _show_branch(self, thread_id: str, message_id: str) -> None:
        services = await self._app_state.services()
        self._switching = True
        try:
            await services.chat.show_branch(thread_id, message_id)
        finally:
            self._switching = False
        await self._app_state.reopen()

    def _point_out(self, message_id: str) -> None:
        if self._view.navigation.scroll_to_message(message_id, MESSAGE_AT):
            self._view.navigation.point_out(message_id)
            self._pointed.start()
