from __future__ import annotations

import pytest

from desktop_app.core.errors import UserError
from desktop_app.core.history_records import ContextEvent, EventCount, StoredEvent, TurnRecord
from desktop_app.core.messages import Message, TextPart
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.storage.conftest import TIME, Talk, a_thread

TRIM = ContextEvent("trimmed", 160_000, 105_000, 38, "echo")
REWRITE = ContextEvent("cache_rewritten", 105_000, 105_000, 0, "echo")
REFUSAL = ContextEvent("refused", 190_000, 190_000, 0, "echo")
UNDO = ContextEvent("undone", 105_000, 150_000, 38, "echo")


async def begin(history: SqliteHistory, *events: ContextEvent) -> None:
    question = Message("q", "thread", None, "user", (TextPart("?"),), TIME)
    answer = Message("a", "thread", "q", "assistant", (), TIME)
    turn = TurnRecord("t", "thread", "q", "a", "scripted", "echo", TIME, expected_usd=0.25)
    await history.begin_turn(
        turn, new_messages=[question], answer=answer, expected_tip=None, request={}, events=iter(events)
    )


async def test_events_of_a_turn_have_its_start_its_question_its_answer_and_its_price(history: SqliteHistory) -> None:
    await history.create_thread(a_thread())
    await begin(history, TRIM, REWRITE)
    assert list(await history.events("thread")) == [
        StoredEvent(event, TIME, "q", "a", 0.25) for event in (TRIM, REWRITE)
    ]


async def test_an_event_without_a_request_has_only_its_thread_and_time(history: SqliteHistory) -> None:
    await history.create_thread(a_thread())
    await history.record_events("thread", [REFUSAL], at=TIME, cost_usd=0.25)
    assert list(await history.events("thread")) == [StoredEvent(REFUSAL, TIME, cost_usd=0.25)]


async def test_an_event_may_be_added_to_a_turn_that_runs_already(history: SqliteHistory, talk: Talk) -> None:
    await talk.begin("q")
    await history.record_events("thread", [REWRITE], at=TIME, turn_id="t1", cost_usd=0.5)
    assert list(await history.events("thread")) == [StoredEvent(REWRITE, TIME, "q1", "a1", 0.5)]


async def test_the_oldest_stands_first_whatever_was_written_last(history: SqliteHistory) -> None:
    await history.create_thread(a_thread())
    for event, at in ((UNDO, "2026-03-02"), (TRIM, "2026-03-01"), (REFUSAL, "2026-03-02")):
        await history.record_events("thread", [event], at=at)
    assert [stored.event for stored in await history.events("thread")] == [TRIM, UNDO, REFUSAL]


async def test_threads_do_not_see_each_others_events(history: SqliteHistory) -> None:
    for name in ("one", "two"):
        await history.create_thread(a_thread(name))
    await history.record_events("one", [TRIM], at=TIME)
    await history.record_events(None, [REFUSAL], at=TIME)
    assert (len(await history.events("one")), len(await history.events("two"))) == (1, 0)


async def test_unknown_threads_and_turns_are_refused_and_nothing_is_written(history: SqliteHistory) -> None:
    await history.create_thread(a_thread())
    for thread, turn in (("nowhere", None), ("thread", "never")):
        with pytest.raises(UserError) as caught:
            await history.record_events(thread, [TRIM], at=TIME, turn_id=turn)
        assert caught.value.failure.code == "usage"
    with pytest.raises(UserError):
        await history.events("nowhere")
    assert await history.events("thread") == ()


async def test_a_deleted_thread_still_takes_events_and_shows_them_when_it_is_back(history: SqliteHistory) -> None:
    await history.create_thread(a_thread())
    await history.delete_thread("thread")
    await history.record_events("thread", [TRIM], at=TIME)
    await history.restore_thread("thread")
    assert [stored.event for stored in await history.events("thread")] == [TRIM]


async def test_events_are_counted_by_thread_day_and_kind(history: SqliteHistory) -> None:
    await history.create_thread(a_thread())
    for at in ("2026-03-01T23:59:59.000Z", "2026-03-01T01:00:00.000Z", "2026-03-02T00:00:00.000Z"):
        await history.record_events("thread", [TRIM, REWRITE], at=at)
    await history.record_events(None, [REFUSAL], at="2026-03-01T12:00:00.000Z")
    counts = await history.event_counts()
    assert counts[0].day == "2026-03-02"
    assert set(counts) == {
        EventCount("thread", "2026-03-02", "trimmed", 1),
        EventCount("thread", "2026-03-02", "cache_rewritten", 1),
        EventCount("thread", "2026-03-01", "trimmed", 2),
        EventCount("thread", "2026-03-01", "cache_rewritten", 2),
        EventCount(None, "2026-03-01", "refused", 1),
    }
