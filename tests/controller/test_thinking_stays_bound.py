"""Thinking goes back only behind what it came behind: over the wire, against a server that refuses anything else."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import pytest

from desktop_app.backends.anthropic_backend import AnthropicBackend
from desktop_app.core.events import NoticeRaised, ToolAnswered
from desktop_app.core.messages import Parameters, ThinkingPart
from desktop_app.core.recall import TOOL_NAME
from desktop_app.core.settings import ContextSettings, Settings
from tests.controller.world import WatchedHistory, World, make_world, words
from tests.servers.messages_api import (
    Answer,
    Behaviour,
    Block,
    CapturedRequest,
    Drop,
    HttpError,
    MessagesApi,
    Think,
    ToolUse,
    too_long,
)
from tests.servers.thinking_binding import REFUSED

MODEL = "claude-sonnet-5-5"
BOUND = REFUSED.format(message=1, block=0, kind="thinking")
SEARCHED = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}}
FOUND = {
    "type": "web_search_tool_result",
    "tool_use_id": "srvtoolu_1",
    "content": [{"type": "web_search_result", "url": "https://x.org", "title": "X", "encrypted_content": "e"}],
}
LONG = "A line of many words that fills the window. " * 1000
CITATION = {"type": "web_search_result_location", "url": "https://x.org", "cited_text": "q"}


def call(number: int) -> ToolUse:
    return ToolUse(TOOL_NAME, {"query": f"question {number}"}, f"toolu_{number}")


def calling(number: int, *before: Any) -> Answer:
    return Answer(Think(f"thought {number}"), *before, call(number), stop_reason="tool_use")


def thoughts(request: CapturedRequest) -> list[str]:
    """The thinking that went back, in order."""
    content = [block for one in request.body["messages"] for block in one["content"]]
    return [str(block.get("thinking")) for block in content if block["type"] == "thinking"]


@pytest.fixture
async def api() -> AsyncIterator[MessagesApi]:
    async with MessagesApi() as running:
        yield running


class Wired:
    """A world over the real backend, and a thread of it in which some turns were had."""

    def __init__(self, world: World, api: MessagesApi, thread_id: str) -> None:
        self.world, self.api, self.thread_id = world, api, thread_id

    async def ask(self, text: str, *behaviours: Behaviour) -> list[CapturedRequest]:
        """Asks, and returns the requests that it took."""
        before = len(self.api.answers)
        self.api.script(*behaviours)
        outcome = await self.world.chat.send(self.thread_id, words(text))
        assert outcome.failure is None, outcome.failure
        return self.api.answers[before:]

    def when_searched(self, act: Callable[[], Any]) -> None:
        """Calls `act` in the midst of the next turn: a tool was answered, and its result is not sent yet."""

        def look(fact: object) -> None:
            if isinstance(fact, ToolAnswered):
                stop()
                act()

        stop = self.world.announcements.subscribe(look)

    @property
    def notices(self) -> list[str]:
        return [notice.code for notice in self.world.of(NoticeRaised)]


SETTINGS: list[Settings] = [Settings()]


@pytest.fixture
async def wired(api: MessagesApi, history: WatchedHistory) -> AsyncIterator[Wired]:
    async def key() -> str | None:
        return "sk-ant-api03-very-secret"

    backend = AnthropicBackend(key=key, base_url=api.url, timeout_s=None, overrides={}, has_key=lambda: True)
    SETTINGS[:] = [Settings()]
    world = await make_world(history, {backend.name: backend}, settings=lambda: SETTINGS[0])
    thread = await world.chat.new_thread(backend=backend.name, model=MODEL)
    talk = Wired(world, api, thread.id)
    for number in range(4):
        await talk.ask(f"question {number}", Answer(Think(f"early {number}"), f"answer {number}"))
    # something is out of view, so that the search is offered
    path = (await world.chat.open_thread(thread.id)).path
    await world.chat.context_editing.start_fresh(thread.id, path[1].id)
    yield talk
    await world.chat.close()
    await backend.close()


async def test_a_tool_loop_takes_its_thinking_along(wired: Wired, api: MessagesApi) -> None:
    requests = await wired.ask("dig", calling(1), calling(2), Answer(Think("enough"), "Dug."))
    assert [thoughts(one) for one in requests] == [[], ["thought 1"], ["thought 1", "thought 2"]]
    # a finished turn's thinking stays at home
    assert [thoughts(one) for one in await wired.ask("and now?")] == [[]]
    assert (api.violations, wired.notices) == ([], [])


async def test_a_recall_with_interleaved_thinking_and_citations(wired: Wired, api: MessagesApi) -> None:
    thread = await wired.world.history.thread(wired.thread_id)
    await wired.world.chat.set_parameters(wired.thread_id, Parameters(web_search=True))
    assert not thread.parameters.web_search
    cited = Block(
        {"type": "text", "text": "", "citations": []},
        ({"type": "text_delta", "text": "It says so."}, {"type": "citations_delta", "citation": CITATION}),
    )
    first = Answer(
        *(Think("look there"), "\n\n", Block(SEARCHED), Block(FOUND), cited, Think("look here"), call(1)),
        stop_reason="tool_use",
    )
    requests = await wired.ask("dig", first, calling(2), Answer("Dug."))
    assert thoughts(requests[-1]) == ["look there", "look here", "thought 2"]
    assert (api.violations, wired.notices) == ([], [])


async def test_a_pause_within_a_tool_loop(wired: Wired, api: MessagesApi) -> None:
    await wired.world.chat.set_parameters(wired.thread_id, Parameters(web_search=True))
    paused = Answer(Think("a long search"), Block(SEARCHED), stop_reason="pause_turn")
    goes_on = Answer(Block(FOUND), Think("more"), call(1), stop_reason="tool_use")
    requests = await wired.ask("dig", paused, goes_on, calling(2), Answer("Dug."))
    assert [thoughts(one) for one in requests] == [
        [],
        ["a long search"],
        ["a long search", "more"],
        ["a long search", "more", "thought 2"],
    ]
    assert (api.violations, wired.notices) == ([], [])


async def test_a_retry_within_a_tool_loop(wired: Wired, api: MessagesApi) -> None:
    requests = await wired.ask("dig", calling(1), HttpError(529), Answer("Dug."))
    assert [thoughts(one) for one in requests] == [[], ["thought 1"], ["thought 1"]]
    assert api.violations == []


async def test_a_tool_loop_that_failed_is_tried_again_by_hand(wired: Wired, api: MessagesApi) -> None:
    api.script(calling(1), HttpError(400, message="Something else."))
    assert (await wired.world.chat.send(wired.thread_id, words("dig"))).failure is not None
    api.script(Answer("Dug."))
    assert (await wired.world.chat.retry(wired.thread_id)).failure is None
    assert thoughts(api.answers[-1]) == ["thought 1"]
    # the system prompt was changed since
    api.script(calling(2), HttpError(400, message="Something else."))
    assert (await wired.world.chat.send(wired.thread_id, words("dig"))).failure is not None
    await wired.world.chat.set_system(wired.thread_id, "Be brief.")
    api.script(Answer("Dug."))
    assert (await wired.world.chat.retry(wired.thread_id)).failure is None
    assert thoughts(api.answers[-1]) == []
    assert (api.violations, wired.notices) == ([], [])


async def test_stop_in_a_tool_loop_and_go_on(wired: Wired, api: MessagesApi) -> None:
    stopping: list[asyncio.Task[None]] = []
    wired.when_searched(lambda: stopping.append(asyncio.ensure_future(wired.world.chat.stop(wired.thread_id))))
    api.script(calling(1))
    stopped = await wired.world.chat.send(wired.thread_id, words("dig"))
    assert (len(stopping), stopped.stop_reason) == (1, "interrupted")
    assert (await wired.world.chat.start_continue(wired.thread_id, "Continue")).failure is None
    # an answer that broke in its thinking
    api.script(Answer(Think("a half"), "Half a", Drop()))
    assert (await wired.world.chat.send(wired.thread_id, words("dig"))).failure is not None
    requests = await wired.ask("Go on exactly where your answer was cut off.", calling(2), Answer("Dug."))
    assert [thoughts(one) for one in requests] == [[], ["thought 2"]]
    assert api.violations == []


CHANGES: Mapping[str, Callable[[Wired], Any]] = {
    "system prompt": lambda wired: wired.world.chat.set_system(wired.thread_id, "Be brief."),
    "recall": lambda wired: wired.world.chat.context_editing.set_recall(wired.thread_id, False),
    "model": lambda wired: wired.world.chat.switch(wired.thread_id, backend="anthropic", model="claude-opus-5-5"),
    "exclusion": lambda wired: exclude(wired, 2),
    "fresh start": lambda wired: start_fresh(wired, 3),
}


async def exclude(wired: Wired, index: int) -> None:
    path = (await wired.world.chat.open_thread(wired.thread_id)).path
    await wired.world.chat.context_editing.exclude(wired.thread_id, [path[index].id])


async def start_fresh(wired: Wired, index: int) -> None:
    path = (await wired.world.chat.open_thread(wired.thread_id)).path
    await wired.world.chat.context_editing.start_fresh(wired.thread_id, path[index].id)


@pytest.mark.parametrize("what", CHANGES)
async def test_what_the_user_changes_while_tools_run(wired: Wired, api: MessagesApi, what: str) -> None:
    changing: list[asyncio.Task[Any]] = []
    wired.when_searched(lambda: changing.append(asyncio.ensure_future(CHANGES[what](wired))))
    requests = await wired.ask("dig", calling(1), calling(2), Answer("Dug."))
    await asyncio.gather(*changing)
    # the change came before some request of the loop; what was thought before it does not go behind it
    assert json.dumps(requests[-1].body["messages"]).count("tool_result") >= 2
    assert "thought 1" not in thoughts(requests[-1])
    assert (api.violations, set(wired.notices) - {"switched"}) == ([], set())


async def test_a_step_and_its_undo_within_a_tool_loop(wired: Wired, api: MessagesApi) -> None:
    """The boundary moves in mid-loop, and back: what was thought behind the other one stays at home."""
    await wired.world.chat.context_editing.start_fresh(wired.thread_id, None)
    for number in range(3):
        await wired.ask(f"{LONG} {number}", Answer(f"{LONG} {number}"))
    doing: list[asyncio.Task[Any]] = []

    def lower_the_limit() -> None:
        SETTINGS[:] = [Settings(context=ContextSettings(soft_limit=24_000, preserve_last_n=2))]
        wired.when_searched(lambda: doing.append(asyncio.ensure_future(undo())))

    async def undo() -> None:
        SETTINGS[:] = [Settings()]
        path = (await wired.world.chat.open_thread(wired.thread_id)).path
        for carrier in [one.id for one in path if one.window is not None]:
            await wired.world.chat.context_editing.undo_trim(wired.thread_id, carrier)

    wired.when_searched(lower_the_limit)
    requests = await wired.ask("dig", calling(1), calling(2), calling(3), Answer("Dug."))
    await asyncio.gather(*doing)
    lengths = [len(json.dumps(one.body["messages"])) for one in requests]
    assert lengths[1] < lengths[0] * 0.9 < lengths[-1], lengths
    # behind the old boundary again, what was thought there is bound as before
    assert [thoughts(one) for one in requests] == [[], [], ["thought 2"], ["thought 1"]]
    assert (api.violations, set(wired.notices) - {"trimmed"}) == ([], set())


async def test_an_overflow_within_a_tool_loop(wired: Wired, api: MessagesApi) -> None:
    await wired.world.chat.context_editing.start_fresh(wired.thread_id, None)
    for number in range(4):
        await wired.ask(f"{LONG} {number}", Answer(f"{LONG} {number}"))
    requests = await wired.ask("dig", calling(1), too_long(90_000, 60_000), Answer("Dug."))
    assert len(requests) == 3
    assert [thoughts(one) for one in requests] == [[], ["thought 1"], []]
    assert api.violations == []


async def test_a_refusal_is_answered_once_without_the_thinking(wired: Wired, api: MessagesApi) -> None:
    refused = HttpError(400, message=BOUND)
    requests = await wired.ask("dig", calling(1), refused, calling(2), Answer("Dug."))
    # what was refused stays at home for the rest of the turn; what came after it goes back
    assert [thoughts(one) for one in requests] == [[], ["thought 1"], [], ["thought 2"]]
    assert (api.violations, wired.notices) == ([], ["thinking"])
    (notice,) = [one for one in wired.world.of(NoticeRaised) if one.code == "thinking"]
    assert notice.message == ("The provider rejected this turn's thinking. The request was sent again without it.")
    # what was sent is what the inspector shows of each
    path = (await wired.world.chat.open_thread(wired.thread_id)).path
    shown = [await wired.world.chat.history.request(one.id) for one in path[-5:] if one.role == "assistant"]
    assert shown == [one.body for one in (requests[0], *requests[2:])]
    # and it is kept all the same
    path = (await wired.world.chat.open_thread(wired.thread_id)).path
    assert any(isinstance(part, ThinkingPart) and part.text == "thought 1" for one in path for part in one.parts)


async def test_a_refusal_is_never_answered_twice(wired: Wired, api: MessagesApi) -> None:
    before = len(api.answers)
    api.script(calling(1), HttpError(400, message=BOUND), HttpError(400, message=BOUND), Answer("never"))
    outcome = await wired.world.chat.send(wired.thread_id, words("dig"))
    assert len(api.answers) - before == 3
    assert outcome.failure is not None
    assert outcome.failure.code == "backend"
    assert "bound to a different conversation" in outcome.failure.detail


async def test_a_refusal_without_any_thinking_is_a_failure(wired: Wired, api: MessagesApi) -> None:
    before = len(api.answers)
    api.script(HttpError(400, message=BOUND), Answer("never"))
    outcome = await wired.world.chat.send(wired.thread_id, words("dig"))
    assert (len(api.answers) - before, outcome.failure is not None) == (1, True)


async def test_a_pause_whose_thinking_is_refused_goes_on_without_it(wired: Wired, api: MessagesApi) -> None:
    await wired.world.chat.set_parameters(wired.thread_id, Parameters(web_search=True))
    paused = Answer(Think("a long search"), Block(SEARCHED), stop_reason="pause_turn")
    requests = await wired.ask("dig", paused, HttpError(400, message=BOUND), Answer(Block(FOUND), "Done."))
    assert [thoughts(one) for one in requests] == [[], ["a long search"], []]
    assert (api.violations, wired.notices) == ([], ["thinking"])
