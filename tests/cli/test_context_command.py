from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.cli.context_command import decision_words
from desktop_app.cli.plan_shapes import context_shape
from desktop_app.core.context.context_choices import ContextChoices, Summary
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.cli.command import Plimsoll
from tests.cli.conftest import Here
from tests.core.paths import plan_for, small_model, words
from tests.core.test_dead_weight import filler, thread
from tests.patience import PATIENCE_S
from tests.ui.long_threads import put_thread


def fingerprint(folder: Path) -> dict[str, str]:
    """Every file below a folder by its content; SQLite's own lock files come and go."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.endswith(("-wal", "-shm"))
    }


def test_a_new_thread_is_planned_without_a_trace(here: Here, plimsoll: Plimsoll) -> None:
    before = fingerprint(plimsoll.folder)
    plan = here("context", "--draft", "Hello there", "--json").json
    assert set(plan) == {
        *("thread", "backend", "model", "decision", "limits", "tokens", "messages"),
        *("cost_usd", "at_most", "cached_tokens", "cache", "events", "warnings", "documents"),
    }
    assert plan["cache"] == {"state": "unknown", "tokens": 0, "until": None, "ttl": None}
    assert (plan["thread"], plan["backend"], plan["decision"], plan["messages"]) == (None, "scripted", "ok", [])
    assert plan["limits"] == {"window": 200_000, "soft": 150_000, "low": 105_000, "emergency": 180_000}
    tokens = plan["tokens"]
    kinds = ("system", "tools", "documents", "history", "summary", "draft", "overhead")
    assert tokens["total"] == sum(tokens[kind] for kind in kinds)
    assert tokens["draft"] > 0
    assert fingerprint(plimsoll.folder) == before


def test_the_plan_is_the_one_that_ask_then_prints_and_sends(here: Here) -> None:
    thread = here("ask", "--json", "--system", "Be brief.", "First question").lines[-1]["thread"]
    plan = here("context", thread[:8], "--draft", "Second", "--request", "--json").json
    request = plan.pop("request")
    assert [message["role"] for message in plan["messages"]] == ["user", "assistant"]
    assert request["system"] == "Be brief."
    assert [message["role"] for message in request["messages"]] == ["user", "assistant", "user"]
    assert request["messages"][-1]["content"] == ["Second"]
    sent = here("ask", "--json", "--thread", thread, "Second").lines[0]
    assert {"type": "context", **plan} == sent


def test_a_limit_that_is_only_assumed_is_called_so() -> None:
    for source in ("assumed", "provider"):
        plan = plan_for((), words(8_000), model=replace(small_model(), window_source=source))
        assert context_shape(plan, None).get("limit_assumed", False) == (source == "assumed")
        guess = "; limit 4.5K assumed" if source == "assumed" else ""
        assert decision_words(plan) == f"too long: nothing would be sent{guess}"


def test_it_changes_nothing_of_a_thread(here: Here, plimsoll: Plimsoll) -> None:
    thread = here("ask", "--json", "Hello").lines[-1]["thread"]
    before, shown = fingerprint(plimsoll.folder), here("show", thread, "--json").out
    assert (
        here("context", thread, "--backend", "claude-cli", "--draft", "x" * 1000, "--json").json["backend"]
        == "claude-cli"
    )
    assert here("context", thread).status == 0
    assert fingerprint(plimsoll.folder) == before
    assert here("show", thread, "--json").out == shown


def test_a_draft_that_is_too_long_is_told_and_is_no_error(here: Here) -> None:
    ended = here("context", "--draft", "plimsoll " * 12_000, "--backend", "local")
    assert ended.status == 0
    assert "too long" in ended.out
    plan = here("context", "--draft", "plimsoll " * 12_000, "--backend", "local", "--json").json
    assert plan["decision"] == "refuse"


def test_without_a_draft_there_is_no_request(here: Here) -> None:
    assert here("context", "--request", "--json").json["request"] is None
    assert "none" in here("context", "--request").out


def test_unknown_names(here: Here) -> None:
    assert here("context", "nope").status == 2
    assert here("context", "--backend", "telegraph").status == 3


@pytest.mark.slow
def test_looking_leaves_even_a_dead_turn_as_it_is(here: Here, plimsoll: Plimsoll) -> None:
    plimsoll.write_script({"text": "As far as this."}, {"delay_ms": 60_000})
    dying = plimsoll.start("ask", "--json", "Go on")
    assert dying.stdout is not None
    thread = json.loads(dying.stdout.readline())["thread"]
    dying.stdout.readline()
    dying.kill()
    dying.communicate(timeout=PATIENCE_S)

    def stored() -> list[str]:
        with contextlib.closing(sqlite3.connect(plimsoll.folder / "history.db")) as file:
            return list(file.iterdump())

    before = stored()
    assert here("context", thread, "--json").status == 0
    assert stored() == before
    assert here("show", thread, "--json").json["messages"][-1]["state"] == "partial"
    assert stored() != before


def test_what_if_compares_and_changes_nothing(here: Here, plimsoll: Plimsoll) -> None:
    thread = here("ask", "--json", "Hello").lines[-1]["thread"]
    before = fingerprint(plimsoll.folder)
    rows = here("context", thread[:8], "--draft", "And now?", "--what-if", "--json").json
    assert [row["choice"] for row in rows] == ["as_is"], "no limit changes anything, and this model takes no higher one"
    keys = {"choice", "model", "tokens", "decision", "cost_usd", "at_most", "cost_20_turns_usd", "left_out"}
    assert all(keys <= set(row) for row in rows)
    plan = here("context", thread[:8], "--draft", "And now?", "--json").json
    told = {key: rows[0][key] for key in ("model", "decision", "cost_usd")}
    assert (told, rows[0]["tokens"]) == ({key: plan[key] for key in told}, plan["tokens"]["total"])
    shown = here("context", thread[:8], "--draft", "And now?", "--what-if")
    assert (shown.status, "As it is" in shown.out, "20 turns" in shown.out) == (0, True, True)
    assert "$" not in shown.out, "nobody pays for it"
    assert here("context", "--draft", "Hi", "--what-if", "--json").json[0]["choice"] == "as_is"
    assert fingerprint(plimsoll.folder) == before
    assert here("context", thread, "--what-if", "--request").status == 2


def test_what_if_looks_at_the_two_models_used_lately(here: Here) -> None:
    thread = here("ask", "--json", "Hello").lines[-1]["thread"]
    rows = here("context", thread, "--backend", "claude-cli", "--draft", "Hi", "--what-if", "--json").json
    others = [(row["backend"], row["model"]) for row in rows if row["choice"] == "model"]
    assert others == [("scripted", "scripted")]
    assert {row["backend"] for row in rows if row["choice"] != "model"} == {"claude-cli"}


def test_dead_weight_and_what_a_summary_lacks_are_told_where_there_is_any(here: Here, plimsoll: Plimsoll) -> None:
    path = thread(*filler(20), "Port 8443 it is.", "So 8443.")
    asyncio.run(put_thread(plimsoll.folder, "Long", path))
    told = here("context", "t", "--json").json
    weight = sum(row["tokens"] for row in told["messages"][:2])
    assert told["unused"] == [{"id": "m0", "tokens": weight, "turns": 22, "leaves": False}]
    assert "not_in_summaries" not in told
    assert f"Unused    {weight:,} tokens for 22 turns: message m0" in here("context", "t").out

    async def summarise() -> None:
        history = await SqliteHistory.open(plimsoll.folder / "history.db")
        summary = Summary("s", tuple(message.id for message in path[40:]), "A port was chosen.", "big", path[0].created)
        now = await history.thread("t")
        await history.update_thread(replace(now, choices=ContextChoices(summaries=(summary,))))
        await history.close()

    asyncio.run(summarise())
    told = here("context", "t", "--json").json
    assert told["not_in_summaries"] == [{"id": "s", "numbers": ["8443"], "names": [], "paths": []}]
    assert "Summary   s lacks 8443" in here("context", "t").out
