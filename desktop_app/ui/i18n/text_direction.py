"""The side on which a plain text stands: right where it begins in a script that runs from right to left.

Knows no field of its own. Qt lays such a text out from right to left by itself, but leaves its lines at the left.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPlainTextEdit

LOOKED_AT = 20
"""Lines among which the first with a letter decides; the side is one for the whole text."""


def align_as_it_runs(field: QPlainTextEdit) -> None:
    """Puts the field's text to the side on which it begins."""
    document = field.document()
    block, left = document.firstBlock(), LOOKED_AT
    while block.isValid() and not block.length() > 1 and left:
        block, left = block.next(), left - 1
    to_right = block.isValid() and block.textDirection() == Qt.LayoutDirection.RightToLeft
    wanted = Qt.AlignmentFlag.AlignRight if to_right else Qt.AlignmentFlag.AlignLeft
    option = document.defaultTextOption()
    if option.alignment() != wanted:
        option.setAlignment(wanted)
        document.setDefaultTextOption(option)
