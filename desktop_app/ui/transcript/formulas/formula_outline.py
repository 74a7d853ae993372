"""The conversion of a LaTeX formula into outlines: curves, and letters its font lacks. Never imports Qt.

Runs in the process that typesets only: the library takes its time, and what it is given is untrusted. Commands that
would open, fetch or define anything are refused; those that only color or number are read as if they were not there.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Any, Final
from xml.etree.ElementTree import Element

from desktop_app.ui.transcript.formulas import EM, NotTypesetError
from desktop_app.ui.transcript.formulas.plain_latex import with_marks, without_chemistry, without_quantities

LARGEST: Final = 200 * EM
"""A formula that is wider or higher is nothing that anybody could read."""
MOST_NUMBERS: Final = 150_000
"""Numbers in an outline: a page full of signs has 40,000."""

_ARGUMENT = r"\s*\{((?:[^{}]|\{[^{}]*\})*)\}"
# Definitions would outlive their formula; what opens or fetches something has no meaning here.
_REFUSED = re.compile(
    r"\\(?:[gex]?def|let|futurelet|(?:re)?newcommand|providecommand|DeclareMathOperator|newenvironment|csname|catcode"
    r"|input|include|includegraphics|write|openin|openout|read|loop|special|require|usepackage|url|verb|html[A-Z]\w*"
    r"|unicode)(?![A-Za-z])"
)
_LEFT_OUT = re.compile(rf"\\label{_ARGUMENT}|\\(?:notag|nonumber|mathop|mathstrut|allowbreak|nobreak)(?![A-Za-z])")
# A formula has the color of the text around it: one of its own would not be readable in both themes.
_COLOUR = re.compile(rf"\\(?:textcolor|color|href){_ARGUMENT}")
_BOX_COLOUR = re.compile(rf"\\(?:colorbox|fcolorbox{_ARGUMENT}){_ARGUMENT}")
_TAG = re.compile(rf"\\tag(\*?){_ARGUMENT}")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*(?:\n|$)")
_STRUCTURE = re.compile(r"\\begin\{|\\end\{|\\\\|\\.|[{}&]", re.DOTALL)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?|[MLQCZ]")


@dataclass(slots=True)
class FormulaOutline:
    """The outline to draw: `path` as commands (M, L, Q, C, Z), each with its numbers; `letters` as (x, y, size,
    character).

    `up` and `down` are how far it reaches above and below the baseline.
    """

    width: float
    up: float
    down: float
    path: list[str | float] = field(default_factory=list)
    letters: list[tuple[float, float, float, str]] = field(default_factory=list)


def outline(source: str, *, display: bool) -> FormulaOutline:
    """The outlines of a formula without its delimiters. Raises `NotTypesetError`."""
    from desktop_app.ui.transcript.formulas.ziamath_adapter import drawn

    picture, bounds = drawn(prepared(source), size=EM, display=display)
    left, right, bottom, top = bounds
    if not all(map(math.isfinite, bounds)) or not 0 < right - left <= LARGEST or not 0 < top - bottom <= LARGEST:
        raise NotTypesetError("no size")
    made = FormulaOutline(round(right - left, 1), round(top, 1), round(-bottom, 1))
    for element in picture.iter():
        _add(made, element, -left)
        if len(made.path) > MOST_NUMBERS:
            raise NotTypesetError("too much of it")
    if not made.path and not made.letters:
        raise NotTypesetError("nothing to see")
    if any(not isinstance(number, str) and abs(number) > 2 * LARGEST for number in made.path):
        raise NotTypesetError("a part that is far away")
    return made


def prepared(source: str) -> str:
    """The source in the library's dialect. Raises `NotTypesetError` where it holds what is refused."""
    if _REFUSED.search(source):
        raise NotTypesetError("refused")
    text = _COMMENT.sub("", source)
    text = _LEFT_OUT.sub("", without_quantities(without_chemistry(text)))
    text = _BOX_COLOUR.sub(r"\\text", _COLOUR.sub("", text))
    text = _TAG.sub(lambda tag: rf"\qquad\text{{{tag[2]}}}" if tag[1] else rf"\qquad\text{{({tag[2]})}}", text)
    # a line break outside of any environment would get lost
    breaks, aligned = _at_the_top(text)
    if breaks:
        name = "aligned" if aligned else "gathered"
        text = rf"\begin{{{name}}}{text}\end{{{name}}}"
    return with_marks(text)


def _at_the_top(text: str) -> tuple[bool, bool]:
    """Return whether a line break, and whether an alignment mark, stands outside of environments and braces."""
    depth, breaks, aligned = 0, False, False
    for mark in _STRUCTURE.findall(text):
        if mark in {"\\begin{", "\\end{"}:
            # the brace that closes the environment's name takes one level off again
            depth += 2 if mark == "\\begin{" else 0
        elif mark in {"{", "}"}:
            depth += 1 if mark == "{" else -1
        elif depth == 0:
            breaks, aligned = breaks or mark == "\\\\", aligned or mark == "&"
    return breaks, aligned


def _add(made: FormulaOutline, element: Element, shift: float) -> None:
    match element.tag:
        case "path" if element.get("stroke") is None:
            _add_curves(made, element.get("d", ""), shift)
        case "path":
            _add_stroke(made, element, shift)
        case "rect":
            _add_box(made, element, shift)
        case "text":
            x, y, size = (float(element.get(name, "0")) for name in ("x", "y", "size"))
            made.letters.append((round(x + shift, 1), round(y, 1), round(size, 1), element.text or ""))
        case "svg" | "g":
            pass
        case _:
            raise NotTypesetError("a shape that can't be drawn")


def _add_curves(made: FormulaOutline, source: str, shift: float) -> None:
    across = True
    for token in _NUMBER.findall(source):
        if token in "MLQCZ":
            made.path.append(token)
            across = True
        else:
            made.path.append(round(float(token) + (shift if across else 0), 1))
            across = not across


def _add_polygon(made: FormulaOutline, *corners: tuple[float, float]) -> None:
    for number, (x, y) in enumerate(corners):
        made.path += ["L" if number else "M", round(x, 1), round(y, 1)]
    made.path.append("Z")


def _add_box(made: FormulaOutline, element: Element, shift: float) -> None:
    x, y, width, height = (_number(element, name) for name in ("x", "y", "width", "height"))
    x += shift
    if element.get("stroke") is None:
        _add_polygon(made, (x, y), (x + width, y), (x + width, y + height), (x, y + height))
        return
    if element.get("fill", "none") != "none":
        raise NotTypesetError("a filled box")
    # a frame: its inner edge runs the other way round
    for out, around in ((_number(element, "stroke-width") / 2, 1), (-_number(element, "stroke-width") / 2, -1)):
        corners = [(x - out, y - out), (x + width + out, y - out), (x + width + out, y + height + out),
                   (x - out, y + height + out)]  # fmt: skip
        _add_polygon(made, *corners[::around])


def _add_stroke(made: FormulaOutline, element: Element, shift: float) -> None:
    """A straight line from corner to corner."""
    numbers: list[Any] = [float(token) for token in _NUMBER.findall(element.get("d", "")) if token not in "MLQCZ"]
    if len(numbers) != 4 or element.get("marker-end"):
        raise NotTypesetError("a line that can't be drawn")
    x0, y0, x1, y1 = numbers
    length, half = math.hypot(x1 - x0, y1 - y0) or 1.0, _number(element, "stroke-width") / 2
    dx, dy = -(y1 - y0) / length * half, (x1 - x0) / length * half
    x0, x1 = x0 + shift, x1 + shift
    _add_polygon(made, (x0 + dx, y0 + dy), (x1 + dx, y1 + dy), (x1 - dx, y1 - dy), (x0 - dx, y0 - dy))


def _number(element: Element, name: str) -> float:
    return float(element.get(name, "0"))
