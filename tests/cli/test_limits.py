"""What a terminal is told of limits and caps, and what it can change: warnings, refusals, events, undo, soft limit."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing

import pytest

from tests.cli.command import Plimsoll
from tests.cli.conftest import Here
from tests.cli.test_questions import LONG, long_thread


def with_settings(plimsoll: Plimsoll, *lines: str) -> None:
    settings = plimsoll.folder / "settings.toml"
    settings.write_text('[backend]\ndefault = "scripted"\n[context]\n' + "\n".join(lines) + "\n")


def a_thread(here: Here, turns: int) -> str:
    thread = str(here("ask", "--json", "Question 0").lines[-1]["thread"])
    for number in range(1, turns):
        assert here("ask", "--json", "--thread", thread, f"Question {number}").status == 0
    return thread


def test_a_cap_warns_in_every_command_with_its_numbers(here: Here, plimsoll: Plimsoll) -> None:
    with_settings(plimsoll, "max_conversation_messages = 12")
    thread = a_thread(here, 4)
    assert here("context", thread, "--draft", "x", "--json").json["warnings"] == []
    assert here("ask", "--thread", thread, "Question 4").err == ""
    near = here("context", thread, "--draft", "x", "--json").json
    assert near["warnings"] == [{"code": "near_messages", "used": 11, "cap": 12, "message": "11 of 12 messages"}]
    plain = here("context", thread, "--draft", "x").out.splitlines()
    assert "Warning   11 of 12 messages" in plain
    assert "Caps      11 of 12 messages" in plain
    asked = here("ask", "--json", "--thread", thread, "Question 5")
    assert asked.of("notice") == [{"type": "notice", "code": "near_messages", "message": "11 of 12 messages"}]
    assert asked.lines[-1]["context"]["kept"] == 11
    trimmed = here("ask", "--json", "--thread", thread, "Question 6")
    sent = trimmed.lines[-1]["context"]
    assert (sent["messages"], sent["kept"] + sent["left_out"]) == (13, 13)
    assert sent["left_out"] == trimmed.lines[0]["events"][0]["messages"]
    # a step goes down to 8 of 12
    assert here("ask", "--thread", thread, "Question 7").err.splitlines() == ["10 of 12 messages"]


def test_done_counts_an_answer_with_its_rounds_of_tools_once(here: Here, plimsoll: Plimsoll) -> None:
    tools = [{"tool": {"id": f"c{n}", "name": "read", "input": {"n": n}}} for n in range(3)]
    plimsoll.write_script({"text": "Let me see."}, *tools, {"text": "Done."})
    thread = here("ask", "--json", "Look").lines[-1]["thread"]
    done = here("ask", "--json", "--thread", thread, "And?").lines[-1]["context"]
    assert {name: done[name] for name in ("messages", "kept", "left_out", "annotated")} == {
        "messages": 3,
        "kept": 3,
        "left_out": 0,
        "annotated": 1,
    }


def test_turns_and_a_beginning_above_the_cap_are_told(here: Here, plimsoll: Plimsoll) -> None:
    with_settings(plimsoll, "max_turns = 5", "preserve_first_n = 8", "preserve_last_n = 8")
    thread = a_thread(here, 3)
    told = here("ask", "--thread", thread, "Question 3").err.splitlines()
    assert told[0] == "4 of 5 turns"
    for key in ("context.preserve_first_n (8)", "context.preserve_last_n (8)", "context.max_turns (5)"):
        assert key in told[1]
    codes = [notice["code"] for notice in here("ask", "--json", "--thread", thread, "Question 4").of("notice")]
    assert codes == ["near_turns", "head_over_cap"]


def test_a_refusal_names_what_is_largest_and_what_can_be_done(here: Here, plimsoll: Plimsoll) -> None:
    thread = long_thread(here, plimsoll, 2)
    told = here("ask", "--thread", thread, LONG * 8)
    assert told.status == 4
    lines = told.err.splitlines()
    assert lines[0].startswith("This message is too long to send (")
    assert lines[1].startswith("Largest: your message ")
    assert lines[2] == "What you can do:"
    assert any(
        re.fullmatch(rf"  Raise the limit to \d+K.*: plimsoll context {thread[:8]} --soft-limit \d+", x) for x in lines
    )
    assert "  Start a new conversation with a shorter message: plimsoll ask TEXT" in lines
    assert f"  Shorten the message: plimsoll ask --thread {thread[:8]} TEXT" in lines
    error = here("ask", "--json", "--thread", thread, LONG * 8).lines[-1]
    assert error["code"] == "context_limit"
    assert error["largest"][0]["label"] == "your message"
    assert {way["action"] for way in error["remedies"]} >= {"raise_limit", "edit_draft", "new_thread", "switch_model"}
    planned = here("context", thread, "--draft", LONG * 8).out.splitlines()
    assert [line for line in planned if ": plimsoll " in line] == lines[3:]
    # and it works as it is said
    limit = next(way["command"] for way in error["remedies"] if way["action"] == "raise_limit").split()[1:]
    assert here(*limit).status == 0
    assert here("ask", "--thread", thread, LONG * 8).status == 0


def test_the_threads_own_limit_is_set_and_taken_away(here: Here, plimsoll: Plimsoll) -> None:
    thread = a_thread(here, 1)
    assert here("context", thread, "--soft-limit", "20,000", "--json").json["limits"]["soft"] == 20_000
    assert here("context", thread, "--json").json["limits"]["soft"] == 20_000
    above = here("context", thread[:8], "--soft-limit", "190000")
    assert (
        above.err == "The soft limit of this thread is 190,000, but Scripted takes at most 150,000; 150,000 is used.\n"
    )
    assert here("context", thread, "--soft-limit", "default").err == ""
    assert here("context", thread, "--json").json["limits"]["soft"] == 150_000
    for wrong in ("abc", "12", "-5", "0"):
        ended = here("context", thread, "--soft-limit", wrong)
        assert ended.status == 2
        assert "a whole number from 1,000 to 10,000,000" in ended.err


@pytest.mark.parametrize("option", [("--undo",), ("--events",), ("--soft-limit", "5000")])
def test_what_belongs_to_a_thread_needs_one(here: Here, option: tuple[str, ...]) -> None:
    ended = here("context", *option)
    assert ended.status == 2
    assert "THREAD is required" in ended.err
    assert here("context", "nope", *option).status == 2


def test_a_soft_limit_above_the_models_is_told_with_what_is_used(here: Here, plimsoll: Plimsoll) -> None:
    with_settings(plimsoll, "soft_limit = 190000")
    words = "context.soft_limit is 190,000, but Scripted takes at most 150,000; 150,000 is used."
    asked = here("ask", "Hello").err.splitlines()
    assert asked[1:] == [words]
    told = here("ask", "--json", "Hello")
    assert told.of("notice") == [{"type": "notice", "code": "soft_limit", "message": words}]
    assert here("context").err.splitlines() == [words]
    chatted = here("chat", stdin=b"one\ntwo\n")
    assert chatted.err.splitlines()[1:] == [words], "once"
    checks = here("doctor", "--json").json["checks"]
    assert next(check for check in checks if check["name"] == "settings") == {
        "name": "settings",
        "ok": False,
        "detail": words,
    }
    with_settings(plimsoll, "soft_limit = 150000")
    assert here("context").err == ""


def test_events_are_listed_and_the_newest_step_is_undone(here: Here, plimsoll: Plimsoll) -> None:
    with_settings(plimsoll, "max_messages = 6")
    thread = a_thread(here, 3)
    assert here("context", thread, "--events", "--json").json == []
    assert here("context", thread, "--events").err == "Nothing happened to the context of this thread yet.\n"
    nothing = here("context", thread, "--undo")
    assert (nothing.status, nothing.err) == (2, f"Nothing to undo: nothing of thread {thread[:8]} is left out.\n")
    here("ask", "--thread", thread, "Question 3")
    (trimmed,) = here("context", thread, "--events", "--json").json
    assert set(trimmed) == {"at", "kind", "before", "after", "messages", "model", "cost_usd"}
    assert (trimmed["kind"], trimmed["messages"]) == ("trimmed", 3)
    (plain,) = here("context", thread[:8], "--events").out.splitlines()
    sizes = f"{trimmed['before']:,} -> {trimmed['after']:,} tokens"
    assert plain == f"{trimmed['at']}  3 messages left out, {sizes} · Scripted"

    def left_out() -> int:
        return sum(message["state"] == "left_out" for message in here("context", thread, "--json").json["messages"])

    assert left_out() == 3
    undone = here("context", thread, "--undo")
    assert (undone.status, undone.err) == (0, "Undone\n")
    assert "Messages  8 whole" in undone.out.splitlines()
    assert left_out() == 0
    assert [event["kind"] for event in here("context", thread, "--events", "--json").json] == ["trimmed", "undone"]
    assert here("context", thread, "--undo").status == 2
    for number in range(4, 8):
        here("ask", "--thread", thread, f"Question {number}")
    late = here("context", thread, "--undo")
    assert late.err.startswith("Undone, but the next request passes the limit again: ")


def test_a_load_line_that_was_moved_is_undone_before_the_step_behind_it(here: Here, plimsoll: Plimsoll) -> None:
    with_settings(plimsoll, "max_messages = 6")
    thread = a_thread(here, 4)

    def states() -> list[str]:
        return [row["state"] for row in here("context", thread, "--json").json["messages"]]

    stepped, ids = states(), [row["id"] for row in here("context", thread, "--json").json["messages"]]
    assert stepped.count("left_out") == 3
    # as the window stores it: the line stands a turn below the step, and above the question that carries it
    moved = {"fresh_from": ids[5], "keeps_start": True}
    with closing(sqlite3.connect(next(plimsoll.folder.rglob("history.db")))) as history, history:
        history.execute("UPDATE thread SET choices = ?", (json.dumps(moved),))
    assert states() == ["whole", *["left_out"] * 5, "whole", "whole"]
    assert here("context", thread, "--undo").status == 0
    assert states() == stepped


def test_every_trim_and_refusal_is_a_line_in_the_log(here: Here, plimsoll: Plimsoll) -> None:
    thread = long_thread(here, plimsoll, 6)
    here("ask", "--thread", thread, LONG * 8)
    log = next(plimsoll.folder.rglob("plimsoll.log")).read_text()
    assert re.search(r"INFO \S+ context: trimmed, \d+ -> \d+, \d+ messages\n", log)
    assert re.search(r"INFO \S+ context: refused, \d+ -> 9600, \d+ messages\n", log)
    assert "the water" not in log
    here("context", thread, "--undo")
    assert "context: undone" in next(plimsoll.folder.rglob("plimsoll.log")).read_text()
