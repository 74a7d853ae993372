"""A gateway that echoes what it was given: no key and no password reaches the history, an export or the screen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command import Plimsoll
from tests.servers.chat_api import ChatApi
from tests.servers.messages_api import Answer, HttpError, MessagesApi

KEY = "gw_7f3a9c1e55b2d8"
PASSWORD = "correct-horse-battery"
PARAMETER = "p4r4m3t3r-k3y"


@pytest.fixture
def messages_api() -> Iterator[MessagesApi]:
    with MessagesApi() as running:
        yield running


@pytest.fixture
def chat_api() -> Iterator[ChatApi]:
    with ChatApi() as running:
        yield running


def with_password(url: str) -> str:
    return url.replace("http://", f"http://bot:{PASSWORD}@")


def found_secrets(text: str) -> list[str]:
    return [secret for secret in (KEY, PASSWORD, PARAMETER) if secret in text]


def files_with_secrets(folder: Path) -> list[str]:
    found = []
    for path in folder.rglob("*"):
        if path.is_file() and any(secret.encode() in path.read_bytes() for secret in (KEY, PASSWORD, PARAMETER)):
            found.append(path.name)
    return found


ECHO = f"key {KEY} with bot:{PASSWORD} is not known here"


def assert_nothing_leaked(plimsoll: Plimsoll, tmp_path: Path, *runs: tuple[str, ...]) -> None:
    for run in runs:
        done = plimsoll(*run)
        assert found_secrets(done.out + done.err) == [], run
    export = tmp_path / "export.json"
    assert plimsoll("export", "--all", "--format", "json", "--output", str(export)).status == 0
    assert found_secrets(export.read_text()) == []
    assert files_with_secrets(plimsoll.folder) == []


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500])
def test_anthropic(plimsoll: Plimsoll, messages_api: MessagesApi, tmp_path: Path, status: int) -> None:
    plimsoll.environ |= {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": with_password(messages_api.url)}
    messages_api.script(*[HttpError(status, message=ECHO)] * 4)
    failed = plimsoll("ask", "--backend", "anthropic", "--json", "Hello")
    assert failed.lines[-1]["type"] == "error"
    assert messages_api.answers
    assert found_secrets(failed.out + failed.err) == []
    assert_nothing_leaked(plimsoll, tmp_path, ("doctor", "--json"), ("threads", "--json"), ("models", "--json"))


@pytest.mark.parametrize("status", [400, 401, 404, 429])
def test_chat_completions(plimsoll: Plimsoll, chat_api: ChatApi, tmp_path: Path, status: int) -> None:
    plimsoll.environ |= {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": with_password(chat_api.url)}
    chat_api.script(*[HttpError(status, message=ECHO)] * 4)
    failed = plimsoll("ask", "--backend", "openai", "--model", "test-model", "--json", "Hello")
    assert failed.lines[-1]["type"] == "error"
    assert chat_api.answers
    assert found_secrets(failed.out + failed.err) == []
    assert_nothing_leaked(plimsoll, tmp_path, ("doctor", "--json"), ("models", "--backend", "openai", "--json"))


@pytest.mark.parametrize("variable", ["ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"])
def test_a_key_in_an_address(plimsoll: Plimsoll, chat_api: ChatApi, tmp_path: Path, variable: str) -> None:
    backend = variable.partition("_")[0].lower()
    plimsoll.environ |= {f"{backend.upper()}_API_KEY": KEY, variable: f"{chat_api.url}?key={PARAMETER}"}
    failed = plimsoll("ask", "--backend", backend, "--model", "some-model", "--json", "Hello")
    assert found_secrets(failed.out + failed.err) == []
    assert_nothing_leaked(plimsoll, tmp_path, ("doctor",), ("models", "--backend", backend))


def test_an_answer_that_says_the_key(plimsoll: Plimsoll, messages_api: MessagesApi, tmp_path: Path) -> None:
    plimsoll.environ |= {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": messages_api.url}
    messages_api.script(Answer(f"You sent me {KEY}, and that is all."))
    answered = plimsoll("ask", "--backend", "anthropic", "Hello")
    assert answered.status == 0
    assert "and that is all." in answered.out
    assert found_secrets(answered.out) == []
    assert_nothing_leaked(plimsoll, tmp_path)
