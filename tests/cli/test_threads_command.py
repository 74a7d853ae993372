from __future__ import annotations

import contextlib
import sqlite3

import pytest

from tests.cli.command import Plimsoll
from tests.cli.conftest import Here


def test_the_list_has_the_last_used_first(here: Here, plimsoll: Plimsoll) -> None:
    first = here("ask", "--json", "--system", "Brief.", "Plan the garden").lines[-1]["thread"]
    second = here("ask", "--json", "Fix the boat").lines[-1]["thread"]
    here("ask", "--thread", first, "And the shed")
    one, two = here("threads", "--json").json
    assert [one["id"], two["id"]] == [first, second]
    assert set(one) == {
        *("id", "title", "created", "updated", "backend", "model", "messages", "project", "pinned", "archived")
    }
    assert (one["title"], one["messages"], one["backend"]) == ("Plan the garden", 4, "scripted")
    assert one["created"] < one["updated"]
    assert one["created"].endswith("Z")
    lines = here("threads").out.splitlines()
    assert lines[0].startswith(first[:8])
    assert lines[0].endswith("Plan the garden")
    with contextlib.closing(sqlite3.connect(plimsoll.folder / "history.db")) as file, file:
        file.execute("UPDATE thread SET archived = 1 WHERE id = ?", (first,))
    assert here("threads").out.splitlines()[0].endswith("Plan the garden  (archived)")


def test_without_threads_the_list_is_empty(here: Here) -> None:
    assert here("threads", "--json").json == []
    plain = here("threads")
    assert (plain.status, plain.out) == (0, "")


def test_a_thread_is_shown_along_its_branch(here: Here) -> None:
    thread = here("ask", "--json", "Hello").lines[-1]["thread"]
    shown = here("show", thread[:8], "--json").json
    assert set(shown) == {"id", "title", "messages", "draft"}
    question, answer = shown["messages"]
    keys = {"id", "parent", "role", "text", "parts", "state", "created", "model", "asked", "usage", "why"}
    assert set(question) == keys
    assert (answer["asked"], answer["why"]) == (None, None)
    assert (question["role"], question["parent"], question["usage"]) == ("user", None, None)
    assert question["parts"] == [{"type": "text", "text": "Hello"}]
    assert (answer["role"], answer["parent"], answer["state"]) == ("assistant", question["id"], "complete")
    assert set(answer["usage"]) == {"input", "cache_read", "cache_write", "output", "cost_usd"}
    text = here("show", thread).out
    assert text.index("## You\n\nHello") < text.index("## Assistant (Scripted)\n\nI was sent 1 message.")


def test_a_failed_answer_is_shown_with_its_state(here: Here, plimsoll: Plimsoll) -> None:
    plimsoll.write_script({"error": {"code": "network", "message": "Lost. Try again."}})
    thread = here("ask", "--json", "Hello").lines[-1]["thread"]
    assert here("show", thread, "--json").json["messages"][-1]["state"] == "error"
    assert "*Lost. Try again.*" in here("show", thread).out


def test_an_unknown_thread_exits_with_2(here: Here) -> None:
    ended = here("show", "nope", "--json")
    assert (ended.status, ended.out) == (2, "")
    assert "nope" in ended.err


@pytest.mark.parametrize("command", [("show",), ("context",), ("ask", "q", "--thread")], ids=lambda words: words[0])
def test_a_thread_id_of_100_000_signs_is_a_clear_error(here: Here, command: tuple[str, ...]) -> None:
    ended = here(*command, "a" * 100_000)
    assert ended.status == 2
    assert "There is no thread aaaa" in ended.err
    assert len(ended.err) < 300


def test_a_setting_of_10_000_digits_is_a_clear_error(here: Here, plimsoll: Plimsoll) -> None:
    for digits in ("9" * 10_000, "0x" + "f" * 10_000, "9" * 4_000):
        (plimsoll.folder / "settings.toml").write_text(f"[context]\nsoft_limit = {digits}\n")
        ended = here("threads")
        assert ended.status == 0
        assert "settings.toml holds a number that is too long" in ended.err or "context.soft_limit is" in ended.err
        assert len(ended.err) < 400
