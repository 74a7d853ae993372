"""The host of the error cards in the main window: one handler for each remedy."""

from __future__ import annotations

from collections.abc import Callable, Set
from contextlib import suppress
from typing import Literal

from PySide6.QtCore import QObject, Signal

from desktop_app.core.context.plan_questions import Remedy
from desktop_app.core.context.sent_content import opens_turn
from desktop_app.core.errors import KeyringError, PlimsollError
from desktop_app.ui.attachments.attachments_presenter import AttachmentsPresenter
from desktop_app.ui.composer.composer import Composer
from desktop_app.ui.conversation.branches_presenter import BranchesPresenter
from desktop_app.ui.conversation.choices_presenter import ChoicesPresenter, SummaryRequests
from desktop_app.ui.conversation.error_cards import ErrorCard, ErrorCards, TurnError
from desktop_app.ui.conversation.sending import SendingPresenter
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.transcript.view import TranscriptView

CONSENT_HEIGHT = 380
"""Pixels of a view, at the usual text size, that a question before a tool is called fits into whole."""


class Remedies(QObject):
    """Has the cards of the main window; wishes that concern other panes go out as signals."""

    connections_requested = Signal()
    key_requested = Signal()  # of the connection that the thread uses
    models_requested = Signal()
    data_folder_requested = Signal()
    save_elsewhere_requested = Signal()
    new_file_requested = Signal()
    system_prompt_requested = Signal()
    caps_requested = Signal(str)  # the dotted key of a turn's cap, "" for those of spending
    new_thread_requested = Signal(str)  # the draft that goes along

    def __init__(
        self,
        app_state: AppState,
        view: TranscriptView,
        composer: Composer,
        *,
        sending: SendingPresenter,
        attachments: AttachmentsPresenter,
        choices: ChoicesPresenter,
        summary_requests: SummaryRequests,
        branches: BranchesPresenter,
        theme: Theme,
    ) -> None:
        super().__init__(view)
        self._app_state = app_state
        self._view = view
        self._composer = composer
        self._sending = sending
        self._attachments = attachments
        self._choices = choices
        self._summary_requests = summary_requests
        self._branches = branches
        self.cards = ErrorCards(app_state, self, theme, self)
        self._handlers: dict[str, Callable[[Remedy], None]] = {
            "raise_limit": lambda remedy: self._app_state.start(self._take_limit(remedy.limit)),
            "set_limit": lambda _: self._composer.gauge.limit_requested.emit(),
            "keep_trimming": lambda remedy: self._app_state.start(self._take_limit(remedy.limit)),
            "summarise": lambda remedy: self._summary_requests.summarise(remedy.ids, then=self._go_on),
            "shorten_document": lambda remedy: self._attachments.shorten_document(remedy.name, remedy.limit),
            "remove_document": lambda remedy: self._attachments.remove_document(remedy.name),
            "remove_attachment": lambda _: self._attachments.remove_unread(),
            "search_instead": lambda remedy: self._app_state.start(self._search_instead(remedy.target or "")),
            "tools_off": lambda remedy: self._choices.switch_tools_off(remedy.ids),
            "exclude": lambda remedy: self._choices.exclude((remedy.target or "",)),
            "delete_question": lambda _: self._delete_question(),
            "unpin": lambda remedy: self._choices.unpin(remedy.ids),
            "start_fresh": lambda _: self._start_fresh(),
            "edit_system": lambda _: self.system_prompt_requested.emit(),
            "edit_draft": lambda _: self._focus_text(),
            "new_thread": lambda _: self._move_draft(),
            "new_thread_summary": lambda _: self._continue_in_new_thread(pass_cap=False),
            "retry": lambda _: self._go_on(),
            "continue": lambda _: self._branches.go_on(),
            "stop": lambda _: self._sending.stop(),
            "pass_cap": lambda _: self._pass_cap(),
            "send_anyway": lambda _: self._app_state.start(self._send_anyway()),
            "continue_turn": lambda _: self._answer_pause(go_on=True),
            "stop_turn": lambda _: self._answer_pause(go_on=False),
            "allow_once": lambda remedy: self._answer_consent(remedy.target or "", "once"),
            "allow_thread": lambda remedy: self._answer_consent(remedy.target or "", "thread"),
            "refuse_call": lambda remedy: self._answer_consent(remedy.target or "", "no"),
            "edit_caps": lambda remedy: self.caps_requested.emit(remedy.name),
            "open_connections": lambda _: self.connections_requested.emit(),
            "add_key": lambda _: self.key_requested.emit(),
            "replace_key": lambda _: self.key_requested.emit(),
            "unlock_keyring": lambda _: self._app_state.start(self._unlock_keyring()),
            "switch_model": lambda _: self.models_requested.emit(),
            "open_data_folder": lambda _: self.data_folder_requested.emit(),
            "save_elsewhere": lambda _: self.save_elsewhere_requested.emit(),
            "open_new_file": lambda _: self.new_file_requested.emit(),
            "repair_history": lambda _: self.new_file_requested.emit(),
            "new_history": lambda _: self.new_file_requested.emit(),
        }

    # What a card asks

    @property
    def known(self) -> Set[str]:
        """The remedies that can be carried out now."""
        return self._handlers.keys() - (set() if self._branches.can_go_on else {"continue"})

    @property
    def unsent(self) -> str:
        return self.tr("Nothing was sent. The thread is unchanged.") if self._composer.is_empty() else ""

    @property
    def has_unread(self) -> bool:
        return self._attachments.has_unread

    def was_asked_elsewhere(self, thread_id: str) -> bool:
        return self._branches.was_refused(thread_id)

    def carry_out(self, remedy: Remedy) -> None:
        self._handlers[remedy.action](remedy)

    @property
    def is_low(self) -> bool:
        return self._view.height() < self._view.text_style.theme.pixels(CONSENT_HEIGHT)

    def set_card(self, card: ErrorCard | None) -> None:
        self._view.footer.set_card(card)

    def show_card(self) -> None:
        self._view.footer.rebuild()
        self._view.auto_scroll.show_foot()

    def announce_failure(self) -> None:
        self._view.announce_failure()

    def focus_elsewhere(self) -> None:
        self._composer.focus_editor()

    # Doings

    def _go_on(self, *, pass_cap: bool = False) -> None:
        """Asks once more what was held back: a message, the draft; else the last question."""
        if (error := self.cards.current) is not None and error.elsewhere:
            self._branches.ask_held_again(pass_cap=pass_cap)
        elif (error is None or not error.sent) and not self._composer.is_empty():
            self._sending.send(pass_cap=pass_cap)
        else:
            self._branches.retry(pass_cap=pass_cap)

    def _pass_cap(self) -> None:
        if (error := self.cards.current) is not None and error.again is not None:
            self.cards.drop()
            error.again()
        else:
            self._go_on(pass_cap=True)

    def _answer_pause(self, *, go_on: bool) -> None:
        """Tell the turn that waits at its cap what was decided."""
        services, thread_id = self._app_state.ready, self._app_state.thread_id
        if services is not None and thread_id is not None:
            services.chat.answer_pause(thread_id, go_on=go_on)

    def _answer_consent(self, call_id: str, decision: Literal["once", "thread", "no"]) -> None:
        """Tell the turn that waits with a call whether it may be run."""
        services, thread_id = self._app_state.ready, self._app_state.thread_id
        if services is not None and thread_id is not None:
            services.chat.answer_consent(thread_id, call_id, decision)

    async def _unlock_keyring(self) -> None:
        """Has the system ask for the keyring's password, then asks again; a dialog that is closed leaves the card."""
        services = await self._app_state.services()
        with suppress(KeyringError):
            await services.connection_states.unlock()
            self._go_on()

    async def _send_anyway(self) -> None:
        """Sends what is refused only for what its estimate may be off."""
        error, thread_id = self.cards.current, self._app_state.thread_id
        if error is None or error.plan is None or thread_id is None:
            return
        services = await self._app_state.services()
        services.chat.sender.accept_uncertain(thread_id, error.plan)
        self._go_on()

    async def _take_limit(self, tokens: int) -> None:
        """Sets the thread's limit to what the button said and sends."""
        if (thread := self._app_state.current) is None or not tokens:
            return
        services = await self._app_state.services()
        await services.chat.set_soft_limit(thread.id, tokens)
        self._go_on()

    async def _search_instead(self, document_id: str) -> None:
        """Leaves a document of the thread's project to the search, and sends."""
        if (thread := self._app_state.current) is None or thread.project is None:
            return
        services = await self._app_state.services()
        await services.projects.set_mode(thread.project, (document_id,), "search")
        self._go_on()

    def _start_fresh(self) -> None:
        if (thread := self._app_state.current) is not None and thread.tip is not None:
            self._choices.start_fresh(thread.tip)

    def _delete_question(self) -> None:
        if (question := next((one for one in reversed(self._app_state.path) if opens_turn(one)), None)) is not None:
            self._choices.delete(question.id)

    def _focus_text(self) -> None:
        """The keyboard goes to what was refused: a question that is edited, else the draft."""
        if (error := self.cards.current) is None or not error.elsewhere or not self._branches.focus_edit():
            self._composer.focus_editor()

    def _move_draft(self) -> None:
        text, thread_id = self._composer.text(), self._app_state.thread_id or ""
        self._composer.editor.replace_text("")
        self.cards.drop(thread_id)
        self.new_thread_requested.emit(text)
        self._attachments.move(thread_id)

    def _continue_in_new_thread(self, *, pass_cap: bool) -> None:
        if self._app_state.thread_id is not None:
            self._app_state.start(self._make_successor(self._app_state.thread_id, self._composer.text(), pass_cap))

    async def _make_successor(self, thread_id: str, draft: str, pass_cap: bool) -> None:
        """Goes on in a new thread: its draft is a summary of this one, and what stands in the composer."""
        services = await self._app_state.services()
        self._view.footer.set_notice(self.tr("Summarizing this thread"), (("stop_summary", self.tr("Stop")),))
        try:
            made = await services.chat.continuation.start(thread_id, draft, pass_cap=pass_cap)
        except PlimsollError as error:
            again = (
                (lambda: self._continue_in_new_thread(pass_cap=True)) if "pass_cap" in error.failure.actions else None
            )
            self.cards.put(thread_id, TurnError(error.failure, None, sent=False, again=again))
            return
        finally:
            if self._app_state.is_open(thread_id):
                self._view.footer.set_notice(None)
        self.cards.drop(thread_id)
        await self._attachments.move_to(thread_id, made.id)
        if self._app_state.is_open(thread_id):
            if self._composer.text() == draft:
                self._composer.editor.replace_text("")
            await self._app_state.open_thread(made.id)
