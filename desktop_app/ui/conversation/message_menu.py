"""The part of a message's menu about its place in the context. Carries nothing out itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QMenu

from desktop_app.core.context.plan import ContextPlan, PlacedMessage
from desktop_app.core.context.plan_questions import summary_price
from desktop_app.core.context.summary_request import FEWEST, summary_size
from desktop_app.ui.conversation.choices_presenter import ChoicesPresenter
from desktop_app.ui.conversation.gauge_presenter import GaugePresenter
from desktop_app.ui.conversation.summary_requests import SummaryRequests
from desktop_app.ui.i18n.amounts import price
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.transcript.view import TranscriptView

if TYPE_CHECKING:
    from desktop_app.ui.transcript.message.context_menu import MessageEntries
    from desktop_app.ui.widgets.floating import Menu


@dataclass(frozen=True, slots=True)
class MessagePlace:
    """A message on the open branch: its index among the placed messages of the newest plan."""

    index: int
    placed: Sequence[PlacedMessage]

    @property
    def message(self) -> PlacedMessage:
        return self.placed[self.index]

    @property
    def turn(self) -> range:
        """The whole turn of the message, from its question to the next one."""
        first = self.index
        while first and not self.placed[first].asked:
            first -= 1
        end = self.index + 1
        while end < len(self.placed) and not self.placed[end].asked:
            end += 1
        return range(first, end)


class MessageMenu(QObject):
    """Adds to the menu that the transcript opens: pin, exclude, bring back, start fresh, summarise, inspect, delete."""

    inspector_requested = Signal(str)  # message id

    def __init__(
        self,
        app_state: AppState,
        view: TranscriptView,
        gauge: GaugePresenter,
        choices: ChoicesPresenter,
        summary_requests: SummaryRequests,
    ) -> None:
        super().__init__(view)
        self._app_state = app_state
        self._view = view
        self._gauge = gauge
        self._choices = choices
        self._summary_requests = summary_requests

    def fill(self, message_id: str, _position: QPoint) -> None:
        """The menu of this message is about to open."""
        menu, plan = self._view.menu, self._gauge.plan
        if menu is None:
            return
        if plan is not None:
            self._add_context(menu, message_id, plan)
        if not self._app_state.running:
            menu.add("delete", self.tr("Delete"), partial(self._choices.delete, message_id))

    def _add_context(self, menu: MessageEntries, message_id: str, plan: ContextPlan) -> None:
        """Add the possible changes to the message's place in the context."""
        index = plan.placement.messages.index_of(message_id)
        if index is None:
            return
        place = MessagePlace(index, plan.placement.messages)
        self._add_curation(menu, place)
        self._add_fresh(menu.context, place)
        menu.context.addSeparator()
        self._add_summaries(menu.context, place, plan)
        menu.context.addSeparator()
        self._add_step(menu.context, message_id)
        menu.context.addAction(self.tr("Show in inspector"), partial(self.inspector_requested.emit, message_id))

    def _add_step(self, menu: Menu, message_id: str) -> None:
        """Add what the line beneath the message offers to the mouse, for the keyboard to find here."""
        step = self._view.decorations.step
        if step is None or step.message_id != message_id:
            return
        of_step = menu.add_submenu(step.text)
        for action, words in (*step.actions, *(entry for _, actions in step.unfolded for entry in actions)):
            of_step.addAction(words, partial(self._view.row_actions.action_requested.emit, message_id, action))

    def _add_curation(self, menu: MessageEntries, place: MessagePlace) -> None:
        """The step that this state asks for stands at the first level."""
        ids = (place.message.id,)
        whole_turn = [place.placed[index].id for index in place.turn]
        match place.message.state:
            case "pinned":
                menu.add("context", self.tr("Unpin"), partial(self._choices.unpin, whole_turn), spare=2)
            case "excluded":
                menu.add("context", self.tr("Bring back"), partial(self._choices.bring_back, whole_turn), spare=2)
                return
            case "left_out" | "summarised":
                menu.add("context", self.tr("Bring back"), partial(self._choices.bring_back, ids), spare=2)
            case _:
                menu.add("context", self.tr("Pin"), partial(self._choices.pin, ids), spare=2)
        menu.context.addAction(self.tr("Exclude"), partial(self._choices.exclude, ids))

    def _add_fresh(self, menu: QMenu, place: MessagePlace) -> None:
        """The model's view can begin with this message's turn; after the last one, with the next message."""
        turn = place.turn
        if turn.start:
            before = place.placed[turn.start - 1].id
            menu.addAction(self.tr("Start fresh from here"), partial(self._choices.start_fresh, before))
        if turn.stop == len(place.placed):
            last = place.placed[-1].id
            menu.addAction(self.tr("Start fresh after this"), partial(self._choices.start_fresh, last))
        if self._choices.started_fresh:
            menu.addAction(self.tr("Undo fresh start"), partial(self._choices.start_fresh, None))

    def _add_summaries(self, menu: QMenu, place: MessagePlace, plan: ContextPlan) -> None:
        up_to = [placed for placed in place.placed[1 : place.turn.stop] if placed.state != "excluded"]
        self._add_summary(menu, self.tr("Summarize up to here"), up_to, plan)
        selected = self._view.selected_messages()
        if len(selected) > 1:
            chosen = [placed for placed in place.placed if placed.id in selected]
            self._add_summary(menu, self.tr("Summarize selected messages"), chosen, plan)

    def _add_summary(self, menu: QMenu, words: str, placed: Sequence[PlacedMessage], plan: ContextPlan) -> None:
        if len(placed) < FEWEST:
            return
        tokens = sum(message.tokens for message in placed)
        cost = summary_price(plan.writer, tokens, summary_size(plan.limits)) if plan.price.cost_usd else None
        # what is left out has no weight in the plan: then the price is not known here
        known = cost is not None and all(message.tokens for message in placed)
        ids = [message.id for message in placed]
        wish: Callable[[], None] = partial(self._summary_requests.summarise, ids)
        menu.addAction(f"{words} · {price(*cost)}" if known and cost else words, wish)
