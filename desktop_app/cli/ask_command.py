"""`ask` and `chat`: where their messages come from. How a turn runs and prints is `turn`'s."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from typing import Any

from desktop_app.cli.command_process import DONE, EXIT_STATUS, Interruption, Output
from desktop_app.cli.json_shapes import error_shape
from desktop_app.cli.options import FEWEST_TOKENS, ChatOptions, TurnOptions
from desktop_app.cli.turn_printer import (
    ToldContext,
    UnsavedAnswers,
    attached,
    run_turn,
    tell_of_folders,
    tell_of_limit,
    thread_for,
)
from desktop_app.composition import AppServices
from desktop_app.controller.running_turn import INTERRUPTED
from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.messages import Failure, Thread

STDIN = 0
CHUNK = 65_536


def read_message(text: str | None, output: Output) -> str:
    """The message for `ask`, from standard input for None and "-". `UserError("usage")` if empty or not UTF-8."""
    if text is None or text == "-":
        if sys.stdin is None:
            raise UserError("usage", "There is no message: standard input is closed. Give TEXT.")
        if sys.stdin.isatty():
            output.tell("Type the message; Ctrl+D on an empty line sends it.")
        text = _decoded(sys.stdin.buffer.read()).removesuffix("\n").removesuffix("\r")
    if not text.strip():
        raise UserError("usage", "The message is empty. Give TEXT, or write it to standard input.")
    return text


async def ask(
    services: AppServices,
    options: TurnOptions,
    text: str,
    output: Output,
    interruption: Interruption,
    *,
    unsaved: UnsavedAnswers,
    goes_on: bool = False,
    told: ToldContext | None = None,
    on_thread: Callable[[str], None] = lambda _: None,
) -> int:
    """Sends one message, prints the answer; the exit status. `goes_on`: a `chat` that was told of limit and `told`."""
    if options.first_tokens is not None and not options.attach:
        raise UserError("usage", "--first-tokens is of a document. Give --attach FILE with it.")
    options = _with_servers(services, options)
    files = await attached(services.attachments, options.attach, interruption, output, json=options.json)
    if files is None:
        return _stopped(options, output, interruption)
    thread = await thread_for(services, options)
    on_thread(thread.id)
    if options.thread is None and not options.json:
        output.tell(f"New thread {thread.id[:8]}")
    if not goes_on:
        await tell_of_limit(services, thread, output, json=options.json)
        await tell_of_folders(services, thread, output, json=options.json)
    return await run_turn(
        services,
        thread,
        options,
        text,
        attached=files,
        output=output,
        interruption=interruption,
        unsaved=unsaved,
        send_first=options.json and goes_on,
        told=told,
    )


def _with_servers(services: AppServices, options: TurnOptions) -> TurnOptions:
    """The options with the names of servers as they are written. `UserError("config")` where one is not there."""
    if not options.tools and not options.allow:
        return options
    find, parted = services.tool_servers.find, [one.partition("/") for one in options.allow]
    return replace(
        options,
        tools=tuple(find(one).name for one in options.tools),
        allow=tuple(f"{find(server).name}/{tool}" for server, _, tool in parted),
    )


@dataclass
class ChatInput:
    """The lines of a `chat`, and how far it has come: `waiting` was read and is still to be sent."""

    lines: AsyncIterator[bytes]
    queue: asyncio.Queue[bytes | None]
    waiting: bytes | None = None
    status: int = DONE

    @classmethod
    def of_standard_input(cls, interruption: Interruption) -> ChatInput:
        """Begins to read."""
        queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        return cls(_lines(queue, interruption), queue)

    async def each(self) -> AsyncIterator[bytes]:
        """The lines that hold something."""
        if self.waiting is not None:
            line, self.waiting = self.waiting, None
            yield line
        async for line in self.lines:
            if line.strip():
                yield line


async def chat(
    services: AppServices,
    options: ChatOptions,
    given: ChatInput,
    output: Output,
    interruption: Interruption,
    *,
    unsaved: UnsavedAnswers,
) -> int:
    """Sends each line and prints each answer until the input ends; the status of the last error, if there was one."""
    turn = _with_servers(services, options.turn)
    files = await attached(services.attachments, turn.attach, interruption, output, json=turn.json)
    if files is None:
        return _stopped(turn, output, interruption)
    thread: Thread | None = None
    if turn.thread is not None:
        thread = await thread_for(services, turn)
        await tell_of_limit(services, thread, output, json=turn.json)
        await tell_of_folders(services, thread, output, json=turn.json)
    status = given.status
    ahead, turns, told = _Preparation(services), 0, ToldContext(whole=turn.full_context)
    async for line in given.each():
        try:
            text, named, first = message_of(line, json_line=turn.json)
            await services.chat.watch.look()  # what was deleted elsewhere is not sent, what was added is
            more = await attached(services.attachments, named, interruption, output, json=turn.json)
            if more is None:
                return _stopped(turn, output, interruption)
            if thread is None:
                thread = await thread_for(services, turn)
                if not turn.json:
                    output.tell(f"New thread {thread.id[:8]}")
                await tell_of_limit(services, thread, output, json=turn.json)
                await tell_of_folders(services, thread, output, json=turn.json)
        except PlimsollError as error:
            status = tell_failure(error.failure, thread.id if thread is not None else None, output, json=turn.json)
            continue
        ended = await run_turn(
            services,
            thread,
            turn,
            text,
            attached=(*files, *more),
            first_tokens=first,
            output=output,
            interruption=interruption,
            unsaved=unsaved,
            send_first=turn.json and turns > 0,
            told=told,
        )
        turns += 1
        files, status = (), ended or status
        if interruption.wished:
            break
        if given.queue.empty():
            ahead.start(thread.id)
    await ahead.stop()
    return status if interruption.status is None else interruption.status


def tell_failure(failure: Failure, thread_id: str | None, output: Output, *, json: bool) -> int:
    """Says why a line was not sent; the exit status."""
    if json:
        output.json(error_shape(failure, thread_id))
    else:
        output.tell(failure.message)
    return EXIT_STATUS[failure.code]


class _Preparation:
    """Makes the next request's way ready while its line is awaited; a line that comes meanwhile uses what is there."""

    def __init__(self, services: AppServices) -> None:
        self._services = services
        self._task: asyncio.Task[None] | None = None

    def start(self, thread_id: str) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._services.chat.prepare_backend(thread_id))

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})


def _stopped(options: TurnOptions, output: Output, interruption: Interruption) -> int:
    """The end of a command that was stopped while it read what was to be attached."""
    if options.json:
        output.json({"type": "done", "thread": None, "message": None, "stop_reason": INTERRUPTED, "context": None})
    else:
        output.tell("Interrupted; nothing was sent.")
    return interruption.status or EXIT_STATUS[INTERRUPTED]


def message_of(line: bytes, *, json_line: bool) -> tuple[str, tuple[str, ...], int | None]:
    """A line's message, the files it names, how many tokens of each are sent; `UserError("usage")` for what is none."""
    text = _decoded(line).rstrip("\r\n")
    if not json_line:
        return text, (), None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    message = value.get("text") if isinstance(value, dict) else None
    if not isinstance(message, str) or not message.strip():
        raise UserError("usage", 'Expected a line like {"text": "..."}; this one was not sent.')
    try:
        message.encode("utf-8")
    except UnicodeEncodeError:
        raise UserError("usage", "The text holds half of a surrogate pair; the line was not sent.") from None
    return message, _files_of(value), _first_tokens_of(value)


def _files_of(line: dict[str, Any]) -> tuple[str, ...]:
    files = line.get("attach") or ()
    if isinstance(files, list | tuple) and all(isinstance(file, str) and file for file in files):
        return tuple(files)
    raise UserError("usage", 'Expected "attach" to be a list of files, like ["a.pdf"]; the line was not sent.')


def _first_tokens_of(line: dict[str, Any]) -> int | None:
    first = line.get("first_tokens")
    if first is None or (isinstance(first, int) and not isinstance(first, bool) and first >= FEWEST_TOKENS):
        return first
    words = f'Expected "first_tokens" to be a number of at least {FEWEST_TOKENS}, like 40000; the line was not sent.'
    raise UserError("usage", words)


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UserError(
            "usage", f"The message is not UTF-8 text (byte {error.start + 1}). Nothing was sent; convert it first."
        ) from None


async def _lines(lines: asyncio.Queue[bytes | None], interruption: Interruption) -> AsyncIterator[bytes]:
    """The lines of standard input, queued in `lines`, until it ends (None) or somebody wishes to stop.

    Read in a thread that nobody waits for at the end, from the bare file descriptor: a buffered reader would keep its
    lock when the program ends while a line is awaited.
    """
    loop = asyncio.get_running_loop()

    def read() -> None:
        rest = b""
        while True:
            try:
                chunk = os.read(STDIN, CHUNK)
            except OSError:
                chunk = b""
            *whole, rest = (rest + chunk).split(b"\n")
            ended: list[bytes | None] = [] if chunk else [rest, None]
            try:
                for line in [*whole, *ended]:
                    loop.call_soon_threadsafe(lines.put_nowait, line)
            except RuntimeError:
                return  # the loop is closed: the command has ended before its input
            if not chunk:
                return

    threading.Thread(target=read, name="standard input", daemon=True).start()
    stop = asyncio.ensure_future(interruption.until_wished())
    try:
        while True:
            line = asyncio.ensure_future(lines.get())
            await asyncio.wait({line, stop}, return_when=asyncio.FIRST_COMPLETED)
            if not line.done():
                line.cancel()
                return
            if (got := line.result()) is None:
                return
            yield got
    finally:
        stop.cancel()
