"""Whether the provider's cache still holds a thread, and how long the next marks should live."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from desktop_app.controller.cache_clock import TurnTimes
from desktop_app.core.context.plan import CacheClock
from desktop_app.core.messages import Message

START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def answers(*minutes: float, backend: str = "api") -> tuple[Message, ...]:
    """Answers asked for at so many minutes after the start."""
    return tuple(
        Message(str(n), "t", None, "assistant", (), (START + timedelta(minutes=at)).isoformat(), backend=backend)
        for n, at in enumerate(minutes)
    )


def at(minutes: float) -> datetime:
    return START + timedelta(minutes=minutes)


def test_a_thread_without_answers_is_cold() -> None:
    assert TurnTimes(()).cache_clock(at(0), backend="api") == CacheClock(cold=True, lifetime="5m")


def test_quick_turns_take_short_marks_and_stay_warm_for_five_minutes() -> None:
    times = TurnTimes(answers(0, 1, 2, 3))
    assert times.cache_clock(at(7.9), backend="api") == CacheClock(cold=False, lifetime="5m")
    assert times.cache_clock(at(8.1), backend="api") == CacheClock(cold=True, lifetime="5m")


def test_one_long_gap_in_twenty_makes_the_marks_live_for_an_hour() -> None:
    often = TurnTimes(answers(*range(0, 19), 40))
    assert often.cache_clock(at(80), backend="api") == CacheClock(cold=False, lifetime="1h")
    rare = TurnTimes(answers(*range(0, 49), 90, 91))
    assert rare.cache_clock(at(92), backend="api").lifetime == "5m"


def test_another_backends_cache_is_cold() -> None:
    assert TurnTimes(answers(0, 1)).cache_clock(at(1.5), backend="program").cold


def test_unreadable_times_are_no_knowledge() -> None:
    foreign = Message("x", "t", None, "assistant", (), "yesterday", backend="api")
    assert TurnTimes((foreign,)).cache_clock(at(0), backend="api").cold
