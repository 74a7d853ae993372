"""Lists of models: asked for once, kept for later runs, never waited for where one is at hand."""

from __future__ import annotations

import asyncio
import json
import stat
from collections.abc import AsyncIterator, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.backends.anthropic_backend import AnthropicBackend
from desktop_app.backends.backend_protocol import Backend
from desktop_app.backends.openai.openai_backend import OpenAiBackend
from desktop_app.backends.scripted_backend import ScriptedBackend
from desktop_app.controller.model_selection import MOST_KEPT, ModelList, ModelLists, read_lists, write_list
from desktop_app.controller.ports import Clock
from desktop_app.core.errors import PlimsollError
from desktop_app.core.model_catalog import ModelInfo, ModelOverride, shipped_models
from tests.backends.openai.backends import backend_for as openai_for
from tests.controller.world import HandClock
from tests.patience import PATIENCE_S
from tests.servers.chat_api import ChatApi
from tests.servers.messages_api import HttpError, MessagesApi, NoReply

PATH = "/v1/models"
STAMP = "2026-11-22T10:00:00.000Z"


@pytest.fixture
async def api() -> AsyncIterator[MessagesApi]:
    async with MessagesApi() as running:
        yield running


class Run:
    """One run of the app over the same file."""

    def __init__(self, url: str, path: Path, clock: Clock, *, read_only: bool = False, key: str | None = "k") -> None:
        async def ask() -> str | None:
            return key

        self.anthropic = AnthropicBackend(
            key=ask,
            base_url=url,
            timeout_s=5,
            overrides={"claude-opus-5-5": ModelOverride(window=77_000)},
            has_key=lambda: True,
        )
        self.scripted = ScriptedBackend(script=None)
        backends: dict[str, Backend] = {"anthropic": self.anthropic, "scripted": self.scripted}
        self.book = ModelLists(backends, path, clock=clock, read_only=read_only)

    async def __aenter__(self) -> Run:
        await self.book.load()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.book.close()
        await self.anthropic.close()


def asked(api: MessagesApi | ChatApi) -> int:
    return sum(request.path == PATH for request in api.requests)


def ids(models: Sequence[Any]) -> list[str]:
    return [model.id for model in models]


async def test_a_list_is_asked_for_once_and_known_in_the_next_run(api: MessagesApi, tmp_path: Path) -> None:
    path, clock = tmp_path / "models.json", HandClock()
    api.models = [api.models[0], {**api.models[1], "id": "claude-new-7", "max_input_tokens": 600_000}]
    async with Run(api.url, path, clock) as first:
        assert first.book.known(first.anthropic) == ()
        listed = await first.book.list(first.anthropic)
        assert await first.book.list(first.anthropic) == listed
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    async with Run(api.url, path, clock) as second:
        known = second.anthropic.model("claude-new-7")
        assert (known.window, known.window_source) == (600_000, "provider")
        assert second.anthropic.model("claude-opus-5-5").window == 77_000
        assert second.book.known(second.anthropic) == tuple(listed)
        assert await second.book.list(second.anthropic) == tuple(listed)
    assert asked(api) == 1
    # the user's own words are not written down as the provider's
    assert {model.window for model in read_lists(path)[0].models} == {1_000_000, 600_000}


async def test_an_old_list_serves_at_once_and_is_asked_for_meanwhile(api: MessagesApi, tmp_path: Path) -> None:
    path, clock = tmp_path / "models.json", HandClock()
    async with Run(api.url, path, clock) as first:
        before = await first.book.list(first.anthropic)
    clock.advance(hours=2)
    api.models = [{**api.models[0], "id": "claude-new-7"}]
    async with Run(api.url, path, clock) as second:
        assert await second.book.list(second.anthropic) == tuple(before)
        refreshing = [task for task in asyncio.all_tasks() if "list the models" in task.get_name()]
        assert len(refreshing) == 1
        assert await second.book.list(second.anthropic) == tuple(before)  # and not twice at once
        await asyncio.wait(refreshing)
        assert ids(await second.book.list(second.anthropic)) == ["claude-new-7"]
    assert asked(api) == 2
    assert ids(read_lists(path)[0].models) == ["claude-new-7"]


async def test_a_provider_that_is_away_leaves_the_list_as_it_was(api: MessagesApi, tmp_path: Path) -> None:
    path, clock = tmp_path / "models.json", HandClock()
    async with Run(api.url, path, clock) as first:
        before = await first.book.list(first.anthropic)
    clock.advance(days=400)
    api.script(HttpError(500), HttpError(401), path=PATH)
    async with Run(api.url, path, clock) as second:
        assert await second.book.list(second.anthropic) == tuple(before)
        await asyncio.wait([task for task in asyncio.all_tasks() if "list the models" in task.get_name()])
        with pytest.raises(PlimsollError) as caught:
            await second.book.list(second.anthropic, fresh=True)
        assert caught.value.failure.code == "auth"
        assert second.book.known(second.anthropic) == tuple(before)


async def test_without_a_list_the_shipped_one_serves(api: MessagesApi, tmp_path: Path) -> None:
    api.script(HttpError(500), path=PATH)
    async with Run(api.url, tmp_path / "models.json", HandClock()) as run:
        assert ids(await run.book.list(run.anthropic)) == ids(shipped_models("anthropic"))
        assert ids(await run.book.list(run.scripted)) == ["scripted"]
        assert ids(await run.book.list(run.scripted, fresh=True)) == ["scripted"]
    assert not (tmp_path / "models.json").exists()


async def test_another_address_has_another_list(api: MessagesApi, tmp_path: Path) -> None:
    path = tmp_path / "models.json"
    async with Run(api.url, path, HandClock()) as first:
        await first.book.list(first.anthropic)
    async with Run("http://127.0.0.1:1", path, HandClock()) as second:
        assert second.book.known(second.anthropic) == ()
        assert second.anthropic.model("claude-opus-5").window_source == "shipped"


async def test_looking_writes_nothing(api: MessagesApi, tmp_path: Path) -> None:
    async with Run(api.url, tmp_path / "models.json", HandClock(), read_only=True) as run:
        await run.book.list(run.anthropic)
        assert run.book.known(run.anthropic)
    assert list(tmp_path.iterdir()) == []


async def test_closing_waits_for_nobody_who_is_silent(api: MessagesApi, tmp_path: Path) -> None:
    path, clock = tmp_path / "models.json", HandClock()
    async with Run(api.url, path, clock) as first:
        await first.book.list(first.anthropic)
    clock.advance(hours=2)
    api.script(NoReply(), path=PATH)
    before = asyncio.all_tasks()
    async with asyncio.timeout(PATIENCE_S), Run(api.url, path, clock) as second:
        await second.book.list(second.anthropic)
    assert asyncio.all_tasks() == before


@pytest.fixture
async def elsewhere(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[ChatApi, OpenAiBackend]]:
    """A server that is taken for one of another computer."""
    monkeypatch.setattr("desktop_app.backends.openai.openai_client.is_on_this_computer", lambda _: False)
    async with ChatApi() as api:
        backend = openai_for(api.url)
        yield api, backend
        await backend.close()


async def test_a_list_of_a_compatible_server(elsewhere: tuple[ChatApi, OpenAiBackend], tmp_path: Path) -> None:
    api, backend = elsewhere
    path = tmp_path / "models.json"
    api.models = [{"id": "b", "context_length": 50_000}, {"id": "a", "context_length": 60_000}]
    book = ModelLists({"openai": backend}, path)
    await book.load()
    await book.list(backend)
    await book.close()
    again = openai_for(api.url)
    book = ModelLists({"openai": again}, path)
    assert again.default_model != "b"
    await book.load()
    assert (again.default_model, again.model("a").window) == ("b", 60_000)
    assert asked(api) == 1
    # what is asked for on purpose is asked for
    api.models = [{"id": "c", "context_length": 70_000}]
    assert ids(await book.list(again, fresh=True)) == ["c"]
    assert again.default_model == "c"
    await book.close()
    await again.close()


async def test_a_server_of_this_computer_that_is_not_started_keeps_its_models_windows(tmp_path: Path) -> None:
    """A thread of 127K of 200K lost ten messages to a window that was assumed to be 33K."""
    path = tmp_path / "models.json"
    async with ChatApi() as api:
        api.models = [{"id": "b", "context_length": 200_000}]
        backend = openai_for(api.url)
        book = ModelLists({"openai": backend}, path)
        await book.load()
        await book.list(backend)
        await book.close()
        again = openai_for(api.url)
        book = ModelLists({"openai": again}, path)
        await book.load()
        assert (again.model("b").window, again.model("b").window_source) == (200_000, "provider")
        assert again.default_model != "b", "it may serve another one now"
        api.models = [{"id": "c", "context_length": 100_000}]
        assert ids(await book.list(again)) == ["c"], "it is asked"
        assert again.default_model == "c"
        await book.close()
    for one in (backend, again):
        await one.close()


async def test_an_address_with_a_password_is_not_written(
    elsewhere: tuple[ChatApi, OpenAiBackend], tmp_path: Path
) -> None:
    api, _ = elsewhere
    secret = openai_for(api.url.replace("//", "//me:secret@"))
    anthropic = Run(api.root.replace("//", "//me:secret@"), tmp_path / "other.json", HandClock())
    book = ModelLists({"openai": secret, "anthropic": anthropic.anthropic}, tmp_path / "models.json")
    await book.load()
    assert await book.list(secret)
    assert anthropic.anthropic.list_address == ""
    await book.close()
    await secret.close()
    assert list(tmp_path.iterdir()) == []


def kept(address: str = "https://x.org", *, backend: str = "openai") -> ModelList:
    return ModelList(backend, address, STAMP, shipped_models("openai")[:2])


def test_every_fact_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "models.json"
    whole = replace(kept(), models=(*shipped_models("anthropic"), *shipped_models("openai"), *shipped_models("local")))
    write_list(path, whole)
    assert read_lists(path) == [whole]
    write_list(path, kept("https://y.org"))
    write_list(path, kept())
    assert [one.address for one in read_lists(path)] == ["https://x.org", "https://y.org"]


def test_only_so_many_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "models.json"
    for number in range(MOST_KEPT + 3):
        write_list(path, kept(f"https://{number}.org"))
    assert len(read_lists(path)) == MOST_KEPT
    assert read_lists(path)[0].address == f"https://{MOST_KEPT + 2}.org"


def test_a_list_of_another_version_is_none(tmp_path: Path) -> None:
    path = tmp_path / "models.json"
    write_list(path, kept())
    whole = json.loads(path.read_text())
    path.write_text(json.dumps(whole | {"version": "0.0.0"}))
    assert read_lists(path) == []


@pytest.mark.parametrize("text", ["", "[]", "{", "null", '{"version": 3}', "[" * 100_000, "\udcff"])
def test_a_file_that_is_none_holds_nothing(tmp_path: Path, text: str) -> None:
    path = tmp_path / "models.json"
    path.write_text(text, errors="surrogateescape")
    assert read_lists(path) == []
    write_list(path, kept())
    assert read_lists(path) == [kept()]


FIELDS = [field.name for field in fields(ModelInfo)]
odd: st.SearchStrategy[Any] = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 2), st.floats(), st.text(max_size=3), st.just([1]), st.just({})
)


@given(st.sampled_from(FIELDS), odd)
def test_a_fact_that_is_none_takes_its_model_away_or_is_true(
    tmp_path_factory: pytest.TempPathFactory, name: str, value: Any
) -> None:
    path = tmp_path_factory.mktemp("kept") / "models.json"
    write_list(path, kept())
    whole = json.loads(path.read_text())
    whole["lists"][0]["models"][0][name] = value
    path.write_text(json.dumps(whole))
    (found,) = read_lists(path)
    assert len(found.models) in (1, 2)
    assert all(model.window > 0 and isinstance(model.id, str) for model in found.models)


def test_a_folder_that_can_not_be_written_is_no_error(tmp_path: Path) -> None:
    write_list(tmp_path / "nowhere" / "models.json", kept())
    assert list(tmp_path.iterdir()) == []
