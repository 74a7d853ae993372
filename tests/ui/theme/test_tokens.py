"""One table of colours and measures: its names are those that the code knows, and nothing is drawn beside it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from desktop_app.ui.theme import theme
from desktop_app.ui.theme.style import style_sheet
from desktop_app.ui.theme.theme import load_theme, tokens

UI = Path(theme.__file__).parents[1]
KINDS = {
    "space": theme.Space,
    "radius": theme.Radius,
    "line": theme.Line,
    "type": theme.Type,
    "scale": theme.Scale,
    "motion": theme.Motion,
}
EXCEPTIONS = {
    # half of what is drawn is its corner: a pill, whatever its height
    "gauge/gauge_strip.py: HULL / 2",
    "transcript/items/item.py: BAR / 2",
    # a formula is drawn in the size that it was set in
    "transcript/formulas/inline_formulas.py: max(1, round(height * scale))",
    # the wave beneath a word has its own measures: its height, length and width belong together
    "spelling/field_spelling.py: LINE",
    # a drawing that a model made counts on paper, whatever the theme
    "artifacts/artifact_pane.py: Qt.GlobalColor.white",
    # a page to be printed has the inks of paper, and its foot a size of its own
    *(f"printing/pdf_pages.py: {ink}" for ink in ("#1b1f24", "'#1b1f24'", "#5b6470", "'#5b6470'", "8")),
    # so does a page of a document, with what stands on it until it is there
    *(f"documents/page_stack.py: {color}" for color in ("'white'", "#606060", "'#606060'")),
}
"""What may stand beside the table, as `file: code`, each with its reason."""

COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}\b|#[0-9a-fA-F]{8}\b|\brgba?\(")
SHEET = re.compile(r"border(?:-[a-z]+)*-radius:\s*\d|font-size:|\d+px solid")
DRAWS = re.compile(r"#[0-9a-fA-F]{3}|rgb|radius|px|QColor|QPen|[pP]en\.set|GlobalColor|RoundedRect|Size|setDuration")
"""A module without any of this draws nothing, and is not worth being parsed."""
ROUNDED = {"drawRoundedRect", "addRoundedRect"}
SIZED = {"setPointSize", "setPointSizeF", "setPixelSize", "setFontPointSize"}
TIMED = {"setDuration"}
PEN = {"setWidth", "setWidthF"}


def numbers(node: ast.AST) -> bool:
    """Whether a number other than 0 is written there, or a constant of the module that stands for one."""
    return any(
        (isinstance(each, ast.Constant) and isinstance(each.value, int | float) and not isinstance(each.value, bool))
        or (isinstance(each, ast.Name) and each.id.isupper() and each.id not in {"GRID"})
        for each in ast.walk(node)
        if not (isinstance(each, ast.Constant) and each.value == 0)
    )


def measured(call: ast.Call) -> Iterator[ast.AST]:
    """The arguments of a call that must come from the table."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in ROUNDED:
        yield from call.args[-2:]
    elif name in TIMED or (name in PEN and isinstance(call.func, ast.Attribute) and "pen" in ast.unparse(call.func)):
        yield from call.args
    elif name in SIZED:
        # a step of the scale may be rounded
        yield from (
            one for one in call.args if "scale(" not in ast.unparse(one) and "max(SMALLEST" not in ast.unparse(one)
        )
    elif name == "QPen":
        yield from call.args[1:2]
    elif name == "QColor":
        yield from (one for one in call.args if isinstance(one, ast.Constant))


def beside_the_table(path: Path, source: str) -> list[str]:
    """What a module draws with that is not in the table, as `file: code`."""
    found: list[str] = []
    if not DRAWS.search(source):
        return found
    module = ast.parse(source)
    shown = path.relative_to(UI).as_posix() if path.is_relative_to(UI) else path.name
    documentation = {
        id(node.value)
        for node in ast.walk(module)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            text = node.value
            if (COLOUR.search(text) and not text.startswith(("http", "/"))) or SHEET.search(text):
                found.append(f"{shown}: {text.strip()}")
        elif isinstance(node, ast.Call):
            found += [f"{shown}: {ast.unparse(one)}" for one in measured(node) if numbers(one)]
            found += [
                f"{shown}: {ast.unparse(one)}" for one in measured(node) if isinstance(getattr(one, "value", 0), str)
            ]
        elif (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Attribute)
            and node.value.attr == "GlobalColor"
        ):
            found += [f"{shown}: {ast.unparse(node)}"] if node.attr != "transparent" else []
    return found


def test_the_names_are_those_of_the_table() -> None:
    table = tokens()
    assert set(table) == {*KINDS, "light", "dark"}
    for kind, names in KINDS.items():
        assert list(table[kind]) == list(get_args(names)), kind
    assert list(table["light"]) == list(table["dark"]), "both themes have the same roles"


def test_motion_is_short() -> None:
    # DESIGN.md: what moves does so in less than 150 ms; a mark that turns takes its steps as fast
    assert tokens()["motion"]["travel"] < 150  # type: ignore[operator]


@pytest.mark.parametrize("name", ["light", "dark"])
def test_the_style_sheet_is_filled_in(name: theme.ThemeName) -> None:
    sheet = style_sheet(load_theme(name))
    assert "@" not in sheet
    assert "border-radius: 8px" in sheet


def test_nothing_is_drawn_beside_the_table() -> None:
    found = {
        one
        for path in UI.rglob("*.py")
        if path.name != "theme.py"
        for one in beside_the_table(path, path.read_text("utf-8"))
    }
    assert found - EXCEPTIONS == set()
    assert EXCEPTIONS - found == set(), "an exception that nothing needs"


@pytest.mark.parametrize(
    "code",
    [
        'widget.setStyleSheet("color: #ff0000")',
        'QColor("red")',
        "QColor(255, 0, 0)",
        "Qt.GlobalColor.red",
        "painter.drawRoundedRect(box, 8, 8)",
        "painter.drawRoundedRect(box, CORNER, CORNER)",
        'widget.setStyleSheet(f"border-radius: 8px; background: {color}")',
        'widget.setStyleSheet("border: 1px solid black")',
        "font.setPointSizeF(theme.text_size + 3)",
        "animation.setDuration(200)",
        "painter.setPen(QPen(color, 2))",
        "pen.setWidthF(1.5)",
    ],
)
def test_what_is_beside_it_is_found(code: str) -> None:
    assert beside_the_table(Path("some.py"), code)


@pytest.mark.parametrize(
    "code",
    [
        '"""Shows #fff in a docstring."""',
        'theme.color("text")',
        'painter.drawRoundedRect(box, radius("control"), radius("control"))',
        'font.setPointSizeF(theme.points("page"))',
        'QPen(theme.color("focus"), stroke("focus"))',
        "QColor(theme.color(role))",
        'label.setText("issue #12")',
    ],
)
def test_what_comes_from_it_is_not(code: str) -> None:
    assert beside_the_table(Path("some.py"), code) == []
