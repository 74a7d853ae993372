"""A title through the real backends: one small request after the first answer, counted by the server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from desktop_app.backends.backend_protocol import Backend
from desktop_app.core.context.limits import THINKING_ROOM
from desktop_app.core.titles import MOST_INPUT, MOST_OUTPUT
from tests.controller.test_over_the_wire import MODEL, anthropic, api, claude
from tests.controller.world import WatchedHistory, World, make_world, words
from tests.patience import PATIENCE_S
from tests.servers.messages_api import Answer, MessagesApi

pytestmark = pytest.mark.slow

__all__ = ["api"]  # the fixture of the loopback server

LONG = "The mark on the hull shows how deep the ship may be loaded before she sails again. " * 400


@pytest_asyncio.fixture(params=["anthropic", "claude-cli"])
async def at_window(
    request: pytest.FixtureRequest,
    api: MessagesApi,
    history: WatchedHistory,
    tmp_path: Path,
) -> AsyncIterator[World]:
    made: Backend = anthropic(api.url) if request.param == "anthropic" else claude(api.url, tmp_path)
    world = await make_world(history, {made.name: made}, interactive=True)
    yield world
    await world.chat.close()
    await made.close()
    assert api.violations == []


async def test_a_title_costs_one_small_request(at_window: World, api: MessagesApi) -> None:
    (name,) = at_window.backends
    thread = await at_window.thread(name, model=MODEL)
    api.script(Answer(LONG))
    api.script(Answer('"How deep a ship may be loaded."'))
    outcome = await at_window.chat.send(thread.id, words("How deep may she be loaded? " + LONG))
    assert outcome.failure is None
    async with asyncio.timeout(PATIENCE_S):
        while (task := at_window.chat.titles.task) is not None:  # type: ignore[union-attr]
            await asyncio.wait({task})
            await asyncio.sleep(0)
    assert (await at_window.history.thread(thread.id)).title == "How deep a ship may be loaded"
    title = api.answers[-1].body
    assert len(api.answers) == 2
    assert "assistant" not in [message["role"] for message in title["messages"]]
    if name == "anthropic":
        assert title["max_tokens"] == MOST_OUTPUT + THINKING_ROOM  # this model can't do without thinking
    (row,) = [row for row in await at_window.history.ledger() if row.purpose == "title"]
    overhead = at_window.backends[name].overhead.tokens
    assert row.input + row.cache_read + row.cache_write - overhead <= MOST_INPUT
    assert (row.calls, row.thread_id) == (1, thread.id)
