"""The user's decisions about messages in the context: menu, summary, lines of what was left out, the way back."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Container, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QMenu

from desktop_app.controller.open_threads import OpenThread
from desktop_app.core.context.context_choices import ContextChoices, Summary
from desktop_app.core.context.plan import ContextPlan, PlacedMessage
from desktop_app.core.context.plan_questions import summary_price
from desktop_app.core.context.plan_text import (
    assumed_words,
    messages_of,
    older_messages,
    return_line,
    trim_detail,
    trim_line,
)
from desktop_app.core.context.sent_content import deleted_with, opens_turn
from desktop_app.core.context.summary_request import FEWEST, summary_size
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import SummaryEnded, SummaryStarted
from desktop_app.core.history_records import StoredEvent
from desktop_app.core.messages import Message
from desktop_app.ui.composer.composer import Composer
from desktop_app.ui.conversation.gauge_presenter import GaugePresenter
from desktop_app.ui.i18n.content_words import plan_price, price, thousands
from desktop_app.ui.i18n.language import grouped, tr, translated
from desktop_app.ui.state.app_state import AppState, PathFacts
from desktop_app.ui.transcript.message.decorations import StepLine, SummaryLine
from desktop_app.ui.transcript.view import TranscriptView
from desktop_app.ui.widgets.floating import Menu, Toast

if TYPE_CHECKING:
    from desktop_app.controller.context_editing import ContextEditing
    from desktop_app.ui.transcript.reading.keyboard_navigation import MessageEntries


class ChoicesPresenter(QObject):
    """Changes the open thread's choices. Ids are message ids; whole turns follow."""

    def __init__(self, app_state: AppState, toast: Toast) -> None:
        super().__init__(toast)
        self._app_state = app_state
        self._toast = toast

    def pin(self, ids: Sequence[str]) -> None:
        self._start(self.tr("Pinned: always sent."), lambda to, thread: to.pin(thread, ids))

    def unpin(self, ids: Sequence[str]) -> None:
        self._start(self.tr("No longer pinned."), lambda to, thread: to.unpin(thread, ids))

    def exclude(self, ids: Sequence[str]) -> None:
        if self._app_state.thread_id is not None:
            self._app_state.start(self._exclude(self._app_state.thread_id, ids, always=True))

    def switch_tools_off(self, servers: Sequence[str]) -> None:
        """Switches servers of tools off, for every thread."""
        self._app_state.start(self._switch_tools_off(servers))

    def let_go(self, ids: Sequence[str], at_once: bool) -> None:
        """Leaves these messages out first at the next step, or at once."""
        words = self.tr("Left out.") if at_once else self.tr("Left out first at the next step.")
        self._start(words, lambda to, thread: to.let_go(thread, ids, at_once=at_once))

    def exclude_quietly(self, ids: Sequence[str]) -> None:
        """As `exclude`, where what is excluded is shown to be: only what grows by it is said."""
        if self._app_state.thread_id is not None:
            self._app_state.start(self._exclude(self._app_state.thread_id, ids, always=False))

    def bring_back(self, ids: Sequence[str]) -> None:
        self._start(self.tr("Will be sent again."), lambda to, thread: to.bring_back(thread, ids))

    def delete(self, message_id: str) -> None:
        """Takes the turn of a message out of this branch."""
        if self._app_state.thread_id is not None:
            self._app_state.start(self._delete(self._app_state.thread_id, message_id))

    def take_back(self, carrier_id: str) -> None:
        """Sends again what the boundary stored with this message leaves out."""
        words = self.tr("Older messages will be sent again.")
        self._start(words, lambda to, thread: to.bring_boundary_back(thread, carrier_id))

    def start_fresh(self, message_id: str | None) -> None:
        """Leaves out everything up to and including the turn of this message; None takes that back."""
        words = self.tr("Everything will be sent again.")
        if message_id is not None:
            words = self.tr("Started fresh: earlier messages are no longer sent.")
        self._start(words, lambda to, thread: to.start_fresh(thread, message_id))

    @property
    def started_fresh(self) -> bool:
        """True where a fresh start is in force in the open thread; a load line that was moved is none."""
        thread = self._app_state.current
        return thread is not None and thread.choices.fresh_from is not None and not thread.choices.keeps_start

    async def undone(self, thread_id: str, choices: ContextChoices, tip: str | None = None) -> None:
        """Puts the choices back as they were, and with them the branch that ended with `tip`."""
        services = await self._app_state.services()
        await services.chat.context_editing.restore(thread_id, choices)
        if tip is not None and not services.chat.running(thread_id):
            await services.chat.branch_from(thread_id, tip)

    def tell(self, words: str, thread_id: str, before: ContextChoices, tip: str | None = None) -> None:
        """Says what was done, with the way back; `tip`: the end of the branch that was shown before, if it is not."""
        undo = partial(self.undone, thread_id, before, tip)
        self._toast.show_message(words, self.tr("Undo"), lambda: self._app_state.start(undo()))

    async def _switch_tools_off(self, names: Sequence[str]) -> None:
        servers = (await self._app_state.services()).tool_servers
        back = [await servers.switch_off(name) for name in names]

        async def undo() -> None:
            for bring_back in back:
                await bring_back()

        words = self.tr("{name} switched off in all threads.").format(name=", ".join(names))
        self._toast.show_message(words, self.tr("Undo"), lambda: self._app_state.start(undo()))

    async def _exclude(self, thread_id: str, ids: Sequence[str], *, always: bool) -> None:
        services = await self._app_state.services()
        before, added = await services.chat.context_editing.exclude_weighed(thread_id, ids)
        words = self.tr("Excluded: no longer sent.")
        if added:
            words = self.tr("Excluded. The note about it adds {count} tokens.").format(count=grouped(added))
        if added or always:
            self.tell(words, thread_id, before)

    async def _delete(self, thread_id: str, message_id: str) -> None:
        services = await self._app_state.services()
        path = (await services.chat.open_thread(thread_id)).path
        tip = path[-1].id if path else None
        before = await services.chat.delete_turn(thread_id, message_id)
        after = (await services.chat.open_thread(thread_id)).thread
        gone = {one.message for one in after.choices.deleted - before.deleted}
        asked = any(opens_turn(one) for one in path if one.id in gone)
        words = self.tr("Question and answer deleted") if len(gone) > 1 and asked else self.tr("Message deleted")
        if any(not gone.isdisjoint(summary.sources) for summary in before.summaries):
            words = self.tr("Message deleted. The summary of it is no longer sent.")
        if after.tip != tip:
            words = self.tr("Version deleted. Another one is shown.")
        self.tell(words, thread_id, before, tip if after.tip != tip else None)

    def _start(self, words: str, change: Callable[[ContextEditing, str], Awaitable[ContextChoices]]) -> None:
        if self._app_state.thread_id is not None:
            self._app_state.start(self._change(self._app_state.thread_id, words, change))

    async def _change(
        self, thread_id: str, words: str, change: Callable[[ContextEditing, str], Awaitable[ContextChoices]]
    ) -> None:
        services = await self._app_state.services()
        self.tell(words, thread_id, await change(services.chat.context_editing, thread_id))


class SummaryRequests(QObject):
    """The open thread's summary in the making, as one muted line."""

    blocked = Signal(object, object)  # Failure, and what asks again past the spending cap

    def __init__(self, app_state: AppState, view: TranscriptView) -> None:
        super().__init__(view)
        self._app_state = app_state
        self._view = view

    def summarise(self, ids: Sequence[str], *, then: Callable[[], None] | None = None, pass_cap: bool = False) -> None:
        """Has these messages of the open thread summarised; `then` is done where that came about."""
        if self._app_state.thread_id is not None:
            self._app_state.start(self._summarise(self._app_state.thread_id, tuple(ids), then, pass_cap))

    def stop(self) -> None:
        """Ends the summary that is being written, of this thread or for the one that is to go on from it."""
        if self._app_state.thread_id is not None:
            self._app_state.start(self._stop(self._app_state.thread_id))

    # Facts

    def started(self, started: SummaryStarted) -> None:
        if self._app_state.is_open(started.thread_id):
            self._show(translated(older_messages(started.messages)))

    def ended(self, ended: SummaryEnded) -> None:
        if not self._app_state.is_open(ended.thread_id):
            return
        if ended.summary is None:
            self._view.footer.set_notice(translated(ended.problem) or None)
            return
        words = self.tr("{count} summarized").format(count=translated(older_messages(len(ended.summary.sources))))
        edit, undo = f"edit:{ended.summary.id}", f"remove:{ended.summary.id}"
        self._view.footer.set_notice(words, ((edit, self.tr("Edit")), (undo, self.tr("Undo"))))

    def show_opened(self, opened: OpenThread) -> None:
        """A thread is opened while its summary is being written."""
        services = self._app_state.ready
        if services is not None and services.chat.summaries.running(opened.thread.id):
            self._show(self.tr("older messages"))

    def _show(self, what: str) -> None:
        words = self.tr("Summarizing {what}").format(what=what)
        self._view.footer.set_notice(words, (("stop_summary", self.tr("Stop")),))

    async def _summarise(
        self, thread_id: str, ids: tuple[str, ...], then: Callable[[], None] | None, pass_cap: bool
    ) -> None:
        services = await self._app_state.services()
        outcome = await services.chat.summaries.start(thread_id, ids, pass_cap=pass_cap)
        if not self._app_state.is_open(thread_id):
            return
        if outcome.summary is not None and then is not None:
            then()
        elif outcome.failure is not None and "pass_cap" in outcome.failure.actions:
            self._view.footer.set_notice(None)
            self.blocked.emit(outcome.failure, lambda: self.summarise(ids, then=then, pass_cap=True))

    async def _stop(self, thread_id: str) -> None:
        services = await self._app_state.services()
        await services.chat.stop(thread_id)


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
            menu.add("delete", self._deletes(message_id), partial(self._choices.delete, message_id))

    def _deletes(self, message_id: str) -> str:
        gone = deleted_with(self._app_state.path, message_id)
        asked = {one.id for one in self._app_state.path if opens_turn(one)}.intersection(gone)
        if not asked:
            return self.tr("Delete answer")
        return self.tr("Delete question and answer") if len(gone) > 1 else self.tr("Delete question")

    def _add_context(self, menu: MessageEntries, message_id: str, plan: ContextPlan) -> None:
        """Add the possible changes to the message's place in the context."""
        if (index := plan.placement.messages.index_of(message_id)) is None:
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
        if (step := self._view.decorations.step) is None or step.message_id != message_id:
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
        if (turn := place.turn).start:
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
        if len(selected := self._view.selected_messages()) > 1:
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


log = logging.getLogger(__name__)

STEP_EVENTS = ("trimmed", "fresh_start", "summarised", "returned")


@dataclass(frozen=True, slots=True)
class StepText:
    """One step on the open branch. `message_id` is the question that caused it, `carrier` holds its boundary.

    `carrier` is None where no boundary was moved: a summary by hand, or a fresh start that the user asked for.
    `summary` is the one that stands for what was left out, `returned`: what was left out is sent again. `messages` 0:
    how many is not known. `documents`: names of those that left with them. `keeps_start`: the user moved the load line.
    """

    message_id: str
    carrier: str | None
    messages: int
    fresh: bool = False
    summary: Summary | None = None
    returned: bool = False
    detail: str = ""
    keeps_start: bool = False
    documents: Sequence[str] = ()
    undone: bool = False

    @property
    def is_trim(self) -> bool:
        """Messages were left out for lack of room, not by the user's wish, and nothing stands for them."""
        return self.carrier is not None and self.summary is None and not (self.fresh or self.returned)

    @property
    def words(self) -> str:
        """`38 older messages left out`; "" for a return whose figures did not come from another device."""
        return tr("{what} · undone later").format(what=self._told) if self.undone else self._told

    @property
    def _told(self) -> str:
        if self.summary is not None:
            return tr("{count} summarized").format(count=translated(older_messages(self.messages)))
        if self.returned:
            return translated(return_line(self.messages)) if self.messages else ""
        line = trim_line(self.messages, self.documents)
        told = translated(line) if self.messages else tr("Older messages left out")
        return tr("Started fresh: {what}").format(what=told) if self.fresh and not self.keeps_start else told


def steps_on(facts: PathFacts, events: Sequence[StoredEvent], choices: ContextChoices) -> tuple[StepText, ...]:
    """The steps on a path, oldest first; before those in force what was taken back after the answer shown came so."""
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
    carriers = {question: one for one, question in moved if question}
    steps = []
    for place in sorted(places[name] for name in {*stored, *carriers} if name in places):
        name = path[place].id
        if (step := _step(name, carriers.get(name), stored.get(name, ()), choices, places)) is not None:
            steps.append(step)
    begun = _begun_anew(facts, choices)
    if begun is not None and not any(step.fresh and step.carrier is None for step in steps):
        steps.append(begun)
    return tuple(sorted(steps, key=lambda step: not step.undone))


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
    message_id: str,
    carrier: Message | None,
    stored: Sequence[StoredEvent],
    choices: ContextChoices,
    shown: Container[str],
) -> StepText | None:
    by_kind = {entry.event.kind: entry for entry in stored}
    condensed = by_kind.get("summarised")
    summary = None
    if condensed is not None:
        made = [summary for summary in choices.summaries if summary.created <= condensed.at]
        summary = max(made, key=lambda summary: summary.created, default=None)
    taken_back = carrier is not None and carrier.id in choices.undone
    moved = None if carrier is None or taken_back else carrier.id
    fresh = "fresh_start" in by_kind and (moved is not None or (carrier is None and choices.fresh_from is not None))
    # the boundary tells its direction also where the figures are not here, as from a device of an older version
    returned = carrier is not None and carrier.window is not None and carrier.window.cause == "returned"
    kinds = ("summarised",) if summary is not None else ("returned",) if returned else STEP_EVENTS
    told = next((by_kind[kind] for kind in kinds if kind in by_kind), None)
    undone = taken_back and summary is None and told is not None and told.answer_id in shown
    if moved is None and not (fresh or undone) and summary is None:
        return None
    if told is None:
        return StepText(message_id, moved, 0, returned=returned)
    detail = translated(trim_detail(told.event.before, told.event.after, told.cost_usd))
    by_line = choices.keeps_start and carrier is None
    messages = told.event.messages
    return StepText(message_id, moved, messages, fresh, summary, returned, detail, by_line, undone=undone)


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
        self._explains = False  # the thread's first step says where the messages are
        self._assumed: list[str] = []  # that the limit which the newest step keeps is only assumed

    def refresh(self, _fact: object = None) -> None:
        """The branch, its choices or its events changed: the lines are read again."""
        self._app_state.start(self._read())

    def clear(self) -> None:
        """Nothing is open."""
        self._of, self.steps, self._path, self._explains = None, (), (), False
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
            case "delete":
                self._choices.delete(message_id)
            case "bring_back" | "pin":
                self.inspector_requested.emit("left_out")
            case "set_limit":
                self._composer.gauge.limit_requested.emit()
            case "stop_summary":
                self.stop_requested.emit()

    async def _read(self) -> None:
        services = await self._app_state.services()
        if (thread_id := self._app_state.thread_id) is None:
            return
        try:
            opened = await services.chat.open_thread(thread_id)
            events = await services.chat.journal.of(thread_id)
            facts, choices = self._app_state.facts.of(opened.path), opened.thread.choices
            steps = steps_on(facts, events, choices)
            prepared = await services.chat.prepared(thread_id) if steps and steps[-1].is_trim else None
        except PlimsollError as error:
            # the thread is gone, or the history can't be read, which whoever shows its messages says
            log.info("no steps to tell of: %s", error.failure.code)
            return
        plan = None
        if prepared is not None:
            plan = prepared.plan(())
            steps = (*steps[:-1], replace(steps[-1], documents=prepared.ready.documents_left))
        if self._app_state.is_open(thread_id):
            if thread_id != self._of:
                self._unfolded.clear()
            self._of, self._path, self.steps = thread_id, opened.path, steps
            self._explains = plan is not None and len(steps) == 1 and any(one.recalls for one in plan.request.tools)
            self._assumed = assumed_words(plan) if plan is not None else []
            self._show()

    def _show(self) -> None:
        newest = self.steps[-1] if self.steps else None
        ticks = {step.message_id: step.words for step in self.steps[:-1] if step.words}
        self._view.decorations.set_steps(self._line(newest) if newest is not None and newest.words else None, ticks)
        self._view.decorations.set_summaries(self._summaries())

    def _line(self, step: StepText) -> StepLine:
        open_now = step.message_id in self._unfolded
        actions = []
        if step.detail:
            actions.append(("hide", self.tr("Hide")) if open_now else ("show", self.tr("Show")))
        if step.summary is not None:
            actions.append((f"edit:{step.summary.id}", self.tr("Edit")))
        if not step.undone:
            actions.append(("undo", self.tr("Undo")))
        if step.returned or step.undone:
            return StepLine(step.message_id, step.words, actions, ((step.detail, ()),) if open_now else ())
        further = (("bring_back", self.tr("Bring back…")), ("pin", self.tr("Pin…")))
        told = [step.words, *map(translated, self._assumed if step.is_trim else ())]
        if self._assumed and step.is_trim:
            actions.insert(0, ("set_limit", self.tr("Set")))
        if self._explains:
            told.append(self.tr("Older messages stay here; the model can look them up"))
        words = " · ".join(told)
        return StepLine(step.message_id, words, actions, ((step.detail, further),) if open_now else ())

    def _summaries(self) -> dict[str, SummaryLine]:
        """The summaries of the open branch, each above the message that follows its sources."""
        thread, places = self._app_state.current, self._app_state.facts.of(self._path).places
        lines = {}
        for summary in thread.choices.summaries if thread is not None else ():
            if (after := places.get(summary.sources[-1], len(self._path)) + 1) < len(self._path):
                lines[self._path[after].id] = self._summary_line(summary)
        return lines

    def _summary_line(self, summary: Summary) -> SummaryLine:
        open_now = summary.id in self._unfolded
        count = translated(messages_of(len(summary.sources)))
        heading = self.tr("Conversation summary of {messages}").format(messages=count)
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
            left_out = trim_line(plan.placement.newly_left_out, plan.placement.leaving)
            return words.format(what=translated(left_out))
        cost = f", {plan_price(plan)}" if plan.price.cost_usd else ""
        words = self.tr("Undone. The next message sends {tokens} tokens{price}.")
        return words.format(tokens=thousands(plan.tokens.total), price=cost)

    async def _remove(self, summary_id: str) -> None:
        services, thread_id = await self._app_state.services(), self._app_state.thread_id
        if thread_id is not None:
            before = await services.chat.context_editing.remove_summary(thread_id, summary_id)
            self._view.footer.set_notice(None)
            self._choices.tell(self.tr("Summary removed"), thread_id, before)
