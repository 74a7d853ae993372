"""The hairline between the rows of a page."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QWidget


def rule_in(parent: QWidget) -> QFrame:
    """A hairline as wide as the rows that it parts."""
    rule = QFrame(parent)
    rule.setProperty("kind", "rule")
    rule.setFixedHeight(1)
    return rule
