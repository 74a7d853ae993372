"""Secrets of the user: taken out of what leaves, asked about once, decided per thread, remembered without a letter."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio

from desktop_app.backends.backend_protocol import with_redaction
from desktop_app.controller.model_selection import NoProjects
from desktop_app.controller.turn_tools import TurnState
from desktop_app.core.context import request_secrets
from desktop_app.core.context.plan import ContextPlan, PlannedRequest
from desktop_app.core.context.project_context import ProjectContext
from desktop_app.core.context.request_secrets import SecretScan
from desktop_app.core.context.sent_content import PlannedMessage
from desktop_app.core.events import CrossingAsked, MessageAdded, NoticeRaised, SecretsAsked, TurnStarted
from desktop_app.core.messages import DocumentPart, Part, TextPart, Thread, ToolCallPart, ToolResultPart, ToolSpec
from desktop_app.core.redaction import REDACTED, FoundSecret, Redaction, found_secrets
from desktop_app.core.settings import ContextSettings, Settings
from desktop_app.core.stream_events import Ended, PartFinished, StreamEvent, TextDelta, ToolAsked
from desktop_app.core.thread_copy import choices_from_json, choices_to_json, without_consent
from tests.controller.world import WatchedHistory, World, make_world, words
from tests.fakes.gated_backend import GatedBackend

KEY = "AKIA" + "Q7R2" * 4
TOKEN = "ghp_" + "a1B2" * 9
ENV = DocumentPart(".env", f"AWS_ACCESS_KEY_ID={KEY}\n", "0" * 64)


class Vault:
    """A tool whose result holds a token."""

    spec = ToolSpec("look_up", "Looks something up.", {"type": "object", "properties": {}})

    def is_offered(self, thread: Thread, project: ProjectContext | None) -> bool:
        return True

    async def answer(self, call: ToolCallPart, turn: TurnState) -> ToolResultPart:
        return ToolResultPart(call.id, f"The token is {TOKEN}, keep it.")


class HoldingBackend(GatedBackend):
    """Runs the tool loop itself, as the `claude` program does."""

    def __init__(self) -> None:
        super().__init__()
        self.results: list[str] = []

    async def stream(self, plan: ContextPlan) -> AsyncGenerator[StreamEvent, ToolResultPart | None]:
        self.plans.append(plan)
        call = ToolCallPart("c1", "look_up", {})
        yield PartFinished(call)
        result = yield ToolAsked(call)
        assert result is not None
        self.results.append(result.text)
        yield TextDelta("Found it.")
        yield Ended("end_turn")


async def made(history: WatchedHistory, backend: GatedBackend) -> World:
    """As the app puts it together."""
    scan = SecretScan()
    return await make_world(history, {"gated": with_redaction(backend, Redaction(), scan)}, tools=(Vault(),), scan=scan)


@pytest_asyncio.fixture
async def world(history: WatchedHistory, backend: GatedBackend) -> AsyncIterator[World]:
    backend.accepts_tools = True
    one = await made(history, backend)
    yield one
    await one.chat.close()


def sent(plan: ContextPlan) -> str:
    """All that a request says."""
    return repr((plan.request.system, plan.request.messages))


def secret_notices(world: World) -> list[str]:
    return [notice.message for notice in world.of(NoticeRaised) if notice.code == "secret"]


async def test_who_can_answer_is_asked_once_and_nothing_is_sent(world: World, backend: GatedBackend) -> None:
    thread = await world.thread()
    parts: tuple[Part, ...] = (ENV, TextPart("What is this?"))
    masked = (await world.chat.prepared(thread.id)).plan(parts).tokens
    outcome = await world.chat.start_send(thread.id, parts, shown=True, ask_first=True)
    (asked,) = world.of(SecretsAsked)
    assert (await world.chat.prepared(thread.id)).plan(parts).tokens == masked, "nothing is decided yet"
    assert asked.message == "Looks like an AWS key in .env"
    assert (outcome.message, outcome.failure) == (None, None)
    assert (backend.plans, world.of(MessageAdded), world.of(TurnStarted), world.of(CrossingAsked)) == ([], [], [], [])
    assert KEY not in repr(asked)

    await world.chat.context_editing.decide_secrets(thread.id, asked.secrets, send=True)
    assert (await world.chat.start_send(thread.id, parts, shown=True, ask_first=True)).failure is None
    assert KEY in sent(backend.plans[-1])
    assert backend.plans[-1].tokens == asked.tokens, "what was said to be sent"
    assert asked.tokens.total > masked.total
    assert (await world.chat.start_send(thread.id, words(f"{KEY} again"), shown=True, ask_first=True)).failure is None
    assert len(world.of(SecretsAsked)) == 1
    assert secret_notices(world) == []


class InProject(NoProjects):
    context = ProjectContext("p", "Portal", f"Use {TOKEN}.")

    async def context_of(self, thread: Thread) -> ProjectContext | None:
        return self.context


async def test_a_secret_in_the_system_prompt_is_asked_about_with_its_place(
    history: WatchedHistory, backend: GatedBackend
) -> None:
    everywhere = Settings(context=ContextSettings(instructions=f"My key is {KEY}."))
    world = await make_world(history, {"gated": backend}, projects=InProject(), settings=lambda: everywhere)
    thread = await world.thread(system="And sk-ant-api03-" + "aB3_" * 24)
    for place in (
        "an AWS key in your instructions and 2 more",
        "an Anthropic key in the system prompt and 1 more",
        "a GitHub token in the project's instructions",
    ):
        await world.chat.start_send(thread.id, words("What is this?"), shown=True, ask_first=True)
        asked = world.of(SecretsAsked)[-1]
        assert asked.message == f"Looks like {place}"
        await world.chat.context_editing.decide_secrets(thread.id, asked.secrets[:1], send=False)
    assert (await world.chat.start_send(thread.id, words("What is this?"), shown=True, ask_first=True)).failure is None
    await world.chat.close()


async def test_what_is_removed_is_not_asked_about_again_and_never_leaves(world: World, backend: GatedBackend) -> None:
    thread = await world.thread()
    parts: tuple[Part, ...] = (ENV, TextPart(f"And {TOKEN}?"))
    await world.chat.start_send(thread.id, parts, shown=True, ask_first=True)
    (asked,) = world.of(SecretsAsked)
    assert asked.message == "Looks like an AWS key in .env and 1 more"
    await world.chat.context_editing.decide_secrets(thread.id, asked.secrets, send=False)
    for _ in range(2):
        assert (await world.chat.start_send(thread.id, parts, shown=True, ask_first=True)).failure is None
    assert len(world.of(SecretsAsked)) == 1
    for plan in backend.plans:
        assert KEY not in sent(plan)
        assert TOKEN not in sent(plan)
        assert f"And {REDACTED}?" in sent(plan)
    # what was written stays what it is, here
    assert TOKEN in (await world.stored(thread.id))[0].text


async def test_nobody_is_there_so_it_is_taken_out_and_said_once(world: World, backend: GatedBackend) -> None:
    thread = await world.thread()
    await world.chat.send(thread.id, words(f"My key is {KEY}."))
    await world.chat.send(thread.id, words(f"Once more: {KEY}."))
    assert [KEY in sent(plan) for plan in backend.plans] == [False, False]
    assert secret_notices(world) == ["Removed before sending: an AWS key"]
    (notice,) = [notice for notice in world.of(NoticeRaised) if notice.code == "secret"]
    await world.chat.context_editing.decide_secrets(thread.id, notice.secrets, send=True)
    await world.chat.send(thread.id, words("And now?"))
    assert KEY in sent(backend.plans[-1])


async def test_what_is_kept_in_the_history_of_a_request_is_what_left(world: World, backend: GatedBackend) -> None:
    thread = await world.thread()
    outcome = await world.chat.send(thread.id, words(f"My key is {KEY}."))
    assert outcome.message is not None
    assert KEY not in repr(await world.history.request(outcome.message.id))
    plan = (await world.chat.prepared(thread.id)).plan(words(f"{KEY}?"))
    assert KEY not in repr(world.backends["gated"].request(plan))
    assert await world.backends["gated"].count_tokens(plan) is None


async def test_a_secret_in_a_result_goes_masked_within_the_turn(world: World, backend: GatedBackend) -> None:
    thread = await world.thread()
    backend.reply(PartFinished(ToolCallPart("c1", "look_up", {})), Ended("tool_use"))
    await world.chat.send(thread.id, words("Look it up."))
    assert f"The token is {REDACTED}, keep it." in sent(backend.plans[-1])
    assert TOKEN not in sent(backend.plans[-1])
    assert secret_notices(world) == ["Removed before sending: a GitHub token"]
    # to be seen here
    parts = [part for message in await world.stored(thread.id) for part in message.parts]
    assert any(TOKEN in part.text for part in parts if isinstance(part, ToolResultPart))


async def test_a_program_that_runs_the_tools_gets_no_secret_either(history: WatchedHistory) -> None:
    backend = HoldingBackend()
    backend.accepts_tools = True
    world = await made(history, backend)
    thread = await world.thread()
    outcome = await world.chat.send(thread.id, words("Look it up."))
    assert outcome.failure is None
    assert backend.results == [f"The token is {REDACTED}, keep it."]
    assert secret_notices(world) == ["Removed before sending: a GitHub token"]
    (notice,) = [notice for notice in world.of(NoticeRaised) if notice.code == "secret"]
    await world.chat.context_editing.decide_secrets(thread.id, notice.secrets, send=True)
    await world.chat.send(thread.id, words("Again."))
    assert backend.results[-1] == f"The token is {TOKEN}, keep it."
    await world.chat.close()


async def test_a_decision_is_kept_without_the_secret_and_comes_with_no_file(world: World, history: Any) -> None:
    thread = await world.thread()
    await world.chat.start_send(thread.id, words(f"{KEY} and {TOKEN}"), shown=True, ask_first=True)
    (asked,) = world.of(SecretsAsked)
    await world.chat.context_editing.decide_secrets(thread.id, asked.secrets[:1], send=True)
    await world.chat.context_editing.decide_secrets(thread.id, asked.secrets[1:], send=False)
    kept = await history.thread(thread.id)
    stored = choices_to_json(kept.choices)
    assert not any(piece in repr(stored) for piece in (KEY, TOKEN, KEY[4:12], TOKEN[4:12]))
    assert choices_from_json(stored) == kept.choices
    assert (len(kept.choices.secrets.sent), len(kept.choices.secrets.removed)) == (1, 1)
    imported = without_consent(kept).choices.secrets
    assert (len(imported.sent), len(imported.removed)) == (0, 1)


def test_a_long_history_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def find(text: str) -> tuple[FoundSecret, ...]:
        read.append(text)
        return found_secrets(text)

    monkeypatch.setattr(request_secrets, "found_secrets", find)

    def said(text: str) -> PlannedMessage:
        return PlannedMessage("user", (TextPart(text),), (None,))

    history = tuple(said(f"{n}. some words that hold nothing") for n in range(500))
    scan, request = SecretScan(), PlannedRequest(system="Be brief, and answer in full sentences.", history=history)
    assert scan.masked(request) is request
    assert len(read) == 501
    further = replace(request, pending=said("one more question, and no more"))
    assert scan.masked(further) is further
    assert read[501:] == ["one more question, and no more"]
