"""Notices of an answer: one calm line until the next question; a plan's share goes to the gauge."""

from __future__ import annotations

import time

import pytest

from desktop_app.backends.claude_cli.claude_failures import PlanLimit
from desktop_app.core.stream_events import Ended, Notice, TextDelta
from desktop_app.ui.gauge.plan_facts import plan_share_words
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
    return "" if (notice := window.transcript.footer.notice) is None else notice[0]


async def test_what_is_said_of_an_answer_stays_until_the_next_question(window: OpenWindow) -> None:
    window.backend.reply(Notice("parameters", "It was asked without."), TextDelta("Yes."), Ended("end_turn"))
    await window.send("A question")
    assert line(window) == "It was asked without."
    await window.send("Another")
    assert line(window) == ""


async def test_a_plan_that_is_nearly_used_up_is_told_by_the_gauge_alone(window: OpenWindow) -> None:
    window.backend.reply(Notice("plan", report(0.84, 3.0)), TextDelta("Yes."), Ended("end_turn"))
    await window.send("A question")
    assert line(window) == ""
    await window.until(lambda: window.gauge.line.endswith("Plan 84 % · resets 15:00"), "the gauge's words")
    assert window.gauge.sentence().endswith("Plan 84 % · resets 15:00.")
    await window.send("Another")
    await window.until(lambda: "Plan" not in window.gauge.line, "the gauge without it")
