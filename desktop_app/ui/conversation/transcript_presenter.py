"""The content of the transcript: the open branch, the growing answer, muted lines. Wishes nothing itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject

from desktop_app.core.context.plan import ContextPlan, PlacedMessage
from desktop_app.core.events import (
    AnswerContinued,
    AnswerGrew,
    AnswerPartFinished,
    AnswerReset,
    AnswerSaved,
    MessageAdded,
    NoticeRaised,
    ToolAnswered,
    TurnEnded,
    TurnFailed,
    TurnStarted,
)
from desktop_app.core.messages import Message, TextPart, ThinkingPart, Thread
from desktop_app.ui.conversation.plan_placement import NOTHING_LEFT_OUT, Placement, read_placement
from desktop_app.ui.conversation.waiting_line import PASSING, WaitingLine
from desktop_app.ui.i18n.language import translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.bridge import Bridge
from desktop_app.ui.state.window_state import ReadingPosition
from desktop_app.ui.transcript.message.merged_answers import is_results
from desktop_app.ui.transcript.view import TranscriptView

if TYPE_CHECKING:  # the controller is loaded after the first paint
    from desktop_app.controller.open_threads import OpenThread

TOLD_ELSEWHERE = {"imitated_note", "trimmed", "returned", "summarised", "summary_failed", "plan"}
"""Notices of what has a line of its own: a step beneath its question, a summary while it is written, the gauge."""
BOUNDARY_AT = 0.4
"""The share of the view at which the load line comes to stand: some of the messages left out and sent can be seen."""


class TranscriptPresenter(QObject):
    """Facts of the open thread go into the view; those of other threads don't matter to it."""

    def __init__(self, app_state: AppState, view: TranscriptView) -> None:
        super().__init__(view)
        self._app_state = app_state
        self._view = view
        self._placed: Sequence[PlacedMessage] = ()
        self._placement: Placement | None = None  # not known
        self._tail: tuple[Message, ...] = ()
        self._shown_of: str | None = None
        #: where threads were read that were left above their end, with the message that they ended with
        self._places: dict[str, tuple[str, ReadingPosition]] = {}
        self._passing = False  # whether the notice shown goes when the answer comes
        self._going_on = False  # whether the next answer belongs to the turn before it
        self.waiting = WaitingLine(app_state, view)

    def listen(self, bridge: Bridge) -> None:
        """Shows what is announced from now on."""
        bridge.subscribe(MessageAdded, self.message_added)
        bridge.subscribe(TurnStarted, self.turn_started)
        bridge.subscribe(AnswerGrew, self.answer_grew)
        bridge.subscribe(AnswerPartFinished, self.part_finished)
        bridge.subscribe(AnswerReset, self.answer_reset)
        bridge.subscribe(ToolAnswered, self.tool_answered)
        bridge.subscribe(AnswerContinued, self.answer_continued)
        bridge.subscribe(NoticeRaised, self.notice_raised)
        bridge.subscribe_each((TurnEnded, TurnFailed), self.turn_over)
        bridge.subscribe(AnswerSaved, self.answer_saved)

    def take_over(self, thread: Thread, tail: tuple[Message, ...]) -> None:
        """The view shows the end of this thread's path already; opening it adds what is above."""
        self._shown_of, self._tail = thread.id, tail

    def show_opened(self, opened: OpenThread) -> None:
        """The whole open branch; a running answer goes on growing."""
        path = opened.shown
        self._view.decorations.private = opened.thread.private
        running = self._app_state.running
        self._placed, self._placement = (), None
        again, tail = self._shown_of == opened.thread.id, self._tail
        if not again:
            self._end_notice()
            self._keep_place()
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

    def thread_made(self, thread: Thread) -> None:
        """Take the thread that was made of the text being written: its empty path is shown already."""
        self._shown_of, self._tail = thread.id, ()

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
        to._places.pop(thread_id, None)
        if (place := self._places.pop(thread_id, None)) is not None:
            to._places[thread_id] = place

    def hand_over_all(self, to: TranscriptPresenter) -> None:
        """This window closes."""
        for thread_id in tuple(self._places):
            self.hand_over(thread_id, to)

    def _keep_place(self) -> None:
        """The thread that is shown is left: it is read on from here when it is opened again."""
        left, row_layout = self._shown_of, self._view.row_layout
        if left is None:
            return
        self._places.pop(left, None)
        place = self._view.navigation.whereabouts
        if place is not None and row_layout.y < row_layout.bottom and not self._app_state.is_running(left):
            self._places[left] = row_layout.messages[-1].id, place

    def _return_to_place(self, thread_id: str) -> None:
        """Show the end of the thread, where the messages stand that came since it was left."""
        last, place = self._places.get(thread_id, ("", None))
        messages = self._view.row_layout.messages
        if place is not None and messages and messages[-1].id == last:
            self._view.navigation.return_to(place)

    def message_added(self, added: MessageAdded) -> None:
        if self._app_state.is_open(added.message.thread_id):
            self._view.stream.add_message(added.message)

    def turn_started(self, started: TurnStarted) -> None:
        if self._app_state.is_open(started.thread_id):
            self._show_start(started)
        self.waiting.begin(started.thread_id, started.plan.model.name)

    def _show_start(self, started: TurnStarted) -> None:
        if self._passing or not self._going_on:
            self._end_notice()
        self._going_on = False
        if started.plan.request.always:
            from desktop_app.core.marked_documents import marked_documents  # most threads have no documents

            self._view.row_builder.learn_sent(marked_documents(started.plan))
        self._view.stream.begin_answer(started.message)
        self.show_boundary(started.plan, started.message.parent_id)

    def answer_grew(self, grew: AnswerGrew) -> None:
        self.waiting.came(grew.thread_id)
        if self._app_state.is_open(grew.thread_id):
            if self._passing:
                self._end_notice()
            self._view.stream.grow_answer(grew.message_id, grew.kind, grew.delta)

    def part_finished(self, finished: AnswerPartFinished) -> None:
        self.waiting.came(finished.thread_id)
        if self._app_state.is_open(finished.thread_id):
            self._view.stream.finish_part(finished.message_id, finished.part)

    def tool_answered(self, answered: ToolAnswered) -> None:
        if self._app_state.is_open(answered.thread_id):
            self._view.stream.finish_part(answered.message_id, answered.result)
        self.waiting.again(answered.thread_id)

    def answer_continued(self, continued: AnswerContinued) -> None:
        if self._app_state.is_open(continued.thread_id):
            self._going_on = True
            self._view.stream.continue_answer(continued.message, continued.results)

    def answer_reset(self, reset: AnswerReset) -> None:
        if self._app_state.is_open(reset.thread_id):
            self._view.stream.reset_answer(reset.message_id)
        self.waiting.reset(reset.thread_id)

    def notice_raised(self, notice: NoticeRaised) -> None:
        if self.waiting.noticed(notice):
            return
        if self._app_state.is_open(notice.thread_id) and notice.code not in TOLD_ELSEWHERE:
            self._end_notice()
            self._passing = notice.code in PASSING
            self._view.footer.set_notice(translated(notice.message))

    def _end_notice(self) -> None:
        self._passing = False
        self._view.footer.set_notice(None)

    def turn_over(self, over: TurnEnded | TurnFailed) -> None:
        self.waiting.over(over.thread_id)
        if self._app_state.is_open(over.thread_id):
            self._going_on = False
            self._view.stream.finish_answer(over.message)
            if self._passing:
                self._end_notice()

    def answer_saved(self, saved: AnswerSaved) -> None:
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
        line = placement.line
        if line is None or not self._view.navigation.scroll_to_message(line, BOUNDARY_AT):
            self._view.navigation.scroll_to_message(placement.last_left_out, BOUNDARY_AT)

    def _show_placement(self, placement: Placement) -> None:
        if placement != self._placement:
            self._placement = placement
            self._view.decorations.set_load_line(placement.line, placement.reasons, placement.marks)
