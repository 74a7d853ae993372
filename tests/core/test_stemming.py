"""Forms of words: which have one stem, in which languages, and what is never taken apart."""

from __future__ import annotations

import pytest

from desktop_app.core.search_terms import beginning_of_forms, has_stem, nearest_forms, search_languages, stem


@pytest.mark.parametrize(
    ("word", "form", "language"),
    [
        ("connections", "connected", "en"),
        ("happiness", "happy", "en"),
        ("happy", "happiness", "en"),
        ("hauser", "haus", "de"),
        ("verbindung", "verbindungen", "de"),
        ("chevaux", "cheval", "fr"),
    ],
)
def test_a_form_has_the_stem_and_begins_as_all_do(word: str, form: str, language: str) -> None:
    assert stem(word, language) == stem(form, language)
    assert form.startswith(beginning_of_forms(word, language))


def test_short_words_numbers_and_scripts_without_blanks_have_no_forms() -> None:
    assert [word for word in ("is", "2024", "x86", "東京都", "a" * 40, "ropes") if has_stem(word)] == ["ropes"]
    assert not beginning_of_forms("ies", "en")


def test_the_languages_are_that_of_the_window_and_english() -> None:
    assert search_languages("de", {}) == ("de", "en")
    assert search_languages("en", {"LANG": "de_DE.UTF-8"}) == ("en",)
    assert search_languages("zh_CN", {}) == ("en",)
    assert search_languages("system", {"LANG": "de_DE.UTF-8"}) == ("de", "en")
    assert search_languages("system", {"LC_ALL": "fr_FR.UTF-8", "LANG": "de_DE.UTF-8"}) == ("fr", "en")
    assert search_languages("system", {"LANG": "C"}) == ("en",)
    assert search_languages("system", {}) == ("en",)


def test_the_forms_most_like_the_word_come_first() -> None:
    assert nearest_forms("ropes", ["ropelike", "rope", "roped"], 2) == ["roped", "rope"]
