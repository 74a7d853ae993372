"""The button that empties a field, which Qt makes without a name."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QToolButton

from desktop_app.ui.i18n.language import tr


def make_clearable(field: QLineEdit) -> None:
    """Gives a field a button that empties it, shown while there is something to empty.

    It is made with the first text: Qt looks through all icons of the desktop for it.
    """
    field.textChanged.connect(partial(_give_button, field), Qt.ConnectionType.SingleShotConnection)


def _give_button(field: QLineEdit, _text: str) -> None:
    before = set(field.findChildren(QToolButton))
    field.setClearButtonEnabled(True)
    for button in set(field.findChildren(QToolButton)) - before:
        button.setAccessibleName(tr("Clear the field"))
