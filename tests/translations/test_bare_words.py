"""No words reach a widget past the translation: literals and f-strings in the calls that show text are named."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.translations.catalogue import PACKAGE

SHOWING: Final = frozenset(
    {
        *(
            "setText",
            "setToolTip",
            "setWindowTitle",
            "setPlaceholderText",
            "setAccessibleName",
            "setTitle",
            "setStatusTip",
        ),
        *("setAccessibleDescription", "setInformativeText", "setWhatsThis", "setLabelText", "setOkButtonText"),
        *("setCancelButtonText", "setSpecialValueText", "setSuffix", "setPrefix", "setHeaderData", "setItemText"),
        *("addAction", "addMenu", "addButton", "addItem", "addTab", "insertItem", "show_message", "set_notice"),
        *(
            "QPushButton",
            "QAction",
            "QLabel",
            "QCheckBox",
            "QRadioButton",
            "QToolButton",
            "QMenu",
            "QMessageBox",
            "QGroupBox",
        ),
    }
)
"""Calls whose text arguments a person reads or hears."""
ALLOWED: Final = {
    "ui/composer/composer.py": {"{name} (Esc)"},  # a key
    "ui/shell/main_window.py": {"Plimsoll", "{title} – Plimsoll"},  # the name of the program
    "ui/desktop/notifications.py": {"Plimsoll"},
    "ui/startup/restart.py": {"Plimsoll"},
    "ui/connections/connections_page.py": {"http://127.0.0.1:8080/v1"},  # what an address looks like
}
"""Names, and what is made of names alone, by module."""
_WORD: Final = re.compile(r"[A-Za-z]{2,}")


def bare_words(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and text of each literal that such a call is given."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in SHOWING:
            for argument in [*node.args, *(keyword.value for keyword in node.keywords)]:
                for text in _texts(argument):
                    if _WORD.search(re.sub(r"\{[^}]*\}", "", text)):
                        yield node.lineno, text


def _texts(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=values):
            parts = (
                f"{{{ast.unparse(part.value)}}}" if isinstance(part, ast.FormattedValue) else _plain(part)
                for part in values
            )
            yield "".join(parts)
        case ast.IfExp(body=body, orelse=other):
            yield from _texts(body)
            yield from _texts(other)
        case ast.BinOp(left=left, right=right):
            yield from _texts(left)
            yield from _texts(right)
        case ast.BoolOp(values=values):
            for value in values:
                yield from _texts(value)
        case _:
            return


def _plain(part: ast.expr) -> str:
    return str(part.value) if isinstance(part, ast.Constant) else ""


def shown_modules() -> list[Path]:
    return sorted((PACKAGE / "ui").rglob("*.py"))


def test_no_words_are_shown_past_the_translation() -> None:
    found = []
    for path in shown_modules():
        name = path.relative_to(PACKAGE).as_posix()
        for line, text in bare_words(ast.parse(path.read_text("utf-8"))):
            if text not in ALLOWED.get(name, ()):
                found.append(f"{name}:{line}: {text!r}")
    assert not found, "\n".join(found)


def test_bare_words_are_found_in_every_form() -> None:
    code = """
label.setText("Plain")
label.setToolTip(f"Made of {name}")
QPushButton("One" if one else self.tr("Two"), parent)
menu.addAction("Again " + name)
label.setText(self.tr("Translated"))
label.setText(name or "Otherwise")
box.setObjectName("no-words")
label.setText("·")
"""
    assert [text for _, text in bare_words(ast.parse(code))] == [
        "Plain",
        "Made of {name}",
        "One",
        "Again ",
        "Otherwise",
    ]
