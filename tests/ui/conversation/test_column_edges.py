"""One left and right edge for questions, composer, editor and card, and one left edge for their texts."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QTextEdit, QWidget

from desktop_app.core.messages import Failure
from desktop_app.ui.theme.theme import OUTDENT
from tests.ui.open_window import OpenWindow
from tests.ui.shell.test_focus_return import by_hand

FAILURE = Failure("network", "The server can't be reached.", actions=("retry",))


def edges(part: QWidget, window: OpenWindow) -> tuple[int, int]:
    left = part.mapTo(window.window.centre, QPoint(0, 0)).x()
    return left, left + part.width()


def text_left(editor: QTextEdit | QPlainTextEdit, window: OpenWindow) -> int:
    """Where the first letter of a field stands."""
    at = editor.cursorRect(type(editor.textCursor())(editor.document())).left()
    return editor.viewport().mapTo(window.window.centre, QPoint(at, 0)).x()


@pytest.mark.parametrize("width", [480, 800, 1024, 1025, 1280, 1281, 1680])
async def test_everything_on_the_column_has_its_edges(window: OpenWindow, width: int) -> None:
    await window.send("hello")
    window.window.show_list(False)
    window.window.resize(width, 700)
    await window.settled()
    await by_hand(QApplication.processEvents)
    view = window.transcript
    column = view.viewport().mapTo(window.window.centre, view.column.topLeft()).x()
    question = (column - OUTDENT, column + view.column.width() + OUTDENT)
    assert edges(window.composer.field, window) == question
    window.type("some words")
    assert text_left(window.editor, window) == column
    window.editor.replace_text("")
    window.presenters.error_cards.show_failure(FAILURE)
    await window.settled()
    await by_hand(QApplication.processEvents)
    card = window.presenters.error_cards.card
    assert card is not None
    assert edges(card, window) == question
    window.press(Qt.Key.Key_Up)
    panel = view.editing.panel
    await window.until(panel.isVisible, "the editor")
    await by_hand(QApplication.processEvents)
    assert edges(panel, window) == question
    assert text_left(panel.editor, window) == column


async def test_a_card_keeps_off_the_buttons_above_it_and_shrinks_to_a_line_under_the_text(window: OpenWindow) -> None:
    await window.send("hello")
    window.presenters.error_cards.show_failure(FAILURE)
    view, card = window.transcript, window.presenters.error_cards.card
    assert card is not None
    QApplication.sendEvent(view.viewport(), QEvent(QEvent.Type.Enter))
    await by_hand(QApplication.processEvents)
    row = view.actions_bar.visible_row
    assert row is not None
    assert card.y() - (row.y() + row.height()) == 12
    card.resolve()
    await by_hand(QApplication.processEvents)
    heading = card.findChildren(QLabel)[1]
    assert heading.text().startswith("Resolved")
    assert heading.mapTo(view.viewport(), QPoint(0, 0)).x() == view.column.left()
    assert heading.font().pointSizeF() == view.text_style.theme.small_font().pointSizeF()
