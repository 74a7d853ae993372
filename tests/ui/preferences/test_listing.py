"""Every setting has its row with words, in a group, and can be found."""

from __future__ import annotations

from desktop_app.core.backend_descriptors import BACKEND_NAMES
from desktop_app.core.settings import KEYS, Settings, parse_settings
from desktop_app.ui.preferences.setting_list import found, groups_of, value_at

SHOWN = tuple(name for name in BACKEND_NAMES if name != "scripted")


def test_every_setting_of_the_file_has_a_row_and_a_name() -> None:
    groups = groups_of(Settings(), SHOWN, ["some-model"])
    rows = {setting.field for group in groups for setting in group.settings}
    elsewhere = {key.name for key in KEYS if not key.on_page}  # they have pages of their own
    assert elsewhere == {"shortcuts.*", "backends.*.servers"}
    assert rows == {key.name for key in KEYS} - elsewhere
    assert all(setting.key.label for group in groups for setting in group.settings)


def test_no_setting_stands_twice() -> None:
    keys = [setting.dotted for group in groups_of(Settings(), SHOWN, ["m", "m"]) for setting in group.settings]
    assert len(keys) == len(set(keys))


def test_the_value_of_every_row_can_be_read() -> None:
    for group in groups_of(Settings(), SHOWN, ["some-model"]):
        for setting in group.settings:
            assert value_at(Settings(), setting.path) == setting.key.default, setting.dotted


def test_connections_show_what_they_read_and_what_the_file_says() -> None:
    local = {setting.path[2] for group in groups_of(Settings(), ["local"]) for setting in group.settings if group.name}
    assert local == {"model", "model_path"}
    settings, _ = parse_settings('[backends.local]\ntimeout_s = 9\n[backends.scripted]\nmodel = "x"\n[models."a b"]')
    groups = {group.name: group for group in groups_of(settings, ["local"]) if group.name}
    assert list(groups) == ["local", "scripted", "a b"]
    assert ("backends", "local", "timeout_s") in {setting.path for setting in groups["local"].settings}
    assert groups["a b"].settings[0].dotted == 'models."a b".window'


def test_every_word_of_a_search_counts_in_any_text() -> None:
    assert found("KEPT start", "Kept at the start", "context.preserve_first_n")
    assert found("soft_limit", "Token limit", "context.soft_limit")
    assert found("", "anything")
    assert not found("kept end", "Kept at the start")
