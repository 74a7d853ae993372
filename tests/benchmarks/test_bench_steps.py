"""The benchmark of steps: that it measures, and that the rule of steps meets its targets."""

from __future__ import annotations

from desktop_app.core.context.boundaries import StepLimits
from desktop_app.core.settings import ContextSettings
from tests.benchmarks.bench_message_cap import short
from tests.benchmarks.bench_steps import CAPS, LOW, SOFT, hold, plain, rows, rule_of_before


def test_a_short_talk_takes_no_step_and_costs_what_an_ideal_client_pays() -> None:
    outcome = hold([(400, 600)] * 50, CAPS.step)
    assert (outcome.steps, outcome.regret) == (0, 1.0)


def test_the_rule_of_before_dropped_a_document_that_fits() -> None:
    talk = [(1_000, 950)] * 30 + [(87_000, 500), (5_000, 500)]
    before, now = hold(talk, rule_of_before), hold(talk, CAPS.step)
    assert (before.steps, now.steps) == (1, 1)
    assert before.least < 10_000
    assert LOW < now.least < SOFT


def test_plain_talk_is_as_before() -> None:
    talk = plain(20)
    assert hold(talk, CAPS.step) == hold(talk, rule_of_before)


def test_every_target_is_met() -> None:
    assert [row for row, met in rows() if not met] == []


def test_a_cap_on_messages_forgets_long_before_tokens_matter() -> None:
    """Decision 0023."""
    talk = short(3)
    free = hold(talk, CAPS.step)
    capped = hold(talk, StepLimits.of(ContextSettings(max_messages=100), soft=SOFT, low=LOW, head=1).step)
    assert (free.steps, free.regret) == (0, 1.0)
    assert capped.steps > 20
    assert capped.mean < free.mean / 4
    assert capped.least < SOFT / 10
