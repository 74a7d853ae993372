from __future__ import annotations

import asyncio
import io
import json
import os
import signal
import subprocess
from collections.abc import AsyncGenerator, Iterable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from desktop_app.backends.scripted_backend import ScriptedBackend
from desktop_app.cli.ask_command import ChatInput, chat
from desktop_app.cli.command_process import Interruption, Output
from desktop_app.cli.options import ChatOptions, TurnOptions
from desktop_app.cli.plan_shapes import context_shape
from desktop_app.cli.turn_printer import UnsavedAnswers
from desktop_app.core.context.context_choices import ContextChoices, Deletion
from desktop_app.core.context.plan import ContextPlan, PlacedMessage
from desktop_app.core.messages import Json
from desktop_app.core.stream_events import StreamEvent
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.cli.command import Ended, Plimsoll
from tests.cli.conftest import Here
from tests.controller.world import make_world
from tests.fakes.gated_backend import GatedBackend
from tests.patience import PATIENCE_S


def test_many_turns_in_one_process(here: Here) -> None:
    ended = here("chat", stdin="first\n\nsecond ü\nthird".encode())
    assert ended.status == 0
    assert ended.out.startswith("I was sent 1 message.\n\n1. user: first\nI was sent 3 messages.\n\n1. user: first\n")
    assert ended.out.endswith("\n\n5. user: third\n")
    (thread,) = here("threads", "--json").json
    assert thread["messages"] == 6


def test_json_lines_in_and_out_and_going_on_after_errors(here: Here) -> None:
    stdin = b"\n".join(
        [
            b'{"text": "one"}',
            b"no json",
            b'{"text": 3}',
            b"\xff",
            b'{"text": "two", "attach": ["gone.txt"]}',
            b'{"text": "two"}',
        ]
    )
    ended = here("chat", "--json", stdin=stdin)
    assert [line["type"] for line in ended.lines if line["type"] not in ("delta", "usage")] == [
        *("context", "done", "error", "error", "error", "error", "context", "done")
    ]
    assert {line["code"] for line in ended.of("error")} == {"usage"}
    assert ended.status == 2
    first, last = ended.of("done")
    assert first["thread"] == last["thread"] == ended.of("error")[0]["thread"]


def test_from_the_second_turn_the_request_leaves_before_its_context_is_written(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    happened: list[str] = []
    stream, shape = ScriptedBackend.stream, context_shape

    def sent(backend: ScriptedBackend, plan: ContextPlan) -> AsyncGenerator[StreamEvent, Any]:
        happened.append("sent")
        return stream(backend, plan)

    def written(plan: ContextPlan, thread: str | None, rows: Iterable[PlacedMessage]) -> dict[str, Json]:
        happened.append("written")
        return shape(plan, thread, rows)

    monkeypatch.setattr(ScriptedBackend, "stream", sent)
    monkeypatch.setattr("desktop_app.cli.turn_printer.context_shape", written)
    ended = here("chat", "--json", stdin=b'{"text": "one"}\n{"text": "two"}\n{"text": "three"}')
    assert happened == ["written", "sent", "sent", "written", "sent", "written"]
    kinds = [line["type"] for line in ended.lines if line["type"] != "usage"]
    assert [kind for kind, before in zip(kinds, ["", *kinds], strict=False) if kind != before] == (
        ["context", "delta", "done"] * 3
    )


def test_it_goes_on_in_a_thread(here: Here) -> None:
    thread = here("ask", "--json", "before").lines[-1]["thread"]
    ended = here("chat", "--thread", thread[:8], stdin=b"after\n")
    assert "1. user: before" in ended.out
    assert ended.out.endswith("3. user: after\n")


def test_a_failed_turn_sets_the_status_and_does_not_end_it(here: Here, plimsoll: Plimsoll) -> None:
    failure = {"code": "overloaded", "message": "Busy. Try later."}
    plimsoll.write_script({"error": failure}, {"text": "Now."}, {"end": "end_turn"})
    ended = here("chat", stdin=b"a\nb\n")
    assert (ended.status, ended.out) == (5, "Now.\n")
    assert "Busy. Try later." in ended.err


def test_without_input_nothing_is_made(here: Here) -> None:
    ended = here("chat")
    assert (ended.status, ended.out) == (0, "")
    assert here("threads", "--json").json == []


@pytest.mark.parametrize(("stdin", "turns"), [(b"one\n", 1), (b"one\ntwo\n", 2)])
async def test_the_backend_is_prepared_while_the_next_line_is_awaited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stdin: bytes, turns: int
) -> None:
    backend, (read_end, write_end) = GatedBackend(), os.pipe()
    prepared: list[int] = []

    async def prepare(plan: ContextPlan | None = None) -> None:
        assert plan is not None
        prepared.append(sum(message.role == "user" for message in plan.request.history))
        os.close(write_end)

    monkeypatch.setattr(backend, "prepare", prepare)
    monkeypatch.setattr("desktop_app.cli.ask_command.STDIN", read_end)
    history = await SqliteHistory.open(tmp_path / "history.db")
    world = await make_world(history, {"gated": backend}, default_backend="gated")
    services: Any = SimpleNamespace(
        chat=world.chat,
        history=history,
        announcements=world.announcements,
        attachments=None,
    )
    os.write(write_end, stdin)
    try:
        out = Output(io.StringIO(), io.StringIO())
        unsaved = UnsavedAnswers(out, json=False)
        interruption = Interruption()
        given = ChatInput.of_standard_input(interruption)
        assert await chat(services, ChatOptions(TurnOptions()), given, out, interruption, unsaved=unsaved) == 0
    finally:
        await world.chat.close()
        await history.close()
        os.close(read_end)
    assert prepared == [turns]


@pytest.mark.slow
def test_each_answer_is_written_before_the_next_line_is_awaited(plimsoll: Plimsoll) -> None:
    read_end, write_end = os.pipe()
    running = plimsoll.start("chat", "--json", stdin=read_end)
    os.close(read_end)
    assert running.stdout is not None
    for text in ("one", "two"):
        os.write(write_end, json.dumps({"text": text}).encode() + b"\n")
        while json.loads(running.stdout.readline())["type"] != "done":
            pass
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=PATIENCE_S)
    os.close(write_end)
    assert (running.returncode, out, err) == (130, b"", b"")


@pytest.mark.slow
def test_what_others_changed_between_two_lines_counts(plimsoll: Plimsoll) -> None:
    """A message that was deleted meanwhile is not sent again, one that was added is."""

    async def delete(thread_id: str) -> None:
        history = await SqliteHistory.open(plimsoll.folder / "history.db")
        thread, messages = await history.thread(thread_id), await history.messages(thread_id)
        gone = frozenset(Deletion(one.id, messages[-1].id) for one in messages)
        await history.update_thread(replace(thread, choices=ContextChoices(deleted=gone)))
        await history.close()

    running = plimsoll.start("chat", "--json", stdin=subprocess.PIPE)
    assert running.stdin is not None
    assert running.stdout is not None
    running.stdin.write(b'{"text": "deleted later"}\n')
    running.stdin.flush()
    while (last := json.loads(running.stdout.readline()))["type"] != "done":
        pass
    asyncio.run(delete(last["thread"]))
    said = [plimsoll("ask", "--thread", last["thread"], "between").out]
    out, _ = running.communicate(b'{"text": "and now"}\n', timeout=PATIENCE_S)
    said.append(Ended(0, out.decode(), "").text)
    assert [("deleted later" in one, "between" in one) for one in said] == [(False, True)] * 2


@pytest.mark.slow
def test_an_interrupt_in_an_answer_ends_the_chat(plimsoll: Plimsoll) -> None:
    plimsoll.write_script({"text": "Half"}, {"delay_ms": 60_000})
    running = plimsoll.start("chat", "--json", stdin=subprocess.PIPE)
    assert running.stdin is not None
    assert running.stdout is not None
    running.stdin.write(b'{"text": "a"}\n{"text": "b"}\n')
    running.stdin.flush()
    while json.loads(running.stdout.readline())["type"] != "delta":
        pass
    running.send_signal(signal.SIGINT)
    out, _ = running.communicate(timeout=PATIENCE_S)
    assert running.returncode == 130
    assert [json.loads(line)["stop_reason"] for line in out.splitlines()] == ["interrupted"]
