"""A typeset formula as the canvas draws it: in any size, color and resolution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath

from desktop_app.ui.transcript.formulas import EM

#: Height of an x in the formula font over its size. Formulas are set so that theirs is that of the text around them.
X_HEIGHT = 0.479


@dataclass(frozen=True, slots=True)
class FormulaDrawing:
    """Outlines in thousandths of the font size; `up` and `down` are measured from the baseline.

    `letters` (x, y, size, character) are drawn with the font of the text around the formula.
    """

    path: QPainterPath
    width: float
    up: float
    down: float
    letters: Sequence[tuple[float, float, float, str]] = ()

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> FormulaDrawing:
        """The drawing of an answer of the process that typesets."""
        letters = tuple((x, y, size, letter) for x, y, size, letter in facts["letters"])
        return cls(_path(facts["path"]), facts["width"], facts["up"], facts["down"], letters)

    @property
    def weight(self) -> int:
        """The room it takes, in points of its outline."""
        return self.path.elementCount() + len(self.letters)

    def paint(self, painter: QPainter, at: QPointF, size: float, ink: QColor, font: QFont) -> None:
        """Draws it from a point of its baseline on, in a font size in pixels; `font` is that of the text around."""
        painter.save()
        painter.translate(at)
        scale = size / EM
        if self.letters:
            painter.setPen(ink)
            letters = QFont(font)
            for left, y, height, letter in self.letters:
                letters.setPixelSize(max(1, round(height * scale)))
                painter.setFont(letters)
                painter.drawText(QPointF(left * scale, y * scale), letter)
        painter.scale(scale, scale)
        painter.fillPath(self.path, ink)
        painter.restore()


def _path(commands: Sequence[str | float]) -> QPainterPath:
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    at = 0
    while at < len(commands):
        match commands[at]:
            case "M":
                path.moveTo(*_numbers(commands, at, 2))
                at += 3
            case "L":
                path.lineTo(*_numbers(commands, at, 2))
                at += 3
            case "Q":
                path.quadTo(*_numbers(commands, at, 4))
                at += 5
            case "C":
                path.cubicTo(*_numbers(commands, at, 6))
                at += 7
            case _:
                path.closeSubpath()
                at += 1
    return path


def _numbers(commands: Sequence[Any], at: int, count: int) -> Sequence[Any]:
    return commands[at + 1 : at + 1 + count]
