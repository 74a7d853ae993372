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
"""Texts whose lines end where the page did, not where a paragraph ends."""

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
    plain = _INDENT.sub("", _MARKS.sub(_entity, said))
    return plain if text.media_type in _PAGES else plain.replace("\n", "\\\n").replace("\\\n\\\n", "\n\n")


def fenced(code: str, language: str = "") -> str:
    """Code between fences that are longer than any in it."""
    longest = max((len(found) for found in _FENCES.findall(code)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{code}\n{fence}"


def code_language(name: str) -> str:
    """What highlights a program, by the ending of its file's name."""
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


def _with_head(rows: str, head: str) -> str:
    """Rows of a table under its header, which those further down do not hold themselves."""
    if head in rows:
        return rows
    return f"{head}\n{table_rule(max(1, head.count('|') - 1))}\n{rows}"


def _entity(mark: re.Match[str]) -> str:
    return f"&#{ord(mark[0])};"
