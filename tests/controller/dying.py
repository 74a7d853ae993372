"""A process that is killed in the middle of an answer: prints the thread's id once text of it is on the disk."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from desktop_app.core.stream_events import TextDelta
from tests.controller.world import WatchedHistory, make_world, words
from tests.fakes.gated_backend import Gate, GatedBackend


async def main(path: Path) -> None:
    history, backend, gate = await WatchedHistory.open(path), GatedBackend(), Gate()
    assert isinstance(history, WatchedHistory)
    world = await make_world(history, {"gated": backend})
    thread = await world.thread()
    backend.reply(TextDelta("words"), gate)
    turn = world.chat.start_send(thread.id, words("one"))
    await history.saved.wait()
    print(thread.id, flush=True)
    await turn


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
