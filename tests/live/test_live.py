"""`./dev live` against the loopback servers: all of their assumptions hold there, and a changed one is found."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

from tests.live import __main__ as live
from tests.live.chat_checks import ChatChecks
from tests.live.findings import checks_of
from tests.live.messages_checks import MessagesChecks
from tests.live.stand_in import chat_api, messages_api
from tests.servers import messages_api as wire
from tests.servers import messages_rules, prompt_cache, thinking_binding
from tests.servers.chat_api import ChatApi
from tests.servers.messages_api import Answer, CapturedRequest, HttpError, MessagesApi
from tests.servers.prompt_cache import Billing

KEYS = {"ANTHROPIC_API_KEY": "sk-ant-one", "OPENAI_API_KEY": "sk-two"}
LIVES = "A cache lives five minutes, and a request that reads it, with max_tokens 0 too, gives it five more."
SENT = ("--yes", "--cap", "0.50")


@pytest.fixture
def messages() -> Iterator[MessagesApi]:
    with messages_api() as api:
        yield api


@pytest.fixture
def chat() -> Iterator[ChatApi]:
    with chat_api() as api:
        yield api


def never(question: object) -> NoReturn:
    raise AssertionError(question)


def asked_of(api: MessagesApi, *options: str) -> int:
    """Asks the Messages API alone; time passes at once."""
    given = [*SENT, "--wait", "--only", "anthropic", "--anthropic-url", api.url, *options]
    return live.main(given, KEYS, never, api.clock.advance)


def verdicts(said: str) -> dict[str, list[str]]:
    """The assumptions by what became of them."""
    found: dict[str, list[str]] = {"pass": [], "FAIL": [], "unclear": []}
    for line in said.splitlines():
        verdict, _, words = line.strip().partition(" ")
        if verdict in found and line.startswith("  "):
            found[verdict].append(words.strip())
    return found


def test_every_assumption_holds_on_the_loopback_servers(
    messages: MessagesApi, chat: ChatApi, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--only", "anthropic", "--only", "openai", "--anthropic-url", messages.url, "--openai-url", chat.url)
    assert live.main([*SENT, "--wait", *options], KEYS, never, messages.clock.advance) == 0
    said = capsys.readouterr().out
    assert verdicts(said) == {"pass": [*checks_of(MessagesChecks), *checks_of(ChatChecks)], "FAIL": [], "unclear": []}
    assert f"{len(verdicts(said)['pass'])} hold, 0 do not, 0 unclear" in said
    # no key is said, to nobody but its own provider
    assert "sk-" not in said
    assert {request.headers.get("x-api-key") for request in messages.requests} == {"sk-ant-one", None}
    assert {request.headers.get("authorization") for request in chat.requests} == {"Bearer sk-two", None}


class _Unbilled(prompt_cache.PromptCache):
    """A cache that reads by itself what no mark wrote."""

    def bill(self, model: str, request: Any) -> Billing:
        return super().bill(model, [replace(block, mark="5m") for block in request])


def _reads_nothing(api: MessagesApi) -> None:
    bill = api.cache.bill

    def billed(model: str, request: Any) -> Billing:
        found = bill(model, request)
        return Billing(found.fresh, 0, found.written_5m + found.read, found.written_1h)

    api.cache.bill = billed  # type: ignore[method-assign]


def _writes_by_itself(api: MessagesApi) -> None:
    api.cache = _Unbilled(api.clock)


def _stops_otherwise(api: MessagesApi) -> None:
    api.default = lambda _: Answer("ok", stop_reason="stop_sequence")


def _counts_otherwise(api: MessagesApi) -> None:
    count = api.count_tokens
    api.count_tokens = lambda body: count(body) + 1  # type: ignore[method-assign]


def _served_by_another(api: MessagesApi) -> None:
    api.default = lambda _: Answer("ok", model="claude-sonnet-4-5")


def _fills_no_cache(api: MessagesApi) -> None:
    refusal = api.refusal

    def refused(request: CapturedRequest) -> HttpError | None:
        least = HttpError(400, message="max_tokens: Input should be greater than or equal to 1")
        return least if request.body.get("max_tokens") == 0 else refusal(request)

    api.refusal = refused  # type: ignore[method-assign]


def _overflows_in_other_words(api: MessagesApi) -> None:
    model = api.default
    assert callable(model)

    def worded(request: Any) -> Any:
        found = model(request)
        return HttpError(400, message="That is a lot.") if isinstance(found, HttpError) else found

    api.default = worded


@pytest.mark.parametrize(
    ("change", "fails"),
    [
        (_writes_by_itself, "Without a mark nothing is written."),
        (_counts_otherwise, "count_tokens says what usage says of the same request, and takes no max_tokens."),
        (_stops_otherwise, "An answer that is whole stops with end_turn."),
        (
            _served_by_another,
            "An answer names the model that gave it: the one that was asked for, with or without a date.",
        ),
        (_fills_no_cache, "With max_tokens 0 the cache is filled and kept, and nothing is answered."),
        (_fills_no_cache, LIVES),
        (_reads_nothing, "The same request again reads all that was written, and writes nothing."),
        (
            _overflows_in_other_words,
            "A request over the window is refused as too long, with its tokens and the most that is taken.",
        ),
    ],
)
def test_a_changed_assumption_is_found(
    messages: MessagesApi, capsys: pytest.CaptureFixture[str], change: Callable[[MessagesApi], None], fails: str
) -> None:
    change(messages)
    assert asked_of(messages) == 1
    assert fails in verdicts(capsys.readouterr().out)["FAIL"]


@pytest.mark.parametrize(
    ("where", "name", "value", "fails"),
    [
        (
            thinking_binding,
            "REFUSED",
            "messages.{message}.content.{block}: `{kind}` came from elsewhere",
            "Thinking behind another system prompt is refused as bound to a different conversation.",
        ),
        (
            wire,
            "ERROR_TYPES",
            {**wire.ERROR_TYPES, 401: "permission_error"},
            "Without a key the answer is a 401 of type authentication_error, with a request id.",
        ),
        (
            messages_rules,
            "TOP_LEVEL_KEYS",
            messages_rules.TOP_LEVEL_KEYS | {"unheard_of"},
            "A field that is not known is refused by its name.",
        ),
        (
            messages_rules,
            "TOP_LEVEL_KEYS",
            messages_rules.TOP_LEVEL_KEYS - {"diagnostics"},
            "diagnostics.previous_message_id is taken, and a changed system prompt is named as the reason of a miss.",
        ),
        (prompt_cache, "LIFETIME_S", {"5m": 240.0, "1h": 3600.0}, LIVES),
        (
            prompt_cache,
            "LIFETIME_S",
            {"5m": 300.0, "1h": 300.0},
            "A mark with ttl 1h is read after more than five minutes.",
        ),
        (
            prompt_cache,
            "least_tokens",
            lambda model: 1,
            "A prefix below the model's least number of tokens is not written.",
        ),
    ],
)
def test_only_the_changed_row_fails(  # noqa: PLR0917
    messages: MessagesApi,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    where: Any,
    name: str,
    value: object,
    fails: str,
) -> None:
    monkeypatch.setattr(where, name, value)
    assert asked_of(messages) == 1
    assert verdicts(capsys.readouterr().out)["FAIL"] == [fails]


def test_accounts_that_do_not_check_thinking_are_no_failure(
    messages: MessagesApi, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages.bindings, "violation", lambda body: None)
    assert asked_of(messages) == 0
    unclear = verdicts(capsys.readouterr().out)["unclear"]
    assert unclear == ["Thinking behind another system prompt is refused as bound to a different conversation."]


@pytest.mark.parametrize(
    ("change", "fails"),
    [
        ({"output_field": None}, "A model that thinks refuses max_tokens and names max_completion_tokens."),
        ({"usage_sent": "never"}, "The last chunk has the usage and no choices, where it was asked for."),
        (
            {"default": lambda _: Answer("ok", model="gpt-4o")},
            "Each chunk names the model that answers: the one that was asked for, with or without a date.",
        ),
        ({"keyed": False}, "Without a key the answer is a 401."),
    ],
)
def test_a_changed_chat_server_is_found(
    chat: ChatApi, capsys: pytest.CaptureFixture[str], change: dict[str, Any], fails: str
) -> None:
    for name, value in change.items():
        setattr(chat, name, value)
    assert live.main([*SENT, "--only", "openai", "--openai-url", chat.url], KEYS, never) == 1
    assert fails in verdicts(capsys.readouterr().out)["FAIL"]


def test_without_key_or_login_it_says_what_it_needs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nobody = {"PATH": str(tmp_path), "HOME": str(tmp_path)}
    assert live.main([], nobody, never) == 3
    said = capsys.readouterr().err
    assert all(word in said for word in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "claude"))


@pytest.mark.parametrize("typed", ["", "y", "yes", "0.5", "5.00"])
def test_nothing_is_sent_before_the_sum_is_typed(
    messages: MessagesApi, capsys: pytest.CaptureFixture[str], typed: str
) -> None:
    options = ["--only", "anthropic", "--anthropic-url", messages.url]
    assert live.main(options, KEYS, lambda _: typed) == 1
    assert messages.requests == []
    said = capsys.readouterr()
    assert "at most $0.50" in said.out
    assert "Nothing was sent." in said.err


def test_the_typed_sum_sends_them(messages: MessagesApi) -> None:
    asked: list[str] = []

    def typed(question: str) -> str:
        asked.append(question)
        return "0.70"

    assert live.main(["--only", "anthropic", "--anthropic-url", messages.url, "--cap", "0.7"], KEYS, typed) == 0
    assert asked == ["Type 0.70 to send them, anything else to stop: "]


@pytest.mark.parametrize("arguments", [["--yes"], ["--yes", "--cap", "0"], ["--cap", "100"], ["--cap", "much"]])
def test_no_accident_by_arguments(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        live.main(arguments, KEYS, never)
    assert ended.value.code == 2


def test_never_in_ci(messages: MessagesApi) -> None:
    options = [*SENT, "--only", "anthropic", "--anthropic-url", messages.url]
    assert live.main(options, {**KEYS, "CI": "true"}, never) == 2
    assert messages.requests == []


def test_no_call_is_made_that_could_pass_the_cap(messages: MessagesApi, capsys: pytest.CaptureFixture[str]) -> None:
    assert asked_of(messages, "--cap", "0.05") == 0
    unclear = verdicts(capsys.readouterr().out)["unclear"]
    assert unclear == ["A request over the window is refused as too long, with its tokens and the most that is taken."]
    assert max(len(request.raw) for request in messages.requests) < 100_000


def test_nobody_waits_who_did_not_ask_for_it(messages: MessagesApi, capsys: pytest.CaptureFixture[str]) -> None:
    options = [*SENT, "--only", "anthropic", "--anthropic-url", messages.url]
    assert live.main(options, KEYS, never, sleep=never) == 0
    unclear = verdicts(capsys.readouterr().out)["unclear"]
    assert unclear == [LIVES, "A mark with ttl 1h is read after more than five minutes."]


def test_a_key_that_is_refused_is_said(messages: MessagesApi, capsys: pytest.CaptureFixture[str]) -> None:
    messages.script(HttpError(401, message="invalid x-api-key"), path="/v1/models")
    assert asked_of(messages) == 1
    assert "Anthropic does not accept the key in ANTHROPIC_API_KEY." in capsys.readouterr().out
    assert messages.answers == []


@pytest.mark.slow
def test_the_real_program_against_the_loopback_server(
    messages: MessagesApi, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if (package := importlib.util.find_spec("claude_agent_sdk")) is None or package.origin is None:
        pytest.skip("claude_agent_sdk is not installed")
    program = Path(package.origin).parent / "_bundled" / "claude"
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "LANG": "C.UTF-8",
        "ANTHROPIC_BASE_URL": messages.url,
        "ANTHROPIC_API_KEY": "sk-one",
    }
    options = [*SENT, "--only", "claude", "--claude", str(program)]
    status = live.main(options, environ, never)
    said = capsys.readouterr().out
    assert status == 0, said
    assert len(verdicts(said)["pass"]) == 5
