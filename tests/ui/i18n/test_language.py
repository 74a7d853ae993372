"""The window's language: which it is, how phrases and numbers are said in it, and that English costs nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator
from PySide6.QtGui import QFontDatabase, QKeySequence
from PySide6.QtWidgets import QApplication, QWidget

from desktop_app.controller.export_sources import open_source
from desktop_app.controller.formats import chatgpt_export
from desktop_app.controller.turn_notices import summarised
from desktop_app.core.context.plan_text import dollars, thousands, trim_line
from desktop_app.core.errors import UserError
from desktop_app.core.phrases import joined, phrase
from desktop_app.core.settings import find_key
from desktop_app.documents.file_opening import EMPTY, UnreadableError
from desktop_app.storage.turn_store import INTERRUPTED
from desktop_app.ui.i18n.language import TITLES, editable, grouped, parted, speak, system_language, translated
from desktop_app.ui.preferences.setting_list import read_entry, written
from desktop_app.ui.startup.single_instance import read_appearance
from tests.patience import PATIENCE_S


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    assert speak("de") == "de"
    yield
    speak("en")


@pytest.mark.parametrize(
    ("wished", "language"),
    [
        (["de-Latn-DE", "de-DE", "de"], "de"),
        (["de-AT"], "de"),
        (["fr-FR", "fr", "de"], "de"),
        (["fr-FR"], "en"),
        (["zh-Hans-CN", "zh-CN"], "zh_CN"),
        (["zh-SG"], "zh_CN"),
        (["zh-Hant-TW", "zh-TW", "en-US"], "en"),
        (["en-GB", "de"], "en"),
        (["C"], "en"),
        ([], "en"),
    ],
)
def test_the_first_of_the_systems_languages_that_there_is(wished: list[str], language: str) -> None:
    assert system_language(wished) == language


def test_the_setting_offers_every_language() -> None:
    key = find_key(("appearance", "language"))
    assert key is not None
    assert set(key.rule.choices) == {"system", *TITLES}


def test_the_settings_choose_the_language_before_any_window(qapp: QApplication, tmp_path: Path) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text('[appearance]\nlanguage = "de"\n', "utf-8")
    try:
        read_appearance(settings)
        assert QCoreApplication.translate("", "New thread") == "Neue Unterhaltung"
        read_appearance(settings, safe_mode=True)
        assert QCoreApplication.translate("", "New thread") == "New thread"
    finally:
        speak("en")


def test_without_a_font_for_chinese_the_window_speaks_english(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text('[appearance]\nlanguage = "zh_CN"\n', "utf-8")
    monkeypatch.setattr(QFontDatabase, "families", lambda *_: [])
    read_appearance(settings)
    assert QCoreApplication.translate("", "New thread") == "New thread"
    assert "fonts-noto-cjk" in capsys.readouterr().err


@pytest.mark.usefixtures("german")
def test_keys_are_called_as_on_a_keyboard() -> None:
    """Qt itself says "Alt+Herunter"."""
    shown = QKeySequence("Alt+Down, Ctrl+Return").toString(QKeySequence.SequenceFormat.NativeText)
    assert shown == "Alt+↓, Strg+Eingabe"


def test_nothing_is_loaded_for_english(qapp: QApplication) -> None:
    speak("de")
    assert len(qapp.findChildren(QTranslator, "plimsoll-translator")) == 2
    speak("en")
    assert not qapp.findChildren(QTranslator, "plimsoll-translator")
    words = phrase("{total:,} tokens", total=4532)
    assert translated(words) == "4,532 tokens"
    assert type(translated(words)) is str


@pytest.mark.usefixtures("german")
def test_a_class_is_looked_up_under_the_names_of_those_it_inherits_from() -> None:
    class Toast(QWidget):
        def button(self) -> str:
            return self.tr("Undo")

    class Narrow(Toast):
        pass

    assert Narrow().button() == "Rückgängig"


@pytest.mark.usefixtures("german")
def test_qts_own_words_and_keys_are_german() -> None:
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "Abbrechen"
    assert QKeySequence("Ctrl+Shift+K").toString(QKeySequence.SequenceFormat.NativeText) == "Strg+Umschalt+K"


@pytest.mark.usefixtures("german")
def test_phrases_are_said_with_their_values_and_numbers() -> None:
    assert translated(trim_line(1)) == "1 ältere Nachricht ausgelassen"
    assert translated(trim_line(1234)) == "1.234 ältere Nachrichten ausgelassen"
    assert (translated(dollars(1234.5)), translated(dollars(0.001))) == ("1.234,50 $", "unter 0,01 $")
    assert [translated(thousands(tokens)) for tokens in (830, 4200, 62_000, 1_250_000)] == [
        "830",
        "4,2K",
        "62K",
        "1,25M",
    ]
    assert translated(summarised(12, 0.4)) == "12 Nachrichten für 0,40 $ zusammengefasst."
    assert translated(joined([trim_line(2), dollars(2)], " · ")) == "2 ältere Nachrichten ausgelassen · 2,00 $"


@pytest.mark.usefixtures("german")
def test_what_the_user_wrote_stays_as_it_is() -> None:
    for text in ("", "limit", "Reading list", "answer 1,234", "Undo"):
        assert translated(text) == text
    assert "“left out” 1,000.5" in translated(
        phrase("There is no file “{name}”. Check the name, or whether it was moved.", name="“left out” 1,000.5")
    )


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    ("kept", "said"),
    [
        (str(INTERRUPTED.message), "Plimsoll wurde beendet, bevor diese Antwort vollständig war. "),
        (str(trim_line(1)), "1 ältere Nachricht ausgelassen"),
        (str(trim_line(1500)), "1.500 ältere Nachrichten ausgelassen"),
        (str(UnreadableError(EMPTY).sentence("a, b.txt")), "„a, b.txt“ ist leer. Es gibt nichts zu lesen."),
        ("83% of the plan's weekly limit is used", "83% vom Wochenlimit des Abos sind verbraucht"),
        ("limit unknown · cache expired", "Limit unbekannt · Cache abgelaufen"),
        ("No connection. Trying again in 4 s (2 of 3)", "Keine Verbindung. Neuer Versuch in 4 s (2 von 3)"),
        ("Nothing of the kind. Nothing was sent.", "Nothing of the kind. Nothing was sent."),
    ],
)
def test_a_phrase_that_was_kept_as_text_is_known_again(kept: str, said: str) -> None:
    assert type(kept) is str
    assert translated(kept).startswith(said)


@pytest.mark.usefixtures("german")
def test_numbers_are_written_so_that_they_are_read_again() -> None:
    assert (grouped(1_234_567), grouped(0.5, 2)) == ("1.234.567", "0,50")
    assert editable("1,234.50") == "1234,50"
    whole, amount = find_key(("context", "soft_limit")), find_key(("costs", "day_cap_usd"))
    assert whole is not None
    assert amount is not None
    assert (written(150_000), read_entry(whole.rule, written(150_000)).value) == ("150.000", 150_000)
    for value in (0.25, 1000.0, 1234.5):
        assert read_entry(amount.rule, written(value)).value == value


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("It failed. Try again.", ("It failed", "Try again.")),
        ("It failed.", ("It failed", "")),
        ("失败了。请重试。", ("失败了", "请重试。")),
        ("claude 2.1.3 is too old", ("claude 2.1.3 is too old", "")),
        (phrase("{path} is damaged. Restore it.", path="/a. b/h.db"), ("/a. b/h.db is damaged", "Restore it.")),
        (phrase("{path} is damaged.", path="/a. b/h.db"), ("/a. b/h.db is damaged", "")),
        (joined((phrase("{name} is too big.", name="a. b"), phrase("Cut it."))), ("a. b is too big", "Cut it.")),
    ],
)
def test_the_first_sentence_is_the_heading(text: str, parts: tuple[str, str]) -> None:
    assert parted(text) == parts


@pytest.mark.usefixtures("german")
def test_dates_are_of_the_language() -> None:
    assert QLocale().standaloneDayName(1) == "Montag"


DATED = """
import sys
from PySide6.QtCore import QCoreApplication
app = QCoreApplication([])
from desktop_app.ui.i18n import language
from desktop_app.ui.i18n.language import day
language.speak(sys.argv[1])
print(day("2026-10-02T12:00:00Z"))
"""


@pytest.mark.parametrize(
    ("places", "language", "date"),
    [
        ({"LC_ALL": "C.UTF-8"}, "system", "Oct 2"),
        ({"LANG": "C"}, "en", "Oct 2"),
        ({"LANG": "en_US.UTF-8", "LC_TIME": "C"}, "system", "Oct 2"),
        ({"LANG": "C", "LC_TIME": "de_DE.UTF-8"}, "en", "2 Okt."),
        ({"LANG": "de_DE.UTF-8", "LC_TIME": "C"}, "system", "2. Okt."),
        ({"LANG": "en_GB.UTF-8"}, "system", "2 Oct"),
    ],
)
def test_a_system_that_writes_no_dates_leaves_them_to_the_language(
    places: dict[str, str], language: str, date: str
) -> None:
    environ = {name: value for name, value in os.environ.items() if name not in ("LANG", "LANGUAGE")}
    environ = {name: value for name, value in environ.items() if not name.startswith("LC_")} | places
    run = subprocess.run(
        [sys.executable, "-c", DATED, language],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
        env=environ,
    )
    assert run.stdout.strip() == date


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"mapping": 3}]', "Gespräch 1: ein Objekt mit einer „mapping“ von Knoten wird erwartet (Zeile 1, Byte 2)"),
        ('[{"mapping": {}} 3]', "kein JSON: ein Komma oder das Ende der Liste wird erwartet (Zeile 1, Byte 18)"),
    ],
)
def test_what_is_wrong_with_an_export_is_said_in_the_language(
    text: str, said: str, german: None, tmp_path: Path
) -> None:
    export = tmp_path / "conversations.json"
    export.write_text(text)
    with pytest.raises(UserError) as caught, open_source(export) as source:
        list(chatgpt_export.IMPORTER.read(source))
    words = "conversations.json lässt sich nicht importieren: {said}. Nichts wurde importiert."
    assert translated(caught.value.failure.message) == words.format(said=said)
