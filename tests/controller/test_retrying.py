"""Asking again and asking somebody else: nothing is deleted, the history goes along."""

from __future__ import annotations

import re

import pytest

from desktop_app.core.errors import UserError
from desktop_app.core.events import NoticeRaised, ThreadChanged
from desktop_app.core.messages import Failure
from desktop_app.core.stream_events import Ended, Failed, TextDelta
from tests.controller.world import World, words
from tests.fakes.gated_backend import Gate, GatedBackend, said


async def test_retry_asks_the_same_again_and_keeps_the_earlier_answer(world: World, backend: GatedBackend) -> None:
    thread = await world.thread()
    first = await world.chat.send(thread.id, words("one"))
    second = await world.chat.retry(thread.id)
    assert said(backend.plans[1]) == [("user", ("one",))]
    assert first.message is not None
    assert second.message is not None
    opened = await world.chat.open_thread(thread.id)
    assert opened.conversation.siblings(second.message.id) == (first.message.id, second.message.id)
    assert [message.id for message in opened.path] == [first.message.parent_id, second.message.id]
    await world.chat.send(thread.id, words("two"))
    assert [text for _, text in said(backend.plans[2])] == [("one",), ("answer 2",), ("two",)]


async def test_retry_after_a_failure_answers_in_its_place(world: World, backend: GatedBackend) -> None:
    thread = await world.thread()
    backend.reply(TextDelta("bro"), Failed(Failure("network", "Lost.")))
    await world.chat.send(thread.id, words("one"))
    outcome = await world.chat.retry(thread.id)
    assert outcome.failure is None
    assert [(m.text, m.state) for m in await world.stored(thread.id)] == [
        ("one", "complete"),
        ("bro", "partial"),
        ("answer 2", "complete"),
    ]
    assert len(backend.plans[1].request.messages) == 1


async def test_retry_keeps_the_draft(world: World) -> None:
    thread = await world.thread()
    await world.chat.send(thread.id, words("one"))
    await world.chat.keep_draft(thread.id, "half a thought")
    await world.chat.retry(thread.id)
    assert (await world.history.thread(thread.id)).draft == "half a thought"
    assert (await world.chat.open_thread(thread.id)).thread.draft == "half a thought"


async def test_there_is_nothing_to_retry_in_an_empty_thread(world: World) -> None:
    thread = await world.thread()
    outcome = await world.chat.retry(thread.id)
    assert outcome.failure is not None
    assert outcome.failure.code == "usage"


async def test_switching_takes_the_history_along(world: World, backend: GatedBackend) -> None:
    other = world.backends["other"]
    assert isinstance(other, GatedBackend)
    thread = await world.thread()
    await world.chat.send(thread.id, words("one"))
    switched = await world.chat.switch(thread.id, backend="other", model="small")
    assert (switched.backend, switched.model) == ("other", "small")
    notice = world.of(NoticeRaised)[-1]
    assert (notice.code, notice.message) == ("switched", "Now using small · Gated.")  # what is little is not told
    await world.chat.send(thread.id, words("two"))
    assert [text for _, text in said(other.plans[0])] == [("one",), ("answer 1",), ("two",)]
    assert other.plans[0].model.id == "small"
    assert len(backend.plans) == 1
    stored = await world.stored(thread.id)
    assert [message.backend for message in stored if message.role == "assistant"] == ["gated", "other"]


async def test_switching_a_long_thread_says_that_it_is_read_again(world: World) -> None:
    thread = await world.thread()
    await world.chat.send(thread.id, words("word " * 8_000))
    await world.chat.switch(thread.id, backend="other", model=None)
    told = re.fullmatch(r"Now using .+\. It reads (.+)K tokens again\.", world.of(NoticeRaised)[-1].message)
    assert told is not None
    assert 5 < float(told[1]) < 15


async def test_switching_an_empty_thread_says_nothing_of_reading(world: World) -> None:
    thread = await world.thread()
    await world.chat.switch(thread.id, backend="other", model=None)
    assert world.of(NoticeRaised) == []
    assert world.of(ThreadChanged)[-1].thread.model == "big"


async def test_switching_to_an_unknown_name_changes_nothing(world: World) -> None:
    thread = await world.thread()
    with pytest.raises(UserError, match="nobody"):
        await world.chat.switch(thread.id, backend="nobody", model=None)
    with pytest.raises(UserError, match="nonsense"):
        await world.chat.switch(thread.id, backend="other", model="nonsense")
    assert (await world.history.thread(thread.id)).backend == "gated"


async def test_a_switch_while_an_answer_comes_counts_from_the_next_turn(world: World, backend: GatedBackend) -> None:
    thread, gate = await world.thread(), Gate()
    backend.reply(TextDelta("first"), gate, Ended("end_turn"))
    turn = world.chat.start_send(thread.id, words("one"))
    await gate.arrive()
    await world.chat.switch(thread.id, backend="other", model=None)
    gate.open()
    assert (await turn).failure is None
    thread_after = await world.history.thread(thread.id)
    assert thread_after.backend == "other"
    assert (await world.chat.prepared(thread.id)).plan(words("two")).backend == "other"
