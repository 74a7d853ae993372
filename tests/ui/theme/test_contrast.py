"""What is written and drawn can be made out: contrast of every pair of colour roles that meet, after WCAG 2.2."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QWidget

from desktop_app.ui.theme.style import style_sheet
from desktop_app.ui.theme.theme import ThemeName, load_theme, tokens

TEXT, GRAPHICS = 4.5, 3.0
"""The least contrast of text, and of what has a meaning without words (success criteria 1.4.3 and 1.4.11)."""
SYNTAX = tuple(f"syntax-{kind}" for kind in ("keyword", "string", "number", "comment", "name", "type", "operator"))
PROSE = ("text", "text-secondary", "link")
TOLD = ("danger", "warning", "success")

WRITTEN = {
    # the transcript, and what floats over it; toned-down text stands above the load line
    "background": (*PROSE, *TOLD, "accent"),
    "question": (*PROSE, *TOLD),
    "code-background": (*SYNTAX, "text", "text-secondary"),
    "code-header": ("text", "text-secondary"),
    # side panes, menus, popovers, cards, tooltips
    "surface": (*PROSE, *TOLD),
    "raised": (*PROSE, *TOLD),
    # rows and buttons under the pointer, pressed, or chosen
    "hover": ("text", "text-secondary", "link"),
    "track": ("text", "text-secondary"),
    "accent": ("on-accent",),
    # what is selected or found keeps its own ink; only the hit that one stands on is written in plain text
    "selection": (*PROSE, *SYNTAX, *TOLD),
    "found": (*PROSE, *SYNTAX),
    "found-current": ("text",),
}
"""Grounds, and the inks that words on them have. A control that can't be used needs no contrast."""
DRAWN = {
    "background": ("focus", "accent", "fill", "text-secondary", *TOLD),
    "surface": ("focus", "accent", "fill", "text-secondary", *TOLD),
    "raised": ("focus", "accent", "fill", "text-secondary", *TOLD),
    "question": ("focus", "accent", "text-secondary"),
    "hover": ("focus", "text-secondary"),
    # the gauge's hull, switches, scroll bars
    "track": ("fill", "fill-warning", "danger", "accent", "focus"),
    "accent": ("on-accent",),
}
"""Grounds, and what is drawn on them that has a meaning: focus rings, marks, bars, icons."""
DECORATION = {"hairline", "shadow"}
"""Divides what stands apart anyway."""
RESTING = {"text-disabled"}
"""Of controls that can't be used."""


def contrast(one: QColor, other: QColor) -> float:
    """The ratio of WCAG 2.2, 1 to 21."""

    def luminance(color: QColor) -> float:
        channels = (color.redF(), color.greenF(), color.blueF())
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def pairs() -> Iterator[tuple[str, str, float]]:
    for least, table in ((TEXT, WRITTEN), (GRAPHICS, DRAWN)):
        for ground, inks in table.items():
            for ink in inks:
                yield ink, ground, least


@pytest.mark.parametrize("name", ["light", "dark"])
def test_every_pair_that_meets_can_be_made_out(name: ThemeName) -> None:
    theme = load_theme(name)
    low = [
        f"{ink} on {ground}: {found:.2f} of {least}"
        for ink, ground, least in pairs()
        if (found := contrast(theme.color(ink), theme.color(ground))) < least
    ]
    assert low == []


def test_every_role_of_the_table_is_in_a_pair() -> None:
    met = {role for ink, ground, _ in pairs() for role in (ink, ground)}
    assert met | DECORATION | RESTING == set(tokens()["light"])


@pytest.mark.parametrize("kind", [QLineEdit, QPlainTextEdit])
def test_what_an_empty_field_says_is_written_in_a_colour_of_the_table(kind: type[QWidget], qapp: QApplication) -> None:
    """Of itself Qt writes it in half of the text's colour, which is too pale."""
    theme = load_theme("light")
    field = kind()
    field.setStyleSheet(style_sheet(theme))
    field.ensurePolished()
    assert field.palette().placeholderText().color() == theme.color("text-secondary")


def test_contrast_is_that_of_the_standard() -> None:
    assert contrast(QColor("#000000"), QColor("#ffffff")) == pytest.approx(21)
    assert contrast(QColor("#777777"), QColor("#ffffff")) == pytest.approx(4.48, abs=0.01)
