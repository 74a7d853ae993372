"""An answer that another program kept from being saved: said, saved at the end, and then no failure of the command."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import ExitStack

import pytest

from desktop_app.backends.scripted_backend import ScriptedBackend
from desktop_app.controller import history_watch
from desktop_app.controller.history_watch import SaveRetries
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.messages import Failure, Message
from desktop_app.core.stream_events import Ended as StreamEnded
from desktop_app.core.stream_events import StreamEvent, TextDelta
from desktop_app.storage import sqlite_connection
from tests.cli.command import Plimsoll
from tests.cli.conftest import Here
from tests.storage.locked import locked_by_another


class Lock:
    """Another program that locks the history in the midst of the first answer."""

    def __init__(self, plimsoll: Plimsoll, monkeypatch: pytest.MonkeyPatch) -> None:
        self.held = ExitStack()
        self.path = plimsoll.folder / "history.db"
        self.asked = 0
        monkeypatch.setattr(sqlite_connection, "BUSY_TIMEOUT_S", 0.05)
        monkeypatch.setattr(history_watch, "PAUSE_S", 3600)
        lock = self

        async def stream(_: ScriptedBackend, _plan: ContextPlan) -> AsyncIterator[StreamEvent]:
            lock.asked += 1
            yield TextDelta(f"half {lock.asked} ")
            if lock.asked == 1:
                lock.held.enter_context(locked_by_another(lock.path))
            yield TextDelta("and the rest")
            yield StreamEnded("end_turn")

        monkeypatch.setattr(ScriptedBackend, "stream", stream)

    def goes_when_said(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """It is gone once the answer is said not to be saved."""
        add = SaveRetries.add

        def added(ends: SaveRetries, turn_id: str, answer: Message, failure: Failure) -> Message:
            self.held.close()
            return add(ends, turn_id, answer, failure)

        monkeypatch.setattr(SaveRetries, "add", added)

    def go(self) -> None:
        self.held.close()


@pytest.fixture
def lock(plimsoll: Plimsoll, monkeypatch: pytest.MonkeyPatch) -> Lock:
    return Lock(plimsoll, monkeypatch)


@pytest.mark.parametrize("command", ["chat", "ask"])
def test_what_is_saved_at_close_is_no_failure(
    here: Here, lock: Lock, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    lock.goes_when_said(monkeypatch)
    ended = here(command, stdin=b"q\n")
    assert "not saved yet" in ended.err
    assert "The answer that was not saved is saved now." in ended.err
    assert ended.status == 0
    assert saved_texts(here) == ["q", "half 1 and the rest"]


def test_with_json_the_last_line_is_its_end(here: Here, lock: Lock, monkeypatch: pytest.MonkeyPatch) -> None:
    lock.goes_when_said(monkeypatch)
    ended = here("ask", "--json", "q")
    assert [line["type"] for line in ended.lines[-2:]] == ["error", "done"]
    assert ended.lines[-2]["code"] == "store"
    assert ended.lines[-1]["stop_reason"] == "end_turn"
    assert ended.lines[-1]["thread"] == ended.lines[-2]["thread"]
    assert ended.status == 0


def test_what_the_next_turn_saves_is_no_failure_either(here: Here, lock: Lock, monkeypatch: pytest.MonkeyPatch) -> None:
    lock.goes_when_said(monkeypatch)
    ended = here("chat", "--json", stdin=b"\n".join(json.dumps({"text": text}).encode() for text in ("q", "r")))
    assert ended.status == 0
    assert len(ended.of("error")) == 1
    assert len(ended.of("done")) == 2
    assert saved_texts(here) == ["q", "half 1 and the rest", "r", "half 2 and the rest"]


def test_what_is_not_saved_in_the_end_is_a_failure(here: Here, lock: Lock) -> None:
    ended = here("chat", stdin=b"q\n")
    lock.go()
    assert ended.status == 6
    assert "saved now" not in ended.err


def saved_texts(here: Here) -> list[str]:
    (thread,) = here("threads", "--json").json
    return [message["text"] for message in here("show", thread["id"], "--json").json["messages"]]
