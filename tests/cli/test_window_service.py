"""What a window answers to a command: only well-formed requests run, and only where they mean the same there."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from desktop_app.cli.options import TurnOptions
from desktop_app.cli.turn_printer import ToldContext
from desktop_app.cli.window_runs import PROTOCOL, environment_digest, serve_command
from desktop_app.composition import AppServices, compose
from desktop_app.controller.server_keys import key_entry
from tests.fakes.memory_secrets import MemorySecrets
from tests.servers.chat_api import ChatApi

ENVIRON = {"PATH": "", "ANTHROPIC_API_KEY": "sk-ant-secret"}
HELLO = {"protocol": PROTOCOL}


class Told:
    """A command that sends these messages; None: it goes away. A request gets the digest of its environment."""

    def __init__(self, *messages: dict[str, Any] | None, environ: dict[str, str] | None = None) -> None:
        self._messages = list(messages)
        self._environ = ENVIRON if environ is None else environ
        self.sent: list[dict[str, Any]] = []
        self.closed = False

    async def receive(self) -> dict[str, Any] | None:
        if not self._messages:
            await asyncio.Event().wait()
        if (message := self._messages.pop(0)) is not None and "ask" in message:
            return {**message, "environment": environment_digest(self._environ, self.sent[0]["nonce"])}
        return message

    def send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)

    def close(self) -> None:
        self.closed = True


def request(**options: Any) -> dict[str, Any]:
    asked = {**json.loads(json.dumps(asdict(TurnOptions(backend="scripted")))), **options}
    return {"ask": asked, "text": "hello"}


@pytest_asyncio.fixture
async def services(tmp_path: Path) -> AsyncIterator[AppServices]:
    made = await compose(tmp_path / "data", environ=ENVIRON, interactive=True, secrets=MemorySecrets())
    yield made
    await made.close()


async def serve(
    link: Told,
    services: AppServices,
    named: str | None = None,
    told: dict[str, ToldContext] | None = None,
    environ: dict[str, str] | None = None,
) -> list[dict[str, Any]]:
    async def found() -> AppServices:
        return services

    await serve_command(link, found, ENVIRON if environ is None else environ, named_backend=named, told=told)
    assert link.closed
    assert "secret" not in str(link.sent)
    return link.sent


async def test_a_request_runs_when_it_is_told_to_go(services: AppServices) -> None:
    hello, accepted, *printed, status = await serve(Told(HELLO, request(), {"go": True}), services)
    assert (hello["protocol"], accepted, status) == (PROTOCOL, {"accepted": True}, {"status": 0})
    assert "hello" in "".join(one.get("out", "") for one in printed)
    assert len(await services.history.threads()) == 1


async def test_the_turns_of_a_chat_are_told_what_changed(services: AppServices) -> None:
    told: dict[str, ToldContext] = {}
    thread: str | None = None
    lines = []
    for number, chat in enumerate(("a", "a", "b", "a", "a")):
        asked = {**request(json=True, thread=thread), "goes_on": number > 0, "chat": chat}
        sent = await serve(Told(HELLO, asked, {"go": True}), services, told=told)
        thread = next(one["thread"] for one in sent if "thread" in one)
        printed = [json.loads(line) for line in "".join(one.get("out", "") for one in sent).splitlines()]
        lines.append(next(line for line in printed if line["type"] == "context"))
    # only the chat that asked last is remembered
    assert [line["since"] for line in lines] == [None, lines[0]["line"], None, None, lines[3]["line"]]
    assert [len(line["messages"]) for line in lines[2:4]] == [4, 6]
    assert list(told) == ["a"]


@pytest.mark.parametrize(
    "messages",
    [
        ({"protocol": PROTOCOL + 1}, request(), {"go": True}),
        (HELLO, None),
        (HELLO, {"ask": [], "text": "x"}, {"go": True}),
        (HELLO, request(thread=7), {"go": True}),
        (HELLO, request(attach=[7]), {"go": True}),
        (HELLO, request(unknown=1), {"go": True}),
        (HELLO, {"ask": request()["ask"], "text": None}, {"go": True}),
        (HELLO, request(), None),
        (HELLO, request(), {"go": False}),
    ],
)
async def test_what_is_no_request_runs_nothing(
    services: AppServices, messages: tuple[dict[str, Any] | None, ...]
) -> None:
    await serve(Told(*messages), services)
    assert await services.history.threads() == ()


@pytest.mark.parametrize(
    ("environ", "options", "named"),
    [
        ({**ENVIRON, "ANTHROPIC_API_KEY": "another"}, {}, None),
        ({**ENVIRON, "https_proxy": "http://127.0.0.1:1"}, {}, None),
        (ENVIRON, {"backend": None}, "scripted"),
    ],
)
async def test_what_another_would_answer_is_declined(
    services: AppServices, environ: dict[str, str], options: dict[str, Any], named: str | None
) -> None:
    sent = await serve(Told(HELLO, request(**options), environ=environ), services, named)
    assert sent[1:] == [{"accepted": False}]


async def test_a_command_that_names_none_gets_what_the_window_uses_for_new_threads(tmp_path: Path) -> None:
    """The key is in the window's memory alone, and nothing in the settings is the default."""
    with ChatApi() as api:
        data = tmp_path / "data"
        data.mkdir()
        (data / "settings.toml").write_text(f'[backends.openai]\nbase_url = "{api.url}"\n')
        secrets = MemorySecrets()
        bare = {"PATH": ""}
        services = await compose(data, environ=bare, interactive=True, secrets=secrets)
        try:
            await secrets.set(key_entry("openai", api.url), "sk-memory")
            thread = await services.chat.new_thread()
            for options in ({}, {"thread": thread.id}):
                link = Told(HELLO, request(**{"backend": None, **options}), {"go": True}, environ=bare)
                sent = await serve(link, services, environ=bare)
                assert (sent[1], sent[-1]) == ({"accepted": True}, {"status": 0}), sent
            assert {one.headers["authorization"] for one in api.answers} == {"Bearer sk-memory"}
        finally:
            await services.close()


async def test_a_window_that_has_nothing_for_new_threads_leaves_the_command_alone(tmp_path: Path) -> None:
    bare = {"PATH": ""}
    services = await compose(tmp_path / "data", environ=bare, interactive=True, secrets=MemorySecrets())
    sent = await serve(Told(HELLO, request(backend=None), environ=bare), services, environ=bare)
    await services.close()
    assert sent[1:] == [{"accepted": False}]


def test_the_folder_and_the_language_make_no_difference() -> None:
    there = {**ENVIRON, "LANG": "de_DE.UTF-8", "PLIMSOLL_HOME": "/elsewhere", "TERM": "dumb"}
    assert environment_digest(ENVIRON, "n") == environment_digest(there, "n")
    assert environment_digest(ENVIRON, "n") != environment_digest(ENVIRON, "m")
