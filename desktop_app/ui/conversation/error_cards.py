"""Owns the card of each thread, an error or a question, and what its buttons do. Makes no failure itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.plan_text import refusal
from desktop_app.core.context.remedies import Remedy
from desktop_app.core.errors import TEXT_IN_MEMORY, TEXT_SAVED, PlimsollError
from desktop_app.core.events import AnswerSaved, BranchChanged, CrossingAsked, SendRefused, TurnFailed, TurnStarted
from desktop_app.core.messages import Failure
from desktop_app.ui.attachments.attachments_presenter import AttachmentsPresenter
from desktop_app.ui.composer.composer import Composer
from desktop_app.ui.conversation.branches_presenter import BranchesPresenter
from desktop_app.ui.conversation.choices_presenter import ChoicesPresenter
from desktop_app.ui.conversation.error_card import ErrorCard
from desktop_app.ui.conversation.error_card_content import CardContent, describe_crossing, describe_failure
from desktop_app.ui.conversation.sending import SendingPresenter
from desktop_app.ui.conversation.summary_requests import SummaryRequests
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.transcript.view import TranscriptView

if TYPE_CHECKING:  # the controller is loaded after the first paint
    from desktop_app.controller.open_threads import OpenThread


OF_THE_DRAFT = {"new_thread", "new_thread_summary", "shorten_document", "remove_document", "remove_attachment"}
"""Actions that do something with what stands in the composer."""


@dataclass(frozen=True, slots=True)
class TurnError:
    """Why there is no (whole) answer in a thread. `sent`: a request had left.

    `failure` None: the plan asks something first (CTX-14). `again`: does once more, past the spending cap, what the
    cap kept from being done, where that was no message. `elsewhere`: it was not the draft that was refused.
    """

    failure: Failure | None
    plan: ContextPlan | None
    sent: bool
    again: Callable[[], None] | None = None
    elsewhere: bool = False

    @property
    def of_this_plan(self) -> bool:
        """Whether the card stands only for as long as the next request is as it was."""
        here = not self.sent and not self.elsewhere
        return here and (self.failure is None or self.failure.code == "context_limit" or self.of_attachments)

    @property
    def of_attachments(self) -> bool:
        """Whether the model can't read what is attached."""
        return self.failure is not None and "remove_attachment" in self.failure.actions


class ErrorCards(QObject):
    """Shows the open thread's card; wishes that concern other panes go out as signals."""

    connections_requested = Signal()
    key_requested = Signal()  # of the connection that the thread uses
    models_requested = Signal()
    data_folder_requested = Signal()
    save_elsewhere_requested = Signal()
    new_file_requested = Signal()
    system_prompt_requested = Signal()
    caps_requested = Signal()
    new_thread_requested = Signal(str)  # the draft that goes along
    card_shown = Signal()

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
        self._theme = theme
        self._errors: dict[str, TurnError] = {}
        self._history_error: TurnError | None = None  # stands in every thread that has no card of its own
        self.card: ErrorCard | None = None
        self._actions: dict[str, Callable[[Remedy], None]] = {
            "raise_limit": lambda remedy: self._app_state.start(self._take_limit(remedy.limit)),
            "keep_trimming": lambda remedy: self._app_state.start(self._take_limit(remedy.limit)),
            "summarise": lambda remedy: self._summary_requests.summarise(remedy.ids, then=self._go_on),
            "shorten_document": lambda remedy: self._attachments.shorten_document(remedy.name, remedy.limit),
            "remove_document": lambda remedy: self._attachments.remove_document(remedy.name),
            "remove_attachment": lambda _: self._attachments.remove_unread(),
            "exclude": lambda remedy: self._choices.exclude((remedy.target or "",)),
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
            "edit_caps": lambda _: self.caps_requested.emit(),
            "open_connections": lambda _: self.connections_requested.emit(),
            "replace_key": lambda _: self.key_requested.emit(),
            "switch_model": lambda _: self.models_requested.emit(),
            "open_data_folder": lambda _: self.data_folder_requested.emit(),
            "save_elsewhere": lambda _: self.save_elsewhere_requested.emit(),
            "open_new_file": lambda _: self.new_file_requested.emit(),
            "new_history": lambda _: self.new_file_requested.emit(),
        }

    # Facts

    def refused(self, refused: SendRefused) -> None:
        """Nothing was sent."""
        if refused.failure.code != "interrupted" and not refused.recounted:
            elsewhere = self._branches.was_refused(refused.thread_id)
            self._set(refused.thread_id, TurnError(refused.failure, refused.plan, sent=False, elsewhere=elsewhere))
            if not elsewhere:
                self._scroll_to_card(refused.thread_id)

    def failed(self, failed: TurnFailed) -> None:
        """The answer ended with an error."""
        self._set(failed.thread_id, TurnError(failed.failure, None, sent=True))
        if self._app_state.is_open(failed.thread_id):
            self._view.announce_failure()

    def answer_saved(self, saved: AnswerSaved) -> None:
        """What the card was about is over."""
        error = self._errors.get(saved.thread_id)
        if error is not None and error.sent and error.failure is not None and error.failure.code == "store":
            self._resolve(saved.thread_id)

    def asked(self, asked: CrossingAsked) -> None:
        """The plan asks something before it is sent: of the composer's message, or of what is asked beside it."""
        elsewhere = self._branches.was_refused(asked.thread_id)
        self._set(asked.thread_id, TurnError(None, asked.plan, sent=False, elsewhere=elsewhere))
        if not elsewhere:
            self._scroll_to_card(asked.thread_id)

    def held_dropped(self, thread_id: str) -> None:
        """What was held back, and was no draft, is not wished any more."""
        error = self._errors.get(thread_id)
        if error is not None and error.elsewhere:
            self._resolve(thread_id)

    def blocked(self, failure: Failure, again: Callable[[], None]) -> None:
        """A spending cap stands before something that is no message."""
        if self._app_state.thread_id is not None:
            self._set(self._app_state.thread_id, TurnError(failure, None, sent=False, again=again))

    def branch_changed(self, changed: BranchChanged) -> None:
        """What ended the other branch does not end this one."""
        error = self._errors.get(changed.thread_id)
        if error is not None and error.sent:
            del self._errors[changed.thread_id]

    def started(self, started: TurnStarted) -> None:
        """A new answer comes where the card was."""
        self._errors.pop(started.thread_id, None)
        if self.card is not None and self._app_state.is_open(started.thread_id):
            self._show(None)

    def show_opened(self, opened: OpenThread) -> None:
        """The card of the thread that was opened; an answer that failed in an earlier run has one, too."""
        error = self._errors.get(opened.thread.id)
        shown = opened.shown
        if error is not None and error.sent and shown[-1:] != opened.path[-1:]:
            error = None  # what it was about is deleted
        if error is None and shown and shown[-1].failure is not None:
            error = TurnError(shown[-1].failure, None, sent=True)
        self._show(error or self._history_error)

    def clear(self) -> None:
        self._show(self._history_error)

    def forget(self) -> None:
        """Another history is opened: what was wrong was wrong with the one before."""
        self._errors.clear()
        self._history_error = None
        self._show(None)

    def show_failure(self, failure: Failure) -> None:
        """A failure that belongs to no turn, shown where the next answer would be."""
        error = TurnError(failure, None, sent=False)
        if "save_elsewhere" in failure.actions:
            self._history_error = error
        self._show(error)

    def offer_room(self, plan: ContextPlan | None) -> None:
        """Shows what can be done about a request that is too long, before it is sent."""
        if plan is not None and plan.decision == "refuse" and self._app_state.thread_id is not None:
            self._set(self._app_state.thread_id, TurnError(refusal(plan), plan, sent=False))
            self._scroll_to_card(self._app_state.thread_id)

    def plan_changed(self, plan: ContextPlan | None) -> None:
        """What would be sent now fits again, or nothing is asked any more: the card has done its work."""
        thread_id = self._app_state.thread_id or ""
        error = self._errors.get(thread_id)
        if error is None or plan is None or self.card is None or not error.of_this_plan:
            return
        if error.of_attachments:
            stands = self._attachments.has_unread
        else:
            stands = plan.asks == "first_crossing" if error.failure is None else plan.decision == "refuse"
        if not stands:
            self._resolve(thread_id)
        elif error.plan is not None and plan.decision == "refuse" and plan is not error.plan:
            self._update(thread_id, replace(error, failure=refusal(plan), plan=plan))

    def focus(self) -> bool:
        """Puts the keyboard on the card (F6), or back into the composer; False if there is no card."""
        if self.card is None or self.card.resolved:
            return False
        if self.card.has_keyboard:
            self._composer.focus_editor()
        else:
            self.card.focus_first()
        return True

    def act(self, name: str) -> None:
        """Does what a button of the card says; one that is resolved says nothing any more."""
        action = self.card.content.action(name) if self.card is not None and not self.card.resolved else None
        if action is not None:
            self._actions[action.remedy.action](action.remedy)

    # Doings

    def _set(self, thread_id: str, error: TurnError) -> None:
        self._errors[thread_id] = error
        if self._app_state.is_open(thread_id):
            self._show(error)

    def _scroll_to_card(self, thread_id: str) -> None:
        """The card answers what the user just did: it comes into view, however far up somebody reads."""
        if self._app_state.is_open(thread_id):
            self._view.auto_scroll.show_latest()

    def _update(self, thread_id: str, error: TurnError) -> None:
        """The draft changed and is still too long: the card says the same as the gauge."""
        content = self._content(error)
        self._errors[thread_id] = error
        if self.card is not None and not self.card.take_words(content):
            self._show(error)

    def _resolve(self, thread_id: str) -> None:
        """The card has done its work and shrinks to a line."""
        del self._errors[thread_id]
        if self.card is not None and self._app_state.is_open(thread_id):
            self._take_keyboard()
            self.card.resolve()

    def _show(self, error: TurnError | None) -> None:
        self._take_keyboard()
        if error is None:
            self.card = None
            self._view.footer.set_card(None)
            return
        self.card = ErrorCard(self._theme, self._content(error))
        self.card.action_requested.connect(self.act)
        self.card.left.connect(self._composer.focus_editor)
        self._view.footer.set_card(self.card)
        self.card_shown.emit()

    def _take_keyboard(self) -> None:
        """The buttons go: the keyboard goes back to the composer, not to whatever pane comes next."""
        if self.card is not None and self.card.has_keyboard:
            self._composer.focus_editor()

    def _content(self, error: TurnError) -> CardContent:
        if error.failure is None and error.plan is not None:
            return describe_crossing(error.plan)
        failure = error.failure or Failure("backend", "")
        known = self._actions.keys() - (set() if self._branches.can_go_on else {"continue"})
        too_long = error.plan is not None and error.plan.decision == "refuse"
        asks_nothing = too_long and error.plan is not None and error.plan.pending is None
        if error.elsewhere:
            known -= OF_THE_DRAFT
        elif asks_nothing:
            known -= {*OF_THE_DRAFT, "edit_draft", "send_anyway"}
        saved = TEXT_IN_MEMORY if self._app_state.private else TEXT_SAVED
        content = describe_failure(failure, error.plan, sent=error.sent, known=known, saved=saved)
        if error.plan is not None and (asks_nothing or (too_long and error.elsewhere)):
            words = self.tr("Nothing was sent. The thread is as it was.")
            if error.plan.counted_by:
                words = self.tr("Counted by {provider}, not sent to a model. The thread is as it was.")
            return replace(content, sentence=words.format(provider=error.plan.counted_by))
        return content

    def _current_error(self) -> TurnError | None:
        return self._errors.get(self._app_state.thread_id or "")

    def _go_on(self, *, pass_cap: bool = False) -> None:
        """Asks once more what was held back: a message, the draft; else the last question."""
        error = self._current_error()
        if error is not None and error.elsewhere:
            self._branches.ask_held_again(pass_cap=pass_cap)
        elif (error is None or not error.sent) and not self._composer.is_empty():
            self._sending.send(pass_cap=pass_cap)
        else:
            self._branches.retry(pass_cap=pass_cap)

    def _pass_cap(self) -> None:
        error = self._current_error()
        if error is not None and error.again is not None:
            self._errors.pop(self._app_state.thread_id or "")
            self._show(None)
            error.again()
        else:
            self._go_on(pass_cap=True)

    async def _send_anyway(self) -> None:
        """Sends what is refused only for what its estimate may be off."""
        error, thread_id = self._current_error(), self._app_state.thread_id
        if error is None or error.plan is None or thread_id is None:
            return
        services = await self._app_state.services()
        services.chat.accept_uncertain(thread_id, error.plan)
        self._go_on()

    async def _take_limit(self, tokens: int) -> None:
        """Sets the thread's limit to what the button said and sends."""
        thread = self._app_state.current
        if thread is None or not tokens:
            return
        services = await self._app_state.services()
        await services.chat.set_soft_limit(thread.id, tokens)
        self._go_on()

    def _start_fresh(self) -> None:
        thread = self._app_state.current
        if thread is not None and thread.tip is not None:
            self._choices.start_fresh(thread.tip)

    def _focus_text(self) -> None:
        """The keyboard goes to what was refused: a question that is edited, else the draft."""
        error = self._current_error()
        if error is None or not error.elsewhere or not self._branches.focus_edit():
            self._composer.focus_editor()

    def _move_draft(self) -> None:
        text, thread_id = self._composer.text(), self._app_state.thread_id or ""
        self._composer.editor.replace_text("")
        self._errors.pop(thread_id, None)
        self.new_thread_requested.emit(text)
        self._attachments.move(thread_id)

    def _continue_in_new_thread(self, *, pass_cap: bool) -> None:
        if self._app_state.thread_id is not None:
            self._app_state.start(self._make_successor(self._app_state.thread_id, self._composer.text(), pass_cap))

    async def _make_successor(self, thread_id: str, draft: str, pass_cap: bool) -> None:
        """Goes on in a new thread: its draft is a summary of this one, and what stands in the composer."""
        services = await self._app_state.services()
        self._view.footer.set_notice(self.tr("Summarising this thread"), (("stop_summary", self.tr("Stop")),))
        try:
            made = await services.chat.start_new_thread_with_summary(thread_id, draft, pass_cap=pass_cap)
        except PlimsollError as error:
            again = (
                (lambda: self._continue_in_new_thread(pass_cap=True)) if "pass_cap" in error.failure.actions else None
            )
            self._set(thread_id, TurnError(error.failure, None, sent=False, again=again))
            return
        finally:
            if self._app_state.is_open(thread_id):
                self._view.footer.set_notice(None)
        self._errors.pop(thread_id, None)
        await self._attachments.move_to(thread_id, made.id)
        if self._app_state.is_open(thread_id):
            if self._composer.text() == draft:
                self._composer.editor.replace_text("")
            await self._app_state.open_thread(made.id)
