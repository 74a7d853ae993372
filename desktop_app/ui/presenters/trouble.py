"""Owns the error card of each thread and what its buttons do. Makes no failure and sends nothing by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.words import offered_limit
from desktop_app.core.events import SendRefused, TurnFailed, TurnStarted
from desktop_app.core.messages import Failure
from desktop_app.ui.cards.content import describe_failure
from desktop_app.ui.cards.error_card import ErrorCard
from desktop_app.ui.composer.composer import Composer
from desktop_app.ui.desk import Desk
from desktop_app.ui.presenters.turns import Turns
from desktop_app.ui.theme import Theme
from desktop_app.ui.transcript.view import TranscriptView

if TYPE_CHECKING:  # the controller is loaded after the first paint
    from desktop_app.controller.open_threads import OpenThread


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why there is no (whole) answer in a thread. `sent`: a request had left."""

    failure: Failure
    plan: ContextPlan | None
    sent: bool


class TroubleCards(QObject):
    """Shows the open thread's card; wishes that concern other panes go out as signals."""

    connections_requested = Signal()
    models_requested = Signal()
    data_folder_requested = Signal()
    new_thread_requested = Signal(str)  # the draft that goes along
    card_shown = Signal()

    def __init__(self, desk: Desk, view: TranscriptView, composer: Composer, turns: Turns, theme: Theme) -> None:
        super().__init__(view)
        self._desk = desk
        self._view = view
        self._composer = composer
        self._turns = turns
        self._theme = theme
        self._troubles: dict[str, Trouble] = {}
        self.card: ErrorCard | None = None
        self._actions: dict[str, Callable[[], None]] = {
            "raise_limit": lambda: self._desk.start(self._raise_limit()),
            "edit_draft": self._composer.focus_editor,
            "new_thread": self._move_draft,
            "retry": self._retry,
            "stop": self._turns.stop,
            "open_connections": self.connections_requested.emit,
            "switch_model": self.models_requested.emit,
            "open_data_folder": self.data_folder_requested.emit,
        }

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        if self.card is not None:
            self.card.set_theme(theme)

    # Facts

    def refused(self, refused: SendRefused) -> None:
        """Nothing was sent."""
        if refused.failure.code != "interrupted":
            self._put(refused.thread_id, Trouble(refused.failure, refused.plan, sent=False))

    def failed(self, failed: TurnFailed) -> None:
        """The answer ended with an error."""
        self._put(failed.thread_id, Trouble(failed.failure, None, sent=True))

    def started(self, started: TurnStarted) -> None:
        """A new answer comes where the card was."""
        self._troubles.pop(started.thread_id, None)
        if self.card is not None and self._desk.is_open(started.thread_id):
            self._show(None)

    def show_opened(self, opened: OpenThread) -> None:
        """The card of the thread that was opened; an answer that failed in an earlier run has one, too."""
        trouble = self._troubles.get(opened.thread.id)
        if trouble is None and opened.path and opened.path[-1].failure is not None:
            trouble = Trouble(opened.path[-1].failure, None, sent=True)
        self._show(trouble)

    def clear(self) -> None:
        self._show(None)

    def show_failure(self, failure: Failure) -> None:
        """A failure that belongs to no turn, shown where the next answer would be."""
        self._show(Trouble(failure, None, sent=False))

    def plan_changed(self, plan: ContextPlan | None) -> None:
        """What would be sent now fits again: the card of a refusal has done its work."""
        trouble = self._troubles.get(self._desk.thread_id or "")
        if trouble is None or trouble.failure.code != "context_limit" or self.card is None or trouble.sent:
            return
        if plan is not None and plan.decision != "refuse":
            del self._troubles[self._desk.thread_id or ""]
            self.card.resolve()

    def focus(self) -> bool:
        """Puts the keyboard on the card (F6), or back into the composer; False if there is no card."""
        if self.card is None or self.card.resolved:
            return False
        if self.card.has_keyboard:
            self._composer.focus_editor()
        else:
            self.card.focus_first()
        return True

    def act(self, action: str) -> None:
        """Does what a button says."""
        self._actions[action]()

    # Doings

    def _put(self, thread_id: str, trouble: Trouble) -> None:
        self._troubles[thread_id] = trouble
        if self._desk.is_open(thread_id):
            self._show(trouble)

    def _show(self, trouble: Trouble | None) -> None:
        if trouble is None:
            self.card = None
            self._view.set_card(None)
            return
        known = tuple(action for action in trouble.failure.actions if action in self._actions)
        content = describe_failure(replace(trouble.failure, actions=known), trouble.plan, sent=trouble.sent)
        self.card = ErrorCard(self._theme, content)
        self.card.action_requested.connect(self.act)
        self.card.left.connect(self._composer.focus_editor)
        self._view.set_card(self.card)
        self.card_shown.emit()

    def _retry(self) -> None:
        trouble = self._troubles.get(self._desk.thread_id or "")
        if trouble is not None and not trouble.sent and not self._composer.is_empty():
            self._turns.send()
        else:
            self._turns.retry()

    async def _raise_limit(self) -> None:
        """Sets the thread's limit to what the button said and sends again."""
        thread, trouble = self._desk.current, self._troubles.get(self._desk.thread_id or "")
        limit = offered_limit(trouble.plan) if trouble is not None and trouble.plan is not None else None
        if thread is None or limit is None:
            return
        services = await self._desk.services()
        await services.chat.set_soft_limit(thread.id, limit)
        self._turns.send()

    def _move_draft(self) -> None:
        text = self._composer.text()
        self._composer.editor.replace_text("")
        self._troubles.pop(self._desk.thread_id or "", None)
        self.new_thread_requested.emit(text)
