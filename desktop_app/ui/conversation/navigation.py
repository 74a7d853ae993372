"""The open thread as a reader moves in it: its messages, the way to one on any branch and back, how far was read."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from PySide6.QtCore import QEvent, QObject, QPoint, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

from desktop_app.controller.open_threads import OpenThread
from desktop_app.core.context.context_choices import NO_CHOICES, ContextChoices
from desktop_app.core.conversation import Conversation, shown_nowhere
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import BranchChanged, TurnEnded, TurnFailed, TurnStarted
from desktop_app.core.messages import Message
from desktop_app.core.search_terms import FindPattern
from desktop_app.ui.i18n.language import translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.window_state import ReadingPosition
from desktop_app.ui.theme.theme import motion
from desktop_app.ui.transcript.find.find_in_thread import FindInThread
from desktop_app.ui.transcript.message.decorations import StepLine
from desktop_app.ui.transcript.message.read_messages import ReadPath, ReadPaths
from desktop_app.ui.transcript.message.row_builder import is_results
from desktop_app.ui.transcript.view import TranscriptView
from desktop_app.ui.widgets.floating import Toast
from desktop_app.ui.widgets.parts import single_shot


class OpenPath(Protocol):
    """The source of the path: the window's state."""

    @property
    def path(self) -> tuple[Message, ...]: ...

    @property
    def running(self) -> bool: ...


class ShownMessages:
    """Read from the open path when they are asked for; an answer has the id of its first message.

    The paths that were open last are kept as they were read.
    """

    def __init__(self, source: OpenPath) -> None:
        self._source = source
        self.paths = ReadPaths()
        self._read = ReadPath()

    @property
    def all(self) -> Sequence[Message]:
        """Every message that is shown, the oldest first."""
        if (path := self._source.path) is not self._read.path:
            self._read = self.paths.of(path)
        return self._read.messages

    @property
    def last(self) -> Message | None:
        return self.all[-1] if self.all else None

    def find(self, message_id: str) -> Message | None:
        """Return the message as it is shown; None: it is not on the branch that is open."""
        return self._read.find(message_id) if self.all else None

    def id_of(self, message_id: str) -> str:
        """The id of what a message is shown as."""
        return self._read.answers.id_of(message_id) if self.all else message_id

    def members(self, message: Message) -> tuple[str, ...]:
        """The ids of the messages that are shown as this one."""
        return tuple(member.id for member in self._read.answers.members(message)) if self.all else (message.id,)

    def is_last(self, message: Message) -> bool:
        return bool(self.all) and self.all[-1].id == message.id

    def is_growing(self, message: Message) -> bool:
        """Return True if it is the answer that is coming."""
        return self._source.running and self.is_last(message)


def is_question(message: Message) -> bool:
    """Return True if a user wrote it: tools' results are no question."""
    return message.role == "user" and not is_results(message)


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

    `about_to_show`: a message is about to be shown, so that nothing may cover the transcript. `words_shown(message id,
    words)`: it is shown, for these words.
    """

    about_to_show = Signal()
    words_shown = Signal(str, str)

    def __init__(self, app_state: AppState, messages: ShownMessages, view: TranscriptView, toast: Toast) -> None:
        super().__init__(view)
        self._app_state = app_state
        self._messages = messages
        self._view = view
        self._toast = toast
        self._detour: Detour | None = None
        self._switching = False  # whether the change of branch that is announced is ours
        self._pointed = single_shot(self, lambda: view.navigation.point_out(None), motion("said"))

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
                self.words_shown.emit(message_id, words)
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


class BranchSearch(QObject):
    """Tells the find bar how many messages of other branches hold what is looked for.

    `wanted(thread_id, message_id)`: the next of them is to be shown.
    """

    wanted = Signal(str, str)

    def __init__(self, app_state: AppState, find: FindInThread) -> None:
        super().__init__(find)
        self._app_state = app_state
        self._find = find
        self._needle = FindPattern("")
        self._found: list[str] = []
        self._visited: set[str] = set()
        find.looked_through.connect(self._look)
        find.elsewhere_requested.connect(self._next)

    def _look(self, needle: FindPattern) -> None:
        if needle != self._needle:
            self._needle = needle
            self._found, self._visited = [], set()
        if needle:
            self._app_state.look(self._count(needle))

    async def _count(self, needle: FindPattern) -> None:
        services, thread_id = await self._app_state.services(), self._app_state.thread_id
        if thread_id is None:
            return
        opened = await services.chat.open_thread(thread_id)
        others = beside(opened.conversation, opened.path, opened.thread.choices)
        found = await asyncio.to_thread(_holding, others, needle) if others else []
        if needle == self._needle and self._app_state.is_open(thread_id):
            self._found = found
            self._find.show_elsewhere(len(found))

    def _next(self) -> None:
        """The first of them that was not led to yet; after all, the first again."""
        thread_id = self._app_state.thread_id
        if not self._found or thread_id is None:
            return
        if self._visited.issuperset(self._found):
            self._visited.clear()
        chosen = next(one for one in self._found if one not in self._visited)
        self._visited.add(chosen)
        self.wanted.emit(thread_id, chosen)


def _holding(messages: Sequence[Message], needle: FindPattern) -> list[str]:
    """The ids of the messages whose own words hold it."""
    return [one.id for one in messages if needle.may_be_in(one.text) and needle.spans(one.text)]


def beside(conversation: Conversation, path: Sequence[Message], choices: ContextChoices = NO_CHOICES) -> list[Message]:
    """Return the messages on other branches than the one of this path, in the order they came."""
    passed = {message.id for message in path} | shown_nowhere(conversation, choices)
    return [message for message in conversation if message.id not in passed and not is_results(message)]


class ReadProgress(QObject):
    """Notes the end of the open thread as read while the window shows it; what ends unseen stays new after a restart.

    A window that is hidden, or that shows a page in the transcript's place, reads nothing.
    """

    came_in_sight = Signal(str)  # thread id

    def __init__(self, app_state: AppState, view: TranscriptView) -> None:
        super().__init__(view)
        self._app_state = app_state
        self._view = view
        self._at_end = True
        self._marked: dict[str, str] = {}  # thread -> tip
        view.latest_visible_changed.connect(self._latest_visible_changed)
        view.installEventFilter(self)
        view.window().installEventFilter(self)

    def look(self, fact: object = None) -> None:
        """Something may have come into view; an answer that ends in sight was watched, however long it is."""
        thread, services = self._app_state.current, self._app_state.ready
        if thread is None or services is None or thread.tip is None or not self._in_sight:
            return
        if not (self._at_end or (isinstance(fact, TurnEnded | TurnFailed) and fact.thread_id == thread.id)):
            return
        if self._app_state.running or self._marked.get(thread.id, thread.seen) == thread.tip:
            return
        if self._app_state.path and not self._app_state.path[-1].is_coming:
            self._marked[thread.id] = thread.tip
            self._app_state.start(services.chat.marks.seen(thread.id, thread.tip))

    def mark_read(self, thread_id: str) -> None:
        """The quick line showed the answer that a thread ends with."""
        self._app_state.start(self._mark_read(thread_id))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Show, QEvent.Type.WindowActivate):
            self.look()
            if self._app_state.current is not None and self._in_sight:
                self.came_in_sight.emit(self._app_state.current.id)
        return False

    def sees(self, thread_id: str) -> bool:
        """Return True if the window shows that thread now."""
        return self._app_state.is_open(thread_id) and self._in_sight

    @property
    def _in_sight(self) -> bool:
        return self._view.isVisible() and not self._view.window().isMinimized()

    def _latest_visible_changed(self, left: bool) -> None:
        self._at_end = not left
        self.look()

    async def _mark_read(self, thread_id: str) -> None:
        services = await self._app_state.services()
        opened = await services.chat.open_thread(thread_id)
        if opened.thread.tip is not None and not services.chat.running(thread_id):
            await services.chat.marks.seen(thread_id, opened.thread.tip)
