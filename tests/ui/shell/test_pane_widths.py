"""The panes get their widths by the keyboard, and keep them, whatever becomes of the window."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from desktop_app.ui.shell.main_window import LIST_WIDTH, MainWindow
from desktop_app.ui.shell.side_slot import NARROWEST_INSPECTOR, WIDEST_INSPECTOR
from desktop_app.ui.shell.wiring_panes import STEP as ACTION_STEP
from desktop_app.ui.theme.theme import load_theme
from desktop_app.ui.widgets.splitter import STEP, PaneEdge
from tests.ui.open_window import OpenWindow
from tests.ui.shell.test_focus_return import by_hand
from tests.ui.walking import focused, press

pytestmark = pytest.mark.slow

Key = Qt.Key


def edge_of(window: MainWindow, pane: QWidget) -> PaneEdge:
    edge = window.splitter.edge_of(pane)
    assert edge is not None
    return edge


async def wide(window: OpenWindow) -> None:
    window.window.resize(1300, 800)
    window.window.activateWindow()
    await window.settled()


async def test_tab_reaches_the_edge_and_keys_move_it(window: OpenWindow) -> None:
    await wide(window)
    edge = edge_of(window.window, window.threads)
    window.threads.focus_search()
    for _ in range(20):
        if focused() is edge:
            break
        press(Key.Key_Tab)
    assert focused() is edge
    assert edge.accessibleName() == "Width of: Threads"
    width = window.threads.width()
    press(Key.Key_Right)
    assert window.threads.width() == width + STEP
    press(Key.Key_Left)
    press(Key.Key_Left)
    assert window.threads.width() == width - STEP
    press(Key.Key_Home)
    assert window.threads.width() == window.threads.minimumWidth() == edge.widths[0]
    press(Key.Key_Left)
    assert window.threads.width() == window.threads.minimumWidth()
    press(Key.Key_End)
    assert window.threads.width() == edge.widths[2] > 400
    assert window.window.centre.width() >= window.window.centre.minimumSizeHint().width()
    press(Key.Key_Escape)
    assert focused() is window.editor


async def test_the_inspectors_edge_grows_it_to_the_left(window: OpenWindow) -> None:
    await wide(window)
    window.shortcut("toggle_inspector")
    await window.until(window.window.inspector.isVisible, "the inspector")
    await window.settled()
    slot = window.window.inspector
    edge = edge_of(window.window, slot)
    width, beside = slot.width(), window.threads.width()
    QTest.keyClick(edge, Key.Key_Left)
    assert (slot.width(), window.threads.width()) == (width + STEP, beside)
    QTest.keyClick(edge, Key.Key_Home)
    assert slot.width() == WIDEST_INSPECTOR
    QTest.keyClick(edge, Key.Key_End)
    assert slot.width() == NARROWEST_INSPECTOR
    assert edge.accessibleName() == "Width of: Context inspector"
    window.shortcut("widen_inspector")
    assert slot.width() == NARROWEST_INSPECTOR + ACTION_STEP
    window.shortcut("narrow_inspector")
    assert slot.width() == NARROWEST_INSPECTOR


async def test_a_reader_sees_the_edge_and_may_set_it(window: OpenWindow) -> None:
    await wide(window)
    edge = edge_of(window.window, window.threads)
    seen = QAccessible.queryAccessibleInterface(edge)
    assert seen.role() == QAccessible.Role.Splitter
    assert seen.text(QAccessible.Text.Name) == "Width of: Threads"
    assert seen.text(QAccessible.Text.Value) == f"{window.threads.width()} pixels wide"
    value = seen.valueInterface()
    value.setCurrentValue(0.0)
    assert window.threads.width() == window.threads.minimumWidth()
    assert value.currentValue() == 0.0
    value.setCurrentValue(50.0)
    least, width, most = edge.widths
    assert abs(width - (least + most) / 2) <= 1


async def test_the_edge_that_has_the_keyboard_is_seen(window: OpenWindow) -> None:
    await wide(window)
    edge = edge_of(window.window, window.threads)
    before = edge.grab().toImage()
    edge.setFocus(Qt.FocusReason.TabFocusReason)
    held = edge.grab().toImage()
    focus = load_theme("light").color("focus").rgb()
    assert held != before
    assert edge.mask().isEmpty(), "of its width only a pixel would be seen"
    assert sum(held.pixelColor(x, 20).rgb() == focus for x in range(held.width())) >= 2
    window.composer.focus_editor()
    assert edge.grab().toImage() == before


async def test_actions_change_widths_and_say_when_there_is_no_more_room(window: OpenWindow) -> None:
    await wide(window)
    width = window.threads.width()
    window.shortcut("widen_threads")
    assert window.threads.width() == width + ACTION_STEP
    window.shortcut("narrow_threads")
    assert window.threads.width() == width
    for _ in range(10):
        window.shortcut("narrow_threads")
    assert window.threads.width() == window.threads.minimumWidth()
    assert window.window.toast.words == "Smallest width reached"
    window.shortcut("toggle_threads")
    window.shortcut("widen_threads")
    assert window.window.toast.words == "The thread list is hidden."


async def test_over_the_conversation_the_actions_work_too(window: OpenWindow) -> None:
    window.window.resize(900, 700)
    window.shortcut("toggle_inspector")
    await window.until(window.window.inspector.isVisible, "the inspector")
    slot = window.window.inspector
    assert slot.overlaid
    width = slot.width()
    window.shortcut("widen_inspector")
    assert slot.width() == width + ACTION_STEP
    assert slot.geometry().right() == window.window.rect().right()
    for _ in range(12):
        window.shortcut("narrow_inspector")
    assert slot.width() == NARROWEST_INSPECTOR
    assert window.window.toast.words == "Smallest width reached"


async def test_widths_last_to_the_next_start(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await wide(window)
        window.shortcut("widen_threads")
        width = window.threads.width()
        assert width != LIST_WIDTH
        window.shortcut("toggle_inspector")
        await window.until(window.window.inspector.isVisible, "the inspector")
        window.shortcut("widen_inspector")
        inspector = window.window.inspector.width()
    async with OpenWindow.opened(data_dir) as window:
        await window.settled()
        assert (window.threads.width(), window.window.inspector.width()) == (width, inspector)


@pytest.mark.parametrize("seed", range(4))
async def test_a_window_as_it_was_has_its_list_as_wide_as_it_was(window: OpenWindow, seed: int) -> None:
    await window.send("hello")
    chance, shown = Random(seed), window.window
    slots = [shown.inspector, shown.artifacts, shown.document]
    shown.artifacts.fill(QLabel("as wide as a long line of a program's text " * 4), lambda: None)
    widths: dict[tuple[object, ...], int] = {}
    for step in range(80):
        chance.choice((
            lambda: shown.resize(chance.choice((480, 660, 800, 1000, 1120, 1120, 1500)), 700),
            lambda: shown.resize(chance.randrange(480, 1600), 700),
            lambda: (slot := chance.choice(slots)).set_shown(not slot.shown),
            lambda: shown.show_list(not shown.list_slot.shown),
        ))()  # fmt: skip
        await by_hand(QApplication.processEvents)
        if step == 20 and shown.threads.isVisible() and (edge := shown.splitter.edge_of(shown.threads)):
            edge.widen(chance.choice((-2, 3, 12)) * STEP)
            widths.clear()
        open_now = tuple(slot.shown for slot in slots), shown.list_slot.shown, shown.list_slot.over
        assert widths.setdefault((shown.width(), *open_now), shown.threads.width()) == shown.threads.width()


@pytest.mark.parametrize("name", ["inspector", "artifacts"])
async def test_a_pane_has_its_width_again_after_a_narrow_window(window: OpenWindow, name: str) -> None:
    slot = {"inspector": window.window.inspector, "artifacts": window.window.artifacts}[name]
    window.window.resize(1120, 760)
    slot.set_shown(True)
    await by_hand(QApplication.processEvents)
    edge_of(window.window, slot).widen(-STEP)
    widths = window.threads.width(), slot.width()
    for between in ((480, 600), (700, 600), (1010, 600)):
        window.window.resize(*between)
        await by_hand(QApplication.processEvents)
    window.window.resize(480, 600)
    await by_hand(QApplication.processEvents)
    window.window.resize(1120, 760)
    await by_hand(QApplication.processEvents)
    assert (window.threads.width(), slot.width()) == widths


async def test_a_narrow_window_writes_no_narrower_list(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        window.window.resize(1120, 760)
        window.window.artifacts.set_shown(True)
        await window.settled()
        width = window.threads.width()
        window.window.resize(480, 600)
        await window.settled()
    async with OpenWindow.opened(data_dir) as window:
        window.window.resize(1120, 760)
        await window.settled()
        assert window.threads.width() == width
