"""An answer is the model's that the provider says answered: stored, priced and booked as that one (CTX-17)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from desktop_app.backends.backend_protocol import Backend
from desktop_app.core.context.costs import usage_cost
from desktop_app.core.messages import Usage
from desktop_app.core.model_catalog import find_model
from desktop_app.core.settings import Settings
from tests.backends.openai.backends import backend_for
from tests.controller.test_over_the_wire import anthropic, claude
from tests.controller.world import WatchedHistory, World, make_world, words
from tests.servers.chat_api import ChatApi
from tests.servers.messages_api import Answer, MessagesApi, ToolUse

ASKED = {"anthropic": "claude-sonnet-4-5", "openai": "gpt-4o", "claude-cli": "claude-sonnet-4-5"}
SERVED = {"anthropic": "claude-haiku-4-5-20251001", "openai": "gpt-4o-mini", "claude-cli": "claude-haiku-4-5-20251001"}
DATED = {"anthropic": "claude-sonnet-4-5-20250929", "openai": "gpt-4o-2024-08-06", "claude-cli": "sonnet-mine"}


@pytest.fixture
def api(wire: str) -> Iterator[MessagesApi | ChatApi]:
    with ChatApi() if wire == "openai" else MessagesApi() as running:
        yield running


@pytest.fixture(params=["anthropic", "openai", pytest.param("claude-cli", marks=pytest.mark.slow)])
def wire(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
async def world(
    wire: str, api: MessagesApi | ChatApi, history: WatchedHistory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[World]:
    monkeypatch.setattr("desktop_app.backends.openai.openai_client.is_on_this_computer", lambda _: False)
    made: Backend
    match wire:
        case "anthropic":
            made = anthropic(api.url)
        case "openai":
            made = backend_for(api.url)
        case _:
            made = claude(api.url, tmp_path)
    world = await make_world(history, {made.name: made}, settings=Settings)
    yield world
    await world.chat.close()
    await made.close()
    assert api.violations == []


async def test_another_model_is_stored_priced_and_booked(wire: str, api: MessagesApi | ChatApi, world: World) -> None:
    """A Haiku's answer to a Sonnet's question was booked at the Sonnet's price under the Sonnet's name."""
    thread = (await world.thread(wire, model=ASKED[wire])).id
    api.script(Answer("Hello.", model=SERVED[wire]))
    outcome = await world.chat.send(thread, words("Who answers?"))
    answer = outcome.message
    assert answer is not None
    assert answer.usage is not None
    assert (answer.model, answer.usage.asked) == (SERVED[wire], ASKED[wire])
    cost = usage_cost(find_model(wire, SERVED[wire]), answer.usage)
    assert cost is not None
    assert answer.usage.cost_usd == pytest.approx(cost, rel=0.01)
    (row,) = await world.history.ledger()
    assert (row.model, row.calls, row.input + row.cache_read + row.cache_write) == (
        SERVED[wire],
        1,
        answer.usage.prompt,
    )
    assert row.cost_usd == answer.usage.cost_usd
    assert tuple(await world.history.recent_models()) == ((wire, ASKED[wire]),)
    stored = await world.stored(thread)
    assert stored[-1].usage == answer.usage
    api.script(Answer("Again.", model=ASKED[wire]))
    again = await world.chat.send(thread, words("And now?"))
    assert api.answers[-1].body["model"] == ASKED[wire], "the thread goes on with the one that was asked for"
    assert again.message is not None
    assert again.message.usage is not None
    assert again.message.usage.asked == ""
    assert {(one.model, one.calls) for one in await world.history.ledger()} == {(SERVED[wire], 1), (ASKED[wire], 1)}
    assert sum(one.cost_usd for one in await world.history.ledger()) == pytest.approx(
        (answer.usage.cost_usd or 0) + (again.message.usage.cost_usd or 0)
    )


@pytest.mark.parametrize("wire", ["openai"])
async def test_who_answered_is_known_where_nothing_was_counted(api: ChatApi, world: World) -> None:
    """It was stored as the asked one's answer: who answers was read off the usage alone."""
    thread = (await world.thread("openai", model=ASKED["openai"])).id
    api.usage_sent = "never"
    api.script(Answer("Hello.", model=SERVED["openai"]))
    answer = (await world.chat.send(thread, words("Who answers?"))).message
    assert answer is not None
    assert answer.usage is not None
    assert (answer.model, answer.usage.asked) == (SERVED["openai"], ASKED["openai"])
    assert not answer.usage.is_counted
    (row,) = await world.history.ledger()
    assert (row.model, row.priced, row.unreported) == (SERVED["openai"], 0, 1), "it has no figures, not none used"
    plan = (await world.chat.prepared(thread)).plan(words("And now?"))
    assert plan.price.cached_tokens == 0


@pytest.mark.parametrize("wire", ["anthropic", "openai"])
async def test_each_round_of_a_turn_is_booked_at_the_price_of_who_answered_it(
    wire: str, api: MessagesApi | ChatApi, world: World
) -> None:
    thread = (await world.thread(wire, model=ASKED[wire])).id
    await world.chat.send(thread, words("Hello"))
    (asked_first, _) = (await world.chat.open_thread(thread)).path
    await world.chat.context_editing.exclude(thread, [asked_first.id])
    call = ToolUse("search_this_thread", {"query": "hello"}, "toolu_1")
    why = "tool_use" if wire == "anthropic" else "end_turn"
    api.script(Answer("Look.", call, model=SERVED[wire], stop_reason=why), Answer("Found.", model=ASKED[wire]))
    outcome = await world.chat.send(thread, words("What was said?"))
    assert outcome.failure is None
    rounds = [one for one in (await world.chat.open_thread(thread)).path if one.role == "assistant"][-2:]
    assert [one.model for one in rounds] == [SERVED[wire], ASKED[wire]]
    for one in rounds:
        assert one.usage is not None
        assert one.usage.cost_usd == pytest.approx(usage_cost(find_model(wire, one.model or ""), one.usage), rel=0.01)
    booked = {row.model: row.calls for row in await world.history.ledger()}
    assert booked == {SERVED[wire]: 1, ASKED[wire]: 2}


async def test_a_date_or_an_unknown_name_is_no_other_model(wire: str, api: MessagesApi | ChatApi, world: World) -> None:
    thread = (await world.thread(wire, model=ASKED[wire])).id
    for served in (DATED[wire], "a-deployment-of-mine"):
        api.script(Answer("Hello.", model=served))
        answer = (await world.chat.send(thread, words("Who answers?"))).message
        assert answer is not None
        assert isinstance(answer.usage, Usage)
        assert (answer.model, answer.usage.asked) == (served, "")
    assert {row.model for row in await world.history.ledger()} == {ASKED[wire]}
