"""The worker process that looks words up in this computer's dictionaries. Uses no window, never imports Qt."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import os
import re
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from desktop_app.system.own_processes import CHECK_SPELLING, own_command
from desktop_app.system.private_files import write_atomically
from desktop_app.system.worker_loop import serve

_CODE: Final = re.compile(r"[a-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}")


@dataclass(frozen=True, slots=True)
class FoundDictionary:
    """A dictionary: its code (`de_DE`) and its files without their endings."""

    code: str
    stem: str


def folders(environ: Mapping[str, str], home: Path, own: Path) -> tuple[Path, ...]:
    """The folders to look in, in order: `own` in the data folder, DICPATH's, the system's and the office's."""
    named = [Path(part) for part in environ.get("DICPATH", "").split(os.pathsep) if part]
    data_homes = environ.get("XDG_DATA_HOME") or str(home / ".local" / "share")
    data_dirs = environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    found = [own, *named]
    if sys.platform == "win32":
        for variable in ("APPDATA", "LOCALAPPDATA", "PROGRAMFILES", "PROGRAMFILES(X86)"):
            if environ.get(variable):
                base = Path(environ[variable])
                found += [base / "hunspell", *base.glob("LibreOffice*/share/extensions/dict-*")]
    elif sys.platform == "darwin":
        found += [home / "Library" / "Spelling", Path("/Library/Spelling")]
        found += Path("/Applications").glob("LibreOffice*.app/Contents/Resources/extensions/dict-*")
    for base in (Path(part) for part in (data_homes + os.pathsep + data_dirs).split(os.pathsep) if part):
        found += [base / "hunspell", base / "myspell" / "dicts", base / "myspell"]
    found += [Path("/app/share/hunspell"), Path("/run/host/usr/share/hunspell")]
    for office in ("/usr/lib/libreoffice", "/usr/lib64/libreoffice"):
        found += Path(office).glob("share/extensions/dict-*")
    found += Path("/opt").glob("libreoffice*/share/extensions/dict-*")
    found += home.glob(".config/libreoffice/*/user/uno_packages/cache/uno_packages/*/*/")
    found += home.glob(".config/libreoffice/*/user/uno_packages/cache/uno_packages/*/*/dictionaries")
    shipped = shipped_folder()
    return tuple(dict.fromkeys([*found, *([shipped] if shipped else [])]))


def shipped_folder() -> Path | None:
    """The folder of the English dictionary that comes with the checker; None where the checker is not installed."""
    if (spec := importlib.util.find_spec("hunspell")) is None or spec.origin is None:
        return None
    return Path(spec.origin).parent / "dictionaries"


def look_in(places: Iterable[Path]) -> tuple[FoundDictionary, ...]:
    """Every dictionary once, sorted by code. What several codes share (`de_LU` leads to `de_DE`) stands once."""
    by_code: dict[str, FoundDictionary] = {}
    files: set[str] = set()
    for place in places:
        for dic in sorted(_in_folder(place), key=lambda path: (path.is_symlink(), path.name)):
            code = dic.stem.replace("-", "_")
            real = os.path.realpath(dic)
            if code not in by_code and real not in files and dic.with_suffix(".aff").is_file():
                files.add(real)
                by_code[code] = FoundDictionary(code, str(dic.with_suffix("")))
    return tuple(sorted(by_code.values(), key=lambda found: found.code))


def chosen(
    found: Sequence[FoundDictionary], wanted: Sequence[str], system: Sequence[str]
) -> tuple[FoundDictionary, ...]:
    """The dictionaries of the wanted codes; where none is wanted those of the system's languages and English.

    `en` takes any English, the system's own where there are several; each language once unless it is asked for by its
    full code.
    """
    codes = [code.replace("-", "_") for code in wanted] or [*(code.replace("-", "_") for code in system), "en"]
    taken: dict[str, FoundDictionary] = {}
    for code in codes:
        exact = next((each for each in found if each.code.lower() == code.lower()), None)
        language = code.partition("_")[0]
        if exact is None and not wanted and any(_language(each) == language for each in taken.values()):
            continue
        alike = [each for each in found if _language(each) == language]
        best = exact or next((each for each in alike if each.code in _USUAL), alike[0] if alike else None)
        if best is not None:
            taken[best.code] = best
    return tuple(taken.values())


_USUAL: Final = frozenset({"en_US", "de_DE", "fr_FR", "es_ES", "pt_PT", "it_IT", "nl_NL"})
"""The meaning of a language without a country where there are several."""


def _language(found: FoundDictionary) -> str:
    return found.code.partition("_")[0]


def _in_folder(place: Path) -> list[Path]:
    try:
        names = [path for path in place.iterdir() if path.suffix == ".dic"]
    except OSError:
        return []
    # hyphenation patterns lie beside them
    return [path for path in names if _CODE.fullmatch(path.stem)]


MOST_SUGGESTIONS: Final = 6
SAMPLES: Final = 400
"""Words of a dictionary that are looked at to learn in which scripts it is written."""


def worker_command() -> list[str]:
    """The command that runs `main`."""
    return own_command(CHECK_SPELLING, __name__)


class Dictionary:
    """One opened dictionary."""

    def __init__(self, found: FoundDictionary) -> None:
        """Raises ImportError where the checker is not installed, OSError where the files can't be read."""
        library = importlib.import_module("hunspell")
        path = Path(found.stem)
        self.code = found.code
        # on Windows the path's encoding has to be said; elsewhere it is the system's
        encoding = "UTF-8" if sys.platform == "win32" else None
        self._checker: Any = library.Hunspell(path.name, hunspell_data_dir=str(path.parent), system_encoding=encoding)
        self.scripts = _scripts_in(path.with_suffix(".dic"), self._checker._dic_encoding)

    def has(self, word: str) -> bool:
        """Return True if the word is right; False, too, where it can't be written in the dictionary's own encoding."""
        try:
            return bool(self._checker.spell(word)) or ("’" in word and bool(self._checker.spell(_straight(word))))
        except UnicodeEncodeError:
            return "’" in word and _straight(word) != word and self.has(_straight(word))

    def suggestions(self, word: str) -> tuple[str, ...]:
        """Return the words that may have been meant, the likeliest first."""
        try:
            found: tuple[str, ...] = self._checker.suggest(_straight(word))
        except UnicodeEncodeError:
            return ()
        whole = (each for each in found if each and not each.endswith("-"))  # the first half of a compound is no word
        return tuple(each.replace("'", "’") if "’" in word else each for each in whole)


class SpellingWorker:
    """The state that the process keeps between orders: opened dictionaries and the user's own words."""

    def __init__(self) -> None:
        self._open: dict[str, Dictionary] = {}  # by the stem of its files, in the order of choice
        self._own: dict[str, None] = {}
        self._own_file: Path | None = None

    def answer(self, order: dict[str, Any]) -> dict[str, Any]:
        """The answer to one order, which names in `do` what is to be done."""
        match order["do"]:
            case "open":
                return self._choose(order)
            case "check":
                return {"wrong": [word for word in order["words"] if not self._is_right(word)]}
            case "suggest":
                return {"suggestions": self._suggest(order["word"])}
            case _:
                return {"learned": self._learn(order["word"])}

    def _choose(self, order: dict[str, Any]) -> dict[str, Any]:
        found = look_in(folders(os.environ, Path.home(), Path(order["own"])))
        wanted = chosen(found, order["languages"], order["system"])
        problem = "" if importlib.util.find_spec("hunspell") is not None else "not_installed"
        opened: dict[str, Dictionary] = {}
        for each in wanted if order["open"] and not problem else ():
            try:
                opened[each.stem] = self._open.get(each.stem) or Dictionary(each)
            except (ImportError, OSError, ValueError, LookupError) as error:
                problem = f"{each.code}: {error}"
        self._open = opened
        self._own_file = Path(order["words"])
        self._own = dict.fromkeys(_read_words(self._own_file))
        return {
            "found": [[each.code, str(Path(each.stem).parent)] for each in found],
            "used": [each.code for each in wanted],
            "problem": problem,
        }

    def _is_right(self, word: str) -> bool:
        if _straight(word) in self._own or _straight(word).lower() in self._own:
            return True
        speaks = self._speaking(word)
        # a word in a script that no chosen dictionary knows is not wrong, it is another language
        return not speaks or any(each.has(word) for each in speaks)

    def _suggest(self, word: str) -> list[str]:
        lists = [each.suggestions(word) for each in self._speaking(word)]
        in_turn = list(dict.fromkeys(each for row in zip_longest(*lists) for each in row if each is not None))
        if len(lists) > 1:
            # each language has its own order; between them the likest comes first
            in_turn.sort(key=lambda each: -difflib.SequenceMatcher(None, word, each).ratio())
        return in_turn[:MOST_SUGGESTIONS]

    def _speaking(self, word: str) -> tuple[Dictionary, ...]:
        scripts = {_script(letter) for letter in word if letter.isalpha()}
        return tuple(each for each in self._open.values() if scripts <= each.scripts)

    def _learn(self, word: str) -> bool:
        """Adds a word to the user's own, which the file has as well; False where it could not be written."""
        self._own[_straight(word)] = None
        if self._own_file is None:
            return False
        # somebody may have edited the file meanwhile
        words = dict.fromkeys([*_read_words(self._own_file), _straight(word)])
        with suppress(OSError):
            _write_words(self._own_file, words)
            return True
        return False


def main(argv: Sequence[str] = ()) -> int:
    """Answers orders until standard input ends. `argv` is not used."""
    del argv
    return serve(SpellingWorker().answer, nice=5)  # typing comes first; it writes the user's own words


def _straight(word: str) -> str:
    return word.replace("’", "'").replace("\u00ad", "")


def _script(letter: str) -> str:
    """The first word of a character's name, which is its script: LATIN, CYRILLIC, ARABIC."""
    return unicodedata.name(letter, "UNKNOWN").partition(" ")[0]


def _scripts_in(dic: Path, encoding: str) -> frozenset[str]:
    """In which scripts a dictionary's words are written, by a sample of its lines that is spread over all of it."""
    lines = dic.read_bytes().decode(encoding, "replace").splitlines()[1:]
    step = max(1, len(lines) // SAMPLES)
    found: dict[str, int] = {}
    for line in lines[::step]:
        for letter in filter(str.isalpha, line.partition("/")[0].partition("\t")[0]):
            script = _script(letter)
            found[script] = found.get(script, 0) + 1
    # a sign or two of another script (µ, α) are no language
    return frozenset(script for script, times in found.items() if times * 50 >= sum(found.values()))


def _read_words(path: Path) -> Iterable[str]:
    """One word a line; lines that begin with # are notes."""
    try:
        lines = path.read_text("utf-8", "replace").splitlines()
    except OSError:
        return ()
    return tuple(word for line in lines if (word := line.strip()) and not word.startswith("#"))


def _write_words(path: Path, words: Iterable[str]) -> None:
    """Replaces the file, or leaves it as it was; only this user may read it."""
    notes = [line for line in _lines_of(path) if line.startswith("#")]
    write_atomically(path, "\n".join([*notes, *words, ""]).encode())


def _lines_of(path: Path) -> list[str]:
    try:
        return path.read_text("utf-8", "replace").splitlines()
    except OSError:
        return []
