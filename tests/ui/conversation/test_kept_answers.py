"""What is said of kept answers, without a window: how often a long thread is looked through."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

from PySide6.QtCore import QObject

from desktop_app.core.messages import Message, TextPart
from desktop_app.ui.conversation.message_actions import KeptAnswers
from desktop_app.ui.conversation.navigation import ShownMessages
from desktop_app.ui.transcript.message.decorations import StepLine
from tests.counted_calls import CountedCalls

MESSAGES = 2_000


class OpenedPath(QObject):
    """An open thread of so many messages, and the view that is told what to show beneath them."""

    def __init__(self) -> None:
        super().__init__()
        self.path = tuple(
            Message(f"m{n}", "t", f"m{n - 1}" if n else None, ("user", "assistant")[n % 2], (TextPart("words"),), "now")
            for n in range(MESSAGES)
        )
        self.running = False
        self.decorations = self
        self.artifact_line: Callable[[Message], StepLine | None] = lambda _message: None
        self.refreshed = 0

    @property
    def lines(self) -> dict[str, StepLine]:
        return {one.id: line for one in self.path if (line := self.artifact_line(one)) is not None}

    def refresh_artifacts(self) -> None:
        self.refreshed += 1

    def keep(self, number: int) -> None:
        message = self.path[number]
        part = replace(
            cast("TextPart", message.parts[0]), extra={"artifact": {"id": "a", "title": "BRD", "version": 1}}
        )
        self.path = (*self.path[:number], replace(message, parts=(part,)), *self.path[number + 1 :])


def kept_answers(opened: OpenedPath) -> KeptAnswers:
    other: Any = opened
    return KeptAnswers(other, ShownMessages(other), other, other)


def test_a_long_thread_is_looked_through_never_but_for_what_is_shown() -> None:
    opened = OpenedPath()
    kept = kept_answers(opened)
    kept.refresh()
    with CountedCalls() as again:
        kept.refresh()
    opened.path = (*opened.path, replace(opened.path[-1], id="added", parent_id=opened.path[-1].id))
    with CountedCalls() as grown:
        kept.refresh()
        kept.line_of(opened.path[-1])
    assert opened.refreshed == 3
    assert again.calls < 100
    assert grown.calls < 100


def test_what_is_kept_of_an_answer_before_is_told_and_gone_with_it() -> None:
    opened = OpenedPath()
    kept = kept_answers(opened)
    kept.refresh()
    assert not opened.lines
    before = opened.path
    opened.keep(101)
    kept.refresh()
    assert list(opened.lines) == ["m101"]
    assert "BRD v1" in opened.lines["m101"].text
    opened.path = before
    kept.refresh()
    assert not opened.lines
