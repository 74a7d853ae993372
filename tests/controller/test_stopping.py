"""Stop, close and crash: what came is kept, quickly and once."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from desktop_app.controller.running_turn import EVENTS_IN_A_ROW, SAVE_EVERY_S
from desktop_app.core.events import AnswerGrew, MessageAdded, NoticeRaised, SendRefused, TurnEnded
from desktop_app.core.messages import Message
from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.controller.world import WatchedHistory, World, make_world, words
from tests.expired_timers import ExpiredTimers
from tests.fakes.gated_backend import Gate, GatedBackend, said
from tests.patience import PATIENCE_S


async def running(world: World, backend: GatedBackend, *came: str) -> tuple[str, Gate]:
    """A thread with an answer that has come as far as `came`."""
    thread, gate = await world.thread(), Gate()
    backend.reply(*(TextDelta(text) for text in came), gate, TextDelta(" never"), Ended("end_turn"))
    world.chat.start_send(thread.id, words("one"))
    await gate.arrive()
    return thread.id, gate


async def test_stop_keeps_what_came_and_waits_for_nothing(world: World, backend: GatedBackend) -> None:
    """How long it takes is measured by `./dev bench backends`."""
    thread_id, _ = await running(world, backend, "half ", "an answer")
    with ExpiredTimers() as waits:
        await world.chat.stop(thread_id)
    assert waits.seconds == []
    answer = (await world.stored(thread_id))[-1]
    assert (answer.state, answer.text, answer.stop_reason) == ("partial", "half an answer", "interrupted")
    assert answer.failure is None
    assert world.of(TurnEnded)[-1].message == answer
    assert not world.chat.running(thread_id)
    assert backend.open_streams == 0


async def test_a_stopped_answer_is_history_for_the_next_question(world: World, backend: GatedBackend) -> None:
    thread_id, _ = await running(world, backend, "half")
    await world.chat.stop(thread_id)
    await world.chat.send(thread_id, words("two"))
    assert said(backend.plans[1]) == [("user", ("one",)), ("assistant", ("half",)), ("user", ("two",))]


async def test_the_task_of_a_stopped_send_has_its_outcome(world: World, backend: GatedBackend) -> None:
    thread, gate = await world.thread(), Gate()
    backend.reply(gate, Ended("end_turn"))
    task = world.chat.start_send(thread.id, words("one"))
    await gate.arrive()
    await world.chat.stop(thread.id)
    outcome = await task
    assert (outcome.stop_reason, outcome.failure) == ("interrupted", None)
    assert outcome.message is not None
    assert outcome.message.parts == ()


async def test_stopping_twice_and_stopping_nothing_are_harmless(world: World, backend: GatedBackend) -> None:
    thread_id, _ = await running(world, backend, "text")
    await asyncio.gather(world.chat.stop(thread_id), world.chat.stop(thread_id))
    await world.chat.stop(thread_id)
    assert (await world.stored(thread_id))[-1].text == "text"


async def test_a_stop_before_the_request_leaves_sends_nothing(world: World, backend: GatedBackend) -> None:
    thread = await world.thread()

    def stop_early(fact: object) -> None:
        if isinstance(fact, MessageAdded):
            stops.append(asyncio.ensure_future(world.chat.stop(thread.id)))

    stops: list[asyncio.Task[None]] = []
    world.announcements.subscribe(stop_early)
    task = world.chat.start_send(thread.id, words("one"))
    await asyncio.sleep(0)
    task.cancel()
    outcome = await task
    await asyncio.gather(*stops)
    assert outcome.stop_reason == "interrupted"
    assert backend.plans == []
    kept = [message.text for message in await world.stored(thread.id)]
    draft = (await world.history.thread(thread.id)).draft
    assert kept == ["one", ""] or draft == "one"


async def test_a_cancelled_waiter_stops_the_turn_and_is_cancelled(world: World, backend: GatedBackend) -> None:
    thread, gate = await world.thread(), Gate()
    backend.reply(TextDelta("some"), gate, Ended("end_turn"))
    waiter = asyncio.ensure_future(world.chat.send(thread.id, words("one")))
    await gate.arrive()
    waiter.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiter
    assert (await world.stored(thread.id))[-1].text == "some"
    assert not world.chat.running(thread.id)


async def test_closing_stores_every_running_answer_and_leaves_no_task(world: World, backend: GatedBackend) -> None:
    first, _ = await running(world, backend, "first")
    second, _ = await running(world, backend, "second")
    await world.chat.close()
    assert (await world.stored(first))[-1].text == "first"
    assert (await world.stored(second))[-1].text == "second"
    assert backend.open_streams == 0
    late = await world.chat.send(first, words("late"))
    assert late.failure is not None
    assert late.failure.code == "interrupted"
    assert len(backend.plans) == 2


async def test_a_growing_answer_is_on_the_disk_twice_a_second(
    world: World, backend: GatedBackend, history: WatchedHistory
) -> None:
    thread_id, gate = await running(world, backend, "first words")
    await asyncio.wait_for(history.saved.wait(), PATIENCE_S)
    answer = (await world.stored(thread_id))[-1]
    assert (answer.text, answer.state) == ("first words", "partial")
    gate.open()
    await world.until(TurnEnded)
    assert SAVE_EVERY_S < 0.5


async def test_an_answer_is_not_written_for_every_word(
    world: World, backend: GatedBackend, history: WatchedHistory
) -> None:
    thread = await world.thread()
    backend.reply(*(TextDelta("word ") for _ in range(2_000)), Ended("end_turn"))
    with ExpiredTimers() as waits:
        await world.chat.send(thread.id, words("one"))
    assert len(history.partials) <= 2 + len(waits.seconds), "a wait before each but one"
    assert len(world.of(AnswerGrew)) == 2_000


async def test_a_disk_that_fills_up_does_not_end_the_answer(
    world: World, backend: GatedBackend, history: WatchedHistory
) -> None:
    history.full = True
    thread_id, gate = await running(world, backend, "still")
    await asyncio.wait_for(history.saved.wait(), PATIENCE_S)
    gate.open()
    await world.until(TurnEnded)
    assert [notice.code for notice in world.of(NoticeRaised)] == ["store"]
    assert (await world.stored(thread_id))[-1].text == "still never"


async def test_a_running_answer_is_shown_by_whoever_opens_the_thread(world: World, backend: GatedBackend) -> None:
    thread_id, gate = await running(world, backend, "so ", "far")
    opened = await world.chat.open_thread(thread_id)
    assert opened.path[-1].text == "so far"
    gate.open()
    await world.until(TurnEnded)
    assert (await world.chat.open_thread(thread_id)).path[-1].text == "so far never"


def killed_in_mid_answer(history: Path) -> str:
    """Runs a process over `history` that is killed while an answer comes; the thread's id."""
    program = [sys.executable, "-m", "tests.controller.dying", str(history)]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as dying:
        assert dying.stdout is not None
        thread_id = dying.stdout.readline().strip()
        dying.kill()
    return thread_id


@pytest.mark.slow
async def test_a_dead_process_leaves_its_partial_answer_and_nothing_is_resent(
    tmp_path: Path, backend: GatedBackend
) -> None:
    thread_id = await asyncio.to_thread(killed_in_mid_answer, tmp_path / "h.db")
    opened = await SqliteHistory.open(tmp_path / "h.db")
    world = await make_world(opened, {"gated": backend})
    messages: Sequence[Message] = (await world.chat.open_thread(thread_id)).path
    assert [(message.text, message.state) for message in messages] == [("one", "complete"), ("words", "partial")]
    assert backend.plans == []
    assert world.of(SendRefused) == []
    assert (await world.chat.send(thread_id, words("two"))).failure is None
    await world.chat.close()
    await opened.close()


async def test_thousands_of_deltas_at_once_leave_turns_to_everything_else(world: World, backend: GatedBackend) -> None:
    thread, announced = await world.thread(), [0]
    backend.reply(*(TextDelta("a") for _ in range(5_000)), Ended("end_turn"))

    def count(fact: object) -> None:
        announced[-1] += isinstance(fact, AnswerGrew)

    async def others() -> None:
        while True:
            announced.append(0)
            await asyncio.sleep(0)

    stop, waiting = world.announcements.subscribe(count), asyncio.create_task(others())
    await world.chat.send(thread.id, words("one"))
    waiting.cancel()
    stop()
    assert sum(announced) == 5_000
    assert max(announced) <= EVENTS_IN_A_ROW
