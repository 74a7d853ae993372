"""The command with a server of chat completions: address and key from the environment or the settings."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.cli.command import Plimsoll
from tests.cli.conftest import Here
from tests.servers.chat_api import HELLO, ChatApi
from tests.servers.messages_api import Answer, Drop, HttpError, Think


@pytest.fixture
def api() -> Iterator[ChatApi]:
    with ChatApi() as running:
        yield running


@pytest.fixture
def asked(here: Here, plimsoll: Plimsoll, api: ChatApi) -> Here:
    """The command with the server's address and a key in the environment."""
    plimsoll.environ |= {"OPENAI_BASE_URL": api.url, "OPENAI_API_KEY": "sk-test"}
    return here


def test_an_answer_from_the_servers_own_first_model(asked: Here, api: ChatApi) -> None:
    done = asked("ask", "--backend", "openai", "Hello")
    assert (done.status, done.out.strip()) == (0, HELLO)
    (request,) = api.answers
    assert request.body["model"] == "test-model"
    assert request.body["messages"][-1] == {"role": "user", "content": "Hello"}
    assert api.violations == []


def test_what_context_shows_is_what_ask_sends(asked: Here, api: ChatApi) -> None:
    api.script(Answer(Think("hm"), "First answer"))
    first = asked("ask", "--backend", "openai", "--json", "--system", "Be brief.", "First").lines
    assert (first[-1]["type"], first[-1]["stop_reason"]) == ("done", "end_turn")
    thread = first[-1]["thread"]
    api.requests.clear()
    shown = asked("context", thread, "--draft", "Second", "--request", "--json").json["request"]
    assert api.answers == []
    asked("ask", "--thread", thread, "Second")
    assert api.answers[-1].body == shown
    assert [message["role"] for message in shown["messages"]] == ["system", "user", "assistant", "user"]
    assert shown["messages"][2]["content"] == "First answer"


def test_the_window_that_the_server_names_is_the_one_of_the_plan(asked: Here, api: ChatApi) -> None:
    api.models = [{"id": "small", "owned_by": "llamacpp", "meta": {"n_ctx": 8_192}}]
    plan = asked("context", "--backend", "openai", "--draft", "x", "--json").json
    assert (plan["model"], plan["limits"]["window"]) == ("small", 8_192)
    plan = asked("context", "--backend", "openai", "--model", "whatever", "--draft", "x", "--json").json
    assert (plan["model"], plan["limits"]["window"]) == ("whatever", 8_192)


def test_usage_and_a_failure_as_json(asked: Here, api: ChatApi) -> None:
    api.script(Answer("a", usage={"prompt_tokens": 50, "prompt_tokens_details": {"cached_tokens": 20}}))
    done = asked("ask", "--backend", "openai", "--json", "Hello")
    (usage,) = done.of("usage")
    assert (usage["input"], usage["cache_read"], usage["cost_usd"], usage["model"]) == (30, 20, 0.0, "test-model")
    api.script(Answer("Half", Drop()))
    lost = asked("ask", "--backend", "openai", "--json", "Hello")
    assert (lost.status, lost.text, lost.lines[-1]["code"]) == (5, "Half", "network")


@pytest.mark.parametrize(("status", "code"), [(401, "auth"), (404, "not_found"), (418, "backend")])
def test_errors_have_their_codes(asked: Here, api: ChatApi, status: int, code: str) -> None:
    api.script(HttpError(status))
    failed = asked("ask", "--backend", "openai", "--model", "test-model", "--json", "Hello")
    assert (failed.status, failed.lines[-1]["code"]) == (5, code)


def test_an_overflow_teaches_the_window_and_is_sent_once_more_and_shorter(asked: Here, api: ChatApi) -> None:
    api.script(*[Answer("word " * 800)] * 4)
    thread = asked("ask", "--backend", "openai", "--json", "word " * 800).lines[-1]["thread"]
    for _ in range(3):
        asked("ask", "--thread", thread, "word " * 800)
    message = "request (9031 tokens) exceeds the available context size (4096 tokens), try increasing it"
    api.script(HttpError(400, type="exceed_context_size_error", message=message))
    done = asked("ask", "--thread", thread, "And now?")
    assert (done.status, done.out.strip()) == (0, HELLO)
    refused, sent = api.answers[-2:]
    assert len(sent.raw) < len(refused.raw)


def test_the_address_of_the_settings_and_no_key(here: Here, plimsoll: Plimsoll, api: ChatApi) -> None:
    api.keyed = False
    settings = f'[backend]\ndefault = "openai"\n[backends.openai]\nbase_url = "{api.url}"\nmodel = "mine"\n'
    (plimsoll.folder / "settings.toml").write_text(settings)
    assert here("ask", "Hello").out.strip() == HELLO
    assert api.answers[0].body["model"] == "mine"
    assert "authorization" not in api.answers[0].headers


@pytest.mark.parametrize("named", ["Quay", "quay", "QUAY"])
def test_a_server_named_as_the_window_shows_it_is_the_one_that_is_asked(
    named: str, here: Here, plimsoll: Plimsoll, api: ChatApi
) -> None:
    """The thread took the name as it was typed: no backend is called so, and the default one was asked."""
    settings = '[backend]\ndefault = "scripted"\n[backends.quay]\nname = "Quay"\n'
    (plimsoll.folder / "settings.toml").write_text(f'{settings}base_url = "{api.url}"\nmodel = "mine"\n')
    api.keyed = False
    done = here("ask", "--backend", named, "--json", "Hello")
    assert (done.status, len(api.answers)) == (0, 1)
    (thread,) = here("threads", "--json").json
    assert thread["backend"] == "quay"


def test_without_key_and_address_it_says_what_to_do(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    failed = here("ask", "--backend", "openai", "--json", "Hello")
    assert failed.status == 3
    assert "OPENAI_API_KEY" in failed.lines[-1]["message"]


@pytest.mark.slow
def test_a_server_that_is_not_running_is_named(here: Here, plimsoll: Plimsoll) -> None:
    plimsoll.environ |= {"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}
    failed = here("ask", "--backend", "openai", "--json", "Hello")
    assert (failed.status, failed.lines[-1]["code"]) == (5, "network")
    assert "Is the server running at http://127.0.0.1:1/v1?" in failed.lines[-1]["message"]


def test_doctor_says_whether_anybody_listens_at_an_address_of_this_computer(
    here: Here, plimsoll: Plimsoll, api: ChatApi
) -> None:
    def found() -> tuple[bool, str]:
        check = next(one for one in here("doctor", "--json").json["checks"] if one["name"] == "backend openai")
        return check["ok"], check["detail"]

    address = plimsoll.environ["OPENAI_BASE_URL"] = api.url
    assert found() == (True, f"The server at {address} is used.")
    assert api.requests == []
    api.stop()
    assert found() == (False, f"Nothing listens at {address}. Start the server, or set another address.")
