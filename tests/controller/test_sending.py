"""A turn from the question to the stored answer, in order, under both event loops."""

from __future__ import annotations

import asyncio

import pytest

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.conversation import Conversation
from desktop_app.core.events import AnswerGrew, MessageAdded, NoticeRaised, SendRefused, ThreadChanged, TurnEnded
from desktop_app.core.messages import Failure, Message, ThinkingPart, Thread, Usage
from desktop_app.core.stream_events import (
    Ended,
    Failed,
    Notice,
    PartFinished,
    Reset,
    TextDelta,
    ThinkingDelta,
    UsageReported,
)
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.controller.world import World, words
from tests.fakes.gated_backend import Gate, GatedBackend, said
from tests.patience import PATIENCE_S


async def test_a_question_gets_its_answer(world: World, backend: GatedBackend) -> None:
    thread = await world.thread()
    outcome = await world.chat.send(thread.id, words("What is a hull?"))
    assert outcome.failure is None
    assert outcome.stop_reason == "end_turn"
    assert outcome.message is not None
    assert outcome.plan is backend.plans[0]
    question, answer = await world.stored(thread.id)
    assert (question.role, question.text, question.parent_id) == ("user", "What is a hull?", None)
    assert answer == outcome.message
    assert (answer.text, answer.state, answer.parent_id) == ("answer 1", "complete", question.id)
    assert (answer.backend, answer.model, answer.prefix_key) == ("gated", "big", backend.plans[0].request.prefix_key)
    assert answer.usage == Usage(input=backend.plans[0].tokens.total, output=3)
    assert (await world.history.thread(thread.id)).tip == answer.id


async def test_what_happens_is_announced_in_order(world: World) -> None:
    thread = await world.thread()
    await world.chat.send(thread.id, words("Hello"))
    kinds = [kind for kind in world.kinds() if kind != "ThreadChanged"]
    assert kinds == ["ThreadCreated", "MessageAdded", "TurnStarted", "AnswerGrew", "UsageChanged", "TurnEnded"]


async def test_all_is_stored_before_anything_leaves(world: World, backend: GatedBackend) -> None:
    thread = await world.thread()
    seen: list[tuple[Message, ...]] = []
    requests: list[object] = []

    async def look(plan: ContextPlan) -> None:
        messages = tuple(await world.history.messages(thread.id))
        seen.append(messages)
        requests.append(await world.history.request(messages[-1].id))
        assert (await world.history.thread(thread.id)).tip == messages[-1].id
        assert world.of(MessageAdded)[0].message == messages[0]

    backend.on_stream = look
    await world.chat.send(thread.id, words("Keep this"))
    ((question, answer),) = seen
    assert question.text == "Keep this"
    assert (answer.state, answer.parts) == ("partial", ())
    assert requests == [backend.request(backend.plans[0])]


async def test_the_third_turn_carries_the_whole_history_with_roles(world: World, backend: GatedBackend) -> None:
    thread = await world.thread(system="Be brief.")
    for text in ("one", "two", "three"):
        await world.chat.send(thread.id, words(text))
    assert said(backend.plans[2]) == [
        ("user", ("one",)),
        ("assistant", ("answer 1",)),
        ("user", ("two",)),
        ("assistant", ("answer 2",)),
        ("user", ("three",)),
    ]
    assert backend.plans[2].request.system.startswith("Be brief.")


async def test_a_thread_read_from_the_disk_goes_on_where_it_was(
    world: World, backend: GatedBackend, history: SqliteHistory
) -> None:
    from tests.controller.world import make_world

    thread = await world.thread()
    await world.chat.send(thread.id, words("one"))
    again = await make_world(history, world.backends)
    assert backend.plans[1:] == []  # opening sends nothing
    opened = await again.chat.open_thread(thread.id)
    assert [message.text for message in opened.path] == ["one", "answer 1"]
    await again.chat.send(thread.id, words("two"))
    assert [role for role, _ in said(backend.plans[1])] == ["user", "assistant", "user"]
    await again.chat.close()


async def test_every_kind_of_event_is_told_and_kept(world: World, backend: GatedBackend) -> None:
    thread = await world.thread()
    backend.reply(
        Notice("retry", "Trying again."),
        TextDelta("wrong"),
        Reset(),
        ThinkingDelta("hmm"),
        PartFinished(ThinkingPart("hmm", "signature")),
        TextDelta("ri"),
        TextDelta("ght"),
        UsageReported(Usage(output=1), "served"),
        UsageReported(Usage(output=2), "served"),
        Ended("max_tokens"),
    )
    outcome = await world.chat.send(thread.id, words("Hello"))
    assert outcome.stop_reason == "max_tokens"
    assert outcome.message is not None
    assert outcome.message.parts == (ThinkingPart("hmm", "signature"), *words("right"))
    assert (outcome.message.model, outcome.message.usage) == ("served", Usage(output=2))
    assert world.of(NoticeRaised) == [NoticeRaised(thread.id, "retry", "Trying again.")]
    assert [(grew.kind, grew.delta) for grew in world.of(AnswerGrew)] == [
        ("text", "wrong"),
        ("thinking", "hmm"),
        ("text", "ri"),
        ("text", "ght"),
    ]
    assert (await world.stored(thread.id))[-1] == outcome.message


async def test_the_first_question_names_the_thread_and_fixes_its_model(world: World) -> None:
    thread = await world.thread()
    await world.chat.send(thread.id, words("Explain the Plimsoll line\nin short"))
    named = await world.history.thread(thread.id)
    assert (named.title, named.backend, named.model) == ("Explain the Plimsoll line in short", "gated", "big")
    assert any(changed.thread.title == named.title for changed in world.of(ThreadChanged))
    await world.chat.send(thread.id, words("And now something else"))
    assert (await world.history.thread(thread.id)).title == named.title


async def test_a_title_reads_as_plain_words_and_one_that_was_given_as_it_was_typed(world: World) -> None:
    thread = await world.thread(title="")
    await world.chat.send(thread.id, words("# **Hello** `x`\n\nSee [the page](https://example.org)"))
    assert (await world.history.thread(thread.id)).title == "Hello x See the page"
    given = await world.thread(title="**Mine** `x`")
    await world.chat.send(given.id, words("one"))
    assert (await world.history.thread(given.id)).title == "**Mine** `x`"


async def test_a_title_that_was_given_stays(world: World) -> None:
    thread = await world.thread(title="Mine")
    await world.chat.send(thread.id, words("Explain"))
    assert (await world.history.thread(thread.id)).title == "Mine"


async def test_a_second_send_in_a_running_thread_is_refused_and_kept_as_draft(
    world: World, backend: GatedBackend
) -> None:
    thread, gate = await world.thread(), Gate()
    backend.reply(TextDelta("slow"), gate, Ended("end_turn"))
    first = world.chat.start_send(thread.id, words("one"))
    await gate.arrive()
    assert world.chat.running(thread.id)
    second = await asyncio.wait_for(world.chat.send(thread.id, words("two")), PATIENCE_S)
    assert second.failure is not None
    assert second.failure.code == "store"
    assert "still coming" in second.failure.message
    gate.open()
    assert (await first).failure is None
    assert not world.chat.running(thread.id)
    assert len(backend.plans) == 1
    assert (await world.history.thread(thread.id)).draft == "two"


async def test_the_next_message_may_be_sent_as_soon_as_the_end_is_announced(
    world: World, backend: GatedBackend
) -> None:
    thread = await world.thread()
    queued: list[asyncio.Task[object]] = []

    def send_queued(fact: object) -> None:
        if isinstance(fact, TurnEnded) and not queued:
            queued.append(asyncio.ensure_future(world.chat.send(thread.id, words("two"))))

    world.announcements.subscribe(send_queued)
    await world.chat.send(thread.id, words("one"))
    await asyncio.gather(*queued)
    assert world.of(SendRefused) == []
    assert [text for _, text in said(backend.plans[1])] == [("one",), ("answer 1",), ("two",)]


async def test_two_threads_run_side_by_side(world: World, backend: GatedBackend) -> None:
    first, second = await world.thread(), await world.thread()
    gates = (Gate(), Gate())
    for gate in gates:
        backend.reply(gate, TextDelta("done"), Ended("end_turn"))
    tasks = [world.chat.start_send(thread.id, words("go")) for thread in (first, second)]
    for gate in gates:
        await gate.arrive()
    for gate in gates:
        gate.open()
    assert [(await task).failure for task in tasks] == [None, None]


async def test_a_failure_before_any_text_leaves_an_empty_answer_that_is_never_sent(
    world: World, backend: GatedBackend
) -> None:
    thread = await world.thread()
    failure = Failure("overloaded", "The server is busy.", actions=("retry",))
    backend.reply(Failed(failure))
    outcome = await world.chat.send(thread.id, words("one"))
    assert outcome.failure == failure
    assert (await world.stored(thread.id))[-1] == outcome.message
    assert outcome.message is not None
    assert (outcome.message.state, outcome.message.parts) == ("error", ())
    assert world.kinds()[-1] == "TurnFailed"
    await world.chat.send(thread.id, words("two"))
    assert said(backend.plans[1]) == [("user", ("one", "two"))]


async def test_a_failure_after_text_keeps_it_and_sends_it_later(world: World, backend: GatedBackend) -> None:
    thread = await world.thread()
    backend.reply(TextDelta("half an ans"), Failed(Failure("network", "The connection was lost.")))
    outcome = await world.chat.send(thread.id, words("one"))
    assert outcome.message is not None
    assert (outcome.message.state, outcome.message.text) == ("partial", "half an ans")
    assert outcome.message.failure == outcome.failure
    await world.chat.send(thread.id, words("two"))
    assert said(backend.plans[1])[1] == ("assistant", ("half an ans",))


@pytest.mark.parametrize("steps", [(), (TextDelta("cut"),)])
async def test_a_stream_without_an_end_is_a_failure(
    world: World, backend: GatedBackend, steps: tuple[TextDelta, ...]
) -> None:
    thread = await world.thread()
    backend.reply(*steps)
    outcome = await world.chat.send(thread.id, words("one"))
    assert outcome.failure is not None
    assert outcome.failure.code == "backend"


async def test_a_bug_in_a_backend_costs_no_text(
    world: World, backend: GatedBackend, caplog: pytest.LogCaptureFixture
) -> None:
    thread = await world.thread()
    backend.reply(TextDelta("so far"), RuntimeError("a bug"))
    outcome = await world.chat.send(thread.id, words("one"))
    assert outcome.failure is not None
    assert (await world.stored(thread.id))[-1].text == "so far"
    assert "a turn through gated failed" in caplog.text


async def test_a_bug_before_the_request_leaves_keeps_the_text(
    world: World, backend: GatedBackend, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(plan: ContextPlan) -> dict[str, str]:
        raise KeyError("a bug")

    monkeypatch.setattr(backend, "request", broken)
    thread = await world.thread()
    outcome = await world.chat.send(thread.id, words("long thought"))
    assert outcome.failure is not None
    assert outcome.failure.code == "backend"
    assert (await world.history.thread(thread.id)).draft == "long thought"
    assert backend.plans == []
    assert world.kinds()[-1] == "SendRefused"
    assert "could not be made" in caplog.text


async def test_an_unknown_thread_is_told(world: World) -> None:
    outcome = await world.chat.send("nowhere", words("one"))
    assert outcome.failure is not None
    assert outcome.failure.code == "usage"


async def test_a_tip_moved_elsewhere_refuses_once_and_then_goes_on(
    world: World, backend: GatedBackend, history: SqliteHistory
) -> None:
    thread: Thread = await world.thread()
    await world.chat.send(thread.id, words("one"))
    tip = (await history.thread(thread.id)).tip
    assert tip is not None
    question = (await history.messages(thread.id))[0]
    await history.move_tip(thread.id, question.id, expected=tip)
    refused = await world.chat.send(thread.id, words("two"))
    assert refused.failure is not None
    assert refused.failure.code == "store"
    assert len(backend.plans) == 1
    assert (await world.chat.send(thread.id, words("two"))).failure is None
    assert said(backend.plans[1]) == [("user", ("one", "two"))]


async def test_a_turn_does_not_walk_up_the_thread(
    world: World, backend: GatedBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread = await world.thread()
    for question in ("one", "two"):
        await world.chat.send(thread.id, words(question))
    walked: list[str | None] = []
    path = Conversation.path

    def watched(conversation: Conversation, tip: str | None) -> tuple[Message, ...]:
        walked.append(tip)
        return path(conversation, tip)

    monkeypatch.setattr(Conversation, "path", watched)
    assert (await world.chat.send(thread.id, words("three"))).failure is None
    assert walked == []
