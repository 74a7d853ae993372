"""Every shown text is translated into every language, wholly, and the compiled files say the same."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTranslator

from tests.translations.catalogue import (
    FORMS,
    PHRASE_LIST,
    Text,
    fill,
    phrases,
    read_texts,
    shown_texts,
    table,
    ts_file,
    update,
)

AGAIN = "run: ./dev translate (docs/translating.md)"


@pytest.fixture(params=list(FORMS))
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def texts(language: str) -> tuple[Text, ...]:
    return read_texts(ts_file(language))


def said(texts: tuple[Text, ...]) -> Iterator[tuple[Text, str]]:
    for text in texts:
        for form in text.said:
            yield text, form


def test_every_shown_text_is_there_and_no_other(texts: tuple[Text, ...]) -> None:
    shown = {(text.context, text.source, text.one) for text in shown_texts()}
    known = {(text.context, text.source, text.one) for text in texts}
    assert not shown - known, f"new texts, {AGAIN}: {sorted(shown - known)[:20]}"
    assert not known - shown, f"texts that are not shown any more, {AGAIN}: {sorted(known - shown)[:20]}"


def test_every_text_is_translated(texts: tuple[Text, ...]) -> None:
    wanting = [text.source for text in texts if not all(form.strip() for form in text.said or [""])]
    assert not wanting, f"not translated: {wanting[:30]}"


def test_a_text_is_said_in_one_way_wherever_it_stands(texts: tuple[Text, ...]) -> None:
    """So that it keeps its translation when it moves to another class; Qt's names of keys have their own."""
    ways = {(text.source, text.said) for text in texts if text.said and text.context != "QShortcut"}
    assert len(ways) == len({source for source, _ in ways})


def test_counted_texts_have_the_forms_of_the_language(language: str, texts: tuple[Text, ...]) -> None:
    assert all(len(text.said) == (FORMS[language] if text.one else 1) for text in texts if text.said)


def placeholders(text: str) -> list[str]:
    """`{fields}` as they are written, `%n`, and the letters that a `&` underlines count as one."""
    try:
        pieces = list(string.Formatter().parse(text))
    except ValueError:
        pieces = []
    named = [f"{name}:{spec}!{turned}" for _, name, spec, turned in pieces if name is not None]
    return sorted({*named, *re.findall(r"%n|%\d", text), *(["&"] if re.search(r"&\w", text) else [])})


def test_fields_stand_in_the_translation_as_they_are_written(texts: tuple[Text, ...]) -> None:
    wrong = []
    for text, form in said(texts):
        of_one = bool(text.one) and form == text.said[0]
        wanted = [placeholders(text.source), *([placeholders(text.one)] if of_one else [])]
        if placeholders(form) not in wanted:
            wrong.append((text.source, form))
    assert not wrong, wrong[:10]


def test_space_around_a_text_is_kept(language: str, texts: tuple[Text, ...]) -> None:
    """Chinese may do without spaces, but not without line breaks."""
    spaced = "\n\t" if language == "zh_CN" else " \n\t"
    wrong = [
        (text.source, form)
        for text, form in said(texts)
        if around(form, spaced) != around(text.source, spaced) or ("  " in form) > ("  " in text.source)
    ]
    assert not wrong, wrong[:10]


def around(text: str, signs: str) -> tuple[str, str]:
    return text[: len(text) - len(text.lstrip(signs))], text[len(text.rstrip(signs)) :]


def test_no_translation_exclaims(texts: tuple[Text, ...]) -> None:
    assert not [form for _, form in said(texts) if re.search("[!！]", re.sub(r"\{[^}]*\}", "", form))]


MACHINE_MADE = (
    (r'^[^\[]*"(?!")[^"]+"(?![^{]*")', "straight quotes"),
    (r"\.\.\.|\w…", "… stands after a space"),
    (r"\bendete", "a program is closed, or closes"),
    (r"\b(Ihnen|Ihrem|Ihren|[Bb]itte|Gib|Wählen Sie)\b|\bdeine?[mnrs]? (?!Antwort abge)", "nobody is addressed"),
    (
        r"(^|[.?] )(Ihn|Es|Sie)(?! lassen)(\{where\})? (\w+ ){0,3}\w+(ieren|chen|nden|eiten|rten|hen|sen|ügen)\b[,.]? ",
        "a pronoun leads",
    ),
)


@pytest.mark.parametrize(("pattern", "why"), MACHINE_MADE)
def test_german_reads_as_germans_write(pattern: str, why: str) -> None:
    texts = read_texts(ts_file("de"))
    found = [form for text, form in said(texts) if re.search(pattern, form) and '""' not in form]
    assert not found, f"{why}: {found}"


def test_the_compiled_file_says_what_the_source_says(language: str, texts: tuple[Text, ...]) -> None:
    translator = QTranslator()
    assert translator.load(str(ts_file(language).with_suffix(".qm"))), f"not compiled, {AGAIN}"
    wrong = []
    for text in texts:
        for count, form in ({1: 0, 7: -1} if text.one else {-1: 0}).items():
            got = translator.translate(text.context, text.source, text.one, count)
            if text.said and got != text.said[form]:
                wrong.append((text.source, got))
    assert not wrong, f"older than its source, {AGAIN}: {wrong[:5]}"


def test_the_list_of_phrases_is_as_the_code_has_them() -> None:
    assert json.loads(PHRASE_LIST.read_text("utf-8")) == phrases(), AGAIN


def test_the_table_has_every_text_once_in_every_language() -> None:
    rows = table()
    assert len(rows) == len({text.source for text in shown_texts()})
    assert all(len(row) == 1 + len(FORMS) and all(cell.strip() for cell in row) for row in rows)
    assert not [cell for row in rows for cell in row if "\n" in cell or "\t" in cell]
    assert ("Save key", "Schlüssel speichern", "保存密钥") in rows
    assert ("1 message | {count:,} messages", "1 Nachricht | {count:,} Nachrichten", "{count:,} 条消息") in rows


def package(tmp_path: Path, code: str) -> Path:
    folder = tmp_path / "package"
    folder.mkdir(exist_ok=True)
    (folder / "module.py").write_text(code, "utf-8")
    return folder


CODE = """
MARKED = {"a": phrase("Alpha"), "b": template("{b} Beta")}
class Pane(QWidget):
    def say(self):
        self.tr("In " "two “parts”\\n")
        phrase("{count:,} left of {all}", "1 left of {all}", count=number(1, 2), all=3)
        return lambda: tr("Inside")
"""


def test_lupdate_reads_every_way_in_which_a_text_is_shown(tmp_path: Path) -> None:
    assert set(shown_texts(package(tmp_path, CODE))) == {
        Text("Pane", "In two “parts”\n", proposed=("",)),
        Text("", "Alpha", proposed=("",)),
        Text("", "{b} Beta", proposed=("",)),
        Text("", "Inside", proposed=("",)),
        Text("", "{count:,} left of {all}", "1 left of {all}", proposed=("", "")),
    }


def test_a_text_keeps_its_translation_when_its_class_is_renamed(tmp_path: Path) -> None:
    file = tmp_path / "some_de.ts"
    update(file, package(tmp_path, CODE))
    counted = "{count:,} left of {all}"
    fill(file, {"In two “parts”\n": "In zwei <„Teilen“>\n", counted: ["1 von {all}", "{count:,} von {all}"]})
    moved = CODE.replace("class Pane", "class Sheet").replace('tr("Inside")', 'self.tr("Alpha")')
    update(file, package(tmp_path, moved))
    known = {(text.context, text.source): text.said for text in read_texts(file)}
    assert known == {
        ("Sheet", "In two “parts”\n"): ("In zwei <„Teilen“>\n",),
        ("", counted): ("1 von {all}", "{count:,} von {all}"),
        ("", "Alpha"): (),
        ("Sheet", "Alpha"): (),
        ("", "{b} Beta"): (),
    }
    with pytest.raises(ValueError, match="needs 1 forms"):
        fill(file, {"Alpha": ["one", "more"]})
