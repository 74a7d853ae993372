"""The card of each thread, an error or a question. Makes no failure itself, and carries out no remedy."""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.plan_questions import Remedy
from desktop_app.core.context.plan_text import refusal
from desktop_app.core.errors import TEXT_IN_MEMORY, TEXT_SAVED
from desktop_app.core.events import (
    AnswerSaved,
    BranchChanged,
    CrossingAsked,
    SendRefused,
    TurnFailed,
    TurnPaused,
    TurnResumed,
    TurnStarted,
)
from desktop_app.core.messages import Failure
from desktop_app.ui.conversation.error_card import (
    CardContent,
    ErrorCard,
    describe_crossing,
    describe_failure,
    describe_pause,
)
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.theme import Theme

if TYPE_CHECKING:  # the controller is loaded after the first paint
    from desktop_app.controller.open_threads import OpenThread


OF_THE_DRAFT = {"new_thread", "new_thread_summary", "shorten_document", "remove_document", "remove_attachment"}
"""Actions that do something with what stands in the composer."""


@dataclass(frozen=True, slots=True)
class TurnError:
    """Why there is no (whole) answer in a thread. `sent`: a request had left.

    `failure` None: the plan asks something first (CTX-14). `again`: does once more, past the spending cap, what the
    cap kept from being done, where that was no message. `elsewhere`: it was not the draft that was refused. `paused`:
    the turn waits at its cap.
    """

    failure: Failure | None
    plan: ContextPlan | None
    sent: bool
    again: Callable[[], None] | None = None
    elsewhere: bool = False
    paused: TurnPaused | None = None

    @property
    def of_this_plan(self) -> bool:
        """True where the card stands only for as long as the next request is as it was."""
        here = not self.sent and not self.elsewhere
        return here and (self.failure is None or self.failure.code == "context_limit" or self.of_attachments)

    @property
    def of_attachments(self) -> bool:
        """True where the model can't read the attachments."""
        return self.failure is not None and "remove_attachment" in self.failure.actions


class CardHost(Protocol):
    """The place where cards are shown, which carries out their remedies."""

    @property
    def known(self) -> Set[str]:
        """The remedies that can be carried out now."""

    @property
    def unsent(self) -> str:
        """The words where nothing was sent; "" where the draft stands below the card."""

    @property
    def has_unread(self) -> bool:
        """True where something is attached that the model can't read."""

    def was_asked_elsewhere(self, thread_id: str) -> bool:
        """Return True if the message refused last in a thread was not its draft."""

    def carry_out(self, remedy: Remedy) -> None: ...

    def set_card(self, card: ErrorCard | None) -> None: ...

    def show_card(self) -> None:
        """Brings the card into view, from its heading on."""

    def announce_failure(self) -> None: ...

    def focus_elsewhere(self) -> None:
        """Gives the keyboard to where one writes."""


class ErrorCards(QObject):
    """Shows the open thread's card. What a button does is the host's."""

    card_shown = Signal()
    # whether a card stands in the open thread that says what to do, and whether about a draft that is too long
    open_changed = Signal(bool, bool)

    def __init__(self, app_state: AppState, host: CardHost, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._app_state = app_state
        self._host = host
        self._theme = theme
        self._errors: dict[str, TurnError] = {}
        self._told: set[str] = set()  # answers of earlier runs of which it was said that they failed
        self._history_error: TurnError | None = None  # stands in every thread that has no card of its own
        self.card: ErrorCard | None = None

    # Facts

    def refused(self, refused: SendRefused) -> None:
        """Nothing was sent."""
        if refused.failure.code != "interrupted" and not refused.recounted:
            elsewhere = self._host.was_asked_elsewhere(refused.thread_id)
            self.put(refused.thread_id, TurnError(refused.failure, refused.plan, sent=False, elsewhere=elsewhere))
            if not elsewhere:
                self._scroll_to_card(refused.thread_id)

    def failed(self, failed: TurnFailed) -> None:
        """The answer ended with an error."""
        self.put(failed.thread_id, TurnError(failed.failure, None, sent=True))
        if self._app_state.is_open(failed.thread_id):
            self._host.announce_failure()

    def paused(self, paused: TurnPaused) -> None:
        """The turn waits at its cap for what the user says."""
        self.put(paused.thread_id, TurnError(None, None, sent=True, paused=paused))
        self._scroll_to_card(paused.thread_id)

    def resumed(self, resumed: TurnResumed) -> None:
        """It waits no more."""
        error = self._errors.get(resumed.thread_id)
        if error is not None and error.paused is not None:
            self.drop(None if self._app_state.is_open(resumed.thread_id) else resumed.thread_id)

    def answer_saved(self, saved: AnswerSaved) -> None:
        """Remove the card whose matter is over, as an answer was saved."""
        error = self._errors.get(saved.thread_id)
        if error is not None and error.sent and error.failure is not None and error.failure.code == "store":
            self._resolve(saved.thread_id)

    def asked(self, asked: CrossingAsked) -> None:
        """The plan asks something before it is sent: of the composer's message, or of what is asked beside it."""
        elsewhere = self._host.was_asked_elsewhere(asked.thread_id)
        self.put(asked.thread_id, TurnError(None, asked.plan, sent=False, elsewhere=elsewhere))
        if not elsewhere:
            self._scroll_to_card(asked.thread_id)

    def held_dropped(self, thread_id: str) -> None:
        """Drop the held-back request that was no draft: it is not wished any more."""
        error = self._errors.get(thread_id)
        if error is not None and error.elsewhere:
            self._resolve(thread_id)

    def blocked(self, failure: Failure, again: Callable[[], None]) -> None:
        """A spending cap stands before something that is no message."""
        if self._app_state.thread_id is not None:
            self.put(self._app_state.thread_id, TurnError(failure, None, sent=False, again=again))

    def branch_changed(self, changed: BranchChanged) -> None:
        """Remove the other branch's card: what ended that branch does not end this one."""
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
        earlier = error is None and bool(shown) and shown[-1].failure is not None
        if earlier:
            error = TurnError(shown[-1].failure, None, sent=True)
        self._show(error or self._history_error)
        if earlier and shown[-1].id not in self._told:
            self._told.add(shown[-1].id)
            self._host.announce_failure()

    def clear(self) -> None:
        self._show(self._history_error)

    def hand_over(self, thread_id: str, to: ErrorCards) -> None:
        """Another window shows a thread that was left here: the card stands there, or none."""
        to.take(thread_id, self._errors.pop(thread_id, None))

    def take(self, thread_id: str, error: TurnError | None) -> None:
        """The card of a thread that another window showed last: what was seen of it here is out of date."""
        self._errors.pop(thread_id, None)
        if error is not None:
            self._errors[thread_id] = error

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
            self.put(self._app_state.thread_id, TurnError(refusal(plan), plan, sent=False))
            self._scroll_to_card(self._app_state.thread_id)

    def answer_found(self) -> None:
        """Something would answer now: a card about there being no connection has done its work."""
        error = self.current
        if error is not None and not error.sent and error.failure and "open_connections" in error.failure.actions:
            self._resolve(self._app_state.thread_id or "")

    def plan_changed(self, plan: ContextPlan | None) -> None:
        """Remove the card where the next request fits again, or nothing is asked any more."""
        thread_id = self._app_state.thread_id or ""
        error = self._errors.get(thread_id)
        if error is None or plan is None or self.card is None or not error.of_this_plan:
            return
        if error.of_attachments:
            stands = self._host.has_unread
        else:
            stands = plan.advice.asks == "first_crossing" if error.failure is None else plan.decision == "refuse"
        if not stands:
            self._resolve(thread_id)
        elif error.plan is not None and plan.decision == "refuse" and plan is not error.plan:
            self._update(thread_id, replace(error, failure=refusal(plan), plan=plan))

    def focus(self) -> bool:
        """Puts the keyboard on the card (F6), or back into the composer; False if there is no card."""
        if self.card is None or self.card.resolved:
            return False
        if self.card.has_keyboard:
            self._host.focus_elsewhere()
        else:
            self.card.focus_first()
        return True

    def act(self, name: str) -> None:
        """Does what a button of the card says; one that is resolved says nothing any more."""
        action = self.card.content.action(name) if self.card is not None and not self.card.resolved else None
        if action is not None:
            self._host.carry_out(action.remedy)

    @property
    def current(self) -> TurnError | None:
        """The error of the open thread."""
        return self._errors.get(self._app_state.thread_id or "")

    def drop(self, thread_id: str | None = None) -> None:
        """Drop the error of a thread, which is over; the open one (None) shows no card."""
        self._errors.pop(thread_id or self._app_state.thread_id or "", None)
        if thread_id is None:
            self._show(None)

    # Doings

    def put(self, thread_id: str, error: TurnError) -> None:
        """Something is wrong in a thread."""
        self._errors[thread_id] = error
        if self._app_state.is_open(thread_id):
            self._show(error)

    def _scroll_to_card(self, thread_id: str) -> None:
        """The card answers what the user just did: it comes into view, however far up somebody reads."""
        if self._app_state.is_open(thread_id):
            self._host.show_card()

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
            self.open_changed.emit(False, False)

    def _show(self, error: TurnError | None) -> None:
        self._take_keyboard()
        if error is None:
            self.card = None
            self.open_changed.emit(False, False)
            self._host.set_card(None)
            return
        self.card = ErrorCard(self._theme, self._content(error))
        self.card.action_requested.connect(self.act)
        self.card.left.connect(self._host.focus_elsewhere)
        too_long = error.plan is not None and error.plan.decision == "refuse"
        self.open_changed.emit(True, too_long and not error.elsewhere)
        self._host.set_card(self.card)
        self.card_shown.emit()

    def _take_keyboard(self) -> None:
        """The buttons go: the keyboard goes back to the composer, not to whatever pane comes next."""
        if self.card is not None and self.card.has_keyboard:
            self._host.focus_elsewhere()

    def _content(self, error: TurnError) -> CardContent:
        if error.paused is not None:
            return describe_pause(error.paused)
        if error.failure is None and error.plan is not None:
            return describe_crossing(error.plan)
        failure = error.failure or Failure("backend", "")
        known = self._host.known
        too_long = error.plan is not None and error.plan.decision == "refuse"
        asks_nothing = too_long and error.plan is not None and error.plan.request.pending is None
        if error.elsewhere:
            known = known - OF_THE_DRAFT
        elif asks_nothing:
            known = known - {*OF_THE_DRAFT, "edit_draft", "send_anyway"}
        saved = TEXT_IN_MEMORY if self._app_state.private else TEXT_SAVED
        unsent = self._host.unsent
        content = describe_failure(failure, error.plan, sent=error.sent, known=known, unsent=unsent, saved=saved)
        if error.plan is not None and too_long and (asks_nothing or error.elsewhere or unsent):
            words = self.tr("Nothing was sent. The thread is unchanged.")
            if error.plan.counted_by:
                words = self.tr("Counted by {provider}, not sent to a model. The thread is unchanged.")
            return replace(content, sentence=words.format(provider=error.plan.counted_by))
        return content
