"""The benchmark of steps: that it measures, and that the rule of steps meets its targets."""

from __future__ import annotations

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
