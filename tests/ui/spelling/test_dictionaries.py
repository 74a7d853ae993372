"""Where dictionaries are found, and which are taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_app.ui.spelling.spelling_worker import FoundDictionary, chosen, folders, look_in


def put(folder: Path, *codes: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for code in codes:
        (folder / f"{code}.aff").write_text("SET UTF-8\n")
        (folder / f"{code}.dic").write_text("1\nword\n")


def test_the_first_place_wins_and_other_files_are_no_dictionaries(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    put(first, "de_DE")
    put(second, "de_DE", "en-GB", "hyph_de_DE")
    (second / "fr_FR.dic").write_text("1\nmot\n")  # without its rules
    found = look_in([tmp_path / "missing", first, second])
    assert [(each.code, Path(each.stem).parent.name) for each in found] == [("de_DE", "first"), ("en_GB", "second")]


def test_what_several_names_share_stands_once(tmp_path: Path) -> None:
    put(tmp_path, "ar", "de_DE")
    for code, target in (("ar_AE", "ar"), ("ar_YE", "ar"), ("de_BE", "de_DE")):
        for ending in ("aff", "dic"):
            (tmp_path / f"{code}.{ending}").symlink_to(f"{target}.{ending}")
    assert [each.code for each in look_in([tmp_path])] == ["ar", "de_DE"]


def test_the_users_own_come_first_then_what_hunspell_is_told(tmp_path: Path) -> None:
    own, named = tmp_path / "own", tmp_path / "named"
    places = folders({"DICPATH": str(named), "XDG_DATA_HOME": str(tmp_path / "share")}, tmp_path, own)
    assert places[:2] == (own, named)
    assert tmp_path / "share" / "hunspell" in places
    assert Path("/usr/share/hunspell") in places


@pytest.mark.parametrize(
    ("wanted", "system", "codes"),
    [
        ([], ["de_AT", "de"], ["de_AT", "en_US"]),
        ([], ["de_CH", "de"], ["de_DE", "en_US"]),
        ([], ["en_GB", "en"], ["en_GB"]),
        ([], ["ja_JP"], ["en_US"]),
        (["de-DE"], ["fr_FR"], ["de_DE"]),
        (["de_DE", "de_AT", "en_GB"], [], ["de_DE", "de_AT", "en_GB"]),
        (["pl_PL"], ["de_DE"], []),
        (["EN_us"], [], ["en_US"]),
    ],
)
def test_the_systems_language_and_english_unless_others_are_wanted(
    wanted: list[str], system: list[str], codes: list[str]
) -> None:
    found = [FoundDictionary(code, f"/d/{code}") for code in ("de_AT", "de_DE", "en_GB", "en_US", "fr_FR")]
    assert [each.code for each in chosen(found, wanted, system)] == codes
