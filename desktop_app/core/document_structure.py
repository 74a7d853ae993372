"""Finds the sections of a document's text, splits them into passages, and writes a passage as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from desktop_app.core.projects import DocumentText, Passage, PassageKind

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
        if (found := definition.match(text, start, stop)) is None:
            if not text.startswith(_ABOVE, start):
                begins = stop + 1
            continue
        if (at := max(begins, current.start)) > current.start:
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


MOST: Final = 1_600
"""Bytes of UTF-8 of one passage: about 400 tokens of English. Bytes, because a token is four letters of Latin script
but one or two characters of others, which take two to four bytes each.
"""

LEAST: Final = 600
"""Bytes below which a section is not cut where it would be good to: about 150 tokens."""

SHORTEST_QUOTE: Final = 8
"""Letters and digits of a quote that leads to its place; fewer stand in too many."""

_SENTENCE_END: Final = re.compile(
    r"[.!?…][\"'”’“»)\]]*\s+|[。！？][」』”]*\s*|\n(?=[ \t]*(?:[-*•–·#|>]|\(?(?:\d{1,3}|[a-z])[.)] |\d{4}-))"
)
"""Also where a line begins as an item, a heading, a row or with a date."""
_ABBREVIATION: Final = re.compile(
    r"(?:^|[\s(.])(?:[^\W\d_]|\d{1,2}|Abb|Abs|Art|Bd|Dr|Fig|Mme|Mrs?|Ms|No|Nr|Prof|St|Vol|al|bzw|ca|cf|pp?|vgl|vs)\Z"
)
"""A point behind one of these ends no sentence, nor one behind a single letter or the day of a month."""


def passages(text: str, sections: Iterable[DocumentSection]) -> tuple[Passage, ...]:
    """The passages of a text in order, cut between paragraphs, lines, sentences or words, whatever comes first.

    Sections are given in order and do not overlap; no passage reaches over the end of one.
    """
    found = (
        (section, start, end) for section in sections for start, end in _cut(text, *_trimmed(text, section), section)
    )
    return tuple(
        Passage(number, section.kind, start, end, section.heading, section.page, section.table_head)
        for number, (section, start, end) in enumerate(found, 1)
    )


def _trimmed(text: str, section: DocumentSection) -> tuple[int, int]:
    start, end = section.start, section.end
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _cut(text: str, start: int, end: int, section: DocumentSection) -> Iterator[tuple[int, int]]:
    while start < end:
        if (stop := _limit(text, start, end)) < end:
            stop = _good_place(text, start, stop, rows=bool(section.table_head), prose=section.kind != "code")
        kept = stop
        while kept > start and text[kept - 1].isspace():
            kept -= 1
        if kept > start:
            yield start, kept
        start = stop
        while start < end and text[start].isspace():
            start += 1


def _limit(text: str, start: int, end: int) -> int:
    """Return how far a passage may go: to the end, or, where little would be left over, to the middle."""
    window = text[start : min(end, start + MOST + LEAST)]
    if (size := _size(window)) <= MOST and start + len(window) == end:
        return end
    most = size // 2 + 1 if size <= MOST + LEAST and start + len(window) == end else MOST
    return start + _characters(window, most)


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def _characters(text: str, most: int) -> int:
    """Return how many characters of a text take at most so many bytes; at least one."""
    if text.isascii():
        return max(1, min(len(text), most))
    return max(1, len(text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore")))


def _good_place(text: str, start: int, stop: int, *, rows: bool, prose: bool) -> int:
    """The last good place to cut at before `stop`, but not so early that a passage says too little.

    A line of prose may end anywhere in a sentence, as those of a page do.
    """
    least = start + (stop - start) * LEAST // MOST
    paragraph = -1 if rows else text.rfind("\n\n", least, stop)
    if paragraph > start:
        return paragraph + 2
    if prose and not rows:
        begun = list(_sentence_starts(text, least, stop))
        at_lines = [at for at in begun if "\n" in text[at - 2 : at]]
        if begun:
            return (at_lines or begun)[-1]
    for mark in ("\n", " "):
        if (at := text.rfind(mark, least, stop)) > start:
            return at + 1
    return stop


def _sentence_starts(text: str, start: int, stop: int) -> Iterator[int]:
    """The places behind `start`, as far as `stop`, at which sentences begin."""
    for found in _SENTENCE_END.finditer(text, start, stop):
        at, end = found.start(), found.end()
        goes_on = text[end : end + 1].islower() or _ABBREVIATION.search(text[max(0, at - 12) : at]) is not None
        if text[at] in "\n。！？" or not goes_on:
            yield end


def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """The sentence, or the sentences, of a passage's text in which `text[start:end]` stands."""
    starts = [0, *_sentence_starts(text, 0, len(text)), len(text)]
    first = max(at for at in starts if at <= start)
    last = min(at for at in starts if at >= end)
    return first, first + len(text[first:last].rstrip())


_WORD: Final = re.compile(r"[^\W_]+")
_LEFT_OUT: Final = re.compile(r"\[?(?:\.\.\.|…)\]?")


@lru_cache(maxsize=256)
def quoted_spans(text: str, quotes: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """The sentences in which quotes stand, in order, whatever case, marks or spaces; `…`: left out of a quote."""
    found: set[tuple[int, int]] = set()
    for piece in (piece for quote in quotes for piece in _LEFT_OUT.split(quote)):
        words = _WORD.findall(piece)
        if len("".join(words)) < SHORTEST_QUOTE:
            continue
        match = re.search(r"(?<![^\W_])" + r"[\W_]+".join(words) + r"(?![^\W_])", text, re.IGNORECASE)
        if match is not None:
            found.add(sentence_around(text, *match.span()))
    return tuple(sorted(found))


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
    return _INDENT.sub("", _MARKS.sub(lambda mark: f"&#{ord(mark[0])};", text))


def _with_head(rows: str, head: str) -> str:
    """Rows of a table under its header, which those further down do not hold themselves."""
    if head in rows:
        return rows
    return f"{head}\n{table_rule(max(1, head.count('|') - 1))}\n{rows}"
