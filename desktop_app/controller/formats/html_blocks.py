"""Writes Markdown and typed text as HTML from the blocks that the window draws; markup in a text stays text.

How code, formulas, folds and tables are put differs between a page and what is printed: `HtmlForms`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any, Protocol

from desktop_app.core.code_lexing import LineLexer, find_lexer
from desktop_app.core.markdown.block_building import blocks_from
from desktop_app.core.markdown.blocks import TASK_DONE, TASK_OPEN, Block, Leaf, TablePiece
from desktop_app.core.markdown.citation_marks import sent_reference
from desktop_app.core.markdown.footnotes import defined_notes, label_of, numbered, shown_note, spoken_note
from desktop_app.core.markdown.formula_source import inner_source
from desktop_app.core.markdown.formula_text import readable_formula
from desktop_app.core.markdown.inline_text import LINE_BREAK, Inline, Span, formula_inline, parse_inline, plain_inline
from desktop_app.core.markdown.markdown_dialect import block_parser, inline_parser
from desktop_app.core.markdown.plain_text import plain_blocks

TOP_LEVEL = 2
"""Level of the heading of a message; a heading in its text stands below."""

# What a page shows nothing for, or that parsers of HTML read as something else.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]")
_TAGS = {"strong": "strong", "em": "em", "strike": "s", "code": "code", "math": "code"}
_BEGIN = {"q": "<blockquote>", "u": "<ul><li>", "o": "<ol><li>", "n": '<div class="note">'}
_END = {"q": "</blockquote>", "u": "</li></ul>", "o": "</li></ol>", "n": "</div>"}
_ITEMS = "uon"
_TICKS = {TASK_OPEN: "☐ ", TASK_DONE: "☑ "}


class HtmlForms(Protocol):
    """The forms for contents that have no plain tag."""

    def code(self, html: str, language: str) -> str:
        """A block of code, its colors in `span`s with a class each."""
        ...

    def table(self, rows: str) -> str: ...

    def formula(self, source: str, *, display: bool) -> str | None:
        """A formula without its delimiters; None where it can't be typeset."""
        ...


def text_html(text: str) -> str:
    """Text as HTML that shows just that."""
    return escape(_CONTROL.sub("\ufffd", text)).replace(LINE_BREAK, "<br>")


def code_html(code: str, language: str, lexers: dict[str, Any]) -> str:
    """Code as HTML, colored where its language is known; `lexers` keeps those that were loaded."""
    code = code.removesuffix("\n")
    if language.lower() not in lexers:
        lexers[language.lower()] = find_lexer(language.lower()) if language else None
    lexer = lexers[language.lower()]
    if lexer is None:
        return text_html(code)
    lexing = LineLexer(lexer)
    for _ in lexing.run(code):
        pass
    return "\n".join(_line_html(line, lexing.lines, number) for number, line in enumerate(code.split("\n")))


def _line_html(line: str, tokens: Sequence[Sequence[tuple[int, int, str]]], number: int) -> str:
    if number >= len(tokens):
        return text_html(line)
    out, at = "", 0
    for start, length, role in tokens[number]:
        out += f'{text_html(line[at:start])}<span class="{role}">{text_html(line[start : start + length])}</span>'
        at = start + length
    return out + text_html(line[at:])


class BlockHtml:
    """Writes texts of one thread."""

    def __init__(self, forms: HtmlForms) -> None:
        self._forms = forms
        self._blocks, self._inlines = block_parser(), inline_parser()
        self._lexers: dict[str, Any] = {}
        self._references: Mapping[str, Mapping[str, Any]] = {}

    def typed(self, text: str) -> str:
        """Return a user's text: as it is, but for fenced code."""
        return "".join(map(self._block, plain_blocks(text)))

    def markdown(self, text: str, sent: Any = None) -> str:
        """Return a model's text; `sent`: the passages that it may cite, which are listed below the text."""
        text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
        env: dict[str, Any] = {}
        tokens = self._blocks.parse(text, env)
        blocks = blocks_from(tokens, text.split("\n"), 0)
        references = {**env.get("references", {}), **defined_notes(tokens), **(sent_reference(sent) if sent else {})}
        self._references = numbered((leaf for block in blocks for leaf in block.leaves), references)
        sources: dict[str, str] = {}
        html = "".join(self._block(block, sources) for block in blocks)
        self._references = {}
        return html + _sources(sources)

    def code(self, code: str, language: str) -> str:
        """A block of code."""
        return self._forms.code(code_html(code, language, self._lexers), language)

    def _block(self, block: Block, sources: dict[str, str] | None = None) -> str:
        return "".join(_Nesting().written(self._leaves(block.leaves, {} if sources is None else sources)))

    def _leaves(self, leaves: Sequence[Leaf], sources: dict[str, str]) -> Iterator[tuple[Leaf, str]]:
        """The leaves with their HTML; what was cut into pieces only to be drawn is whole again."""
        at = 0
        while at < len(leaves):
            leaf, end = leaves[at], at + 1
            while end < len(leaves) and _goes_on(leaf, leaves[end]):
                end += 1
            yield leaf, self._leaf(leaf, leaves[at:end], sources)
            at = end

    def _leaf(self, leaf: Leaf, pieces: Sequence[Leaf], sources: dict[str, str]) -> str:
        match leaf.kind:
            case "code":
                html = self.code(leaf.text, leaf.language)
            case "math":
                html = f'<div class="math">{self._formula(leaf.text, display=True)}</div>'
            case "rule":
                html = "<hr>"
            case "table":
                tables = [piece.table for piece in pieces if piece.table is not None]
                html = self._forms.table("".join(self._rows(table, sources) for table in tables))
            case "plain":
                html = f'<p class="plain" dir="auto">{self._inline(plain_inline(leaf.text), sources)}</p>'
            case _:
                words = self._marker(leaf) + "".join(self._source(piece.text, sources) for piece in pieces)
                tag = f"h{min(TOP_LEVEL + leaf.level, 6)}" if leaf.kind == "heading" else "p"
                html = f'<{tag} dir="auto">{words}</{tag}>' if words or not leaf.marker else ""
        return html

    def _marker(self, leaf: Leaf) -> str:
        if leaf.marker in _TICKS:
            return _TICKS[leaf.marker]
        label = label_of(leaf.marker)
        if not label:
            return ""
        number = int(self._references.get(f"\0^{label}", {}).get("number", 0))
        return f"<sup>{text_html(spoken_note(shown_note(label, number)))}</sup> "

    def _rows(self, table: TablePiece, sources: dict[str, str]) -> str:
        out = ""
        for number, row in enumerate(table.rows):
            tag = "th" if number == 0 and table.has_header else "td"
            cells = zip(row, table.alignments, strict=False)
            written = (f'<{tag} align="{side}">{self._source(cell, sources)}</{tag}>' for cell, side in cells)
            out += f"<tr>{''.join(written)}</tr>\n"
        return out

    def _source(self, source: str, sources: dict[str, str]) -> str:
        return self._inline(parse_inline(self._inlines, source, self._references), sources)

    def _inline(self, inline: Inline, sources: dict[str, str]) -> str:
        """The text with its marks as tags; spans nest, and one that would not is cut at the one around it."""
        out: list[str] = []
        opened: list[tuple[int, str]] = []
        at = 0

        def advance(to: int) -> None:
            nonlocal at
            while opened and opened[-1][0] <= to:
                end, tag = opened.pop()
                out.append(f"{text_html(inline.text[at:end])}{tag}")
                at = max(at, end)
            out.append(text_html(inline.text[at:to]))
            at = max(at, to)

        for span in sorted(inline.spans, key=lambda one: (one.start, -one.end)):
            if span.start < at or span.end <= span.start:
                continue  # it stands in something that is shown as a whole
            advance(span.start)
            if span.kind in ("formula", "note", "cite", "unsent"):
                out.append(self._whole(span, inline.text[span.start : span.end], sources))
                at = span.end
            else:
                end = min(span.end, opened[-1][0]) if opened else span.end
                begin, close = _tags(span)
                out.append(begin)
                opened.append((end, close))
        advance(len(inline.text))
        return "".join(out)

    def _whole(self, span: Span, text: str, sources: dict[str, str]) -> str:
        if span.kind == "formula":
            return self._formula(span.target, display=False)
        number = spoken_note(text)
        if span.kind == "cite":
            sources[number] = span.title
            return f'<sup class="cite" title="{text_html(span.title)}">{text_html(number)}</sup>'
        return f'<sup class="{span.kind}">{text_html(number)}</sup>'

    def _formula(self, written: str, *, display: bool) -> str:
        """A formula by its source with delimiters; as a line of text where it can't be typeset."""
        inner = inner_source(written)
        typeset = self._forms.formula(inner, display=display) if inner and formula_inline(written).spans else None
        if typeset is not None:
            return typeset
        readable = readable_formula(written)
        if readable is None:
            return f"<code>{text_html(written.strip())}</code>"
        return f"<i>{text_html(readable.replace(chr(10), LINE_BREAK))}</i>"


class _Nesting:
    """Puts leaves into the lists, quotes and notes that they stand in."""

    def __init__(self) -> None:
        self._open = ""

    def written(self, leaves: Iterator[tuple[Leaf, str]]) -> Iterator[str]:
        for leaf, html in leaves:
            wanted = leaf.containers
            kept = next(
                (at for at, (one, two) in enumerate(zip(self._open, wanted, strict=False)) if one != two),
                min(len(self._open), len(wanted)),
            )
            item = max(map(wanted.rfind, _ITEMS), default=-1) if leaf.marker else -1
            renewed = 0 <= item < kept
            if renewed:
                kept = item + 1
            yield from (_END[one] for one in reversed(self._open[kept:]))
            if renewed:
                yield "</li><li>" if wanted[item] in "uo" else f"{_END['n']}{_BEGIN['n']}"
            for place, one in enumerate(wanted[kept:], kept):
                yield _first_of(leaf.marker) if one == "o" and place == item else _BEGIN[one]
            self._open = wanted
            yield html
        yield from (_END[one] for one in reversed(self._open))


def _goes_on(leaf: Leaf, following: Leaf) -> bool:
    same = (leaf.kind, leaf.first_line, leaf.end_line) == (following.kind, following.first_line, following.end_line)
    return same and leaf.kind in ("paragraph", "heading", "table") and not following.marker


def _first_of(marker: str) -> str:
    number = marker.rstrip(".)")
    return f'<ol start="{int(number)}"><li>' if number.isdigit() and number != "1" else _BEGIN["o"]


def _tags(span: Span) -> tuple[str, str]:
    if span.kind == "link":
        return f'<a href="{text_html(span.target)}" rel="noopener noreferrer">', "</a>"
    tag = _TAGS[span.kind]
    return f"<{tag}>", f"</{tag}>"


def _sources(sources: Mapping[str, str]) -> str:
    """Return the sources that a text cites, a line each."""
    if not sources:
        return ""
    lines = (f"<p>{text_html(number)} {text_html(title)}</p>" for number, title in sources.items())
    return f'<div class="sources">{"".join(lines)}</div>'
