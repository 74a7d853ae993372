from __future__ import annotations

import random
import sqlite3
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_app.backends.backend_protocol import CostKind
from desktop_app.core.errors import UserError
from desktop_app.core.history_records import CallRecord, LedgerRow, TurnRecord
from desktop_app.core.messages import Message, TextPart, Usage
from desktop_app.storage.sqlite_history import SqliteHistory
from desktop_app.storage.store import Store
from tests.storage.conftest import TIME, Talk, a_thread, opened
from tests.storage.sql_work import in_sql, in_store, sql_steps

CALL = CallRecord("c1", "thread", "title", "anthropic", "small", "money", TIME, TIME, Usage(1, 2, 3, 4, 1, 0.5))
KINDS = st.sampled_from(get_args(CostKind))
COUNTS = st.integers(0, 10_000)
COSTS = st.none() | st.integers(0, 1_000).map(lambda eighths: eighths / 8)  # sums of which are exact
USAGES = st.none() | st.builds(Usage, COUNTS, COUNTS, COUNTS, COUNTS, COUNTS, COSTS)
STARTS = st.sampled_from(["2026-02-28T23:59:59.999Z", "2026-03-01T00:00:00.000Z", "2026-03-01T10:00:00.000Z"])
CALLS = st.builds(
    CallRecord,
    st.uuids().map(str),
    st.sampled_from([None, "one", "two"]),
    st.sampled_from(["title", "summary"]),
    st.sampled_from(["anthropic", "local"]),
    st.sampled_from(["m", "n"]),
    KINDS,
    STARTS,
    STARTS,
    USAGES,
)


async def turn(history: SqliteHistory, number: int, usage: Usage | None, *, tip: str | None, cost_kind: str) -> None:
    answer = Message(f"a{number}", "thread", tip, "assistant", (), TIME)
    record = TurnRecord(f"t{number}", "thread", tip, answer.id, "anthropic", "m", TIME, cost_kind=cost_kind)
    await history.begin_turn(record, new_messages=[], answer=answer, expected_tip=tip, request={})
    await history.end_turn(record.id, replace(answer, state="complete"), usage)


async def execute(history: SqliteHistory, statement: str) -> None:
    await in_sql(history, lambda connection: connection.execute(statement))


async def test_turns_are_summed_by_thread_day_backend_model_purpose_and_kind(history: SqliteHistory) -> None:
    await history.create_thread(a_thread())
    await turn(history, 1, Usage(1, 2, 3, 4, 0, 0.5), tip=None, cost_kind="money")
    await turn(history, 2, Usage(10, 20, 30, 40), tip="a1", cost_kind="money")
    await turn(history, 3, Usage(5, 0, 0, 5, 0, 0.25), tip="a2", cost_kind="plan")
    money = LedgerRow("thread", "Tides", TIME[:10], "anthropic", "m", "chat", "money", 2, 11, 22, 33, 44, 0.5, 1)
    plan = replace(money, cost_kind="plan", calls=1, input=5, cache_read=0, cache_write=0, output=5, cost_usd=0.25)
    assert set(await history.ledger()) == {money, plan}
    await history.update_thread(a_thread(title="Ebb"))
    assert {row.title for row in await history.ledger()} == {"Ebb"}


async def test_a_turn_counts_from_its_begin_and_spends_at_its_end(history: SqliteHistory, talk: Talk) -> None:
    answer = await talk.begin("q")
    (row,) = await history.ledger()
    assert (row.calls, row.output, row.priced, row.cost_kind) == (1, 0, 0, "money")
    await talk.end(answer, TextPart("a"))
    (row,) = await history.ledger()
    assert (row.calls, row.input, row.output, row.priced) == (1, 10, 5, 0)


async def test_a_turn_that_is_repaired_first_and_ended_later_is_counted_once(
    history: SqliteHistory, talk: Talk
) -> None:
    answer = await talk.begin("q")
    await execute(history, "UPDATE turn SET owner_boot = 'another boot'")
    assert await history.repair_turns() == ("thread",)
    await talk.end(answer, TextPart("a"))
    (row,) = await history.ledger()
    assert (row.calls, row.input, row.output) == (1, 10, 5)


async def test_the_file_keeps_the_sums_whatever_becomes_of_a_turn(history: SqliteHistory) -> None:
    await history.create_thread(a_thread())
    await turn(history, 1, Usage(1, 2, 3, 4, 0, 0.5), tip=None, cost_kind="money")
    for change, cost, priced in (("cost_usd = 2, input = 7", 2.0, 1), ("cost_usd = NULL, input = NULL", 0.0, 0)):
        await execute(history, f"UPDATE turn SET {change}")
        (row,) = await history.ledger()
        assert (row.cost_usd, row.priced, row.input, row.output) == (cost, priced, 7 if priced else 0, 4)


async def test_calls_that_are_no_turn_stand_beside_the_turns(history: SqliteHistory) -> None:
    await history.create_thread(a_thread())
    await turn(history, 1, Usage(1, 2, 3, 4, 0, 0.5), tip=None, cost_kind="money")
    await history.record_call(CALL)
    private = replace(CALL, id="c2", thread_id=None, started="2026-03-02T00:00:00.000Z", usage=None, failure="network")
    await history.record_call(private)
    newest, *rest = await history.ledger()
    assert newest == LedgerRow(None, "", "2026-03-02", "anthropic", "small", "title", "money", 1, 0, 0, 0, 0, 0.0, 0)
    assert {row.purpose for row in rest} == {"chat", "title"}


async def test_a_deleted_thread_keeps_its_figures_and_loses_its_title(history: SqliteHistory) -> None:
    await history.create_thread(a_thread())
    await history.record_call(CALL)
    await history.delete_thread("thread")
    await history.record_call(replace(CALL, id="c2"))
    (row,) = await history.ledger()
    assert (row.thread_id, row.title, row.calls) == ("thread", "", 2)
    assert await history.spent_usd(since="", thread_id="thread") == 1.0


async def test_an_unknown_thread_is_refused(history: SqliteHistory) -> None:
    for failing in (history.record_call(CALL), history.spent_usd(since="", thread_id="thread")):
        with pytest.raises(UserError) as caught:
            await failing
        assert caught.value.failure.code == "usage"
    assert await history.ledger() == ()


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(CALLS, max_size=12, unique_by=lambda call: call.id), STARTS)
async def test_the_sums_are_those_of_the_calls(
    tmp_path_factory: pytest.TempPathFactory, calls: list[CallRecord], since: str
) -> None:
    async with opened(tmp_path_factory.mktemp("ledger") / "history.db") as history:
        for name in ("one", "two"):
            await history.create_thread(a_thread(name))
        for call in calls:
            await history.record_call(call)
        rows = await history.ledger()
        used = [call.usage or Usage() for call in calls]
        assert sum(row.calls for row in rows) == len(calls)
        for figure in ("input", "cache_read", "cache_write", "output"):
            assert sum(getattr(row, figure) for row in rows) == sum(getattr(usage, figure) for usage in used)
        assert sum(row.cost_usd for row in rows) == sum(usage.cost_usd or 0 for usage in used)
        assert sum(row.priced for row in rows) == sum(usage.cost_usd is not None for usage in used)
        days = [row.day for row in rows]
        assert days == sorted(days, reverse=True)
        billed = [call for call in calls if call.cost_kind == "money" and call.started >= since]
        for thread_id in (None, "one"):
            spent = sum(
                call.usage.cost_usd or 0
                for call in billed
                if call.usage is not None and thread_id in (None, call.thread_id)
            )
            assert await history.spent_usd(since=since, thread_id=thread_id) == spent


async def test_only_money_since_the_time_is_spent(history: SqliteHistory) -> None:
    await history.create_thread(a_thread())
    await turn(history, 1, Usage(cost_usd=0.5), tip=None, cost_kind="money")
    await turn(history, 2, Usage(cost_usd=4.0), tip="a1", cost_kind="plan")
    await turn(history, 3, Usage(cost_usd=8.0), tip="a2", cost_kind="free")
    await history.record_call(CALL)
    assert await history.spent_usd(since=TIME) == 1.0
    assert await history.spent_usd(since="2026-03-01T10:00:00.001Z") == 0.0


@pytest.mark.slow
async def test_with_200_000_turns_the_cap_looks_at_few_of_them(path: Path, history: SqliteHistory) -> None:
    """Ten years of 55 turns a day: 2,000 threads of 100 turns, each over five days."""
    chance = random.Random(5)

    def fill(connection: sqlite3.Connection) -> None:
        execute = connection.executemany
        threads = range(1, 2_001)
        execute(
            "INSERT INTO thread (key, id, title, created, updated, system, pinned, archived, draft, message_count) "
            "VALUES (?, ?, 'Tides', '', '', '', 0, 0, '', 0)",
            ((key, f"{key:032x}") for key in threads),
        )
        execute(
            "INSERT INTO message (key, id, thread_key, depth, role, state, created, parts) "
            "VALUES (?, ?, ?, 1, 'assistant', 'complete', '', x'')",
            ((key, f"a{key}", key) for key in threads),
        )
        execute(
            "INSERT INTO turn (id, thread_key, answer_key, purpose, backend, model, state, started, owner_pid, "
            "owner_started, owner_boot, input, cache_read, cache_write, output, thinking, cost_usd, cost_kind) "
            "VALUES (?, ?, ?, 'chat', 'anthropic', 'm', 'complete', ?, 1, '', '', 9, 90000, 900, 600, 0, ?, 'money')",
            (
                (f"{key}-{number}", key, key, _day(key * 2 + number // 20), chance.random())
                for key in threads
                for number in range(100)
            ),
        )

    def write(store: Store) -> None:
        with store.transactions.write_plain() as connection:
            fill(connection)

    await in_store(history, write)
    assert sum(row.calls for row in await history.ledger()) == 200_000
    ledger = await sql_steps(history, history.ledger)
    today = await sql_steps(history, lambda: history.spent_usd(since=_day(4_000)))
    in_thread = await sql_steps(history, lambda: history.spent_usd(since="", thread_id=f"{77:032x}"))
    print(f"steps: ledger {ledger:,}, today {today:,}, in a thread {in_thread:,}")
    assert ledger < 50 * 200_000, "each turn is looked at once"
    assert today < ledger / 50
    assert in_thread < ledger / 50


def _day(number: int) -> str:
    return f"{date(2020, 9, 13) + timedelta(days=number)}T10:00:00.000Z"


async def test_the_models_of_the_last_turns_are_told_once_the_last_one_first(history: SqliteHistory) -> None:
    await history.create_thread(a_thread())
    tip = None
    for number, model in enumerate(("old", "often", "new", "often")):
        answer = Message(f"r{number}", "thread", tip, "assistant", (), TIME)
        record = TurnRecord(f"u{number}", "thread", tip, answer.id, "anthropic", model, TIME)
        await history.begin_turn(record, new_messages=[], answer=answer, expected_tip=tip, request={})
        await history.end_turn(record.id, replace(answer, state="complete"), None)
        tip = answer.id
    assert await history.recent_models() == (("anthropic", "often"), ("anthropic", "new"), ("anthropic", "old"))


async def test_an_answer_that_was_cut_off_before_its_tokens_were_told_is_counted(history: SqliteHistory) -> None:
    await history.create_thread(a_thread())
    tip = None
    for number, (said, usage) in enumerate((("half an", None), ("", None), ("whole", Usage(1, 2, 3, 4)))):
        parts = (TextPart(said),) if said else ()
        answer = Message(f"a{number}", "thread", tip, "assistant", (), TIME)
        record = TurnRecord(f"t{number}", "thread", tip, answer.id, "anthropic", "m", TIME, cost_kind="money")
        await history.begin_turn(record, new_messages=[], answer=answer, expected_tip=tip, request={})
        assert {row.unreported for row in await history.ledger()} == {min(number, 1)}, "not while it comes"
        await history.end_turn(record.id, replace(answer, parts=parts, state="partial"), usage)
        tip = answer.id
    await history.record_call(CALL)
    assert {(row.purpose, row.calls, row.unreported) for row in await history.ledger()} == {
        ("chat", 3, 1),
        ("title", 1, 0),
    }
