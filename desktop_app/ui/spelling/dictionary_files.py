"""The places of dictionaries on this computer, and their names. Opens none, never imports Qt.

A dictionary is a pair of files NAME.aff and NAME.dic, as Hunspell, LibreOffice and Firefox use them; NAME is a code
such as `de_DE`.
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_CODE: Final = re.compile(r"[a-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}")


@dataclass(frozen=True, slots=True)
class FoundDictionary:
    """A dictionary: its code (`de_DE`) and its files without their endings."""

    code: str
    stem: str


def folders(environ: Mapping[str, str], home: Path, own: Path) -> tuple[Path, ...]:
    """Return the folders to look in, the first first: `own` in the data folder, DICPATH's, the system's and the
    office's.
    """
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
    spec = importlib.util.find_spec("hunspell")
    if spec is None or spec.origin is None:
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
