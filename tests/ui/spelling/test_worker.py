"""What the process that looks words up answers, with dictionaries of a few words."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest

from desktop_app.system.worker_process import WorkerChild
from desktop_app.ui.spelling.spelling_worker import SpellingWorker, worker_command
from tests.patience import PATIENCE_S

pytest.importorskip("hunspell")


def put(folder: Path, code: str, *words: str, encoding: str = "UTF-8", letters: str = "esianrtolcdu") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{code}.aff").write_bytes(f"SET {encoding}\nTRY {letters}\n".encode(encoding))
    lines = [str(len(words)), *words, ""]
    (folder / f"{code}.dic").write_bytes("\n".join(lines).encode(encoding))


def order(folder: Path, *languages: str, on: bool = True) -> dict[str, Any]:
    return {
        "do": "open",
        "languages": list(languages),
        "system": ["xx_XX"],
        "own": str(folder),
        "words": str(folder / "words.txt"),
        "open": on,
    }


def wrong(worker: SpellingWorker, *words: str) -> list[str]:
    answer = worker.answer({"do": "check", "words": list(words)})
    found: list[str] = answer["wrong"]
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    put(tmp_path, "xx_XX", "mail", "receive", "don't", "house")
    put(tmp_path, "yy_YY", "Straße", "größer", "Haus", encoding="ISO8859-1")
    put(tmp_path, "zz_ZZ", "слово", "проверка", letters="оеаинтсрвлкм")
    return tmp_path


def test_a_word_is_right_in_any_of_the_languages(folder: Path) -> None:
    worker = SpellingWorker()
    answer = worker.answer(order(folder, "xx_XX", "yy_YY"))
    assert answer["used"] == ["xx_XX", "yy_YY"]
    assert answer["problem"] == ""
    assert {"xx_XX", "yy_YY", "zz_ZZ"} <= {code for code, _ in answer["found"]}
    assert wrong(worker, "mail", "Straße", "Mail", "don’t", "recieve", "Strase") == ["recieve", "Strase"]


def test_a_word_in_a_script_of_no_chosen_language_is_not_wrong(folder: Path) -> None:
    worker = SpellingWorker()
    worker.answer(order(folder, "xx_XX", "yy_YY"))
    assert wrong(worker, "слвоо", "λόγος") == []
    worker.answer(order(folder, "zz_ZZ"))
    assert wrong(worker, "слово", "слвоо", "wrogn") == ["слвоо"]


def test_suggestions_come_from_the_languages_of_the_words_script(folder: Path) -> None:
    worker = SpellingWorker()
    worker.answer(order(folder, "xx_XX", "yy_YY", "zz_ZZ"))
    assert "receive" in worker.answer({"do": "suggest", "word": "recieve"})["suggestions"]
    assert "don’t" in worker.answer({"do": "suggest", "word": "dont’"})["suggestions"]
    assert all(word.isalpha() for word in worker.answer({"do": "suggest", "word": "прооверка"})["suggestions"])


def test_between_languages_the_likest_suggestion_comes_first(folder: Path) -> None:
    put(folder, "ww_WW", "rezeive", "reception", "revive", "Fehl", "Fehler")
    worker = SpellingWorker()
    worker.answer(order(folder, "ww_WW", "xx_XX"))
    assert worker.answer({"do": "suggest", "word": "receivve"})["suggestions"][0] == "receive"
    assert worker.answer({"do": "suggest", "word": "Fehlr"})["suggestions"][0] == "Fehler"


def test_learned_words_are_in_a_file_that_keeps_what_its_user_wrote(folder: Path) -> None:
    words = folder / "words.txt"
    words.write_text("# mine\nPlimsoll\n", encoding="utf-8")
    worker = SpellingWorker()
    worker.answer(order(folder, "xx_XX"))
    assert wrong(worker, "Plimsoll", "grommet", "Grommet") == ["grommet", "Grommet"]
    assert worker.answer({"do": "learn", "word": "grommet"})["learned"]
    assert wrong(worker, "grommet", "Grommet") == []
    assert words.read_text("utf-8") == "# mine\nPlimsoll\ngrommet\n"
    assert stat.S_IMODE(words.stat().st_mode) == 0o600
    again = SpellingWorker()
    again.answer(order(folder, "xx_XX"))
    assert wrong(again, "grommet") == []


def test_what_can_not_be_written_is_said_and_counts_all_the_same(folder: Path) -> None:
    worker = SpellingWorker()
    worker.answer({**order(folder, "xx_XX"), "words": str(folder / "missing" / "words.txt")})
    assert not worker.answer({"do": "learn", "word": "grommet"})["learned"]
    assert wrong(worker, "grommet") == []


def test_while_it_is_off_nothing_is_opened(folder: Path) -> None:
    worker = SpellingWorker()
    answer = worker.answer(order(folder, "xx_XX", on=False))
    assert answer["found"]
    assert wrong(worker, "recieve") == []


def test_a_damaged_dictionary_is_told_and_the_others_are_used(folder: Path) -> None:
    (folder / "qq_QQ.aff").write_bytes(b"SET NOT-AN-ENCODING\n")
    (folder / "qq_QQ.dic").mkdir()
    worker = SpellingWorker()
    worker.answer(order(folder, "qq_QQ", "xx_XX"))
    assert wrong(worker, "mail", "recieve") == ["recieve"]


def test_the_process_answers_a_line_with_a_line_and_ends_with_its_input(folder: Path) -> None:
    child = WorkerChild(worker_command())
    try:
        assert child.ask(order(folder, "xx_XX")) is not None
        assert child.ask({"do": "check", "words": ["mail", "recieve"]}) == {"wrong": ["recieve"]}
        assert child.popen.stdin is not None
        child.popen.stdin.close()
        assert child.popen.wait(PATIENCE_S) == 0
    finally:
        child.end()


def test_without_the_library_it_is_said_and_nothing_is_wrong(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    worker = SpellingWorker()
    answer = worker.answer(order(folder, "xx_XX"))
    assert answer["problem"] == "not_installed"
    assert "xx_XX" in [code for code, _ in answer["found"]]
    assert wrong(worker, "recieve") == []
