"""Connections as they stand: keys told by their end, replaced, removed and tested; which one new threads use."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from desktop_app.composition import AppServices, compose
from desktop_app.controller.connections import ConnectionState
from desktop_app.controller.server_keys import key_entry
from desktop_app.core.backend_descriptors import BACKEND_NAMES
from desktop_app.core.errors import KeyringError, PlimsollError, UserError
from desktop_app.core.messages import TextPart
from tests.fakes.memory_secrets import LockedKeyring, MemorySecrets, NoKeyring
from tests.servers.chat_api import ChatApi
from tests.servers.messages_api import HttpError, MessagesApi

ANTHROPIC_KEY = "sk-ant-api03-kept-in-the-keyring-9wXy"


@asynccontextmanager
async def composed(
    folder: Path, environ: dict[str, str] | None = None, secrets: MemorySecrets | None = None
) -> AsyncIterator[AppServices]:
    around = {"PATH": "", "HOME": str(folder.parent), **(environ or {})}
    services = await compose(folder, environ=around, secrets=secrets or MemorySecrets(around), interactive=True)
    services.connections.look_at = ()
    try:
        yield services
    finally:
        await services.close()


async def state(services: AppServices, backend: str = "", address: str = "") -> ConnectionState:
    every = await services.connection_states.all()
    return next(one for one in every if one.backend == backend or (address and one.address == address))


async def test_a_stored_key_is_told_by_its_last_four_signs_alone(tmp_path: Path) -> None:
    secrets = MemorySecrets(keys={"anthropic": ANTHROPIC_KEY})
    async with composed(tmp_path / "data", secrets=secrets) as services:
        found = await state(services, "anthropic")
        assert (found.key_source, found.key_end, found.usable) == ("keyring", "9wXy", True)
        assert ANTHROPIC_KEY not in repr(found)
        await services.connection_states.set_key("anthropic", "", "short-key")
        assert (await state(services, "anthropic")).key_end == ""


async def test_a_key_is_replaced_and_what_is_asked_next_uses_it(tmp_path: Path) -> None:
    secrets = MemorySecrets(keys={"anthropic": ANTHROPIC_KEY})
    async with MessagesApi() as api:
        async with composed(tmp_path / "data", {"ANTHROPIC_BASE_URL": api.url}, secrets) as services:
            assert await services.connection_states.test("anthropic")
            await services.connection_states.set_key("anthropic", "", "sk-ant-another-key-0000")
            assert (await state(services, "anthropic")).key_end == "0000"
            await services.connection_states.test("anthropic")
        sent = [next(value for value in one.headers.values() if "sk-ant" in value) for one in api.requests]
        assert [value.rpartition(" ")[2] for value in sent] == [ANTHROPIC_KEY, "sk-ant-another-key-0000"]


async def test_a_key_is_removed_and_brought_back(tmp_path: Path) -> None:
    secrets = MemorySecrets(keys={"anthropic": ANTHROPIC_KEY})
    async with composed(tmp_path / "data", secrets=secrets) as services:
        await services.connection_states.use_for_new("anthropic")
        bring_back = await services.connection_states.remove("anthropic")
        found = await state(services, "anthropic")
        assert (found.key_source, found.usable) == ("", False)
        assert services.preferences.settings.default_backend is None
        await bring_back()
        assert (await state(services, "anthropic")).key_end == "9wXy"
        assert services.preferences.settings.default_backend == "anthropic"


async def test_a_key_of_the_environment_is_named_and_stays(tmp_path: Path) -> None:
    around = {"ANTHROPIC_API_KEY": "sk-ant-from-the-environment"}
    async with composed(tmp_path / "data", around, MemorySecrets(around)) as services:
        found = await state(services, "anthropic")
        assert (found.key_source, found.key_end) == ("environment", "ment")
        with pytest.raises(UserError, match="ANTHROPIC_API_KEY in the environment"):
            await services.connection_states.remove("anthropic")


async def test_a_locked_keyring_is_told_at_its_connection_and_loses_nothing(tmp_path: Path) -> None:
    secrets = LockedKeyring(keys={"anthropic": ANTHROPIC_KEY})
    async with ChatApi() as api, composed(tmp_path / "data", secrets=secrets) as services:
        api.keyed = False
        name = await services.connections.use_server(api.url)
        assert "Unlock it" in (await state(services, "anthropic")).keyring_problem
        for act in (
            services.connection_states.remove("anthropic"),
            services.connection_states.set_key("anthropic", "", "sk-new"),
            services.connection_states.test("anthropic"),
        ):
            with pytest.raises(PlimsollError, match="Unlock it"):
                await act
        await services.connection_states.remove(name, api.url)  # it has no key
        assert api.url not in {one.address for one in await services.connection_states.all()}
        secrets.locked = False
        assert (await state(services, "anthropic")).key_end == "9wXy"


async def test_every_server_that_was_set_up_stays_on_the_list_with_its_own_key(tmp_path: Path) -> None:
    secrets = MemorySecrets()
    async with ChatApi() as one, ChatApi() as two, composed(tmp_path / "data", secrets=secrets) as services:
        states = services.connection_states
        first = await services.connections.use_server(one.url, key="sk-for-the-first-1111")
        second = await services.connections.use_server(two.url, key="sk-for-the-second-2222")
        servers = [found for found in await states.all() if found.address]
        assert [(found.backend, found.address, found.key_end) for found in servers] == [
            (first, one.url, "1111"),
            (second, two.url, "2222"),
        ]
        await states.test(first, one.url)
        assert one.requests[-1].headers["authorization"] == "Bearer sk-for-the-first-1111"
        await states.use_for_new(second)
        assert (await services.chat.chooser.choose()).backend.name == second
        bring_back = await states.remove(first, one.url)
        assert [found.address for found in await states.all() if found.address] == [two.url]
        assert await secrets.get(f"openai@{one.root}") is None
        await bring_back()
        assert first in services.backends
        assert await secrets.get(f"openai@{one.root}") == "sk-for-the-first-1111"


async def test_each_thread_keeps_its_own_server_over_a_restart(tmp_path: Path) -> None:
    secrets = MemorySecrets()
    async with ChatApi() as one, ChatApi() as two:
        one.models, two.models = [{"id": "of-one"}], [{"id": "of-two"}]
        async with composed(tmp_path / "data", secrets=secrets) as services:
            first = await services.connections.use_server(one.url, key="sk-for-the-first-1111")
            second = await services.connections.use_server(two.url, key="sk-for-the-second-2222")
            threads = [await services.chat.new_thread(backend=name) for name in (first, second)]
            for thread in threads:
                await services.chat.send(thread.id, (TextPart("hello"),))
        async with composed(tmp_path / "data", secrets=secrets) as services:
            for thread in reversed(threads):
                await services.chat.send(thread.id, (TextPart("and again"),))
            rows = {(row.backend, row.model) for row in await services.history.ledger()}
        assert rows == {(first, "of-one"), (second, "of-two")}
    for api, key in ((one, "sk-for-the-first-1111"), (two, "sk-for-the-second-2222")):
        assert {request.headers["authorization"] for request in api.requests} == {f"Bearer {key}"}


async def test_a_changed_connection_keeps_its_threads_and_takes_no_key_elsewhere(tmp_path: Path) -> None:
    secrets = MemorySecrets()
    async with ChatApi() as one, ChatApi() as two, composed(tmp_path / "data", secrets=secrets) as services:
        one.models, two.models = [{"id": "of-one"}], [{"id": "of-two"}]
        two.keyed = False
        name = await services.connections.use_server(
            one.url, key="sk-for-the-first-1111", model="of-one", called="Dock"
        )
        thread = await services.chat.new_thread(backend=name, model="of-one")
        await services.chat.send(thread.id, (TextPart("hello"),))
        states = services.connection_states
        bring_back = await states.change(name, two.root, called="Quay")
        found = [(each.backend, each.name, each.address, each.key_end) for each in await states.all() if each.address]
        assert found == [(name, "Quay", two.url, "")]
        assert await secrets.get(f"openai@{one.root}") is None, "nothing could show it any more"
        await services.chat.send(thread.id, (TextPart("again"),))
        assert ["again" in str(api.answers[-1].body) for api in (one, two)] == [False, True]
        assert services.preferences.settings.backend(name).model == "of-two"
        assert (await services.history.thread(thread.id)).backend == name
        assert "1111" not in str([request.headers for request in two.requests])
        await bring_back()
        found = [(each.backend, each.name, each.address, each.key_end) for each in await states.all() if each.address]
        assert found == [(name, "Dock", one.url, "1111")]
        assert services.preferences.settings.backend(name).model == "of-one"


async def test_a_changed_key_or_address_is_tried_before_it_is_kept(tmp_path: Path) -> None:
    secrets = MemorySecrets()
    async with ChatApi() as api, composed(tmp_path / "data", secrets=secrets) as services:
        name = await services.connections.use_server(api.url, key="sk-good-1111")
        states = services.connection_states
        api.script(HttpError(401, message="no"), path="/v1/models")
        with pytest.raises(UserError, match="does not accept this key"):
            await states.change(name, api.url, key="sk-wrong-2222")
        with pytest.raises(PlimsollError, match="could not be reached"):
            await states.change(name, "http://127.0.0.1:9/v1")
        assert (services.connections.address_of(name), await secrets.get(f"openai@{api.root}")) == (
            api.url,
            "sk-good-1111",
        )
        await states.change(name, "http://127.0.0.1:9/v1", untested=True)
        assert services.connections.address_of(name) == "http://127.0.0.1:9/v1"
        asked = len(api.requests)
        await states.change(name, "http://127.0.0.1:9/v1", called="Night")
        assert len(api.requests) == asked, "a name is no matter of the server"


async def test_a_changed_connection_takes_neither_anothers_name_nor_its_key(tmp_path: Path) -> None:
    secrets = MemorySecrets()
    async with ChatApi() as one, ChatApi() as two, composed(tmp_path / "data", secrets=secrets) as services:
        first = await services.connections.use_server(one.url, key="sk-of-the-one-1111", called="Dock")
        second = await services.connections.use_server(two.url, key="sk-of-the-two-2222", called="Quay")
        states = services.connection_states
        with pytest.raises(UserError, match="Dock has this address already"):
            await states.change(second, one.url, called="dock")
        await states.change(second, one.url, key="sk-of-the-two-3333", called="Quay")
        found = [(each.backend, each.key_end) for each in await states.all() if each.address]
        assert found == [(first, "1111"), (second, "3333")]
        await states.test(second, one.url)
        assert one.requests[-1].headers["authorization"] == "Bearer sk-of-the-two-3333"


async def test_two_connections_of_one_address_have_names_and_keys_of_their_own(tmp_path: Path) -> None:
    secrets = MemorySecrets()
    async with ChatApi() as api:
        async with composed(tmp_path / "data", secrets=secrets) as services:
            mine = await services.connections.use_server(api.url, key="sk-of-mine-1111", called="Mine")
            work = await services.connections.use_server(api.url, key="sk-of-work-2222", called="Work")
            assert (mine, work) == ("mine", "work")
        async with composed(tmp_path / "data", secrets=secrets) as services:
            states = services.connection_states
            found = [(one.backend, one.name, one.key_end) for one in await states.all() if one.address]
            assert found == [("mine", "Mine", "1111"), ("work", "Work", "2222")]
            for name, key in ((mine, "sk-of-mine-1111"), (work, "sk-of-work-2222")):
                await states.test(name, api.url)
                assert api.requests[-1].headers["authorization"] == f"Bearer {key}"
                backend = services.chat.chooser.named(name.title()).name
                thread = await services.chat.new_thread(backend=backend)
                await services.chat.send(thread.id, (TextPart("hello"),))
                assert api.answers[-1].headers["authorization"] == f"Bearer {key}"
            assert {row.backend for row in await services.history.ledger()} == {mine, work}
            await services.connections.use_server(api.url, key="sk-of-work-3333", called="Work")
            bring_back = await states.remove(mine, api.url)
            assert [(one.name, one.key_end) for one in await states.all() if one.address] == [("Work", "3333")]
            await bring_back()
            assert [one.key_end for one in await states.all() if one.address] == ["1111", "3333"]


async def test_a_host_that_is_not_the_services_own_is_told(tmp_path: Path) -> None:
    around = {"ANTHROPIC_BASE_URL": "http://user:word@127.0.0.1:18901"}
    async with composed(tmp_path / "one", around) as services:
        hosts = {one.backend: one.host for one in await services.connection_states.all()}
        assert (hosts["anthropic"], hosts["claude-cli"]) == ("127.0.0.1:18901", ""), "no program would ask it"
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho '9.0.0 (Claude Code)'\n")
    program.chmod(0o700)
    async with composed(tmp_path / "with", {**around, "PLIMSOLL_CLAUDE": str(program)}) as services:
        hosts = {one.backend: one.host for one in await services.connection_states.all()}
        assert (hosts["anthropic"], hosts["claude-cli"]) == ("127.0.0.1:18901", "127.0.0.1:18901")
    async with composed(tmp_path / "two") as services:
        assert {one.host for one in await services.connection_states.all()} == {""}
        await services.preferences.set_value("backends.anthropic.base_url", "https://gateway.example/v1")
        assert (await state(services, "anthropic")).host == "gateway.example"


@pytest.mark.parametrize("file", ["", 'base_url = "{one}"\n'])
async def test_a_thread_of_a_removed_server_goes_to_no_other_until_it_is_added_again(tmp_path: Path, file: str) -> None:
    async with ChatApi() as one, ChatApi() as two:
        one.keyed = two.keyed = False
        (tmp_path / "data").mkdir()
        if file:  # the one address of earlier versions
            (tmp_path / "data" / "settings.toml").write_text(f"[backends.openai]\n{file.format(one=one.url)}")
        async with composed(tmp_path / "data") as services:
            name = await services.connections.use_server(one.url)
            assert (name == "openai") == bool(file)
            await services.connections.use_server(two.url)
            await services.connections.use_server("https://api.openai.com/v1", key="sk-of-openai-itself")
            thread = await services.chat.new_thread(backend=name)
            assert await services.connection_states.threads_of(name) == 1
            await services.connection_states.remove(name, one.url)
        async with composed(tmp_path / "data") as services:
            with pytest.raises(UserError, match="was removed"):
                await services.chat.chooser.choose(thread)
            await services.chat.send(thread.id, (TextPart("hello"),))
            assert [*one.answers, *two.answers] == []
            assert await services.connections.use_server(one.url) == name
            await services.chat.send(thread.id, (TextPart("hello"),))
            assert one.answers
            assert two.answers == []


async def test_the_addresses_of_earlier_versions_become_connections_of_their_own(tmp_path: Path) -> None:
    async with ChatApi() as one, ChatApi() as two:
        secrets = MemorySecrets(
            keys={"openai": "sk-own", f"openai@{one.root}": "sk-first", f"openai@{two.root}": "sk-second"}
        )
        (tmp_path / "data").mkdir()
        settings = tmp_path / "data" / "settings.toml"
        servers = ["https://api.openai.com/v1", one.url, two.url]
        settings.write_text(
            f'[backend]\ndefault = "openai"\n[backends.openai]\nbase_url = "{one.url}"\nmodel = "mine"\n'
            f"servers = {servers}\n"
        )
        async with composed(tmp_path / "data", secrets=secrets) as services:
            states = {found.address: found for found in await services.connection_states.all() if found.address}
            assert services.preferences.problems == ()
            assert {address: found.key_source for address, found in states.items()} == dict.fromkeys(servers, "keyring")
            chosen = await services.chat.chooser.choose()
            assert (chosen.backend.name, chosen.model.id) == (states[one.url].backend, "mine") == ("openai", "mine")
            await services.backends[states[two.url].backend].models()
            assert two.requests[-1].headers["authorization"] == "Bearer sk-second"
            names = {found.backend for found in states.values()}
        text = settings.read_text()
        async with composed(tmp_path / "data", secrets=secrets) as services:
            assert {one for one in services.backends if one == "openai" or one not in BACKEND_NAMES} == names
        assert settings.read_text() == text


async def test_a_connection_is_named_by_its_id_or_by_what_people_call_it(tmp_path: Path) -> None:
    async with composed(tmp_path / "data") as services:
        router = await services.connections.use_server("https://openrouter.ai/api/v1", key="sk-or-of-mine")
        own = await services.connections.use_server("https://models.example.com/v1", key="sk-of-the-house")
        assert (router, own) == ("openrouter", "models-example-com")
        await services.preferences.set_value(f"backends.{own}.name", "House")
        for typed, name in {"OpenRouter": router, "house": own, own: own}.items():
            assert (await services.chat.chooser.choose(backend=typed)).backend.name == name
        with pytest.raises(UserError, match="models-example-com, openai, openrouter"):
            await services.chat.chooser.choose(backend="nobody")


async def test_a_key_for_openai_is_kept_as_its_own_while_another_server_is_in_use(tmp_path: Path) -> None:
    secrets = MemorySecrets()
    async with ChatApi() as api, composed(tmp_path / "data", secrets=secrets) as services:
        await services.connections.use_server(api.url, key="sk-for-this-server-1111")
        await services.connections.use_server("https://api.openai.com/v1", key="sk-openai-own-2222")
        assert await secrets.get("openai") == "sk-openai-own-2222"
        assert await secrets.get(f"openai@{api.root}") == "sk-for-this-server-1111"


async def test_a_test_says_what_is_wrong(tmp_path: Path) -> None:
    secrets = MemorySecrets(keys={"anthropic": ANTHROPIC_KEY})
    async with MessagesApi() as api, composed(tmp_path / "data", {"ANTHROPIC_BASE_URL": api.url}, secrets) as services:
        api.script(HttpError(401), path="/v1/models")
        with pytest.raises(PlimsollError, match="does not accept this key"):
            await services.connection_states.test("anthropic")
        with pytest.raises(PlimsollError, match="claude"):
            await services.connection_states.test("claude-cli")


async def test_the_last_day_of_use_is_told(tmp_path: Path) -> None:
    async with ChatApi() as api, composed(tmp_path / "data") as services:
        api.keyed = False
        name = await services.connections.use_server(api.url)
        assert (await state(services, address=api.url)).last_used == ""
        thread = await services.chat.new_thread(backend=name)
        await services.chat.send(thread.id, (TextPart("hello"),))
        found = await state(services, address=api.url)
        assert found.last_used
        assert (await state(services, "anthropic")).last_used == ""


@pytest.mark.parametrize("environ", [{"OPENAI_API_KEY": "sk-environment-key"}, {}])
async def test_at_the_window_a_server_that_is_set_up_is_taken(tmp_path: Path, environ: dict[str, str]) -> None:
    async with ChatApi() as api, composed(tmp_path / "data", environ, MemorySecrets(environ)) as services:
        if not environ:
            with pytest.raises(UserError):
                await services.chat.chooser.choose(interactive=True)
        name = "openai" if environ else await services.connections.use_server(api.url)
        assert (await services.chat.chooser.choose(interactive=True)).backend.name == name


async def test_only_a_click_unlocks_the_keyring_and_a_key_may_be_stored_in_a_locked_one(tmp_path: Path) -> None:
    secrets = LockedKeyring(keys={"anthropic": ANTHROPIC_KEY})
    secrets.password = True
    async with (
        MessagesApi() as api,
        composed(tmp_path / "data", {"ANTHROPIC_BASE_URL": api.url}, secrets=secrets) as services,
    ):
        found = await state(services, "anthropic")
        assert (found.locked, found.key_source, secrets.locked) == (True, "", True)
        assert await services.connection_states.keyring_problem("anthropic") is None
        with pytest.raises(PlimsollError, match="Unlock it"):
            await services.chat.chooser.choose(None, interactive=True)
        await services.connection_states.unlock("anthropic")
        assert (await services.backends["anthropic"].availability()).ok, "the key it kept back was read"
        assert await services.connection_states.test("anthropic")
        found = await state(services, "anthropic")
        assert (found.locked, found.key_end, secrets.locked) == (False, "9wXy", False)


async def test_the_key_of_a_server_here_waits_for_its_keyring(tmp_path: Path) -> None:
    async with ChatApi() as api:
        secrets = LockedKeyring(keys={key_entry("openai", api.url): "sk-kept"})
        async with composed(tmp_path / "data", {"OPENAI_BASE_URL": api.url}, secrets=secrets) as services:
            found = next(one for one in await services.connection_states.all() if one.address)
            assert found.locked
            with pytest.raises(KeyringError):
                await services.connections.try_server(api.url)
            with pytest.raises(KeyringError):
                await services.connection_states.unlock()
            assert api.requests == []
            secrets.password = True
            await services.connection_states.unlock()
            found = next(one for one in await services.connection_states.all() if one.address)
            assert (found.locked, found.key_source) == (False, "keyring")


async def test_a_locked_keyring_that_tells_nothing_keeps_back_only_keys_that_were_saved_in_it(tmp_path: Path) -> None:
    """Some services tell nothing of what is in a locked collection."""
    secrets = LockedKeyring()
    secrets.tells, secrets.locked = False, False
    async with ChatApi() as api, ChatApi() as keyless, composed(tmp_path / "data", secrets=secrets) as services:
        keyless.keyed = False
        name = await services.connections.use_server(api.url, key="sk-of-this-server")
        assert services.preferences.settings.backend("openai").keyed == (api.url.removesuffix("/v1"),)
        secrets.locked = True
        with pytest.raises(KeyringError, match="Unlock it"):
            await services.backends[name].models()
        with pytest.raises(KeyringError, match="Unlock it"):
            await services.connections.try_server(api.url)
        with pytest.raises(KeyringError, match="Unlock it"):
            await services.connection_states.remove(name, api.url)
        assert (await state(services, address=api.url)).locked
        assert api.requests == []
        secrets.locked = False
        bring_back = await services.connection_states.remove(name, api.url)
        assert services.preferences.settings.backend("openai").keyed == ()
        await bring_back()
        assert services.preferences.settings.backend("openai").keyed
        secrets.locked = True
        assert await services.backends[await services.connections.use_server(keyless.url)].models()


async def test_a_server_whose_key_went_with_its_keyring_can_be_removed(tmp_path: Path) -> None:
    async with ChatApi() as api:
        async with composed(tmp_path / "data") as services:
            name = await services.connections.use_server(api.url, key="sk-of-this-server")
        async with composed(tmp_path / "data", secrets=NoKeyring()) as services:
            with pytest.raises(KeyringError, match="no keyring"):
                await services.backends[name].models()
            await services.connection_states.remove(name, api.url)
