"""Editing, asking again and going from branch to branch: nothing that was said is changed or lost."""

from __future__ import annotations

import pytest

from desktop_app.backends.backend_protocol import Availability
from desktop_app.core.context.plan import Overhead
from desktop_app.core.errors import UserError
from desktop_app.core.events import BranchChanged, MessageAdded
from desktop_app.core.messages import ImagePart, ToolCallPart
from desktop_app.core.recall import TOOL_NAME
from desktop_app.core.stream_events import Ended, PartFinished, TextDelta
from tests.controller.world import World, words
from tests.fakes.gated_backend import Gate, GatedBackend, said


async def talked(world: World, turns: int = 3) -> str:
    thread = await world.thread()
    for turn in range(turns):
        await world.chat.send(thread.id, words(f"question {turn}"))
    return thread.id


async def texts(world: World, thread_id: str) -> list[str]:
    return [message.text for message in (await world.chat.open_thread(thread_id)).path]


async def test_an_edited_question_is_asked_in_its_place_and_the_old_branch_stays(
    world: World, backend: GatedBackend
) -> None:
    thread_id = await talked(world)
    before = (await world.chat.open_thread(thread_id)).path
    outcome = await (await world.chat.start_edit(thread_id, before[2].id, words("question one, better")))
    assert outcome.failure is None
    assert said(backend.plans[-1]) == [
        ("user", ("question 0",)),
        ("assistant", ("answer 1",)),
        ("user", ("question one, better",)),
    ]
    after = await world.chat.open_thread(thread_id)
    assert [message.text for message in after.path][2:] == ["question one, better", "answer 4"]
    assert after.conversation.siblings(after.path[2].id) == (before[2].id, after.path[2].id)
    assert tuple(after.conversation[message.id] for message in before) == before
    assert world.of(BranchChanged)[-1] == BranchChanged(thread_id, before[1].id)
    kinds = world.kinds()
    assert kinds.index("BranchChanged") < len(kinds) - 1 - kinds[::-1].index("MessageAdded")


async def test_the_first_question_can_be_edited_too(world: World, backend: GatedBackend) -> None:
    thread_id = await talked(world, 2)
    first = (await world.chat.open_thread(thread_id)).path[0]
    await (await world.chat.start_edit(thread_id, first.id, words("another beginning")))
    assert await texts(world, thread_id) == ["another beginning", "answer 3"]
    assert world.of(BranchChanged)[-1].tip is None


async def test_one_goes_back_to_the_other_branch_and_its_newest_end(world: World, backend: GatedBackend) -> None:
    thread_id = await talked(world)
    before = (await world.chat.open_thread(thread_id)).path
    await (await world.chat.start_edit(thread_id, before[2].id, words("other")))
    thread = await world.chat.show_branch(thread_id, before[2].id)
    assert thread.tip == before[-1].id
    assert (await world.chat.open_thread(thread_id)).path == before
    assert (await world.history.thread(thread_id)).tip == before[-1].id
    assert world.of(BranchChanged)[-1] == BranchChanged(thread_id, before[-1].id)
    # the next question goes on there
    await world.chat.send(thread_id, words("on"))
    assert [m.id for m in (await world.chat.open_thread(thread_id)).path[:-2]] == [m.id for m in before]


async def test_an_answer_in_the_middle_is_written_again_beside_the_old_one(world: World, backend: GatedBackend) -> None:
    thread_id = await talked(world)
    before = (await world.chat.open_thread(thread_id)).path
    await (await world.chat.start_regenerate(thread_id, before[3].id))
    after = await world.chat.open_thread(thread_id)
    assert [message.text for message in after.path] == ["question 0", "answer 1", "question 1", "answer 4"]
    assert after.conversation.siblings(after.path[-1].id) == (before[3].id, after.path[-1].id)
    assert not [added for added in world.of(MessageAdded) if added.message.text == "question 1"][1:]


async def test_another_model_answers_once_and_the_thread_stays_with_its_own(
    world: World, backend: GatedBackend
) -> None:
    thread_id = await talked(world, 1)
    answer = (await world.chat.open_thread(thread_id)).path[-1]
    await (await world.chat.start_regenerate(thread_id, answer.id, backend="other", model="small"))
    opened = await world.chat.open_thread(thread_id)
    assert (opened.path[-1].backend, opened.path[-1].model) == ("other", "small")
    assert (opened.thread.backend, opened.thread.model) == ("gated", "big")


async def test_a_turn_with_tools_is_asked_again_from_its_question(world: World, backend: GatedBackend) -> None:
    backend.accepts_tools, backend.overhead = True, Overhead(cache_marks=4)
    thread = await world.thread()
    backend.reply(PartFinished(ToolCallPart("c1", TOOL_NAME, {"query": "x"})), Ended("tool_use"))
    await world.chat.send(thread.id, words("look"))
    last = (await world.chat.open_thread(thread.id)).path[-1]
    await (await world.chat.start_regenerate(thread.id, last.id))
    assert [message.role for message in (await world.chat.open_thread(thread.id)).path] == ["user", "assistant"]
    assert said(backend.plans[-1]) == [("user", ("look",))]


async def test_a_refused_edit_leaves_branch_and_draft_alone(world: World, backend: GatedBackend) -> None:
    thread = await world.thread(model="small")
    await world.chat.send(thread.id, words("one"))
    await world.chat.keep_draft(thread.id, "what I write")
    before = await texts(world, thread.id)
    first = (await world.chat.open_thread(thread.id)).path[0]
    outcome = await (await world.chat.start_edit(thread.id, first.id, words("word " * 20_000)))
    assert outcome.failure is not None
    assert outcome.failure.code == "context_limit"
    assert await texts(world, thread.id) == before
    assert (await world.history.thread(thread.id)).draft == "what I write"


async def test_an_edit_further_up_leaves_the_draft_alone(world: World, backend: GatedBackend) -> None:
    thread_id = await talked(world, 2)
    await world.chat.keep_draft(thread_id, "what I write")
    image = ImagePart("sky.png", "image/png", "iVBORw0KGgo=", 2, 1)
    await world.history.save_attachments(thread_id, (image,))
    before = (await world.chat.open_thread(thread_id)).path
    outcome = await (await world.chat.start_edit(thread_id, before[2].id, words("other")))
    assert outcome.failure is None
    assert (await world.history.thread(thread_id)).draft == "what I write"
    assert (await world.chat.open_thread(thread_id)).thread.draft == "what I write"
    assert await world.history.attachments(thread_id) == (image,)


async def test_no_other_branch_while_an_answer_comes(world: World, backend: GatedBackend) -> None:
    thread_id = await talked(world, 2)
    before = (await world.chat.open_thread(thread_id)).path
    await (await world.chat.start_edit(thread_id, before[2].id, words("other")))
    gate = Gate()
    backend.reply(gate, TextDelta("x"), Ended("end_turn"))
    task = world.chat.start_send(thread_id, words("more"))
    await gate.arrive()
    with pytest.raises(UserError, match="still coming"):
        await world.chat.show_branch(thread_id, before[2].id)
    gate.open()
    await task


async def test_what_is_not_there_is_named(world: World) -> None:
    thread = await world.thread()
    with pytest.raises(UserError, match="no question"):
        await world.chat.start_edit(thread.id, "nowhere", words("x"))
    with pytest.raises(UserError, match="no longer in the thread"):
        await world.chat.show_branch(thread.id, "nowhere")


async def test_the_expected_plan_is_the_one_that_is_sent_by(world: World, backend: GatedBackend) -> None:
    thread_id = await talked(world)
    path = (await world.chat.open_thread(thread_id)).path
    again = await world.chat.expected(thread_id, None, at=path[3].id, model="small")
    edited = await world.chat.expected(thread_id, words("better"), at=path[2].id)
    retried, sent = await world.chat.expected(thread_id, None), await world.chat.expected(thread_id, words("on"))
    assert len(backend.plans) == 3, "nothing was sent"
    await (await world.chat.start_regenerate(thread_id, path[3].id, model="small"))
    await world.chat.show_branch(thread_id, path[3].id)
    await (await world.chat.start_edit(thread_id, path[2].id, words("better")))
    await world.chat.show_branch(thread_id, path[3].id)
    await world.chat.retry(thread_id)
    await world.chat.show_branch(thread_id, path[5].id)
    await world.chat.send(thread_id, words("on"))
    for expected, plan in zip((again, edited, retried, sent), backend.plans[3:], strict=True):
        assert (said(expected), expected.model) == (said(plan), plan.model)
        assert expected.tokens == plan.tokens


async def test_a_branch_begins_at_any_answer_and_nothing_is_lost(world: World, backend: GatedBackend) -> None:
    thread_id = await talked(world)
    before = (await world.chat.open_thread(thread_id)).path
    thread = await world.chat.branch_from(thread_id, before[1].id)
    assert thread.tip == before[1].id
    assert await texts(world, thread_id) == ["question 0", "answer 1"]
    assert (await world.history.thread(thread_id)).tip == before[1].id
    await world.chat.send(thread_id, words("another way"))
    assert await texts(world, thread_id) == ["question 0", "answer 1", "another way", "answer 4"]
    after = await world.chat.open_thread(thread_id)
    assert after.conversation.siblings(after.path[2].id) == (before[2].id, after.path[2].id)
    shown = await world.chat.show_branch(thread_id, before[1].id)
    assert shown.tip == after.path[-1].id, "to the end that grew last"


async def test_what_is_refused_beside_the_draft_leaves_the_draft(world: World, backend: GatedBackend) -> None:
    thread_id = await talked(world, 1)
    path = (await world.chat.open_thread(thread_id)).path
    await world.chat.keep_draft(thread_id, "my draft")
    backend.available = Availability(False, "Not now.")
    world.chat.chooser.forget_usable()
    for refused in (
        world.chat.start_continue(thread_id, "Go on."),
        await world.chat.start_edit(thread_id, path[0].id, words("better")),
        await world.chat.start_regenerate(thread_id, path[1].id),
        world.chat.start_retry(thread_id),
    ):
        assert (await refused).failure is not None
        assert (await world.history.thread(thread_id)).draft == "my draft"
    await world.chat.send(thread_id, words("another"))
    assert (await world.history.thread(thread_id)).draft == "my draft\n\nanother"
