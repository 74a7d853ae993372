"""What the mouse does in the thread list leaves the focus in the composer: its buttons, arrows, bar and archive."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QToolButton

from desktop_app.core.messages import Thread
from tests.ui.listed import place_of, stored_threads
from tests.ui.open_window import OpenWindow
from tests.ui.shell.test_focus_return import by_hand, click, key, popup
from tests.ui.walking import focused

pytestmark = pytest.mark.slow

Key, Held = Qt.Key, Qt.KeyboardModifier


def one(number: int) -> str:
    return f"{number:032x}"


async def row_button(window: OpenWindow, number: int) -> QToolButton:
    """The button of a row, with the pointer in the row."""
    viewport = window.threads.view.viewport()
    place = place_of(window, one(number))
    await by_hand(lambda: window.threads.view.point_at(place))
    return next(each for each in viewport.findChildren(QToolButton) if each.isVisible())


async def menu_left(window: OpenWindow) -> None:
    await click(await row_button(window, 3))
    await popup(window)
    await key(Key.Key_Escape)


async def title_written(window: OpenWindow) -> None:
    await click(await row_button(window, 3))
    await popup(window)
    await key(Key.Key_Down)
    await key(Key.Key_Return)
    await window.until(lambda: isinstance(QApplication.focusWidget(), QLineEdit), "the field for the title")
    await key(Key.Key_End)
    await key(Key.Key_X)
    await key(Key.Key_Return)


async def heading_clicked(window: OpenWindow) -> None:
    await click(window.threads.view.viewport(), QPoint(40, 10))


async def heading_folded(window: OpenWindow) -> None:
    view = window.threads.view
    await click(view.viewport(), view.painter.arrow_rect(view.visualRect(window.threads.model.index(0))).center())


async def several_chosen(window: OpenWindow) -> None:
    await click(window.threads.view.viewport(), place_of(window, one(3)), held=Held.ControlModifier)


async def several_archived(window: OpenWindow) -> None:
    await several_chosen(window)
    assert window.threads.selection_bar is not None
    await click(window.threads.selection_bar.archive_button)


async def selection_cleared(window: OpenWindow) -> None:
    await several_chosen(window)
    assert window.threads.selection_bar is not None
    await click(window.threads.selection_bar.close_button)


async def archive_entered_and_left(window: OpenWindow) -> None:
    await click(window.threads.archive_button)
    assert window.threads.archive_head is not None
    assert window.editor.hasFocus()
    await click(window.threads.archive_head.back)


ACTS: tuple[Callable[[OpenWindow], Awaitable[None]], ...] = (
    *(menu_left, title_written, heading_clicked, heading_folded, several_archived, selection_cleared),
    archive_entered_and_left,
)


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__)
async def test_the_focus_stays_in_the_composer(
    data_dir: Path, qapp: QApplication, act: Callable[[OpenWindow], Awaitable[None]]
) -> None:
    threads = [Thread(one(number), f"Thread {number}", "", "", "scripted", "big") for number in range(8)]
    await stored_threads(data_dir, *threads[:7], Thread(one(7), "Away", "", "", "scripted", "big", archived=True))
    async with OpenWindow.opened(data_dir) as window:
        window.window.activateWindow()
        window.composer.focus_editor()
        await window.until(window.editor.hasFocus, "the focus in the composer")
        await act(window)
        await window.settled()
        await window.until(window.editor.hasFocus, "the focus in the composer again")
        assert focused() is window.editor
        await key(Key.Key_A)
        assert window.editor.toPlainText() == "a"
