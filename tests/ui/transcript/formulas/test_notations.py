"""Notations that the library lacks: rules in tables, chemistry, numbers with units. What is not certain is refused."""

from __future__ import annotations

import pytest

from desktop_app.ui.transcript.formulas import NotTypesetError
from desktop_app.ui.transcript.formulas.formula_typesetter import FormulaOutline, outline
from desktop_app.ui.transcript.formulas.plain_latex import without_chemistry, without_quantities

# the library's own, while it is imported
pytestmark = pytest.mark.filterwarnings("ignore:path is deprecated:DeprecationWarning")

THIN = 80
"""A line is thinner than this, in thousandths of the font size, and longer than ten times as much."""


def lines(source: str) -> tuple[list[float], list[float]]:
    """The middles of the horizontal lines, from above, and of the vertical ones, from the left."""
    made = outline(source, display=True)
    across, down = [], []
    for left, top, right, bottom in _boxes(made):
        if right - left > 10 * THIN and bottom - top < THIN:
            across.append((top + bottom) / 2)
        elif bottom - top > 10 * THIN and right - left < THIN:
            down.append((left + right) / 2)
    return sorted(across), sorted(down)


def _boxes(made: FormulaOutline) -> list[tuple[float, float, float, float]]:
    """What encloses each closed line of four corners."""
    found, numbers, straight = [], list[float](), True
    for one in made.path:
        if one == "M":
            numbers, straight = [], True
        elif one == "Z":
            if straight and len(numbers) == 8:
                xs, ys = numbers[::2], numbers[1::2]
                found.append((min(xs), min(ys), max(xs), max(ys)))
        elif one in ("Q", "C"):
            straight = False
        elif not isinstance(one, str):
            numbers.append(one)
    return found


@pytest.mark.parametrize(
    ("source", "across", "down"),
    [
        (r"\begin{array}{cc} a & b \\ c & d \end{array}", 0, 0),
        (r"\begin{array}{cc} a & b \\ \hline c & d \end{array}", 1, 0),
        (r"\begin{array}{c|c} a & b \\ \hline c & d \end{array}", 1, 1),
        (r"\begin{array}{|c|c|} \hline a & b \\ \hline c & d \\ \hline \end{array}", 3, 3),
        (r"\begin{array}{l||r} a & b \\[2pt] \hline\hline c & d \\ e & f \end{array}", 2, 2),
        (r"\left[\begin{array}{cc|c} 1 & 2 & 3 \\ 4 & 5 & 6 \end{array}\right]", 0, 1),
        (r"\begin{bmatrix} & b \\ \hline c & d \end{bmatrix}", 1, 0),
        (r"\begin{array}{c} \begin{array}{c|c} a & b \end{array} \\ \hline c \end{array}", 1, 1),
    ],
)
def test_rules_and_bars_stand_where_they_are_written(source: str, across: int, down: int) -> None:
    found = lines(source)
    assert (len(found[0]), len(found[1])) == (across, down)


def test_a_rule_stands_between_its_rows_and_a_bar_between_its_columns() -> None:
    first, _ = lines(r"\begin{array}{c} a \\ \hline b \\ c \end{array}")
    second, _ = lines(r"\begin{array}{c} a \\ b \\ \hline c \end{array}")
    above, _ = lines(r"\begin{array}{c} \hline a \\ b \\ c \end{array}")
    beneath, _ = lines(r"\begin{array}{c} a \\ b \\ c \\ \hline \end{array}")
    assert above < first < second < beneath
    _, left = lines(r"\begin{array}{|cc} a & b \\ c & d \end{array}")
    _, between = lines(r"\begin{array}{c|c} a & b \\ c & d \end{array}")
    made = outline(r"\begin{array}{c|c} a & b \\ c & d \end{array}", display=True)
    assert left < between
    assert between[0] == pytest.approx(made.width / 2, abs=60)
    framed = outline(r"\begin{array}{c} \hline a \\ \hline \end{array}", display=True)
    bare = outline(r"\begin{array}{c} a \end{array}", display=True)
    assert framed.up > bare.up
    assert framed.down > bare.down


@pytest.mark.parametrize(
    "source",
    [
        r"a \hline b",
        r"\begin{array}{cc} a \hline & b \end{array}",
        r"\begin{array}{cc} a & b \\ \cline{1-2} c & d \end{array}",
        r"\begin{array}{cc} a & b \\ \hdashline c & d \end{array}",
        "x + \ue000",
    ],
)
def test_rules_that_would_get_lost_leave_the_source(source: str) -> None:
    with pytest.raises(NotTypesetError):
        outline(source, display=True)


@pytest.mark.parametrize(
    ("source", "written"),
    [
        (r"\ce{H2O}", r"{\mathrm{H}_{2}\mathrm{O}}"),
        (r"\ce{2H2 + O2 -> 2 H2O}",
         r"{2\,\mathrm{H}_{2} + \mathrm{O}_{2}\;\rightarrow\; 2\,\mathrm{H}_{2}\mathrm{O}}"),
        (r"\ce{SO4^2-} \ce{SO4^{2-}}", r"{\mathrm{S}\mathrm{O}_{4}^{2-}} {\mathrm{S}\mathrm{O}_{4}^{2-}}"),
        (r"\ce{Na+}", r"{\mathrm{Na}^{+}}"),
        (r"\ce{[Fe(CN)6]^3-}", r"{[\mathrm{Fe}(\mathrm{C}\mathrm{N})_{6}]^{3-}}"),
        (r"\ce{CuSO4.5H2O}",
         r"{\mathrm{Cu}\mathrm{S}\mathrm{O}_{4}\cdot 5\,\mathrm{H}_{2}\mathrm{O}}"),
        (r"\ce{^{227}_{90}Th+}", r"{{}^{227}_{90}\mathrm{Th}^{+}}"),
        (r"\ce{A <=> B}", r"{\mathrm{A}\;\rightleftharpoons\; \mathrm{B}}"),
        (r"\ce{A ->[\Delta] B ^}", r"{\mathrm{A}\;\xrightarrow{\Delta}\; \mathrm{B}\,\uparrow }"),
        (r"\ce{CH2=CH-CH3}",
         r"{\mathrm{C}\mathrm{H}_{2}{=}\mathrm{C}\mathrm{H}{-}\mathrm{C}\mathrm{H}_{3}}"),
        (r"\ce{2e-} \ce{Fe^{III}} \ce{Na(aq)}",
         r"{2\,\mathrm{e}^{-}} {\mathrm{Fe}^{\mathrm{III}}} {\mathrm{Na}\mathrm{(aq)}}"),
        (r"\ce{1/2O2}", r"{\frac{1}{2}\,\mathrm{O}_{2}}"),
    ],
)  # fmt: skip
def test_chemistry_is_rewritten(source: str, written: str) -> None:
    assert without_chemistry(source) == written
    assert outline(source, display=False).width > 500


@pytest.mark.parametrize("source", [r"\ce{x Na}", r"\ce{$x$}", r"\ce{A ->[a][b] B}", r"\ce{A <=>[x] B}", r"\ce{^+}"])
def test_chemistry_that_is_not_certain_leaves_the_source(source: str) -> None:
    with pytest.raises(NotTypesetError):
        outline(source, display=True)


@pytest.mark.parametrize(
    ("source", "written"),
    [
        (r"\SI{9.81}{\metre\per\second\squared}", r"{9.81\,\mathrm{m}\,\mathrm{s}^{-2}}"),
        (r"\qty{3e8}{m/s}", r"{3\times 10^{8}\,\mathrm{m}/\mathrm{s}}"),
        (r"\qty{12345.67891}{\kilo\gram}", r"{12\,345.678\,91\,\mathrm{kg}}"),
        (r"\unit{kg.m.s^{-2}}", r"{\mathrm{kg}\,\mathrm{m}\,\mathrm{s}^{-2}}"),
        (r"\si{\micro\ohm}", r"{\mathrm{µΩ}}"),
        (r"\num{-6.022e23} \ang{45}", r"{-6.022\times 10^{23}} {45\mathrm{°}}"),
        (r"\SI{25}{\degreeCelsius}", r"{25\,\mathrm{°C}}"),
        (r"\SI{5}{\percent}", r"{5\,\mathrm{\%}}"),
        (r"\SI{1.2 \pm 0.1}{\joule}", r"{(1.2 \pm 0.1)\,\mathrm{J}}"),
        (r"\SI{1}{\square\metre\per\cubic\second}", r"{1\,\mathrm{m}^{2}\,\mathrm{s}^{-3}}"),
        (r"\SI{1234567}{\tothe}", ""),
    ],
)
def test_numbers_and_units_are_rewritten(source: str, written: str) -> None:
    if not written:
        with pytest.raises(NotTypesetError):
            without_quantities(source)
        return
    assert without_quantities(source) == written
    assert outline(source, display=False).width > 500


@pytest.mark.parametrize(
    "source",
    [r"\SI{4}{\foo}", r"\SI{a}{m}", r"\SI[x=1]{3}{m}", r"\SI{3}{\kilo}", r"\si{\per}", r"\num{1,5}", r"\ang{1;2;3}"],
)
def test_units_that_are_not_certain_leave_the_source(source: str) -> None:
    with pytest.raises(NotTypesetError):
        outline(source, display=True)
