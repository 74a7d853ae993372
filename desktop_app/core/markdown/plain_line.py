"""A text of Markdown on one line, without its marks: for titles and lists, which show a few words."""

from __future__ import annotations

import re
from typing import Final

_FENCE: Final = re.compile(r"\s{0,3}(?:`{3,}[^`]*|~{3,}.*)")
_RULE: Final = re.compile(r"\s*(?:([-*_])(?:\s*\1){2,}|=+|(?=.*\|)[\s|:-]+)\s*")
"""A line between parts, beneath a heading, or beneath a table's head."""
_LINE_MARK: Final = re.compile(r"\s*(?:#{1,6}(?=\s)|>|[-*+](?=\s)(?:\s+\[[ xX]\](?=\s))?)\s*")
_HEADING_END: Final = re.compile(r"\s#+\s*$")
_CELL_END: Final = re.compile(r"\s*\|\s*")
_CODE: Final = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_LINK: Final = re.compile(
    r"(?<![0-9A-Za-z)\]])!?\[([^\[\]]*)\](?:\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+\"[^\"]*\")?\)|\[[^\[\]]*\])"
)
_ADDRESS: Final = re.compile(r"<((?:https?|mailto):[^<>\s]+)>")
# Where letters or digits touch a mark on its outer side it is a sum, a name or a pattern: 2*3*4, snake_case, __init__.
_EMPHASIS: Final = tuple(
    re.compile(source)
    for source in (
        r"(?<![0-9A-Za-z*\\])\*{3}(?=[^\s*])(.+?)(?<=[^\s*])\*{3}(?![0-9A-Za-z*])",
        r"(?<![0-9A-Za-z*\\])\*{2}(?=[^\s*])(.+?)(?<=[^\s*])\*{2}(?![0-9A-Za-z*])",
        r"(?<![0-9A-Za-z*\\])\*(?=[^\s*])([^*]+?)(?<=[^\s*])\*(?![0-9A-Za-z*])",
        r"(?<![\w\\])__(?!\w+__)(?=[^\s_])(.+?)(?<=[^\s_])__(?!\w)",
        r"(?<![\w\\])_(?=[^\s_])([^_]+?)(?<=[^\s_])_(?!\w)",
        r"(?<![~\\])~~(?=[^\s~])(.+?)(?<=[^\s~])~~(?!~)",
    )
)
_ESCAPED: Final = re.compile(r"\\([*_`~#])")
_HELD: Final = "\0"
"""Stands where code is, whose signs are its own."""


def plain_line(text: str) -> str:
    """The text on one line, as it would read where Markdown is shown."""
    code: list[str] = []

    def hold(found: re.Match[str]) -> str:
        code.append(found.group(2))
        return _HELD

    lines = [
        line for line in text.replace(_HELD, "").splitlines() if not (_RULE.fullmatch(line) or _FENCE.fullmatch(line))
    ]
    words = _CODE.sub(hold, " ".join(" ".join(map(_without_line_marks, lines)).split()))
    words = _ADDRESS.sub(r"\1", _LINK.sub(r"\1", words))
    for mark in (*_EMPHASIS, *_EMPHASIS):  # one may stand within another
        words = mark.sub(r"\1", words)
    words = _ESCAPED.sub(r"\1", words)
    pieces = zip(words.split(_HELD), [*code, ""], strict=False)
    return " ".join("".join(piece + inner for piece, inner in pieces).split())


def _without_line_marks(line: str) -> str:
    """Without what makes a line a heading, a quote, an item of a list or a row of a table."""
    while found := _LINE_MARK.match(line):
        line = line[found.end() :]
        if "#" in found.group():
            return _HEADING_END.sub("", line)
    bare = line.strip()
    return _CELL_END.sub(" ", bare) if bare.startswith("|") and bare.endswith("|") else line
