"""Owns the moments at which an answer is stopped, and how that is done and timed. Expects nothing."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from desktop_app.core.events import AnswerGrew, NoticeRaised, TurnEnded
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.controller.world import make_world, words
from tests.faults.backends.faults import HALF, Wire
from tests.faults.backends.ways import Name, way_to
from tests.patience import PATIENCE_S
from tests.servers.messages_script import Answer, Behaviour, HeadOnly, NoReply, Ping, Stall, rate_limited

STOP_S: Final = 0.1
"""Within this the answer is stopped and stored, and nothing of it runs any more; `./dev bench backends` measures it."""


@dataclass(frozen=True, slots=True)
class Moment:
    """`play` brings the answer to the moment and holds it there; `kept` is the text that came before.

    `told`: what is awaited before the stop, an announcement, where the request's arrival says too little.
    """

    name: str
    play: Callable[[Wire], Behaviour]
    kept: str = ""
    told: type[AnswerGrew | NoticeRaised] | None = None


def _same(behaviour: Behaviour) -> Callable[[Wire], Behaviour]:
    return lambda wire: behaviour


MOMENTS: Final = (
    Moment("before the headers", _same(NoReply())),
    Moment("between headers and first event", _same(HeadOnly())),
    Moment("before the first word", _same(Answer(Ping(), Stall()))),
    Moment("in the text", _same(Answer(HALF, Stall())), HALF, AnswerGrew),
    Moment("in a tool call", lambda wire: Answer(*wire.half_call(), Stall()), HALF, AnswerGrew),
    Moment("after the stop reason", lambda wire: Answer(HALF, wire.stop_reason(), Stall()), HALF, AnswerGrew),
)
WAITING_TO_TRY_AGAIN: Final = Moment("before another attempt", _same(rate_limited(30)), "", NoticeRaised)
"""For backends that try again."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """How a stop went: `seconds` until all was stored, `cut_s` until the model was cut off; `text` is what is kept."""

    seconds: float
    cut_s: float
    text: str


async def stop(name: Name, moment: Moment, folder: Path) -> Stopped:
    """Asks a question, waits for the moment, and stops."""
    path = folder / "history.db"
    async with way_to(name, folder) as way:
        await way.backend.prepare()
        way.server.default = moment.play(way.wire)
        history = await SqliteHistory.open(path)
        world = await make_world(history, {name: way.backend})
        thread = await world.thread(name, model=way.model)
        asked = world.chat.start_send(thread.id, words("Tell me a long story."))
        (request,) = await way.server.arrived(1)
        if moment.told is not None:
            await world.until(moment.told, lambda fact: getattr(fact, "code", "") != "loading_model")
        cut = asyncio.create_task(asyncio.to_thread(_moment_of, request.ended))
        await asyncio.sleep(0)  # so that its thread waits before the stop
        begun = time.monotonic()
        await world.chat.stop(thread.id)
        seconds = time.monotonic() - begun
        cut_s = await cut - begun
        assert world.of(TurnEnded)[-1].message.stop_reason == "interrupted"
        assert asked.result().stop_reason == "interrupted"
        (_, found) = await history.messages(thread.id)
        await world.chat.close()
        await history.close()
    assert (found.state, found.stop_reason) == ("partial", "interrupted")
    return Stopped(seconds, cut_s, found.text)


def _moment_of(event: threading.Event) -> float:
    assert event.wait(PATIENCE_S)
    return time.monotonic()
