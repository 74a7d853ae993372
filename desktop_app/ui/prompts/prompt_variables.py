"""The display of a prompt's variables in text fields and painted lines. Uses no prompt and no list."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat, QTextCursor, QTextDocument

from desktop_app.core.prompts import PromptTemplate
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets.list_parts import utf16_place


def variable_format(theme: Theme) -> QTextCharFormat:
    """Return the format of a variable as it is written."""
    look = QTextCharFormat()
    look.setForeground(theme.color("syntax-name"))
    look.setBackground(theme.color("code-header"))
    return look


class VariableHighlighter(QSyntaxHighlighter):
    """Colours the variables of a text while it is written; none goes over the end of a line."""

    def __init__(self, theme: Theme, document: QTextDocument) -> None:
        super().__init__(document)
        self._theme = theme
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        self._look = variable_format(self._theme)
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        if "{{" not in text:
            return
        for place in PromptTemplate(text).places:
            start, end = utf16_place(text, place.start), utf16_place(text, place.end)
            self.setFormat(start, end - start, self._look)


def show_filled(
    document: QTextDocument, template: PromptTemplate, values: Mapping[str, str], theme: Theme, most: int
) -> None:
    """Shows the filled text, what was filled in coloured; a variable that is left empty by its name, toned down.

    Of long texts the first `most` characters.
    """
    plain, filled, empty = QTextCharFormat(), QTextCharFormat(), QTextCharFormat()
    plain.setForeground(theme.color("text"))
    filled.setForeground(theme.color("accent"))
    empty.setForeground(theme.color("text-secondary"))
    empty.setFontItalic(True)
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    cursor.select(QTextCursor.SelectionType.Document)
    cursor.removeSelectedText()
    left = most
    for text, name in template.segments(values):
        shown, look = (text, filled if name else plain) if text else (name, empty)
        cursor.insertText(shown[:left] if len(shown) <= left else f"{shown[:left]}…", look)
        left -= len(shown)
        if left <= 0:
            break
    cursor.endEditBlock()
