"""What a user marks messages with stays here: it is told, kept, taken back, and is part of no request."""

from __future__ import annotations

import pytest

from desktop_app.backends.anthropic_backend import AnthropicBackend
from desktop_app.core.errors import UserError
from desktop_app.core.events import MarkChanged
from desktop_app.core.messages import NO_MARK, MessageMark
from tests.controller.world import WatchedHistory, World, make_world, words
from tests.fakes.gated_backend import GatedBackend
from tests.servers.messages_api import Answer, MessagesApi


async def talked(world: World, *, private: bool = False) -> tuple[str, str]:
    """A thread with one answer."""
    thread = await world.thread(private=private)
    outcome = await world.chat.send(thread.id, words("question"))
    assert outcome.message is not None
    return thread.id, outcome.message.id


async def test_a_mark_is_told_and_kept_and_taken_back(world: World) -> None:
    thread_id, answer = await talked(world)
    marks = world.chat.marks
    assert await marks.put(thread_id, answer, MessageMark("up")) == NO_MARK
    assert await marks.put(thread_id, answer, MessageMark("up", "well said")) == MessageMark("up")
    assert await marks.of(thread_id) == {answer: MessageMark("up", "well said")}
    assert await marks.put(thread_id, answer, NO_MARK) == MessageMark("up", "well said")
    assert await marks.of(thread_id) == {}
    told = [fact.mark for fact in world.of(MarkChanged)]
    assert told == [MessageMark("up"), MessageMark("up", "well said"), NO_MARK]
    await marks.put(thread_id, answer, NO_MARK)
    assert len(world.of(MarkChanged)) == 3, "nothing changed"


async def test_a_message_of_another_thread_is_not_marked(world: World) -> None:
    thread_id, _ = await talked(world)
    _, elsewhere = await talked(world)
    with pytest.raises(UserError):
        await world.chat.marks.put(thread_id, elsewhere, MessageMark("down"))
    assert world.of(MarkChanged) == []


async def test_requests_are_the_same_with_and_without_marks(world: World, backend: GatedBackend) -> None:
    plain, _ = await talked(world)
    marked, answer = await talked(world)
    question = (await world.chat.open_thread(marked)).path[0].id
    await world.chat.marks.put(marked, answer, MessageMark("down", "SECRET-NOTE"))
    await world.chat.marks.put(marked, question, MessageMark("", "SECRET-NOTE too"))
    for thread_id in (plain, marked):
        world.chat.chooser.forget_usable()
        await world.chat.send(thread_id, words("and then?"))
    requests = [backend.request(plan) for plan in backend.plans]
    assert "SECRET" not in repr(requests)
    # the first answers have numbers of their own
    assert repr(requests[2]).replace("answer 1", "answer N") == repr(requests[3]).replace("answer 2", "answer N")
    assert backend.plans[2].tokens == backend.plans[3].tokens


async def test_what_was_seen_is_kept_and_a_change_of_facts_leaves_it(world: World) -> None:
    thread_id, answer = await talked(world)
    await world.chat.marks.seen(thread_id, answer)
    assert (await world.history.thread(thread_id)).seen == answer
    await world.chat.set_system(thread_id, "Be brief.")
    assert (await world.chat.open_thread(thread_id)).thread.seen == answer
    assert (await world.history.thread(thread_id)).seen == answer


@pytest.mark.slow
async def test_no_byte_that_leaves_knows_of_marks(history: WatchedHistory) -> None:
    async def key() -> str | None:
        return "sk-ant-api03-very-secret"

    async with MessagesApi() as api:
        backend = AnthropicBackend(key=key, base_url=api.url, timeout_s=None, overrides={}, has_key=lambda: True)
        world = await make_world(history, {backend.name: backend})
        sent: list[bytes] = []
        for marked in (False, True):
            thread = await world.thread(backend.name, model="claude-sonnet-5-5")
            api.script(Answer("An answer."))
            outcome = await world.chat.send(thread.id, words("A question."))
            assert outcome.message is not None
            if marked:
                await world.chat.marks.put(thread.id, outcome.message.id, MessageMark("down", "SECRET-NOTE"))
            api.script(Answer("Another one."))
            await world.chat.send(thread.id, words("And then?"))
            sent.append(api.answers[-1].raw)
        assert sent[0] == sent[1]
        assert b"SECRET" not in sent[1]
        await world.chat.close()
        await backend.close()
