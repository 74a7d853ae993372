"""The meaning of a theme for the canvas: fonts with their measures, formats and colors. Uses no message.

All vertical measures are whole pixels: only then can scrolling move painted pixels instead of painting again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QPen, QTextCharFormat, QTextFormat

from desktop_app.core.markdown.inline_text import SpanKind
from desktop_app.ui.theme.theme import CODE_FAMILY, MeasuredFont, Scale, Theme, scale, stroke

#: Left inset of each level of a list, and of a quote.
INDENT = 24
HEADINGS: Final[Mapping[int, Scale]] = {
    1: "heading-1",
    2: "heading-2",
    3: "heading-3",
    4: "heading-4",
    5: "heading-5",
    6: "heading-6",
}


class TextStyle:
    """One theme, measured once. Items compare looks by identity: a new look means a new layout."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        body = theme.body_font()
        self.body = MeasuredFont.of(body, scale("line"))
        self.small = MeasuredFont.of(theme.small_font(), scale("line"))
        self.code = MeasuredFont.of(theme.code_font(), scale("code-line"))
        self.headings = {level: MeasuredFont.of(_heading(body, level), scale("heading-line")) for level in HEADINGS}
        strong = QFont(body)
        strong.setWeight(QFont.Weight.DemiBold)
        self.strong = MeasuredFont.of(strong, scale("line"))
        medium = QFont(theme.small_font())
        medium.setWeight(QFont.Weight.Medium)
        self.label = MeasuredFont.of(medium, scale("line"))
        kinds = ("strong", "em", "strike", "code", "math", "formula", "link", "note", "cite", "unsent")
        self._formats = {kind: self._format(kind) for kind in kinds}
        self.selection = QTextCharFormat()
        self.selection.setBackground(self.color("selection"))
        self.marks = {kind: self._mark(kind) for kind in ("found", "found-current", "focused")}
        self.hidden = QTextCharFormat()
        self.hidden.setForeground(QColor(Qt.GlobalColor.transparent))
        self.syntax = {
            role: self._ink(f"syntax-{role}")
            for role in ("keyword", "string", "number", "comment", "name", "type", "operator")
        }

    def color(self, role: str) -> QColor:
        """The theme's color of that role."""
        return self.theme.color(role)

    def lines_per_character(self, width: int) -> float:
        """Return how many lines of that width a character of plain text takes on average."""
        # measured on mixed content: about 12 % of the width of a line stays empty
        return self.body.average * 1.12 / width

    def unseen(self, kind: str) -> QTextCharFormat:
        """A mark of that kind on something that is painted over it."""
        made = QTextCharFormat(self.marks[kind])
        made.setForeground(self.hidden.foreground())
        return made

    def format(self, kind: SpanKind) -> QTextCharFormat:
        """Return the format by which a span of that kind differs from the text around it."""
        return self._formats[kind]

    def _ink(self, role: str) -> QTextCharFormat:
        made = QTextCharFormat()
        made.setForeground(self.color(role))
        return made

    def _mark(self, kind: str) -> QTextCharFormat:
        """The hit that the reader is at, and what the keyboard is on, have an outline: color is not the only sign."""
        made = QTextCharFormat()
        if kind != "focused":
            made.setBackground(self.color(kind))
        if kind == "found-current":
            made.setForeground(self.color("text"))  # toned down text would not be readable on it
        if kind != "found":
            made.setProperty(int(QTextFormat.Property.OutlinePen), QPen(self.color("focus"), stroke("hair")))
        return made

    def _format(self, kind: str) -> QTextCharFormat:
        made = QTextCharFormat()
        match kind:
            case "strong":
                made.setFontWeight(QFont.Weight.DemiBold)
            case "em":
                made.setFontItalic(True)
            case "strike":
                made.setFontStrikeOut(True)
            case "code" | "math":
                made.setFontFamilies([CODE_FAMILY])
                made.setFontPointSize(self.body.font.pointSizeF() * scale("inline-code"))
            case "link" | "note" | "cite":
                made.setForeground(self.color("link"))
            case "unsent":
                made.setForeground(self.color("warning"))
                made.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
        return made


def _heading(body: QFont, level: int) -> QFont:
    font = QFont(body)
    font.setPointSizeF(math.floor(body.pointSizeF() * scale(HEADINGS[level]) * 2) / 2)
    font.setWeight(QFont.Weight.DemiBold)
    return font
