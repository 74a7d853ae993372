"""The colours, fonts and measures from one token table, a font's measures, the reading column, and the action icons."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Final, Literal, TypeAlias

from PySide6.QtCore import QByteArray, QObject, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetricsF, QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from desktop_app.resources import resource

ThemeName: TypeAlias = Literal["light", "dark"]
Space: TypeAlias = Literal[
    "half",
    "grid",
    "row",
    "field-x",
    "field-y",
    "button-x",
    "button-y",
    "quiet-x",
    "quiet-y",
    "choice-x",
    "choice-y",
    "chip-x",
    "chip-y",
    "cross",
    "item-x",
    "item-y",
    "item-end",
    "head-x",
    "pill-x",
    "scroll",
    "groove",
    "handle",
    "icon",
    "shadow",
]
Radius: TypeAlias = Literal[
    "strip", "swatch", "scroll", "box", "small", "cross", "picture", "handle", "control", "card", "round"
]
Line: TypeAlias = Literal["hair", "thin", "stroke", "glyph", "bold", "tick", "focus"]
FontStep: TypeAlias = Literal["body", "small", "strong", "title", "code"]
Type: TypeAlias = Literal["body", "row", "code", "small", "key", "title", "page", "welcome", "figure"]
Scale: TypeAlias = Literal[
    "line",
    "code-line",
    "heading-line",
    "inline-code",
    "heading-1",
    "heading-2",
    "heading-3",
    "heading-4",
    "heading-5",
    "heading-6",
    "sign",
]
Motion: TypeAlias = Literal["travel", "turn", "said", "toast"]

GRID = 8
"""All spaces are multiples (or halves) of this many pixels."""
COLUMN = 792
"""Widest reading column of the transcript and the composer in pixels (DESIGN.md: 760-820)."""

USUAL_TEXT_SIZE = 11
"""Points of the body text for which all measures in pixels are meant."""

SMALLEST = 6.0
"""Points: no font is smaller, however small the text size that is chosen."""

BODY_FAMILY = "Inter"
CODE_FAMILY = "JetBrains Mono"


class _Changes(QObject):
    begun = Signal()
    body = Signal(QFont)
    small, strong = Signal(QFont), Signal(QFont)
    title = Signal(QFont)
    code = Signal(QFont)
    happened = Signal()


class Theme:
    """The look that counts now: who holds it reads its colors and measures, and hears when they are others.

    `text_size` is the body size in points; the other sizes follow from it.
    """

    __slots__ = ("_fonts", "changed", "changing", "colors", "list_previews", "name", "text_size")

    def __init__(self, name: ThemeName, text_size: int, *, list_previews: bool = False) -> None:
        """`list_previews`: rows of the thread list have a second line."""
        self._fonts = _Changes()
        self.changing = self._fonts.begun
        """For what the whole application is given, which comes before what single widgets are given."""
        self.changed = self._fonts.happened
        self._take(name, text_size, list_previews)

    def change(self, name: ThemeName, text_size: int, *, list_previews: bool = False) -> None:
        """Becomes another look: the application first, then fonts, then who follows, in order."""
        self._take(name, text_size, list_previews)
        self.changing.emit()
        self.give_fonts()
        self.changed.emit()

    def give_fonts(self) -> None:
        """Gives all their fonts again: Qt's style sheets give what got another parent those that it began with."""
        for step in ("body", "small", "strong", "title", "code"):
            getattr(self._fonts, step).emit(getattr(self, f"{step}_font")())

    def _take(self, name: ThemeName, text_size: int, list_previews: bool) -> None:
        self.name = name
        self.text_size = text_size
        self.list_previews = list_previews
        self.colors: Mapping[str, QColor] = {role: QColor(str(value)) for role, value in tokens()[name].items()}

    def follow(self, apply: Callable[[], object]) -> None:
        """Calls a method of a `QObject` now and after every change, for as long as that object lives."""
        apply()
        self.changed.connect(apply)

    def set_font(self, step: FontStep, *widgets: QWidget) -> None:
        """Gives widgets a font of the theme, now and after every change."""
        for widget in widgets:
            its = "strong" if step == "small" and widget.property("kind") == "primary" else step
            widget.setFont(getattr(self, f"{its}_font")())
            getattr(self._fonts, its).connect(widget.setFont)

    def color(self, role: str) -> QColor:
        """The colour of a role, such as "text-secondary"."""
        return self.colors[role]

    def css_color(self, role: str) -> str:
        """The colour as `#rrggbb` for style sheets."""
        return self.colors[role].name()

    def pixels(self, usual: float) -> int:
        """A measure that grows and shrinks with the text; `usual` in pixels at the usual text size."""
        return round(usual * self.zoom)

    @property
    def zoom(self) -> float:
        """The factor by which the text is larger than usual: for drawings made along with it."""
        return self.text_size / USUAL_TEXT_SIZE

    def points(self, step: Type) -> float:
        """The size of a step of the type scale, in points."""
        return self.text_size + _measure("type", step)

    def sized(self, font: QFont, step: Type) -> QFont:
        made = QFont(font)
        made.setPointSizeF(max(SMALLEST, self.points(step)))
        return made

    def body_font(self) -> QFont:
        return _font(BODY_FAMILY, self.points("body"))

    def small_font(self) -> QFont:
        return _font(BODY_FAMILY, self.points("small"))

    def title_font(self) -> QFont:
        return _font(BODY_FAMILY, self.points("title"), 600)

    def strong_font(self) -> QFont:
        """The words of a primary button, as the style sheet paints them: Qt measures by the font it was given."""
        return _font(BODY_FAMILY, self.points("small"), 600)

    def code_font(self) -> QFont:
        font = _font(CODE_FAMILY, self.points("code"))
        font.setStyleHint(QFont.StyleHint.Monospace)
        return font


def _font(family: str, points: float, weight: int = -1) -> QFont:
    # No hinting: the glyphs then keep their shape and width at every scale factor.
    font = QFont(family, -1, weight)
    font.setPointSizeF(max(SMALLEST, points))
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    font.setFeature(QFont.Tag("calt"), 0)  # no arrow for `-->`: what is shown is what is written and copied
    return font


@lru_cache(maxsize=1)
def tokens() -> Mapping[str, Mapping[str, float | str]]:
    """The whole table: kind, name, value. Read once."""
    table: dict[str, dict[str, float | str]] = json.loads(resource("themes", "tokens.json").read_text("utf-8"))
    return table


def _measure(kind: str, name: str) -> float:
    value = tokens()[kind][name]
    assert not isinstance(value, str)
    return value


def space(name: Space) -> int:
    """A distance in pixels."""
    return int(_measure("space", name))


def radius(name: Radius) -> float:
    """The radius of a corner in pixels."""
    return _measure("radius", name)


def stroke(name: Line) -> float:
    """The width of a line in pixels."""
    return _measure("line", name)


def scale(name: Scale) -> float:
    """A share of a font's size: the height of a line of it, or the size of another font beside it."""
    return _measure("scale", name)


def motion(name: Motion) -> int:
    """Return how long something moves, or stays when it has come by itself, in milliseconds."""
    return int(_measure("motion", name))


def load_theme(name: ThemeName, text_size: int = USUAL_TEXT_SIZE) -> Theme:
    """The theme of that name with a body size in points."""
    return Theme(name, text_size)


def flood(painter: QPainter, place: QRect | QRectF, color: QColor) -> None:
    """Fills a rectangle. `QPainter.fillRect` would have PySide load all of Qt's gradients: 2 ms of the first paint."""
    painter.setBackground(color)
    painter.eraseRect(place)


def frame(painter: QPainter, place: QRect, color: QColor) -> None:
    """One pixel along the inner edge: shows where the keyboard is in an area that has nothing else to mark."""
    painter.setPen(color)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(place.adjusted(0, 0, -1, -1))


ASCENT: Final = 1.17
DESCENT: Final = 0.37
"""Room above and below the baseline as shares of the font's size.

Noto Sans CJK has 1.16 and 0.29, PingFang and Microsoft YaHei 1.06 and 0.34 at most. With as much as this below,
characters (from -0.08 to 0.84) and capitals (from 0 to 0.73) stand in the middle of their line.
"""
_UNITS: Final = (b"head", 18)
_METRICS_OF: Final = {b"hhea": (4, "hh"), b"OS/2": (68, "hhhHH")}
"""The place of the units per em in a font, and the tables with its metrics (OpenType 1.9)."""


def load_bundled_fonts(*, tall: bool = False) -> None:
    """Makes the bundled fonts known to Qt; `FileNotFoundError` naming a font that cannot be read.

    `tall`, before a window is made: with more room for lines. Qt makes a line as high as the highest font in it. Beside
    labels in Latin letters those in Chinese characters, which come from a font of the system, would be higher and stand
    lower. Where most labels are such, the bundled font gets the room beforehand: then all lines are of one height, and
    all letters on one baseline.
    """
    if tall:
        QFontDatabase.removeAllApplicationFonts()
    for path in sorted(resource("fonts").glob("*.[ot]tf")):
        if tall and path.name.startswith(BODY_FAMILY):
            added = QFontDatabase.addApplicationFontFromData(with_room(path.read_bytes()))
        else:
            added = QFontDatabase.addApplicationFont(str(path))
        if added < 0:
            raise FileNotFoundError(f"The font {path.name} that belongs to Plimsoll can't be read")


def with_room(data: bytes) -> bytes:
    """A font (OpenType) with the metrics of lines above; its letters stay."""
    made = bytearray(data)
    (count,) = struct.unpack_from(">H", data, 4)
    places: dict[bytes, int] = {}
    for number in range(count):
        tag, _, offset, _ = struct.unpack_from(">4sIII", data, 12 + 16 * number)
        places[tag] = offset
    (units,) = struct.unpack_from(">H", data, places[_UNITS[0]] + _UNITS[1])
    above, below = round(ASCENT * units), round(DESCENT * units)
    for tag, (at, kind) in _METRICS_OF.items():
        values = (above, -below) if kind == "hh" else (above, -below, 0, above, below)
        struct.pack_into(f">{kind}", made, places[tag] + at, *values)
    return bytes(made)


OUTDENT = 16
"""The distance by which the card around a question reaches out of the column, so that its text stands on its edge."""
COLUMN_MARGIN = 32
"""Pixels left free on both sides of the column."""
ROOMY_VIEWPORT = 96 * GRID
"""Pixels of the viewport from which on there is room for these margins."""
LEAST_COLUMN = 120
"""Pixels of the column, however narrow the viewport."""


WIDEST_COLUMN = COLUMN - 2 * OUTDENT
"""Pixels of the column, however wide the viewport."""


def column(viewport_width: int, widest: int = WIDEST_COLUMN) -> tuple[int, int]:
    """Left edge and width of the reading column in a viewport of that width, in pixels."""
    margin = COLUMN_MARGIN if viewport_width >= ROOMY_VIEWPORT else OUTDENT + GRID
    width = max(LEAST_COLUMN, min(widest, viewport_width - 2 * margin))
    return (viewport_width - width) // 2, width


#: How many times as high as its capitals a line of the bundled font for text is, and from where on it was given more.
USUAL_LINE, ROOMY_LINE = 1.664, 1.9


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
        if height > ROOMY_LINE * capitals:
            # lines were given room for another script, which the leading has already
            height = USUAL_LINE * capitals
        pitch = round(height * leading)
        slack = pitch - metrics.ascent() - metrics.descent()
        return cls(font, pitch, round(slack / 2 + metrics.ascent()), metrics.averageCharWidth())


FINEST = 3
"""The highest pixel ratio that icons are drawn for."""


def icon_pixmap(name: str, theme: Theme, role: str, size: int = 16, scale: float = 1) -> QPixmap:
    """The drawing `resources/icons/actions/<name>.svg` in a theme colour, `size` device-independent pixels wide."""
    return _painted(_drawing(name, theme, role), size, scale)


def icon(name: str, theme: Theme, role: str = "text-secondary", size: int = 16) -> QIcon:
    """An icon of one colour at the pixel ratios of all screens: each drawing takes 0.1 ms, and a start has a dozen.

    `size` is that at the usual text size.
    """
    drawn, drawing, size = QIcon(), _drawing(name, theme, role), theme.pixels(size)
    for scale in {min(FINEST, ceil(screen.devicePixelRatio())) for screen in QGuiApplication.screens()} or {1}:
        drawn.addPixmap(_painted(drawing, size, scale))
    return drawn


def set_icon(
    place: QAbstractButton | QLabel, name: str, theme: Theme, role: str = "text-secondary", size: int = 16
) -> None:
    """Shows an icon in a button or a label, now and after every change of the theme."""
    _ThemedIcon(place, name, theme, role, size)


class _ThemedIcon(QObject):
    """Lives as long as the button or label that it belongs to."""

    def __init__(self, place: QAbstractButton | QLabel, name: str, theme: Theme, role: str, size: int) -> None:
        super().__init__(place)
        self._name, self._theme, self._role, self._size = name, theme, role, size
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        place, theme = self.parent(), self._theme
        if isinstance(place, QLabel):
            size = theme.pixels(self._size)
            place.setPixmap(icon_pixmap(self._name, theme, self._role, size, place.devicePixelRatioF()))
        elif isinstance(place, QAbstractButton):
            place.setIcon(icon(self._name, theme, self._role, self._size))


def _drawing(name: str, theme: Theme, role: str) -> QSvgRenderer:
    source = resource("icons", "actions", f"{name}.svg").read_text("utf-8")
    return QSvgRenderer(QByteArray(source.replace("currentColor", theme.css_color(role)).encode()))


def _painted(drawing: QSvgRenderer, size: int, scale: float) -> QPixmap:
    pixmap = QPixmap(round(size * scale), round(size * scale))
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        drawing.render(painter, QRectF(0, 0, pixmap.width(), pixmap.height()))
    pixmap.setDevicePixelRatio(scale)
    return pixmap
