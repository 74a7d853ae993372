"""Owns a language's file of translations (`.ts`): reads, merges, writes, compiles it. Knows no code that is shown."""

from __future__ import annotations

import json
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, TypeAlias
from xml.etree import ElementTree
from xml.sax.saxutils import escape

import PySide6

from tests.translations.extraction import PHRASES, ROOT, Text

FOLDER: Final = ROOT / "resources" / "translations"
PHRASE_LIST: Final = FOLDER / "phrases.json"
NAMES: Final = {"de": "de_DE", "zh_CN": "zh_CN"}
"""The languages there are, and what Qt calls them."""
FORMS: Final = {"de": 2, "zh_CN": 1}
"""How many forms a counted text has: German one for 1 and one for the rest, Chinese one for all."""

Key: TypeAlias = tuple[str, str]
Said: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A text with its translation; `said` has one form, or the language's forms of a counted text. Empty: none yet."""

    text: Text
    said: Said = ()


@dataclass(frozen=True, slots=True)
class Catalogue:
    """One language."""

    language: str
    entries: Mapping[Key, Entry] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        return FOLDER / f"plimsoll_{self.language}.ts"

    @property
    def compiled(self) -> Path:
        return self.path.with_suffix(".qm")

    @property
    def unfinished(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.entries.values() if not entry.said)

    def merged(self, texts: Iterable[Text]) -> Catalogue:
        """What is shown now with what is translated already: also elsewhere, where a text is said but in one way."""
        elsewhere: dict[tuple[str, bool], set[Said]] = defaultdict(set)
        for entry in self.entries.values():
            if entry.said:
                elsewhere[entry.text.source, bool(entry.text.one)].add(entry.said)
        merged: dict[Key, Entry] = {}
        for text in texts:
            known = self.entries.get((text.context, text.source))
            said = known.said if known is not None and bool(known.text.one) == bool(text.one) else ()
            others = elsewhere[text.source, bool(text.one)]
            merged[text.context, text.source] = Entry(text, said or (next(iter(others)) if len(others) == 1 else ()))
        return replace(self, entries=merged)

    def filled(self, told: Mapping[str, Mapping[str, str | Sequence[str]]]) -> Catalogue:
        """With further translations by context and text; texts that are gone are passed over.

        `ValueError` naming what has another number of forms.
        """
        entries, wrong = dict(self.entries), []
        for context, of_context in told.items():
            for source, said in of_context.items():
                known = entries.get((context, source))
                forms = (said,) if isinstance(said, str) else tuple(said)
                if known is None:
                    continue
                if any(forms) and len(forms) != (FORMS[self.language] if known.text.one else 1):
                    wrong.append(f"{context}: {source!r} needs {FORMS[self.language]} forms")
                elif all(forms):
                    entries[context, source] = replace(known, said=forms)
        if wrong:
            raise ValueError("\n".join(wrong))
        return replace(self, entries=entries)

    def save(self) -> None:
        """Writes the file anew, contexts and texts in the order of the alphabet."""
        self.path.write_text("".join(self._lines()), "utf-8")

    def compile(self) -> None:
        """Makes the file that the window reads, with Qt's own program."""
        program = Path(PySide6.__file__).parent / "lrelease"
        command = [str(program), "-silent", str(self.path), "-qm", str(self.compiled)]
        subprocess.run(command, check=True, timeout=60)

    def _lines(self) -> Iterator[str]:
        yield '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n'
        yield f'<TS version="2.1" language="{NAMES[self.language]}" sourcelanguage="en_US">\n'
        context = ""
        for entry in sorted(self.entries.values(), key=lambda entry: (entry.text.context, entry.text.source)):
            text = entry.text
            if text.context != context:
                yield f"{'</context>' + chr(10) if context else ''}<context>\n<name>{escape(text.context)}</name>\n"
                context = text.context
            yield f"<message{' numerus=' + chr(34) + 'yes' + chr(34) if text.one else ''}>\n"
            for place in sorted(text.places):
                yield f'    <location filename="../../desktop_app/{escape(place)}"/>\n'
            yield f"    <source>{escape(text.source)}</source>\n"
            if text.one:
                yield f"    <extracomment>of 1: {escape(text.one)}</extracomment>\n"
            yield f"    {self._translation(entry)}\n</message>\n"
        yield "</context>\n</TS>\n" if context else "</TS>\n"

    def _translation(self, entry: Entry) -> str:
        unfinished = "" if entry.said else ' type="unfinished"'
        said = escape(entry.said[0]) if entry.said else ""
        if entry.text.one:
            forms = entry.said or ("",) * FORMS[self.language]
            said = "".join(f"<numerusform>{escape(form)}</numerusform>" for form in forms)
        return f"<translation{unfinished}>{said}</translation>"


def save_phrases(texts: Iterable[Text]) -> None:
    """The list by which the window knows a phrase again that was kept as plain English: templates, and forms for 1."""
    told = {text.source: text.one for text in texts if text.context == PHRASES}
    PHRASE_LIST.write_text(json.dumps(told, ensure_ascii=False, indent=0) + "\n", "utf-8")


def read_catalogue(language: str) -> Catalogue:
    """The language's file; without entries where there is none yet."""
    empty = Catalogue(language)
    if not empty.path.exists():
        return empty
    return replace(empty, entries={(entry.text.context, entry.text.source): entry for entry in _read(empty.path)})


def _read(path: Path) -> Iterator[Entry]:
    for context in ElementTree.parse(path).getroot().iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            counted = message.get("numerus") == "yes"
            comment = message.findtext("extracomment", "").removeprefix("of 1: ")
            places = (location.get("filename", "") for location in message.iter("location"))
            text = Text(
                context.findtext("name", ""),
                message.findtext("source", ""),
                comment if counted else "",
                frozenset(place.removeprefix("../../desktop_app/") for place in places),
            )
            forms: tuple[str, ...] = ()
            if translation is not None and translation.get("type") is None:
                several = tuple(form.text or "" for form in translation.iter("numerusform"))
                forms = several if counted else (translation.text or "",)
            yield Entry(text, forms if all(forms) else ())
