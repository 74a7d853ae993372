"""The scripted backend plays every state of a real one, so that pictures and scenes of errors show the real thing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_app.backends.scripted_backend import MODEL, ScriptedBackend
from desktop_app.core.events import AnswerGrew
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.controller.world import make_world, words
from tests.faults.backends.checks import check
from tests.faults.backends.faults import FAULTS, HALF, Fault
from tests.faults.backends.playing import QUESTION, Played, held, stored_answer
from tests.faults.backends.states import EMPTY, State, expected


def script_of(fault: Fault) -> str:
    """What the file has to say for the state of `anthropic`."""
    outcome = expected(fault.name, "anthropic").outcome
    lines: list[dict[str, object]] = [{"text": fault.kept}] if fault.kept else []
    if isinstance(outcome, State):
        error = {
            "code": outcome.code,
            "message": outcome.words,
            "detail": f"HTTP {fault.name}",
            "actions": outcome.actions,
        }
        return "\n".join(map(json.dumps, [*lines, {"error": error}]))
    return "\n".join(map(json.dumps, [*lines, {"end": "end_turn"}]))


QUICK = ("401", "connection lost in the text", "an empty answer")


@pytest.mark.parametrize(
    "fault",
    [pytest.param(fault, marks=() if fault.name in QUICK else pytest.mark.slow, id=fault.name) for fault in FAULTS],
)
async def test_it_plays_each_state(fault: Fault, tmp_path: Path) -> None:
    (tmp_path / "script").write_text(script_of(fault), encoding="utf-8")
    backend = ScriptedBackend(script=tmp_path / "script")
    before = held()
    history = await SqliteHistory.open(tmp_path / "history.db")
    world = await make_world(history, {"scripted": backend})
    thread = await world.thread("scripted", model=MODEL)
    outcome = await world.chat.send(thread.id, words(QUESTION))
    stored = await stored_answer(tmp_path / "history.db", thread.id)
    await world.chat.close()
    await history.close()
    ends = tuple(kind for kind in world.kinds() if kind in ("TurnEnded", "TurnFailed", "SendRefused"))
    wanted = expected(fault.name, "anthropic")
    check("scripted", fault, Played(ends, outcome.failure, stored, wanted.requests, 0), wanted)
    assert held() == before
    assert (wanted.outcome == EMPTY) == (stored.state == "complete" and not stored.parts)


async def test_stop_works_within_a_pause(tmp_path: Path) -> None:
    (tmp_path / "script").write_text(f'{{"text": "{HALF}"}}\n{{"delay_ms": 60000}}', encoding="utf-8")
    before = held()
    history = await SqliteHistory.open(tmp_path / "history.db")
    world = await make_world(history, {"scripted": ScriptedBackend(script=tmp_path / "script")})
    thread = await world.thread("scripted", model=MODEL)
    asked = world.chat.start_send(thread.id, words(QUESTION))
    await world.until(AnswerGrew)
    await world.chat.stop(thread.id)
    assert asked.result().stop_reason == "interrupted"
    assert (await stored_answer(tmp_path / "history.db", thread.id)).text == HALF
    await world.chat.close()
    await history.close()
    assert held() == before
