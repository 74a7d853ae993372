"""A clock that jumps back, or a year forward, leaves a thread in the order in which it was written."""

from __future__ import annotations

import asyncio
import tempfile
from datetime import timedelta
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.core.conversation import Conversation
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.controller.world import HandClock, make_world, words
from tests.fakes.gated_backend import GatedBackend

JUMPS = st.lists(st.integers(-400 * 24 * 60, 400 * 24 * 60).map(lambda one: timedelta(minutes=one)), max_size=6)


@given(JUMPS)
@settings(max_examples=15, deadline=None)
def test_a_thread_keeps_its_order_whatever_the_clock_says(jumps: list[timedelta]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(talk(Path(folder) / "history.db", jumps))


async def talk(path: Path, jumps: list[timedelta]) -> None:
    clock = HandClock()
    history = await SqliteHistory.open(path, quiet_s=None)
    world = await make_world(history, {"gated": GatedBackend()}, clock=clock, default_backend="gated")
    thread = await world.chat.new_thread()
    asked = [f"question {number}" for number in range(len(jumps))]
    for text, jump in zip(asked, jumps, strict=True):
        clock.moved[0] += jump
        outcome = await world.chat.send(thread.id, words(text))
        assert outcome.failure is None
    shown = (await world.chat.open_thread(thread.id)).path
    await world.chat.close()
    await history.close()

    again = await SqliteHistory.open(path, quiet_s=None)
    try:
        tip = (await again.thread(thread.id)).tip
        stored = Conversation(await again.messages(thread.id)).path(tip)
    finally:
        await again.close()
    assert [one.text for one in stored if one.role == "user"] == asked
    assert [one.id for one in stored] == [one.id for one in shown]
