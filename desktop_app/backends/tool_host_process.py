"""The process that all servers of tools run below: starts or asks them, lists and calls their tools, ends them (DOC-4).

Nothing else imports `mcp`: that takes 0.7 s and loads half a web server. One order and one answer a line of JSON, each
with a number; whatever a server does becomes an answer, within bounds of time and size.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any, BinaryIO, Final

import anyio
import httpx2
from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, best_match
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter
from referencing import Registry

from desktop_app.backends.claude_cli.program_process import LineFramer, LineTooLongError
from desktop_app.core.phrases import joined, phrase
from desktop_app.core.redaction import Redaction
from desktop_app.core.tool_servers import LONGEST_IMAGE, MOST_IMAGES, MOST_TEXT
from desktop_app.system.marked_processes import (
    adopt_orphans,
    handed_environment,
    kill_children,
    kill_marked,
    server_mark,
)
from desktop_app.system.process_owner import dying_with_parent, end_with_parent
from desktop_app.system.worker_loop import answer_channel

GRACE_S: Final = 0.5
"""Seconds for a server to end by itself once its input has ended, and again after it was asked to."""
LONGEST_SAID: Final = 600
"""Characters of the line on a server's standard error that stands in its failure."""
LONGEST_LINE: Final = 16 << 20
"""Bytes of one message of a server."""
MOST_TOOLS, MOST_PAGES = 1_000, 50
LONGEST_SCHEMA, LONGEST_DESCRIPTION = 200_000, 50_000
"""Characters of JSON and of text; what is longer is no tool to be offered."""
MOST_LOG: Final = 64 << 10
"""Characters of a server's log that are kept, the last ones."""
MOST_JUNK: Final = 1_000
"""Lines in a row that are no messages, until a server is given up."""
MARK: Final = "PLIMSOLL_TOOL_SERVER"
"""The variable by which all processes of a server are found again, however far they went."""

_PATH_SAID: Final = re.compile(rb"\x01(.*)\x01", re.DOTALL)
_SHELL_S: Final = 5.0
_ERROR: Final = re.compile(r"[\w.]{0,100}(Error|Exception)\b")
"""The beginning of the line that tells an error, in Python last, in Node before the places where it was."""
_HEADER: Final = re.compile(r"[\w!#$%&'*+.^`|~-]+", re.ASCII)


def main(argv: Sequence[str] | None = None) -> int:
    """Serves until standard input ends, which is when the app has ended in any way."""
    del argv
    sys.dont_write_bytecode = True
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in a terminal is for the app, with which this ends
    adopt_orphans()
    with answer_channel() as answers:
        asyncio.run(_Host(answers).serve())
    return 0


class ServerError(Exception):
    """A server can't be used; the text says why, to people."""


class _Host:
    def __init__(self, answers: BinaryIO) -> None:
        self._answers = answers
        self._servers: dict[str, _Server] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._path: asyncio.Future[str] | None = None

    async def serve(self) -> None:
        loop = asyncio.get_running_loop()
        orders: asyncio.Queue[bytes] = asyncio.Queue()

        def take() -> None:
            for line in sys.stdin.buffer:
                loop.call_soon_threadsafe(orders.put_nowait, line)
            # a loop that hangs must not keep what the app has left
            late = threading.Timer(4 * GRACE_S, _end_at_once)
            late.daemon = True
            late.start()
            loop.call_soon_threadsafe(orders.put_nowait, b"")

        threading.Thread(target=take, daemon=True).start()
        while line := await orders.get():
            order = json.loads(line)
            if order["do"] == "forget":
                if (task := self._tasks.get(order["of"])) is not None:
                    task.cancel()
                continue
            task = self._tasks[order["id"]] = asyncio.create_task(self._answer(order))
            task.add_done_callback(partial(self._forget, order["id"]))
        await asyncio.gather(*(server.end() for server in self._servers.values()), return_exceptions=True)
        _end_at_once()

    def _forget(self, number: int, task: asyncio.Task[None]) -> None:
        del task
        self._tasks.pop(number, None)

    async def _answer(self, order: Mapping[str, Any]) -> None:
        try:
            said = await self._carried_out(order)
        except ServerError as error:
            said = {"problem": str(error)}
        except Exception as error:  # noqa: BLE001  a fault with one server leaves the others
            said = {"problem": f"{type(error).__name__}: {error}"[:500]}
        self._say({"id": order["id"], **said})

    def _say(self, said: Mapping[str, Any]) -> None:
        self._answers.write(json.dumps(said, separators=(",", ":")).encode() + b"\n")
        self._answers.flush()

    async def _carried_out(self, order: Mapping[str, Any]) -> dict[str, Any]:
        name = order["server"]
        server = self._servers.get(name)
        match order["do"]:
            case "connect":
                return await self._connect(order, server)
            case "call" if server is not None:
                return await server.call(order["tool"], order["arguments"], order["within"])
            case "check" if server is not None:
                return server.misfit(order["tool"], order["arguments"])
            case "log":
                return {"log": "" if server is None else server.log}
            case "end":
                if server is not None:
                    del self._servers[name]
                    await server.end()
                return {}
            case _:
                raise ServerError(phrase("The server is not running."))

    async def _connect(self, order: Mapping[str, Any], server: _Server | None) -> dict[str, Any]:
        if server is not None and (order["fresh"] or server.launch != order["launch"] or server.problem):
            await server.end()
            server = None
        if server is None:
            if self._path is None:
                self._path = asyncio.ensure_future(asyncio.to_thread(_login_path))
            path = await asyncio.shield(self._path)
            server = self._servers[order["server"]] = _Server(order["server"], order["launch"], path, self._say)
        return await server.tools(order["within"])


class _Server:
    """One server, in a task of its own: what is opened there is closed there."""

    def __init__(self, name: str, launch: Mapping[str, Any], path: str, say: Any) -> None:
        self.launch = launch
        self.problem = ""
        self._name, self._path, self._say = name, path, say
        self._log: list[str] = []
        self._mark = server_mark(f"{id(self)}")
        self._client: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self._over, self._told = asyncio.Event(), asyncio.Event()
        self._ended = self._changed = False
        self._listed: dict[str, Any] | None = None
        self._task = asyncio.create_task(self._run())

    @property
    def log(self) -> str:
        return "".join(self._log)[-MOST_LOG:]

    async def tools(self, within: float) -> dict[str, Any]:
        """Waits so many seconds at most until the server is there; its tools. Raises `ServerError`."""
        try:
            async with asyncio.timeout(within):
                client = await asyncio.shield(self._client)
                if self._listed is None or self._changed:
                    self._changed = False
                    self._listed = await _listed(client)
        except TimeoutError:
            self._give_up(_late(within))
        except ServerError:
            raise
        except Exception as error:  # noqa: BLE001  whatever the client meets is this server's fault
            self._give_up(_words(error))
        if self.problem:
            raise ServerError(self.problem)
        assert self._listed is not None
        return self._listed

    def misfit(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The problem of arguments that do not fit the schema of a tool. Refers to nothing outside of it."""
        listed = () if self._listed is None else self._listed["tools"]
        schema = next((one["schema"] for one in listed if one["name"] == tool), None)
        if schema is None:
            raise ServerError(self.problem or f"There is no tool {tool}.")
        try:
            Draft202012Validator.check_schema(schema)
            wrong = best_match(Draft202012Validator(schema, registry=Registry()).iter_errors(arguments))
        except SchemaError:
            return {}  # the server will say what it takes
        return {} if wrong is None else {"problem": f"{wrong.json_path}: {wrong.message}"[:1_000]}

    async def call(self, tool: str, arguments: dict[str, Any], within: float) -> dict[str, Any]:
        """The result of a call, bounded. Raises `ServerError`."""
        if self.problem or not self._client.done():
            raise ServerError(self.problem or phrase("The server is not running."))
        try:
            async with asyncio.timeout(within):
                result = await self._client.result().call_tool(tool, arguments)
        except TimeoutError as error:
            raise ServerError(_late(within)) from error
        except Exception as error:
            if getattr(error, "code", None) == -32000:  # the connection is closed: its own task learns why
                await asyncio.wait({self._task}, timeout=GRACE_S)
            raise ServerError(self.problem or _words(error)) from error
        return _bounded(result)

    async def end(self) -> None:
        """Ends the server; nothing of it is left."""
        self._ended = True
        self._over.set()
        await asyncio.wait({self._task}, timeout=4 * GRACE_S)
        self._task.cancel()
        await asyncio.wait({self._task}, timeout=GRACE_S)
        await asyncio.to_thread(kill_marked, self._mark)

    def _give_up(self, problem: str) -> None:
        self.problem = self.problem or problem
        self._over.set()
        if not self._client.done() and asyncio.current_task() is not self._task:
            self._task.cancel()  # it waits for the handshake
        if not self._client.done():
            self._client.set_exception(ServerError(self.problem))
            self._client.exception()

    async def _run(self) -> None:
        try:
            async with AsyncExitStack() as stack:
                if self.launch["url"]:
                    http = await stack.enter_async_context(
                        _http_client(self.launch["url"], self.launch["headers"], self._note, self._give_up)
                    )
                    transport: Any = streamable_http_client(
                        self.launch["url"], http_client=http, max_sse_event_size=LONGEST_LINE
                    )
                else:
                    transport = self._pipes()
                client = Client(transport, message_handler=self._heard, cache=None)
                await stack.enter_async_context(client)
                self._client.set_result(client)
                await self._over.wait()
        except asyncio.CancelledError:
            self._give_up(_GONE)
        except BaseException as error:  # noqa: BLE001  groups of what its tasks met; each is this server's fault
            self._give_up(_words(error))
        finally:
            self._give_up(_GONE)
            if not self._ended:
                await asyncio.to_thread(kill_marked, self._mark)
                self._say({"server": self._name, "problem": self.problem})

    async def _heard(self, message: Any) -> None:
        if getattr(message, "method", "") == "notifications/tools/list_changed":
            self._changed = True

    @asynccontextmanager
    async def _pipes(self) -> AsyncGenerator[Any, None]:
        """The server's program, as a transport: bounded, and gone with all its processes at the end."""
        given, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        write, taken = anyio.create_memory_object_stream[SessionMessage](0)
        process = await self._started()
        guard = await end_with_parent(process.pid)
        tasks = [
            asyncio.create_task(one)
            for one in (self._read(process, given), self._write(process, taken), self._err(process))
        ]
        try:
            yield read, write
        finally:
            for stream in (given, read, write, taken):
                stream.close()
            with suppress(asyncio.CancelledError):
                await _ended(process)
            for task in tasks:
                task.cancel()
            await asyncio.to_thread(kill_marked, self._mark)
            if guard is not None:
                guard.release()
            process._transport.close()  # type: ignore[attr-defined]  # a survivor elsewhere may hold its pipes

    async def _started(self) -> asyncio.subprocess.Process:
        named = self.launch["environment"]
        environment = {**handed_environment(os.environ), "PATH": self._path, **named, MARK: self._mark}
        options: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "linux":
            options["preexec_fn"] = dying_with_parent()
        command = _found(self.launch["command"], environment["PATH"])
        try:
            return await asyncio.create_subprocess_exec(
                command,
                *self.launch["arguments"],
                env=environment,
                cwd=environment.get("HOME") or None,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                **options,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", error)
            words = phrase("{command} can't be started: {reason}.", command=command, reason=reason)
            raise ServerError(words) from error

    async def _read(self, process: asyncio.subprocess.Process, given: Any) -> None:
        assert process.stdout is not None
        framer, junk = LineFramer(LONGEST_LINE), 0
        try:
            while data := await process.stdout.read(1 << 16):
                for line in framer.feed(data):
                    try:
                        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
                    except ValueError:
                        junk += 1
                        self._note(f"no message: {line[:500]}\n")
                        if junk > MOST_JUNK:
                            return self._give_up(phrase("It writes something else than messages to its output."))
                        continue
                    junk = 0
                    await given.send(SessionMessage(message))
            code = await asyncio.wait_for(process.wait(), GRACE_S)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._told.wait(), GRACE_S)
            said = Redaction(self.launch["environment"].values()).of_error(_telling_line(self.log))
            words = phrase("It ended by itself (exit status {code}).", code=code)
            line = phrase("It ended by itself (exit status {code}): {line}", code=code, line=said)
            self._give_up(line if said else words)
        except TimeoutError:
            self._give_up(phrase("It closed its output."))
        except LineTooLongError:
            self._give_up(_TOO_LONG)
        except _closed():
            pass  # the session is over
        finally:
            given.close()

    async def _write(self, process: asyncio.subprocess.Process, taken: Any) -> None:
        assert process.stdin is not None
        with suppress(OSError, *_closed()):
            async for one in taken:
                process.stdin.write(one.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
                await process.stdin.drain()

    async def _err(self, process: asyncio.subprocess.Process) -> None:
        assert process.stderr is not None
        while data := await process.stderr.read(1 << 14):
            self._note(data.decode("utf-8", errors="replace"))
        self._told.set()

    def _note(self, text: str) -> None:
        self._log.append(text)
        if len(self._log) > 200:  # now and then, not at every line
            self._log = [self.log]


_GONE: Final = phrase("The server has ended.")
_TOO_LONG: Final = phrase("It sent a message of more than {size} MB.", size=LONGEST_LINE >> 20)


def _telling_line(log: str) -> str:
    """The line of a log that says why a program ended: its last error, else its last line."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    said = next((line for line in reversed(lines) if _ERROR.match(line)), lines[-1] if lines else "")
    return said if len(said) <= LONGEST_SAID else f"{said[:LONGEST_SAID].rpartition(' ')[0] or said[:LONGEST_SAID]} …"


def _late(seconds: float) -> str:
    return phrase("It did not answer within {seconds:.0f} seconds.", seconds=seconds)


def _closed() -> tuple[type[Exception], ...]:
    return anyio.ClosedResourceError, anyio.BrokenResourceError


async def _ended(process: asyncio.subprocess.Process) -> None:
    """Ends a program: its input first, then its group is asked, then killed."""
    if process.stdin is not None:
        process.stdin.close()
    for number in (None, signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        if number is not None:
            with suppress(ProcessLookupError, PermissionError):
                if sys.platform == "win32":
                    process.kill()
                else:
                    os.killpg(process.pid, number)
        # not `wait`, which waits for the pipes, too: a grandchild may hold them
        for _ in range(round(GRACE_S / 0.01)):
            if process.returncode is not None:
                break
            await asyncio.sleep(0.01)
        if process.returncode is not None and number != signal.SIGTERM:
            break
    if sys.platform != "win32":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


@asynccontextmanager
async def _http_client(
    url: str, headers: Mapping[str, str], note: Callable[[str], None], give_up: Callable[[str], None]
) -> AsyncGenerator[Any, None]:
    """A client with the server's headers. An answer that is too long ends the server; a bad status is a line."""

    class BoundedAnswer(httpx2.AsyncByteStream):
        def __init__(self, inner: Any, *, streams: bool) -> None:
            self._inner, self._streams = inner, streams

        async def __aiter__(self) -> AsyncGenerator[bytes, None]:
            length = 0
            async for piece in self._inner:
                length += len(piece)
                if length > LONGEST_LINE and not self._streams:
                    give_up(_TOO_LONG)
                    raise httpx2.ReadError(_TOO_LONG)
                yield piece

        async def aclose(self) -> None:
            await self._inner.aclose()

    async def answered(response: Any) -> None:
        # what nobody asked for is not unpacked: a few packed bytes may be any number of them
        response.headers.pop("content-encoding", None)
        streams = "event-stream" in response.headers.get("content-type", "")
        response.stream = BoundedAnswer(response.stream, streams=streams)
        if response.status_code < 400 or response.request.method != "POST":
            return
        if response.status_code == 404 and "mcp-session-id" in response.request.headers:
            give_up(phrase("It does not know this session any more."))
        response.headers["content-type"] = "application/json"
        said = await response.aread()
        words = said[:2_000].decode(errors="replace")
        for secret in " ".join(headers.values()).split():
            words = words.replace(secret, "…") if len(secret) >= 8 else words
        note(f"status {response.status_code}: {words}\n")
        if b'"jsonrpc"' not in said:  # an error of the way there, as the client takes those of servers
            code = -32601 if response.status_code == 404 else -32603
            error = {"code": code, "message": _refusal(response.status_code)}
            response._content = json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode()

    for name, value in headers.items():
        if not (value.isascii() and value.isprintable() and _HEADER.fullmatch(name)):
            # the value stays unsaid, which the client's own error would show
            raise ServerError(phrase("The header {name} has characters that headers can't have.", name=name))
    timeout = httpx2.Timeout(30.0, read=None)  # each order has a limit of its own
    async with httpx2.AsyncClient(
        headers={**headers, "accept-encoding": "identity"},
        timeout=timeout,
        event_hooks={"response": [answered]},
        # no proxy stands between this computer and itself
        trust_env=httpx2.URL(url).host not in ("localhost", "127.0.0.1", "::1"),
    ) as client:
        yield client


def _refusal(status: int) -> str:
    try:
        words = f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        words = str(status)
    said = phrase("It answered with status {status}.", status=words)
    wants = phrase("Its headers may be wrong, or it wants a login (OAuth), which Plimsoll doesn't have yet.")
    return joined([said, wants]) if status in (401, 403) else said


async def _listed(client: Client) -> dict[str, Any]:
    """The tools of a server as its report has them."""
    tools: dict[str, dict[str, Any]] = {}
    cursor: str | None = None
    for _ in range(MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        for tool in page.tools[: MOST_TOOLS - len(tools)]:
            hints = tool.annotations
            schema = tool.input_schema
            if len(json.dumps(schema)) > LONGEST_SCHEMA or len(tool.description or "") > LONGEST_DESCRIPTION:
                continue
            tools[tool.name] = {
                "name": tool.name,
                "title": tool.title or "",
                "description": tool.description or "",
                "schema": schema,
                "read_only": hints is not None and hints.read_only_hint is True,
                "destructive": hints is not None and hints.destructive_hint is True and not hints.read_only_hint,
                "open_world": hints is not None and hints.open_world_hint is True,
            }
        cursor = page.next_cursor
        if not cursor or len(tools) >= MOST_TOOLS:
            break
    info = client.server_info
    version = "" if info is None else f"{info.name} {info.version or ''}".strip()[:200]
    return {"tools": list(tools.values()), "version": version}


def _bounded(result: Any) -> dict[str, Any]:
    """A result within bounds; nothing that it names is fetched."""
    texts: list[str] = []
    images: list[dict[str, str]] = []
    for block in result.content:
        match block.type:
            case "text":
                texts.append(block.text)
            case "image" if len(images) < MOST_IMAGES and _is_image(block):
                images.append({"media_type": block.mime_type, "data": block.data})
            case "resource_link":
                texts.append(f"[Link: {block.name} {block.uri}]")
            case "resource" if (text := getattr(block.resource, "text", None)) is not None:
                texts.append(f"[{block.resource.uri}]\n{text}")
            case _:
                texts.append(f"[Not shown: {block.type}]")
    if not texts and not images and result.structured_content is not None:
        texts.append(json.dumps(result.structured_content, ensure_ascii=False, indent=1))
    text = "\n\n".join(texts)
    if len(text) > MOST_TEXT:
        text = f"{text[:MOST_TEXT]}\n\n[Cut: the result has {len(text):,} characters]"
    return {"text": text, "images": images, "is_error": bool(result.is_error)}


def _is_image(block: Any) -> bool:
    if block.mime_type not in ("image/png", "image/jpeg", "image/gif", "image/webp") or len(block.data) > LONGEST_IMAGE:
        return False
    try:
        return bool(base64.b64decode(block.data, validate=True))
    except ValueError:
        return False


def _words(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    words = " ".join((str(error) or type(error).__name__).split())[:500]
    unreached = type(error).__name__ in ("ConnectError", "ConnectTimeout")
    return phrase("It can't be reached: {reason}.", reason=words) if unreached else words


def _found(command: str, path: str) -> str:
    """The command where it stands; on Windows a script of npm's has an ending that nobody writes."""
    if (found := shutil.which(str(Path(command).expanduser()), path=path)) is None:
        words = phrase("{command} was not found. Is it installed, and on the PATH of your terminal?", command=command)
        raise ServerError(words)
    return found


def _login_path() -> str:
    """PATH as a terminal of the user's has it: an app that is started from a menu has a shorter one."""
    own, said = os.environ.get("PATH", os.defpath), b""
    if sys.platform != "win32" and Path(shell := os.environ.get("SHELL", "")).is_absolute():
        with suppress(OSError, subprocess.SubprocessError):
            process = subprocess.Popen(
                [shell, "-l", "-i", "-c", 'printf "\\001%s\\001" "$PATH"'],
                env=handed_environment(os.environ),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # a shell that wants a terminal finds none, and takes none from anybody
            )
            try:
                said, _ = process.communicate(timeout=_SHELL_S)
            finally:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
    found = _PATH_SAID.search(said)
    parts = [*(os.fsdecode(found[1]).split(os.pathsep) if found else ()), *own.split(os.pathsep)]
    return os.pathsep.join(dict.fromkeys(one for one in parts if Path(one).is_absolute()))


def _end_at_once() -> None:
    kill_children()
    os._exit(0)
