"""The quiet lines beside a thread: a cache gone cold, a history that can't be written, better answers than offline."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Signal

from desktop_app.controller.open_threads import OpenThread
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.plan_text import crossing_question
from desktop_app.core.context.summary_request import FEWEST, KEPT_TURNS
from desktop_app.core.events import SyncArrived, SyncChanged, ThreadChanged, TurnEnded, WritingChanged
from desktop_app.core.messages import Failure, Message
from desktop_app.core.model_catalog import shipped_models
from desktop_app.core.sync import SyncApart, SyncLine, SyncStatus
from desktop_app.ui.composer.composer import Composer
from desktop_app.ui.conversation.choices_presenter import SummaryRequests
from desktop_app.ui.i18n.language import parted, translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.transcript.message.decorations import StepLine
from desktop_app.ui.transcript.view import TranscriptView

SENT_STATES = ("whole", "annotated")


class ColdCacheNotice(QObject):
    """Shown while the newest plan asks (CTX-14); once it is closed, a thread's line stays away."""

    def __init__(self, app_state: AppState, composer: Composer, summary_requests: SummaryRequests) -> None:
        super().__init__(composer)
        self._app_state = app_state
        self._composer = composer
        self._summary_requests = summary_requests
        self._plan: ContextPlan | None = None
        self._closed: set[str] = set()

    def plan_changed(self, plan: ContextPlan | None) -> None:
        """Update the cost of the next message."""
        self._plan = plan
        thread_id = self._app_state.thread_id or ""
        asks = plan is not None and plan.advice.asks == "cold_reopen" and thread_id not in self._closed
        # without a summary to offer the gauge has said it already
        if plan is None or not asks or self._app_state.running or not _offers_summary(plan):
            self.hide()
            return
        # a calm line, whose price follows every key
        words = translated(crossing_question(plan))
        self._composer.cold_cache.say(words, button=self.tr("Summarize first"), aloud=False)

    def hide(self, _fact: object = None) -> None:
        """A message is on its way, or the line is closed."""
        if self._composer.cold_cache.words:
            self._composer.cold_cache.say("")

    def close(self) -> None:
        """The user has read it."""
        self._closed.add(self._app_state.thread_id or "")
        self.hide()

    def summarise(self) -> None:
        """Has everything but the beginning and the newest turns summarised."""
        if self._plan is not None:
            self._summary_requests.summarise(summarised_first(self._plan))
            self.hide()


def _offers_summary(plan: ContextPlan) -> bool:
    return any(option.action == "summarise" for option in plan.advice.options) and bool(summarised_first(plan))


def summarised_first(plan: ContextPlan) -> tuple[str, ...]:
    """The ids of what a summary would stand for; none where that is too little."""
    questions = [index for index, message in enumerate(plan.placement.messages) if message.asked]
    end = questions[-KEPT_TURNS] if len(questions) >= KEPT_TURNS else 0
    ids = tuple(message.id for message in plan.placement.messages[1:end] if message.state in SENT_STATES)
    return ids if len(ids) >= FEWEST else ()


THIS: Final = "keep_this_version"
OTHER: Final = "use_other_version"
UNARCHIVE: Final = "unarchive"
BRANCH: Final = "show_branch "
"""Followed by the message that the branch ends with."""
LONGEST_BUTTON, LONGEST_TOLD = 40, 1_000
"""Characters of another version on its button, and in the line."""


class SyncLines(QObject):
    """Tells in a thread, once, what a merge decided there: now where it is open, else when it is opened next.

    That it went on at another device is told until it goes on here, with a button for that branch; what was changed
    apart until it is decided, with a button for either version; that the thread is archived, as long as it is.
    """

    def __init__(self, app_state: AppState, view: TranscriptView) -> None:
        super().__init__(view)
        self._app_state = app_state
        self._view = view
        self._waiting: dict[str, str] = {}
        self._told: object = None
        self._archived = False

    def changed(self, fact: SyncChanged) -> None:
        """Shows what can be decided about the open thread by now."""
        if (now := self._of_open(fact.status)) != self._told and not self._app_state.running:
            if now == (None, None):
                self._view.footer.set_notice(None)
            self.show()

    def act(self, _message_id: str, action: str) -> None:
        """The words to click."""
        thread_id, (_, apart) = self._app_state.thread_id, self._of_open()
        if thread_id is None or self._app_state.running:
            return
        if action in (THIS, OTHER) and apart is not None:
            self._app_state.start(self._decide(apart, other=action == OTHER))
        elif action == UNARCHIVE:
            self._app_state.start(self._unarchive(thread_id))
        elif action.startswith(BRANCH):
            self._view.footer.set_notice(None)
            self._app_state.start(self._show_branch(thread_id, action.removeprefix(BRANCH)))

    async def _unarchive(self, thread_id: str) -> None:
        await (await self._app_state.services()).library.archive(thread_id, False)

    async def _show_branch(self, thread_id: str, tip: str) -> None:
        await (await self._app_state.services()).chat.show_branch(thread_id, tip)

    def thread_changed(self, fact: ThreadChanged) -> None:
        """The open thread was archived, or is so no more."""
        if self._app_state.is_open(fact.thread.id) and fact.thread.archived != self._archived:
            self._view.footer.set_notice(None)
            self.show()

    async def _decide(self, apart: SyncApart, *, other: bool) -> None:
        await (await self._app_state.services()).sync.decide(apart.kind, apart.id, other=other)

    def arrived(self, fact: SyncArrived) -> None:
        self._waiting |= {line.thread_id: line.words for line in fact.lines}
        self.show()

    def _of_open(self, status: SyncStatus | None = None) -> tuple[SyncLine | None, SyncApart | None]:
        """The branch on which the open thread went on elsewhere, and what was changed apart of it."""
        if status is None:
            status = services.sync.status() if (services := self._app_state.ready) is not None else SyncStatus()
        thread_id, path = self._app_state.thread_id, self._app_state.path
        lines = (one for one in reversed(status.elsewhere) if one.thread_id == thread_id)
        line = next((one for one in lines if all(one.tip != message.id for message in path)), None)
        return line, next((one for one in status.apart if one.id == thread_id), None)

    def show(self, _opened: object = None) -> None:
        """A thread was opened, or something has come."""
        thread = self._app_state.current
        if thread is None or self._app_state.running:
            return
        line, apart = self._told = self._of_open()
        words = translated(self._waiting.pop(thread.id, "" if line is None else line.words))
        actions: tuple[tuple[str, str], ...] = ()
        if line is not None:
            actions = ((BRANCH + line.tip, self.tr("Show that branch")),)
        self._archived = thread.archived
        if apart is not None:
            words, use = " · ".join(filter(None, (words, translated(apart.words)))), self.tr("Use the other")
            texts = dict.fromkeys(" ".join(text.split())[:LONGEST_TOLD] for _, text in apart.fields if text)
            if len(texts) == 1 and len(text := next(iter(texts))) <= LONGEST_BUTTON:
                use = self.tr("Use “{text}”").format(text=text)
            elif texts:  # the line says it where there is room, its tip and a screen reader in full
                words += " · " + self.tr("The other: {text}").format(text=", ".join(texts))
            actions += ((OTHER, use), (THIS, self.tr("Keep this")))
        elif self._archived and not words:
            words, actions = self.tr("Archived"), ((UNARCHIVE, self.tr("Unarchive")),)
        if words:  # else what stands there goes on to do so
            self._view.footer.set_notice(words, actions)


class UnwritableNotice(QObject):
    """Says it once; closed, the line comes back with the next thing that can't be saved."""

    def __init__(self, composer: Composer) -> None:
        super().__init__(composer)
        self._composer = composer
        self._shown = False

    def changed(self, fact: WritingChanged) -> None:
        """Take the change in the history's state: it can be written now, or can't be any more."""
        if fact.problem is not None:
            self.show_problem(fact.problem)
        elif self._shown:
            self._composer.line("unwritable").say("")

    def show_problem(self, failure: Failure) -> None:
        """Something could not be saved."""
        what, _ = parted(failure.message)
        rest = self.tr("You can read, search and export. What you type stays here and is saved as soon as possible.")
        self._composer.line("unwritable").say(f"{what}. {rest}")
        self._shown = True


ACTION: Final = "open_connections"


class OfflineHint(QObject):
    """Two lines per thread, beneath the first answer that the shipped model gave there."""

    connections_requested = Signal()

    def __init__(self, app_state: AppState, view: TranscriptView) -> None:
        super().__init__(view)
        self._app_state = app_state
        self._view = view

    def show_opened(self, opened: OpenThread) -> None:
        """Shows the lines of the thread that was opened, or none."""
        self._show(opened.path)

    def clear(self) -> None:
        """Nothing is open."""
        self._view.decorations.set_hint(None)

    def turn_ended(self, ended: TurnEnded) -> None:
        """The first answer may be there now."""
        if self._app_state.is_open(ended.thread_id):
            self._app_state.start(self._read(ended.thread_id))

    def act(self, _message_id: str, action: str) -> None:
        """The words to click."""
        if action == ACTION:
            self.connections_requested.emit()

    async def _read(self, thread_id: str) -> None:
        services = await self._app_state.services()
        opened = await services.chat.open_thread(thread_id)
        if self._app_state.is_open(thread_id):
            self._show(opened.path)

    def _show(self, path: tuple[Message, ...]) -> None:
        small = shipped_models("local")[0].id
        place = self._app_state.facts.of(path).first_answers.get(small)
        first = None if place is None else path[place]
        if first is None or first.backend != "local" or first.state != "complete":
            self._view.decorations.set_hint(None)
            return
        better = self.tr("A larger GGUF file or an API key gives real answers.")
        further = ((better, ((ACTION, self.tr("Set up a connection")),)),)
        words = self.tr("This tiny model is often wrong.")
        self._view.decorations.set_hint(StepLine(first.id, words, (), further))
