"""What the preferences say of the dictionaries on this computer."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop_app.ui.preferences.setting_controls import codes_in, dictionary_words, language_title
from desktop_app.ui.spelling.speller import Dictionaries, Places

PLACES = Places.in_folder(Path("data"))
FOUND = (("de_DE", "/d"), ("en_US", "/d"))


def told(dictionaries: Dictionaries, *wanted: str) -> str:
    return " ".join(dictionary_words(dictionaries, PLACES, wanted))


@pytest.mark.parametrize(
    ("code", "title"),
    [
        ("de_DE", "Deutsch (Deutschland)"),
        ("de_AT", "Österreichisches Deutsch"),
        ("en_US", "American English"),
        ("de_DE_frami", "Deutsch (Deutschland, frami)"),
        ("ar", "العربية"),
        ("qq_QQ", "qq_QQ"),
    ],
)
def test_a_language_is_called_as_its_speakers_call_it(code: str, title: str) -> None:
    assert language_title(code) == title


def test_what_is_in_use_and_where_more_comes_from(qtbot: QtBot) -> None:
    words = told(Dictionaries(FOUND, ("de_DE", "en_US")))
    assert words.startswith("In use: Deutsch (Deutschland), American English.")
    assert str(PLACES.dictionaries) in words
    assert str(PLACES.words) in words
    assert ("hunspell-de-de" in words) == sys.platform.startswith("linux")


def test_what_is_missing_is_named(qtbot: QtBot) -> None:
    assert "No dictionary was found for fr_FR." in told(Dictionaries(FOUND, ("de_DE",)), "de", "fr_FR")
    assert "No dictionary was found on this computer." in told(Dictionaries())


def test_without_the_library_it_is_said_what_to_install(qtbot: QtBot) -> None:
    words = told(Dictionaries(FOUND, (), "not_installed"))
    assert "chunspell" in words
    assert "In use" not in words


def test_codes_are_read_as_people_write_them() -> None:
    assert codes_in(" en-US,de_DE  fr ") == ("en_US", "de_DE", "fr")
