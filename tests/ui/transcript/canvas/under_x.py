"""A transcript in a real window of the X window system: `python -m tests.ui.transcript.canvas.under_x PART`.

Each part prints one line of JSON when it is done, then waits for the end of its standard input; "primary" only tells
what the selection of the screen holds.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QDeadlineTimer, QPoint, QSocketNotifier, Qt, QTimer
from PySide6.QtGui import QClipboard, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit

from desktop_app.ui.shell.opening import make_application
from desktop_app.ui.theme.theme import load_theme
from desktop_app.ui.transcript.view import TranscriptView
from tests.core.paths import talk
from tests.patience import PATIENCE_MS

LEFT = Qt.MouseButton.LeftButton
WORDS = "First question", "An answer with several words.", "Second question", "The last answer."


def shown() -> TranscriptView:
    view = TranscriptView(load_theme("light"))
    view.resize(900, 500)
    view.show_path(talk(*WORDS, *(f"Further {n}. " * 30 for n in range(40))))
    view.show()
    QTest.qWaitForWindowExposed(view)
    view.navigation.scroll_to_message("m0")
    return view


def spot(view: TranscriptView, message: int, x: int = 0) -> QPoint:
    """A point in the first line of a message."""
    placed = next(p for p in view.row_layout.placed if p.message == message and p.first)
    return QPoint(view.column.left() + x, placed.item_top + placed.row.item.caret_rect(0).center().y())


def drag(view: TranscriptView) -> dict[str, Any]:
    """The pointer is drawn over two messages; then a click with Shift takes the selection further."""
    viewport = view.viewport()
    QTest.mousePress(viewport, LEFT, pos=spot(view, 0))
    QTest.mouseMove(viewport, spot(view, 1, 40))
    QTest.mouseMove(viewport, spot(view, 1, 2_000))
    QTest.mouseRelease(viewport, LEFT, pos=spot(view, 1, 2_000))
    dragged = view.copying.selected_text()
    wait_for(lambda: not view.copying.busy)
    first = QGuiApplication.clipboard().text(QClipboard.Mode.Selection)
    QTest.mouseClick(viewport, LEFT, Qt.KeyboardModifier.ShiftModifier, pos=spot(view, 2, 2_000))
    wait_for(lambda: not view.copying.busy)
    field = QPlainTextEdit()
    field.show()
    QTest.qWaitForWindowExposed(field)
    QTest.mouseClick(field.viewport(), Qt.MouseButton.MiddleButton)
    return {
        "dragged": dragged,
        "primary": first,
        "shifted": view.copying.selected_text(),
        "pasted": field.toPlainText(),
    }


def clicks(view: TranscriptView) -> dict[str, Any]:
    """Double and triple click."""
    viewport, at = view.viewport(), spot(view, 1, 10)
    QTest.mouseClick(viewport, LEFT, pos=at)
    QTest.mouseDClick(viewport, LEFT, pos=at)
    word = view.copying.selected_text()
    QTest.mousePress(viewport, LEFT, pos=at)
    QTest.mouseRelease(viewport, LEFT, pos=at)
    return {"word": word, "block": view.copying.selected_text()}


def edge(view: TranscriptView) -> dict[str, Any]:
    """A drag that stays beneath the lower edge goes on by itself and ends with the button."""
    viewport = view.viewport()
    QTest.mousePress(viewport, LEFT, pos=spot(view, 0))
    QTest.mouseMove(viewport, QPoint(300, 300))
    QTest.mouseMove(viewport, QPoint(300, viewport.height() + 40))
    before = view.row_layout.y
    wait_for(lambda: view.row_layout.y > before + 200)
    QTest.mouseRelease(viewport, LEFT, pos=QPoint(300, viewport.height() + 40))
    after = view.row_layout.y
    QTest.qWait(150)
    return {"went_on": view.row_layout.y - after, "messages": len(view.selected_messages())}


def find(view: TranscriptView) -> dict[str, Any]:
    """Words that stand in messages out of view are counted and reached."""
    view.bars.open_find()
    QTest.keyClicks(view.find_in_thread.bar.field, "further 39")
    wait_for(lambda: view.find_in_thread.done)
    QTest.keyClick(view.find_in_thread.bar.field, Qt.Key.Key_Return)
    wait_for(lambda: "of" in view.find_in_thread.bar.count.text())
    return {
        "count": view.find_in_thread.bar.count.text(),
        "in_view": any(p.message == 43 for p in view.row_layout.placed),
    }


def wait_for(condition: Callable[[], bool]) -> None:
    """Lets the window live until it holds, at most five seconds."""
    deadline = QDeadlineTimer(PATIENCE_MS)
    while not condition():
        assert not deadline.hasExpired(), "never came"
        QTest.qWait(10)


PARTS = {"drag": drag, "clicks": clicks, "edge": edge, "find": find}


def main() -> None:
    app = make_application()
    if sys.argv[1] == "primary":
        QTimer.singleShot(0, lambda: print(json.dumps(app.clipboard().text(QClipboard.Mode.Selection)), flush=True))
        QTimer.singleShot(0, app.quit)
        app.exec()
        return
    view = shown()
    print(json.dumps({"platform": app.platformName(), **PARTS[sys.argv[1]](view)}), flush=True)
    # the selection belongs to whoever made it, for as long as that lives
    end = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
    end.activated.connect(app.quit)
    app.exec()
    view.formula_updates.formulas.close()


if __name__ == "__main__":
    main()
