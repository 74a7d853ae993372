"""Text that is toned down can still be read: contrast of the colour roles after WCAG 2."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor

from desktop_app.ui.theme import ThemeName, load_theme

AA = 4.5
SYNTAX = ("keyword", "string", "number", "comment", "name", "type", "operator")


def contrast(one: QColor, other: QColor) -> float:
    """The ratio of WCAG 2.2, 1 to 21."""

    def luminance(color: QColor) -> float:
        channels = (color.redF(), color.greenF(), color.blueF())
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize(
    ("ink", "ground"),
    [
        ("text-secondary", "background"),
        ("text-secondary", "question"),
        ("text-secondary", "surface"),
        ("text-secondary", "raised"),
        ("text-secondary", "code-background"),
        ("text", "background"),
        ("text", "question"),
        ("text", "hover"),
        ("text", "track"),
        ("text", "selection"),
        ("text-secondary", "hover"),
        ("link", "question"),
        ("link", "raised"),
        ("warning", "surface"),
        ("warning", "raised"),
        ("danger", "raised"),
        ("success", "background"),
        *((f"syntax-{kind}", "code-background") for kind in SYNTAX),
        ("link", "background"),
        ("warning", "background"),
        ("danger", "background"),
        ("on-accent", "accent"),
        ("text", "found"),
        ("text-secondary", "found"),
        ("link", "found"),
        ("syntax-comment", "found"),
        ("syntax-keyword", "found"),
        ("text", "found-current"),
    ],
)
def test_every_text_is_readable_on_its_ground(name: ThemeName, ink: str, ground: str) -> None:
    theme = load_theme(name)
    assert contrast(theme.color(ink), theme.color(ground)) >= AA
