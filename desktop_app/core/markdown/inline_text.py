"""The text of one leaf as a reader sees it, with spans for its marks; links only where they may be opened."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, TypeAlias

from markdown_it import MarkdownIt
from markdown_it.token import Token

from desktop_app.core.markdown.block_stream import References
from desktop_app.core.markdown.blocks import LONGEST as LONGEST_FORMULA
from desktop_app.core.markdown.blocks import inner_source
from desktop_app.core.markdown.footnotes import number_in, shown_in_text, shown_note

#: Characters that no shown or opened target may hold: controls, spaces, and marks that turn the reading direction.
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\\]")
_ALLOWED = re.compile(r"(?:https?://[^/?#@]*(?:@[^/?#@]*)?[^/?#@]+(?:[/?#].*)?|mailto:[^?#]+@[^?#]+(?:\?.*)?)", re.I)

BARE = re.compile(r"https?://[^\s<>\"'`\x00-\x1f]+", re.I)


def safe_target(target: str) -> str | None:
    """`target` if it may be opened after a click (http, https or mailto, well formed), else None."""
    if len(target) > 4_000 or _FORBIDDEN.search(target) or not _ALLOWED.fullmatch(target):
        return None
    return target


def bare_targets(text: str) -> list[tuple[int, int]]:
    """Return the places of addresses in plain text, as (start, end), without closing punctuation."""
    return [(found.start(), found.start() + len(_trimmed(found.group()))) for found in BARE.finditer(text)]


def _trimmed(address: str) -> str:
    # counted once: an address may consist of nothing but brackets
    unpaired = {")": address.count(")") - address.count("("), "]": address.count("]") - address.count("[")}
    end = len(address)
    while end:
        if (last := address[end - 1]) not in ".,;:!?*_~。，、；：！？）】」" and unpaired.get(last, 0) <= 0:
            break
        if last in unpaired:
            unpaired[last] -= 1
        end -= 1
    return address[:end]


SpanKind: TypeAlias = Literal["strong", "em", "strike", "code", "math", "formula", "link", "note", "cite", "unsent"]

#: Stands for a line break inside a paragraph (Unicode LINE SEPARATOR).
LINE_BREAK = "\u2028"
#: Longer inline source is shown as it is: bounds the time that hostile nesting can cost (characters).
LONGEST = 16_000
#: So many marks of a leaf are read, and what follows them is shown as it is; each takes about 10 us. A formula counts
#: as one mark. Prose has some 50 in 4,000 characters, a table of contents 300.
MOST_MARKS = 1_000
#: So many soft hyphens are kept in a leaf.
MOST_HYPHENS = 500
_SOFT_HYPHEN = "\u00ad"
# Compiled by `re` with the first text that is long enough to hold so many.
_MARK = r"\$[^$\n]{1,200}\$|\\\([^\n]{1,200}?\\\)|[\[\]!*_~`<&\\$]"

# Anything that an inline rule of the dialect begins with, and white space that is not shown.
_MARKED = re.compile(r"[*_~`\\\[\]<>!&$^]|\n[ \t]|[ \t]\n|^\s|\s$")

_OPENING: Mapping[str, SpanKind] = {"strong_open": "strong", "em_open": "em", "s_open": "strike"}
_CLOSING = {"strong_close", "em_close", "s_close"}


@dataclass(frozen=True, slots=True)
class Span:
    """Marks `text[start:end]` (code points). `target` is set on links and is safe to open after a click.

    The text of a formula is its LaTeX, and `target` the same as it was written, with its delimiters. `math` is one that
    is too long to be laid out: it is shown as it was written. The `target` of a note is the reference to it. Of the
    citation of a passage (`unsent`: of one that never was) it is its id, and `title` is a phrase of what it is.
    """

    start: int
    end: int
    kind: SpanKind
    target: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Inline:
    """The text that a leaf reads as. Spans may nest; they are in the order of their ends."""

    text: str
    spans: tuple[Span, ...] = ()


def parse_inline(parser: MarkdownIt, source: str, references: References | None = None) -> Inline:
    """The text and spans of a leaf's source. Images become links, unsafe targets plain text, HTML stays text."""
    if len(source := _without_hyphens(source)) > LONGEST:
        return Inline(source.replace("\n", " "))
    if reads_as_written(source):
        return Inline(source.replace("\n", " "), tuple(_links(source)))
    source, rest = source[: (end := end_of_marks(source))], source[end:]
    tokens: list[Token] = []
    env: dict[str, Any] = {"references": dict(references or {})}
    parser.inline.parse(source, parser, env, tokens)
    reading = _InlineReader()
    for token in tokens:
        reading.take(token)
    reading.text.append(rest.replace("\n", " "))
    return Inline("".join(reading.text), tuple(reading.spans))


def reads_as_written(source: str) -> bool:
    """True for prose without any mark: most of it, and read a hundred times faster."""
    return _MARKED.search(source) is None


def end_of_marks(source: str) -> int:
    """Up to where the marks of a leaf's source are read: its end, but for one that is full of them.

    It depends only on what stands before, so that a text that grows is read as before.
    """
    if len(source) <= MOST_MARKS:
        return len(source)
    first_unread = next(islice(re.finditer(_MARK, source), MOST_MARKS, None), None)
    return first_unread.start() if first_unread is not None else len(source)


def plain_inline(text: str) -> Inline:
    """Verbatim text with its line breaks; only bare addresses become links."""
    text = _without_hyphens(text)
    return Inline(text.replace("\n", LINE_BREAK), tuple(_links(text)))


def formula_inline(source: str) -> Inline:
    """A formula, by its source with delimiters, as the text and mark that stand for it."""
    if (inner := inner_source(source)) and len(inner) <= LONGEST_FORMULA:
        return Inline(inner.replace("\n", LINE_BREAK), (Span(0, len(inner), "formula", source.strip()),))
    text = source.replace("\n", LINE_BREAK)
    return Inline(text, (Span(0, len(text), "math"),) if text else ())


def _without_hyphens(text: str) -> str:
    """The text without its soft hyphens where these are more than any word has: each is a place to break the line."""
    return text.replace(_SOFT_HYPHEN, "") if text.count(_SOFT_HYPHEN) > MOST_HYPHENS else text


def _plain(tokens: Iterable[Token]) -> str:
    """The words of an image's description, without their marks."""
    return "".join(
        _plain(token.children or ())
        if token.type == "image"
        else " "
        if token.type in {"softbreak", "hardbreak"}
        else token.content
        for token in tokens
    )


def _links(text: str, offset: int = 0) -> Iterator[Span]:
    """Bare addresses in a text that stands so far behind the leaf's beginning."""
    for start, end in bare_targets(text) if "://" in text else ():
        if target := safe_target(text[start:end]):
            yield Span(offset + start, offset + end, "link", target)


class _InlineReader:
    def __init__(self) -> None:
        self.text: list[str] = []
        self.spans: list[Span] = []
        self._length = 0
        self._open: list[tuple[int, SpanKind]] = []
        self._link: tuple[int, str | None] | None = None

    def take(self, token: Token) -> None:
        match token.type:
            case "text" | "text_special":
                self._add_text(token.content)
            case "code_inline":
                self._add(token.content, "code")
            case "math_inline":
                self._formula(token.content)
            case "note" | "citation":
                self._refer(token)
            case "softbreak":
                self._add(" ")
            case "hardbreak":
                self._add(LINE_BREAK)
            case "link_open":
                self._link = (self._length, safe_target(str(token.attrGet("href") or "")))
            case "link_close" if self._link is not None:
                start, target = self._link
                self._link = None
                self._mark(start, "link", target)
            case "image":
                self._image(token)
            case kind if kind in _OPENING:
                self._open.append((self._length, _OPENING[kind]))
            case kind if kind in _CLOSING and self._open:
                self._mark(*self._open.pop())
            case _:
                self._add(token.content)

    def _add(self, text: str, kind: SpanKind | None = None) -> None:
        start = self._length
        self.text.append(text)
        self._length += len(text)
        if kind is not None:
            self._mark(start, kind)

    def _refer(self, token: Token) -> None:
        """To a note, or to a passage."""
        start, number = self._length, number_in(token)
        if token.type == "note":
            self._add(shown_note(token.content, number))
            self._mark(start, "note", f"[^{token.content}]")
        else:
            self._add(shown_in_text(token))
            kind: SpanKind = "cite" if number else "unsent"
            self.spans.append(Span(start, self._length, kind, token.content, token.meta["title"]))

    def _formula(self, source: str) -> None:
        formula = formula_inline(source)
        start = self._length
        self._add(formula.text)
        for span in formula.spans:
            self._mark(start, span.kind, span.target)

    def _add_text(self, text: str) -> None:
        start = self._length
        self._add(text)
        if self._link is None:
            self.spans += _links(text, start)

    def _image(self, token: Token) -> None:
        start = self._length
        source = str(token.attrGet("src") or "")
        target = safe_target(source)
        self._add(_plain(token.children or ()) or source)
        if self._link is None:
            self._mark(start, "link", target)

    def _mark(self, start: int, kind: SpanKind, target: str | None = "") -> None:
        if self._length > start and target is not None:
            self.spans.append(Span(start, self._length, kind, target))
