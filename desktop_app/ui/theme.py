"""Owns colours, fonts and measures: one token table from which painters, palette and style sheet draw.

Knows no widget. The table is `resources/themes/tokens.json`; a role that is missing there is a `KeyError`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from PySide6.QtGui import QColor, QFont, QFontDatabase

from desktop_app.resources import resource

ThemeName: TypeAlias = Literal["light", "dark"]

GRID = 8
"""All spaces are multiples (or halves) of this many pixels."""
RADIUS = 8
"""Corner radius of fields, cards and code blocks in pixels."""
COLUMN = 792
"""Widest reading column of the transcript and the composer in pixels (DESIGN.md: 760-820)."""
LINE_HEIGHT = 1.45
"""Line height of prose as a multiple of the font's size."""

BODY_FAMILY = "Inter"
CODE_FAMILY = "JetBrains Mono"


@dataclass(frozen=True, slots=True)
class Theme:
    """One look. `text_size` is the body size in points; the other sizes follow from it."""

    name: ThemeName
    colors: Mapping[str, QColor]
    text_size: int

    def color(self, role: str) -> QColor:
        """The colour of a role, such as "text-secondary"."""
        return self.colors[role]

    def css_color(self, role: str) -> str:
        """The colour as `#rrggbb` for style sheets."""
        return self.colors[role].name()

    def body_font(self) -> QFont:
        """Running text."""
        return _font(BODY_FAMILY, self.text_size)

    def small_font(self) -> QFont:
        """Labels, captions, the gauge's line."""
        return _font(BODY_FAMILY, self.text_size - 2)

    def title_font(self) -> QFont:
        """Headings of panes and cards."""
        font = _font(BODY_FAMILY, self.text_size + 1)
        font.setWeight(QFont.Weight.DemiBold)
        return font

    def code_font(self) -> QFont:
        """Code, with programming ligatures off: what is shown is what is copied."""
        font = _font(CODE_FAMILY, self.text_size - 1)
        font.setStyleHint(QFont.StyleHint.Monospace)
        font.setFeature(QFont.Tag("calt"), 0)
        return font


def _font(family: str, points: float) -> QFont:
    # No hinting: the glyphs then keep their shape and width at every scale factor.
    font = QFont(family)
    font.setPointSizeF(max(6.0, points))
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


@lru_cache(maxsize=1)
def _tokens() -> dict[str, dict[str, str]]:
    table: dict[str, dict[str, str]] = json.loads(resource("themes", "tokens.json").read_text("utf-8"))
    return table


def load_theme(name: ThemeName, text_size: int = 11) -> Theme:
    """The theme of that name with a body size in points."""
    return Theme(name, {role: QColor(value) for role, value in _tokens()[name].items()}, text_size)


def load_bundled_fonts() -> None:
    """Makes the bundled fonts known to Qt; `FileNotFoundError` naming a font that cannot be read."""
    for path in sorted(resource("fonts").glob("*.[ot]tf")):
        if QFontDatabase.addApplicationFont(str(path)) < 0:
            raise FileNotFoundError(f"The font {path.name} that belongs to Plimsoll can't be read")
