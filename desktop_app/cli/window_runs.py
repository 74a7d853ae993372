"""Runs a command's turn in the window that is open for its data folder: both sides, and the messages between them.

One JSON object a line. A command says which protocol it speaks, the window answers with its version and a nonce; the
command asks, the window accepts or declines, the command tells it to go. Then the window sends what is to be printed,
and the exit status last; the command may send the wish to stop.

What runs in the window is the command's own code over the window's services, so both say the same; the window shows the
turn as any other of its own.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import io
import json
import logging
import secrets
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from secrets import token_hex
from typing import Any, Final, Protocol, TypeVar, cast

from desktop_app import __version__
from desktop_app.cli.ask_command import ChatInput, ask, message_of, tell_failure
from desktop_app.cli.command_process import BUG, EXIT_STATUS, Interruption, Output
from desktop_app.cli.options import ChatOptions, SyncOptions, TurnOptions
from desktop_app.cli.turn_printer import ToldContext, UnsavedAnswers
from desktop_app.cli.upkeep_commands import run_sync
from desktop_app.composition import AppServices
from desktop_app.core.errors import PlimsollError
from desktop_app.core.messages import Failure
from desktop_app.core.plain_values import from_plain
from desktop_app.paths import DataPaths
from desktop_app.system.own_processes import MAX_MESSAGE
from desktop_app.system.process_owner import line_to_window

PROTOCOL: Final = 1

_COMPARED: Final = ("ANTHROPIC_", "OPENAI_", "CLAUDE_", "PLIMSOLL_", "SSL_", "HTTPX_")
"""Beginnings of variables that say who answers, with which key, from which address."""
_ALSO: Final = frozenset(("HOME", "REQUESTS_CA_BUNDLE", "PYTHON_KEYRING_BACKEND"))
_FILES: Final = frozenset(("PLIMSOLL_CLAUDE", "PLIMSOLL_SCRIPT"))
"""Variables that may name a file from the working folder."""


def environment_digest(environ: Mapping[str, str], nonce: str) -> str:
    """A keyed hash of all in the environment that decides who answers, so that two can be compared without showing it.

    The nonce, of one conversation, is the key: nothing can be looked up, nor be compared with another time's.
    """
    found = {
        name: str(Path(value).expanduser().absolute()) if name in _FILES else value
        for name, value in environ.items()
        if value and name != "PLIMSOLL_HOME" and _is_compared(name.upper())
    }
    if "PLIMSOLL_CLAUDE" not in found:
        found["program"] = shutil.which("claude", path=environ.get("PATH")) or ""
    said = json.dumps(sorted(found.items()), ensure_ascii=True).encode()
    return hmac.new(nonce.encode(), said, hashlib.sha256).hexdigest()


def _is_compared(name: str) -> bool:
    return name.startswith(_COMPARED) or name.endswith("_PROXY") or name in _ALSO


ANSWER_WITHIN_S: Final = 5.0
"""A window that says nothing for so long before the turn has begun is left alone."""
LARGEST_LINE: Final = 1 << 26
"""Bytes of what the window sends at once: the plan of a long thread is some megabytes."""

WINDOW_ENDED: Final = (
    "The Plimsoll window ended before this answer was complete. The text so far is kept in the thread; nothing "
    "was sent again."
)
SYNC_ENDED: Final = "The Plimsoll window ended before sync was done. Nothing is lost. Run the command again."


class Window:
    """The window that may be open for a data folder, asked as from this environment; `thread` is the last turn's."""

    def __init__(
        self, paths: DataPaths, environ: Mapping[str, str], output: Output, interruption: Interruption
    ) -> None:
        self._root = paths.root
        self._environ = environ
        self._output = output
        self._interruption = interruption
        self._chat: str | None = None
        self.thread: str | None = None

    async def ask(self, options: TurnOptions, text: str, *, goes_on: bool = False) -> int | None:
        """The exit status of a turn that the window ran; None: there is none that would run it as this command does.

        Once the window was told to go this command never sends by itself.
        """
        async with _connected(self._root) as line:
            more = {"goes_on": goes_on, "chat": self._chat}
            if line is None or not await line.is_accepted(self._environ, options, text, more):
                return None
            line.thread = options.thread
            status = await line.run(options, self._output, self._interruption)
            self.thread = line.thread
            return status

    async def sync(self, options: SyncOptions, passphrase: str) -> int | None:
        """The exit status of what the window did; None: there is none, or one of another version."""
        async with _connected(self._root) as line:
            asked = {"sync": asdict(options), "passphrase": passphrase}
            if line is None or not await line.is_taken(asked):
                return None
            return await line.run(options, self._output, self._interruption, ended=SYNC_ENDED)

    async def chat(self, options: ChatOptions, given: ChatInput) -> int | None:
        """Has the window run each line's turn; the exit status, None where it would not run the one in `given`."""
        async with _connected(self._root) as line:
            if line is None:
                return None
        self._chat = token_hex(8)
        turn, files = options.turn, options.turn.attach
        async for written in given.each():
            try:
                text, named, first = message_of(written, json_line=turn.json)
            except PlimsollError as error:
                given.status = tell_failure(error.failure, self.thread, self._output, json=turn.json)
                continue
            here = replace(turn, attach=(*files, *named), first_tokens=first or turn.first_tokens)
            if self.thread is not None:
                here = replace(here, thread=self.thread, project=None)
            if not here.attach:
                here = replace(here, first_tokens=None)
            if (ended := await self.ask(here, text, goes_on=self.thread is not None)) is None:
                given.waiting = written
                return None
            files, given.status = (), ended or given.status
            if self._interruption.wished:
                break
        return given.status if self._interruption.status is None else self._interruption.status


@asynccontextmanager
async def _connected(root: Path) -> AsyncIterator[_Line | None]:
    line = None
    with suppress(OSError, TimeoutError):
        if (ends := await asyncio.wait_for(line_to_window(root, LARGEST_LINE), ANSWER_WITHIN_S)) is not None:
            line = _Line(*ends)
    try:
        yield line
    finally:
        if line is not None:
            line.close()


class _Line:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.thread: str | None = None

    def close(self) -> None:
        self._writer.close()

    async def is_accepted(
        self, environ: Mapping[str, str], options: TurnOptions, text: str, more: Mapping[str, Any]
    ) -> bool:
        """Return True if the window will run the turn once it is told to go."""
        asked = {"ask": _asked(options), "text": text, **more}
        return await self.is_taken(asked, lambda nonce: {"environment": environment_digest(environ, nonce)})

    async def is_taken(
        self, asked: Mapping[str, Any], bound: Callable[[str], dict[str, Any]] = lambda _nonce: {}
    ) -> bool:
        """Return True if the window will do what it is asked once told to go; `bound`: what hangs on its nonce."""
        self._send({"protocol": PROTOCOL})
        hello = await self._receive(ANSWER_WITHIN_S)
        if hello is None or (hello.get("protocol"), hello.get("version")) != (PROTOCOL, __version__):
            return False
        if not self._send({**asked, **bound(str(hello.get("nonce")))}):
            return False
        return await self._receive(ANSWER_WITHIN_S) == {"accepted": True}

    async def run(
        self, options: TurnOptions | SyncOptions, output: Output, interruption: Interruption, ended: str = WINDOW_ENDED
    ) -> int:
        """Prints what comes until the end of the turn, which a wish to stop brings about."""
        self._send({"go": True})
        stopping = asyncio.ensure_future(self._stop(interruption))
        try:
            while (message := await self._receive()) is not None:
                match message:
                    case {"out": str(text)}:
                        output.text(text)
                    case {"err": str(text)}:
                        output.tell(text.removesuffix("\n"))
                    case {"thread": str(thread)}:
                        self.thread = thread
                    case {"status": int(status)}:
                        return status
        finally:
            stopping.cancel()
        if not options.json:
            output.end_line()
        return tell_failure(Failure("store", ended), self.thread, output, json=options.json)

    async def _stop(self, interruption: Interruption) -> None:
        await interruption.until_wished()
        self._send({"stop": interruption.status})

    def _send(self, message: dict[str, Any]) -> bool:
        if len(line := json.dumps(message).encode() + b"\n") <= MAX_MESSAGE:
            self._writer.write(line)
        return len(line) <= MAX_MESSAGE

    async def _receive(self, within_s: float | None = None) -> dict[str, Any] | None:
        """The next message; None where there is none any more."""
        try:
            line = await asyncio.wait_for(self._reader.readline(), within_s)
            message = json.loads(line)
        except (OSError, TimeoutError, ValueError, RecursionError):
            return None
        return message if isinstance(message, dict) else None


def _asked(options: TurnOptions) -> dict[str, Any]:
    """The options as they mean the same from another working folder."""
    return {**asdict(options), "attach": [str(Path(one).absolute()) for one in options.attach]}


log = logging.getLogger(__name__)

_Options = TypeVar("_Options", TurnOptions, SyncOptions)


class Link(Protocol):
    """The connection to the command."""

    async def receive(self) -> dict[str, Any] | None: ...

    def send(self, message: dict[str, Any]) -> None: ...

    def close(self) -> None: ...


async def serve_command(
    link: Link,
    services: Callable[[], Awaitable[AppServices]],
    environ: Mapping[str, str],
    *,
    named_backend: str | None = None,
    told: dict[str, ToldContext] | None = None,
) -> None:
    """Answers one command; raises nothing. `named_backend`: the one that the window was started with.

    `told`: what the last chat was told of the context, by its name. Those of others are dropped: they are told all.
    """
    try:
        if (hello := await link.receive()) is None or hello.get("protocol") != PROTOCOL:
            return
        nonce = secrets.token_hex(16)
        link.send({"protocol": PROTOCOL, "version": __version__, "nonce": nonce})
        request = await link.receive()
        if request is not None and (asked := _options(request, "sync", SyncOptions, "passphrase")) is not None:
            found = await services()
            link.send({"accepted": True})
            if await link.receive() == {"go": True}:
                await _run_sync(link, found, asked, str(request["passphrase"]))
            return
        options = _options(request, "ask", TurnOptions, "text")
        if request is None or options is None:
            return
        same = hmac.compare_digest(str(request.get("environment")), environment_digest(environ, nonce))
        found = await services()
        if not same or not await _answers_as_there(found, options, named_backend):
            link.send({"accepted": False})
            return
        link.send({"accepted": True})
        if await link.receive() == {"go": True}:
            context = _told_in({} if told is None else told, request.get("chat"), options)
            goes_on = request.get("goes_on") is True
            await _run(link, found, options, str(request["text"]), goes_on=goes_on, told=context)
    except Exception:
        log.exception("a command could not be answered")
    finally:
        link.close()


async def _answers_as_there(services: AppServices, options: TurnOptions, named_backend: str | None) -> bool:
    """Return True if the window has what answers: what it uses for new threads, unless it was itself told another."""
    if options.backend is not None:
        return True
    if options.thread is not None:
        try:
            if (await services.history.find_thread(options.thread)).backend is not None:
                return True
        except PlimsollError:
            return True  # that is what will be told
    default = services.preferences.settings.default_backend
    if default is None and named_backend is None:
        try:
            await services.chat.chooser.by_itself(at_window=True)
        except PlimsollError:
            return False  # a command may take the local model, which is never taken by the window itself
    return named_backend in (None, default)


def _told_in(told: dict[str, ToldContext], chat: object, options: TurnOptions) -> ToldContext:
    if not isinstance(chat, str):
        return ToldContext(alone=True)
    context = told.get(chat) or ToldContext(whole=options.full_context)
    told.clear()
    told[chat] = context
    return context


async def _run_sync(link: Link, services: AppServices, options: SyncOptions, passphrase: str) -> None:
    output = _output_to(link)
    try:
        status = await run_sync(services.sync, options, passphrase, output)
    except PlimsollError as error:
        output.tell(error.failure.message)
        status = EXIT_STATUS[error.failure.code]
    link.send({"status": status})


def _output_to(link: Link) -> Output:
    out, err = (cast("io.TextIOBase", _Stream(link, name)) for name in ("out", "err"))
    return Output(cast("Any", out), cast("Any", err), plain=True)


async def _run(
    link: Link, services: AppServices, options: TurnOptions, text: str, *, goes_on: bool, told: ToldContext
) -> None:
    interruption, output = Interruption(), _output_to(link)
    unsaved = UnsavedAnswers(output, json=options.json)
    unsubscribe = services.announcements.subscribe(unsaved.hear)
    listening = asyncio.ensure_future(_listen(link, interruption))
    try:
        asking = ask(
            services,
            options,
            text,
            output,
            interruption,
            unsaved=unsaved,
            goes_on=goes_on,
            told=told,
            on_thread=lambda thread_id: link.send({"thread": thread_id}),
        )
        status = unsaved.status(await interruption.run(asking))
    except PlimsollError as error:
        status = tell_failure(error.failure, options.thread if goes_on else None, output, json=options.json)
    except Exception:
        log.exception("a command's turn failed")
        output.tell("An error in Plimsoll ended this command; what was stored before is safe. A report is in the logs.")
        status = BUG
    finally:
        listening.cancel()
        unsubscribe()
    link.send({"status": status})


async def _listen(link: Link, interruption: Interruption) -> None:
    """Takes the command's wish to stop. One that has gone wishes nothing: its answer is seen in the window."""
    while (message := await link.receive()) is not None:
        if isinstance(status := message.get("stop"), int):
            interruption.wish(status)


class _Stream(io.TextIOBase):
    """Sends what is written."""

    def __init__(self, link: Link, name: str) -> None:
        self._link = link
        self._name = name

    def write(self, text: str) -> int:
        self._link.send({self._name: text})
        return len(text)

    def isatty(self) -> bool:
        return False  # the command itself knows what its streams are


def _options(request: Any, key: str, kind: type[_Options], beside: str) -> _Options | None:
    """The options that a request names under `key`, with a text `beside` them; None where it is none of ours."""
    if not isinstance(request, dict) or not isinstance(request.get(beside), str):
        return None
    try:
        return from_plain(kind, request.get(key))
    except ValueError:
        return None
