"""What a plan says of its parts, against what a server with a tokenizer of its own counts for the same request."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator

import pytest

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.messages import DocumentPart, TextPart
from tests.controller.test_over_the_wire import MODEL, anthropic
from tests.controller.world import WatchedHistory, World, make_world, words
from tests.servers.messages_api import Answer, MessagesApi
from tests.servers.tokens import by_pieces

LOG = "".join(f"{n:05d} the harbour master counted vessel number {n} under the old lighthouse\n" for n in range(300))
SHA = hashlib.sha256(LOG.encode()).hexdigest()


@pytest.fixture
async def api() -> AsyncIterator[MessagesApi]:
    async with MessagesApi(count_text=by_pieces) as running:
        yield running


@pytest.fixture
async def world(api: MessagesApi, history: WatchedHistory) -> AsyncIterator[World]:
    backend = anthropic(api.url)
    made = await make_world(history, {backend.name: backend})
    yield made
    await made.chat.close()
    await backend.close()
    assert api.violations == []


def front(plan: ContextPlan) -> tuple[int, int]:
    return plan.tokens.system, plan.tokens.tools


def counted(api: MessagesApi) -> int:
    """What the server counted for the last request."""
    return api.counter.total(api.answers[-1].body)


async def test_a_reference_whose_document_is_excluded_weighs_the_document(world: World, api: MessagesApi) -> None:
    """Showed 3,342 +- 108 for a request of 7,389 tokens, and other tokens for the same tools each time."""
    thread = (await world.thread("anthropic", model=MODEL, system="You are brief.")).id
    fronts = []
    for parts in (
        (DocumentPart("log.csv", LOG, SHA), TextPart("What does the log say? Answer short.")),
        (DocumentPart("Pasted text.txt", LOG, SHA), TextPart("Give me a fast summary of both.")),
        words("And what was the first line again?"),
    ):
        api.script(Answer("A plain answer of a few words, as they are given. " * 20))
        assert (await world.chat.send(thread, parts)).failure is None
        fronts.append(front((await world.chat.prepared(thread)).plan(words("next"))))
    path = (await world.chat.open_thread(thread)).path
    await world.chat.context_editing.exclude(thread, [path[0].id])
    for text in ("And now?", "Once more?"):
        plan = await world.chat.expected(thread, words(text))
        api.script(Answer("Yes."))
        assert (await world.chat.send(thread, words(text))).failure is None
        true = counted(api)
        assert true > 4_000
        assert abs(plan.tokens.total - true) <= plan.tokens.doubt
        assert plan.tokens.sigma <= 0.1 * true
        assert abs(plan.tokens.documents - plan.tokens.total) < 2_000
        fronts.append(front(plan))
    (placed,) = [one for one in plan.placement.messages if one.id == path[2].id]
    assert placed.tokens > 4_000
    await world.chat.context_editing.bring_back(thread, [path[0].id])
    plan = await world.chat.expected(thread, words("Back?"))
    api.script(Answer("Yes."))
    assert (await world.chat.send(thread, words("Back?"))).failure is None
    assert abs(plan.tokens.total - counted(api)) <= max(30, 0.01 * counted(api))
    fronts.append(front(plan))
    assert len(set(fronts[2:])) == 1, "what no choice changed weighs the same"
    assert fronts[0] == fronts[2]


async def test_pins_summaries_and_undone_steps_leave_the_rest_as_it_was(world: World, api: MessagesApi) -> None:
    thread = (await world.thread("anthropic", model=MODEL, system="You are brief.")).id
    api.default = Answer("A plain answer of a few words, as they are given. " * 40)
    for number in range(9):
        assert (await world.chat.send(thread, words(f"Question {number}? " + "harbour master " * 200))).failure is None
    first = front((await world.chat.prepared(thread)).plan(words("next")))
    path = (await world.chat.open_thread(thread)).path
    changes = (
        lambda: world.chat.context_editing.exclude(thread, [path[6].id]),
        lambda: world.chat.context_editing.pin(thread, [path[4].id]),
        lambda: world.chat.set_soft_limit(thread, 3_500),
        lambda: world.chat.context_editing.bring_back(thread, [path[6].id]),
        lambda: world.chat.set_soft_limit(thread, None),
    )
    for change in changes:
        await change()
        for _ in range(2):
            plan = await world.chat.expected(thread, words("And now? " + "more " * 30))
            assert (await world.chat.send(thread, words("And now? " + "more " * 30))).failure is None
            assert abs(plan.tokens.total - counted(api)) <= max(20, 0.02 * counted(api))
            assert front(plan) == first
