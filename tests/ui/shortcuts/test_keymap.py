"""Keys of actions: the platform's, what the settings say, and that no two actions ever answer to the same keys."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QWidget

from desktop_app.ui.shortcuts.fixed_keys import fixed_by, places
from desktop_app.ui.shortcuts.keymap import (
    ROWS,
    KeyMap,
    default_keys,
    is_labelled,
    make_actions,
    meet,
    pressed,
    read,
    refusal,
    written,
)

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
IDS = [row.id for row in ROWS]


@pytest.fixture
def keymap(qapp: QApplication) -> Iterator[KeyMap]:
    window = QWidget()
    yield KeyMap(make_actions(window), window)
    window.deleteLater()


def texts(keymap: KeyMap, action: str) -> list[str]:
    return [written(keys) for keys in keymap.keys(action)]


def meetings(keymap: KeyMap) -> list[tuple[str, str, str]]:
    """Pairs of actions that the same keys could mean."""
    held = [(name, keys) for name in keymap.actions for keys in keymap.keys(name)]
    return [
        (one, other, written(keys))
        for place, (one, keys) in enumerate(held)
        for other, theirs in held[place + 1 :]
        if meet(keys, theirs)
    ]


def test_no_two_actions_have_the_same_keys_at_first(keymap: KeyMap) -> None:
    assert meetings(keymap) == []
    assert keymap.problems == ()


def test_no_default_takes_what_is_fixed_or_needed_for_writing(qapp: QApplication) -> None:
    shared = {"find"}  # rests while a page has its own
    told = [(name, keys) for name in IDS for keys in default_keys(name) if not is_labelled(keys)]
    assert [(name, written(keys), refusal(keys)) for name, keys in told if refusal(keys)] == []
    assert [(name, written(keys)) for name, keys in told if fixed_by(keys) and name not in shared] == []


def test_where_nothing_is_changed_the_platforms_own_keys_count(keymap: KeyMap) -> None:
    for row in ROWS:
        if row.standard is not None and QKeySequence.keyBindings(row.standard):
            assert set(QKeySequence.keyBindings(row.standard)) <= set(keymap.actions[row.id].shortcuts()), row.id
    assert "Ctrl+/" in texts(keymap, "show_shortcuts")
    assert "F1" in texts(keymap, "show_help")


def test_what_the_settings_say_counts_and_goes_again(keymap: KeyMap) -> None:
    heard: list[None] = []
    keymap.changed.connect(lambda: heard.append(None))
    keymap.take({"find": ("Ctrl+Alt+F", "F8"), "quote": ()})
    assert (texts(keymap, "find"), texts(keymap, "quote")) == (["Ctrl+Alt+F", "F8"], [])
    assert keymap.is_changed("find")
    assert keymap.is_changed("quote")
    assert QKeySequence("Find") in keymap.actions["find"].shortcuts(), "the key of some keyboards stays"
    keymap.take({"find": ("Ctrl+Alt+F", "F8"), "quote": ()})
    keymap.take({})
    assert keymap.keys("find") == keymap.defaults["find"]
    assert texts(keymap, "quote") == ["Ctrl+Shift+B"]
    assert len(heard) == 2


def test_a_default_gives_way_to_what_was_asked_for(keymap: KeyMap) -> None:
    keymap.take({"find": ("Ctrl+K",)})
    assert (texts(keymap, "find"), texts(keymap, "command_palette")) == (["Ctrl+K"], [])
    assert keymap.problems == ()


def test_of_two_that_ask_for_the_same_the_second_is_told(keymap: KeyMap) -> None:
    keymap.take({"go_to": ("F9",), "find": ("F9",)})
    assert texts(keymap, "find") == ["F9"]
    assert texts(keymap, "go_to") == ["Ctrl+Shift+J"]
    assert len(keymap.problems) == 1
    assert keymap.problems[0].startswith("shortcuts.go_to is “F9”, but “Find in this thread”")


@pytest.mark.parametrize("text", ["Strg+K", "Hyper+K", "Ctrl+", "nonsense", "C", "Shift+C", "Return", "Ctrl+C", "Esc"])
def test_what_is_no_key_or_must_stay_out_is_named_and_the_default_counts(keymap: KeyMap, text: str) -> None:
    keymap.take({"go_to": (text,)})
    assert texts(keymap, "go_to") == ["Ctrl+Shift+J"]
    assert len(keymap.problems) == 1
    assert keymap.problems[0].startswith(f"shortcuts.go_to is “{text}”, but ")


def test_an_unknown_action_is_named_with_the_nearest(keymap: KeyMap) -> None:
    keymap.take({"fnd_next": ("F9",)})
    assert keymap.problems == ("shortcuts.fnd_next is not an action; did you mean shortcuts.find_next?",)


SOME_KEYS = st.sampled_from(
    ["Ctrl+K", "Ctrl+K, Ctrl+S", "F9", "Ctrl+Alt+1", "Ctrl+F", "Alt+Z", "C", "Ctrl+C", "?", "Ctrl+N", "F6", "Ctrl+W"]
)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(IDS), st.lists(SOME_KEYS, max_size=3).map(tuple), max_size=8))
def test_whatever_is_asked_for_no_keys_mean_two_actions(said: dict[str, tuple[str, ...]]) -> None:
    window = QWidget()
    keymap = KeyMap(make_actions(window), window)
    keymap.take(said)
    assert meetings(keymap) == []
    assert all(refusal(keys) == "" for name in said for keys in keymap.keys(name) if keys not in keymap.defaults[name])


@pytest.mark.parametrize(
    ("key", "modifiers", "text", "wanted"),
    [
        (Qt.Key.Key_K, CTRL, "\x0b", "Ctrl+K"),
        (Qt.Key.Key_K, CTRL | SHIFT, "", "Ctrl+Shift+K"),
        (Qt.Key.Key_Question, CTRL | SHIFT, "?", "Ctrl+?"),
        (Qt.Key.Key_5, CTRL | Qt.KeyboardModifier.KeypadModifier, "5", "Ctrl+5"),
        (Qt.Key.Key_F5, SHIFT, "", "Shift+F5"),
        (Qt.Key.Key_Backtab, SHIFT, "", "Shift+Tab"),
    ],
)
def test_what_is_pressed_is_what_the_file_says(
    key: Qt.Key, modifiers: Qt.KeyboardModifier, text: str, wanted: str
) -> None:
    keys = pressed(key.value, modifiers, text)
    assert keys is not None
    assert written(keys) == wanted
    assert read(wanted) == keys


def test_a_modifier_alone_is_not_heard() -> None:
    for key in (Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt, Qt.Key.Key_AltGr, Qt.Key.Key_Meta):
        assert pressed(key.value, CTRL) is None


def test_every_place_tells_keys_that_there_are(qapp: QApplication) -> None:
    for place, fixed in places().items():
        assert place
        for words, keys in fixed.items():
            assert words
            # the quick key of a page may have no binding on a platform
            assert keys, (place, words)
    sending = {
        words: [written(one) for one in keys] for words, keys in next(iter(places(enter_sends=False).values())).items()
    }
    assert sending["New line"] == ["Return"]
