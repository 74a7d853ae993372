"""The app's side of the process that the servers of tools run below: started with the first, asked by lines of JSON."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from itertools import count
from typing import Any, Final

from desktop_app.backends.claude_cli.program_process import LineFramer, LineTooLongError, record_of
from desktop_app.core.messages import ImagePart, JsonObject
from desktop_app.core.phrases import phrase
from desktop_app.core.tool_servers import (
    LONGEST_IMAGE,
    MOST_IMAGES,
    MOST_TEXT,
    ServerLaunch,
    ServerReport,
    ServerTool,
    ToolOutcome,
)
from desktop_app.system.marked_processes import HANDED, kill_left_behind
from desktop_app.system.own_processes import HOST_TOOLS, bare_environment, own_command
from desktop_app.system.process_owner import ParentDeathGuard, end_with_parent

log = logging.getLogger(__name__)

LONGEST_ANSWER: Final = 8 * MOST_TEXT + MOST_IMAGES * LONGEST_IMAGE
"""Bytes of a line of the process: what it says is bounded there."""
CONNECT_S: Final = 60.0
"""Seconds for a server to start and list its tools: the first start of some downloads them."""
CALL_S: Final = 300.0
HOST_S: Final = 10.0
"""Seconds after each limit in which the process has to say that it has passed."""
END_S: Final = 3.0

MODULE: Final = "desktop_app.backends.tool_host_process"


class ToolHostProcess:
    """A `ports.ToolHost`, which has the documentation. `reported` is told of a server that ended by itself."""

    def __init__(
        self,
        *,
        reported: Callable[[ServerReport], None] | None = None,
        connect_s: float = CONNECT_S,
        call_s: float = CALL_S,
    ) -> None:
        self._reported = reported
        self._connect_s, self._call_s = connect_s, call_s
        self._reports: dict[str, ServerReport] = {}
        self._numbers = count(1)
        self._asked: dict[int, asyncio.Future[Mapping[str, Any]]] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._guard: ParentDeathGuard | None = None
        self._reading: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._closed = False

    def report(self, server: str) -> ServerReport:
        return self._reports.get(server) or ServerReport(server)

    async def connect(self, launch: ServerLaunch, *, fresh: bool = False) -> ServerReport:
        name = launch.server
        facts = {**asdict(launch), "environment": dict(launch.environment), "headers": dict(launch.headers)}
        said = await self._ask("connect", name, self._connect_s, launch=facts, fresh=fresh)
        if (problem := said.get("problem")) is not None:
            report = ServerReport(name, "failed", problem=str(problem))
        else:
            tools = tuple(ServerTool(server=name, **tool) for tool in said["tools"])
            report = ServerReport(name, "ready", tools, str(said["version"]))
        self._reports[name] = report
        return report

    async def misfit(self, server: str, tool: str, arguments: JsonObject) -> str:
        return str((await self._ask("check", server, tool=tool, arguments=arguments)).get("problem", ""))

    async def call(self, server: str, tool: str, arguments: JsonObject) -> ToolOutcome:
        said = await self._ask("call", server, self._call_s, tool=tool, arguments=arguments)
        if (problem := said.get("problem")) is not None:
            return ToolOutcome(str(problem), is_error=True)
        images = (ImagePart(f"{tool}", one["media_type"], one["data"]) for one in said["images"])
        return ToolOutcome(str(said["text"]), tuple(images), bool(said["is_error"]))

    async def log(self, server: str) -> str:
        return str((await self._ask("log", server)).get("log", "")) if self._process is not None else ""

    async def end(self, server: str) -> None:
        self._reports.pop(server, None)
        if self._process is not None:
            await self._ask("end", server)

    async def close(self) -> None:
        self._closed = True
        async with self._starting:
            process, self._process = self._process, None
        if process is not None:
            assert process.stdin is not None
            process.stdin.close()
            await _gone(process)
            if self._reading is not None:
                await asyncio.wait({self._reading})

    async def _ask(self, do: str, server: str, within: float = HOST_S, **more: Any) -> Mapping[str, Any]:
        try:
            process = await self._started()
        except OSError as error:
            return {"problem": phrase("The process for tools can't be started: {reason}.", reason=error.strerror or "")}
        if process is None:
            return {"problem": phrase("Plimsoll is closing.")}
        number = next(self._numbers)
        answer: asyncio.Future[Mapping[str, Any]] = asyncio.get_running_loop().create_future()
        self._asked[number] = answer
        self._write(process, {"id": number, "do": do, "server": server, "within": within, **more})
        try:
            async with asyncio.timeout(within + HOST_S):
                return await answer
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()  # it hangs itself; what it has started goes with it
            return {"problem": phrase("The process for tools does not answer.")}
        except asyncio.CancelledError:
            self._write(process, {"id": 0, "do": "forget", "of": number})
            raise
        finally:
            self._asked.pop(number, None)

    @staticmethod
    def _write(process: asyncio.subprocess.Process, order: Mapping[str, Any]) -> None:
        assert process.stdin is not None
        if not process.stdin.is_closing():
            process.stdin.write(json.dumps(order, separators=(",", ":")).encode() + b"\n")

    async def _started(self) -> asyncio.subprocess.Process | None:
        async with self._starting:
            if self._process is None and not self._closed:
                # what a killed process, or a killed app, could not end
                await asyncio.to_thread(kill_left_behind)
                self._process = await asyncio.create_subprocess_exec(
                    *own_command(HOST_TOOLS, MODULE),
                    env=bare_environment(*HANDED),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                    creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
                )
                if sys.platform == "win32":  # elsewhere it sees the end of its input, and then ends what it has started
                    self._guard = await end_with_parent(self._process.pid)
                self._reading = asyncio.create_task(self._read(self._process))
            return self._process

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        framer = LineFramer(LONGEST_ANSWER)
        try:
            while data := await process.stdout.read(1 << 18):
                for line in framer.feed(data):
                    self._heard(record_of(line))
        except LineTooLongError:
            log.warning("the process for tools sent a line without an end")
        await _gone(process)
        if self._guard is not None:
            self._guard.release()
            self._guard = None
        if self._process is process:
            self._process = None
        gone = phrase("The process for tools has ended. Try again.")
        for answer in self._asked.values():
            if not answer.done():
                answer.set_result({"problem": gone})
        if not self._closed:
            log.warning("the process for tools ended with status %s", process.returncode)
            await asyncio.to_thread(kill_left_behind)
        for name in [name for name, report in self._reports.items() if report.state == "ready"]:
            self._failed(name, gone)

    def _heard(self, said: Mapping[str, Any]) -> None:
        if (number := said.get("id")) is None:
            self._failed(str(said.get("server")), str(said.get("problem")))
        elif (answer := self._asked.get(number)) is not None and not answer.done():
            answer.set_result(said)

    def _failed(self, name: str, problem: str) -> None:
        before = self.report(name)
        self._reports[name] = ServerReport(name, "failed", before.tools, before.version, problem)
        if self._reported is not None and not self._closed:
            self._reported(self._reports[name])


async def _gone(process: asyncio.subprocess.Process) -> None:
    """Waits for the end of a process that has nothing more to read; one that takes too long is killed."""
    try:
        async with asyncio.timeout(END_S):
            await process.wait()
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
