"""The words of a text that are checked, and those that are none of a dictionary's business. Never imports Qt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

LONGEST_WORD: Final = 60
"""Characters; what is longer is no word that somebody wrote. Hunspell itself gives up at 100 bytes."""
KEPT_CHUNKS: Final = 4_096
"""Pieces between spaces whose words are remembered."""
LONGEST_LINE: Final = 20_000
"""Characters of a line (a paragraph) from which on it is left alone: it is data, not writing."""

# Python's \w knows no combining marks, which stand inside of words in many scripts; ZWNJ and ZWJ do, too
_MARKS: Final = "\u00ad\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0df4\u200c\u200d"
_LETTERS: Final = rf"[^\W\d_](?:[^\W\d_]|[{_MARKS}])*"
_WORD: Final = re.compile(rf"{_LETTERS}(?:['’]{_LETTERS})*")
_CHUNK: Final = re.compile(r"\S+")
_SPAN: Final = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_DOLLARS: Final = re.compile(r"(?<![\w$\\])\$[^\s$](?:[^$]*[^\s$])?\$(?![\w$])")
# With what closes each: behind the last of these none is looked for, so that each character is looked at once.
_MATHS: Final = (
    (re.compile(r"\$\$.+?\$\$"), "$$"),
    (re.compile(r"\\\(.+?\\\)"), "\\)"),
    (re.compile(r"\\\[.+?\\\]"), "\\]"),
)
_FENCE: Final = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_LIST_ITEM: Final = re.compile(r"[-*+•]\s|\d+[.)]\s")
# scripts written without spaces between words, and those of the Chinese family
_NO_SPACES: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
    "\uff66-\uffdc\U00020000-\U0003ffff]"
)
# addresses, e-mail, names of people and topics, options, paths, file names and what has an underscore
_CODE_LIKE: Final = re.compile(
    r"://|^www\.|^mailto:|@|^[#/~]|^\.{1,2}/|\\|[^\W_]_+[^\W_]|__|^[(\[\"'“‘«]*--?[^\W\d_]|/.*/|\w=|=\w|::|->"
    r"|[^\W\d_]\.[^\W\d_]|\w\(\w|\w\(\)|[<>{}|]"
)


@dataclass(frozen=True, slots=True)
class CheckedWord:
    """A word in a line: where it begins and how many characters it has, counted as Python does, and its letters."""

    start: int
    length: int
    text: str


def words_of(line: str) -> tuple[CheckedWord, ...]:
    """The words of a line that a dictionary may be asked about.

    Not: code spans, formulas, addresses, paths, names with signs or digits in them, mixed case (`iPhone`), all
    capitals, single letters, and scripts that put no space between words.
    """
    if len(line) > LONGEST_LINE or not line:
        return ()
    plain = _blanked(line) if "`" in line or "$" in line or "\\" in line else line
    return tuple(
        CheckedWord(chunk.start() + word.start, word.length, word.text)
        for chunk in _CHUNK.finditer(plain)
        for word in _in_chunk(chunk[0])
    )


def code_lines(lines: Sequence[str]) -> frozenset[int]:
    """The numbers of the lines that are code: fenced with ``` or ~~~ (the fences, too), or indented after an empty one.

    An unclosed fence reaches to the end, as it does in what the answer's reader sees.
    """
    found: set[int] = set()
    fence = ""
    indented = after_empty = True
    for number, line in enumerate(lines):
        sign = _FENCE.match(line)
        if fence:
            found.add(number)
            closes = sign is not None and sign[1].startswith(fence) and not line[sign.end() :].strip(" \t`~")
            fence = "" if closes else fence
            indented, after_empty = False, True
            continue
        if sign is not None:
            found.add(number)
            fence = sign[1]
            continue
        stripped = line.lstrip()
        deep = line.startswith(("    ", "\t")) and bool(stripped) and not _LIST_ITEM.match(stripped)
        indented = deep and (after_empty or indented)
        if indented:
            found.add(number)
        after_empty = not stripped
    return frozenset(found)


# A key changes one word of a line, and the whole line is read anew: this is most of what the key would cost.
@lru_cache(KEPT_CHUNKS)
def _in_chunk(chunk: str) -> tuple[CheckedWord, ...]:
    return () if _CODE_LIKE.search(chunk) else tuple(_checked_words(chunk))


def _checked_words(chunk: str) -> Iterator[CheckedWord]:
    for found in _WORD.finditer(chunk):
        text = found[0]
        before, after = chunk[: found.start()][-1:], chunk[found.end() :][:1]
        if before.isdigit() or after.isdigit() or not _is_checked(text):
            continue
        yield CheckedWord(found.start(), len(text), text)


def _is_checked(text: str) -> bool:
    if not 1 < len(text) <= LONGEST_WORD or _NO_SPACES.search(text):
        return False
    # capitals inside make a name or an abbreviation; what follows an apostrophe begins anew, as in O'Neill
    return all(part[1:] == part[1:].lower() for part in re.split("['’]", text))


def _blanked(line: str) -> str:
    """The line with spaces in the place of code spans and formulas; every character keeps its place."""
    line = _SPAN.sub(lambda span: " " * len(span[0]), line)
    for maths, closer in _MATHS:
        end = line.rfind(closer) + len(closer) if closer in line else 0
        line = maths.sub(lambda span: " " * len(span[0]), line[:end]) + line[end:]
    return _DOLLARS.sub(lambda span: " " * len(span[0]), line)
