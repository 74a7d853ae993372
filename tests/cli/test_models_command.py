"""`plimsoll models`: whose models, with which facts, and what happens where the provider can't be asked."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator

import pytest

from tests.cli.command import Plimsoll
from tests.cli.conftest import Here
from tests.servers.chat_api import ChatApi
from tests.servers.messages_api import HttpError, MessagesApi

PATH = "/v1/models"


@pytest.fixture
def api() -> Iterator[MessagesApi]:
    with MessagesApi() as running:
        yield running


@pytest.fixture
def anthropic(here: Here, plimsoll: Plimsoll, api: MessagesApi) -> Here:
    plimsoll.environ |= {"ANTHROPIC_BASE_URL": api.url, "ANTHROPIC_API_KEY": "sk-ant-test"}
    return here


def columns(line: str) -> list[str]:
    return re.split(r" {2,}", line.strip())


def test_the_providers_list_as_json(anthropic: Here, api: MessagesApi) -> None:
    api.models = [{**api.models[0], "max_input_tokens": 900_000}, {**api.models[1], "id": "claude-new-7"}]
    listed = anthropic("models", "--backend", "anthropic", "--json")
    assert (listed.status, listed.err) == (0, "")
    assert listed.json == [
        {
            "id": "claude-opus-5-5",
            "name": "Claude Opus 5.5",
            "window": 900_000,
            "max_output": 128_000,
            "input_usd": 4,
            "output_usd": 20,
        },
        {
            "id": "claude-new-7",
            "name": "Claude Sonnet 5.5",
            "window": 1_000_000,
            "max_output": 128_000,
            "input_usd": None,
            "output_usd": None,
        },
    ]


def test_a_table_to_read(anthropic: Here, api: MessagesApi) -> None:
    api.models = [*api.models[1:3], {**api.models[1], "id": "claude-new-7", "max_input_tokens": None}]
    listed = anthropic("models", "--backend", "anthropic")
    head, names, *lines = listed.out.splitlines()
    assert (listed.status, head) == (0, "Anthropic (anthropic)")
    assert columns(names) == ["ID", "Name", "Window", "Maximum answer length", "Input", "Output"]
    assert columns(lines[0]) == ["claude-sonnet-5-5", "Claude Sonnet 5.5", "1,000,000", "128,000", "$2.00", "$10.00"]
    assert columns(lines[2])[2:] == ["32,768 assumed", "128,000", "-", "-"]
    assert lines[-1] == ("Above 100,000 tokens 5 times the input price and 5 times the output price: claude-haiku-5-5.")
    assert len({len(line) for line in (names, *lines[:3])}) == 1


def test_without_a_name_it_is_the_one_that_would_be_chosen(here: Here) -> None:
    listed = here("models")
    assert listed.out.splitlines()[0] == "Scripted (scripted), the default"
    listed = here("models", "--json")
    assert [model["id"] for model in listed.json] == ["scripted"]
    assert "scripted" in listed.err
    # on this computer nothing costs anything
    assert listed.json[0]["input_usd"] == 0.0


def test_the_users_own_window_and_what_an_overflow_taught(anthropic: Here, plimsoll: Plimsoll) -> None:
    (plimsoll.folder / "settings.toml").write_text('[models."claude-opus-5-5"]\nwindow = 50000\n')
    models = {model["id"]: model for model in anthropic("models", "--backend", "anthropic", "--json").json}
    assert (models["claude-opus-5-5"]["window"], models["claude-opus-5-5"]["max_output"]) == (50_000, 50_000)


@pytest.mark.parametrize(
    ("status", "exits", "words"),
    [(401, 5, "does not accept this key"), (500, 5, "internal error"), (529, 5, "overloaded")],
)
def test_a_provider_that_refuses(anthropic: Here, api: MessagesApi, status: int, exits: int, words: str) -> None:
    api.script(HttpError(status), path=PATH)
    listed = anthropic("models", "--backend", "anthropic", "--json")
    assert (listed.status, listed.out) == (exits, "")
    assert words in listed.err


def test_the_last_list_serves_where_the_provider_is_away(anthropic: Here, api: MessagesApi, plimsoll: Plimsoll) -> None:
    first = anthropic("models", "--backend", "anthropic", "--json")
    kept = plimsoll.folder / "models.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert "sk-ant-test" not in kept.read_text()
    api.script(HttpError(529), path=PATH)
    again = anthropic("models", "--backend", "anthropic", "--json")
    assert (again.status, again.json) == (0, first.json)
    assert "the last known list" in again.err
    # a key that is not accepted says nothing good of the list
    api.script(HttpError(401), path=PATH)
    assert anthropic("models", "--backend", "anthropic").status == 5


def test_a_gateway_that_lists_nothing(anthropic: Here, api: MessagesApi) -> None:
    api.script(*[HttpError(404)] * 2, path=PATH)
    listed = anthropic("models", "--backend", "anthropic", "--json")
    assert listed.status == 0
    assert {"claude-opus-5-5", "claude-haiku-4-5"} <= {model["id"] for model in listed.json}
    assert "does not list its models" in listed.err


def test_what_was_kept_is_known_to_the_next_plan_without_asking(anthropic: Here, api: MessagesApi) -> None:
    api.models = [{**api.models[1], "id": "claude-new-7", "max_input_tokens": 600_000}]
    assert anthropic("models", "--backend", "anthropic").status == 0
    api.requests.clear()
    asked = ("context", "--backend", "anthropic", "--model", "claude-new-7", "--draft", "x", "--json")
    plan = anthropic(*asked).json
    assert (plan["model"], plan["limits"]["window"]) == ("claude-new-7", 600_000)
    assert api.requests == []


def test_a_backend_that_is_not_there(here: Here, plimsoll: Plimsoll, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    plimsoll.environ["PLIMSOLL_CLAUDE"] = str(plimsoll.folder / "nowhere")
    for backend, words in (("nix", "no backend called"), ("anthropic", "no key"), ("claude-cli", "nowhere")):
        listed = here("models", "--backend", backend)
        assert (listed.status, listed.out) == (3, "")
        assert words in listed.err


def test_a_server_of_chat_completions(here: Here, plimsoll: Plimsoll) -> None:
    with ChatApi() as api:
        plimsoll.environ |= {"OPENAI_BASE_URL": api.url, "OPENAI_API_KEY": "sk-test"}
        api.models = [{"id": "mine", "context_length": 12_000}]
        (model,) = here("models", "--backend", "openai", "--json").json
        assert (model["id"], model["window"], model["input_usd"]) == ("mine", 12_000, 0.0)
        for status in (401, 404):
            api.script(HttpError(status, message="no"), path=PATH)
            listed = here("models", "--backend", "openai")
            assert (listed.status, listed.out) == (5, "")
