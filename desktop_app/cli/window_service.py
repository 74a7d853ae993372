"""Runs a command's turn in the window that is open, and sends the command what it prints.

What runs is the command's own code over the window's services, so both say the same; the window shows the turn as any
other of its own.
"""

from __future__ import annotations

import asyncio
import hmac
import io
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import fields
from typing import Any, Protocol, cast

from desktop_app import __version__
from desktop_app.cli.ask_command import ask, tell_failure
from desktop_app.cli.exit_codes import BUG
from desktop_app.cli.interruption import Interruption
from desktop_app.cli.options import TurnOptions
from desktop_app.cli.output import Output
from desktop_app.cli.turn_printer import ToldContext, UnsavedAnswers
from desktop_app.cli.window_protocol import PROTOCOL, environment_digest
from desktop_app.composition import AppServices
from desktop_app.core.errors import PlimsollError

log = logging.getLogger(__name__)

_TEXT = (str, type(None))
_TYPES: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(("thread", "backend", "model", "system", "project"), _TEXT),
    **dict.fromkeys(("json", "send_anyway", "full_context"), (bool,)),
    "attach": (list,),
    "first_tokens": (int, type(None)),
}


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
        hello = await link.receive()
        if hello is None or hello.get("protocol") != PROTOCOL:
            return
        nonce = secrets.token_hex(16)
        link.send({"protocol": PROTOCOL, "version": __version__, "nonce": nonce})
        request = await link.receive()
        options = _options(request)
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
    """Return True if the window chooses the same backend as the command would, which has no person to ask."""
    if options.backend is not None:
        return True
    if options.thread is not None:
        try:
            if (await services.history.find_thread(options.thread)).backend is not None:
                return True
        except PlimsollError:
            return True  # that is what will be told
    default = services.preferences.settings.default_backend
    return options.project is None and default is not None and named_backend in (None, default)


def _told_in(told: dict[str, ToldContext], chat: object, options: TurnOptions) -> ToldContext:
    if not isinstance(chat, str):
        return ToldContext(alone=True)
    context = told.get(chat) or ToldContext(whole=options.full_context)
    told.clear()
    told[chat] = context
    return context


async def _run(
    link: Link, services: AppServices, options: TurnOptions, text: str, *, goes_on: bool, told: ToldContext
) -> None:
    interruption = Interruption()
    out, err = (cast("io.TextIOBase", _Stream(link, name)) for name in ("out", "err"))
    output = Output(cast("Any", out), cast("Any", err), plain=True)
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


def _options(request: dict[str, Any] | None) -> TurnOptions | None:
    """The options that a request names; None where it is none of ours."""
    asked = request.get("ask") if request is not None else None
    if request is None or not isinstance(asked, dict) or not isinstance(request.get("text"), str):
        return None
    known = {field.name for field in fields(TurnOptions)}
    if set(asked) != known or not all(isinstance(asked[name], _TYPES[name]) for name in known):
        return None
    if not all(isinstance(one, str) for one in asked["attach"]):
        return None
    return TurnOptions(**{**asked, "attach": tuple(asked["attach"])})
