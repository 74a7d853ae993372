"""What is on the screen after moving painted pixels must be what painting everything again would show."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtGui import QImage

from tests.patience import PATIENCE_S

SCALES = ("1", "1.25", "1.5", "2")


def line_of(image: QImage, y: int) -> bytes:
    """One row of pixels."""
    line: Any = image.constScanLine(y)
    return bytes(line)


def differing_rows() -> list[str]:
    """Runs all movements in this process; names those after which a row of pixels is wrong."""
    from PySide6.QtCore import QPoint, Qt
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    from desktop_app.core.messages import TextPart
    from desktop_app.ui.theme.theme import load_bundled_fonts, load_theme
    from desktop_app.ui.transcript.message.action_bar import MessageAction
    from desktop_app.ui.transcript.view import TranscriptView
    from tests.benchmarks.bench_transcript import settle, text_of, thread
    from tests.gallery.prose import FORMULAS, NOTES
    from tests.ui.transcript.gallery import message
    from tests.ui.transcript.gallery import thread as small_thread

    app = QApplication([])
    app.setCursorFlashTime(0)
    load_bundled_fonts()
    view = TranscriptView(load_theme("light"))
    view.resize(900, 700)
    view.show()
    QTest.qWaitForWindowExposed(view)
    # a row of buttons rests beneath the last answer and goes with it
    view.actions_bar.offers = lambda _message: (
        MessageAction("copy", "copy", "Copy"),
        MessageAction("note", "note", "Note"),
    )
    view.show_path([*thread(160)[:-8], *small_thread()])
    wrong: list[str] = []

    def rest() -> None:
        # colors that arrive between the two pictures would be a difference that is none
        deadline = time.monotonic() + PATIENCE_S
        settle(0.03)
        while (view.highlighter.busy or view.busy) and time.monotonic() < deadline:
            settle(0.03)
        assert not view.highlighter.busy
        assert not view.busy
        settle(0.01)  # what was colored last is painted

    def stored() -> QImage:
        # what was moved and painted so far, at the resolution of the screen
        image = view.backingStore().paintDevice()
        assert isinstance(image, QImage)
        return image.convertToFormat(QImage.Format.Format_RGB32).copy()

    def check(name: str) -> None:
        rest()
        shown = stored()
        view.viewport().update()
        settle(0.001)
        fresh = stored()
        assert shown.size() == fresh.size()
        # at fractional scales the column shared with the scroll bar depends on which of the two was painted last
        inner = int((view.viewport().width() - 2) * view.devicePixelRatioF()) * 4
        first = int(view.viewport().y() * view.devicePixelRatioF()) + 1
        rows = [
            y
            for y in range(first if view.viewport().y() else 0, fresh.height())
            if line_of(shown, y)[:inner] != line_of(fresh, y)[:inner]
        ]
        if rows:
            wrong.append(f"{name}: {len(rows)} rows, first {rows[:4]}")

    def repeat(count: int, step: Callable[[], object]) -> None:
        for _ in range(count):
            step()
            app.processEvents()

    bar = view.verticalScrollBar()
    check("opened")
    repeat(40, lambda: view.scroll_by(-97))
    check("wheel up")
    repeat(25, lambda: view.scroll_by(61))
    check("wheel down")
    bar.setValue(bar.maximum() // 2)
    check("jump")
    repeat(30, lambda: view.scroll_by(-53))
    check("after the jump")
    repeat(30, lambda: bar.setValue(bar.value() + 41))
    check("scroll bar")
    view.resize(820, 640)
    check("narrower")
    repeat(12, lambda: view.scroll_by(-33))
    check("after resizing")
    view.decorations.set_load_line("m150", {"m100": "Pinned"})
    repeat(10, lambda: view.scroll_by(29))
    check("toned down")
    QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(120, 60))
    view.selection.caret = (view.row_layout.placed[-2].message, max(0, view.row_layout.placed[-2].row.slot), 5)
    view.selection.show()
    check("selected")
    repeat(8, lambda: view.scroll_by(-37))
    check("scrolled with a selection")
    view.selection.clear()
    view.selection.show()
    check("selection cleared")
    view.setFocus()
    view.keyboard.focus_message(view.row_layout.placed[1].message)
    repeat(30, lambda: QTest.keyClick(view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier))
    check("selected by keys")
    repeat(6, lambda: view.keyboard.tab(1))
    check("the keyboard on a link")
    view.selection.clear()
    view.selection.show()
    view.bars.open_find()
    view.find_in_thread.bar.field.setText("the")
    while not view.find_in_thread.done:
        app.processEvents()
    check("found")
    repeat(20, lambda: view.scroll_by(-41))
    check("scrolled with hits")
    repeat(8, lambda: view.find_in_thread.step(1))
    check("from hit to hit")
    view.wrap_code(True)
    check("wrapped")
    repeat(20, lambda: view.scroll_by(-37))
    check("scrolled with wrapped code")
    view.wrap_code(False)
    view.resize(860, 660)
    check("wider")
    view.auto_scroll.show_latest()
    view.stream.add_message(message(900, "user", "And now?"))
    view.stream.begin_answer(message(901, "assistant"))
    check("asked")
    import random

    text = text_of(random.Random(3), 7_000)
    for start in range(0, len(text), 13):
        view.stream.grow_answer("m901", "text", text[start : start + 13])
        view.stream.show_now()
        app.processEvents()
        if start % (13 * 60) == 0:
            check(f"streamed {start}")  # the find bar is open: hits that come are marked
        if start == 13 * 200:
            view.auto_scroll.show_latest()
    check("streamed all")
    view.bars.close()
    check("bar closed")
    view.stream.finish_answer(message(901, "assistant", TextPart(text)))
    check("finished")
    view.clearFocus()
    view.auto_scroll.show_latest()
    check("latest")
    assert view.actions_bar.resting.isVisible()
    assert not view._has_widgets_in_flow(), "the rows are still moved, not painted"
    repeat(5, lambda: view.scroll_by(-3))
    check("the buttons moved")
    repeat(30, lambda: view.scroll_by(-19))
    check("read again")
    view.auto_scroll.show_latest()
    app.processEvents()
    assert view.actions_bar.resting.isVisible()
    view.stream.add_message(message(902, "user", "And then?"))
    view.stream.begin_answer(message(903, "assistant"))
    assert not view.actions_bar.resting.isVisible()
    check("asked again")
    view.stream.finish_answer(message(903, "assistant", TextPart("Nothing.")))
    check("answered again")
    view.show_path([message(950, "user", "Formulas?"), message(951, "assistant", 3 * FORMULAS + NOTES)])
    app.processEvents()
    check("formulas")
    repeat(30, lambda: view.scroll_by(-23))
    check("scrolled with formulas")
    repeat(30, lambda: view.scroll_by(17))
    check("scrolled back")
    view.selection.anchor, view.selection.caret = (1, 0, 3), (1, 12, 4)
    view.selection.show()
    repeat(9, lambda: view.scroll_by(-31))
    check("formulas selected")
    view.close()
    view.formula_updates.formulas.close()
    return wrong


@pytest.mark.slow
@pytest.mark.parametrize("scale", SCALES)
def test_moved_pixels_equal_a_fresh_repaint(scale: str) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": scale}
    code = "from tests.ui.transcript.canvas.test_pixels import differing_rows; print(differing_rows())"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"
