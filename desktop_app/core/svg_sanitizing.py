"""Makes a drawing of a model safe to be painted: shapes and text alone, no script, no reference to anything else.

What is not known to be harmless is left out; a drawing that is too large, or is no SVG, is none.
"""

from __future__ import annotations

from typing import Final
from xml.etree import ElementTree

MOST_CHARACTERS: Final = 500_000
MOST_ELEMENTS: Final = 5_000
DEEPEST: Final = 60
LARGEST: Final = 20_000.0
"""Of a side, in pixels."""

SHORTEST_DASH: Final = 0.5

_NAMESPACE: Final = "{http://www.w3.org/2000/svg}"
_ELEMENTS: Final = frozenset(
    {
        *("svg", "g", "defs", "title", "desc", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon"),
        *("text", "tspan", "linearGradient", "radialGradient", "stop"),
    }
)
_PAINTS: Final = frozenset({"fill", "stroke"})
"""May name a gradient of the same drawing."""


class UnsafeDrawingError(ValueError):
    """It can't be shown; the words say why."""


def safe_svg(source: str) -> str:
    """The drawing with nothing in it but what may be painted. Raises `UnsafeDrawingError`."""
    if len(source) > MOST_CHARACTERS:
        raise UnsafeDrawingError("the drawing is too large")
    if "<!DOCTYPE" in source.upper() or "<!ENTITY" in source.upper():
        raise UnsafeDrawingError("the drawing declares a document type")
    try:
        root = ElementTree.fromstring(source)
    except ElementTree.ParseError as error:
        raise UnsafeDrawingError(f"the drawing is not well-formed ({error})") from None
    if root.tag not in ("svg", f"{_NAMESPACE}svg"):
        raise UnsafeDrawingError("it is no drawing")
    clean = _copied(root, [MOST_ELEMENTS], 0)
    clean.set("xmlns", "http://www.w3.org/2000/svg")
    for side in ("width", "height"):
        if _pixels(clean.get(side, "")) > LARGEST:
            raise UnsafeDrawingError("the drawing is too large")
    return ElementTree.tostring(clean, encoding="unicode")


def _copied(element: ElementTree.Element, left: list[int], depth: int) -> ElementTree.Element:
    left[0] -= 1
    if left[0] < 0:
        raise UnsafeDrawingError("the drawing has too many parts")
    if depth > DEEPEST:
        raise UnsafeDrawingError("the drawing is nested too deeply")
    made = ElementTree.Element(_name(element))
    for name, value in element.attrib.items():
        if _harmless(name, value):
            made.set(name, value)
    made.text, made.tail = element.text, element.tail
    for child in element:
        if _name(child) in _ELEMENTS:
            made.append(_copied(child, left, depth + 1))
    return made


def _name(element: ElementTree.Element) -> str:
    return str(element.tag).removeprefix(_NAMESPACE)


def _harmless(name: str, value: str) -> bool:
    """An attribute of SVG itself that names nothing outside: no handler, no style sheet, no reference."""
    if "{" in name or ":" in name or name.lower().startswith("on") or name in ("href", "src", "style", "class"):
        return False
    if name == "stroke-dasharray":
        return _dashes(value)
    squeezed = "".join(value.lower().split())
    if "url(" in squeezed:
        return name in _PAINTS and squeezed.startswith("url(#") and squeezed.count("url(") == 1
    return "javascript:" not in squeezed and "data:" not in squeezed


def _dashes(value: str) -> bool:
    """Return True if a dashed line is not made of so many dashes that painting it would never end."""
    try:
        return all(float(one) >= SHORTEST_DASH for one in value.replace(",", " ").split())
    except ValueError:
        return False


def _pixels(length: str) -> float:
    number = length.strip().removesuffix("px")
    try:
        return float(number)
    except ValueError:
        return 0.0
