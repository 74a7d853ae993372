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


AT_ONCE = {"retry-after-ms": "1"}


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500])
def test_anthropic(plimsoll: Plimsoll, messages_api: MessagesApi, tmp_path: Path, status: int) -> None:
    plimsoll.environ |= {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": with_password(messages_api.url)}
    messages_api.script(*[HttpError(status, message=ECHO, headers=AT_ONCE)] * 4)
    failed = plimsoll("ask", "--backend", "anthropic", "--json", "Hello")
    assert failed.lines[-1]["type"] == "error"
    assert messages_api.answers
    assert found_secrets(failed.out + failed.err) == []
    assert_nothing_leaked(plimsoll, tmp_path, ("doctor", "--json"), ("threads", "--json"), ("models", "--json"))


@pytest.mark.parametrize("status", [400, 401, 404, 429])
def test_chat_completions(plimsoll: Plimsoll, chat_api: ChatApi, tmp_path: Path, status: int) -> None:
    plimsoll.environ |= {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": with_password(chat_api.url)}
    chat_api.script(*[HttpError(status, message=ECHO, headers=AT_ONCE)] * 4)
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


AWS = "AKIA" + "Q7R2" * 4
TOKEN = "ghp_" + "a1B2" * 9


@pytest.mark.parametrize("backend", ["anthropic", "openai"])
def test_a_secret_of_the_user_does_not_leave_and_that_is_said(
    plimsoll: Plimsoll, messages_api: MessagesApi, chat_api: ChatApi, tmp_path: Path, backend: str
) -> None:
    api = messages_api if backend == "anthropic" else chat_api
    plimsoll.environ |= {f"{backend.upper()}_API_KEY": KEY, f"{backend.upper()}_BASE_URL": api.url}
    model = () if backend == "anthropic" else ("--model", "test-model")
    settings = tmp_path / ".env"
    settings.write_text(f"AWS_ACCESS_KEY_ID={AWS}\n")
    asked = plimsoll("ask", "--backend", backend, *model, "--attach", str(settings), f"What is {TOKEN}?")
    assert asked.status == 0, asked.err
    assert "Removed before sending: an AWS key in .env and 1 more\n--allow-secret lets it leave.\n" in asked.err
    again = plimsoll("ask", "--backend", backend, *model, "--json", f"What is {TOKEN}?")
    assert [line["message"] for line in again.of("notice") if line["code"] == "secret"] == [
        "Removed before sending: a GitHub token"
    ]
    bodies = [request.raw.decode() for request in api.requests]
    assert any("What is [removed]?" in body for body in bodies)
    assert any("AWS_ACCESS_KEY_ID=[removed]" in body for body in bodies)
    for said in (*bodies, asked.out, asked.err, again.out, again.err):
        assert AWS not in said
        assert TOKEN not in said
    thread = again.of("context")[0]["thread"]
    request = plimsoll("context", thread, "--request", "--draft", f"And {TOKEN}?")
    assert request.status == 0, request.err
    assert TOKEN not in request.out


def test_a_secret_leaves_with_one_threads_requests_where_it_is_let_go(
    plimsoll: Plimsoll, messages_api: MessagesApi, tmp_path: Path
) -> None:
    plimsoll.environ |= {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": messages_api.url}
    asked = plimsoll("ask", "--backend", "anthropic", "--json", "--allow-secret", f"What is {TOKEN}?")
    assert (asked.status, asked.of("notice")) == (0, []), asked.err
    assert TOKEN in messages_api.requests[-1].raw.decode()
    thread = asked.of("context")[0]["thread"]
    assert plimsoll("ask", "--thread", thread, f"And {AWS}?").status == 0
    body = messages_api.requests[-1].raw.decode()
    assert (TOKEN in body, AWS in body) == (True, False)
    assert plimsoll("ask", "--backend", "anthropic", f"What is {TOKEN}?").status == 0
    assert TOKEN not in messages_api.requests[-1].raw.decode()


def test_a_secret_in_a_document_of_a_project_does_not_leave(plimsoll: Plimsoll, tmp_path: Path) -> None:
    notes = tmp_path / "notes.md"
    notes.write_text(f"The pipeline's token is {TOKEN}.\n")
    assert plimsoll("project", "create", "Shop").status == 0
    assert plimsoll("project", "add", "Shop", str(notes), "--always").status == 0
    asked = plimsoll("ask", "--project", "Shop", "Which token?")
    assert asked.status == 0, asked.err
    assert "Removed before sending: a GitHub token in notes.md\n" in asked.err
    assert TOKEN not in asked.out + asked.err
