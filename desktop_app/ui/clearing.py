"""Owns the button that empties a field, which Qt makes without a name. Knows no field in particular."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QLineEdit, QToolButton


def make_clearable(field: QLineEdit) -> None:
    """Gives a field a button that empties it, shown while there is something to empty."""
    before = set(field.findChildren(QToolButton))
    field.setClearButtonEnabled(True)
    for button in set(field.findChildren(QToolButton)) - before:
        button.setAccessibleName(QCoreApplication.translate("Clearing", "Empty the field"))
