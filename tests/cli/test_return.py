"""Older messages come back when a limit is raised or gone: said before sending, when it happens, and on wish."""

from __future__ import annotations

from tests.cli.command import Plimsoll
from tests.cli.conftest import Here
from tests.cli.test_limits import a_thread, with_settings


def left_out(here: Here, thread: str) -> int:
    return sum(row["state"] == "left_out" for row in here("context", thread, "--json").json["messages"])


def test_what_a_cap_left_out_comes_back_when_it_is_taken_away(here: Here, plimsoll: Plimsoll) -> None:
    with_settings(plimsoll, "max_messages = 6", "preserve_last_n = 2")
    thread = a_thread(here, 6)
    gone = left_out(here, thread)
    assert gone > 4
    with_settings(plimsoll)
    assert f"Decision  sending takes back {gone} older messages" in here("context", thread).out.splitlines()
    assert left_out(here, thread) == 0
    asked = here("ask", "--json", "--thread", thread, "And now?")
    assert asked.of("notice") == [
        {"type": "notice", "code": "returned", "message": f"{gone} older messages brought back"}
    ]
    events = here("context", thread, "--events", "--json").json
    assert (events[-1]["kind"], events[-1]["messages"]) == ("returned", gone)
    assert here("ask", "--json", "--thread", thread, "And then?").of("notice") == []
    # and it can be undone, for as long as nothing else changes
    assert here("context", thread, "--undo").status == 0
    assert left_out(here, thread) == gone
    assert here("ask", "--json", "--thread", thread, "So?").of("notice") == []
    assert left_out(here, thread) == gone
    assert here("context", thread, "--return").status == 0
    assert left_out(here, thread) == 0


def test_what_is_less_than_a_tenth_is_offered_and_comes_back_on_wish(here: Here, plimsoll: Plimsoll) -> None:
    with_settings(plimsoll, "max_messages = 8", "preserve_last_n = 2")
    thread = a_thread(here, 11)
    with_settings(plimsoll, "max_messages = 16", "preserve_last_n = 2")
    gone = left_out(here, thread)
    told = here("ask", "--thread", thread, "More?").err
    assert "older messages fit again: with them the next message sends" in told
    assert left_out(here, thread) == gone
    assert "context THREAD --return does it." in here("context", thread).out
    taken = here("context", thread, "--return")
    assert (taken.status, taken.err.splitlines()[0]) == (0, "The next message brings it back")
    assert left_out(here, thread) < gone
    assert here("context", thread, "--undo").status == 0
    assert left_out(here, thread) == gone
    assert here("context", thread, "--return").status == 0
    codes = [notice["code"] for notice in here("ask", "--json", "--thread", thread, "And?").of("notice")]
    assert "returned" in codes
    assert left_out(here, thread) < gone


def test_nothing_to_take_back_is_said(here: Here) -> None:
    thread = a_thread(here, 2)
    told = here("context", thread, "--return")
    assert (told.status, told.err.splitlines()[0][:21]) == (2, "Nothing to bring back")
    assert here("context", "--return").status == 2
