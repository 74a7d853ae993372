"""Deleting a message takes its whole turn out of one branch: what is shown, sent, searched, exported and summarised."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from desktop_app.controller.thread_library import ThreadLibrary
from desktop_app.controller.transfer import Transfer
from desktop_app.core.context.placed_messages import DELETED
from desktop_app.core.errors import UserError
from desktop_app.core.messages import Failure
from desktop_app.core.recall import TOOL_NAME, eligible
from desktop_app.core.settings import ContextSettings, Settings
from desktop_app.core.stream_events import Ended, Failed, TextDelta
from tests.benchmarks.thread_loop import wired_backend
from tests.controller.exporting import thread_export
from tests.controller.test_branches import talked
from tests.controller.test_tool_loop import asks, call, results_of
from tests.controller.world import WatchedHistory, World, make_world, words
from tests.fakes.gated_backend import Gate, GatedBackend, said
from tests.servers.chat_api import ChatApi
from tests.servers.messages_api import Answer, MessagesApi, Text


async def shown(world: World, thread_id: str) -> list[str]:
    return [message.text for message in (await world.chat.open_thread(thread_id)).shown]


async def ids(world: World, thread_id: str) -> list[str]:
    return [message.id for message in (await world.chat.open_thread(thread_id)).path]


async def delete(world: World, thread_id: str, place: int) -> Any:
    return await world.chat.delete_turn(thread_id, (await ids(world, thread_id))[place])


def roles(backend: GatedBackend) -> list[str]:
    return [role for role, _ in said(backend.plans[-1])]


@pytest.mark.parametrize("place", [2, 3])
async def test_the_whole_turn_goes_and_later_turns_stay(world: World, backend: GatedBackend, place: int) -> None:
    thread_id = await talked(world)
    await delete(world, thread_id, place)
    assert await shown(world, thread_id) == ["question 0", "answer 1", "question 2", "answer 3"]
    await world.chat.send(thread_id, words("and now?"))
    assert said(backend.plans[-1]) == [
        ("user", ("question 0",)),
        ("assistant", ("answer 1",)),
        ("user", ("question 2",)),
        ("assistant", ("answer 3",)),
        ("user", ("and now?",)),
    ]
    assert len(await world.stored(thread_id)) == 8


@pytest.mark.parametrize("place", [0, 2, 4])
async def test_roles_alternate_whichever_turn_goes(world: World, backend: GatedBackend, place: int) -> None:
    thread_id = await talked(world)
    await delete(world, thread_id, place)
    await world.chat.send(thread_id, words("and now?"))
    assert roles(backend) == ["user", "assistant"] * 2 + ["user"]
    assert f"question {place // 2}" not in str(said(backend.plans[-1]))


async def test_with_everything_deleted_only_the_new_question_goes(world: World, backend: GatedBackend) -> None:
    thread_id = await talked(world, 2)
    await delete(world, thread_id, 0)
    await delete(world, thread_id, 2)
    assert await shown(world, thread_id) == []
    await world.chat.send(thread_id, words("a new beginning"))
    assert said(backend.plans[-1]) == [("user", ("a new beginning",))]


async def test_it_is_undone(world: World, backend: GatedBackend) -> None:
    thread_id = await talked(world)
    before = await delete(world, thread_id, 2)
    await world.chat.context_editing.restore(thread_id, before)
    assert len(await shown(world, thread_id)) == 6
    await world.chat.send(thread_id, words("and now?"))
    assert len(said(backend.plans[-1])) == 7


async def test_it_is_restored_by_name(world: World, backend: GatedBackend) -> None:
    thread_id = await talked(world)
    path = await ids(world, thread_id)
    await delete(world, thread_id, 0)
    await delete(world, thread_id, 2)
    await world.chat.context_editing.undelete(thread_id, path[2:4], path)
    assert await shown(world, thread_id) == ["question 1", "answer 2", "question 2", "answer 3"]


async def test_the_plan_counts_nothing_of_it_and_says_why(world: World, backend: GatedBackend) -> None:
    thread_id = await talked(world)
    whole = await world.chat.expected(thread_id, words("x"))
    await delete(world, thread_id, 2)
    plan = await world.chat.expected(thread_id, words("x"))
    gone = [placed for placed in plan.placement.messages if placed.deleted]
    assert [placed.id for placed in gone] == (await ids(world, thread_id))[2:4]
    assert {(placed.state, placed.tokens, placed.whole, placed.reason) for placed in gone} == {
        ("excluded", 0, 0, DELETED)
    }
    assert plan.tokens.total < whole.tokens.total
    assert plan.tokens.history == sum(placed.tokens for placed in plan.placement.messages)
    assert plan.decision == "ok"


async def test_another_branch_keeps_what_is_deleted_on_one(world: World, backend: GatedBackend) -> None:
    thread_id = await talked(world)
    path = await ids(world, thread_id)
    await (await world.chat.start_edit(thread_id, path[4], words("another last question")))
    await delete(world, thread_id, 0)
    assert await shown(world, thread_id) == ["question 1", "answer 2", "another last question", "answer 4"]
    await world.chat.show_branch(thread_id, path[4])
    assert (await shown(world, thread_id))[0] == "question 0"
    assert len(await shown(world, thread_id)) == 6


@pytest.mark.parametrize("way", ["again", "edit", "branch"])
async def test_a_branch_that_begins_behind_it_does_not_bring_it_back(
    world: World, backend: GatedBackend, way: str
) -> None:
    thread_id = await talked(world)
    path = await ids(world, thread_id)
    await delete(world, thread_id, 0)
    if way == "again":
        await (await world.chat.start_regenerate(thread_id, path[5]))
    elif way == "edit":
        await (await world.chat.start_edit(thread_id, path[4], words("edited")))
    else:
        await world.chat.branch_from(thread_id, path[3])
        assert await shown(world, thread_id) == ["question 1", "answer 2"]
        await world.chat.send(thread_id, words("edited"))
    assert "question 0" not in str(said(backend.plans[-1]))
    assert (await shown(world, thread_id))[0] == "question 1"
    await world.chat.send(thread_id, words("and on"))
    assert "question 0" not in str(said(backend.plans[-1]))


async def test_a_deleted_end_of_a_branch_leads_to_the_version_beside_it(world: World, backend: GatedBackend) -> None:
    thread_id = await talked(world)
    path = await ids(world, thread_id)
    await (await world.chat.start_edit(thread_id, path[2], words("question one, better")))
    await world.chat.send(thread_id, words("and on"))
    other = await ids(world, thread_id)
    before = await delete(world, thread_id, 4)
    assert (await ids(world, thread_id)) == other, "the branch still shows its version"
    await delete(world, thread_id, 2)
    assert await shown(world, thread_id) == [
        *("question 0", "answer 1", "question 1", "answer 2", "question 2", "answer 3")
    ]
    assert (await world.chat.open_thread(thread_id)).thread.tip == path[-1]
    await world.chat.context_editing.restore(thread_id, before)
    await world.chat.show_branch(thread_id, other[-1])
    assert await shown(world, thread_id) == ["question 0", "answer 1", "question one, better", "answer 4",
                                             "and on", "answer 5"]  # fmt: skip


async def test_the_nearest_version_that_is_not_deleted_itself_is_shown(world: World, backend: GatedBackend) -> None:
    thread_id = await talked(world, 1)
    answers = [(await ids(world, thread_id))[1]]
    for _ in range(3):
        await (await world.chat.start_regenerate(thread_id, answers[0]))
        answers.append((await ids(world, thread_id))[1])
    for gone, then in ((2, 1), (1, 0), (0, 3)):
        await world.chat.show_branch(thread_id, answers[gone])
        await delete(world, thread_id, 1)
        assert (await ids(world, thread_id))[1] == answers[then]
        assert (await shown(world, thread_id))[0] == "question 0"
    await delete(world, thread_id, 1)
    assert await shown(world, thread_id) == ["question 0"]


async def test_no_answer_of_which_nothing_came_is_shown_instead(world: World, backend: GatedBackend) -> None:
    thread_id = await talked(world, 1)
    answered = await ids(world, thread_id)
    backend.reply(Failed(Failure("network", "Gone.")))
    await (await world.chat.start_regenerate(thread_id, answered[1]))
    await world.chat.show_branch(thread_id, answered[1])
    await delete(world, thread_id, 1)
    assert (await ids(world, thread_id)) == answered


async def test_a_failed_question_goes_alone(world: World, backend: GatedBackend) -> None:
    thread_id = await talked(world, 1)
    backend.reply(Failed(Failure("network", "Gone.")))
    await world.chat.send(thread_id, words("a question that failed"))
    await world.chat.send(thread_id, words("a question that went"))
    await delete(world, thread_id, 2)
    assert await shown(world, thread_id) == ["question 0", "answer 1", "a question that went", "answer 3"]
    await world.chat.send(thread_id, words("on"))
    assert said(backend.plans[-1])[2] == ("user", ("a question that went",))


async def test_trying_again_asks_the_last_question_that_is_shown(world: World, backend: GatedBackend) -> None:
    thread_id = await talked(world, 2)
    await delete(world, thread_id, 2)
    await world.chat.start_retry(thread_id)
    assert said(backend.plans[-1]) == [("user", ("question 0",))]


async def test_while_an_answer_comes_nothing_is_deleted(world: World, backend: GatedBackend) -> None:
    thread_id = await talked(world)
    gate = Gate()
    backend.reply(gate, TextDelta("late"), Ended("end_turn"))
    task = world.chat.start_send(thread_id, words("slow"))
    await gate.arrive()
    with pytest.raises(UserError, match="still coming"):
        await delete(world, thread_id, 0)
    gate.open()
    await task


async def test_what_is_not_in_the_thread_is_said(world: World, backend: GatedBackend) -> None:
    thread_id = await talked(world)
    with pytest.raises(UserError, match="no longer in the thread"):
        await world.chat.delete_turn(thread_id, "nowhere")


async def test_calls_go_with_their_results(history: WatchedHistory) -> None:
    backend = GatedBackend()
    backend.accepts_tools = True
    capped = Settings(context=ContextSettings(max_messages=6))
    world = await make_world(history, {"gated": backend}, settings=lambda: capped)
    thread_id = await talked(world, 6)
    backend.reply(*asks(call("question 0"), say="Let me look."))
    backend.reply(TextDelta("Found."), Ended("end_turn"))
    await world.chat.send(thread_id, words("what was first?"))
    opened = await world.chat.open_thread(thread_id)
    asked = next(message for message in opened.path if message.text == "what was first?")
    await world.chat.delete_turn(thread_id, asked.id)
    assert [one.id for one in opened.path[opened.path.index(asked) :]] == [
        one.id
        for one in (await world.chat.open_thread(thread_id)).path
        if one not in (await world.chat.open_thread(thread_id)).shown
    ]
    await world.chat.send(thread_id, words("and now?"))
    sent = str(said(backend.plans[-1]))
    assert TOOL_NAME not in sent
    assert "looked up" not in sent
    assert roles(backend)[-1] == "user"
    await world.chat.close()


async def test_no_search_of_the_thread_finds_it(history: WatchedHistory) -> None:
    backend = GatedBackend()
    backend.accepts_tools = True
    capped = Settings(context=ContextSettings(max_messages=6))
    world = await make_world(history, {"gated": backend}, settings=lambda: capped)
    thread_id = await talked(world, 1)
    await world.chat.send(thread_id, words("The harbour master is called Ingeborg Vestergaard."))
    for turn in range(6):
        await world.chat.send(thread_id, words(f"on, {turn}"))
    await delete(world, thread_id, 2)
    opened = await world.chat.open_thread(thread_id)
    plan = (await world.chat.prepared(thread_id)).plan(words("who?"))
    assert opened.path[2].id not in eligible(plan, opened.path)
    for query in ("harbour master Ingeborg Vestergaard", "messages 3"):
        backend.reply(*asks(call(query)))
        backend.reply(TextDelta("I do not know."), Ended("end_turn"))
        await world.chat.send(thread_id, words("who?"))
        (result,) = [part for message in await world.stored(thread_id) for part in results_of(message)][-1:]
        assert "Vestergaard" not in result.text
    await world.chat.close()


async def test_the_search_over_all_threads_passes_what_is_shown_nowhere(
    world: World, backend: GatedBackend, history: WatchedHistory
) -> None:
    thread_id = await talked(world)
    path = await ids(world, thread_id)
    before = await delete(world, thread_id, 2)
    assert [hit.message_id for hit in (await history.search("question")).hits if hit.message_id == path[2]] == []
    await world.chat.context_editing.restore(thread_id, before)
    assert path[2] in [hit.message_id for hit in (await history.search("question")).hits]
    await (await world.chat.start_edit(thread_id, path[4], words("another")))
    await delete(world, thread_id, 2)
    assert path[2] in [hit.message_id for hit in (await history.search("question")).hits]
    await world.chat.show_branch(thread_id, path[2])
    assert "question 1" in await shown(world, thread_id)


async def test_a_boundary_on_a_deleted_message_stays(history: WatchedHistory) -> None:
    backend = GatedBackend()
    capped = Settings(context=ContextSettings(max_messages=8))
    world = await make_world(history, {"gated": backend}, settings=lambda: capped)
    thread_id = await talked(world, 7)
    opened = await world.chat.open_thread(thread_id)
    carrier = next(message for message in reversed(opened.path) if message.window is not None)
    assert carrier.window is not None
    await world.chat.delete_turn(thread_id, carrier.id)
    after = (await world.chat.prepared(thread_id)).plan(words("x"))
    assert after.placement.boundary.first_kept == carrier.window.first_kept
    assert after.placement.newly_returned == 0
    await world.chat.close()


async def test_a_summary_of_what_is_deleted_is_not_sent(world: World, backend: GatedBackend) -> None:
    from desktop_app.core.context.context_choices import Summary

    thread_id = await talked(world, 4)
    path = await ids(world, thread_id)
    summary = Summary("s", tuple(path[2:6]), "They spoke of question 1.", "", "2026-03-01T00:00:00.000Z")
    await world.chat.context_editing.add_summary(thread_id, summary)
    await world.chat.send(thread_id, words("with it"))
    assert "They spoke" in str(said(backend.plans[-1]))
    before = await delete(world, thread_id, 2)
    await world.chat.send(thread_id, words("without it"))
    sent = str(said(backend.plans[-1]))
    assert "They spoke" not in sent
    assert "question 1" not in sent
    assert "question 2" in sent
    await world.chat.context_editing.restore(thread_id, before)
    await world.chat.send(thread_id, words("with it again"))
    assert "They spoke" in str(said(backend.plans[-1]))


async def test_exports_agree_with_the_branch_and_the_lossless_one_brings_it_back(
    world: World, backend: GatedBackend, history: WatchedHistory, tmp_path: Path
) -> None:
    thread_id = await talked(world)
    await delete(world, thread_id, 2)
    export = thread_export(history)
    (page,) = await export.export([thread_id], "markdown", tmp_path / "t.md")
    assert "question 1" not in page.read_text()
    assert "question 2" in page.read_text()
    (whole,) = await export.export([thread_id], "json", tmp_path / "t.json")
    with_copy = await _imported(tmp_path, whole)
    assert with_copy == ["question 0", "answer 1", "question 2", "answer 3"]


async def test_a_copy_has_it_deleted_too(world: World, backend: GatedBackend, history: WatchedHistory) -> None:
    thread_id = await talked(world)
    await delete(world, thread_id, 2)
    library = ThreadLibrary(history, world.chat.facts, world.announcements, stop=world.chat.stop)
    copy = await library.duplicate(thread_id)
    assert await shown(world, copy.id) == ["question 0", "answer 1", "question 2", "answer 3"]


@pytest.mark.parametrize("name", ["anthropic", "openai", "claude-cli"])
async def test_every_backend_is_sent_a_valid_request(name: str, history: WatchedHistory, tmp_path: Path) -> None:
    answer = Answer(Text("Yes."))
    api: Any = ChatApi(default=lambda _: answer) if name == "openai" else MessagesApi(default=lambda _: answer)
    if name == "openai":
        api.models = [{"id": "gpt-5.2", "object": "model"}]
    async with api, wired_backend(name, api, tmp_path) as backend:
        world = await make_world(history, {backend.name: backend})
        model = "gpt-5.2" if name == "openai" else "claude-sonnet-5-5"
        thread = await world.chat.new_thread(backend=backend.name, model=model)
        for turn in range(3):
            outcome = await world.chat.send(thread.id, words(f"question {turn}"))
            assert outcome.failure is None
        await delete(world, thread.id, 2)
        request = await world.would_send(thread.id, words("and now?"))
        outcome = await world.chat.send(thread.id, words("and now?"))
        assert outcome.failure is None
        assert "question 1" not in str(request)
        assert "question 2" in str(request)
        if name != "claude-cli":
            sent: Any = request["messages"]
            assert [one["role"] for one in sent if one["role"] != "system"] == ["user", "assistant"] * 2 + ["user"]
        await world.chat.close()


async def _imported(folder: Path, file: Path) -> list[str]:
    """What another history shows of the one thread of a file."""
    from desktop_app.controller.ports import Announcements

    history = await WatchedHistory.open(folder / "other" / "history.db")
    world = await make_world(history, {"gated": GatedBackend()})
    await Transfer(history, Announcements()).import_files([file])
    (summary,) = await history.threads()
    texts = await shown(world, summary.thread.id)
    await world.chat.close()
    await history.close()
    return texts


async def test_a_question_stays_without_its_answer_at_the_end_of_its_branch(
    world: World, backend: GatedBackend
) -> None:
    thread_id = await talked(world, 2)
    path = await ids(world, thread_id)
    await (await world.chat.start_edit(thread_id, path[2], words("question one, better")))
    edited = await ids(world, thread_id)
    before = await delete(world, thread_id, 3)
    assert await shown(world, thread_id) == ["question 0", "answer 1", "question one, better"]
    await world.chat.context_editing.restore(thread_id, before)
    assert len(await shown(world, thread_id)) == 4
    await delete(world, thread_id, 3)
    await world.chat.start_retry(thread_id)
    assert said(backend.plans[-1])[-1] == ("user", ("question one, better",))
    assert (await ids(world, thread_id))[:3] == edited[:3]
    assert len(await shown(world, thread_id)) == 4
