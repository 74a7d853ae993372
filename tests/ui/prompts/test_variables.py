from __future__ import annotations

import pytest
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication

from desktop_app.core.prompts import PromptTemplate
from desktop_app.ui.prompts.prompt_form import VariableHighlighter, show_filled
from desktop_app.ui.theme.theme import load_theme
from desktop_app.ui.widgets.list_parts import utf16_place


def coloured(document: QTextDocument) -> list[str]:
    """The pieces of a document that a highlighter has given a look."""
    found, block = [], document.begin()
    while block.isValid():
        raw = block.text().encode("utf-16-le")
        for part in block.layout().formats():
            found.append(raw[2 * part.start : 2 * (part.start + part.length)].decode("utf-16-le"))
        block = block.next()
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a {{b}} c", ["{{b}}"]),
        ("😀 {{川}} 😀{{x:long}}\n{{y=1}}", ["{{川}}", "{{x:long}}", "{{y=1}}"]),
        ("\\{{a}} {{}} {{a\nb}}", []),
    ],
)
def test_variables_are_coloured_and_nothing_else(qapp: QApplication, text: str, expected: list[str]) -> None:
    document = QTextDocument(text)
    highlighter = VariableHighlighter(load_theme("light"), document)
    highlighter.rehighlight()
    assert coloured(document) == expected


def test_a_filled_text_is_shown_with_names_in_empty_places_and_cut_where_it_is_long(qapp: QApplication) -> None:
    document, template, theme = QTextDocument(), PromptTemplate("To {{a}}: {{b}}!"), load_theme("dark")
    show_filled(document, template, {"a": "x\ny", "b": ""}, theme, 1000)
    assert document.toPlainText() == "To x\ny: b!"
    show_filled(document, template, {"a": "z" * 50, "b": "c"}, theme, 10)
    assert document.toPlainText() == "To zzzzzzz…"


def test_places_beyond_the_first_plane_count_twice() -> None:
    assert [utf16_place("a😀b", place) for place in range(4)] == [0, 1, 3, 4]
