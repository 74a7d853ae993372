"""Owns the use of ziamath: which of its glyphs, limits and messages Plimsoll takes. Knows nothing of processes and Qt.

The only module that imports it. Loading it takes 0.2 s; its font is STIX Two Math, under the SIL Open Font License.
"""

from __future__ import annotations

import logging
import re
import unicodedata
import warnings
from typing import Final
from xml.etree.ElementTree import Element

from ziafont.fonttypes import BBox
from ziafont.glyph import SimpleGlyph
from ziamath.config import config
from ziamath.mathfont import MathFont
from ziamath.styles import MathVariant
from ziamath.tex import tex2mml
from ziamath.zmath import Math, loadedfonts

from desktop_app.ui.transcript.formulas.outline import NotTypesetError

# An unknown command comes out as its own name in upright letters.
_UNKNOWN = re.compile(r">\s*\\[A-Za-z@]")
_INTEGRAL = re.compile(r"<mo>(&#x0(?:222[B-F]|223[0-3]|2A0[B-F]|2A1[0-9A-C]);)")
# A minus or plus behind a relation, an opening bracket or a comma belongs to what comes next.
_SIGN = re.compile(
    r"(<mo[^>]*>(?:&#x0003[CDE];|&#x0226[0-9A-B];|&#x02248;|&#x02192;|&#x02208;|&#x00028;|&#x0005B;|&#x0007B;|&#x0002C;|,)"
    r"</mo>)<mo[^>]*>(&#x02212;|&#x0002B;)</mo>"
)
_TABLE = re.compile(r"<mtable(?![^>]*columnspacing)")
#: Lower and upper edge of a letter from another font, and its width, as shares of the font size.
_LETTER: Final = (-0.14, 0.86, 1.0)


def drawn(source: str, *, size: float, display: bool) -> tuple[Element, tuple[float, float, float, float]]:
    """The picture in SVG's elements, and its left, right, bottom and top; the baseline is at 0, up is positive there.

    Characters the font lacks are `text` elements with their size. Raises `NotTypesetError`.
    """
    logging.disable()
    warnings.simplefilter("ignore")
    config.svg2 = False  # Qt would have to follow references between its parts
    font = loadedfonts["default"]
    font.__class__ = _Font  # it is loaded while the library is imported, and loading another takes as long again
    font.basesize = size  # the smallest script is a share of it
    try:
        marked = tex2mml(source, inline=not display)
        if _UNKNOWN.search(marked):
            raise NotTypesetError("an unknown command")
        node = Math(_mended(marked), size=size).node
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


class _Font(MathFont):
    """The bundled font, which leaves signs of the wide scripts (Chinese, Japanese, Korean) to another font."""

    def findglyph(self, char: str, variant: MathVariant) -> SimpleGlyph:
        if not char.isspace() and self.glyphindex(char) == 0:
            if unicodedata.east_asian_width(char) not in {"W", "F"}:
                raise NotTypesetError("a sign that the font lacks")  # other scripts join or reorder their letters
            return _Letter(char, self)
        return super().findglyph(char, variant)


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
