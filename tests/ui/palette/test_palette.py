"""The command palette on the real window: found by a few letters, chosen with the keyboard, closed without a trace."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtGui import QAccessible, QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from shiboken6 import isValid

from desktop_app.core.messages import Thread, ThreadSummary
from desktop_app.resources import resource
from desktop_app.ui.connections import available_models as connections
from desktop_app.ui.i18n.language import speak, translated
from desktop_app.ui.models.model_choice import ModelChoice
from desktop_app.ui.palette.palette_entries import (
    AT_FIRST,
    ICONS,
    OF_EACH,
    OF_ONE,
    SEARCH_WORDS,
    PaletteEntry,
    PaletteOffer,
    of_action,
)
from desktop_app.ui.palette.palette_overlay import SHOWN, WIDTH, Palette, spoken
from desktop_app.ui.shortcuts.keymap import ROWS
from tests.counted_calls import CountedCalls
from tests.patience import PATIENCE_S
from tests.ui.listed import threads_of
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

CONTROL = Qt.KeyboardModifier.ControlModifier


async def opened(window: OpenWindow, typed: str = "") -> Palette:
    """Ctrl+K where the keyboard is, then what is typed."""
    window.window.activateWindow()
    window.press(Qt.Key.Key_K, CONTROL, widget=focused())
    presenter = window.presenters.palette
    await window.until(lambda: presenter.complete, "everything on offer")
    assert presenter.palette is not None
    assert presenter.palette.isVisible()
    assert focused() is presenter.palette.field
    window.type(typed, presenter.palette.field)
    return presenter.palette


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def names(palette: Palette) -> list[str]:
    return [row.entry.name for row in palette.rows.rows]


def kinds(palette: Palette) -> list[str]:
    return list(dict.fromkeys(row.entry.kind for row in palette.rows.rows))


def current(palette: Palette) -> str:
    assert palette.current is not None
    return palette.current.name


async def test_ctrl_k_opens_it_and_esc_gives_the_keyboard_back(window: OpenWindow) -> None:
    window.window.activateWindow()
    window.threads.search.setFocus()
    palette = await opened(window)
    assert palette.frame.width() == WIDTH
    assert palette.field.text() == ""
    window.press(Qt.Key.Key_Escape, widget=palette.field)
    assert not palette.isVisible()
    assert focused() is window.threads.search
    window.composer.focus_editor()
    await opened(window, "abc")
    window.press(Qt.Key.Key_K, CONTROL, widget=palette.field)
    assert not palette.isVisible()
    assert focused() is window.editor
    await opened(window)
    assert palette.field.text() == "", "it begins anew"
    QTest.mouseClick(palette, Qt.MouseButton.LeftButton, pos=QPoint(4, palette.height() - 4))
    assert not palette.isVisible()
    assert focused() is window.editor


def test_nothing_of_it_is_loaded_with_the_window() -> None:
    program = "import sys, desktop_app.ui.shell.session; print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE_S, check=True
    )
    loaded = set(run.stdout.split())
    assert "desktop_app.ui.palette.palette_presenter" in loaded
    of_it = {name for name in loaded if name.startswith(("desktop_app.ui.palette.", "desktop_app.core.matching"))}
    assert of_it == {"desktop_app.ui.palette.palette_presenter"}


async def test_an_action_is_found_and_done(window: OpenWindow) -> None:
    palette = await opened(window, "usge")
    assert current(palette) == "Usage"
    window.press(Qt.Key.Key_Return, widget=palette.field)
    assert not palette.isVisible()
    await window.until(lambda: window.presenters.pages.page is not None, "the page")
    await window.settled()


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("theme", ["System theme", "Light theme", "Dark theme"]),
        ("dark theme", ["Dark theme"]),
        ("dark mode", ["Dark theme"]),
        ("settings", ["Preferences"]),
        ("font size", ["Preferences"]),
        ("zoom", ["Preferences"]),
        ("hotkey", ["Keyboard shortcuts"]),
        ("export", ["Export", "Copy as Markdown", "Copy the whole thread"]),
        ("sidebar", ["Show or hide the thread list", "Show or hide the context inspector"]),
    ],
)
async def test_an_action_is_found_by_words_for_what_it_does(window: OpenWindow, typed: str, found: list[str]) -> None:
    palette = await opened(window, typed)
    assert names(palette)[: len(found)] == found
    assert palette.rows.rows[0].entry.kind == "action"


def test_actions_are_found_by_the_words_of_the_language_and_by_the_english_ones(qapp: QApplication) -> None:
    assert set(SEARCH_WORDS) <= {row.id for row in ROWS}
    for language, words in (("de", "dunkelmodus"), ("zh_CN", "主题")):
        speak(language)
        try:
            offer = PaletteOffer()
            translated = QAction(QCoreApplication.translate("", "Dark theme"))
            offer.add([of_action("theme_dark", translated)])
        finally:
            speak("en")
        for typed in (words, "dark theme"):
            assert [row.entry.key for row in offer.rows(typed)] == ["theme_dark"], (language, typed)


@pytest.mark.parametrize(
    ("typed", "found"), [("backup", "show_backups"), ("shortcut", "show_shortcuts"), ("trash", "show_trash")]
)
@pytest.mark.parametrize("language", ["de", "zh_CN"])
def test_a_page_is_found_by_its_english_name_before_what_mentions_it(
    qapp: QApplication, language: str, typed: str, found: str
) -> None:
    speak(language)
    try:
        offer = PaletteOffer()
        rows = [row for row in ROWS if row.id in SEARCH_WORDS]
        offer.add([of_action(row.id, QAction(translated(row.words))) for row in rows])
    finally:
        speak("en")
    assert offer.rows(f">{typed}")[0].entry.key == found


def test_what_is_called_so_stands_before_what_only_means_it() -> None:
    offer = PaletteOffer()
    offer.add(
        [
            PaletteEntry("action", "colours", "Dark colors", also="theme night"),
            PaletteEntry("action", "note", "The Markers"),
            PaletteEntry("action", "letters", "To hear me"),
            PaletteEntry("action", "theme", "A theme"),
        ]
    )
    assert [row.entry.key for row in offer.rows("theme")] == ["theme", "colours", "letters", "note"]
    assert [row.entry.key for row in offer.rows("night dark")] == ["colours"]
    assert offer.rows("ight") == [], "further words are matched from where they begin"
    assert offer.rows("#theme") == []


async def test_actions_that_can_not_be_done_are_not_offered(window: OpenWindow) -> None:
    window.window.actions_by_id["show_gauge"].setDisabled(True)
    palette = await opened(window, ">")
    offered = {row.entry.key: row.entry for row in palette.rows.rows}
    actions = window.window.actions_by_id
    assert set(offered) == {key for key, action in actions.items() if action.isEnabled()} - {"command_palette"}
    keys = actions["new_thread"].shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    assert offered["new_thread"].shortcut == keys


async def test_a_thread_is_found_and_opened(window: OpenWindow) -> None:
    alpha, _ = await threads_of(window, "alpha strait", "beta canal")
    palette = await opened(window, "#als")
    assert names(palette) == ["alpha strait"]
    window.press(Qt.Key.Key_Return, widget=palette.field)
    await window.until(lambda: window.app_state.is_open(alpha), "the thread")
    await window.settled()
    assert window.threads.model.index_of(alpha) == window.threads.view.currentIndex()


async def test_a_page_gives_way_to_the_thread_that_is_chosen(window: OpenWindow) -> None:
    await threads_of(window, "alpha strait")
    window.shortcut("show_usage")
    await window.settled()
    palette = await opened(window, "alpha")
    window.press(Qt.Key.Key_Return, widget=palette.field)
    await window.until(lambda: window.window.stage.reading, "the transcript")
    await window.settled()


async def test_the_model_is_switched_as_in_the_menu(window: OpenWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "NOT_OFFERED", ("anthropic", "claude-cli", "local"))
    await window.send("hello")
    known: list[ModelChoice] = []
    await window.presenters.connections.list_models(known.extend, known.extend)
    palette = await opened(window, "@")
    assert [(row.entry.name, row.entry.chosen) for row in palette.rows.rows] == [("big", True), ("small", False)]
    assert kinds(palette) == ["model"]
    window.type("sm", palette.field)
    window.press(Qt.Key.Key_Return, widget=palette.field)
    await window.settled()
    thread = await window.thread()
    assert (thread.backend, thread.model) == ("scripted", "small")
    assert window.composer.picker.text().startswith("small")


async def test_what_was_used_last_comes_first_also_in_the_next_window(data_dir: Path, qapp: QApplication) -> None:
    async with OpenWindow.opened(data_dir) as window:
        palette = await opened(window, "next question")
        window.press(Qt.Key.Key_Return, widget=palette.field)
        await opened(window, "toggle hide list")
        await window.settled()
    async with OpenWindow.opened(data_dir) as window:
        palette = await opened(window)
        assert current(palette) == "Next question"
        assert names(palette).count("Next question") == 1
        window.type(">", palette.field)
        assert current(palette) == "Next question"
        window.type("n", palette.field)
        assert current(palette) == "Next question", "it comes before New thread, which matches as well"


async def test_a_private_thread_leaves_no_trace(window: OpenWindow, data_dir: Path) -> None:
    window.shortcut("new_private_thread")
    await window.send("hush")
    private = window.app_state.thread_id
    window.shortcut("new_thread")
    palette = await opened(window, "#hush")
    window.press(Qt.Key.Key_Return, widget=palette.field)
    await window.until(lambda: window.app_state.thread_id == private, "the thread")
    await window.settled()
    assert window.presenters.palette.state.palette_recent == ()


async def test_arrows_go_round_and_tab_goes_from_group_to_group(window: OpenWindow) -> None:
    await threads_of(window, "alpha", "beta")
    palette = await opened(window)
    assert kinds(palette)[:2] == ["thread", "action"]
    shown = names(palette)
    assert current(palette) == "beta"
    window.press(Qt.Key.Key_Up, widget=palette.field)
    assert current(palette) == shown[-1]
    window.press(Qt.Key.Key_Down, widget=palette.field)
    assert current(palette) == "beta"
    window.press(Qt.Key.Key_Tab, widget=palette.field)
    assert current(palette) == "New thread"
    window.press(Qt.Key.Key_PageDown, widget=palette.field)
    below = palette.view.currentIndex().row()
    assert below > shown.index("New thread") + 3
    window.press(Qt.Key.Key_PageUp, widget=palette.field)
    assert palette.view.currentIndex().row() < below
    window.press(Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier, widget=palette.field)
    assert current(palette) == "beta"
    assert focused() is palette.field


async def test_some_actions_are_in_view_at_once_whatever_there_is(window: OpenWindow) -> None:
    await threads_of(window, *(f"thread {number}" for number in range(12)))
    for number in range(6):
        await window.services.prompts.add(f"Prompt {number}", "text")
    palette = await opened(window)
    in_view = [row.entry for row in palette.rows.rows[:SHOWN]]
    assert [one.name for one in in_view if one.kind == "action"] == [
        *("New thread", "Search threads and messages", "Choose a model", "Preferences")
    ]
    assert in_view[0].kind == "thread"
    assert len(names(palette)) == len({row.entry.id for row in palette.rows.rows}), "none stands twice"


async def test_no_pair_at_the_foot_is_torn(window: OpenWindow) -> None:
    palette = await opened(window)
    pairs = palette.hint.text().split(" ")
    assert [one for one in pairs if one] == [
        *(
            f"{sign}\u00a0\u00a0{words}"
            for sign, words in zip(">#/@", ("actions", "threads", "prompts", "models"), strict=True)
        ),
        "Tab\u00a0\u00a0next\u00a0group",
    ]


async def test_another_shortcut_closes_it(window: OpenWindow) -> None:
    palette = await opened(window)
    window.press(Qt.Key.Key_F, CONTROL | Qt.KeyboardModifier.ShiftModifier, widget=palette.field)
    assert not palette.isVisible()
    assert focused() is window.threads.search


async def test_what_had_the_keyboard_may_be_gone(window: OpenWindow) -> None:
    control = QLineEdit(window.window)
    control.show()
    control.setFocus()
    palette = await opened(window)
    control.deleteLater()
    await window.until(lambda: not isValid(control), "its end")
    window.press(Qt.Key.Key_Escape, widget=palette.field)
    assert not palette.isVisible()


async def test_nothing_found_is_said(window: OpenWindow) -> None:
    palette = await opened(window, "zzqx")
    assert palette.nothing.isVisible()
    assert not palette.view.isVisible()
    window.press(Qt.Key.Key_Return, widget=palette.field)
    window.press(Qt.Key.Key_Down, widget=palette.field)
    window.press(Qt.Key.Key_Tab, widget=palette.field)
    window.press(Qt.Key.Key_PageDown, widget=palette.field)
    assert palette.isVisible()
    palette.field.clear()
    assert palette.view.isVisible()


async def test_screen_readers_are_told_what_enter_chooses(window: OpenWindow) -> None:
    palette = await opened(window, "new thread")
    box = QAccessible.queryAccessibleInterface(palette.frame)
    view = QAccessible.queryAccessibleInterface(palette.view)
    assert box is not None
    assert view is not None
    assert box.role() == QAccessible.Role.ComboBox
    assert view.role() == QAccessible.Role.List
    assert box.text(QAccessible.Text.Value).startswith("New thread, Action")
    assert palette.rows.index(0).data(Qt.ItemDataRole.AccessibleTextRole) == box.text(QAccessible.Text.Value)


async def test_ten_thousand_threads_and_no_key_waits(window: OpenWindow) -> None:
    words = ("ring", "buffer", "python", "report", "trip", "lisbon", "window", "sky", "delegate", "reading", "fenwick")
    threads = [
        Thread(f"{n:032x}", f"{words[n % 11].title()} {words[n // 11 % 10]} {words[n % 7]} {n}", stamp(n), stamp(n))
        for n in range(10_000)
    ]
    window.threads.model.set_threads([ThreadSummary(thread, 2) for thread in threads])
    palette = await opened(window)
    assert len([row for row in palette.rows.rows if row.entry.kind == "thread"]) == AT_FIRST["thread"]
    spent = []
    for letter in "#ring buf 9":
        with CountedCalls() as work:
            window.type(letter, palette.field)
        spent.append(work.calls)
    assert names(palette)
    assert all("Ring" in name or "ring" in name for name in names(palette))
    assert sorted(spent)[len(spent) // 2] < 6_500


def stamp(number: int) -> str:
    return f"2026-01-01T{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}.000Z"


def entries(kind: str, *some: str) -> Sequence[PaletteEntry]:
    return [PaletteEntry(kind, name, name) for name in some]  # type: ignore[arg-type]


def test_the_kind_with_the_best_match_comes_first_and_none_crowds_out_another() -> None:
    offer = PaletteOffer(["thread:rings 7"])
    offer.add(entries("thread", *(f"rings {n}" for n in range(30))))
    offer.add([*entries("action", "Hide rings"), *entries("model", "ring")])
    rows = offer.rows("ring")
    assert [row.entry.name for row in rows][:3] == ["ring", "rings 7", "rings 0"]
    assert [row.entry.name for row in rows if row.first] == ["ring", "rings 7", "Hide rings"]
    assert len(rows) == 2 + OF_EACH
    assert len(offer.rows("#ring")) == 30
    assert [row.entry.name for row in offer.rows("> ring")] == ["Hide rings"]
    offer.add(entries("thread", *(f"rings more {n}" for n in range(OF_ONE))))
    assert len(offer.rows("#ring")) == OF_ONE


def test_a_row_says_all_that_is_seen() -> None:
    entry = PaletteEntry("model", "a/b", "Sonnet", "Claude Code", chosen=True)
    assert spoken(entry) == "Sonnet, Model, Claude Code, chosen"


async def test_an_at_sign_lists_the_models_of_every_connection_that_can_be_used(
    window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "NOT_OFFERED", ("anthropic", "claude-cli"))
    palette = await opened(window, "@")
    local = window.services.backends["local"].title
    await window.until(lambda: any(row.entry.about == local for row in palette.rows.rows), "the models of both")
    assert {"big", "small"} < set(names(palette))


async def test_a_slash_offers_what_a_thread_without_messages_shows(window: OpenWindow) -> None:
    palette = await opened(window, "/")
    assert "Review code" in names(palette)
    window.type("review", palette.field)
    window.press(Qt.Key.Key_Return, widget=palette.field)
    assert window.composer.text().startswith("Review this code")
    window.composer.editor.replace_text("")
    await window.send("hello")
    assert names(await opened(window, "/")) == []


async def test_actions_have_drawings_of_what_they_do(window: OpenWindow) -> None:
    palette = await opened(window, ">")
    assert set(ICONS) <= {row.id for row in ROWS}
    drawn = [row.entry.icon for row in palette.rows.rows]
    assert len(set(drawn)) > 15
    assert all(resource("icons", "actions", f"{name}.svg").exists() for name in drawn)
