from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from desktop_app.core.history_records import CallRecord, TurnRecord
from desktop_app.core.messages import Message, TextPart, Usage
from desktop_app.storage.file_format import NEWEST
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.cli.command import Plimsoll
from tests.cli.conftest import Here
from tests.data.db import build
from tests.storage.conftest import TIME, a_thread

FIGURES = {"calls", "input", "cache_read", "cache_write", "output", "priced", "cost_usd", "money", "plan", "free"}


def call(name: str, model: str, kind: str, cost: float | None, *, day: int = 1, purpose: str = "summary") -> CallRecord:
    at = f"2026-03-{day:02}T10:00:00.000Z"
    return CallRecord(name, None, purpose, "anthropic", model, kind, at, at, Usage(10, 2_000, 30, 40, 0, cost))


def record(folder: Path, calls: Sequence[CallRecord]) -> None:
    async def write() -> None:
        history = await SqliteHistory.open(folder / "history.db")
        for one in calls:
            await history.record_call(one)
        await history.close()

    asyncio.run(write())


def columns(line: str) -> list[str]:
    return re.split(r" {2,}", line)


def test_what_a_turn_used_is_in_every_sum(here: Here) -> None:
    used = here("ask", "--json", "Hello").of("usage")[0]
    usage = here("usage", "--json").json
    assert set(usage) == {"total", "by_model", "by_day", "by_purpose", "by_backend"}
    assert set(usage["total"]) == {*FIGURES, "events"}
    assert usage["total"].pop("events") == {}
    (model,), (day,), (purpose,) = usage["by_model"], usage["by_day"], usage["by_purpose"]
    assert (model.pop("model"), purpose.pop("purpose"), len(day.pop("day"))) == ("scripted", "chat", 10)
    assert model == day == purpose == usage["total"]
    assert {name: usage["total"][name] for name in ("input", "cache_read", "cache_write", "output")} == {
        name: used[name] for name in ("input", "cache_read", "cache_write", "output")
    }
    assert (usage["total"]["calls"], usage["total"]["free"]) == (1, {"calls": 1, "priced": 1, "cost_usd": 0.0})


def test_money_plan_and_free_are_told_apart(here: Here, plimsoll: Plimsoll) -> None:
    calls = [
        call("1", "m", "money", 0.5),
        call("2", "m", "money", None, day=2),
        call("3", "p", "plan", 2.0),
        call("4", "f", "free", 0.0, purpose="title"),
        call("5", "u", "money", None),
    ]
    record(plimsoll.folder, calls)
    usage = here("usage", "--json").json
    total = usage["total"]
    assert (total["calls"], total["priced"], total["cost_usd"]) == (5, 3, 2.5)
    assert total["money"] == {"calls": 3, "priced": 1, "cost_usd": 0.5}
    assert total["plan"] == {"calls": 1, "priced": 1, "cost_usd": 2.0}
    assert total["free"] == {"calls": 1, "priced": 1, "cost_usd": 0.0}
    assert [line["model"] for line in usage["by_model"]] == ["p", "m", "f", "u"]
    assert usage["by_model"][-1]["cost_usd"] is None
    assert [line["day"] for line in usage["by_day"]] == ["2026-03-02", "2026-03-01"]
    lines = here("usage").out.splitlines()
    assert lines[:5] == [
        "Calls     5",
        "Billed    from $0.50, 3 calls",
        "On a plan 1 call, $2.00 at list price",
        "Free      1 call",
        "Tokens    50 fresh, 10,000 read from the cache, 150 written to it, 200 of output",
    ]
    by_model = [columns(line) for line in lines[7:11]]
    assert by_model == [
        ["p", "1", "10", "2,000", "30", "40", "-", "$2.00"],
        ["m", "2", "20", "4,000", "60", "80", "from $0.50", "-"],
        ["f", "1", "10", "2,000", "30", "40", "free", "-"],
        ["u", "1", "10", "2,000", "30", "40", "unknown", "-"],
    ]
    tables = "\n".join(lines[5:]).strip().split("\n\n")
    assert [table.split()[0] for table in tables] == ["Model", "Purpose", "Connection", "Day"]
    assert [len({len(line) for line in table.splitlines()}) for table in tables] == [1, 1, 1, 1]


def test_old_days_are_added_up(here: Here, plimsoll: Plimsoll) -> None:
    record(plimsoll.folder, [call(str(day), "m", "money", 0.25, day=day) for day in range(1, 21)])
    days = here("usage").out.split("\n\n")[-1].splitlines()
    assert "On a plan" not in days[0]
    assert [columns(line)[0] for line in days[1:]] == [f"2026-03-{day:02}" for day in range(20, 6, -1)] + ["earlier"]
    assert columns(days[-1])[1:] == ["6", "60", "12,000", "180", "240", "$1.50"]
    assert len(here("usage", "--json").json["by_day"]) == 20


def test_an_answer_that_was_cut_off_is_told_and_counts_are_the_least_there_can_have_been(
    here: Here, plimsoll: Plimsoll
) -> None:
    async def cut_off() -> None:
        history = await SqliteHistory.open(plimsoll.folder / "history.db")
        await history.create_thread(a_thread())
        answer = Message("a", "thread", None, "assistant", (), TIME)
        turn = TurnRecord("t", "thread", None, "a", "anthropic", "m", TIME, cost_kind="money")
        await history.begin_turn(turn, new_messages=[], answer=answer, expected_tip=None, request={})
        await history.end_turn("t", replace(answer, parts=(TextPart("Half an"),), state="partial"), None)
        await history.close()

    asyncio.run(cut_off())
    record(plimsoll.folder, [call("1", "m", "money", 0.5)])
    lines = here("usage").out.splitlines()
    assert lines[3] == "          1 answer was cut off before tokens were reported, and may still be billed"
    assert columns(lines[6]) == ["m", "2", "from 10", "from 2,000", "from 30", "from 40", "from $0.50"]


def test_before_the_first_call_there_is_nothing_to_show(here: Here) -> None:
    plain = here("usage")
    assert (plain.status, plain.out, plain.err) == (0, "", "No usage yet.\n")
    usage = here("usage", "--json").json
    assert (usage["by_model"], usage["by_day"], usage["by_purpose"]) == ([], [], [])
    assert (usage["total"]["calls"], usage["total"]["cost_usd"]) == (0, 0.0)


def test_the_calls_of_an_older_history_are_there(here: Here, plimsoll: Plimsoll) -> None:
    shutil.copy(build.FOLDER / "v1.sqlite", plimsoll.folder / "history.db")
    total = here("usage", "--json").json["total"]
    assert (total["calls"], total["money"]) == (2, {"calls": 2, "priced": 1, "cost_usd": 0.5})
    assert len(list((plimsoll.folder / "backups").iterdir())) == NEWEST - 1


def test_a_refusal_is_counted(here: Here) -> None:
    refused = here("ask", "--json", "An unusual sentence about nothing at all. " * 30_000)
    assert refused.status == 4
    assert here("usage", "--json").json["total"]["events"] == {"refused": 1}
    assert "Context   1 refusal" in here("usage").out
