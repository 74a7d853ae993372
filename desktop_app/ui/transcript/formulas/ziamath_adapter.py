"""The use of ziamath: which of its glyphs, limits and messages Plimsoll takes. Uses no processes and never imports Qt.

The only module that imports it. Loading it takes 0.2 s; its font is STIX Two Math, under the SIL Open Font License.
"""

from __future__ import annotations

import logging
import re
import unicodedata
import warnings
from collections import Counter
from functools import cache
from typing import Any, Final
from xml.etree.ElementTree import Element

from ziafont.fonttypes import BBox
from ziafont.glyph import SimpleGlyph
from ziamath.config import config
from ziamath.drawable import HLine, VLine
from ziamath.mathfont import MathFont
from ziamath.nodes.mtable import Mtable
from ziamath.styles import MathVariant
from ziamath.tex import tex2mml
from ziamath.zmath import Math, fontname, loadedfonts

from desktop_app.ui.transcript.formulas import NotTypesetError
from desktop_app.ui.transcript.formulas.plain_latex import BAR, MOST_COLUMNS, RULE

# An unknown command comes out as its own name in upright letters.
_UNKNOWN = re.compile(r">\s*\\[A-Za-z@]")
_INTEGRAL = re.compile(r"<mo>(&#x0(?:222[B-F]|223[0-3]|2A0[B-F]|2A1[0-9A-C]);)")
# A minus or plus behind a relation, an opening bracket or a comma belongs to what comes next.
_SIGN = re.compile(
    r"(<mo[^>]*>(?:&#x0003[CDE];|&#x0226[0-9A-B];|&#x02248;|&#x02192;|&#x02208;|&#x00028;|&#x0005B;|&#x0007B;|&#x0002C;|,)"
    r"</mo>)<mo[^>]*>(&#x02212;|&#x0002B;)</mo>"
)
_TABLE = re.compile(r"<mtable(?![^>]*columnspacing)")
_SPACINGS: Final = ("columnspacing", "rowspacing")
#: Our font among those that the library has loaded.
_FONT: Final = "plimsoll"
#: From one of several lines beside each other to the next, in thicknesses.
_APART: Final = 3
#: Lower and upper edge of a letter from another font, and its width, as shares of the font size.
_LETTER: Final = (-0.14, 0.86, 1.0)


def drawn(source: str, *, size: float, display: bool) -> tuple[Element, tuple[float, float, float, float]]:
    """The picture in SVG's elements, and its left, right, bottom and top; the baseline is at 0, up is positive there.

    Characters the font lacks are `text` elements with their size. Raises `NotTypesetError`.
    """
    logging.disable()
    warnings.simplefilter("ignore")
    config.svg2 = False  # Qt would have to follow references between its parts
    font = _font()
    font.basesize = size  # the smallest script is a share of it
    try:
        marked = tex2mml(source, inline=not display)
        if _UNKNOWN.search(marked):
            raise NotTypesetError("an unknown command")
        node = Math(_mended(marked), size=size, font=_FONT).node
        picture = Element("svg")
        node.draw(0, 0, picture)
    except NotTypesetError:
        raise
    except Exception as error:  # what it does not understand breaks it anywhere
        raise NotTypesetError(type(error).__name__) from error
    box = node.bbox
    return picture, (box.xmin, box.xmax, box.ymin, box.ymax)


def _mended(marked: str) -> str:
    """With integrals that do not grow with their own limits, with space in matrices, and with signs of numbers.

    What the library leaves between the rows of aligned lines is given in points, which are nothing at our size.
    """
    marked = marked.replace('rowspacing="3pt"', 'rowspacing="0.4em"')
    marked = _SIGN.sub(r'\1<mo form="prefix">\2</mo>', marked)
    marked = _INTEGRAL.sub(r'<mo stretchy="false">\1', marked)
    return _TABLE.sub(r'<mtable columnspacing="0.9em" rowspacing="0.4em"', marked)


class _Table(Mtable, tag="mtable"):
    """A table with the lines that are marked in its cells, which the library knows nothing of."""

    def _setup(self, **kwargs: Any) -> None:
        rules = [_take_marks(row) for row in self.element]
        beneath = 0
        if rules and len(self.element) > 1 and rules[-1] and _is_empty(self.element[-1]):
            beneath = rules.pop().count(RULE)
            self.element.remove(self.element[-1])
        super()._setup(**kwargs)
        bars = [ord(mark) - ord(BAR) for mark in rules[0] if mark != RULE] if rules else []
        above = [marks.count(RULE) for marks in rules] + [beneath]
        if bars or any(above):
            self._draw_lines(above, bars)

    def _draw_lines(self, rules: list[int], bars: list[int]) -> None:
        """Lines above each row and beneath the last, so many each, and bars left of columns."""
        thickness = self.units_to_points(self.font.math.consts.fractionRuleThickness)
        column_gap, row_gap = (self.size_px(self.element.get(name, "0.3em").split()[0]) for name in _SPACINGS)
        cells = iter(zip(self.nodes, self.nodexy, strict=True))
        rows = [[next(cells) for _ in row] for row in self.element]
        count = max(map(len, rows))
        widths = [max(row[column][0].bbox.xmax for row in rows if column < len(row)) for column in range(count)]
        pad = column_gap / 2
        indent = (self.bbox.xmax - sum(widths) - column_gap * (count - 1)) / 2
        self.nodexy = [(x + pad, y) for x, y in self.nodexy]
        right = self.bbox.xmax + 2 * pad
        tops = [min(y - node.bbox.ymax for node, (_, y) in row) for row in rows]
        ends = [max(y - node.bbox.ymin for node, (_, y) in row) for row in rows]
        between = [(end + top) / 2 for end, top in zip(ends, tops[1:], strict=False)]
        edges = [tops[0] - row_gap / 2, *between, ends[-1] + row_gap / 2]
        for edge, several in zip(edges, rules, strict=True):
            for number in range(several):
                y = edge + (number - (several - 1) / 2) * _APART * thickness - thickness / 2
                self.nodes.append(HLine(right, thickness))
                self.nodexy.append((0, y))
        for column, several in Counter(bars).items():
            x = pad + indent + sum(widths[:column]) + column_gap * column - column_gap / 2
            for number in range(several):
                self.nodes.append(VLine(edges[-1] - edges[0], thickness))
                self.nodexy.append((x + (number - (several - 1) / 2) * _APART * thickness, edges[0]))
        self.bbox = BBox(
            0, right, min(self.bbox.ymin, -edges[-1] - thickness), max(self.bbox.ymax, thickness - edges[0])
        )


def _take_marks(row: Element) -> str:
    """Takes the marks for lines out of a row's first cell."""
    marks = ""
    for cell in row[:1]:
        for parent in list(cell.iter()):
            for element in list(parent):
                text = element.text or ""
                if element.tag == "mtext" and RULE <= text[:1] <= chr(ord(BAR) + MOST_COLUMNS):
                    marks += text
                    parent.remove(element)
    return marks


def _is_empty(row: Element) -> bool:
    return len(row) == 1 and not any(element.tag not in {"mrow", "mtd"} for element in row[0].iter())


class _Font(MathFont):
    """The bundled font, which leaves signs of the wide scripts (Chinese, Japanese, Korean) to another font."""

    def findglyph(self, char: str, variant: MathVariant) -> SimpleGlyph:
        if not char.isspace() and self.glyphindex(char) == 0:
            if unicodedata.east_asian_width(char) not in {"W", "F"}:
                raise NotTypesetError("a sign that the font lacks")  # other scripts join or reorder their letters
            return _Letter(char, self)
        return super().findglyph(char, variant)


@cache
def _font() -> _Font:
    """Loaded with the first formula, 33 ms of the processor; the library knows it by its name."""
    loadedfonts[_FONT] = font = _Font(fontname)
    return font


class _Letter(SimpleGlyph):
    """A square to be filled from another font."""

    def __init__(self, char: str, font: MathFont) -> None:
        bottom, top, width = (share * font.info.layout.unitsperem for share in _LETTER)
        super().__init__(0, [], BBox(0, width, bottom, top), font)
        self._char = char

    def advance(self, nextchr: SimpleGlyph | None = None) -> int:
        return int(self.bbox.xmax)

    def svgpath(self, x0: float = 0, y0: float = 0, scale_factor: float = 1) -> Element:
        size = scale_factor * self.DFLT_SIZE_PT
        element = Element("text", {"x": str(x0), "y": str(y0), "size": str(size)})
        element.text = self._char
        return element
