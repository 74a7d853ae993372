"""The lines that tell what was left out, summarised or begun again, and what their words do. Decides nothing."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from desktop_app.core.context.context_choices import ContextChoices, Summary
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.plan_text import messages_of, older_messages, return_line, trim_detail, trim_line
from desktop_app.core.context.sent_content import opens_turn
from desktop_app.core.errors import PlimsollError
from desktop_app.core.history_records import StoredEvent
from desktop_app.core.messages import Message
from desktop_app.ui.composer.composer import Composer
from desktop_app.ui.conversation.choices_presenter import ChoicesPresenter
from desktop_app.ui.i18n.amounts import plan_price, thousands
from desktop_app.ui.i18n.language import tr, translated
from desktop_app.ui.state.app_state import AppState, PathFacts
from desktop_app.ui.transcript.message.decorations import StepLine, SummaryLine
from desktop_app.ui.transcript.view import TranscriptView

log = logging.getLogger(__name__)

STEP_EVENTS = ("trimmed", "fresh_start", "summarised", "returned")


@dataclass(frozen=True, slots=True)
class StepText:
    """One step on the open branch. `message_id` is the question that caused it, `carrier` holds its boundary.

    `carrier` is None where no boundary was moved: a summary by hand, or a fresh start that the user asked for.
    `summary` is the one that stands for what was left out, `returned`: what was left out is sent again. `messages` 0:
    how many is not known. `keeps_start`: the user moved the load line.
    """

    message_id: str
    carrier: str | None
    messages: int
    fresh: bool = False
    summary: Summary | None = None
    returned: bool = False
    detail: str = ""
    keeps_start: bool = False

    @property
    def words(self) -> str:
        """`38 older messages left out`."""
        if self.summary is not None:
            return tr("{count} summarized").format(count=translated(older_messages(self.messages)))
        if self.returned:
            return translated(return_line(self.messages))
        told = translated(trim_line(self.messages)) if self.messages else tr("Older messages left out")
        return tr("Started fresh: {what}").format(what=told) if self.fresh and not self.keeps_start else told


def steps_on(facts: PathFacts, events: Sequence[StoredEvent], choices: ContextChoices) -> tuple[StepText, ...]:
    """The steps in force on a path, oldest first; what the user took back is not among them."""
    path, places = facts.path, facts.places
    told = [
        (entry.user_message_id, entry) for entry in events if entry.event.kind in STEP_EVENTS and entry.user_message_id
    ]
    moved = [(path[index], _question(path, index)) for index in facts.steps]
    stored: dict[str, list[StoredEvent]] = {}
    for asked_with, entry in told:
        place = places.get(asked_with)
        question = "" if place is None else _question(path, place)
        stored.setdefault(question or asked_with, []).append(entry)
    # By question the message that holds the boundary which its request moved: that is the question itself, the answer
    # to a retry, or the results of tools on the way.
    carriers = {question: one.id for one, question in moved if question}
    steps = []
    for place in sorted(places[name] for name in {*stored, *carriers} if name in places):
        name = path[place].id
        step = _step(name, carriers.get(name), stored.get(name, ()), choices)
        if step is not None:
            steps.append(step)
    begun = _begun_anew(facts, choices)
    if begun is not None and not any(step.fresh and step.carrier is None for step in steps):
        steps.append(begun)
    return tuple(steps)


def _begun_anew(facts: PathFacts, choices: ContextChoices) -> StepText | None:
    """A fresh start in the middle of the path: no request had to tell of it, the first question it keeps does."""
    if choices.fresh_from is None or choices.keeps_start:  # of a line that was moved the line itself tells
        return None
    path, place = facts.path, facts.places.get(choices.fresh_from)
    if place is None:
        return None
    kept = next((i for i in range(place + 1, len(path)) if opens_turn(path[i])), None)
    return None if kept is None else StepText(path[kept].id, None, kept, fresh=True)


def _question(path: Sequence[Message], index: int) -> str:
    """The question of the turn that a message belongs to; "" before the first."""
    return next((path[place].id for place in range(index, -1, -1) if opens_turn(path[place])), "")


def _step(
    message_id: str, carrier: str | None, stored: Sequence[StoredEvent], choices: ContextChoices
) -> StepText | None:
    by_kind = {entry.event.kind: entry for entry in stored}
    condensed = by_kind.get("summarised")
    summary = None
    if condensed is not None:
        made = [summary for summary in choices.summaries if summary.created <= condensed.at]
        summary = max(made, key=lambda summary: summary.created, default=None)
    taken_back = carrier in choices.undone
    moved = carrier is not None and not taken_back
    fresh = "fresh_start" in by_kind and (moved or (carrier is None and choices.fresh_from is not None))
    if not moved and not fresh and summary is None:
        return None
    told = next((by_kind[kind] for kind in STEP_EVENTS if kind in by_kind), None)
    if summary is not None and condensed is not None:
        told = condensed
    if told is None:
        return StepText(message_id, carrier, 0)
    returned = moved and "returned" in by_kind
    detail = translated(trim_detail(told.event.before, told.event.after, told.cost_usd))
    return StepText(
        message_id,
        carrier if moved else None,
        told.event.messages,
        fresh,
        summary,
        returned,
        detail,
        choices.keeps_start and carrier is None,
    )


class StepsPresenter(QObject):
    """The newest step of the open branch is a line beneath its question, older ones are ticks in the margin."""

    inspector_requested = Signal(str)  # the group of messages to show
    summary_edit_requested = Signal(str)  # summary id
    stop_requested = Signal()  # of the summary that is being written

    def __init__(
        self, app_state: AppState, view: TranscriptView, composer: Composer, choices: ChoicesPresenter
    ) -> None:
        super().__init__(view)
        self._app_state = app_state
        self._view = view
        self._composer = composer
        self._choices = choices
        self._of: str | None = None
        self.steps: tuple[StepText, ...] = ()
        self._path: tuple[Message, ...] = ()
        self._unfolded: set[str] = set()  # question and summary ids

    def refresh(self, _fact: object = None) -> None:
        """The branch, its choices or its events changed: the lines are read again."""
        self._app_state.start(self._read())

    def clear(self) -> None:
        """Nothing is open."""
        self._of, self.steps, self._path = None, (), ()
        self._unfolded.clear()

    def act(self, message_id: str, action: str) -> None:
        """A word of a line was clicked. `message_id` is the line's message, "" for the notice."""
        name, _, target = action.partition(":")
        step = next((step for step in self.steps if step.message_id == message_id), None)
        match name:
            case "show" | "hide":
                self._unfolded ^= {target or message_id}
                self._show()
            case "undo" if step is not None:
                self._composer.focus_editor()
                self._app_state.start(self._undo(step))
            case "remove":
                self._app_state.start(self._remove(target))
            case "edit":
                self.summary_edit_requested.emit(target)
            case "bring_back" | "pin":
                self.inspector_requested.emit("left_out")
            case "stop_summary":
                self.stop_requested.emit()

    async def _read(self) -> None:
        services = await self._app_state.services()
        thread_id = self._app_state.thread_id
        if thread_id is None:
            return
        try:
            opened = await services.chat.open_thread(thread_id)
            events = await services.chat.context_events(thread_id)
        except PlimsollError as error:
            # the thread is gone, or the history can't be read, which whoever shows its messages says
            log.info("no steps to tell of: %s", error.failure.code)
            return
        if self._app_state.is_open(thread_id):
            if thread_id != self._of:
                self._unfolded.clear()
            self._of, self._path = thread_id, opened.path
            self.steps = steps_on(self._app_state.facts.of(opened.path), events, opened.thread.choices)
            self._show()

    def _show(self) -> None:
        newest = self.steps[-1] if self.steps else None
        ticks = {step.message_id: step.words for step in self.steps[:-1]}
        self._view.decorations.set_steps(self._line(newest) if newest is not None else None, ticks)
        self._view.decorations.set_summaries(self._summaries())

    def _line(self, step: StepText) -> StepLine:
        open_now = step.message_id in self._unfolded
        actions = []
        if step.detail:
            actions.append(("hide", self.tr("Hide")) if open_now else ("show", self.tr("Show")))
        if step.summary is not None:
            actions.append((f"edit:{step.summary.id}", self.tr("Edit")))
        actions.append(("undo", self.tr("Undo")))
        if step.returned:
            return StepLine(step.message_id, step.words, actions, ((step.detail, ()),) if open_now else ())
        further = (("bring_back", self.tr("Bring back…")), ("pin", self.tr("Pin…")))
        return StepLine(step.message_id, step.words, actions, ((step.detail, further),) if open_now else ())

    def _summaries(self) -> dict[str, SummaryLine]:
        """The summaries of the open branch, each above the message that follows its sources."""
        thread, places = self._app_state.current, self._app_state.facts.of(self._path).places
        lines = {}
        for summary in thread.choices.summaries if thread is not None else ():
            after = places.get(summary.sources[-1], len(self._path)) + 1
            if after < len(self._path):
                lines[self._path[after].id] = self._summary_line(summary)
        return lines

    def _summary_line(self, summary: Summary) -> SummaryLine:
        open_now = summary.id in self._unfolded
        count = translated(messages_of(len(summary.sources)))
        heading = self.tr("Conversation Summary of {messages}").format(messages=count)
        shown = (f"hide:{summary.id}", self.tr("Hide")) if open_now else (f"show:{summary.id}", self.tr("Show"))
        actions = (shown, (f"edit:{summary.id}", self.tr("Edit")))
        return SummaryLine(heading, actions, summary.text if open_now else "")

    async def _undo(self, step: StepText) -> None:
        services, thread_id = await self._app_state.services(), self._of
        if thread_id is None:
            return
        context_editing = services.chat.context_editing
        before: ContextChoices = await context_editing.choices(thread_id)
        if step.carrier is not None:
            await context_editing.undo_trim(thread_id, step.carrier)
        elif step.fresh:
            await context_editing.start_fresh(thread_id, None)
        if step.summary is not None:
            await context_editing.remove_summary(thread_id, step.summary.id)
        prepared = await services.chat.prepared(thread_id)
        plan = prepared.plan(self._composer.draft())
        self._choices.tell(self._after_undo(plan), thread_id, before)

    def _after_undo(self, plan: ContextPlan) -> str:
        """Return what the next message does now: often more is sent, sometimes another step follows at once."""
        if plan.decision == "refuse":
            return self.tr("Undone. The next message would then be too long to send.")
        if plan.decision == "trim":
            words = self.tr("Undone. The next message would pass the limit again: {what}.")
            return words.format(what=translated(trim_line(plan.placement.newly_left_out)))
        cost = f", {plan_price(plan)}" if plan.price.cost_usd else ""
        words = self.tr("Undone. The next message sends {tokens} tokens{price}.")
        return words.format(tokens=thousands(plan.tokens.total), price=cost)

    async def _remove(self, summary_id: str) -> None:
        services, thread_id = await self._app_state.services(), self._app_state.thread_id
        if thread_id is not None:
            before = await services.chat.context_editing.remove_summary(thread_id, summary_id)
            self._view.footer.set_notice(None)
            self._choices.tell(self.tr("Summary removed"), thread_id, before)
