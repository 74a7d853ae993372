"""Which keys are known, and under which name each server's key is kept."""

from __future__ import annotations

import pytest

from desktop_app.controller.server_keys import RememberedKeys
from desktop_app.core.errors import UserError
from tests.fakes.memory_secrets import MemorySecrets


class LockedSecrets(MemorySecrets):
    """A keyring that can not be asked; the environment still can."""

    async def get(self, backend: str) -> str | None:
        if found := self.from_environment(backend):
            return found
        raise UserError("config", "The keyring is locked.")


async def test_a_key_counts_as_known_once_it_was_found() -> None:
    keys = RememberedKeys(MemorySecrets(keys={"anthropic": "a"}))
    assert not keys.known("anthropic")
    assert await keys.get("anthropic") == "a"
    assert keys.known("anthropic")
    await keys.delete("anthropic")
    assert not keys.known("anthropic")


async def test_each_server_has_its_own_key() -> None:
    at = "openai@http://one"
    keys = RememberedKeys(MemorySecrets(), lambda _: at)
    await keys.set("openai", "first")
    assert (await keys.get("openai"), keys.known("openai")) == ("first", True)
    at = "openai@http://two"
    assert (await keys.get("openai"), keys.known("openai")) == (None, False)
    at = "openai@http://one"
    assert await keys.get("openai") == "first"


async def test_a_servers_key_comes_before_that_of_the_environment() -> None:
    secrets = MemorySecrets({"OPENAI_API_KEY": "environment"})
    keys = RememberedKeys(secrets, lambda _: "openai@http://one")
    assert (await keys.get("openai"), keys.known("openai")) == ("environment", True)
    await keys.set("openai", "own")
    assert await keys.get("openai") == "own"


async def test_a_locked_keyring_does_not_hide_the_environment() -> None:
    keys = RememberedKeys(LockedSecrets({"OPENAI_API_KEY": "environment"}), lambda backend: f"{backend}@x")
    assert await keys.get("openai") == "environment"
    with pytest.raises(UserError):
        await keys.get("anthropic")


async def test_a_key_that_no_keyring_takes_is_held_in_memory_until_it_is_forgotten() -> None:
    keys = RememberedKeys(LockedSecrets())
    await keys.store("anthropic", "sk-held", unsaved=True)
    assert (await keys.get("anthropic"), keys.known("anthropic"), keys.is_unsaved("anthropic")) == (
        "sk-held",
        True,
        True,
    )
    with pytest.raises(UserError):
        await keys.check_keyring("anthropic")
    await keys.forget("anthropic")
    assert not keys.known("anthropic")
    with pytest.raises(UserError):
        await keys.get("anthropic")


async def test_a_key_that_is_stored_at_last_is_in_the_keyring_alone() -> None:
    secrets = MemorySecrets()
    keys = RememberedKeys(secrets)
    await keys.store("anthropic", "sk-held", unsaved=True)
    assert await secrets.get("anthropic") is None
    await keys.store("anthropic", "sk-stored")
    assert (await secrets.get("anthropic"), keys.is_unsaved("anthropic")) == ("sk-stored", False)
