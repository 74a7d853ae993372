"""Settings: read with their faults named, written one by one without touching what else stands in the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_app.controller.ports import Announcements
from desktop_app.controller.preferences import ModelOverrides, Preferences, key_path
from desktop_app.core.errors import UserError
from desktop_app.core.events import Announcement, SettingsChanged
from desktop_app.core.model_catalog import ModelOverride
from tests.controller.world import NoKeys

WRITTEN = """\
# my settings
[context]
soft_limit = 100000  # enough for me
"""


@pytest.fixture
def heard() -> list[Announcement]:
    return []


@pytest.fixture
def secrets() -> NoKeys:
    return NoKeys()


@pytest.fixture
def preferences(tmp_path: Path, secrets: NoKeys, heard: list[Announcement]) -> Preferences:
    announcements = Announcements()
    announcements.subscribe(heard.append)
    (tmp_path / "settings.toml").write_text(WRITTEN)
    return Preferences(tmp_path / "settings.toml", secrets, announcements)


def test_the_file_is_read_at_once(preferences: Preferences) -> None:
    assert preferences.settings.context.soft_limit == 100_000
    assert preferences.problems == ()


def test_no_file_means_defaults(tmp_path: Path) -> None:
    made = Preferences(tmp_path / "none.toml", NoKeys(), Announcements())
    assert made.settings.context.soft_limit == 150_000
    assert not (tmp_path / "none.toml").exists()


async def test_a_value_is_written_and_the_comments_stay(preferences: Preferences, heard: list[Announcement]) -> None:
    await preferences.set_value("backends.anthropic.model", "claude-opus-5-5")
    await preferences.set_value("context.max_turns", 40)
    text = preferences.path.read_text()
    assert text.startswith("# my settings\n[context]\nsoft_limit = 100000  # enough for me\n")
    assert preferences.settings.backend("anthropic").model == "claude-opus-5-5"
    assert preferences.settings.context.max_turns == 40
    assert heard == [SettingsChanged(()), SettingsChanged(())]
    assert preferences.path.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in preferences.path.parent.iterdir()] == ["settings.toml"]


async def test_none_takes_a_value_out(preferences: Preferences) -> None:
    await preferences.set_value("context.soft_limit", None)
    await preferences.set_value("backend.default", None)
    assert preferences.settings.context.soft_limit == 150_000
    assert "# my settings" in preferences.path.read_text()


async def test_a_model_id_with_dots_is_quoted(preferences: Preferences) -> None:
    overrides = ModelOverrides(lambda: preferences.settings)
    assert overrides.get("gpt-4.1") is None
    await preferences.set_value('models."gpt-4.1".window', 64_000)
    assert dict(overrides) == {"gpt-4.1": ModelOverride(window=64_000)}
    assert key_path('models."gpt-4.1".window') == ("models", "gpt-4.1", "window")


@pytest.mark.parametrize(
    ("key", "value"), [("context.softlimit", 1), ("context.soft_limit", "much"), ("a b", 1), ("context", 3)]
)
async def test_what_is_no_setting_is_not_written(preferences: Preferences, key: str, value: str | int) -> None:
    with pytest.raises(UserError) as caught:
        await preferences.set_value(key, value)
    assert caught.value.failure.code == "config"
    assert preferences.path.read_text() == WRITTEN


async def test_a_file_with_an_error_is_left_as_it_is(preferences: Preferences, heard: list[Announcement]) -> None:
    preferences.path.write_text("[context\nsoft_limit = 1")
    with pytest.raises(UserError, match=r"settings\.toml"):
        await preferences.set_value("context.max_turns", 40)
    assert preferences.path.read_text() == "[context\nsoft_limit = 1"
    await preferences.reload()
    assert "line 1" in preferences.problems[0]
    assert heard == [SettingsChanged(preferences.problems)]


async def test_keys_go_to_the_keyring_only(preferences: Preferences, secrets: NoKeys) -> None:
    changes: list[str] = []
    preferences.on_change(lambda: changes.append("changed"))
    await preferences.set_key("anthropic", " sk-ant-REDACTED\n")
    assert secrets.keyring == {"anthropic": "sk-ant-REDACTED"}
    assert "sk-ant-REDACTED" not in preferences.path.read_text()
    await preferences.set_key("anthropic", "")
    assert secrets.keyring == {}
    assert changes == ["changed", "changed"]


async def test_what_stands_in_the_file_is_told_apart_from_the_default(preferences: Preferences) -> None:
    assert await preferences.written("context.soft_limit") == 100_000
    assert await preferences.written("context.max_turns") is None
    assert await preferences.written("backends.anthropic.model") is None
    preferences.path.write_text("[context]\nsoft_limit = 'many'\nmax_turns = 0\n")
    assert await preferences.written("context.soft_limit") is None
    assert await preferences.written("context.max_turns") == 0
    preferences.path.write_text("[context\n")
    assert await preferences.written("context.max_turns") is None
    with pytest.raises(UserError, match="not a setting"):
        await preferences.written("context.nonsense")


async def test_several_values_are_written_in_one_step(preferences: Preferences, heard: list[Announcement]) -> None:
    await preferences.set_values({"shortcuts.find": ["F8", "F9"], "shortcuts.quote": "", "context.max_turns": 40})
    assert preferences.settings.shortcuts == {"find": ("F8", "F9"), "quote": ()}
    assert preferences.settings.context.max_turns == 40
    assert heard == [SettingsChanged(())]
    assert await preferences.written("shortcuts.find") == ["F8", "F9"]
    await preferences.set_values({"shortcuts.find": None, "shortcuts.quote": None})
    assert preferences.settings.shortcuts == {}


async def test_of_several_values_none_is_written_where_one_is_wrong(preferences: Preferences) -> None:
    before = preferences.path.read_text()
    with pytest.raises(UserError):
        await preferences.set_values({"shortcuts.find": "F8", "context.max_turns": "many"})
    assert preferences.path.read_text() == before


async def test_another_name_is_read_changed_and_taken_out(preferences: Preferences) -> None:
    preferences.path.write_text("[context]\nmax_conversation_messages = 40\n")
    await preferences.reload()
    assert await preferences.written("context.max_messages") == 40
    await preferences.set_value("context.max_messages", 50)
    assert preferences.settings.context.max_messages == 50
    assert preferences.problems == ()
    preferences.path.write_text("[context]\nmax_conversation_messages = 40\n")
    await preferences.set_value("context.max_messages", None)
    assert preferences.settings.context.max_messages == 0
    await preferences.set_value("context.max_conversation_messages", 60)
    assert "max_messages = 60" in preferences.path.read_text()


@pytest.mark.parametrize("name", ["backends.openai.base_url", "backends.anthropic.base_url", "backends.openai.servers"])
async def test_no_password_gets_into_the_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / "settings.toml"
    preferences = Preferences(path, NoKeys(), Announcements())
    address = "https://bot:hunter22@gateway.example/v1"
    with pytest.raises(UserError, match="password or key"):
        await preferences.set_value(name, [address] if name.endswith("servers") else address)
    assert not path.exists()


async def test_a_password_that_somebody_wrote_there_is_used_and_named(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    address = "https://bot:hunter22@gateway.example/v1"
    path.write_text(f'[backends.openai]\nbase_url = "{address}"\nservers = ["{address}"]\n')
    preferences = Preferences(path, NoKeys(), Announcements())
    assert preferences.settings.backend("openai").base_url == address
    (problem,) = preferences.problems
    assert "[backends.openai]" in problem
    assert "hunter22" not in problem
    await preferences.set_value("backends.openai.servers", [address, "http://127.0.0.1:1/v1"])
    path.write_text('[backends.openai]\nbase_url = "ftp://bot:hunter22@gateway.example/v1"\n')
    await preferences.reload()
    assert "hunter22" not in " ".join(preferences.problems)
