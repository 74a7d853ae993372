"""Tools of ours, called by the real `claude` program against a loopback Messages API."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import psutil
import pytest

from desktop_app.backends.claude_cli.claude_cli_backend import ClaudeCliBackend
from desktop_app.backends.claude_cli.program_process import STOP_STEPS_S
from desktop_app.core.context.plan import CacheMark
from desktop_app.core.events import ConsentAsked, TurnPaused
from desktop_app.core.messages import TextPart, ToolCallPart, ToolResultPart
from desktop_app.core.settings import ContextSettings, Settings
from desktop_app.core.stream_events import PartFinished, Reset, StreamEvent, TextDelta, ToolAsked
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.backends.claude_cli.plans import SEARCH, plan_of
from tests.backends.claude_cli.running_app import world_with_tools
from tests.backends.claude_cli.tool_user import ToolUser, found
from tests.controller.test_server_tools import until_begun
from tests.controller.world import make_world, words
from tests.expired_timers import ExpiredTimers
from tests.patience import PATIENCE_S
from tests.servers.messages_api import Answer, Behaviour, Drop, MessagesApi, Pause, Think, ToolUse, Wait

pytestmark = pytest.mark.slow

NAME = "mcp__plimsoll__search_this_thread"


def look(call_id: str, query: str = "pricing") -> ToolUse:
    return ToolUse(NAME, {"query": query}, id=call_id)


def asks(*steps: str | ToolUse | Think | Pause | Wait | Drop) -> Answer:
    return Answer(*steps, stop_reason="tool_use")


def results(body: dict[str, Any]) -> list[dict[str, Any]]:
    """Every `tool_result` of a request."""
    contents = [message["content"] for message in body["messages"] if isinstance(message["content"], list)]
    return [block for content in contents for block in content if block["type"] == "tool_result"]


async def none_runs() -> None:
    _, alive = await asyncio.to_thread(psutil.wait_procs, psutil.Process().children(recursive=True), timeout=PATIENCE_S)
    assert alive == []


async def test_a_call_is_run_and_its_result_goes_back(backend: ClaudeCliBackend, api: MessagesApi) -> None:
    api.script(asks("Let me look. ", look("t1")), Answer("It was 12."))

    user = await ToolUser().read(backend, plan_of("how much?", tools=[SEARCH]))

    call = ToolCallPart("t1", "search_this_thread", {"query": "pricing"})
    assert user.parts == (
        TextPart("Let me look. "),
        call,
        ToolResultPart("t1", "found pricing"),
        TextPart("It was 12."),
    )
    assert user.answer.stop_reason == "end_turn"
    shown = [event for event in user.events if isinstance(event, PartFinished | ToolAsked)]
    assert shown[1:3] == [PartFinished(call), ToolAsked(call)]
    first, second = api.answers
    assert [tool["name"] for tool in first.body["tools"]] == [NAME]
    assert first.body["tools"][0]["input_schema"] == SEARCH.schema
    (result,) = results(second.body)
    assert result["content"] == [{"type": "text", "text": "found pricing"}]
    assert not result.get("is_error")
    assert api.violations == []
    await none_runs()


async def test_usage_is_that_of_all_calls_and_the_first_prompt_is_told(
    backend: ClaudeCliBackend, api: MessagesApi
) -> None:
    used = {"cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}
    api.script(
        Answer(look("t1"), stop_reason="tool_use", usage={"input_tokens": 300, "output_tokens": 20, **used}),
        Answer(look("t2"), stop_reason="tool_use", usage={"input_tokens": 350, "output_tokens": 5, **used}),
        Answer("12.", usage={"input_tokens": 400, "output_tokens": 7, **used}),
    )

    user = await ToolUser().read(backend, plan_of("how much?", tools=[SEARCH]))

    usage = user.answer.usage
    assert usage is not None
    assert (usage.input, usage.output, usage.first_prompt, usage.opening) == (1_050, 32, 300, 300)
    assert usage.cost_usd is not None
    assert usage.cost_usd > 0


async def test_one_call_of_the_model_has_no_first_prompt(backend: ClaudeCliBackend, api: MessagesApi) -> None:
    user = await ToolUser().read(backend, plan_of("hello", tools=[SEARCH]))

    assert user.answer.usage is not None
    assert user.answer.usage.first_prompt == 0
    assert user.answer.usage.prompt > 0


async def test_parallel_calls_stand_each_before_its_result(backend: ClaudeCliBackend, api: MessagesApi) -> None:
    api.script(asks("Both. ", look("t1", "a"), look("t2", "b"), look("t3", "a")), Answer("Done."))

    async def slowly(call: ToolCallPart) -> ToolResultPart:
        await asyncio.sleep(0.05)
        return ToolResultPart(call.id, f"for {call.id}")

    user = await ToolUser(slowly).read(backend, plan_of("q", tools=[SEARCH]))

    assert user.outline == [
        *("text", "call t1", "result t1", "call t2", "result t2", "call t3", "result t3", "text"),
    ]
    assert [(one["tool_use_id"], one["content"][0]["text"]) for one in results(api.answers[1].body)] == [
        ("t1", "for t1"),
        ("t2", "for t2"),
        ("t3", "for t3"),
    ]
    assert api.violations == []


async def test_what_follows_a_call_waits_for_its_result(backend: ClaudeCliBackend, api: MessagesApi) -> None:
    api.script(asks("One. ", look("t1"), Pause(0.1), "And ", "two. ", Pause(0.1), look("t2")), Answer("Done."))

    async def slowly(call: ToolCallPart) -> ToolResultPart:
        await asyncio.sleep(0.3)
        return ToolResultPart(call.id, "r")

    user = await ToolUser(slowly).read(backend, plan_of("q", tools=[SEARCH]))

    assert user.outline == ["text", "call t1", "result t1", "text", "call t2", "result t2", "text"]
    assert user.text == "One. And two. Done."


async def test_rounds_thinking_and_an_error_result(backend: ClaudeCliBackend, api: MessagesApi) -> None:
    api.script(asks(Think("hm"), look("t1")), asks("Once more. ", look("t2")), Answer("I do not know."))

    user = await ToolUser(lambda call: ToolResultPart(call.id, f"no {call.id}", is_error=True)).read(
        backend, plan_of("q", tools=[SEARCH])
    )

    assert user.outline == ["?", "call t1", "result t1", "text", "call t2", "result t2", "text"]
    last = results(api.answers[2].body)
    assert [one["is_error"] for one in last] == [True, True]
    assert "no t2" in json.dumps(last[1]["content"])
    assert user.answer.stop_reason == "end_turn"


@pytest.mark.parametrize("way", ["plain reading", "answer now"])
async def test_a_call_without_a_result_is_answered_as_failed(
    backend: ClaudeCliBackend, api: MessagesApi, way: str
) -> None:
    api.script(asks(look("t1")), Answer("Without, then."))
    plan = plan_of("q", tools=[SEARCH])
    plan = replace(plan, request=replace(plan.request, answer_now=way == "answer now"))
    user = ToolUser(lambda _: None)

    await asyncio.wait_for(user.read(backend, plan), PATIENCE_S)

    assert len(user.asked) == (0 if plan.request.answer_now else 1)
    assert user.outline == ["call t1", "result t1", "text"]
    result = user.parts[1]
    assert isinstance(result, ToolResultPart)
    assert result.is_error
    assert results(api.answers[1].body)[0]["is_error"] is True
    assert [tool["name"] for tool in api.answers[0].body["tools"]] == [NAME], "the cached prefix stays"


async def test_a_model_can_call_nothing_else(
    backend: ClaudeCliBackend, api: MessagesApi, tmp_path: Path, environ: dict[str, str]
) -> None:
    planted, trace = tmp_path / "planted.txt", tmp_path / "run"
    planted.write_text("PLANTED-SECRET-77d1")
    run = f"touch {trace}; cat {planted}"
    others: list[tuple[str, dict[str, Any]]] = [
        ("Bash", {"command": run}),
        ("Read", {"file_path": str(planted)}),
        ("WebFetch", {"url": f"{api.url}/fetched", "prompt": "read"}),
        ("Task", {"description": "d", "prompt": run, "subagent_type": "general-purpose"}),
        ("mcp__other__x", {"path": str(planted)}),
        ("mcp__plimsoll__x", {"path": str(planted)}),
        ("search_this_thread", {"query": "without our prefix"}),
        ("made_up", {}),
    ]
    calls = [ToolUse(name, given, id=f"t{at}") for at, (name, given) in enumerate(others)]
    api.script(asks(*calls, look("ours")), Answer("Only one."))

    user = await ToolUser().read(backend, plan_of("q", tools=[SEARCH]))

    assert [call.id for call in user.asked] == ["ours"]
    refused = {one["tool_use_id"]: one for one in results(api.answers[1].body)}
    assert set(refused) == {*(call.id for call in calls), "ours"}
    assert all(refused[call.id]["is_error"] for call in calls)
    assert b"PLANTED-SECRET" not in b"".join(request.raw for request in api.requests)
    assert not trace.exists()
    assert {request.path for request in api.requests if request.method == "POST"} == {"/v1/messages"}
    assert len(api.answers) == 2, "no other model was asked"
    # each is shown with what became of it
    shown = {part.call_id: part for part in user.parts if isinstance(part, ToolResultPart)}
    assert all(shown[call.id].is_error and "No such tool" in shown[call.id].text for call in calls)
    assert user.outline[0::2][:9] == [f"call {call.id}" for call in calls] + ["call ours"]


async def test_a_long_result_arrives_whole_and_is_written_nowhere(
    backend: ClaudeCliBackend, api: MessagesApi, environ: dict[str, str]
) -> None:
    api.script(asks(look("t1")), Answer("Read."), asks(look("t1")), Answer("Too long."))
    text = "PLANTED words and 漢字\n" * 15_000

    await ToolUser(lambda call: ToolResultPart(call.id, text)).read(backend, plan_of("q", tools=[SEARCH]))
    await ToolUser(lambda call: ToolResultPart(call.id, text * 2)).read(backend, plan_of("q", tools=[SEARCH]))

    assert results(api.answers[1].body)[0]["content"] == [{"type": "text", "text": text}]
    assert "too long" in json.dumps(results(api.answers[3].body)[0]["content"])
    kept = [path for path in Path(environ["HOME"]).rglob("*") if path.is_file() and b"PLANTED" in path.read_bytes()]
    assert kept == []


async def test_a_stream_that_breaks_in_the_second_round_keeps_the_first(
    backend: ClaudeCliBackend, api: MessagesApi
) -> None:
    shown = threading.Event()
    api.script(asks("Look. ", look("t1")), Answer("half ", Wait(shown), Drop()), Answer("the whole"))
    user = ToolUser()

    reading = asyncio.create_task(user.read(backend, plan_of("q", tools=[SEARCH])))
    await seen(user, "half ")
    shown.set()
    await asyncio.wait_for(reading, PATIENCE_S)

    assert user.outline == ["text", "call t1", "result t1", "text"]
    assert user.text == "Look. the whole"
    reset = user.events.index(Reset())
    assert [type(event) for event in user.events[reset + 1 : reset + 4]] == [PartFinished] * 3
    assert len(user.asked) == 1, "the call is not run again"
    assert user.answer.usage is not None
    assert 0 < user.answer.usage.first_prompt < user.answer.usage.prompt


async def seen(user: ToolUser, text: str) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while TextDelta(text) not in user.events:  # noqa: ASYNC110 - the reader is under test, and has no bell
            await asyncio.sleep(0.01)


async def test_a_stream_that_breaks_behind_a_call_goes_on_from_it(backend: ClaudeCliBackend, api: MessagesApi) -> None:
    """The program has run the call by then and keeps it: the next request goes on, nothing is to be taken back."""
    api.script(asks("Look. ", look("t1"), Pause(0.4), Drop()), Answer("Found."))

    user = await ToolUser().read(backend, plan_of("q", tools=[SEARCH]))

    assert user.outline == ["text", "call t1", "result t1", "text"]
    assert user.text == "Look. Found."
    assert len(results(api.answers[1].body)) == 1
    assert user.answer.stop_reason == "end_turn"


async def test_an_answer_that_is_cut_in_the_second_round_is_not_continued(
    backend: ClaudeCliBackend, api: MessagesApi
) -> None:
    api.script(asks(look("t1")), Answer("as far as it goes", stop_reason="max_tokens"))
    api.default = Answer(Pause(0.4), "a follow-up")

    user = await ToolUser().read(backend, plan_of("q", tools=[SEARCH]))

    assert user.outline == ["call t1", "result t1", "text"]
    assert user.answer.stop_reason == "max_tokens"
    assert len(api.answers) <= 3


async def test_an_answer_without_end_is_given_up(backend: ClaudeCliBackend, api: MessagesApi) -> None:
    api.default = lambda _: asks(*(look(f"t{len(api.answers)}-{at}") for at in range(10)))

    def until_the_rounds_are_over(call: ToolCallPart) -> ToolResultPart:
        return found(call) if len(user.asked) <= 50 else replace(found(call), is_error=True, extra={"budget": "rounds"})

    user = ToolUser(until_the_rounds_are_over)
    await user.read(backend, plan_of("q", tools=[SEARCH]))

    assert user.answer.failure is not None
    assert user.answer.failure.code == "backend"
    assert "kept looking things up" in user.answer.failure.message
    assert 50 < len(user.asked) < 70
    await none_runs()


async def test_a_stop_while_a_tool_runs_leaves_nothing(backend: ClaudeCliBackend, api: MessagesApi) -> None:
    for _ in range(3):
        api.script(asks("Let me look. ", look("t1")))
        runs = asyncio.Event()

        async def never(call: ToolCallPart, runs: asyncio.Event = runs) -> ToolResultPart | None:
            runs.set()
            await asyncio.Event().wait()
            return None

        task = asyncio.create_task(ToolUser(never).read(backend, plan_of("q", tools=[SEARCH])))
        await asyncio.wait_for(runs.wait(), PATIENCE_S)

        with ExpiredTimers() as waits:
            task.cancel()
            await asyncio.wait({task})
        assert sum(waits.seconds) < sum(STOP_STEPS_S) + 0.01, "what the steps of a stop get, and no more"
        await none_runs()


async def test_a_prepared_program_has_the_tools(backend: ClaudeCliBackend, api: MessagesApi) -> None:
    api.script(asks(look("t1")), Answer("Cold."), asks(look("t1")), Answer("Prepared."))
    plan = plan_of("q", tools=[SEARCH])
    await ToolUser().read(backend, plan)

    await backend.prepare(plan)
    (process,) = psutil.Process().children()
    assert backend.prewarmed.held is not None
    await asyncio.wait_for(backend.prewarmed.held.ready.wait(), PATIENCE_S)
    user = await ToolUser().read(backend, plan)

    assert user.text == "Prepared."
    assert len(user.asked) == 1
    assert not process.is_running(), "it was this one that answered"
    bodies = [{**request.body, "metadata": None} for request in api.answers]
    assert bodies[0] == bodies[2]
    assert bodies[1] == bodies[3]

    await backend.prepare(plan)
    (held,) = psutil.Process().children()
    await ToolUser().read(backend, plan_of("q"))
    assert api.answers[-1].body["tools"] == []
    await asyncio.to_thread(held.wait, PATIENCE_S)


async def test_without_tools_nothing_is_different(backend: ClaudeCliBackend, api: MessagesApi) -> None:
    await ToolUser().read(backend, plan_of("q"))
    await ToolUser().read(backend, plan_of("q", tools=[SEARCH]))

    without, with_tool = ({**request.body, "metadata": None} for request in api.answers)
    assert without["tools"] == []
    assert {**with_tool, "tools": []} == without, "the tool's description is all that is added"


async def test_twenty_five_turns_with_a_call_each_stay_cached(backend: ClaudeCliBackend, api: MessagesApi) -> None:
    """What was cached is found again in each turn: the call and its result stand behind it, and only in their turn."""
    turns = ["first question " + "and some words about it " * 200]
    for turn in range(25):
        api.script(asks(f"Looking {turn}. ", look(f"t{turn}")), Answer(f"Answer {turn}."))
        last = len(turns) - 1
        marks = [CacheMark(at, 0, "1h") for at in sorted({0, max(0, last - 2), max(0, last - 1), last})]
        user = await ToolUser().read(backend, plan_of(*turns, tools=[SEARCH], marks=marks))
        assert user.text == f"Looking {turn}. Answer {turn}."
        assert user.answer.usage is not None
        if turn:
            assert user.answer.usage.cache_read > 2 * 1_000, "both requests of the turn read the prefix"
        note = '[looked up earlier messages] "pricing" -> 1 passage'
        turns += [f"Looking {turn}. \n\n{note}\n\nAnswer {turn}.", f"question {turn}"]

    assert api.violations == []
    assert len(api.answers) == 50
    opening, looping = api.answers[0::2], api.answers[1::2]
    for at, (before, after) in enumerate(pairwise(opening)):
        said, next_said = (request.body["messages"][0]["content"] for request in (before, after))
        assert [block["text"] for block in next_said[: len(said)]] == [block["text"] for block in said], at
        assert after.body["system"] == before.body["system"]
        assert after.body["tools"] == before.body["tools"]
        assert results(after.body) == []
        assert after.raw.count(b'"cache_control"') == min(4, len(next_said))
    for first, second in zip(opening, looping, strict=True):
        count = len(first.body["messages"])
        assert second.body["messages"][:count] == first.body["messages"], "the loop only adds"
        assert second.raw.count(b'"cache_control"') == first.raw.count(b'"cache_control"')
        assert len(results(second.body)) == 1


async def test_twenty_at_once_each_with_a_call(backend: ClaudeCliBackend, api: MessagesApi) -> None:
    def behave(request: Any) -> Behaviour:
        text = request.body["messages"][0]["content"][-1]["text"]
        number = text.split()[-1]
        back = results(request.body)
        return Answer(back[0]["content"][0]["text"]) if back else asks(look(f"t{number}", number))

    api.default = behave
    users = [ToolUser() for _ in range(20)]
    plans = [plan_of(f"number {at}", tools=[SEARCH]) for at in range(20)]

    async with asyncio.timeout(150):
        await asyncio.gather(*(user.read(backend, plan) for user, plan in zip(users, plans, strict=True)))

    assert [user.text for user in users] == [f"found {at}" for at in range(20)]
    await none_runs()


async def test_closing_the_stream_while_a_call_waits_leaves_no_task(
    backend: ClaudeCliBackend, api: MessagesApi
) -> None:
    api.script(asks(look("t1")))
    before = asyncio.all_tasks()
    stream = backend.stream(plan_of("q", tools=[SEARCH]))
    event: StreamEvent | None = None
    while not isinstance(event, ToolAsked):
        event = await anext(stream)

    await stream.aclose()

    await none_runs()
    assert asyncio.all_tasks() == before


@pytest.mark.parametrize("go_on", [True, False, None], ids=["goes on", "ends", "nobody answers"])
async def test_a_turn_waits_at_its_cap_while_the_program_holds_its_call(
    backend: ClaudeCliBackend, api: MessagesApi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, go_on: bool | None
) -> None:
    if go_on is None:  # in place of nine minutes: the program gives a held call up after ten
        monkeypatch.setattr("desktop_app.controller.turn_notices.HELD_CALL_S", 1.0)
    api.script(asks("One. ", look("t1")), asks("Two. ", look("t2")), asks("Three. ", look("t3")), Answer("It was 12."))
    history = await SqliteHistory.open(tmp_path / "history.db")
    settings = Settings(context=ContextSettings(turn_cap_usd=0, turn_cap_calls=2))
    world = await make_world(history, {"claude-cli": backend}, settings=lambda: settings)
    thread_id = (await world.thread("claude-cli")).id
    task = world.chat.start_send(thread_id, words("how much?"))
    asked = await world.until(TurnPaused)
    assert (asked.calls, asked.to_calls, bool(asked.ends)) == (2, 4, True)
    held = len(api.requests)
    if go_on is not None:
        world.chat.answer_pause(thread_id, go_on=go_on)
    outcome = await task
    answer = (await world.stored(thread_id))[-1]
    if go_on:
        assert (outcome.stop_reason, answer.state) == ("end_turn", "complete")
        assert answer.text.split() == ["One.", "Two.", "Three.", "It", "was", "12."]
    else:
        assert (outcome.stop_reason, answer.state, answer.text.split()) == (
            "turn_cap",
            "partial",
            ["One.", "Two.", "Three."],
        )
        assert len(api.requests) == held, "nothing was asked while it waited, or after"
    await world.chat.close()
    await backend.close()
    await history.close()
    await none_runs()


async def test_a_tool_of_a_server_is_consented_to_and_called_through_the_program(
    backend: ClaudeCliBackend, api: MessagesApi, tmp_path: Path
) -> None:
    named = {"mcp__plimsoll__Test__commit": "kept", "mcp__plimsoll__Test__picture": "drawn"}
    uses = [ToolUse(name, {"text": text}, id=text) for name, text in named.items()]
    api.script(*(asks(use) for use in uses), Answer("Done."))
    history = await SqliteHistory.open(tmp_path / "history.db")
    world, servers = await world_with_tools(backend, history, tmp_path, "well")
    thread_id = (await world.thread("claude-cli")).id
    task = world.chat.start_send(thread_id, words("keep it"))
    for text in named.values():
        asked = await world.until(ConsentAsked, lambda asked, text=text: asked.call_id == text)  # type: ignore[misc]
        assert asked.ends
        world.chat.answer_consent(thread_id, text, "once")
    assert (await task).stop_reason == "end_turn"
    kept, drawn = results(api.requests[-1].body)
    assert kept["content"] == [{"type": "text", "text": "kept"}]
    assert [block["type"] for block in drawn["content"]] == ["image"]
    await world.chat.close()
    await backend.close()
    await servers.close()
    await history.close()
    await none_runs()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent died")
@pytest.mark.parametrize("running", [False, True], ids=["asked", "running"])
async def test_a_call_of_an_app_that_is_killed_is_told_as_far_as_it_was(
    backend: ClaudeCliBackend,
    api: MessagesApi,
    program: Path,
    environ: dict[str, str],
    tmp_path: Path,
    *,
    running: bool,
) -> None:
    api.script(asks("One moment. ", ToolUse("mcp__plimsoll__Test__commit", {"text": "x"}, id="c1")), Answer("I see."))
    app = await asyncio.create_subprocess_exec(
        *(
            sys.executable,
            "-m",
            "tests.backends.claude_cli.running_app",
            "call" if running else "consent",
            str(tmp_path),
        ),
        env=environ | {"PLIMSOLL_CLAUDE": str(program)},
        cwd=Path(__file__).parents[3],
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert app.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            assert await app.stdout.readline() == (b"sends\n" if running else b"asked commit\n")
            if running:
                await until_begun(tmp_path)
        below = psutil.Process(app.pid).children(recursive=True)
        assert len(below) >= 3, "the program, the host of tools and their server"
    finally:
        app.kill()
        await app.wait()
    _, alive = await asyncio.to_thread(psutil.wait_procs, below, timeout=PATIENCE_S)
    assert alive == []

    history = await SqliteHistory.open(tmp_path / "history.db")
    (thread_id,) = await history.repair_turns()
    world = await make_world(history, {"claude-cli": backend})
    assert [message.text for message in await world.stored(thread_id)] == ["keep it", "One moment. "]
    await world.chat.send(thread_id, words("Go on"))
    told = json.dumps(api.answers[-1].body["messages"])
    fate = "may have run: its result is lost" if running else "was not run: Plimsoll ended before the user answered"
    assert f"[performed an action] Test/commit, which {fate}" in told
    assert (await world.stored(thread_id))[-1].text == "I see."
    await world.chat.close()
    await backend.close()
    await history.close()
    await none_runs()
