"""A thread's model gives it a title once: after the first answer, in the ledger, never in the user's way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio

from desktop_app.controller.private_history import PrivateHistory
from desktop_app.controller.thread_library import ThreadLibrary
from desktop_app.core.events import ThreadChanged, TurnEnded
from desktop_app.core.messages import Failure, Usage
from desktop_app.core.model_catalog import Prices
from desktop_app.core.settings import CostSettings, Settings, TitleSettings
from desktop_app.core.stream_events import Ended, Failed, StreamEvent, TextDelta, UsageReported
from desktop_app.core.titles import MOST_OUTPUT
from tests.controller.world import NoKeys, WatchedHistory, World, make_world, words
from tests.fakes.gated_backend import Gate, GatedBackend, said

QUESTION = "How do I bake bread at home without a machine?"


class Set:
    """Settings that a test changes."""

    def __init__(self) -> None:
        self.now = Settings()

    def __call__(self) -> Settings:
        return self.now


@pytest.fixture
def settings() -> Set:
    return Set()


@pytest_asyncio.fixture
async def titled(with_private: PrivateHistory, backend: GatedBackend, settings: Set) -> AsyncIterator[World]:
    """A controller at a window: titles are asked for."""
    backends = {"gated": backend, "scripted": GatedBackend("scripted")}
    world = await make_world(with_private, backends, settings=settings, secrets=NoKeys(), interactive=True)
    yield world
    await world.chat.close()


def named(text: str = "Bread by hand") -> tuple[StreamEvent, ...]:
    return (TextDelta(text), UsageReported(Usage(input=90, output=5), "big"), Ended("end_turn"))


async def rest(world: World) -> None:
    """Waits until no title is being made."""
    while (task := world.chat.titles.task) is not None:  # type: ignore[union-attr]
        await asyncio.wait({task})
        await asyncio.sleep(0)


async def title_of(world: World, thread_id: str) -> str:
    await rest(world)
    return (await world.history.thread(thread_id)).title


async def test_the_title_comes_after_the_first_answer_and_is_told(titled: World, backend: GatedBackend) -> None:
    thread = await titled.thread()
    backend.reply(TextDelta("Flour, water, salt. " * 300), Ended("end_turn"))
    backend.reply(*named())
    await titled.chat.send(thread.id, words(QUESTION))
    assert titled.of(ThreadChanged)[-1].thread.title == QUESTION[: len(QUESTION)]
    assert await title_of(titled, thread.id) == "Bread by hand"
    assert titled.of(ThreadChanged)[-1].thread.title == "Bread by hand"
    (asked,) = said(backend.plans[-1])
    assert QUESTION in asked[1][0]
    assert backend.plans[-1].tokens.total - backend.overhead.tokens <= 150
    assert backend.plans[-1].model.id == "big"
    assert (backend.plans[-1].limits.max_output, backend.plans[-1].request.parameters.thinking) == (MOST_OUTPUT, False)


async def test_it_is_in_the_ledger_and_no_turn(titled: World, backend: GatedBackend) -> None:
    thread = await titled.thread()
    await titled.chat.send(thread.id, words(QUESTION))
    await rest(titled)
    rows = {row.purpose: row for row in await titled.history.ledger()}
    assert (rows["title"].calls, rows["title"].thread_id) == (1, thread.id)
    assert rows["chat"].calls == 1
    assert len(await titled.stored(thread.id)) == 2
    assert len(titled.of(TurnEnded)) == 1


async def test_it_is_asked_for_once(titled: World, backend: GatedBackend) -> None:
    thread = await titled.thread()
    backend.reply(TextDelta("Flour."), Ended("end_turn"))
    backend.reply(Failed(Failure("overloaded", "Busy.")))
    await titled.chat.send(thread.id, words(QUESTION))
    assert await title_of(titled, thread.id) == QUESTION
    await titled.chat.retry(thread.id)  # the path has one answer again
    await rest(titled)
    await titled.chat.send(thread.id, words("And then?"))
    await titled.chat.retry(thread.id)
    assert await title_of(titled, thread.id) == QUESTION
    assert [row.calls for row in await titled.history.ledger() if row.purpose == "title"] == [1]


async def test_a_name_of_the_users_own_wins(titled: World, backend: GatedBackend) -> None:
    library = ThreadLibrary(titled.history, titled.chat.facts, titled.announcements, stop=titled.chat.stop)
    thread, gate = await titled.thread(), Gate()
    backend.reply(TextDelta("Flour."), Ended("end_turn"))
    backend.reply(gate, *named())
    await titled.chat.send(thread.id, words(QUESTION))
    await gate.arrive()
    await library.rename(thread.id, "My bread")
    gate.open()
    assert await title_of(titled, thread.id) == "My bread"


async def test_it_waits_until_no_answer_is_coming(titled: World, backend: GatedBackend) -> None:
    first, second, gate = await titled.thread(), await titled.thread(), Gate()
    backend.reply(TextDelta("slow"), gate, Ended("end_turn"))
    slow = titled.chat.start_send(first.id, words("A slow one"))
    await gate.arrive()
    await titled.chat.send(second.id, words(QUESTION))
    await asyncio.sleep(0)
    assert len(backend.plans) == 2, "an answer is still coming"
    backend.reply(*named("Second"))
    backend.reply(*named("First"))
    gate.open()
    await slow
    assert await title_of(titled, second.id) == "Second"
    assert await title_of(titled, first.id) == "First"


@pytest.mark.parametrize("how", ["off", "private", "scripted", "stopped", "failed", "named"])
async def test_none_is_asked_for_where_it_is_not_wanted(
    titled: World, backend: GatedBackend, settings: Set, how: str
) -> None:
    if how == "off":
        settings.now = replace(settings.now, titles=TitleSettings(by_model=False))
    name = "scripted" if how == "scripted" else "gated"
    thread = await titled.chat.new_thread(
        backend=name, private=how == "private", title="Mine" if how == "named" else ""
    )
    gate = Gate()
    if how == "failed":
        backend.reply(TextDelta("so"), Failed(Failure("overloaded", "Busy.")))
    if how == "stopped":
        backend.reply(TextDelta("so"), gate, Ended("end_turn"))
        turn = titled.chat.start_send(thread.id, words(QUESTION))
        await gate.arrive()
        await titled.chat.stop(thread.id)
        await turn
    else:
        await titled.chat.send(thread.id, words(QUESTION))
    await rest(titled)
    assert [row.purpose for row in await titled.history.ledger()] == ["chat"]


async def test_a_command_never_makes_the_call(world: World) -> None:
    thread = await world.thread()
    await world.chat.send(thread.id, words(QUESTION))
    assert [row.purpose for row in await world.history.ledger()] == ["chat"]


async def test_spending_caps_are_kept(history: WatchedHistory, settings: Set) -> None:
    dear = GatedBackend(cost_kind="money")
    dear.prices = Prices(100.0, 100.0, 10.0, 125.0, 200.0)
    settings.now = Settings(costs=CostSettings(day_cap_usd=2.0))
    world = await make_world(history, {"gated": dear}, settings=settings, interactive=True)
    thread = await world.thread()
    dear.reply(TextDelta("a"), UsageReported(Usage(input=1, cost_usd=2.0), "big"), Ended("end_turn"))
    await world.chat.send(thread.id, words(QUESTION))
    assert await title_of(world, thread.id) == QUESTION
    assert len(dear.plans) == 1
    await world.chat.close()


async def test_closing_stops_it_and_the_ledger_knows(titled: World, backend: GatedBackend) -> None:
    thread, gate = await titled.thread(), Gate()
    backend.reply(TextDelta("Flour."), Ended("end_turn"))
    backend.reply(gate, *named())
    await titled.chat.send(thread.id, words(QUESTION))
    await gate.arrive()
    await titled.chat.close()
    assert backend.open_streams == 0
    assert {row.purpose for row in await titled.history.ledger()} == {"chat", "title"}
    assert (await titled.history.thread(thread.id)).title == QUESTION
