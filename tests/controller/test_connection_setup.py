"""Servers are found, tried and taken over the real wire; a key is only ever sent where it was meant to go."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from desktop_app.backends.openai.openai_client import preset_at
from desktop_app.composition import AppServices, compose
from desktop_app.controller import connections
from desktop_app.core.errors import PlimsollError
from desktop_app.core.messages import TextPart
from tests.backends.small_model import needed, small_model
from tests.fakes.memory_secrets import MemorySecrets
from tests.servers.chat_api import ChatApi
from tests.servers.messages_api import HttpError, MessagesApi, NoReply

HTML = {"content-type": "text/html"}


@pytest.fixture
async def api() -> AsyncIterator[ChatApi]:
    async with ChatApi() as server:
        yield server


@asynccontextmanager
async def composed(
    folder: Path, environ: Mapping[str, str] | None = None, keys: Mapping[str, str] | None = None
) -> AsyncIterator[AppServices]:
    around = dict(environ or {})
    services = await compose(folder, environ=around, secrets=MemorySecrets(around, keys), interactive=True)
    services.connections.look_at = ()
    try:
        yield services
    finally:
        await services.close()


@pytest.fixture
async def services(tmp_path: Path) -> AsyncIterator[AppServices]:
    async with composed(tmp_path / "data") as made:
        yield made


def closed_port() -> str:
    """The address of a port where nobody listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{one.getsockname()[1]}/v1"


async def refused(services: AppServices, address: str, key: str = "") -> tuple[str, str]:
    with pytest.raises(PlimsollError) as caught:
        await services.connections.try_server(address, key)
    return caught.value.failure.code, caught.value.failure.message


async def test_the_servers_of_this_computer_that_answer_are_found(services: AppServices, api: ChatApi) -> None:
    api.keyed = False
    async with ChatApi() as other, MessagesApi() as stranger:
        other.script(HttpError(404, headers=HTML, body=b"<html>"), path="/v1/models")
        services.connections.look_at = (
            ("Ollama", api.url),
            ("LM Studio", closed_port()),
            ("llama.cpp", other.url),
            ("Stranger", stranger.root),
        )
        found = await services.connections.found_here()
    assert [(server.name, server.address) for server in found] == [("Ollama", api.url)]
    assert [model.id for model in found[0].models] == ["test-model"]


async def test_no_key_is_shown_to_a_port_that_is_only_looked_at(tmp_path: Path, api: ChatApi) -> None:
    async with composed(tmp_path / "data", {"OPENAI_API_KEY": "sk-environment"}) as services:
        services.connections.look_at = (("Ollama", api.url),)
        await services.connections.found_here()
    assert api.requests
    assert all("authorization" not in request.headers for request in api.requests)


@pytest.mark.parametrize("named", ["", "http://127.0.0.1:9/v1"])
async def test_no_byte_of_a_key_of_the_environment_goes_to_another_address(tmp_path: Path, named: str) -> None:
    environ = {"OPENAI_API_KEY": "sk-environment", "ANTHROPIC_API_KEY": "sk-environment"}
    if named:
        environ |= {"OPENAI_BASE_URL": named, "ANTHROPIC_BASE_URL": named}
    async with ChatApi() as api, MessagesApi() as messages, composed(tmp_path / "data", environ) as services:
        api.keyed = False
        for address in (api.url, api.root, api.root.removeprefix("http://"), api.url.replace("127.0.0.1", "localhost")):
            await services.connections.try_server(address)
            await services.connection_states.test("openai", address)
        assert api.requests
        if not named:
            name = await services.connections.use_server(api.url)
            await services.preferences.set_value("backends.anthropic.base_url", messages.url)
            api.script(HttpError(302, headers={"location": f"{messages.url}/models"}), path="/v1/models")
            with pytest.raises(PlimsollError):
                await services.connections.try_server(api.url)
            await services.backends[name].models()
            thread = await services.chat.new_thread(backend=name)
            await services.chat.send(thread.id, (TextPart("hello"),))
            assert api.answers
            with pytest.raises(PlimsollError):
                await services.connection_states.test("anthropic")
            await services.backends["anthropic"].models()
            assert not messages.requests
            assert not (await services.backends["anthropic"].availability()).ok
            states = {one.backend: one for one in await services.connection_states.all()}
            assert (states[name].key_source, states["anthropic"].key_source) == ("", "")
            await services.connection_states.set_key("anthropic", "", "sk-of-this-address")
            await services.connection_states.test("anthropic")
            assert messages.requests
        for request in (*api.requests, *messages.requests):
            assert "environment" not in f"{request}", "a recorded request has its headers and its body"


async def test_an_address_works_without_its_scheme_and_its_path(services: AppServices, api: ChatApi) -> None:
    server = await services.connections.try_server(api.root.removeprefix("http://") + "/")
    assert server.address == api.url
    assert [model.id for model in server.models] == ["test-model"]


async def test_what_is_wrong_with_a_server_is_said(services: AppServices, api: ChatApi) -> None:
    code, words = await refused(services, closed_port())
    assert (code, "Is the server running" in words) == ("network", True)
    api.script(HttpError(401, message="no"), HttpError(401, message="no"), path="/v1/models")
    assert "needs a key" in (await refused(services, api.url))[1]
    assert "does not accept this key" in (await refused(services, api.url, "sk-wrong"))[1]
    api.script(HttpError(200, headers=HTML, body=b"<html>Sign in</html>"), path="/v1/models")
    assert "did not answer as" in (await refused(services, api.url))[1]
    api.script(HttpError(200, headers={"content-type": "application/json"}, body=b'{"a": 1}'), path="/v1/models")
    assert "did not answer as" in (await refused(services, api.url))[1]
    assert "Correct the address" in (await refused(services, f"{api.root}/elsewhere"))[1]
    assert "not a web address" in (await refused(services, "ftp://127.0.0.1/v1"))[1]
    assert (await refused(services, "http://[bad"))[0] == "config"


async def test_a_silent_server_is_given_up(
    services: AppServices, api: ChatApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    await services.connections.try_server(api.url)  # the SDK is there
    monkeypatch.setattr(connections, "ANSWER_WAIT_S", 0.2)
    api.script(NoReply(), path="/v1/models")
    host = api.root.removeprefix("http://")
    words = "gave no answer in time. Check the network, then try again."
    assert await refused(services, api.url) == ("network", f"{host} {words}")


async def test_a_silent_provider_of_a_key_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with MessagesApi() as api, composed(tmp_path / "data", {"ANTHROPIC_BASE_URL": api.url}) as services:
        monkeypatch.setattr(connections, "ANSWER_WAIT_S", 0.2)
        api.script(NoReply(), path="/v1/models")
        with pytest.raises(PlimsollError, match="Anthropic gave no answer in time"):
            await services.connections.try_key("anthropic", "sk-ant-test")


async def test_what_is_taken_counts_at_once(services: AppServices, api: ChatApi, tmp_path: Path) -> None:
    api.models = [{"id": "one", "max_model_len": 16_000}, {"id": "two", "max_model_len": 8_000}]
    name = await services.connections.use_server(api.url, key="sk-for-this-server", model="two")
    chosen = await services.chat.chooser.choose(backend=name)
    assert (chosen.model.id, chosen.model.window) == ("two", 8_000)
    assert api.requests[-1].headers["authorization"] == "Bearer sk-for-this-server"
    text = (tmp_path / "data" / "settings.toml").read_text()
    assert api.url in text
    assert "sk-for-this-server" not in text
    assert await services.connections.use_server(api.url) == name
    assert (await services.chat.chooser.choose(backend=name)).model.id == "one"


async def test_a_key_stays_with_its_server(services: AppServices, api: ChatApi) -> None:
    await services.connections.use_server(api.url, key="sk-for-this-server")
    async with ChatApi() as other:
        other.keyed = False
        await services.backends[await services.connections.use_server(other.url)].models()
        await services.connections.try_server(other.url)
        assert other.requests
        assert all("authorization" not in request.headers for request in other.requests)
        assert await services.secrets.get("openai") is None
    name = await services.connections.use_server(api.url)
    await services.connections.try_server(api.url)
    assert api.requests[-1].headers["authorization"] == "Bearer sk-for-this-server"
    assert await services.secrets.get(name) == "sk-for-this-server"


async def test_a_key_kept_for_openai_goes_nowhere_else(tmp_path: Path, api: ChatApi) -> None:
    async with composed(tmp_path / "data", keys={"openai": "sk-openai"}) as services:
        assert await services.secrets.get("openai") == "sk-openai"
        await services.backends[await services.connections.use_server(api.url)].models()
        assert "authorization" not in api.requests[-1].headers


async def test_the_address_of_the_environment_comes_first(tmp_path: Path, api: ChatApi) -> None:
    environ = {"OPENAI_BASE_URL": api.url, "OPENAI_API_KEY": "sk-environment"}
    async with composed(tmp_path / "data", environ) as services:
        assert services.connections.address_of("openai") == api.url
        assert await services.connections.use_server("http://127.0.0.1:1/v1") != "openai"
        assert services.connections.address_of("openai") == api.url
        assert await services.connections.use_server(api.url) == "openai"
        await services.connections.try_server(api.url)
        assert api.requests[-1].headers["authorization"] == "Bearer sk-environment"


async def test_a_wrong_key_of_openai_is_not_hidden_by_the_list_known_here(
    services: AppServices, api: ChatApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_app.backends.openai.known_models.OPENAI", preset_at(api.url))
    api.script(HttpError(401), path="/v1/models")
    assert (await refused(services, api.url, "sk-wrong"))[0] == "auth"


async def test_the_model_to_begin_with(services: AppServices, api: ChatApi) -> None:
    api.models = [{"id": "one"}, {"id": "two"}]
    server = await services.connections.try_server(api.url)
    assert services.connections.usual_model(server) == "one"
    await services.connections.use_server(api.url, model="two")
    assert services.connections.usual_model(server) == "two"


async def test_a_key_for_anthropic_is_tried(tmp_path: Path) -> None:
    async with MessagesApi() as api, composed(tmp_path / "data", {"ANTHROPIC_BASE_URL": api.url}) as services:
        models = await services.connections.try_key("anthropic", " sk-ant-test\n")
        assert "claude-sonnet-5-5" in [model.id for model in models]
        assert any(value.endswith("sk-ant-test") for value in api.requests[-1].headers.values())
        api.script(HttpError(401), path="/v1/models")
        with pytest.raises(PlimsollError, match="does not accept this key"):
            await services.connections.try_key("anthropic", "sk-ant-wrong")
        assert await services.secrets.get("anthropic") is None
        assert not api.answers


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("sk-ant-api03-x", "Anthropic"),
        ("sk-proj-x", "OpenAI"),
        (f"sk-{'0aZ' * 16}", "OpenAI"),
        ("sk-of-my-own-server", ""),
        ("AIzaSyx", "Gemini"),
        ("sk-or-v1-x", "OpenRouter"),
        ("gsk_x", "Groq"),
        ("xai-x", "xAI"),
        (f"sk-{'0a' * 16}", ""),
        ("nobody-knows", ""),
    ],
)
def test_a_key_tells_its_service_or_has_it_asked_for(services: AppServices, key: str, name: str) -> None:
    service = services.connections.service_of(key)
    assert (service.name if service is not None else "") == name


async def test_a_port_is_only_knocked_at(api: ChatApi) -> None:
    assert await connections.is_listening(api.url)
    assert not await connections.is_listening(closed_port())
    assert not await connections.is_listening("http://[bad")
    assert api.requests == []


@pytest.mark.slow
@needed
async def test_the_real_llama_cpp_is_set_up_by_its_address(services: AppServices) -> None:
    async with small_model(1_024) as (address, key):
        assert "needs a key" in (await refused(services, address))[1]
        server = await services.connections.try_server(address, key)
        assert (server.address, len(server.models), server.models[0].window) == (f"{address}/v1", 1, 1_024)
        name = await services.connections.use_server(server.address, key=key)
        assert (await services.chat.chooser.choose(backend=name)).model.id == server.models[0].id


WITH_SECRETS = (
    "http://bot:hunter22@127.0.0.1:{port}/v1",
    "bot:hunter22@127.0.0.1:{port}",
    "http://hunter22@127.0.0.1:{port}/v1",
    "http://127.0.0.1:{port}/v1?api_key=hunter22",
)


@pytest.mark.parametrize("typed", WITH_SECRETS)
async def test_an_address_with_a_password_is_refused_before_anything_is_sent(
    services: AppServices, api: ChatApi, typed: str
) -> None:
    address = typed.format(port=api.root.rpartition(":")[2])
    code, message = await refused(services, address)
    assert code == "config"
    assert "password or key" in message
    assert "hunter22" not in message
    with pytest.raises(PlimsollError, match="password or key"):
        await services.connections.use_server(address, model="test-model")
    assert api.requests == []
    assert not services.paths.settings.exists() or "hunter22" not in services.paths.settings.read_text()
