"""The content and actions of the inspector's Messages tab: the plan's rows, the user's choices, the way back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from desktop_app.controller.context_editing import ContextEditing
from desktop_app.controller.open_threads import OpenThread
from desktop_app.core.context.context_choices import NO_CHOICES, ContextChoices
from desktop_app.core.context.dead_weight import DeadWeight, dead_weight
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.plan_questions import cheapest_writer, summary_price
from desktop_app.core.context.sent_content import opens_turn
from desktop_app.core.context.summary_request import FEWEST, summarisable, summary_size
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import MessageAdded, TurnEnded, TurnFailed, TurnStarted
from desktop_app.core.messages import Message, Thread
from desktop_app.core.model_catalog import shipped_models
from desktop_app.ui.i18n.content_words import price, thousands
from desktop_app.ui.i18n.language import grouped
from desktop_app.ui.inspector.inspector_pane import InspectorPane
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.transcript.view import TranscriptView

MOST: Final = 100
"""Changes that can be taken back."""


class ChoiceHistory:
    """Every change of the open thread's choices, wherever it was made, since the thread was opened."""

    def __init__(self) -> None:
        self.thread_id: str | None = None
        self.now: ContextChoices = NO_CHOICES
        self._undo: list[ContextChoices] = []
        self._redo: list[ContextChoices] = []
        self._expected: list[ContextChoices] = []

    @property
    def can_undo(self) -> bool:
        return bool(self._undo)

    @property
    def can_redo(self) -> bool:
        return bool(self._redo)

    def take(self, thread: Thread | None) -> None:
        """Take the thread as it is now; None: nothing is open. Another thread begins a new history."""
        thread_id = None if thread is None else thread.id
        choices = NO_CHOICES if thread is None else thread.choices
        if thread_id != self.thread_id:
            self.thread_id, self.now = thread_id, choices
            self._undo, self._redo, self._expected = [], [], []
        elif self._expected and choices == self._expected[0]:
            # a step back or forth has been stored; further ones may be under way
            self._expected.pop(0)
        elif choices != self.now and not self._expected:
            self._undo = [*self._undo, self.now][-MOST:]
            self._redo.clear()
            self.now = choices

    def back(self) -> ContextChoices | None:
        """The choices to restore for one step back, None where there is none."""
        return self._step(self._undo, self._redo)

    def forth(self) -> ContextChoices | None:
        """The choices to restore for one step forth again."""
        return self._step(self._redo, self._undo)

    def forget_step(self, choices: ContextChoices) -> None:
        """A step could not be stored."""
        if choices in self._expected:
            self._expected.remove(choices)

    def _step(self, source: list[ContextChoices], target: list[ContextChoices]) -> ContextChoices | None:
        if not source:
            return None
        target.append(self.now)
        self.now = source.pop()
        self._expected.append(self.now)
        return self.now


def whole_turns(path: Sequence[Message], ids: Iterable[str]) -> list[str]:
    """The ids of the turns that these messages belong to, in path order."""
    wanted = set(ids)
    chosen: list[str] = []
    turn: list[str] = []
    asked = False
    for message in path:
        opens = opens_turn(message)
        # questions in a row are answered together: they are one turn
        if opens and not asked:
            chosen += turn if wanted.intersection(turn) else ()
            turn = []
        turn.append(message.id)
        asked = opens
    return [*chosen, *turn] if wanted.intersection(turn) else chosen


FOLLOW_MS = 60
"""Milliseconds the selection must rest before the transcript follows: a held arrow key passes over many."""


class MessagesPresenter(QObject):
    """Feeds the Messages tab while it is looked at."""

    path_changed = Signal(object)  # tuple[Message, ...]: the open branch
    exclusion_wanted = Signal(object)  # list of message ids, of whole turns
    leaving_wanted = Signal(object, bool)  # the same, and if they leave at once
    summary_wanted = Signal(object)  # list of message ids

    def __init__(self, app_state: AppState, pane: InspectorPane, view: TranscriptView) -> None:
        super().__init__(pane)
        self._app_state = app_state
        self._pane = pane
        self._tab = pane.messages
        self._view = view
        self._plan: ContextPlan | None = None
        self._shown: ContextPlan | None = None
        self._messages: dict[str, Message] = {}
        self._path: tuple[Message, ...] = ()
        self._path_is_new = True  # nothing is shown yet, not even that there is no plan
        self._history = ChoiceHistory()
        self._asked: list[str] = []
        self._cheaper = ""
        self._reached: str | None = None
        self._weighed: object = None
        self._weighing = False
        self._follow = QTimer(self, singleShot=True, interval=FOLLOW_MS)
        self._follow.timeout.connect(self._point_out)
        tab = self._tab
        tab.view.message_reached.connect(self._reach)
        tab.view.jump_requested.connect(self.jump)
        tab.pin_requested.connect(self.pin)
        tab.unpin_requested.connect(self.unpin)
        tab.exclude_requested.connect(self.exclude)
        tab.bring_back_requested.connect(self.bring_back)
        tab.fresh_start_requested.connect(self.start_fresh)
        tab.leaving_requested.connect(lambda ids, at_once: self.leaving_wanted.emit(self._turns_of(ids), at_once))
        tab.summarise_requested.connect(self.ask_summary)
        tab.view.undo_requested.connect(self.undo)
        tab.view.redo_requested.connect(self.redo)
        tab.bar.accepted.connect(self._accept_summary)
        tab.bar.other_accepted.connect(self._accept_cheaper_if_asked)
        tab.bar.refused.connect(self._refuse_summary)

    # --- facts

    def begin(self, plan: ContextPlan | None) -> None:
        """The inspector was just made: what is open now is read."""
        self._plan = plan
        if self._app_state.current is not None:
            self._take_thread(self._app_state.current)
        self._read_again()
        self.look()

    def show_opened(self, opened: OpenThread) -> None:
        """A thread was opened, or read again."""
        self._take_thread(opened.thread)
        self._take_path(opened.path)

    def thread_made(self, thread: Thread) -> None:
        """Take the thread that the text being written has become."""
        self._take_thread(thread)
        self._take_path(())

    def clear(self) -> None:
        """Nothing is open."""
        self._take_thread(None)
        self._take_path(())

    def thread_changed(self, thread: Thread) -> None:
        """Facts of the open thread changed, perhaps its choices: whoever changed them, it can be undone here."""
        self._take_thread(thread)

    def path_grew(self, fact: MessageAdded | TurnStarted | TurnEnded | TurnFailed) -> None:
        """A message came or changed."""
        thread_id = fact.message.thread_id
        if self._app_state.is_open(thread_id):
            self._read_again()

    def plan_changed(self, plan: ContextPlan | None) -> None:
        """The newest plan; shown while somebody looks."""
        self._plan = plan
        self.look()

    def look(self, _tab: object = None) -> None:
        """Shows the newest plan if the tab is looked at."""
        if not self._tab.isVisible() or (self._plan is self._shown and not self._path_is_new):
            return
        self._shown = self._plan
        self._tab.show_plan(self._plan, self._messages)
        if not self._weighing:
            self._weighing = True
            self._app_state.look(self._weigh())
        if self._path_is_new:
            self._path_is_new = False
            self._tab.view.viewport().update()

    def leave(self) -> None:
        """The inspector is closed, or another tab is looked at."""
        self._follow.stop()
        self._view.navigation.point_out(None)

    # --- the user's wishes

    def jump(self, message_id: str) -> None:
        """Takes the reader to a message."""
        if self._view.navigation.scroll_to_message(message_id):
            self._follow.stop()
            self._view.setFocus(Qt.FocusReason.OtherFocusReason)
            self._view.navigation.point_out(message_id)

    def pin(self, ids: Sequence[str]) -> None:
        self._change(lambda to, thread: to.pin(thread, self._turns_of(ids)))

    def unpin(self, ids: Sequence[str]) -> None:
        self._change(lambda to, thread: to.unpin(thread, self._turns_of(ids)))

    def exclude(self, ids: Sequence[str]) -> None:
        self.exclusion_wanted.emit(self._turns_of(ids))

    def bring_back(self, ids: Sequence[str]) -> None:
        turns, path = self._turns_of(ids), [message.id for message in self._path]
        plan = self._plan
        deleted = {placed.id for placed in plan.placement.messages if placed.deleted} if plan is not None else set()
        if gone := deleted.intersection(turns):
            self._change(lambda to, thread: to.undelete(thread, gone, path))
        undeleted = self._turns_of(list(gone))  # with the rest of a turn that was deleted in part nothing else happens
        if kept := [one for one in turns if one not in undeleted]:
            self._change(lambda to, thread: to.bring_back(thread, kept))

    def start_fresh(self, message_id: str | None) -> None:
        """Leaves out everything up to and including the turn of this message; None takes that back."""
        self._change(lambda to, thread: to.start_fresh(thread, message_id))

    def undo(self) -> None:
        """Takes the last change of the choices back."""
        self._restore(self._history.back())

    def redo(self) -> None:
        """Makes the change again that was taken back last."""
        self._restore(self._history.forth())

    def ask_summary(self, ids: Sequence[str]) -> None:
        """Says what a summary of these messages would cost, before it is written."""
        plan, bar = self._plan, self._tab.bar
        turns = self._turns_of(ids)
        able = summarisable([self._messages[one] for one in turns if one in self._messages])
        if plan is None or not able:
            words = self.tr("A summary needs at least {count} messages with text. Select more.")
            bar.tell(words.format(count=FEWEST), no=self.tr("Close"))
            self._tab.view.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self._asked = list(able)
        self._tab.select(able)
        wanted = frozenset(able)
        tokens = sum(placed.whole for placed in plan.placement.messages if placed.id in wanted)
        size = summary_size(plan.limits)
        words = self.tr("Summarize {count} messages, {tokens} tokens, in at most {size}").format(
            count=grouped(len(able)), tokens=thousands(tokens), size=thousands(size)
        )
        cost = summary_price(plan.writer, tokens, size) if self._is_priced(plan) else None
        cheaper = cheapest_writer(shipped_models(plan.backend), plan.writer, tokens, size) if cost else None
        self._cheaper = cheaper[0].id if cheaper is not None else ""
        other = (
            self.tr("Use {model} · {price}").format(model=cheaper[0].name, price=price(*cheaper[1])) if cheaper else ""
        )
        words = f"{words} · {price(*cost)}" if cost else words
        bar.tell(words, self.tr("Summarize"), self.tr("Cancel"), other)

    # --- inside

    async def _weigh(self) -> None:
        """Finds dead weight once for each end of the path, boundary and choice: not between keystrokes."""
        try:
            while self._weighed != (weighed := self._weighed_of()):
                plan, messages = self._plan, self._messages
                found = () if plan is None else await asyncio.to_thread(dead_weight, plan, messages)
                if plan is None or not self._is_priced(plan):
                    found = tuple(replace(one, turn_usd=None) for one in found)
                else:
                    found = await self._with_price(found)
                self._weighed = weighed
                if weighed == self._weighed_of():
                    self._tab.show_unused(found)
        finally:
            self._weighing = False

    async def _with_price(self, found: Sequence[DeadWeight]) -> tuple[DeadWeight, ...]:
        """The same with the price of leaving each out now, where that pays."""
        services, thread = self._app_state.ready, self._app_state.current
        if services is None or thread is None or not any(one.pays for one in found):
            return tuple(found)
        prepared = await services.chat.prepared(thread.id)
        turns = {one.id: self._turns_of([one.id]) for one in found if one.pays and not one.leaves}
        prices = await asyncio.to_thread(lambda: {one: prepared.leaving_usd(ids) for one, ids in turns.items()})
        return tuple(replace(one, leaving_usd=prices.get(one.id)) for one in found)

    def _weighed_of(self) -> object:
        placed = None if self._plan is None else self._plan.placement
        return self._path[-1:], placed and (placed.boundary, placed.messages.start), self._history.now

    def _turns_of(self, ids: Sequence[str]) -> list[str]:
        return whole_turns(self._path, ids)

    def _is_priced(self, plan: ContextPlan) -> bool:
        services = self._app_state.ready
        backend = services.backends.get(plan.backend) if services is not None else None
        return backend is not None and backend.cost_kind == "money"

    def _accept_cheaper_if_asked(self) -> None:
        if self._asked:
            self._app_state.start(self._accept_cheaper())

    async def _accept_cheaper(self) -> None:
        """The cheaper model writes this summary and all later ones."""
        services = await self._app_state.services()
        await services.preferences.set_value("context.summary_model", self._cheaper)
        self._accept_summary()

    def _accept_summary(self) -> None:
        asked, self._asked = self._asked, []
        self._refuse_summary()
        if asked:
            self.summary_wanted.emit(asked)

    def _refuse_summary(self) -> None:
        self._asked = []
        self._tab.bar.tell("")
        self._tab.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _change(self, change: Callable[[ContextEditing, str], Awaitable[object]]) -> None:
        if self._history.thread_id is not None:
            self._app_state.start(self._changed(self._history.thread_id, change))

    async def _changed(self, thread_id: str, change: Callable[[ContextEditing, str], Awaitable[object]]) -> None:
        services = await self._app_state.services()
        await change(services.chat.context_editing, thread_id)

    def _restore(self, choices: ContextChoices | None) -> None:
        if choices is not None and self._history.thread_id is not None:
            self._app_state.start(self._restored(self._history.thread_id, choices))

    async def _restored(self, thread_id: str, choices: ContextChoices) -> None:
        services = await self._app_state.services()
        try:
            await services.chat.context_editing.restore(thread_id, choices)
        except PlimsollError:
            self._history.forget_step(choices)
            raise

    def _reach(self, message_id: str) -> None:
        self._reached = message_id
        self._follow.start()

    def _point_out(self) -> None:
        if self._tab.isVisible():
            self._view.navigation.point_out(self._reached)

    def _take_thread(self, thread: Thread | None) -> None:
        history = self._history
        if thread is None or thread.id != history.thread_id:
            self._refuse_if_asked()
        history.take(thread)
        fresh_from = None if history.now.keeps_start else history.now.fresh_from
        self._tab.show_choices(history.now.summaries, fresh_from)
        self._tab.can_undo, self._tab.can_redo = history.can_undo, history.can_redo

    def _refuse_if_asked(self) -> None:
        if self._asked:
            self._asked = []
            self._tab.bar.tell("")

    def _take_path(self, path: tuple[Message, ...]) -> None:
        if path is self._path:
            return
        self._path = path
        self._messages = {message.id: message for message in path}
        self._path_is_new = True
        self.path_changed.emit(path)
        self.look()

    def _read_again(self) -> None:
        if self._app_state.thread_id is not None:
            self._app_state.start(self._read(self._app_state.thread_id))

    async def _read(self, thread_id: str) -> None:
        services = await self._app_state.services()
        opened = await services.chat.open_thread(thread_id)
        if self._app_state.is_open(thread_id):
            self._take_thread(opened.thread)
            self._take_path(opened.path)
