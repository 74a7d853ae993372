"""Notices while an answer is awaited: one calm line that counts down and goes; a plan's share goes to the gauge."""

from __future__ import annotations

import time

import pytest
from PySide6.QtCore import Qt, QTimer

from desktop_app.backends.claude_cli.plan_limits import PlanLimit
from desktop_app.core.errors import retry_words
from desktop_app.core.stream_events import Ended, Notice, TextDelta
from desktop_app.ui.gauge.plan_facts import plan_share_words
from tests.fakes.gated_backend import Gate
from tests.ui.open_window import OpenWindow

NOON = time.mktime((2026, 3, 14, 12, 0, 0, 0, 0, -1))


def report(used: float | None, hours: float | None, status: str = "allowed_warning") -> str:
    resets = None if hours is None else NOON + 3600 * hours
    return PlanLimit(status, "5-hour limit", used, resets).notice(NOON)


@pytest.mark.parametrize(
    ("used", "hours", "words"),
    [
        (0.84, 3.0, "Plan 84 % · resets 15:00"),
        (0.84, 48.0, "Plan 84 % · resets Monday 12:00"),
        (0.8, None, "Plan 80 %"),
        (None, 3.0, "Plan nearly used up · resets 15:00"),
        (0.75, 3.0, ""),
    ],
)
def test_what_the_program_reports_of_a_plan_reads_like_the_gauge(
    used: float | None, hours: float | None, words: str
) -> None:
    assert plan_share_words(report(used, hours)) == words


def test_without_a_report_the_gauge_says_nothing_of_a_plan() -> None:
    assert plan_share_words("") == ""
    assert plan_share_words(report(0.5, 3, "allowed")) == ""


def line(window: OpenWindow) -> str:
    notice = window.transcript.footer.notice
    return "" if notice is None else notice[0]


async def ask(window: OpenWindow, gate: Gate) -> None:
    window.type("A question")
    window.press(Qt.Key.Key_Return)
    await gate.arrive()


def countdown(window: OpenWindow) -> QTimer:
    """The timer whose end is a second less."""
    (timer,) = window.presenters.transcript.findChildren(QTimer)
    return timer


async def test_a_retry_counts_down_and_goes_when_the_answer_comes(window: OpenWindow) -> None:
    waiting, coming = Gate(), Gate()
    notice = Notice("retry", retry_words(cause="Rate limited.", seconds=4, attempt=2, most=3))
    window.backend.reply(notice, waiting, TextDelta("Here"), coming, TextDelta(" it is."), Ended("end_turn"))
    await ask(window, waiting)
    assert line(window) == "Rate limited. Trying again in 4 s (2 of 3)"
    await window.until(lambda: "in 2 s" in line(window), "two seconds less")
    countdown(window).setInterval(1)
    await window.until(lambda: "now" in line(window), "the next attempt")
    assert line(window) == "Rate limited. Trying again now (2 of 3)"
    assert not countdown(window).isActive()
    waiting.open()
    await coming.arrive()
    assert line(window) == ""
    coming.open()
    await window.until(lambda: not window.composer.streaming, "the end")


async def test_what_is_said_of_an_answer_stays_until_the_next_question(window: OpenWindow) -> None:
    window.backend.reply(Notice("parameters", "It was asked without."), TextDelta("Yes."), Ended("end_turn"))
    await window.send("A question")
    assert line(window) == "It was asked without."
    await window.send("Another")
    assert line(window) == ""


async def test_a_countdown_does_not_follow_into_another_thread(window: OpenWindow) -> None:
    await window.send("The other thread")
    other = window.app_state.thread_id
    assert other is not None
    window.shortcut("new_thread")
    await window.settled()
    gate = Gate()
    window.backend.reply(
        Notice("retry", retry_words(cause="No connection.", seconds=9, attempt=2, most=3)), gate, Ended("end_turn")
    )
    await ask(window, gate)
    assert "9 s" in line(window)
    await window.choose_thread(other)
    assert line(window) == ""
    assert not countdown(window).isActive()
    gate.open()
    await window.until(lambda: window.backend.open_streams == 0, "the end")
    await window.settled()


async def test_a_plan_that_is_nearly_used_up_is_told_by_the_gauge_alone(window: OpenWindow) -> None:
    window.backend.reply(Notice("plan", report(0.84, 3.0)), TextDelta("Yes."), Ended("end_turn"))
    await window.send("A question")
    assert line(window) == ""
    await window.until(lambda: window.gauge.line.endswith("Plan 84 % · resets 15:00"), "the gauge's words")
    assert window.gauge.sentence().endswith("Plan 84 % · resets 15:00.")
    await window.send("Another")
    await window.until(lambda: "Plan" not in window.gauge.line, "the gauge without it")
