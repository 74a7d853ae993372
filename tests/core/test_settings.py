"""settings.toml: every value, every way to get it wrong."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.settings import KEYS, Settings, find_key, parse_settings

EVERYTHING = """
[backend]
default = "claude-cli"
[backends.anthropic]
model = "claude-opus-5-5"
base_url = "http://127.0.0.1:8080"
timeout_s = 30
[backends.local]
model_path = "model.gguf"
[context]
soft_limit = 120_000
max_messages = 30
max_turns = 12
preserve_first_n = 2
preserve_last_n = 6
summarize_on_trim = true
idle_reset_minutes = 90
[models."some/model:8b"]
window = 40_000
max_output = 2_000
[appearance]
theme = "dark"
text_size = 13
reduced_motion = true
[composer]
enter_sends = false
[costs]
show_above_usd = 1
"""


def test_an_empty_file_gives_the_defaults() -> None:
    assert parse_settings("") == (Settings(), ())


def test_every_documented_key_is_read() -> None:
    settings, problems = parse_settings(EVERYTHING)
    assert problems == ()
    assert settings.default_backend == "claude-cli"
    assert settings.backend("anthropic").timeout_s == 30
    assert settings.backend("local").model_path == "model.gguf"
    assert settings.backend("openai").model is None
    assert (settings.context.soft_limit, settings.context.max_turns) == (120_000, 12)
    assert settings.models["some/model:8b"].window == 40_000
    assert (settings.appearance.theme, settings.appearance.text_size) == ("dark", 13)
    assert not settings.composer.enter_sends
    assert settings.costs.show_above_usd == 1


@pytest.mark.parametrize(
    ("text", "named", "allowed"),
    [
        ('[context]\nsoft_limit = "many"', "context.soft_limit", "whole number"),
        ("[context]\nsoft_limit = true", "context.soft_limit", "whole number"),
        ("[context]\nsoft_limit = 5", "context.soft_limit", "1,000"),
        ("[context]\nsoft_limit = 1.5e5", "context.soft_limit", "whole number"),
        ("[context]\nmax_messages = 1", "context.max_messages", "0 (off)"),
        ("[context]\nsummarize_on_trim = 1", "context.summarize_on_trim", "true or false"),
        ("[context.soft_limit]\nx = 1", "context.soft_limit", "whole number"),
        ('[backend]\ndefault = "gpt"', "backend.default", '"anthropic"'),
        ('[backends.anthropic]\nbase_url = "localhost"', "backends.anthropic.base_url", "http://"),
        ("[backends.anthropic]\ntimeout_s = nan", "backends.anthropic.timeout_s", "a number"),
        ("[backends.anthropic]\ntimeout_s = 0", "backends.anthropic.timeout_s", "from 1"),
        ('[models."a.b"]\nwindow = -1', 'models."a.b".window', "whole number"),
        ('[appearance]\ntheme = "blue"', "appearance.theme", '"dark"'),
        ("backend = 3", "backend", "table"),
        ("models = 3", "models", "tables"),
    ],
)
def test_a_wrong_value_is_named_with_what_is_allowed_and_the_default_is_used(
    text: str, named: str, allowed: str
) -> None:
    settings, problems = parse_settings(text)
    assert len(problems) == 1
    assert problems[0].startswith(named)
    assert allowed in problems[0]
    assert settings.context == Settings().context
    assert settings.appearance == Settings().appearance


def test_one_wrong_value_does_not_spoil_the_others() -> None:
    settings, problems = parse_settings('[context]\nsoft_limit = "x"\nmax_turns = 7')
    assert (len(problems), settings.context.max_turns) == (1, 7)


def test_a_syntax_error_is_named_by_its_line() -> None:
    settings, problems = parse_settings("[context]\nsoft_limit = 100000\nmax_turns = = 3\n")
    assert settings == Settings()
    assert "line 3" in problems[0]


def test_an_unknown_key_is_named_and_the_nearest_one_offered() -> None:
    _, problems = parse_settings("[context]\nsoft_limt = 100000")
    assert "context.soft_limt" in problems[0]
    assert "did you mean context.soft_limit" in problems[0]


def test_the_limit_of_messages_has_another_name() -> None:
    read, problems = parse_settings("[context]\nmax_conversation_messages = 40\n")
    assert (read.context.max_messages, problems) == (40, ())
    read, problems = parse_settings("[context]\nmax_conversation_messages = 40\nmax_messages = 30\n")
    assert read.context.max_messages == 30
    assert problems == (
        "context.max_conversation_messages is another name of context.max_messages, which is there too; 30 is used.",
    )
    read, problems = parse_settings("[context]\nmax_conversation_messages = 1\n")
    assert read.context.max_messages == 0
    assert problems[0].startswith(
        "context.max_conversation_messages is 1, but must be 0 (off) or a whole number from 2"
    )


def test_every_key_accepts_its_own_default_and_is_found() -> None:
    for key in KEYS:
        assert key.default is None or key.accepts(key.default), key.name
        assert find_key(tuple(key.name.replace("*", "anthropic").split("."))) is key


@given(st.text(max_size=60))
def test_no_text_makes_it_fail(text: str) -> None:
    settings, problems = parse_settings(text)
    assert isinstance(settings, Settings)
    try:
        tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError:
        assert len(problems) == 1


def test_keys_of_actions_are_texts_lists_or_none() -> None:
    settings, problems = parse_settings('[shortcuts]\nfind = "Ctrl+F"\ngo_to = ["F8", " F9 "]\nquote = ""\nquit = []\n')
    assert problems == ()
    assert settings.shortcuts == {"find": ("Ctrl+F",), "go_to": ("F8", "F9"), "quote": (), "quit": ()}


@pytest.mark.parametrize("value", ["3", "true", '["F8", 3]', '[["F8"]]', "{ key = 1 }", str(["F8"] * 9)])
def test_what_can_not_be_keys_is_named(value: str) -> None:
    settings, problems = parse_settings(f'[shortcuts]\nfind = {value}\nquote = "F9"')
    assert len(problems) == 1
    assert problems[0].startswith("shortcuts.find is ")
    assert settings.shortcuts == {"quote": ("F9",)}
