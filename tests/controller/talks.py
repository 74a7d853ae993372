"""Owns threads of some length for tests, and the settings and prices they are tried with. Knows no test."""

from __future__ import annotations

from desktop_app.core.messages import Usage
from desktop_app.core.model_catalog import Prices
from desktop_app.core.settings import ContextSettings, CostSettings, Settings
from desktop_app.core.stream_events import Ended, StreamEvent, TextDelta, UsageReported
from tests.controller.world import World, words
from tests.fakes.gated_backend import GatedBackend

LINE = "The mark on the hull shows how deep the ship may be loaded before she sails again. "

PRICES = Prices(input=2.0, output=10.0, cache_read=0.2, cache_write_5m=2.5, cache_write_1h=4.0)

SUMMARY = "Asked: how deep the ship may be loaded.\nDecided: to the mark."

SUMMARISING = Settings(context=ContextSettings(summarize_on_trim=True))


def summary_reply(text: str = SUMMARY, *, cost_usd: float | None = 0.01) -> tuple[StreamEvent, ...]:
    """What a model answers that was asked for a summary."""
    usage = Usage(input=3_000, output=40, cost_usd=cost_usd)
    return (TextDelta(text), UsageReported(usage, "big-served"), Ended("end_turn"))


def capped(*, day: float = 0.0, thread: float = 0.0, summarise: bool = False) -> Settings:
    """Settings with spending caps in dollars."""
    return Settings(
        context=ContextSettings(summarize_on_trim=summarise),
        costs=CostSettings(day_cap_usd=day, thread_cap_usd=thread),
    )


async def talked(
    world: World, backend: GatedBackend, turns: int, *, model: str | None = None, lines: int = 12
) -> tuple[str, list[str]]:
    """A thread of so many turns, about 17 tokens a line in each message; its id and the ids of its path."""
    thread = await world.thread(**({} if model is None else {"model": model}))
    backend.text = " " + LINE * lines
    for turn in range(turns):
        outcome = await world.chat.send(thread.id, words(f"Question {turn}. " + LINE * lines))
        assert outcome.failure is None
    path = (await world.chat.open_thread(thread.id)).path
    return thread.id, [message.id for message in path]


async def until_step(world: World, backend: GatedBackend, thread_id: str, *, lines: int = 12) -> None:
    """Goes on until the next message of as many lines would make the thread leave something out."""
    for _ in range(100):
        if (await world.chat.prepared(thread_id)).plan(words(LINE * lines)).decision == "trim":
            return
        assert (await world.chat.send(thread_id, words(LINE * lines))).failure is None
    raise AssertionError("no step in a hundred turns")
