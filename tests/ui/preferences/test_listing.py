"""Every setting has its row with words, in a group, and can be found."""

from __future__ import annotations

from desktop_app.core.backend_descriptors import BACKEND_NAMES
from desktop_app.core.settings import KEYS, Settings, parse_settings
from desktop_app.ui.preferences.setting_list import (
    PLACES,
    SEARCH_WORDS,
    SECTIONS,
    found,
    groups_of,
    search_words,
    value_at,
    value_words,
)

SHOWN = tuple(name for name in BACKEND_NAMES if name != "scripted")


def test_every_setting_of_the_file_has_a_row_and_a_name() -> None:
    groups = groups_of(Settings(), SHOWN, ["some-model"])
    rows = {setting.field for group in groups for setting in group.settings}
    elsewhere = {key.name for key in KEYS if not key.on_page}  # they have pages of their own
    assert {name for name in elsewhere if not name.startswith("tool_servers.")} == {
        "shortcuts.*",
        "backends.*.servers",
        "backends.*.keyed",
        "backends.*.removed",
        "backends.*.own_key",
    }
    assert {name for name in elsewhere if name.startswith("tool_servers.")} == {
        key.name for key in KEYS if key.name.startswith("tool_servers.")
    }
    assert rows == {key.name for key in KEYS} - elsewhere
    assert all(setting.key.label for group in groups for setting in group.settings)


def test_no_setting_stands_twice() -> None:
    keys = [setting.dotted for group in groups_of(Settings(), SHOWN, ["m", "m"]) for setting in group.settings]
    assert len(keys) == len(set(keys))


def test_every_section_has_settings_and_every_table_its_section() -> None:
    groups = groups_of(Settings(), SHOWN)
    of_settings = tuple(one for one in SECTIONS if one != "sync")  # has a page of its own
    assert tuple(dict.fromkeys(group.section for group in groups)) == of_settings
    assert [group.section for group in groups] == sorted((group.section for group in groups), key=SECTIONS.index)
    known = {key.name for key in KEYS} | {key.name.partition(".")[0] for key in KEYS}
    assert set(PLACES) <= known, "a place of nothing"


def test_a_number_is_chosen_from_three_and_its_default_is_among_them() -> None:
    exact = {"models.*.window", "models.*.max_output"}  # as many as a model has: no three stand for others
    for key in KEYS:
        if key.rule.kind not in ("whole", "number"):
            assert not key.presets
        elif key.name not in exact:
            assert len(key.presets) in (2, 3), key.name
            assert all(map(key.accepts, key.presets)), key.name
            assert key.default is None or key.default in key.presets, key.name
            assert all(value_words(key, value) for value in key.presets)


def test_the_value_of_every_row_can_be_read() -> None:
    for group in groups_of(Settings(), SHOWN, ["some-model"]):
        for setting in group.settings:
            assert value_at(Settings(), setting.path) == setting.key.default, setting.dotted


def test_connections_show_what_they_read_and_what_the_file_says() -> None:
    local = {setting.path[2] for group in groups_of(Settings(), ["local"]) for setting in group.settings if group.name}
    assert local == {"model_path"}
    models = [group for group in groups_of(Settings(), ["local"]) if group.kind == "default_models"]
    assert [setting.dotted for group in models for setting in group.settings] == ["backends.local.model"]
    settings, _ = parse_settings('[backends.local]\ntimeout_s = 9\n[backends.scripted]\nmodel = "x"\n[models."a b"]')
    groups = {group.name: group for group in groups_of(settings, ["local"]) if group.name}
    assert list(groups) == ["local", "a b"], "nothing but a model is said of the scripted one"
    assert ("backends", "local", "timeout_s") in {setting.path for setting in groups["local"].settings}
    assert groups["a b"].settings[0].dotted == 'models."a b".window'


def test_every_word_of_a_search_counts_in_any_text() -> None:
    assert found("KEPT start", "Kept at the start", "context.preserve_first_n")
    assert found("soft_limit", "Soft limit", "token limit", "context.soft_limit")
    assert found("", "anything")
    assert not found("kept end", "Kept at the start")


def test_a_setting_is_found_by_the_words_that_people_have_for_it() -> None:
    by_name = {key.name: key for key in KEYS}
    assert set(SEARCH_WORDS) <= set(by_name), "words of nothing"
    for words, name in (
        ("font", "appearance.text_size"),
        ("dark mode", "appearance.theme"),
        ("price", "costs.day_cap_usd"),
        ("custom instr", "context.instructions"),
    ):
        assert found(words, *search_words(by_name[name]))
