"""Starts a `claude` program for one answer, also ahead, and talks with it: records become events, calls get results."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sys
import tempfile
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from desktop_app.backends.claude_cli.claude_answer_reader import ClaudeAnswerReader, PairedEvents
from desktop_app.backends.claude_cli.claude_failures import endless
from desktop_app.backends.claude_cli.invocation import (
    INTERRUPT,
    NO_RESULT,
    McpToolCall,
    McpToolServer,
    arguments,
    encoded,
    lifetime,
)
from desktop_app.backends.claude_cli.program_finder import Program, answer_environment
from desktop_app.backends.claude_cli.program_process import LineFramer, LineTooLongError, ProgramProcess, record_of
from desktop_app.backends.response_bodies import SignsOfLife
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.messages import ToolCallPart, ToolResultPart, ToolSpec
from desktop_app.core.stream_events import PartFinished, StreamEvent, ToolAsked, mapping_in


@dataclass(frozen=True, slots=True)
class Launch:
    """Everything that a start depends on. Equal ones may stand in for each other: none holds a word said."""

    program: Program
    folder: Path
    model: str
    system: str
    environ: Mapping[str, str]
    tools: tuple[ToolSpec, ...] = ()
    effort: str = ""
    thinks: bool = True

    @classmethod
    def of(cls, plan: ContextPlan, program: Program, folder: Path, environ: Mapping[str, str]) -> Launch:
        """The start that an answer to `plan` needs."""
        tools, wished, model = plan.request.tools, plan.request.parameters, plan.model
        own = answer_environment(environ, lifetime=lifetime(plan), max_output=plan.limits.max_output, tools=bool(tools))
        effort = wished.effort if wished.effort in model.efforts else ""
        thinks = wished.thinking is not False or model.thinking != "choice"
        return cls(program, folder, model.id, plan.request.system, own, tools, effort, thinks)

    async def start(self) -> Launched:
        """A running program; OSError where it cannot be started."""
        system_file = SystemFile(self.system)
        own = arguments(system_file.path, self.model, tools=self.tools, effort=self.effort, thinks=self.thinks)
        try:
            process = await ProgramProcess.start(
                (str(self.program.path), *own),
                guard=self.program.guard,
                environ=self.environ,
                folder=self.folder,
                handed=system_file.handed,
            )
        except BaseException:
            system_file.forget()
            raise
        system_file.started()
        return Launched(process, system_file, McpToolServer(self.tools))


class SystemFile:
    """The system prompt in a file that only we can read: as an argument it would be seen by all and limited.

    On Linux the file has no name: the program inherits it open, and nothing of it can be left behind. Elsewhere it has
    one until the program has read it.
    """

    def __init__(self, system: str) -> None:
        nameless = sys.platform == "linux"
        handle, name = tempfile.mkstemp(prefix="plimsoll-", suffix=".txt")
        self._named = Path(name)
        with os.fdopen(handle, "wb", closefd=not nameless) as file:
            if nameless:
                self._named.unlink()
            file.write(encoded(system))
        self.handed: tuple[int, ...] = (handle,) if nameless else ()
        if nameless:
            os.lseek(handle, 0, os.SEEK_SET)

    @property
    def path(self) -> Path:
        """The file that the program is told to read."""
        return Path(f"/dev/fd/{self.handed[0]}") if self.handed else self._named

    def started(self) -> None:
        """The program has its own copy of the open file."""
        for handle in self.handed:
            os.close(handle)
        self.handed = ()

    def forget(self) -> None:
        """Called as soon as the program has read it, so that a crash of ours leaves nothing behind."""
        self.started()
        self._named.unlink(missing_ok=True)


class Launched:
    """A started program with its system file, and what is left of an output line that was read in part."""

    def __init__(self, process: ProgramProcess, system_file: SystemFile, tool_server: McpToolServer) -> None:
        self.process = process
        self.tool_server = tool_server
        self.framer = LineFramer()
        self.ready = asyncio.Event()
        """Set where a program that was started ahead has said that it waits."""
        self.account = ""
        """The login that it said it asks with; "" until it has said so."""
        self._system_file = system_file

    def greet(self) -> None:
        """Asks it to say when it waits, and names the tools that it may call; once, before anything else is said."""
        self.process.write(self.tool_server.greeting)

    def hear(self, line: str) -> Mapping[str, Any]:
        """The record of a line, empty where it is none; what it wants to know of our tools is answered."""
        record = record_of(line)
        self.account = _account(record) or self.account
        if reply := self.tool_server.hear(record):
            self.process.write(reply)
        return record

    def forget_system(self) -> None:
        """See `SystemFile.forget`."""
        self._system_file.forget()

    async def stop(self, interrupt: bytes = b"") -> None:
        """`ProgramProcess.stop`; the system file is gone at once."""
        self.forget_system()
        await self.process.stop(interrupt)


def _account(record: Mapping[str, Any]) -> str:
    """Return who a program that is ready asks as; the plan that is paid for may change without a new cache."""
    account = mapping_in(mapping_in(record, "response"), "response").get("account")
    if record.get("type") != "control_response" or not isinstance(account, Mapping):
        return ""
    return json.dumps({str(name): account[name] for name in account if name != "subscriptionType"}, sort_keys=True)


log = logging.getLogger(__name__)

IDLE_S = 60.0
"""Seconds that a prepared program may wait; it holds 200 MB."""


class PrewarmedProgram:
    """At most one idle program. Another system prompt, model, set of tools or lifetime of the cache starts another.

    A program that has started before it is needed gives its first request after 0.1 s in place of 0.65 s.
    """

    def __init__(self, *, idle_s: float = IDLE_S, signed_in: Callable[[str], object] = bool) -> None:
        """`signed_in` is told what a program says of its login."""
        self._idle_s, self._signed_in = idle_s, signed_in
        self._launch: Launch | None = None
        self.held: Launched | None = None
        self._watch: asyncio.Task[None] | None = None
        self._ending: set[asyncio.Task[None]] = set()
        self._lock = asyncio.Lock()
        self._closed = False

    async def hold(self, launch: Launch) -> None:
        """Starts a program for `launch`, or lets the one that is held wait on; of a failure the answer will speak."""
        async with self._lock:
            held = self._release() if self.fits(launch) else None
            if held is None:
                self._end(self._release())
                if self._closed:
                    return
                try:
                    held = await launch.start()
                except OSError as error:
                    log.info("no program could be started ahead: %s", error.strerror)
                    return
                held.greet()
            self._launch, self.held = launch, held
            self._watch = asyncio.get_running_loop().create_task(self._watched(held))

    async def take(self, launch: Launch) -> Launched | None:
        """The program held for `launch`, from now on the caller's; None where there is none. Another one is ended."""
        async with self._lock:
            if self.fits(launch):
                return self._release()
            self._end(self._release())
            return None

    async def close(self) -> None:
        """Ends what is held, and returns when it is gone."""
        self._closed = True
        async with self._lock:
            self._end(self._release())
        await asyncio.gather(*self._ending, return_exceptions=True)

    def fits(self, launch: Launch) -> bool:
        return self.held is not None and self._launch == launch and not self.held.process.ended

    def _release(self) -> Launched | None:
        held, self.held, self._launch = self.held, None, None
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None
        return held

    def _end(self, held: Launched | None) -> None:
        """In a task: nobody who wants to send waits for the end of a program that does not fit."""
        if held is not None:
            held.forget_system()
            task = asyncio.get_running_loop().create_task(held.stop())
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    async def _watched(self, held: Launched) -> None:
        """Reads its readiness, after which the system file is not needed; ends it where nothing comes to do."""
        with contextlib.suppress(TimeoutError, LineTooLongError):
            async with asyncio.timeout(self._idle_s):
                while data := await held.process.read():
                    for line in held.framer.feed(data):
                        if held.hear(line).get("type") == "control_response":
                            held.forget_system()
                            held.ready.set()
                            self._signed_in(held.account)
        if self.held is held:
            self._watch = None  # this task: it ends by itself
            self._end(self._release())


LAST_WORDS_S: Final = 1.0
"""Seconds that an interrupted program gets for its `result` line, which has the cost, and an answered one to end."""

ANSWER_NOW: Final = "No more calls can be made in this turn. Answer with what you have."

_GRACE_S: Final = 0.05

PATIENCE: Final = 10
"""Calls that are refused because the model has to answer, until the answer is given up."""


class ProgramSession:
    """One answer of a started program. `timeout_s`: the longest silence. `refuses_calls`: none is run any more."""

    def __init__(
        self, launched: Launched, reader: ClaudeAnswerReader, timeout_s: float, *, refuses_calls: bool = False
    ) -> None:
        self._launched = launched
        self._reader = reader
        self._timeout_s = timeout_s
        self._refuses_calls = refuses_calls
        self._paired = PairedEvents(pairing=launched.tool_server.open)
        self._refused = 0
        self._signs = SignsOfLife()
        self._interrupted = self._over = False
        self._heard = _now()

    async def events(self) -> AsyncGenerator[StreamEvent, ToolResultPart | None]:
        """The events up to the one that ends the answer; takes the result of each `ToolAsked` by `asend`."""
        reader, paired, tool_server = self._reader, self._paired, self._launched.tool_server
        while reader.outcome is None and (lines := await self._lines()) is not None:
            for line in lines:
                self._hear(line)
                for event in paired.give():
                    yield event
                while reader.outcome is None and (asked := tool_server.next_call()) is not None:
                    if (call := self._call(asked)) is None:
                        break
                    for event in paired.give(until=call):
                        yield event
                    result = None if self._refuses_calls else (yield ToolAsked(call))
                    if result is None or result.extra.get("budget") == "rounds":
                        self._refused += 1
                    if result is None:
                        words = ANSWER_NOW if self._refuses_calls else NO_RESULT
                        result = ToolResultPart(call.id, words, is_error=True)
                        yield PartFinished(result)
                    self._answer(asked, call, result)
                    for event in paired.give():
                        yield event
        if reader.outcome is None:
            await self._launched.process.wait(LAST_WORDS_S)
            paired.add(reader.end(self._launched.process.stderr))
        for event in paired.give(all_of_it=True):
            yield event

    async def _lines(self) -> Sequence[str] | None:
        """The next whole lines; None where the output is over, or nothing more is to be waited for."""
        if self._over:
            return None
        limit = self._timeout_s + self._reader.retry_delay_s
        # whoever reads the events may have taken longer than that: what lies there by now counts
        until = _now() + LAST_WORDS_S if self._interrupted else max(self._heard + limit, _now() + _GRACE_S)
        try:
            async with asyncio.timeout_at(until):
                data = await self._launched.process.read()
        except TimeoutError:
            if not self._interrupted:
                self._paired.add(self._reader.stall(limit))
            return None
        self._over = not data
        try:
            return self._launched.framer.feed(data) if data else self._launched.framer.end()
        except LineTooLongError as error:
            self._paired.add(self._reader.give_up(str(error)))
            return None

    def _hear(self, line: str) -> None:
        reader = self._reader
        record = self._launched.hear(line)
        if reader.streaming or not _is_ping(record):
            self._heard = _now()
        try:
            grows = record.get("type") == "stream_event" and not _is_ping(record)
            self._paired.add(self._signs.beside(reader.read(record), grows=grows))
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
            detail = f"a record that is not of the program's form ({type(error).__name__})"
            self._paired.add(reader.give_up(detail))
        if reader.wants_interrupt and not self._interrupted:
            self._launched.process.write(INTERRUPT)
            self._interrupted = True
        if reader.started:
            self._launched.forget_system()

    def _call(self, asked: McpToolCall) -> ToolCallPart | None:
        """The model's call that the program wants the result of; None where it is yet to come."""
        known = next((call for call in self._paired.unanswered() if asked.is_for(call)), None)
        if known is not None or self._reader.streaming:
            return known
        # a call that the program did not show
        call = ToolCallPart(asked.call_id or asked.request_id, asked.name, asked.input)
        self._paired.add(self._reader.call(call))
        return call

    def _answer(self, asked: McpToolCall, call: ToolCallPart, result: ToolResultPart) -> None:
        self._launched.process.write(self._launched.tool_server.answer(asked, result))
        self._reader.answered(result)
        self._paired.answered(call.id)
        self._heard = _now()
        if self._refused > PATIENCE:
            self._paired.add(self._reader.fail(endless(self._refused)))


def _is_ping(record: Mapping[str, Any]) -> bool:
    """A sign of life of a stream; without one it is the program's own, made while the provider is silent."""
    return isinstance(event := record.get("event"), dict) and event.get("type") == "ping"


def _now() -> float:
    return asyncio.get_running_loop().time()
