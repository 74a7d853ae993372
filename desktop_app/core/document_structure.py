"""Finds the sections of a document's text: what stands under one heading, on one page, in one table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from desktop_app.core.projects import PassageKind

LONGEST_HEADING: Final = 200
"""Characters of the way to a passage: it is repeated with every passage that a model is shown."""

LONGEST_TABLE_HEAD: Final = 600
"""Characters of the header row that goes along with rows further down, for the same reason."""

MOST_JOINED: Final = 1_200
"""Characters that definitions share a section up to: most functions of a file are a few lines."""

SEPARATOR: Final = " > "
DEEPEST: Final = 6

_HEADING: Final = re.compile(r" {0,3}(#{1,6})[ \t]+(\S.*)")
_FENCE: Final = re.compile(r" {0,3}(```|~~~)")
_UNDERLINE: Final = re.compile(r" {0,3}(?:=+|-{2,})[ \t]*")
_RULE: Final = re.compile(r"[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*")
_DEFINITION: Final = re.compile(
    r"(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|pub(?:\([^)\n]{0,20}\))?|unsafe"
    r"|extern|inline|virtual|sealed|partial|open|override|data)[ \t]+){0,6}"
    r"(?:def|class|function|func|fun|fn|interface|struct|enum|trait|impl|module|namespace|type|object|record|sub|proc"
    r"|CREATE|create|template)\b"
    r"|[A-Za-z_][\w:<>*&, \t]{0,100}\([^;\n]{0,200}\)[ \t]*\{"
)
"""The pattern of the beginning of a definition at the left edge in the languages that are most used."""

_ABOVE: Final = ("#", "//", "/*", " *", "--", "@", "[")
"""The beginnings of comments and decorators at the left edge."""

_KEY: Final = re.compile(r'  "((?:[^"\\]|\\.){0,100})": ')
"""A member of the outermost object of JSON that is indented by two."""


@dataclass(frozen=True, slots=True)
class DocumentSection:
    """Characters `start` to `end` of a text that belong together; the other fields are those of its passages."""

    start: int
    end: int
    kind: PassageKind = "text"
    heading: str = ""
    page: int = 0
    table_head: str = ""


def whole(text: str) -> tuple[DocumentSection, ...]:
    """A text without a structure that could be known."""
    return (DocumentSection(0, len(text)),)


def code_sections(text: str) -> tuple[DocumentSection, ...]:
    """The definitions at the left edge of a program, small ones together; what stands before the first is one too."""
    return tuple(_starting_at(text, _DEFINITION))


def json_sections(text: str) -> tuple[DocumentSection, ...]:
    """The members of the outermost object of JSON that is indented by two, small ones together."""
    return tuple(_starting_at(text, _KEY))


def markdown_sections(text: str, within: DocumentSection | None = None) -> tuple[DocumentSection, ...]:
    """Return the section under each heading of Markdown, and each of its tables with bars at the edges.

    `within`: only this part of the text; its kind and page hold for the sections in it, except that a table keeps its
    own kind where it is `text`.
    """
    whole_of = within or DocumentSection(0, len(text))
    return tuple(_MarkdownReader(text, whole_of).sections())


def lines_of(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the beginning and end of each line, without its line feed."""
    while start < end:
        at = text.find("\n", start, end)
        stop = end if at < 0 else at
        yield start, stop
        start = stop + 1


def _starting_at(text: str, definition: re.Pattern[str]) -> Iterator[DocumentSection]:
    joined: DocumentSection | None = None
    for one in _definitions(text, definition):
        if joined is not None and one.end - joined.start > MOST_JOINED:
            yield joined
            joined = None
        joined = replace(one, start=joined.start, heading=joined.heading or one.heading) if joined else one
    if joined is not None:
        yield joined


def _definitions(text: str, definition: re.Pattern[str]) -> Iterator[DocumentSection]:
    """Each definition with the comment or decorator right above it, up to the next."""
    current = DocumentSection(0, 0, "code")
    begins = 0
    for start, stop in lines_of(text, 0, len(text)):
        found = definition.match(text, start, stop)
        if found is None:
            if not text.startswith(_ABOVE, start):
                begins = stop + 1
            continue
        at = max(begins, current.start)
        if at > current.start:
            yield replace(current, end=at)
        heading = found[1] if definition.groups else text[start:stop].strip(" \t{:")
        current = DocumentSection(at, at, "code", heading[:LONGEST_HEADING])
        begins = stop + 1
    if current.start < len(text):
        yield replace(current, end=len(text))


@dataclass(slots=True)
class _MarkdownReader:
    """The reader's place in the text, and the headings that lead there."""

    text: str
    within: DocumentSection
    path: dict[int, str] = field(default_factory=dict)
    begun: int = 0
    said: bool = False
    """True if the section that is open holds more than its headings."""

    def sections(self) -> Iterator[DocumentSection]:
        self.begun = self.within.start
        fence, table_until = "", -1
        before: tuple[int, int] = (self.begun, self.begun)
        for start, stop in lines_of(self.text, self.within.start, self.within.end):
            if start < table_until:
                continue
            if fence or (opened := _FENCE.match(self.text, start, stop)):
                mark = self.text[start:stop].strip()
                if not fence and opened:
                    fence = opened[1]
                elif mark.startswith(fence) and not mark.strip(fence[0]):
                    fence = ""
                self.said, before = True, (stop, stop)
                continue
            if heading := _HEADING.match(self.text, start, stop):
                yield from self._headed(start, len(heading[1]), heading[2].rstrip().rstrip("#"))
            elif self._underlined(before, start, stop):
                level = 1 if "=" in self.text[start:stop] else 2
                yield from self._headed(before[0], level, self.text[slice(*before)])
            elif self._opens_table(start, stop):
                table_until = self._end_of_table(start)
                yield from self._table(start, stop, table_until)
            elif self.text[start:stop].strip():
                self.said = True
            before = (start, stop)
        yield from self._open_section(self.within.end)

    def _headed(self, at: int, level: int, title: str) -> Iterator[DocumentSection]:
        if self.said or level <= max(self.path, default=0):
            yield from self._open_section(at)
        self.path = {above: named for above, named in self.path.items() if above < level}
        self.path[level] = " ".join(title.split())

    def _underlined(self, before: tuple[int, int], start: int, stop: int) -> bool:
        """Return True if the line is the rule under a heading of one line."""
        said, above = self.text[slice(*before)].strip(), self.text[max(0, before[0] - 2) : before[0]]
        return (
            bool(said)
            and before[1] + 1 == start
            and above in ("", "\n", "\n\n")
            and len(said) <= LONGEST_HEADING
            and not said.startswith(("|", "- ", "* ", ">", "#"))
            and _UNDERLINE.fullmatch(self.text, start, stop) is not None
        )

    def _opens_table(self, start: int, stop: int) -> bool:
        if not self.text.startswith("|", start):
            return False
        after = self.text.find("\n", stop + 1, self.within.end)
        return _RULE.fullmatch(self.text, stop + 1, self.within.end if after < 0 else after) is not None

    def _end_of_table(self, start: int) -> int:
        at = start
        while 0 <= at < self.within.end and self.text.startswith("|", at):
            at = self.text.find("\n", at, self.within.end) + 1 or self.within.end
        return at

    def _table(self, start: int, stop: int, until: int) -> Iterator[DocumentSection]:
        """The table with the headings right above it, if there is nothing between."""
        if self.said:
            yield from self._open_section(start)
        kind: PassageKind = "table" if self.within.kind == "text" else self.within.kind
        head = self.text[start:stop].strip()[:LONGEST_TABLE_HEAD]
        yield replace(self._section(until), kind=kind, table_head=head)
        self.begun, self.said = until, False

    def _open_section(self, end: int) -> Iterator[DocumentSection]:
        if self.text[self.begun : end].strip():
            yield self._section(end)
        self.begun, self.said = end, False

    def _section(self, end: int) -> DocumentSection:
        heading = SEPARATOR.join(self.path[level] for level in sorted(self.path)) or self.within.heading
        return replace(self.within, start=self.begun, end=end, heading=heading[:LONGEST_HEADING])


def table_row(cells: Iterable[str]) -> str:
    """A row of a table in Markdown; a cell is one line."""
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |"


def table_rule(columns: int) -> str:
    """The line between the header of a table and its rows."""
    return "|" + " --- |" * columns


def heading_line(level: int, title: str) -> str:
    """A heading in Markdown; deeper ones than there are become the deepest."""
    return f"{'#' * min(max(level, 1), DEEPEST)} {' '.join(title.split())}"
