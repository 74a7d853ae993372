"""A font with the measures that laying out lines of it needs."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QFont, QFontMetricsF

#: How many times as high as its capitals a line of the bundled font for text is, and from where on it was given more.
USUAL, ROOMY = 1.664, 1.9


@dataclass(frozen=True, slots=True)
class MeasuredFont:
    """A font with the measures that layout needs: pitch of lines, and where the baseline lies in one."""

    font: QFont
    pitch: int
    baseline: int
    average: float

    @classmethod
    def of(cls, font: QFont, leading: float) -> MeasuredFont:
        metrics = QFontMetricsF(font)
        height, capitals = metrics.height(), metrics.capHeight()
        if height > ROOMY * capitals:
            # lines were given room for another script, which the leading has already
            height = USUAL * capitals
        pitch = round(height * leading)
        slack = pitch - metrics.ascent() - metrics.descent()
        return cls(font, pitch, round(slack / 2 + metrics.ascent()), metrics.averageCharWidth())
