"""A new thread that goes on from a summary of the old one: nothing is sent there, and no draft is lost."""

from __future__ import annotations

import asyncio

import pytest

from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.events import DraftSaved, ThreadCreated
from desktop_app.core.messages import Failure
from desktop_app.core.stream_events import Ended, Failed, TextDelta
from tests.controller.talks import SUMMARY, summary_reply, talked
from tests.controller.world import World, words
from tests.fakes.gated_backend import Gate, GatedBackend, said


async def test_the_summary_stands_in_the_draft_and_nothing_is_sent(world: World, backend: GatedBackend) -> None:
    thread_id, _ = await talked(world, backend, 8)
    await world.chat.set_system(thread_id, "Be brief.")
    await world.chat.keep_draft(thread_id, "And now?")
    backend.reply(*summary_reply())
    sent = len(backend.plans)
    new = await world.chat.continuation.start(thread_id, "And now?")
    old = await world.history.thread(thread_id)
    stored = await world.history.thread(new.id)
    assert stored.draft == new.draft == f'Summary of "{old.title}":\n\n{SUMMARY}\n\nAnd now?'
    assert (stored.backend, stored.model, stored.system) == (old.backend, old.model, "Be brief.")
    assert await world.stored(new.id) == ()
    assert len(backend.plans) == sent + 1
    assert (old.draft, len(await world.stored(thread_id))) == ("", 16)
    created = world.of(ThreadCreated)[-1]
    assert created.thread.id == new.id
    assert world.of(DraftSaved)[-2:] == [DraftSaved(new.id, new.draft), DraftSaved(thread_id, "")]
    assert [(row.thread_id, row.calls) for row in await world.history.ledger() if row.purpose == "summary"] == [
        (thread_id, 1)
    ]


async def test_the_whole_path_is_told_but_for_what_is_excluded(world: World, backend: GatedBackend) -> None:
    thread_id, ids = await talked(world, backend, 8)
    await world.chat.context_editing.exclude(thread_id, [ids[4]])
    await world.chat.context_editing.start_fresh(thread_id, ids[9])
    backend.reply(Failed(Failure("overloaded", "Busy.")))
    await world.chat.send(thread_id, words("still waiting"))
    backend.reply(*summary_reply())
    await world.chat.continuation.start(thread_id, "")
    asked = str(said(backend.plans[-1]))
    assert [n for n in range(8) if f"Question {n}." in asked] == [0, 1, 3, 4, 5, 6, 7]
    assert "still waiting" in asked


async def test_a_path_longer_than_a_request_goes_in_pieces(world: World, backend: GatedBackend) -> None:
    thread_id, _ = await talked(world, backend, 6, lines=400)
    await world.chat.switch(thread_id, backend="gated", model="small")
    sent = len(backend.plans)
    for _ in range(30):
        backend.reply(*summary_reply("So far."))
    new = await world.chat.continuation.start(thread_id, "")
    assert len(backend.plans) - sent > 3
    assert new.draft.endswith(":\n\nSo far.")
    assert new.model == "small"


@pytest.mark.parametrize(
    ("steps", "words_of_it"),
    [
        ((TextDelta("half"), Failed(Failure("network", "Connection lost."))), "Connection lost."),
        ((Ended("end_turn"),), "empty"),
    ],
)
async def test_without_a_summary_there_is_no_thread_and_the_draft_stays(
    world: World, backend: GatedBackend, steps: tuple[TextDelta | Ended | Failed, ...], words_of_it: str
) -> None:
    thread_id, _ = await talked(world, backend, 8)
    await world.chat.keep_draft(thread_id, "And now?")
    backend.reply(*steps)
    with pytest.raises(PlimsollError, match=words_of_it):
        await world.chat.continuation.start(thread_id, "And now?")
    assert len(await world.history.threads()) == 1
    assert (await world.history.thread(thread_id)).draft == "And now?"


async def test_too_short_a_thread_is_told_before_anybody_is_asked(world: World, backend: GatedBackend) -> None:
    thread_id, _ = await talked(world, backend, 2)
    sent = len(backend.plans)
    with pytest.raises(UserError, match="too little"):
        await world.chat.continuation.start(thread_id, "x")
    assert len(backend.plans) == sent


async def test_stop_makes_no_thread(world: World, backend: GatedBackend) -> None:
    thread_id, _ = await talked(world, backend, 8)
    gate = Gate()
    backend.reply(gate)
    task = world.chat.continuation.start(thread_id, "x")
    await gate.arrive()
    await world.chat.stop(thread_id)
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(await world.history.threads()) == 1
    assert backend.open_streams == 0
