"""The transcript's content: open branch, the load line's place, the growing answer, and the heights kept of threads."""

from __future__ import annotations

import asyncio
import math
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Final, Literal

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QFontMetricsF

from desktop_app.controller.open_threads import OpenThread
from desktop_app.core import events
from desktop_app.core.citations import marked_documents
from desktop_app.core.context.plan import ContextPlan, PlacedMessage, PlacedPath, PlacedState
from desktop_app.core.errors import waiting_for
from desktop_app.core.events import QUIET_S
from desktop_app.core.messages import Message, Part, TextPart, ThinkingPart, Thread, ToolCallPart, ToolResultPart
from desktop_app.core.phrases import phrase, value_of
from desktop_app.ui.i18n.content_words import dollars
from desktop_app.ui.i18n.language import grouped, tr, translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.bridge import Bridge
from desktop_app.ui.state.window_state import LeftPlace, WindowState
from desktop_app.ui.threads.thread_list_model import ThreadListModel
from desktop_app.ui.transcript.canvas.height_files import HeightFiles, StoredHeights
from desktop_app.ui.transcript.items.item import TextStyle
from desktop_app.ui.transcript.items.line_items import SEPARATOR
from desktop_app.ui.transcript.message.decorations import ALWAYS_SENT, PINNED
from desktop_app.ui.transcript.message.row_builder import is_results
from desktop_app.ui.transcript.message.tool_rows import STATUS, AnswerStatus
from desktop_app.ui.transcript.view import TranscriptView
from desktop_app.ui.widgets.parts import single_shot

LEFT_OUT_STATES = frozenset(("left_out", "excluded", "summarised"))
MARKS: Mapping[PlacedState, str] = {"excluded": phrase("Excluded"), "summarised": phrase("Summarized")}
"""States that a word above the first message of a run names: elsewhere they could not be told from a trim."""


class PlacedReasons(Mapping[str, str]):
    """The words on messages, by id, kept as ranges of the path: looking one up costs the same in any thread."""

    def __init__(self, placed: PlacedPath, ranges: tuple[tuple[int, int, str], ...]) -> None:
        """`ranges`: first place, end and words, in path order."""
        self._placed, self._ranges = placed, ranges

    def __getitem__(self, message_id: str) -> str:
        index = self._placed.index_of(message_id)
        at = -1 if index is None else bisect_right(self._ranges, index, key=itemgetter(0)) - 1
        if index is None or at < 0 or index >= self._ranges[at][1]:
            raise KeyError(message_id)
        return self._ranges[at][2]

    def __len__(self) -> int:
        return sum(end - first for first, end, _ in self._ranges)

    def __iter__(self) -> Iterator[str]:
        return (self._placed[index].id for first, end, _ in self._ranges for index in range(first, end))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PlacedReasons):
            return isinstance(other, Mapping) and dict(self) == other
        return self._ranges == other._ranges and self._edges == other._edges

    __hash__ = None  # type: ignore[assignment]

    @property
    def _edges(self) -> list[str]:
        """The ids at which the ranges begin and end: those of another path are others."""
        return [self._placed[index].id for first, end, _ in self._ranges for index in (first, end - 1)]


@dataclass(frozen=True, slots=True)
class Placement:
    """`line`: the message that the load line stands above (None: no line). The mappings are by message id.

    `last_left_out`: the newest message that is not sent as it is, "" where everything is.
    """

    line: str | None
    reasons: Mapping[str, str]
    marks: Mapping[str, str]
    last_left_out: str = ""


NOTHING_LEFT_OUT = Placement(None, {}, {})


def read_placement(plan: ContextPlan, *, next_id: str | None = None) -> Placement:
    """Return where the model's view begins under this plan, and the words on each message.

    `next_id`: the message that came after those of the plan, which the line stands above if none of them is sent.
    """
    # a thread may have ten thousand messages, and this runs between two frames: runs of them, never each
    placed = plan.placement.messages
    spans = [span for span in placed.spans if not span.row.deleted]
    missing = [span for span in spans if span.row.state in LEFT_OUT_STATES]
    line = max([placed.start, *(span.end for span in missing if span.row.state == "left_out")])
    if not (missing and missing[0].first < line):
        line = 0  # nothing above it is left out
    marks: dict[str, str] = {}
    ranges: list[tuple[int, int, str]] = []
    before = ""
    for span in spans:
        if (state := span.row.state) in LEFT_OUT_STATES:
            ranges.append((span.first, span.end, span.row.reason))
            if state in MARKS and state != before:
                marks[span.row.id] = translated(MARKS[state])
        elif state == "pinned":
            ranges.append((span.first, span.end, PINNED))
        elif span.first < line:
            ranges.append((span.first, min(span.end, line), ALWAYS_SENT))
        before = state
    if not ranges:
        return NOTHING_LEFT_OUT
    shown = None
    if line:
        below = next((max(span.first, line) for span in spans if span.end > line), None)
        shown = next_id if below is None else placed[below].id
    last = placed[missing[-1].end - 1].id if missing else ""
    return Placement(shown, PlacedReasons(placed, tuple(ranges)), marks, last)


PASSING: Final = frozenset({"retry", "check", "loading_model", "overflow"})
"""Notices of what an answer waits for: they go when it comes."""
TRY_NOW: Final = "try_now"
STOP_WAITING: Final = "stop_waiting"
ASK_ANEW: Final = "ask_anew"
ALLOW_SECRETS: Final = "allow_secrets"
REVIEW_TOOLS: Final = "review_tools"
SERVER_SAID: Final = "server_said"
SECOND_MS: Final = 1_000


@dataclass(slots=True)
class _Awaited:
    """An answer awaited in a thread. `since`, `until`, `heard`: on the clock.

    The next attempt is made by itself `until` then; something of it came last when it was `heard`. `calls`: ids of
    those whose results it waits for.
    """

    model: str
    since: float
    heard: float = 0.0
    calls: set[str] = field(default_factory=set)
    now: bool = True  # False: the answer is coming, and may stop for a tool
    code: str = ""
    message: str = ""
    until: float = 0.0
    said: str = ""
    can_hurry: bool = False
    unfolded: bool = False
    is_told: bool = False
    """A screen reader was told that it stands still."""


class WaitingLine(QObject):
    """Follows every thread, so that one that is opened again says how long it has waited; shows the open one.

    An answer that has begun and stands still is told of, too; it is never stopped by itself.
    """

    again_wanted = Signal(str)  # thread whose answer was stopped to be asked for again

    def __init__(
        self, app_state: AppState, view: TranscriptView, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(view)
        self._app_state = app_state
        self._view = view
        self.clock = clock
        self._awaited: dict[str, _Awaited] = {}
        self._progress: dict[str, events.TurnProgressed] = {}
        self._status = AnswerStatus()
        self._behind = False  # whether it stands behind the answer, not in its place
        self._second = QTimer(self, interval=SECOND_MS)
        self._second.timeout.connect(self.show)
        self._quiet = QTimer(self, singleShot=True)
        self._quiet.timeout.connect(self.show)
        view.row_actions.action_requested.connect(self.act)

    @property
    def ticking(self) -> bool:
        """True while the time is being counted in view."""
        return self._second.isActive()

    def begin(self, thread_id: str, model: str) -> None:
        """A request has left."""
        before = self._awaited.get(thread_id)
        awaited = self._awaited[thread_id] = _Awaited(model, self.clock())
        if before is not None and before.code == "overflow":  # it says why there is another request
            awaited.code, awaited.message = before.code, before.message
        self.show()

    def came(self, thread_id: str, part: Part | None = None) -> None:
        """The answer is coming; `part`: a whole one of it."""
        if (awaited := self._awaited.get(thread_id)) is None:
            return
        if isinstance(part, ToolCallPart):
            awaited.calls.add(part.id)
        elif isinstance(part, ToolResultPart):
            awaited.calls.discard(part.call_id)
        was_quiet, awaited.heard = self._is_quiet(awaited), self.clock()
        if awaited.now or was_quiet:
            awaited.now = False
            self.show()

    def stirred(self, stirred: events.AnswerStirred) -> None:
        """More of the answer came, and is shown later."""
        if (awaited := self._awaited.get(stirred.thread_id)) is not None:
            awaited.heard = self.clock()
            self.show()

    def again(self, thread_id: str, call_id: str = "") -> None:
        """Wait again for the answer: what the model asked for goes back to it."""
        if (awaited := self._awaited.get(thread_id)) is not None:
            now = self.clock()
            self._awaited[thread_id] = _Awaited(awaited.model, now, now, awaited.calls - {call_id})
            self.show()

    def reset(self, thread_id: str) -> None:
        """Wait again, as the text that came is superseded; why, a notice may have said before."""
        if (awaited := self._awaited.get(thread_id)) is not None and awaited.now:
            self.show()
        else:
            self.again(thread_id)

    def noticed(self, notice: events.NoticeRaised) -> bool:
        """Takes a notice of what the answer waits for; False where none is awaited."""
        if (awaited := self._awaited.get(notice.thread_id)) is None or notice.code not in PASSING:
            return False
        if not awaited.now:
            awaited.now, awaited.since = True, self.clock()
        if notice.code == awaited.code == "loading_model":
            return True  # how long it takes is counted here
        awaited.code, awaited.message, awaited.said = notice.code, notice.message, notice.detail
        awaited.until = self.clock() + (value_of(notice.message, "seconds") or 0) if notice.code == "retry" else 0.0
        awaited.can_hurry = notice.can_hurry
        self.show()
        if self._app_state.is_open(notice.thread_id):
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._view, translated(notice.message)))
        return True

    def progressed(self, progress: events.TurnProgressed) -> None:
        """The turn has called another tool: its sum is told with the next words."""
        self._progress[progress.thread_id] = progress

    def over(self, thread_id: str) -> None:
        """Nothing more is coming."""
        self._awaited.pop(thread_id, None)
        self._progress.pop(thread_id, None)
        self.show()

    def show(self) -> None:
        """Shows how it stands in the open thread, now and with every second."""
        awaited = self._awaited.get(self._app_state.thread_id or "")
        is_quiet = awaited is not None and self._is_quiet(awaited)
        if awaited is None or not (awaited.now or is_quiet):
            self._second.stop()
            self._show_behind("")
            if awaited is not None:
                awaited.is_told = False
            if awaited is not None and not awaited.calls:
                self._quiet.start(math.ceil(1_000 * (awaited.heard + QUIET_S - self.clock())))
            return
        actions = []
        if awaited.until > self.clock():
            actions = [(STOP_WAITING, self.tr("Stop")), (TRY_NOW, self.tr("Try now"))][: 1 + awaited.can_hurry]
        if awaited.said:
            words = self.tr("Hide what the server said") if awaited.unfolded else self.tr("Show what the server said")
            actions.append((SERVER_SAID, words))
        words = self._words(awaited)
        if is_quiet and not (awaited.now and awaited.message):
            actions = [(STOP_WAITING, self.tr("Stop")), (ASK_ANEW, self.tr("Try again"))]
            if not awaited.is_told:
                awaited.is_told = True
                QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._view, words))
        said = awaited.said if awaited.unfolded else ""
        shown = self._show_status(words, actions, said)
        self._show_behind(words if (awaited.message or not awaited.now) and not shown else "", actions)
        if not self._second.isActive():
            self._second.start()

    def act(self, _message_id: str, action: str) -> None:
        """A word of the line was clicked."""
        thread_id = self._app_state.thread_id or ""
        if (awaited := self._awaited.get(thread_id)) is None:
            return
        if action == TRY_NOW:
            awaited.until, awaited.can_hurry = 0.0, False
            self._app_state.start(self._try_now(thread_id))
        elif action == SERVER_SAID:
            awaited.unfolded = not awaited.unfolded
        elif action in (STOP_WAITING, ASK_ANEW):
            self._app_state.start(self._stop(thread_id, again=action == ASK_ANEW))
        else:
            return
        self.show()

    def _show_status(self, words: str, actions: Sequence[tuple[str, str]], said: str) -> bool:
        """Shows it in the answer that is awaited; False where its text stands already."""
        view, metrics = self._view, QFontMetricsF(self._view.text_style.small.font)
        needed = metrics.horizontalAdvance(SEPARATOR.join((words, *(told for _, told in actions))))
        self._status.show(words, actions, said, narrow=needed > view.row_layout.width)
        shown = False
        for message_id in view.growing:
            layout = view.path.layout_of(message_id)
            layout.status = self._status
            layout.arrange()
            shown |= any(row.decoration == STATUS for row in layout.rows)
        view.auto_scroll.show_changes()
        return shown

    def _show_behind(self, words: str, actions: Sequence[tuple[str, str]] = ()) -> None:
        """Says it behind an answer that has begun; "": no more."""
        if words or self._behind:
            self._view.footer.set_notice(words or None, actions)
        self._behind = bool(words)

    def _is_quiet(self, awaited: _Awaited) -> bool:
        """True where nothing came for long that could have come: no tool is run, and nobody is asked."""
        return not awaited.calls and self.clock() - max(awaited.since, awaited.heard) >= QUIET_S

    async def _stop(self, thread_id: str, *, again: bool) -> None:
        await (await self._app_state.services()).chat.stop(thread_id)
        if again:
            self.again_wanted.emit(thread_id)

    async def _try_now(self, thread_id: str) -> None:
        (await self._app_state.services()).chat.retry_now(thread_id)

    def _words(self, awaited: _Awaited) -> str:
        now = self.clock()
        if not awaited.now:
            return self.tr("Nothing has come for {time}").format(time=_duration(int(now - awaited.heard)))
        if awaited.until > now:
            return translated(waiting_for(awaited.message, math.ceil(awaited.until - now)))
        words = self.tr("Waiting for {model}").format(model=awaited.model) if awaited.model else self.tr("Waiting")
        if awaited.code == "retry":
            words = translated(waiting_for(awaited.message, 0))
        elif awaited.message:
            words = translated(awaited.message)
        passed = int(now - awaited.since)
        said = [words, sum_words(self._progress.get(self._app_state.thread_id or ""))]
        return " · ".join(filter(None, [*said, _duration(passed) if passed >= 1 else ""]))


SUM_FROM_USD = 0.05
SUM_FROM_CALLS = 5
"""From where on the sum of a running turn is told; by its calls where nothing is paid for them."""


def sum_words(progress: events.TurnProgressed | None) -> str:
    """The running sum of a turn: `12 calls · $0.08`; "" while it is small."""
    if progress is None:
        return ""
    calls = (tr("1 call") if progress.calls == 1 else tr("{count} calls")).format(count=grouped(progress.calls))
    if progress.usd is None:
        return calls if progress.calls >= SUM_FROM_CALLS else ""
    return f"{calls} · {dollars(progress.usd)}" if progress.usd >= SUM_FROM_USD else ""


def _duration(seconds: int) -> str:
    if seconds < 60:
        return tr("{seconds} s").format(seconds=seconds)
    return tr("{minutes} min {seconds} s").format(minutes=seconds // 60, seconds=seconds % 60)


TOLD_ELSEWHERE = {"imitated_note", "trimmed", "returned", "summarised", "summary_failed", "plan"}
"""Notices of what has a line of its own: a step beneath its question, a summary while it is written, the gauge."""
BOUNDARY_AT = 0.4
"""The share of the view at which the load line comes to stand: some of the messages left out and sent can be seen."""


class TranscriptPresenter(QObject):
    """Facts of the open thread go into the view; those of other threads don't matter to it."""

    tools_wanted = Signal()  # what a server changed is to be looked at

    def __init__(self, app_state: AppState, view: TranscriptView, state: WindowState | None = None) -> None:
        """`state` remembers where threads were left; None: nothing does."""
        super().__init__(view)
        self._app_state = app_state
        self._view = view
        self._placed: Sequence[PlacedMessage] = ()
        self._placement: Placement | None = None  # not known
        self._tail: tuple[Message, ...] = ()
        self._shown_of: str | None = None
        self._state = state
        self._is_private = False  # of the thread that is shown
        self._passing = False  # whether the notice shown goes when the answer comes
        self._removed: tuple[str, ...] = ()  # keyed hashes of what the notice says was taken out
        view.row_actions.action_requested.connect(self.act)
        self._asking: dict[str, str] = {}  # thread -> the call that waits for the user
        self._going_on = False  # whether the next answer belongs to the turn before it
        self.waiting = WaitingLine(app_state, view)

    def listen(self, bridge: Bridge) -> None:
        """Shows what is announced from now on."""
        bridge.subscribe(events.MessageAdded, self.message_added)
        bridge.subscribe(events.TurnStarted, self.turn_started)
        bridge.subscribe(events.AnswerGrew, self.answer_grew)
        bridge.subscribe(events.AnswerPartFinished, self.part_finished)
        bridge.subscribe(events.AnswerStirred, self.waiting.stirred)
        bridge.subscribe(events.AnswerReset, self.answer_reset)
        bridge.subscribe(events.ToolAnswered, self.tool_answered)
        bridge.subscribe(events.AnswerContinued, self.answer_continued)
        bridge.subscribe(events.TurnProgressed, self.waiting.progressed)
        bridge.subscribe(events.TurnPaused, lambda paused: self.waiting.came(paused.thread_id))
        bridge.subscribe(events.ConsentAsked, self.consent_asked)
        bridge.subscribe(events.TurnResumed, self.resumed)
        bridge.subscribe(events.NoticeRaised, self.notice_raised)
        bridge.subscribe_each((events.TurnEnded, events.TurnFailed), self.turn_over)
        bridge.subscribe(events.AnswerSaved, self.answer_saved)

    def take_over(self, thread: Thread, tail: tuple[Message, ...]) -> None:
        """The view shows the end of this thread's path already; opening it adds what is above."""
        self._shown_of, self._tail, self._is_private = thread.id, tail, thread.private

    def show_opened(self, opened: OpenThread) -> None:
        """The whole open branch; a running answer goes on growing."""
        path = opened.shown
        running = self._app_state.running
        self._placed, self._placement = (), None
        again, tail = self._shown_of == opened.thread.id, self._tail
        if not again:
            self._end_notice()
            self._keep_place()
        self._view.decorations.private = self._is_private = opened.thread.private
        self._view.decorations.answered_elsewhere = self._app_state.answered_elsewhere
        self._shown_of, self._tail = opened.thread.id, ()
        if not running or not path or path[-1].role != "assistant" or path[-1].state != "partial":
            begin = self._app_state.facts.of(path).places.get(tail[0].id, -1) if tail else -1
            end = begin + len(tail)
            if tail and begin >= 0 and path[begin:end] == tail:
                self._view.prepend(path[:begin], total=end)
                if end < len(path):
                    self._view.refresh_path(path)
            elif again:
                self._view.refresh_path(path)
            else:
                self._view.show_path(path, total=len(path))
                self._return_to_place(opened.thread.id)
            if running and path and (is_results(path[-1]) or path[-1].stop_reason == "tool_use"):
                self._view.stream.go_on()
            self.waiting.show()
            self._show_asking()
            return
        answer = path[-1]
        self._view.show_path(path[:-1], total=len(path) - 1)
        self._view.row_builder.learn_sent(answer.parts)
        self._view.stream.begin_answer(replace(answer, parts=()))
        for number, part in enumerate(answer.parts, 1):
            # only the last may still be growing
            if number == len(answer.parts) and isinstance(part, TextPart | ThinkingPart):
                kind: Literal["text", "thinking"] = "text" if isinstance(part, TextPart) else "thinking"
                self._view.stream.grow_answer(answer.id, kind, part.text)
            else:
                self._view.stream.finish_part(answer.id, part)
        self.waiting.show()
        self._show_asking()

    def thread_made(self, thread: Thread) -> None:
        """Take the thread that was made of the text being written: its empty path is shown already."""
        self._shown_of, self._tail, self._is_private = thread.id, (), thread.private

    def clear(self) -> None:
        """An empty branch for a new thread."""
        self._keep_place()
        self._placed, self._placement = (), NOTHING_LEFT_OUT
        self._shown_of, self._tail = None, ()
        self._end_notice()
        self._view.decorations.private = self._app_state.private
        self._view.show_path((), total=0)
        self.waiting.show()

    def hand_over(self, thread_id: str, to: TranscriptPresenter) -> None:
        """Another window shows a thread that was left here: it is read on from there."""
        if self._state is not None and to._state is not None:
            to._state.left_at.pop(thread_id, None)
            if (left := self._state.left_at.pop(thread_id, None)) is not None:
                to._state.keep_place(thread_id, left)

    def hand_over_all(self, to: TranscriptPresenter) -> None:
        """This window closes."""
        for thread_id in tuple(self._state.left_at if self._state is not None else ()):
            self.hand_over(thread_id, to)

    def _keep_place(self) -> None:
        """The thread that is shown is left: it is read on from here when it is opened again."""
        left, row_layout = self._shown_of, self._view.row_layout
        if left is None or self._state is None:
            return
        self._state.left_at.pop(left, None)
        place = self._view.navigation.whereabouts
        if place is not None and row_layout.y < row_layout.bottom and not self._app_state.is_running(left):
            self._state.keep_place(left, LeftPlace(row_layout.messages[-1].id, place, self._is_private))

    def _return_to_place(self, thread_id: str) -> None:
        """Show the end of the thread, where the messages stand that came since it was left."""
        left = self._state.left_at.pop(thread_id, None) if self._state is not None else None
        messages = self._view.row_layout.messages
        if left is not None and messages and messages[-1].id == left.last:
            self._view.navigation.return_to(left.place)

    def message_added(self, added: events.MessageAdded) -> None:
        if self._app_state.is_open(added.message.thread_id):
            self._view.stream.add_message(added.message)

    def turn_started(self, started: events.TurnStarted) -> None:
        if self._app_state.is_open(started.thread_id):
            self._show_start(started)
        self.waiting.begin(started.thread_id, started.plan.model.name)

    def _show_start(self, started: events.TurnStarted) -> None:
        if self._passing or not self._going_on:
            self._end_notice()
        self._going_on = False
        if started.plan.request.always:
            self._view.row_builder.learn_sent(marked_documents(started.plan))
        self._view.stream.begin_answer(started.message)
        self.show_boundary(started.plan, started.message.parent_id)

    def answer_grew(self, grew: events.AnswerGrew) -> None:
        self.waiting.came(grew.thread_id)
        if self._app_state.is_open(grew.thread_id):
            if self._passing:
                self._end_notice()
            self._view.stream.grow_answer(grew.message_id, grew.kind, grew.delta)

    def part_finished(self, finished: events.AnswerPartFinished) -> None:
        self.waiting.came(finished.thread_id, finished.part)
        if self._app_state.is_open(finished.thread_id):
            self._view.stream.finish_part(finished.message_id, finished.part)

    def tool_answered(self, answered: events.ToolAnswered) -> None:
        if self._app_state.is_open(answered.thread_id):
            self._view.stream.finish_part(answered.message_id, answered.result)
        self.waiting.again(answered.thread_id, answered.result.call_id)

    def consent_asked(self, asked: events.ConsentAsked) -> None:
        self._asking[asked.thread_id] = asked.call_id
        self.waiting.came(asked.thread_id)
        self._show_asking()

    def resumed(self, resumed: events.TurnResumed) -> None:
        self._asking.pop(resumed.thread_id, None)
        self.waiting.again(resumed.thread_id)
        self._show_asking()

    def _show_asking(self) -> None:
        self._view.stream.show_asking(self._asking.get(self._shown_of or "", ""))

    def answer_continued(self, continued: events.AnswerContinued) -> None:
        if self._app_state.is_open(continued.thread_id):
            self._going_on = True
            self._view.stream.continue_answer(continued.message, continued.results)

    def answer_reset(self, reset: events.AnswerReset) -> None:
        if self._app_state.is_open(reset.thread_id):
            self._view.stream.reset_answer(reset.message_id)
        self.waiting.reset(reset.thread_id)

    def notice_raised(self, notice: events.NoticeRaised) -> None:
        if self.waiting.noticed(notice):
            return
        if self._app_state.is_open(notice.thread_id) and notice.code not in TOLD_ELSEWHERE:
            self._end_notice()
            self._passing, self._removed = notice.code in PASSING, notice.secrets
            allow = ((ALLOW_SECRETS, self.tr("Send anyway")),) if notice.secrets else ()
            if notice.code in ("tools_changed", "tools_failed"):
                allow = ((REVIEW_TOOLS, self.tr("Review")),)
            self._view.footer.set_notice(translated(notice.message), allow)

    def act(self, _message_id: str, action: str) -> None:
        """A word of the notice was clicked."""
        if action == ALLOW_SECRETS and self._app_state.thread_id is not None:
            self._end_notice()
            self._app_state.start(self._allow(self._app_state.thread_id, self._removed))
        elif action == REVIEW_TOOLS:
            self._end_notice()
            self.tools_wanted.emit()

    async def _allow(self, thread_id: str, secrets: tuple[str, ...]) -> None:
        services = await self._app_state.services()
        await services.chat.context_editing.decide_secrets(thread_id, secrets, send=True)

    def _end_notice(self) -> None:
        self._passing = False
        self._view.footer.set_notice(None)

    def turn_over(self, over: events.TurnEnded | events.TurnFailed) -> None:
        self.waiting.over(over.thread_id)
        if self._app_state.is_open(over.thread_id):
            self._going_on = False
            self._view.stream.finish_answer(over.message)
            if self._passing:
                self._end_notice()

    def answer_saved(self, saved: events.AnswerSaved) -> None:
        if self._app_state.is_open(saved.thread_id):
            self._view.stream.finish_answer(saved.message)

    def show_boundary(self, plan: ContextPlan | None, question: str | None = None) -> None:
        """The load line where the model's view begins, with the reason of each message that is left out.

        `question`: the message that the plan was made for, where it stands in the thread by now.
        """
        # what is refused is not sent: the view that was there stays
        if plan is None or plan.decision == "refuse":
            return
        # the same tuple for as long as nothing moves: a keystroke costs no look at ten thousand messages
        if plan.placement.messages is not self._placed:
            self._placed = plan.placement.messages
            self._show_placement(read_placement(plan, next_id=question))

    def show_left_out(self) -> None:
        """Brings the load line into view, or where nothing older is sent the message left out last."""
        placement = self._placement or NOTHING_LEFT_OUT
        if (line := placement.line) is None or not self._view.navigation.scroll_to_message(line, BOUNDARY_AT):
            self._view.navigation.scroll_to_message(placement.last_left_out, BOUNDARY_AT)

    def _show_placement(self, placement: Placement) -> None:
        if placement != self._placement:
            self._placement = placement
            self._view.decorations.set_load_line(placement.line, placement.reasons, placement.marks)


LAYOUT = 4
"""To be raised when messages come to be laid out in another way: what was kept before is then no longer used."""
REST_MS = 3_000
"""After scrolling has rested so long, what was learnt is written."""
TIDY_MS = 20_000
"""So long after the start the files of threads that were deleted elsewhere are removed."""
SAMPLE = "The quick brown fox, 0123456789 {}"


class HeightCache(QObject):
    """Reads with each thread what is known of its heights, and writes what came to be known."""

    def __init__(self, app_state: AppState, view: TranscriptView, threads: ThreadListModel, folder: Path) -> None:
        super().__init__(view)
        self._app_state, self._view, self._threads = app_state, view, threads
        self.files = HeightFiles(folder)
        self._measures: tuple[TextStyle, str] | None = None
        self._rest = single_shot(self, self.save, REST_MS)
        self._tidy = single_shot(self, self.keep_only_threads, TIDY_MS)
        view.row_layout.known = lambda thread_id: self.files.known(thread_id, self.layout)
        view.rested.connect(self._rest.start)
        app_state.beside = self._read

    def services_arrived(self) -> None:
        """The list of threads is there soon."""
        self._tidy.start()

    def thread_left(self, thread: Thread) -> None:
        """Another thread is about to be shown."""
        if not thread.private:
            self._save_of(thread.id)

    def thread_deleted(self, deleted: events.ThreadDeleted) -> None:
        self._app_state.start(asyncio.to_thread(self.files.forget, deleted.thread_id))

    async def close(self) -> None:
        """Writes what is known of the open thread."""
        self._rest.stop()
        self._tidy.stop()
        thread_id = self._app_state.lasting_id
        known = self._known_of(thread_id) if thread_id is not None else None
        if thread_id is not None and known is not None:
            await asyncio.to_thread(self.files.keep, thread_id, known)

    @property
    def layout(self) -> str:
        """The facts that heights depend on beside the messages and the column: fonts, and how code is shown."""
        look = self._view.text_style
        if self._measures is None or self._measures[0] is not look:
            widths = (QFontMetricsF(face.font).horizontalAdvance(SAMPLE) for face in (look.body, look.code))
            self._measures = (look, "/".join(f"{width:.2f}" for width in (*widths, look.body.pitch, look.code.pitch)))
        return f"{LAYOUT}/{self._measures[1]}/{int(self._view.wraps_code)}"

    async def _read(self, thread_id: str) -> None:
        await asyncio.to_thread(self.files.read, thread_id)

    def save(self) -> None:
        """Writes what is known of the open thread, unless nothing of it is to last."""
        if self._app_state.lasting_id is not None:
            self._save_of(self._app_state.lasting_id)

    def _save_of(self, thread_id: str) -> None:
        if (known := self._known_of(thread_id)) is not None:
            self._app_state.start(asyncio.to_thread(self.files.keep, thread_id, known))

    def _known_of(self, thread_id: str) -> StoredHeights | None:
        """Return the heights the view has of a thread that it shows whole; an answer that grows is not worth
        keeping.
        """
        messages, heights = self._view.row_layout.messages, self._view.row_layout.heights
        count = len(messages)
        if (
            not count
            or messages[0].thread_id != thread_id
            or self._view.path.missing
            or messages[-1].id in self._view.growing
        ):
            return None
        return StoredHeights(self.layout, self._view.row_layout.width, messages[-1].id, tuple(heights)[:count])

    def keep_only_threads(self) -> None:
        """Removes what is kept of threads that are gone."""
        ids = [summary.thread.id for summary in self._threads.threads()]
        self._app_state.start(asyncio.to_thread(partial(self.files.keep_only, ids)))
