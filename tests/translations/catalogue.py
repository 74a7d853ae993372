"""Keeps a language's file of translations (`.ts`): Qt's `lupdate` reads the shown texts, `lrelease` compiles.

`lupdate` reads `self.tr("...")` under the name of the class, and `tr`, `phrase` and `template` under no context.
A text is said in one way wherever it stands, so one that moved to another class keeps its translation.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import PySide6

from tests.patience import PATIENCE_S

ROOT: Final = Path(__file__).resolve().parent.parent.parent
PACKAGE: Final = ROOT / "desktop_app"
FOLDER: Final = ROOT / "resources" / "translations"
PHRASE_LIST: Final = FOLDER / "phrases.json"
"""By these templates the window knows a text again that an older version kept as plain English."""
EVERY: Final = "tr+=phrase,tr+=template"
"""The functions beside `self.tr` and `tr` whose texts `lupdate` reads."""
FORMS: Final = {"de": 2, "zh_CN": 1}
"""The languages, and how many forms a counted text has: German one for 1 and one for the rest, Chinese one for all."""
_QT: Final = Path(PySide6.__file__).parent
_HEAD: Final = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n'


@dataclass(frozen=True, slots=True)
class Text:
    """One shown text. `one`: its form for a count of 1, where it is counted; `said`: its forms in the language."""

    context: str
    source: str
    one: str = ""
    said: tuple[str, ...] = ()
    proposed: tuple[str, ...] = ()
    """What was said of a similar text, where this one is not translated yet."""


def ts_file(language: str) -> Path:
    return FOLDER / f"plimsoll_{language}.ts"


def read_texts(path: Path) -> tuple[Text, ...]:
    """The texts of a `.ts` file."""
    return tuple(text for text, _ in _messages(ElementTree.parse(path).getroot()))


def table() -> tuple[tuple[str, ...], ...]:
    """Every text of the window once, by the alphabet: English, then each of `FORMS`; the forms of a counted one stand
    beside each other, line breaks as `\\n`."""
    rows: dict[str, list[str]] = {}
    for language in FORMS:
        known = {text.source: text for text in read_texts(ts_file(language))}
        for text in known.values():
            english = (text.one, text.source) if text.one else (text.source,)
            rows.setdefault(text.source, [_cell(english)]).append(_cell(text.said))
    return tuple(tuple(rows[source]) for source in sorted(rows, key=str.casefold))


def _cell(forms: Sequence[str]) -> str:
    return " | ".join(forms).replace("\n", "\\n").replace("\t", "\\t")


def phrases() -> dict[str, str]:
    """The templates of what is made outside of widgets, each with its form for 1."""
    return {text.source: text.one for text in sorted(shown_texts(functions="tr=phrase,tr+=template"), key=_source)}


def shown_texts(package: Path = PACKAGE, functions: str = EVERY) -> tuple[Text, ...]:
    """The texts that stand in the code, without translations."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "shown_de.ts"
        _lupdate(path, package, functions)
        return read_texts(path)


def update(path: Path, package: Path = PACKAGE) -> None:
    """Takes the texts of the code into a language's file: new ones join unfinished, those that are gone leave."""
    before = {text.source: text.said for text in read_texts(path) if text.said} if path.exists() else {}
    _lupdate(path, package)
    fill(path, before)


def fill(path: Path, told: Mapping[str, str | Sequence[str]]) -> None:
    """Takes translations by text, for every place that lacks them; `ValueError` for a wrong number of forms."""
    root, wrong = ElementTree.parse(path).getroot(), []
    for text, message in _messages(root):
        said = told.get(text.source, "")
        forms = (said,) if isinstance(said, str) else tuple(said)
        if text.said or not all(forms):
            continue
        translation = message.find("translation")
        assert translation is not None
        slots = [*translation.iter("numerusform")] or [translation]
        if len(slots) != len(forms):
            wrong.append(f"{text.source!r} needs {len(slots)} forms")
            continue
        for slot, form in zip(slots, forms, strict=True):
            slot.text = form
        translation.attrib.pop("type", None)
    if wrong:
        raise ValueError("\n".join(wrong))
    path.write_text(_HEAD + ElementTree.tostring(root, "unicode", short_empty_elements=False) + "\n", "utf-8")


def compile_catalogue(path: Path) -> None:
    """Makes the file that the window reads."""
    subprocess.run([_QT / "lrelease", "-silent", path, "-qm", path.with_suffix(".qm")], check=True, timeout=PATIENCE_S)


def _source(text: Text) -> str:
    return text.source


def _lupdate(path: Path, package: Path, functions: str = EVERY) -> None:
    with tempfile.TemporaryDirectory() as folder:
        sources = Path(folder) / "sources.lst"
        sources.write_text("\n".join(map(str, sorted(package.rglob("*.py")))), "utf-8")
        options = ["-silent", "-no-obsolete", "-sort-messages", "-locations", "none", "-warnings-are-errors"]
        options += ["-tr-function-alias", functions, "-source-language", "en_US"]
        run = [str(_QT / "lupdate"), f"@{sources}", *options, "-ts", str(path)]
        # its exit status is 0 even where it writes nothing
        if told := subprocess.run(run, check=True, timeout=PATIENCE_S, stderr=subprocess.PIPE, text=True).stderr:
            raise RuntimeError(told)


def _messages(root: ElementTree.Element) -> Iterator[tuple[Text, ElementTree.Element]]:
    for context in root.iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            assert translation is not None
            forms = tuple(slot.text or "" for slot in translation.iter("numerusform")) or (translation.text or "",)
            one = message.findtext("comment", "") if message.get("numerus") else ""
            name, source = context.findtext("name", ""), message.findtext("source", "")
            finished = translation.get("type") is None and all(forms)
            yield Text(name, source, one, *((forms, ()) if finished else ((), forms))), message
