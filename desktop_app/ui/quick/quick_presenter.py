"""The flow of a quick question: asked, answered, opened as a thread or left. Uses no main window.

Whatever was asked is a thread like any other from its first word on, so that closing the line loses nothing.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from desktop_app.core import events
from desktop_app.core.context.plan_questions import Remedy
from desktop_app.core.errors import PlimsollError
from desktop_app.core.messages import Failure, Thread
from desktop_app.ui.conversation.sending import DraftSending
from desktop_app.ui.i18n.language import translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.window_state import WindowState
from desktop_app.ui.theme.style import Appearance
from desktop_app.ui.widgets.parts import single_shot

if TYPE_CHECKING:  # made when the line is first opened
    from desktop_app.ui.conversation.error_cards import ErrorCard, ErrorCards
    from desktop_app.ui.quick.quick_window import QuickWindow
    from desktop_app.ui.transcript.view import TranscriptView

KEEP_DRAFT_MS = 500
"""The draft is on disk so long after the last key."""
LIMITS: Final = frozenset(("keep_trimming", "raise_limit"))
"""The remedies that set a thread's soft limit."""
HERE: Final = LIMITS | {"retry", "pass_cap"}
"""The remedies that can be carried out in the line itself; those that need more room lead to the main window."""
ELSEWHERE: Final = frozenset(
    ("open_connections", "add_key", "replace_key", "unlock_keyring", "switch_model", "edit_caps")
)


class QuickQuestions(QObject):
    """The quick line over an `AppState` of its own: the thread that is asked in is open there.

    `thread_wanted` carries the id of the thread that the main window is to show, `window_wanted` an action that needs
    it, or nothing. `seen`: the answer of that thread ended before the user's eyes.
    """

    thread_wanted = Signal(str)
    window_wanted = Signal(str)
    seen = Signal(str)
    rested = Signal()

    def __init__(
        self, app_state: AppState, appearance: Appearance, state: WindowState, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._app_state = app_state
        self._appearance = appearance
        self._state = state
        self._like: Thread | None = None
        self._asking = False  # a question waits for its thread
        self._draft: DraftSending | None = None
        self.retrying = False
        """True where the message refused last is in the history already."""
        self._broken: Failure | None = None
        self.unseen: set[str] = set()
        """Threads whose answers ended while the line was closed."""
        self.window: QuickWindow | None = None
        self._keep = single_shot(self, self.keep_draft, KEEP_DRAFT_MS)
        bridge = app_state.bridge
        bridge.subscribe(events.MessageAdded, self._stored)
        bridge.subscribe(events.TurnStarted, self._started)
        bridge.subscribe(events.TurnEnded, self._ended)
        bridge.subscribe(events.TurnFailed, self._failed)
        bridge.subscribe(events.SendRefused, self._refused)
        bridge.subscribe(events.CrossingAsked, self._crossing_asked)
        bridge.subscribe(events.NoticeRaised, self._noticed)
        bridge.subscribe(events.SettingsChanged, self._show_choice)
        app_state.thread_made.connect(self._show_choice)
        app_state.services_arrived.connect(self._mended)

    # Wishes

    def adopt(self, window: QuickWindow) -> None:
        """Takes a window that is painted already, with what was typed and wished in it."""
        self.window = window
        self._draft = DraftSending(self._app_state, window)
        window.asked.connect(self.ask)
        window.thread_requested.connect(self.open_as_thread)
        window.dismissed.connect(self.leave)
        window.edited.connect(self._keep.start)
        window.view_made.connect(self._wire_view)
        self._show_choice()
        early = {"ask": self.ask, "thread": self.open_as_thread}.get(window.take_early_wish())
        if early is not None:
            early()

    @cached_property
    def _cards(self) -> ErrorCards:
        from desktop_app.ui.conversation.error_cards import ErrorCards

        host = QuickRemedies(self, self.tr("Nothing was sent. Your question is still there."))
        return ErrorCards(self._app_state, host, self._appearance.theme, self)

    @property
    def card(self) -> ErrorCard | None:
        """The card that stands in an answer's place."""
        return self._cards.card if "_cards" in vars(self) else None

    def _drop_card(self) -> None:
        if self.card is not None:  # else nothing of cards need be loaded
            self._cards.forget()

    def show_failure(self, failure: Failure) -> None:
        """Something went wrong that belongs to no question."""
        if self.window is not None:
            self._cards.show_failure(failure)

    def break_off(self, failure: Failure) -> None:
        """There are no services, such as where the history can't be used: nothing can be asked."""
        self._broken, self._asking = failure, False
        self._tell("")
        self.show_failure(failure)

    def go_on_like(self, thread: Thread | None) -> None:
        """New questions go where this thread's go."""
        self._like = thread
        if self._app_state.current is None and thread is not None:
            self._app_state.show_first(thread)
            self._app_state.close_thread()
            self._show_choice()

    def open(self) -> None:
        """Shows the line, with what was left in it."""
        if self.window is None:
            from desktop_app.ui.quick.quick_window import QuickWindow

            window = QuickWindow(self._appearance.theme)
            window.set_text(self._state.quick_draft)
            self.adopt(window)
        if self.window is not None:
            self.window.appear()

    def ask(self, *, pass_cap: bool = False) -> None:
        """Sends what stands in the field: a new thread, or the next question of the one that is shown."""
        window = self.window
        if window is None or self._asking or self._is_sending(self._app_state.thread_id) or not window.text().strip():
            return
        if self._broken is not None:
            self.show_failure(self._broken)
            return
        if self._app_state.running:
            window.tell(self.tr("The answer is still coming. Ask again when it is complete."))
            return
        self._asking = True
        window.tell(self.tr("Asking"))
        self._app_state.start(self._ask(window, pass_cap))

    def open_as_thread(self) -> None:
        """The main window goes on with what was asked, and with what was not sent yet."""
        if self._broken is not None:
            # The window says more of it; what is typed stays in the line.
            self.window_wanted.emit("")
        else:
            self._app_state.start(self._open_as_thread(""))

    def leave(self) -> None:
        """Closes the line. A running answer goes on; what was typed stays for the next time."""
        self._app_state.start(self._leave())

    def keep_draft(self) -> None:
        """Puts what is typed where a crash does not reach it."""
        if self.window is not None:
            self._state.quick_draft = self.window.text()

    @property
    def in_use(self) -> bool:
        """True where the line is shown, or something that was asked in it is still going on."""
        shown = self.window is not None and self.window.isVisible()
        on_its_way = self._asking or (self._draft is not None and self._draft.busy)
        return shown or on_its_way or self._app_state.any_running

    async def close(self) -> None:
        """The end of the program: the draft is kept, a thread in which nothing was asked does not stay."""
        self._keep.stop()
        self.keep_draft()
        if self.window is not None:
            self.window.close_now()
        if self._app_state.current is not None:
            await self._take_away_blank(self._app_state.current.id)

    # Facts

    def _stored(self, added: events.MessageAdded) -> None:
        text = self._draft.over(added.message.thread_id) if self._draft is not None else None
        if text is None or self.window is None:
            return
        if self.window.text() == text:
            self.window.set_text("")
        self.keep_draft()
        self._rest()

    def _started(self, started: events.TurnStarted) -> None:
        if self._app_state.is_open(started.thread_id):
            self._drop_card()
            self._tell(self.tr("Answering · Esc closes, the answer continues"))

    def _ended(self, ended: events.TurnEnded) -> None:
        self._over(ended.thread_id)

    def _failed(self, failed: events.TurnFailed) -> None:
        if self.window is not None and self._app_state.is_open(failed.thread_id):
            self._cards.failed(failed)
        self._over(failed.thread_id)

    def _refused(self, refused: events.SendRefused) -> None:
        if self._takes_card(refused.thread_id):
            # there is no gauge here that shows what the count changed: the card says it
            self._cards.refused(replace(refused, recounted=False))
        self._rest()

    def _crossing_asked(self, asked: events.CrossingAsked) -> None:
        if self._takes_card(asked.thread_id):
            self._cards.asked(asked)
        self._rest()

    def _noticed(self, notice: events.NoticeRaised) -> None:
        if notice.code == "secret" and self._app_state.is_open(notice.thread_id):
            self._tell(translated(notice.message))

    def _takes_card(self, thread_id: str) -> bool:
        """Nothing was sent in a thread: whether the line shows why."""
        was_mine = self._draft is not None and self._draft.over(thread_id) is not None
        if self._app_state.is_open(thread_id):
            self._tell("")
            self.retrying = not was_mine
            return self.window is not None
        if was_mine:
            self._app_state.start(self._take_away_blank(thread_id))
        return False

    def _over(self, thread_id: str) -> None:
        if self._app_state.is_open(thread_id) and self.window is not None and self.window.isVisible():
            self._tell("")
            self.seen.emit(thread_id)
        else:
            self.unseen.add(thread_id)
        self._rest()

    # Inside

    async def _ask(self, window: QuickWindow, pass_cap: bool) -> None:
        try:
            sent = self._draft is not None and await self._draft.send(pass_cap=pass_cap)
        except PlimsollError as error:
            self._tell("")
            self.show_failure(error.failure)
            return
        finally:
            self._asking = False
        if not sent:
            self._tell("")
        elif window.isVisible():
            window.answer_view()
        else:
            # It was closed while the services were loading: the question goes its way without it.
            self._close_thread()

    def _is_sending(self, thread_id: str | None) -> bool:
        return self._draft is not None and self._draft.is_sending(thread_id)

    async def _open_as_thread(self, action: str) -> None:
        window = self.window
        text = window.text() if window is not None else ""
        thread = self._app_state.current
        if text.strip() or thread is not None:
            try:
                thread = await self._app_state.made_thread()
                services = await self._app_state.services()
                if text.strip() and not self._is_sending(thread.id):
                    await services.chat.keep_draft(thread.id, text)
            except PlimsollError as error:
                self.show_failure(error.failure)
                return
        if window is not None:
            if thread is None or not self._is_sending(thread.id):
                window.set_text("")
            window.hide()
        self.keep_draft()
        self._close_thread()
        if thread is not None:
            self.thread_wanted.emit(thread.id)
        if thread is None or action:
            self.window_wanted.emit(action)
        self._rest()

    async def _leave(self) -> None:
        window, thread = self.window, self._app_state.current
        self.keep_draft()
        if window is not None:
            window.hide()
        self._close_thread()
        if thread is not None:
            await self._take_away_blank(thread.id)
        self._rest()

    def _close_thread(self) -> None:
        self._drop_card()
        self._app_state.close_thread()
        if self.window is not None:
            self.window.hide_answer()
            self._tell("")

    async def _take_away_blank(self, thread_id: str) -> None:
        """A thread in which nothing was asked does not stay in the list."""
        if self._is_sending(thread_id):
            return
        services = await self._app_state.services()
        # What was refused is the thread's draft as well as the line's.
        kept = ("", self.window.text().strip() if self.window is not None else "")
        with contextlib.suppress(PlimsollError):
            opened = await services.chat.open_thread(thread_id)
            if not opened.path and opened.thread.draft.strip() in kept and not services.chat.running(thread_id):
                await services.library.delete(thread_id)

    def _show_choice(self, _fact: object = None) -> None:
        if self.window is not None:
            self._app_state.start(self._name_choice())

    async def _name_choice(self) -> None:
        services = await self._app_state.services()
        try:
            chooser, thread = services.chat.chooser, self._app_state.current or self._app_state.choice_like()
            choice = await chooser.choose(thread)
            if await chooser.lacks_key(choice.backend):  # then it may be another
                choice = await chooser.choose(thread)
        except PlimsollError:
            # Asking will say what is missing; nobody has asked yet.
            if self.window is not None:
                self.window.show_model("", "")
            return
        if self.window is not None:
            self.window.show_model(translated(choice.backend.title), choice.model.name)

    def _wire_view(self, view: TranscriptView) -> None:
        """The answer view shows what its thread tells, as the main window's does."""
        from desktop_app.ui.conversation.transcript_presenter import TranscriptPresenter

        transcript, bridge = TranscriptPresenter(self._app_state, view), self._app_state.bridge
        transcript.listen(bridge)
        transcript.waiting.again_wanted.connect(lambda of: self._app_state.start(self._retry(of, pass_cap=False)))
        self._app_state.thread_closed.connect(transcript.clear)
        if self.window is not None:
            follow = self.window.follow
            bridge.subscribe_each(
                (events.AnswerGrew, events.AnswerPartFinished, events.TurnEnded, events.TurnFailed), lambda _: follow()
            )

    def go_elsewhere(self, action: str) -> None:
        """Has the main window do what needs more room than the line has."""
        if self._broken is not None:
            self.window_wanted.emit(action)
        else:
            self._app_state.start(self._open_as_thread(action))

    def ask_again(self, *, pass_cap: bool) -> None:
        """Asks once more what brought the card."""
        error = self._cards.current
        if self._broken is not None:
            self.show_failure(self._broken)
        elif error is not None and (error.sent or error.elsewhere) and self._app_state.thread_id is not None:
            self._app_state.start(self._retry(self._app_state.thread_id, pass_cap=pass_cap))
        else:
            self.ask(pass_cap=pass_cap)

    def take_limit(self, tokens: int) -> None:
        """Sets the thread's limit to what the button said and asks again."""
        self._app_state.start(self._take_limit(tokens))

    async def _take_limit(self, tokens: int) -> None:
        services, thread_id = await self._app_state.services(), self._app_state.thread_id
        if thread_id is not None and tokens:
            await services.chat.set_soft_limit(thread_id, tokens)
            self.ask_again(pass_cap=False)

    async def _retry(self, thread_id: str, *, pass_cap: bool) -> None:
        services = await self._app_state.services()
        services.chat.start_retry(thread_id, pass_cap=pass_cap, ask_first=True, at_cap="end")

    def _mended(self, _services: object) -> None:
        self._broken = None

    def _tell(self, words: str) -> None:
        if self.window is not None:
            self.window.tell(words)

    def _rest(self) -> None:
        if not self.in_use:
            self.rested.emit()


class QuickRemedies:
    """The `CardHost` of the quick line: what the buttons of its card do."""

    known = HERE | ELSEWHERE
    has_unread = False

    def __init__(self, questions: QuickQuestions, unsent: str) -> None:
        self._questions = questions
        self.unsent = unsent

    def was_asked_elsewhere(self, _thread_id: str) -> bool:
        return self._questions.retrying

    def carry_out(self, remedy: Remedy) -> None:
        if remedy.action in LIMITS:
            self._questions.take_limit(remedy.limit)
        elif remedy.action in HERE:
            self._questions.ask_again(pass_cap=remedy.action == "pass_cap")
        else:
            self._questions.go_elsewhere(remedy.action)

    @property
    def is_low(self) -> bool:
        return False

    def set_card(self, card: ErrorCard | None) -> None:
        if (window := self._questions.window) is not None and (card is not None or window.view is not None):
            window.answer_view().footer.set_card(card)

    def show_card(self) -> None:
        """The line is as high as its answer and card."""

    def announce_failure(self) -> None:
        """The card is before the user's eyes."""

    def focus_elsewhere(self) -> None:
        if self._questions.window is not None:
            self._questions.window.field.setFocus()
