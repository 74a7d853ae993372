"""Tools of the user's servers in a turn: real servers in a real host, a backend that calls as it is told."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import pytest

from desktop_app.backends.anthropic_wire import block_of
from desktop_app.backends.tool_host import ToolHostProcess
from desktop_app.controller import server_tools
from desktop_app.controller.ports import Announcements, History
from desktop_app.controller.preferences import Preferences
from desktop_app.controller.server_keys import RememberedKeys
from desktop_app.controller.server_tools import ServerTools, ranked_tools, weighed_tools, wire_names
from desktop_app.controller.tool_library import ToolServers
from desktop_app.controller.turn_notices import AtCap
from desktop_app.core.context.path_tokens import ToolTokens
from desktop_app.core.context.plan import Overhead
from desktop_app.core.context.sent_content import call_note
from desktop_app.core.context.token_counting import image_tokens
from desktop_app.core.events import ConsentAsked, NoticeRaised, SendRefused, ToolServersAwaited, TurnEnded, TurnResumed
from desktop_app.core.messages import JsonObject, Message, ToolCallPart, ToolResultPart
from desktop_app.core.stream_events import Ended, PartFinished, TextDelta, ToolAsked
from desktop_app.core.tool_servers import ServerReport, ServerTool, ToolOutcome, add_by_parts
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.controller.world import WatchedHistory, World, make_world, words
from tests.fakes.gated_backend import GatedBackend
from tests.fakes.memory_secrets import MemorySecrets
from tests.patience import PATIENCE_S, until

Decision = Literal["once", "thread", "no"]
SERVER = Path(__file__).parents[1] / "servers" / "tool_server.py"


@dataclass
class Talk:
    """A thread with one server of tools, which is called `Test`."""

    world: World
    servers: ToolServers
    backend: GatedBackend
    thread: str

    async def ask(
        self,
        *calls: ToolCallPart,
        consent: Decision | None = None,
        at_cap: AtCap = "ask",
        allow: frozenset[str] = frozenset(),
    ) -> dict[str, ToolResultPart]:
        """Asks a question that the model answers with these calls; their results. `consent`: what the user says."""
        if calls:
            self.backend.reply(*(PartFinished(call) for call in calls), Ended("tool_use"))
        before = len(self.world.of(ConsentAsked))
        sending = self.world.chat.start_send(
            self.thread,
            words("Do it"),
            at_cap=at_cap,
            allow=allow,
        )
        if consent:
            await until(lambda: len(self.world.of(ConsentAsked)) > before, "the question")
            asked = self.world.of(ConsentAsked)[-1]
            self.world.chat.answer_consent(self.thread, asked.call_id, consent)
        await sending
        found = (part for message in await self.world.stored(self.thread) for part in message.parts)
        return {part.call_id: part for part in found if isinstance(part, ToolResultPart)}

    @property
    def asked(self) -> list[ConsentAsked]:
        return self.world.of(ConsentAsked)

    @property
    def offered(self) -> list[str]:
        return [tool.name for tool in self.backend.plans[-1].request.tools if tool.server or "search" not in tool.name]


Start = Callable[[str], Awaitable[Talk]]


@pytest.fixture
async def start(history: WatchedHistory, tmp_path: Path) -> AsyncIterator[Start]:
    made: list[ToolServers] = []

    async def begin(way: str) -> Talk:
        announcements, keys = Announcements(), RememberedKeys(MemorySecrets())
        preferences = Preferences(tmp_path / "settings.toml", keys, announcements)
        servers = ToolServers(
            preferences,
            keys,
            lambda told: ToolHostProcess(reported=told),
            tmp_path / "tools.json",
            announcements,
        )
        made.append(servers)
        await servers.add(add_by_parts("Test", command=sys.executable, arguments=(str(SERVER), way)))
        await servers.switch("Test", everywhere=True)
        backend = GatedBackend()
        backend.accepts_tools = True
        backend.abilities = {"accepts_images": True}
        backend.overhead = Overhead(cache_marks=4)
        tools: list[ServerTools] = []
        world = await make_world(
            history, {"gated": backend}, announcements=announcements, servers=lambda: tools[0] if tools else None
        )
        tools.append(ServerTools(servers, world.chat.facts))
        return Talk(world, servers, backend, (await world.thread()).id)

    yield begin
    for servers in made:
        await servers.close()


async def until_begun(folder: Path) -> None:
    """Waits until the history has it that a call runs."""
    begun = "SELECT count(*) FROM message WHERE instr(CAST(parts AS TEXT), 'begun')"
    with closing(sqlite3.connect(folder / "history.db")) as looking:
        await until(lambda: bool(looking.execute(begun).fetchone()[0]), "the call")


@asynccontextmanager
async def killed(history: History, thread: str, folder: Path) -> AsyncIterator[SqliteHistory]:
    """The history as a kill leaves it now and the next start finds it."""
    await history.messages(thread)  # what is being written is
    with closing(sqlite3.connect(folder / "history.db")) as left, closing(sqlite3.connect(folder / "left.db")) as copy:
        left.backup(copy)
        copy.execute("UPDATE turn SET owner_pid = 2000000000")
        copy.commit()
    opened = await SqliteHistory.open(folder / "left.db")
    assert await opened.repair_turns() == (thread,)
    yield opened
    await opened.close()


def call(name: str, call_id: str = "c1", **arguments: object) -> ToolCallPart:
    return ToolCallPart(call_id, name, arguments)  # type: ignore[arg-type]


async def test_a_tool_is_offered_asked_for_with_its_arguments_and_run(start: Start) -> None:
    talk = await start("well")
    results = await talk.ask(call("Test__commit", text="first"), consent="once")
    assert talk.offered == ["Test__echo", "Test__commit", "Test__send", "Test__picture", "Test__long", "read_result"]
    (asked,) = talk.asked
    assert (asked.server, asked.tool, asked.acts) == ("Test", "commit", "writes")
    assert asked.arguments == '{\n "text": "first"\n}'
    assert (results["c1"].text, results["c1"].is_error) == ("first", False)
    assert talk.world.of(TurnResumed)
    assert talk.servers.listed("Test").used
    plan = talk.backend.plans[-1]
    ((count, tokens),) = ToolTokens.of(plan.request.tools, plan.model.tokenizer).by_server(plan.tokens.tools).values()
    assert count == 5
    assert 0 < tokens < plan.tokens.tools
    listed = talk.servers.listed("Test").tools
    told = (await weighed_tools(talk.world.chat, talk.servers)).of(listed)
    assert abs(tokens - told) <= 1, "the page of tools says the same"

    await talk.ask(call("Test__commit", "c2", text="again"), consent="once")
    assert len(talk.asked) == 2, "once is once"


async def test_what_is_allowed_in_a_thread_is_asked_there_no_more(start: Start) -> None:
    talk = await start("well")
    await talk.ask(call("Test__commit", text="1"), call("Test__commit", "c2", text="2"), consent="thread")
    assert len(talk.asked) == 1
    results = await talk.ask(call("Test__commit", "c3", text="3"))
    assert results["c3"].text == "3"
    assert len(talk.asked) == 1
    await talk.ask(call("Test__send", "c4", text="4"), consent="no")
    assert talk.asked[-1].acts == "sends", "another tool is asked for"

    talk.world.chat.open_threads.forget_all()
    thread = await talk.world.history.thread(talk.thread)
    assert len(thread.choices.allowed_tools) == 1, "it is kept with the thread"
    other = await talk.world.thread()
    talk.thread = other.id
    await talk.ask(call("Test__commit", "c5", text="5"), consent="no")
    assert len(talk.asked) == 3, "another thread is asked"


async def test_what_is_allowed_in_a_thread_can_be_taken_back(start: Start) -> None:
    talk = await start("well")
    await talk.ask(call("Test__commit", text="first"), consent="thread")
    before = await talk.world.chat.context_editing.set_allowed_tools(talk.thread)
    await talk.ask(call("Test__commit", "c2", text="second"), consent="once")
    assert len(talk.asked) == 2

    await talk.world.chat.context_editing.set_allowed_tools(talk.thread, before.allowed_tools)
    assert (await talk.ask(call("Test__commit", "c3", text="third")))["c3"].text == "third"
    assert len(talk.asked) == 2


async def test_a_call_that_is_not_allowed_is_not_run_and_the_turn_goes_on(start: Start) -> None:
    talk = await start("well")
    results = await talk.ask(call("Test__commit", text="x"), consent="no")
    assert results["c1"].is_error
    assert "did not allow" in results["c1"].text
    called = [
        part for one in await talk.world.stored(talk.thread) for part in one.parts if isinstance(part, ToolCallPart)
    ]
    assert call_note(called[0], None) == (
        "[performed an action] Test/commit, which was not run: the turn ended before the user answered"
    ), "as a kill between the answer and its results would leave it"
    assert talk.world.of(TurnEnded)
    assert not talk.servers.listed("Test").used


async def test_without_a_window_only_what_was_allowed_runs(start: Start) -> None:
    talk = await start("well")
    results = await talk.ask(
        call("Test__commit", text="x"), call("Test__send", "c2", text="y"), at_cap="end", allow=frozenset({"Test/send"})
    )
    assert "--allow Test/commit" in results["c1"].text
    assert results["c2"].text == "y"
    assert not talk.asked


async def test_arguments_that_do_not_fit_are_told_before_anybody_is_asked(start: Start) -> None:
    talk = await start("well")
    results = await talk.ask(call("Test__commit", wrong=1))
    assert results["c1"].text == "The arguments do not fit: $: 'text' is a required property"
    assert not talk.asked


async def test_always_and_reading_are_given_in_the_settings_and_a_hint_only_makes_it_ask_more(start: Start) -> None:
    talk = await start("well")
    await talk.ask()
    echo, commit, send, picture, _ = talk.servers.listed("Test").tools
    await talk.servers.set_consent("Test", send, always=True)
    assert (await talk.ask(call("Test__send", text="x")))["c1"].text == "x"
    assert not talk.asked

    for tool in (echo, picture, commit):  # its server says that commit destroys: the mark does not cover it
        await talk.servers.set_consent("Test", tool, reading=True)
    await talk.ask(call("Test__echo", "c2", text="x"), consent="thread")
    assert (talk.asked[-1].acts, talk.asked[-1].marked) == ("reads", True)
    await talk.ask(call("Test__picture", "c3", text="x"))
    assert len(talk.asked) == 1, "one consent covers what was marked as reading"
    await talk.ask(call("Test__commit", "c4", text="x"), consent="no")
    assert (talk.asked[-1].acts, talk.asked[-1].marked) == ("writes", False)


async def test_a_server_that_is_slow_to_start_holds_up_a_question_only_where_its_tools_were_never_listed(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = await start("plain")
    await talk.ask()
    offered = talk.offered
    assert offered
    await talk.servers.host.end("Test")
    begun: list[str] = []
    over = asyncio.Event()

    async def connect(name: str) -> None:
        begun.append(name)
        await over.wait()

    async def answered() -> None:
        before = len(talk.backend.plans)
        await asyncio.wait_for(talk.ask(), PATIENCE_S)
        assert len(talk.backend.plans) > before

    monkeypatch.setattr(talk.servers, "connect", connect)
    monkeypatch.setattr(server_tools, "RECONNECT_S", 0.05)
    await talk.ask()
    assert (begun, talk.offered) == (["Test"], offered), "the tools as they were listed last"
    assert talk.world.of(ToolServersAwaited)[-1].names == ("Test",)

    await talk.servers.add(add_by_parts("New", command=sys.executable))
    await talk.servers.switch("New", everywhere=True)
    await talk.servers.switch("Test", everywhere=False)
    monkeypatch.setattr(server_tools, "RECONNECT_S", 10 * PATIENCE_S)
    monkeypatch.setattr(server_tools, "CONNECT_S", 0.05)
    await answered()  # one wait, not one behind the other
    told = [notice.message for notice in talk.world.of(NoticeRaised) if notice.code == "tools_failed"]
    assert told == ["New did not start in time"]
    monkeypatch.setattr(server_tools, "RECONNECT_S", 0.05)
    monkeypatch.setattr(server_tools, "CONNECT_S", 10 * PATIENCE_S)
    await answered()  # who was told waits no longer than for one that is known
    assert len([notice for notice in talk.world.of(NoticeRaised) if notice.code == "tools_failed"]) == 1

    monkeypatch.setattr(server_tools, "RECONNECT_S", PATIENCE_S)
    monkeypatch.setattr(server_tools, "CONNECT_S", PATIENCE_S)
    asking = talk.world.chat.start_send(talk.thread, words("Is it there?"))
    await until(lambda: "New" in talk.world.of(ToolServersAwaited)[-1].names, "the words about the wait")
    assert not asking.done()
    await talk.world.chat.stop(talk.thread)
    refused = talk.world.of(SendRefused)
    assert [one.failure.message for one in refused] == ["Stopped before anything was sent."]
    over.set()


async def test_a_changed_tool_waits_for_a_new_consent(start: Start, tmp_path: Path) -> None:
    talk = await start(f"file:{tmp_path / 'changed'}")
    await talk.ask()
    commit = talk.servers.listed("Test").tools[1]
    await talk.servers.set_consent("Test", commit, always=True)
    assert (await talk.ask(call("Test__commit", text="x")))["c1"].text == "x"
    assert not talk.asked

    (tmp_path / "changed").write_text("")
    await talk.servers.connect("Test", fresh=True)
    assert talk.servers.listed("Test").changes.changed == ("commit",)
    results = await talk.ask(call("Test__commit", "c2", text="y"), consent="no")
    told = [notice.message for notice in talk.world.of(NoticeRaised) if notice.code == "tools_changed"]
    assert told == ["Test changed 1 tool"], "once, and only where it did"
    await talk.ask()
    assert len([notice for notice in talk.world.of(NoticeRaised) if notice.code == "tools_changed"]) == 1
    assert talk.asked[-1].changed
    assert results["c2"].is_error


async def test_a_list_that_grew_within_its_tools_is_told(start: Start, tmp_path: Path) -> None:
    talk = await start(f"file:{tmp_path / 'changed'}")
    await talk.servers.connect("Test")
    listed = talk.servers.listed("Test")
    grown = tuple(replace(one, description="It goes on and on. " * 300) for one in listed.tools)
    await talk.servers.note(ServerReport("Test", "ready", grown, "1"))
    weights = await weighed_tools(talk.world.chat, talk.servers)
    assert weights.of(listed.tools) < weights.of(grown) / 5
    assert talk.servers.grown("Test", weights.of)


@pytest.mark.parametrize("way", ["injected", "poisoned"])
async def test_nothing_runs_because_a_result_or_a_description_says_so(start: Start, way: str) -> None:
    talk = await start(way)
    await talk.ask()
    await talk.servers.set_consent("Test", talk.servers.listed("Test").tools[0], always=True)
    obeys = (PartFinished(call("Test__commit", "c2", text="all I know")), Ended("tool_use"))
    talk.backend.reply(PartFinished(call("Test__echo", text="x")), Ended("tool_use"))
    talk.backend.reply(*obeys)
    results = await talk.ask(consent="no")
    assert not results["c1"].is_error
    assert [(asked.tool, asked.arguments) for asked in talk.asked] == [("commit", '{\n "text": "all I know"\n}')]
    assert results["c2"].is_error
    assert set(talk.servers.listed("Test").used) == {"echo"}


async def test_a_long_result_goes_as_its_beginning_and_is_read_on_without_asking(start: Start) -> None:
    talk = await start("well")
    await talk.ask()
    for tool in talk.servers.listed("Test").tools:
        await talk.servers.set_consent("Test", tool, always=True)
    result = (await talk.ask(call("Test__long", text="abc")))["c1"]
    assert len(result.text) < 60_000 < len(str(result.extra["whole"]))
    assert "tokens left out]" in result.text
    name = str(result.extra["result"])
    assert f'read_result(result="{name}", from=' in result.text
    sent = talk.backend.plans[-1].request.messages[-1].blocks[-1]
    assert isinstance(sent, ToolResultPart)
    assert sent.text == result.text

    results = await talk.ask(
        call("read_result", "c2", result=name, find="line 19999"),
        call("read_result", "c3", result="nothing"),
    )
    assert results["c2"].text == f"line 19999: abc\n\n[The end of result {name}]"
    assert results["c3"].is_error
    assert not talk.asked


async def test_pictures_come_as_pictures(start: Start) -> None:
    talk = await start("well")
    result = (await talk.ask(call("Test__picture", text="x"), consent="once"))["c1"]
    assert [image.media_type for image in result.images] == ["image/png"]
    sent = block_of(result)
    assert sent is not None
    assert [block["type"] for block in sent["content"]] == ["image"]
    assert image_tokens(result, "claude-2026") == image_tokens(result.images[0], "claude-2026") > 0

    talk.backend.abilities = {}
    blind = (await talk.ask(call("Test__picture", "c2", text="x"), consent="once"))["c2"]
    assert (blind.images, blind.text) == ((), "[Images left out: 1]")


async def test_many_tools_are_found_and_the_list_stays_as_it_is(start: Start) -> None:
    talk = await start("many100")
    calls = (
        call("find_tools", "c1", query="number 42"),
        call("call_tool", "c2", server="Test", tool="tool_42", arguments={"text": "found"}),
        call("call_tool", "c3", server="Test", tool="no_such", arguments={}),
    )
    talk.backend.reply(*(PartFinished(one) for one in calls), Ended("tool_use"))
    results = await talk.ask(consent="once")
    assert "## tool_42 (server: Test)" in results["c1"].text
    assert results["c1"].extra["found"] == ["Test/tool_42"]
    assert results["c1"].text.count("## ") == 1, "a tool with a word that all have was told with its schema"
    assert "Less near, to be looked for by name: Test/tool_0, Test/tool_1, " in results["c1"].text
    assert (talk.asked[-1].tool, results["c2"].text) == ("tool_42", "found")
    assert results["c3"].is_error
    lists = {tuple(tool.name for tool in plan.request.tools) for plan in talk.backend.plans}
    assert len(lists) == 1
    assert talk.offered == ["find_tools", "call_tool", "read_result"]
    assert talk.backend.plans[-1].tokens.tools < 2_000


async def test_a_program_that_waits_gets_its_result_through_the_same_door(start: Start) -> None:
    talk = await start("well")
    talk.backend.reply(ToolAsked(call("Test__commit", text="held")), TextDelta("Done."), Ended("end_turn"))
    results = await talk.ask(consent="once")
    assert results["c1"].text == "held"
    assert talk.asked[-1].ends


@pytest.mark.parametrize("held", [False, True], ids=["after the answer", "within it"])
async def test_a_call_that_is_stopped_while_it_waits_is_told_as_not_run(start: Start, held: bool) -> None:
    talk = await start("well")
    ran, waits, behind = (call(f"Test__{name}", name, text="x") for name in ("echo", "commit", "send"))
    await talk.ask()
    await talk.servers.set_consent("Test", talk.servers.listed("Test").tools[0], always=True)
    came = [PartFinished(one) for one in (ran, waits, behind)]
    within = [came[0], ToolAsked(ran), came[1], ToolAsked(waits), came[2], ToolAsked(behind)]
    talk.backend.reply(*(within if held else came), Ended("tool_use"))
    sending = talk.world.chat.start_send(talk.thread, words("Do it"))
    await until(lambda: bool(talk.asked), "the question")
    await talk.world.chat.stop(talk.thread)
    await sending
    assert talk.world.of(TurnResumed)
    assert set(talk.servers.listed("Test").used) == {"echo"}

    results = await talk.ask()
    assert results["commit"].extra["ran"] is False
    told = str(talk.backend.plans[-1].request.messages)
    assert "[performed an action] Test/echo'" in told
    assert "[performed an action] Test/commit, which was not run" in told
    assert held or "[performed an action] Test/send, which was not run" in told


@pytest.mark.parametrize("runs", [True, False], ids=["while it runs", "just before"])
async def test_a_call_that_is_stopped_is_told_as_far_as_it_was(
    start: Start, monkeypatch: pytest.MonkeyPatch, runs: bool
) -> None:
    talk = await start("hang-late")
    reached, never, called = asyncio.Event(), asyncio.Event(), list[str]()
    running, kept = talk.servers.host.call, talk.world.history.save_partial

    async def call_it(server: str, tool: str, arguments: JsonObject) -> ToolOutcome:
        called.append(tool)
        reached.set()
        return await running(server, tool, arguments)

    async def keep(answer: Message) -> None:
        await kept(answer)
        if not runs and "begun" in str(answer.parts):  # it is kept, and the call is the next to come
            reached.set()
            await never.wait()

    monkeypatch.setattr(talk.servers.host, "call", call_it)
    monkeypatch.setattr(talk.world.history, "save_partial", keep)
    talk.backend.reply(PartFinished(call("Test__commit", text="x")), Ended("tool_use"))
    sending = talk.world.chat.start_send(talk.thread, words("Do it"), allow=frozenset({"Test/commit"}))
    await asyncio.wait_for(reached.wait(), PATIENCE_S)
    await talk.world.chat.stop(talk.thread)
    await sending
    await talk.ask()
    told = str(talk.backend.plans[-1].request.messages)
    assert called == ["commit"] * runs
    assert ("[performed an action] Test/commit, which may have run: its result is lost" in told) is runs
    assert ("Test/commit, which was not run" in told) is not runs


@pytest.mark.parametrize("held", [False, True], ids=["after the answer", "within it"])
@pytest.mark.parametrize("running", [False, True], ids=["asked", "running"])
async def test_a_call_that_a_kill_ended_is_told_as_far_as_it_was(
    start: Start, tmp_path: Path, running: bool, held: bool
) -> None:
    talk = await start("hang-late" if running else "well")
    first, waits, behind = (
        call("find_nothing", "c0"),
        call("Test__commit", text="x"),
        call("Test__send", "c2", text="y"),
    )
    came = [PartFinished(one) for one in (first, waits, behind)]
    within = [came[0], ToolAsked(first), *came[1:], ToolAsked(waits), ToolAsked(behind)]
    talk.backend.reply(*(within if held else came), Ended("tool_use"))
    allowed = frozenset({"Test/commit"} if running else ())
    sending = talk.world.chat.start_send(talk.thread, words("Do it"), allow=allowed)
    if running:
        await until_begun(tmp_path)
    else:
        await until(lambda: bool(talk.asked), "the question")
    async with killed(talk.world.history, talk.thread, tmp_path) as history:
        world = await make_world(history, {"gated": talk.backend})
        found = [part for message in await world.stored(talk.thread) for part in message.parts]
        results = {part.call_id: part for part in found if isinstance(part, ToolResultPart)}
        assert results["c0"].text == "There is no tool find_nothing.", "what had come is kept"
        await world.chat.send(talk.thread, words("Go on"))
        told = str(talk.backend.plans[-1].request.messages)
        fate = "may have run: its result is lost" if running else "was not run: Plimsoll ended before the user answered"
        assert f"[performed an action] Test/commit, which {fate}'" in told
        assert "[performed an action] Test/send, which was not run: Plimsoll ended before'" in told
    await talk.world.chat.stop(talk.thread)
    await sending


@pytest.mark.parametrize("way", ["tool off", "server off", "removed", "another command"])
async def test_what_was_switched_off_while_it_waited_does_not_run(start: Start, way: str) -> None:
    talk = await start("well")
    talk.backend.reply(PartFinished(call("Test__commit", text="x")), Ended("tool_use"))
    sending = talk.world.chat.start_send(talk.thread, words("Do it"))
    await until(lambda: bool(talk.asked), "the question")
    if way == "tool off":
        await talk.servers.switch_tool("Test", "commit", on=False)
    elif way == "server off":
        await talk.servers.switch_off("Test")
    else:
        await talk.servers.remove("Test")
    if way == "another command":
        await talk.servers.add(add_by_parts("Test", command=sys.executable, arguments=(str(SERVER), "injected")))
        await talk.servers.switch("Test", everywhere=True)
        await talk.servers.connect("Test")
    talk.world.chat.answer_consent(talk.thread, "c1", "thread")
    await sending
    assert (await talk.ask())["c1"].extra["ran"] is False
    assert not talk.servers.listed("Test").used
    assert not (await talk.world.history.thread(talk.thread)).choices.allowed_tools


async def test_a_late_click_does_not_allow_the_next_call(start: Start) -> None:
    talk = await start("well")
    talk.backend.reply(
        PartFinished(call("Test__commit", text="x")),
        PartFinished(call("Test__commit", "c2", text="y")),
        Ended("tool_use"),
    )
    sending = talk.world.chat.start_send(talk.thread, words("Do it"))
    await until(lambda: bool(talk.asked), "the question")
    talk.world.chat.answer_consent(talk.thread, "c1", "once")
    await until(lambda: len(talk.asked) == 2, "the second question")
    talk.world.chat.answer_consent(talk.thread, "c1", "once")
    talk.world.chat.answer_pause(talk.thread, go_on=True)
    talk.world.chat.answer_consent(talk.thread, "c2", "no")
    await sending
    assert len(talk.servers.listed("Test").used) == 1


@pytest.mark.parametrize("way", ["die", "junk"])
async def test_a_server_that_fails_keeps_no_answer(start: Start, way: str) -> None:
    talk = await start(way)
    await talk.ask()
    assert talk.offered == []
    assert talk.servers.state(talk.servers.find("Test")) == "failed"
    assert talk.world.of(TurnEnded)


async def test_a_server_that_can_not_start_is_told_in_one_turn_of_one_thread(start: Start) -> None:
    talk = await start("die")
    for _ in range(2):
        await talk.ask()
        await talk.ask()
        talk.thread = (await talk.world.thread()).id
    told = [notice.message for notice in talk.world.of(NoticeRaised) if notice.code == "tools_failed"]
    assert told == ["Test could not start"]


async def test_no_question_waits_for_a_server_that_could_not_start_the_last_time(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = await start("well")
    await talk.servers.note(ServerReport("Test", "failed", problem="It ended by itself (exit status 1)."))
    over = asyncio.Event()

    async def connect(name: str) -> None:
        await over.wait()
        await ToolServers.connect(talk.servers, name)

    monkeypatch.setattr(talk.servers, "connect", connect)
    monkeypatch.setattr(server_tools, "RECONNECT_S", 10 * PATIENCE_S)
    monkeypatch.setattr(server_tools, "CONNECT_S", 10 * PATIENCE_S)
    await asyncio.wait_for(talk.ask(), PATIENCE_S)
    assert talk.world.of(ToolServersAwaited) == []
    assert [one.message for one in talk.world.of(NoticeRaised)] == ["Test could not start"]
    over.set()
    await until(lambda: bool(talk.servers.listed("Test").tools), "its tools, which come meanwhile")
    await talk.ask()
    assert talk.offered


async def test_a_server_that_dies_in_a_call_is_told_to_the_model(start: Start) -> None:
    talk = await start("die-late")
    results = await talk.ask(call("Test__commit", text="x"), consent="once")
    assert "exit status 3" in results["c1"].text


def test_names_fit_and_stay_different() -> None:
    tools = [ServerTool("My server", "a.b"), ServerTool("My server", "a b"), ServerTool("S", "x" * 100)]
    names = list(wire_names(tools))
    assert names[0] == "My_server__a_b"
    assert len(set(names)) == 3
    assert max(map(len, names)) <= 48


def test_tools_are_found_by_words_and_names() -> None:
    schema: JsonObject = {"type": "object"}
    tools = [
        ServerTool("Git", "git_log", "Shows the commits", schema),
        ServerTool("Git", "git_commit", "Records changes to the repository", schema),
        ServerTool("Files", "readFile", "Reads a file", schema),
    ]
    assert ranked_tools(tools, "record a change")[0][1].name == "git_commit"
    assert ranked_tools(tools, "read files")[0][1].name == "readFile"
    assert ranked_tools(tools, "weather") == []
