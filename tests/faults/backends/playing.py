"""Owns how a fault is played through the real controller, and what is seen of it afterwards. Expects nothing."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import psutil

from desktop_app.core.events import NoticeRaised, SendRefused, TurnEnded, TurnFailed
from desktop_app.core.messages import Failure, Message
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.controller.world import World, make_world, words
from tests.faults.backends.faults import Fault
from tests.faults.backends.ways import Name, Way, way_to
from tests.servers.messages_api import HELLO, Answer

QUESTION: Final = "What does the provider do now?"
FAULT_WORDS: Final = (b"was told to answer so", b"Overloaded", b"Sign in to this network")
"""What the servers say in their errors: none of it may come back to them as a part of the conversation."""


@dataclass(frozen=True, slots=True)
class Played:
    """What became of one question.

    `ends`: the announcements that end a turn, by name. `failure` is what was announced and `stored` the answer as
    another reader finds it in the history file. `requests`: how often the model was asked; `retries`: how many notices
    told of another attempt. `after`: the text of the
    answer to a next question, where the provider is well again; `reminded`: that request held words of the fault.
    """

    ends: tuple[str, ...]
    failure: Failure | None
    stored: Message
    requests: int
    retries: int
    after: str = ""
    reminded: bool = False


@dataclass(frozen=True, slots=True)
class Held:
    """What a process holds: tasks, threads, connections and children, for a comparison of before and after."""

    tasks: frozenset[asyncio.Task[Any]]
    threads: frozenset[str]
    connections: int
    children: int


def held() -> Held:
    """What is held now. Threads of the loop's own pool stay with it and do not count."""
    process = psutil.Process()
    threads = (one.name for one in threading.enumerate() if not one.name.startswith("asyncio_"))
    # one that was closed first is remembered by the kernel for some time: nobody holds it any more
    over = (psutil.CONN_TIME_WAIT, psutil.CONN_NONE)
    connections = sum(one.status not in over for one in process.net_connections("inet"))
    return Held(frozenset(asyncio.all_tasks()), frozenset(threads), connections, len(process.children(recursive=True)))


async def play(name: Name, fault: Fault, folder: Path, *, again: bool = True) -> Played:
    """Asks one question, and with `again` a second one once the provider is well."""
    path = folder / "history.db"
    async with way_to(name, folder, impatient=fault.silent) as way:
        way.server.default = fault.server(way.wire)
        history = await SqliteHistory.open(path)
        world = await make_world(history, {name: way.backend})
        thread = await world.thread(name, model=way.model)
        outcome = await world.chat.send(thread.id, words(QUESTION))
        ends = tuple(
            type(fact).__name__ for fact in world.heard if isinstance(fact, TurnEnded | TurnFailed | SendRefused)
        )
        played = Played(
            ends,
            outcome.failure,
            await stored_answer(path, thread.id),
            requests=len(way.server.answers),
            retries=sum(fact.code == "retry" for fact in world.of(NoticeRaised)),
            after=await _after(way, world, thread.id) if again else "",
            reminded=again and any(said in way.server.answers[-1].raw for said in FAULT_WORDS),
        )
        await world.chat.close()
        await history.close()
    return played


async def _after(way: Way, world: World, thread_id: str) -> str:
    way.server.default = Answer(HELLO)
    answer = (await world.chat.send(thread_id, words("And now?"))).message
    return answer.text if answer is not None else ""


async def stored_answer(path: Path, thread_id: str) -> Message:
    """The answer in the file, as a second reader finds it."""
    reader = await SqliteHistory.open(path)
    try:
        asked, answer = await reader.messages(thread_id)
    finally:
        await reader.close()
    assert (asked.role, asked.text, answer.role) == ("user", QUESTION, "assistant")
    return answer
