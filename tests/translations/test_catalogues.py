"""Every shown text is translated into every language, wholly, and the compiled files say the same."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QTranslator

from tests.translations.catalogue import FORMS, NAMES, PHRASE_LIST, Catalogue, Entry, read_catalogue
from tests.translations.extraction import PHRASES, Text, extracted

AGAIN = "run: .venv/bin/python -m tests.translations (docs/translating.md)"


@pytest.fixture(scope="module")
def texts() -> tuple[Text, ...]:
    return extracted()


@pytest.fixture(scope="module", params=list(NAMES))
def catalogue(request: pytest.FixtureRequest) -> Catalogue:
    return read_catalogue(request.param)


def said(catalogue: Catalogue) -> Iterator[tuple[Entry, str]]:
    for entry in catalogue.entries.values():
        for form in entry.said:
            yield entry, form


def test_every_shown_text_is_there_and_no_other(catalogue: Catalogue, texts: Sequence[Text]) -> None:
    shown = {(text.context, text.source): text.one for text in texts}
    known = {key: entry.text.one for key, entry in catalogue.entries.items()}
    missing = [key for key in shown if known.get(key) != shown[key]]
    assert not missing, f"new texts, {AGAIN}: {missing[:20]}"
    obsolete = [key for key in known if key not in shown]
    assert not obsolete, f"texts that are not shown any more, {AGAIN}: {obsolete[:20]}"


def test_every_text_is_translated(catalogue: Catalogue) -> None:
    wanting = [f"{entry.text.context}: {entry.text.source}" for entry in catalogue.unfinished]
    assert not wanting, f"not translated into {catalogue.language}: {wanting[:30]}"
    assert not [entry for entry, form in said(catalogue) if not form.strip()]


def test_counted_texts_have_the_forms_of_the_language(catalogue: Catalogue) -> None:
    assert all(
        len(entry.said) == (FORMS[catalogue.language] if entry.text.one else 1)
        for entry in catalogue.entries.values()
        if entry.said
    )


def placeholders(text: str) -> list[str]:
    """`{fields}` as they are written, `%n`, and the letters that a `&` underlines count as one."""
    try:
        pieces = list(string.Formatter().parse(text))
    except ValueError:
        pieces = []
    named = [f"{name}:{spec}!{turned}" for _, name, spec, turned in pieces if name is not None]
    return sorted({*named, *re.findall(r"%n|%\d", text), *(["&"] if re.search(r"&\w", text) else [])})


def test_fields_stand_in_the_translation_as_they_are_written(catalogue: Catalogue) -> None:
    wrong = []
    for entry, form in said(catalogue):
        of_one = bool(entry.text.one) and form == entry.said[0]
        wanted = [placeholders(entry.text.source), *([placeholders(entry.text.one)] if of_one else [])]
        if placeholders(form) not in wanted:
            wrong.append((entry.text.source, form))
    assert not wrong, wrong[:10]


def test_space_around_a_text_is_kept(catalogue: Catalogue) -> None:
    """Chinese may do without spaces, but not without line breaks."""
    spaced = "\n\t" if catalogue.language == "zh_CN" else " \n\t"
    wrong = [
        (entry.text.source, form)
        for entry, form in said(catalogue)
        if around(form, spaced) != around(entry.text.source, spaced) or ("  " in form) > ("  " in entry.text.source)
    ]
    assert not wrong, wrong[:10]


def around(text: str, signs: str) -> tuple[str, str]:
    return text[: len(text) - len(text.lstrip(signs))], text[len(text.rstrip(signs)) :]


def test_no_translation_exclaims(catalogue: Catalogue) -> None:
    assert not [form for _, form in said(catalogue) if re.search("[!！]", re.sub(r"\{[^}]*\}", "", form))]


def test_the_compiled_file_says_what_the_source_says(catalogue: Catalogue) -> None:
    translator = QTranslator()
    assert translator.load(str(catalogue.compiled)), f"not compiled, {AGAIN}"
    wrong = []
    for entry in catalogue.entries.values():
        counts = {1: 0, 7: -1} if entry.text.one else {-1: 0}
        for count, form in counts.items():
            got = translator.translate(entry.text.context, entry.text.source, None, count)
            if entry.said and got != entry.said[form]:
                wrong.append((entry.text.source, got))
    assert not wrong, f"older than its source, {AGAIN}: {wrong[:5]}"


def test_the_list_of_phrases_is_as_the_code_has_them(texts: Sequence[Text]) -> None:
    listed = json.loads(PHRASE_LIST.read_text("utf-8"))
    assert listed == {text.source: text.one for text in texts if text.context == PHRASES}, AGAIN


def test_merging_keeps_what_is_said_and_takes_it_from_elsewhere() -> None:
    old = Catalogue(
        "de", {("A", "Undo"): Entry(Text("A", "Undo"), ("Rückgängig",)), ("A", "Gone"): Entry(Text("A", "Gone"))}
    )
    merged = old.merged([Text("A", "Undo"), Text("B", "Undo"), Text("B", "New")])
    assert {key: entry.said for key, entry in merged.entries.items()} == {
        ("A", "Undo"): ("Rückgängig",),
        ("B", "Undo"): ("Rückgängig",),
        ("B", "New"): (),
    }


def test_filling_needs_the_forms_of_the_language_and_passes_over_what_is_gone() -> None:
    text = Text("Phrases", "{count} left out", "1 left out")
    german = Catalogue("de", {("Phrases", text.source): Entry(text)})
    filled = german.filled({"Phrases": {text.source: ["1 aus", "{count} aus"], "Gone": "Weg"}})
    assert filled.entries["Phrases", text.source].said == ("1 aus", "{count} aus")
    with pytest.raises(ValueError, match="2 forms"):
        german.filled({"Phrases": {text.source: "{count} aus"}})


def test_a_file_is_read_as_it_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.translations.catalogue.FOLDER", tmp_path)
    counted, plain = Text("P", "{count} <b>", "1 & b", frozenset({"core/a.py"})), Text("W", ' A\n"B" ')
    kept = Catalogue(
        "de", {("P", counted.source): Entry(counted, ("1 <b>", "{count} <b>")), ("W", plain.source): Entry(plain)}
    )
    kept.save()
    read = read_catalogue("de")
    assert read == kept
    assert read.entries["P", counted.source].text.places == counted.places


def test_a_private_thread_says_of_every_cut_answer_that_it_is_not_saved(catalogue: Catalogue) -> None:
    """The sentence is put in place of another in a translated text, which has it as it stands alone."""
    kept = {entry.text.source: form for entry, form in said(catalogue) if entry.text.context == "Keeping"}
    sentences = [source for source in kept if source.endswith("so far is saved.")]
    assert len(sentences) == len(kept) / 2 > 0
    ending = [(entry, form) for entry, form in said(catalogue) if entry.text.source.endswith("so far is saved.")]
    assert len(ending) > 2 * len(sentences)
    for entry, form in ending:
        assert any(source in entry.text.source and kept[source] in form for source in sentences), form
