"""Whether the provider's cache still holds a thread, and how long the next marks should live."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from desktop_app.controller.open_threads import TurnTimes
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


def minutes(times: TurnTimes, at_minute: float, backend: str = "api") -> float | None:
    """Idle minutes as the clock tells them, without the rounding of fractions."""
    idle = times.cache_clock(at(at_minute), backend=backend).idle_minutes
    return None if idle is None else round(idle, 6)


def test_a_thread_without_answers_is_cold_and_never_was_warm() -> None:
    clock = TurnTimes(()).cache_clock(at(0), backend="api")
    assert clock == CacheClock(cold=True, lifetime="5m", idle_minutes=None)
    assert not clock.known_cold


def test_quick_turns_take_short_marks_and_stay_warm_for_five_minutes() -> None:
    times = TurnTimes(answers(0, 1, 2, 3))
    warm, cold = (times.cache_clock(at(minute), backend="api") for minute in (7.9, 8.1))
    assert (warm.cold, warm.lifetime, warm.known_cold) == (False, "5m", False)
    assert (cold.cold, cold.lifetime, cold.known_cold) == (True, "5m", True)


def test_one_long_gap_in_twenty_makes_the_marks_live_for_an_hour() -> None:
    often = TurnTimes(answers(*range(0, 19), 40)).cache_clock(at(80), backend="api")
    assert (often.cold, often.lifetime) == (True, "1h"), "the last request's own marks were short ones"
    often = TurnTimes(answers(*range(0, 19), 40, 80)).cache_clock(at(120), backend="api")
    assert (often.cold, often.lifetime) == (False, "1h")
    rare = TurnTimes(answers(*range(0, 49), 90, 91))
    assert rare.cache_clock(at(92), backend="api").lifetime == "5m"


def test_idleness_is_counted_from_the_last_request_of_any_backend() -> None:
    times = TurnTimes(answers(0, 10))
    assert minutes(times, 40) == 30
    assert minutes(times, 40, backend="program") == 30
    assert minutes(times, 10) == 0
    assert minutes(times, 9) == 0, "a clock that was set back"


def test_another_backends_cache_is_known_to_be_cold() -> None:
    assert TurnTimes(answers(0, 1)).cache_clock(at(1.5), backend="program").known_cold


def test_unreadable_times_are_no_knowledge() -> None:
    foreign = Message("x", "t", None, "assistant", (), "yesterday", backend="api")
    clock = TurnTimes((foreign,)).cache_clock(at(0), backend="api")
    assert (clock.cold, clock.idle_minutes) == (True, None)


def test_each_connections_requests_live_by_their_own_times() -> None:
    first, second, last = answers(0, 3), answers(4, backend="program"), answers(5)
    path = (*first, replace(second[0], id="p"), replace(last[0], id="l"))
    living = [TurnTimes(path).cache_clock(at(minute), backend="api").living for minute in (4.5, 6, 9, 11)]
    assert [sorted(some or ()) for some in living] == [["0", "1", "l"], ["1", "l"], ["l"], []]
    assert TurnTimes(path).cache_clock(at(6), backend="program").living == frozenset({"p"})
