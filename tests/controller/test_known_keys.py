"""Which keys are known, and under which name each server's key is kept."""

from __future__ import annotations

import pytest

from desktop_app.controller.server_keys import RememberedKeys, key_entry
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


@pytest.mark.parametrize(
    ("address", "is_given"),
    [
        (None, True),
        ("https://api.openai.com/v1", True),
        ("API.openai.com", True),
        ("https://api.openai.com:443/v1/", True),
        ("https://named.example:8443/other", True),
        ("http://api.openai.com/v1", False),
        ("https://api.openai.com:8443/v1", False),
        ("https://api.openai.com.example/v1", False),
        ("https://api.openai.com@evil.example/v1", False),
        ("https://evil.example/https://api.openai.com", False),
        ("https://evil.example\\@api.openai.com:1/v1", False),
        ("https://[bad", False),
        ("http://named.example:8443/v1", False),
        ("https://named.example/v1", False),
        ("http://127.0.0.1:8767/v1", False),
        (" ", False),
    ],
)
async def test_a_key_of_the_environment_is_for_the_provider_and_the_named_address(
    address: str | None, is_given: bool
) -> None:
    secrets = MemorySecrets({"OPENAI_API_KEY": "environment"})
    named = [key_entry("openai", "https://named.example:8443/v1")]
    keys = RememberedKeys(secrets, lambda backend: key_entry(backend, address), named=named)
    assert (await keys.get("openai"), keys.known("openai")) == ("environment" if is_given else None, is_given)
    if not is_given:
        await keys.set("openai", "own")
        assert await keys.get("openai") == "own"


async def test_a_locked_keyring_does_not_hide_the_environment() -> None:
    keys = RememberedKeys(LockedSecrets({"OPENAI_API_KEY": "environment"}))
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
