"""A document that the provider has counted in a thread weighs that again, and teaches what another like it weighs."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator

import pytest

from desktop_app.core.messages import DocumentPart, Part, TextPart
from tests.controller.test_over_the_wire import MODEL, anthropic
from tests.controller.world import WatchedHistory, World, make_world, words
from tests.servers.messages_api import Answer, MessagesApi

QUESTION = TextPart("What does it say?")


def document(name: str, word: str) -> DocumentPart:
    line = "internationally acknowledged responsibilities notwithstanding considerable disagreements"
    text = "".join(f"{word} {n} {line}\n" for n in range(1_500))
    return DocumentPart(name, text, hashlib.sha256(text.encode()).hexdigest())


FIRST, SECOND = document("first.txt", "Vessel"), document("second.txt", "Sailboat")


@pytest.fixture
async def api() -> AsyncIterator[MessagesApi]:
    async with MessagesApi() as running:
        yield running


@pytest.fixture
async def world(api: MessagesApi, history: WatchedHistory) -> AsyncIterator[World]:
    backend = anthropic(api.url)
    made = await make_world(history, {backend.name: backend})
    yield made
    await made.chat.close()
    await backend.close()
    assert api.violations == []


async def send(world: World, thread: str, *parts: Part) -> None:
    assert (await world.chat.send(thread, parts)).failure is None


@pytest.mark.parametrize("left_out", [False, True], ids=["in view", "left out"])
async def test_a_document_attached_again_weighs_what_was_counted(
    world: World, api: MessagesApi, left_out: bool
) -> None:
    """Showed the estimate of a document that was never sent, with 10 % of doubt."""
    api.default = Answer("Yes, it does.")
    thread = (await world.thread("anthropic", model=MODEL)).id
    await send(world, thread, DocumentPart("note.txt", "Be brief.", "0" * 64), *words("Hello"))
    seed = (await world.chat.prepared(thread)).tokens_of(FIRST)
    await send(world, thread, FIRST, QUESTION)
    true = len(FIRST.text) // 4
    assert abs(seed - true) > 0.05 * true, "the estimate has something to learn"
    if left_out:
        (question,) = [one for one in (await world.chat.open_thread(thread)).path if FIRST in one.parts]
        await world.chat.context_editing.exclude(thread, [question.id])
    prepared = await world.chat.prepared(thread)
    assert abs(prepared.tokens_of(FIRST) - true) < 0.02 * true, "but for how its lines are written"
    twin = DocumentPart("again.txt", FIRST.text, FIRST.sha256)
    assert prepared.tokens_of(twin) == prepared.tokens_of(FIRST)
    plan = await world.chat.expected(thread, (twin, QUESTION))
    await send(world, thread, twin, QUESTION)
    usage = (await world.chat.open_thread(thread)).path[-1].usage
    assert usage is not None
    assert abs(plan.tokens.total - usage.opening) <= plan.tokens.doubt + 30
    assert plan.tokens.sigma < 0.01 * true


@pytest.mark.parametrize("trimmed", [False, True], ids=["in view", "behind a trim"])
async def test_a_document_teaches_what_the_next_one_weighs(world: World, api: MessagesApi, trimmed: bool) -> None:
    """Showed the same error for the second document as for the first."""
    api.default = Answer("Yes, it does.")
    thread = (await world.thread("anthropic", model=MODEL)).id
    for number in range(6 if trimmed else 1):
        await send(world, thread, *words(f"Question {number}? " + "harbour master " * 400))
    if trimmed:
        await world.chat.set_soft_limit(thread, len(FIRST.text) // 4 + 3_000)
    true = len(SECOND.text) // 4
    before = abs((await world.chat.prepared(thread)).tokens_of(SECOND) - true)
    await send(world, thread, FIRST, QUESTION)
    plan = await world.chat.expected(thread, words("x"))
    assert trimmed == any(placed.state == "left_out" for placed in plan.placement.messages)
    after = abs((await world.chat.prepared(thread)).tokens_of(SECOND) - true)
    assert before > 0.05 * true
    assert after < 0.6 * before


async def test_what_another_process_learned_is_taken_up(
    world: World, api: MessagesApi, history: WatchedHistory
) -> None:
    """Showed the weight by what was known when the first one looked."""
    api.default = Answer("Yes, it does.")
    thread = (await world.thread("anthropic", model=MODEL)).id
    await send(world, thread, *words("Hello"))
    before = (await world.chat.prepared(thread)).tokens_of(SECOND)
    backend = anthropic(api.url)
    other = await make_world(history, {backend.name: backend})
    try:
        away = (await other.thread("anthropic", model=MODEL)).id
        await send(other, away, FIRST, QUESTION)
        learned = (await other.chat.prepared(away)).tokens_of(SECOND)
    finally:
        await other.chat.close()
        await backend.close()
    assert learned != before
    assert (await world.chat.prepared(thread)).tokens_of(SECOND) == learned
