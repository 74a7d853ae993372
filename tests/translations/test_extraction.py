"""What is read out of code: every way in which a text is shown, and that a text which can't be read is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.translations.extraction import PACKAGE, Text, UnreadableTextError, extracted


def package(tmp_path: Path, **modules: str) -> Path:
    folder = tmp_path / "desktop_app"
    folder.mkdir()
    for name, code in modules.items():
        (folder / f"{name}.py").write_text(code, "utf-8")
    return folder


def texts(folder: Path) -> set[tuple[str, str]]:
    return {(text.context, text.source) for text in extracted(folder)}


WORDS = """
from PySide6.QtCore import QCoreApplication
NAMES = {"a": "Alpha", "b": {"c": "Gamma"}}
def _tr(words):
    return QCoreApplication.translate("Words", words)
def name(key):
    own = NAMES.get(key)
    return _tr(own) if own else _tr("Beta" if key else "Delta")
"""


def test_texts_stand_under_the_class_that_writes_them(tmp_path: Path) -> None:
    code = """
class Base(QWidget):
    def say(self, pane: Pane):
        self.tr("In " "two parts")
        pane.tr("Of the pane")
class Sub(Base):
    def say(self):
        self.tr("Here")
"""
    found = texts(package(tmp_path, pane=code))
    assert found == {("Base", "In two parts"), ("Pane", "Of the pane"), ("Sub", "Here")}


def test_a_module_has_a_context_of_its_own_and_lends_it(tmp_path: Path) -> None:
    borrowing = 'from desktop_app import words\nfrom desktop_app.words import _tr\n_tr("One")\nwords._tr("Two")\n'
    found = texts(package(tmp_path, words=WORDS, borrowing=borrowing))
    assert {("Words", "One"), ("Words", "Two"), ("Words", "Beta"), ("Words", "Delta")} <= found


def test_texts_of_a_table_are_found_where_it_is_shown(tmp_path: Path) -> None:
    assert {("Words", "Alpha"), ("Words", "Gamma")} <= texts(package(tmp_path, words=WORDS))


def test_phrases_and_templates_are_found_with_their_form_for_one(tmp_path: Path) -> None:
    code = """
EMPTY = template("“{name}” is empty.")
phrase("{count:,} left out", one="1 left out", count=3)
phrase("As it is")
phrase("{sum:,}", sum=3)
"""
    found = extracted(package(tmp_path, core=code))
    assert found == (
        Text("Phrases", "As it is"),
        Text("Phrases", "{count:,} left out", "1 left out"),
        Text("Phrases", "“{name}” is empty."),
    )


@pytest.mark.parametrize(
    "code",
    [
        "class A:\n    def say(self, words):\n        self.tr(words)",
        'class A:\n    def say(self, name):\n        self.tr(f"Hello {name}")',
        'def say(pane):\n    pane.tr("Whose?")',
        'phrase("{count} of {all}", count=3)',
        'phrase("{count}", count=3, unused=2)',
        'Phrase("Said at once", {})',
        'QCoreApplication.translate(context, "Where?")',
    ],
)
def test_what_can_not_be_read_is_named_by_file_and_line(tmp_path: Path, code: str) -> None:
    with pytest.raises(UnreadableTextError, match=r"^shown.py:\d+: "):
        extracted(package(tmp_path, shown=code))


def test_one_text_has_one_form_for_one(tmp_path: Path) -> None:
    code = 'phrase("{count} a", one="1 a", count=1)\nphrase("{count} a", one="an a", count=1)'
    with pytest.raises(UnreadableTextError, match="another form"):
        extracted(package(tmp_path, shown=code))


FOR_MODELS = (
    *("core/context/content.py", "core/context/cut.py", "core/context/forms.py", "core/context/notes.py"),
    *("core/context/roles.py", "core/context/prompt.py", "core/recall.py", "core/titling.py", "core/tools.py"),
    *("controller/tools.py", "backends/claude_cli/tool_door.py", "backends/openai/request.py"),
)
"""Modules that write what a model reads: English, and the same bytes in every language."""


def test_what_a_model_reads_is_never_a_phrase() -> None:
    for name in FOR_MODELS:
        assert "core.phrases" not in (PACKAGE / name).read_text("utf-8"), name
