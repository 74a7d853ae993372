"""Writes a passage of a document as Markdown that shows it as it is, whatever kind of text it comes from."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from desktop_app.core.document_structure import table_rule
from desktop_app.core.projects import DocumentText, Passage

_MARKDOWN: Final = ("text/markdown", "text/html", "application/epub+zip", "message/rfc822")
"""Texts whose paragraphs stand between empty lines."""

_LINES: Final = (
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/vnd.oasis.opendocument.text",
)
"""Texts with headings, lists and tables in Markdown whose paragraphs are lines."""

_PAGES: Final = ("application/pdf", "image/png")
"""Texts whose lines end where the page did, or where a paragraph, a title or an entry of a list ends."""

_AROUND: Final = 3_000
"""Characters before and after a passage whose lines tell how wide its page is: about a page."""

_FULL: Final = 0.8
"""Share of the widest line from which on a line is full: the widths of letters differ, and a page has wide ones."""

_MARKS: Final = re.compile(r"[\\`*_\[\]<>#+\-!|~$&=:^@{}]|(?<=\d)[.)](?=\s)")
_INDENT: Final = re.compile(r"^[ \t]+", re.MULTILINE)
_PARAGRAPH_LINE: Final = re.compile(r"(?<!\n)\n(?=[^\n|-])|(?<=[^|\n])\n(?=\|)|(?<=\|)\n(?=[^|\n])")
_FENCES: Final = re.compile(r"`{3,}")


def passage_markdown(text: DocumentText, passage: Passage, language: str = "") -> str:
    """`language`: of code, by the ending of its file's name."""
    said = text.text[passage.start : passage.end]
    if passage.kind == "code":
        return fenced(said, language)
    if passage.table_head:
        return _with_head(said, passage.table_head)
    if text.media_type in _MARKDOWN:
        return said
    if text.media_type in _LINES:
        return _PARAGRAPH_LINE.sub("\n\n", said)
    if text.media_type in _PAGES:
        around = text.text[max(0, passage.start - _AROUND) : passage.end + _AROUND]
        return _flowing(said, widest=max(map(len, around.splitlines()), default=0))
    return _plain(said).replace("\n", "\\\n").replace("\\\n\\\n", "\n\n")


def fenced(code: str, language: str = "") -> str:
    """Code between fences that are longer than any in it."""
    longest = max((len(found) for found in _FENCES.findall(code)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{code}\n{fence}"


def code_language(name: str) -> str:
    """Return the language that highlights a program, by the ending of its file's name."""
    ending = name.rpartition(".")[2].lower()
    return ending if ending.isalnum() and ending != name.lower() else ""


def page_marks(passages: Iterable[Passage]) -> list[tuple[Passage, int]]:
    """The first passage of each page, with its number."""
    found: list[tuple[Passage, int]] = []
    page = 0
    for passage in passages:
        if passage.page and passage.page != page:
            page = passage.page
            found.append((passage, page))
    return found


def _flowing(text: str, *, widest: int) -> str:
    """A page's text with breaks only where a line ended although the next word had room in it."""
    lines = [line.strip() for line in text.split("\n")]
    written = []
    for number, line in enumerate(lines):
        behind = lines[number + 1] if number + 1 < len(lines) else ""
        word = behind.split(" ", 1)[0]
        ended = bool(line and behind) and len(line) + 1 + len(word) <= _FULL * widest
        written.append(f"{_plain(line)}\\" if ended else _plain(line))
    return "\n".join(written)


def _plain(text: str) -> str:
    return _INDENT.sub("", _MARKS.sub(_entity, text))


def _with_head(rows: str, head: str) -> str:
    """Rows of a table under its header, which those further down do not hold themselves."""
    if head in rows:
        return rows
    return f"{head}\n{table_rule(max(1, head.count('|') - 1))}\n{rows}"


def _entity(mark: re.Match[str]) -> str:
    return f"&#{ord(mark[0])};"
