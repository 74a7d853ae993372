"""Guards the pin of PySide6: 6.12.0 drops a reference to None on every void call (docs/decisions/0006)."""

from __future__ import annotations

import sys

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot


def test_void_calls_keep_the_references_of_none(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    before = sys.getrefcount(None)
    for _ in range(1000):
        widget.update()
    assert abs(sys.getrefcount(None) - before) < 100
