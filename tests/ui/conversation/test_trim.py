"""What the window says and shows when older messages are left out."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest

from desktop_app.ui.gauge.gauge_popover import GaugePopover
from desktop_app.ui.inspector.inspector_pane import InspectorPane
from desktop_app.ui.transcript.message.decorations import ALWAYS_SENT
from tests.ui.long_threads import drafted
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

TURN = "The quick brown fox jumps over the lazy dog. " * 60  # about 600 tokens


async def filled(window: OpenWindow) -> None:
    """A thread over the soft limit of a small window, with one more question written."""
    window.backend.window = 12_000
    for number in range(16):
        await drafted(window, f"{number} {TURN}")
        if window.gauge.reading.state == "trim":
            return
        window.press(Qt.Key.Key_Return)
        await window.until(window.composer.is_empty, "the question in the history")
        await window.until(lambda: not window.composer.streaming, "the answer")
        await window.settled()
    raise AssertionError("the limit was never reached")


def line_message(window: OpenWindow) -> str | None:
    plan = window.presenters.gauge.plan
    assert plan is not None
    return plan.placement.boundary.first_kept


def in_view(window: OpenWindow, message_id: str) -> bool:
    view = window.transcript
    return any(p.row.decoration == "load-line" and 0 <= p.top < view.row_layout.view for p in view.row_layout.placed)


async def test_the_gauge_says_what_sending_leaves_out_and_review_shows_which(window: OpenWindow) -> None:
    await filled(window)
    reading = window.gauge.reading
    plan = window.presenters.gauge.plan
    assert plan is not None
    assert reading.line == f"Sending leaves out {plan.placement.newly_left_out} older messages"
    assert reading.action == "Review"
    assert reading.notch is not None
    assert reading.notch < reading.fill
    line = line_message(window)
    assert line is not None
    assert not in_view(window, line)
    await window.until(lambda: window.gauge.line.endswith("Review"), "the painted words")
    words = window.gauge.line.removesuffix("Review")
    x = int(QFontMetricsF(window.gauge._font).horizontalAdvance(words)) + 8
    QTest.mouseClick(
        window.gauge, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(x, window.gauge.height() - 6)
    )
    assert in_view(window, line)
    assert window.composer.findChild(GaugePopover) is None
    pane = window.window.inspector.content
    assert isinstance(pane, InspectorPane)
    assert pane.isVisible(), "and which, where they can be kept"
    rows = pane.messages.view
    assert len(rows.selectionModel().selectedRows()) == plan.placement.left_out
    assert rows.current_message() in rows.selected_messages(), "the keyboard goes on there"
    assert rows.viewport().rect().contains(rows.visualRect(rows.currentIndex()))
    window.shortcut("toggle_inspector")
    QTest.mouseClick(window.gauge, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(20, 4))
    popover = window.composer.findChild(GaugePopover)
    assert popover is not None, "elsewhere the popover opens"
    popover.close()


async def test_what_is_always_sent_keeps_its_colour_and_carries_a_mark(window: OpenWindow) -> None:
    await filled(window)
    view, plan = window.transcript, window.presenters.gauge.plan
    assert plan is not None
    first = view.row_layout.messages[0].id
    assert view.decorations.reasons[first] == ALWAYS_SENT
    left_out = [index for index in range(len(view.row_layout.messages)) if index in view.row_layout.faded]
    assert 0 not in left_out
    assert len(left_out) == plan.placement.left_out
    view.navigation.scroll_to_message(first)
    assert any(placed.row.decoration == "mark" for placed in view.row_layout.placed)


async def test_enter_on_the_gauge_reviews_too(window: OpenWindow) -> None:
    await filled(window)
    line = line_message(window)
    assert line is not None
    window.press(Qt.Key.Key_Return, widget=window.gauge)
    assert in_view(window, line)
