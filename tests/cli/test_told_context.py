"""From its second turn on, a chat's context line tells what changed since the line that it names, and no more."""

from __future__ import annotations

import asyncio
import io
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.backends.scripted_backend import ScriptedBackend
from desktop_app.cli.command_process import Output
from desktop_app.cli.plan_shapes import context_shape, sent_shape
from desktop_app.cli.turn_printer import ToldContext, TurnPrinter
from desktop_app.core.context.placed_messages import PlacedMessages
from desktop_app.core.context.plan import ContextPlan, PlacedMessage
from desktop_app.core.events import TurnStarted
from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import DocumentPart, Message, Part, TextPart, Thread
from desktop_app.core.settings import ContextSettings, Settings
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.cli.conftest import Here
from tests.controller.world import World, make_world, words
from tests.core.paths import plan_for, talk

REPORT = DocumentPart("report.txt", "text/plain", "The tide is at noon. " * 40, "sha")


class Uncounted(ScriptedBackend):
    """A provider that says what a request weighed only with its answer."""

    async def count_tokens(self, plan: ContextPlan) -> int | None:
        return None


class Reader:
    """A script that keeps the rows of the newest line by what the lines tell."""

    def __init__(self) -> None:
        self.line: str | None = None
        self.rows: dict[str, Any] = {}

    def take(self, line: dict[str, Any]) -> list[dict[str, Any]]:
        if line["since"] is None:
            self.rows.clear()
        else:
            assert line["since"] == self.line
        self.line = line["line"]
        self.rows.update((row["id"], row) for row in line["messages"])
        return list(self.rows.values())


@dataclass
class Chat:
    """A `chat --json` over a world, in which every turn is told once as it is and once in full."""

    world: World
    thread: str

    def __post_init__(self) -> None:
        self.told, self.whole = ToldContext(), ToldContext(whole=True)

    async def say(self, parts: Sequence[Part]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """The lines of a turn, and those with --full-context."""
        out = io.StringIO(), io.StringIO()
        printers = [
            TurnPrinter(Output(one, io.StringIO()), self.thread, json=True, told=told)
            for one, told in zip(out, (self.told, self.whole), strict=True)
        ]
        leave = [self.world.announcements.subscribe(printer.hear) for printer in printers]
        outcome = await self.world.chat.start_send(self.thread, parts)
        for printer in printers:
            printer.end(outcome)
        for unsubscribe in leave:
            unsubscribe()
        told, whole = ([json.loads(line) for line in one.getvalue().splitlines()] for one in out)
        return told, whole


async def imported(history: SqliteHistory, length: int) -> str:
    """The id of a thread of which nothing was ever counted by a provider."""
    at = "2026-03-01T10:00:00.000Z"
    said: list[Message] = []
    for number in range(length):
        role, parent = ("assistant" if number % 2 else "user"), (said[-1].id if said else None)
        said.append(Message(f"m{number}", "t", parent, role, (TextPart(f"word {number}"),), at))  # type: ignore[arg-type]
    thread = Thread("t", "A talk", at, at, backend="scripted", model="scripted", tip=said[-1].id)
    await history.import_threads([ImportedThread("s", thread, tuple(said))])
    return (await history.threads())[0].thread.id


def the(kind: str, lines: Sequence[dict[str, Any]]) -> dict[str, Any]:
    (found,) = (line for line in lines if line["type"] == kind)
    return found


ACTS = st.tuples(st.sampled_from(("", "attach", "attach", "pin", "exclude", "delete", "cap")), st.integers(0, 9))


@given(st.lists(ACTS, min_size=2, max_size=9))
@settings(max_examples=15, deadline=None)
def test_what_is_told_of_changes_gives_what_is_told_in_full(acts: list[tuple[str, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(held(Path(folder) / "history.db", acts))


async def held(path: Path, acts: list[tuple[str, int]]) -> None:
    limits = [ContextSettings(max_messages=0)]
    history = await SqliteHistory.open(path, quiet_s=None)
    backend = Uncounted(script=None)
    world = await make_world(history, {"scripted": backend}, settings=lambda: Settings(context=limits[0]))
    thread, reader = await imported(history, 6), Reader()
    chat = Chat(world, thread)
    try:
        for act, number in acts:
            path_now = (await world.chat.open_thread(thread)).path
            some = [message.id for message in path_now[2 * number : 2 * number + 2]]
            editing = world.chat.context_editing
            if act in ("pin", "exclude"):
                await getattr(editing, act)(thread, some)
            elif act == "delete" and some:
                await editing.delete(thread, some, path_now[-1].id)
            elif act == "cap":
                limits[0] = ContextSettings(max_messages=6 + number, preserve_first_n=2, preserve_last_n=2)
            parts: tuple[Part, ...] = (REPORT, *words("look")) if act == "attach" else words(f"say {number}")
            told, whole = await chat.say(parts)
            plan = world.of(TurnStarted)[-1].plan
            full = context_shape(plan, thread)["messages"]
            assert (the("context", whole)["since"], the("context", whole)["messages"]) == (None, full)
            assert reader.take(the("context", told)) == full
            done = the("done", told)["context"]
            assert done == sent_shape(plan, tuple(plan.placement.messages), done["tokens"])
    finally:
        await world.chat.close()
        await history.close()


def test_another_branch_is_told_in_full() -> None:
    told = ToldContext()
    path = talk("one", "two", "three", "four")
    first = told.line(plan_for(path), "t")
    grown = told.line(plan_for(talk("one", "two", "three", "four", "five", "six")), "t")
    assert (first["since"], grown["since"]) == (None, first["line"])
    other = told.line(plan_for((*path[:2], *(replace(one, id=f"{one.id}b") for one in path[2:]))), "t")
    assert other["since"] is None
    again = told.line(plan_for(path[:2]), "t")
    assert (again["since"], len(told.rows)) == (None, 2)


@pytest.mark.parametrize("length", [20, 2_000])
async def test_a_further_turn_makes_as_few_rows_in_any_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, length: int
) -> None:
    history = await SqliteHistory.open(tmp_path / "history.db", quiet_s=None)
    thread = await imported(history, length)
    script = tmp_path / "script"
    script.write_text('{"text": "Hello."}')
    world = await make_world(history, {"scripted": ScriptedBackend(script=script)})
    chat, made, row = Chat(world, thread), [0], PlacedMessages._row

    def counted(path: PlacedMessages, index: int) -> PlacedMessage:
        made[0] += 1
        return row(path, index)

    try:
        await chat.say(words("first"))
        chat.whole = ToldContext()  # it tells changes, too, from the next but one
        await chat.say(words("second"))
        monkeypatch.setattr(PlacedMessages, "_row", counted)
        told, _ = await chat.say(words("third"))
    finally:
        await world.chat.close()
        await history.close()
    assert len(the("context", told)["messages"]) <= 4
    assert the("done", told)["context"]["messages"] == length + 5
    assert made[0] < 50


def test_the_command_tells_changes_and_with_an_option_all(here: Here) -> None:
    stdin = b'{"text": "one"}\n{"text": "two"}\n{"text": "three"}'
    first, second, third = here("chat", "--json", stdin=stdin).of("context")
    assert [line["since"] for line in (first, second, third)] == [None, first["line"], second["line"]]
    assert len(third["messages"]) < 4
    lines = here("chat", "--json", "--full-context", stdin=stdin).of("context")
    assert [(line["since"], len(line["messages"])) for line in lines] == [(None, 0), (None, 2), (None, 4)]
