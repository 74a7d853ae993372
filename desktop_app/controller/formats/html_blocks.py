"""Writes the messages of a branch as HTML, from the blocks that the window draws; markup in a text stays text."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final, Protocol, assert_never

from desktop_app.controller.formats.exported_thread import (
    BranchMessage,
    ExportContents,
    ExportedThread,
    ToolUse,
    ToolUses,
    WrittenArtifact,
    branch_messages,
    ended_early,
    facts_of,
    speaker,
)
from desktop_app.core.citations import SentPassages
from desktop_app.core.code_lexing import LineLexer, find_lexer
from desktop_app.core.markdown.block_building import blocks_from, plain_blocks
from desktop_app.core.markdown.blocks import TASK_DONE, TASK_OPEN, Block, Leaf, TablePiece, inner_source
from desktop_app.core.markdown.citation_marks import sent_reference
from desktop_app.core.markdown.footnotes import defined_notes, label_of, numbered, shown_note, spoken_note
from desktop_app.core.markdown.formula_text import readable_formula
from desktop_app.core.markdown.inline_text import LINE_BREAK, Inline, Span, formula_inline, parse_inline, plain_inline
from desktop_app.core.markdown.markdown_dialect import block_parser, inline_parser
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Message,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
    uncut,
)
from desktop_app.core.titles import first_words

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


PICTURES: Final = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""Pictures of other kinds are named; SVG could hold references."""

MOST_DETAIL: Final = 20_000
"""Characters of what a tool was given or answered that stand in an export for people."""


class BranchForms(HtmlForms, Protocol):
    """The forms in which a page and a printed document differ."""

    def fold(self, words: str, html: str) -> str: ...

    def picture(self, part: ImagePart) -> str: ...

    def message(self, role: str, heading: str, html: str) -> str:
        """`heading`: empty where the message goes on with an answer."""
        ...


@dataclass(frozen=True, slots=True)
class WrittenMessage:
    """A message as HTML, and the words by which an outline leads to it ("" where it goes on with an answer)."""

    html: str
    outline: str


class BranchHtml:
    """Writes one thread after the other."""

    def __init__(self, forms: BranchForms, contents: ExportContents) -> None:
        self._forms, self._contents = forms, contents
        self._blocks = BlockHtml(forms)
        self._sent = SentPassages()
        self._tools = ToolUses(())

    def messages(self, one: ExportedThread) -> Iterator[WrittenMessage]:
        """The system prompt and the messages of the current branch."""
        path = one.branch()
        self._sent, self._tools = SentPassages(path), ToolUses(path)
        if one.thread.system:
            html = self._forms.message("system", "<h2>System prompt</h2>", self._blocks.typed(one.thread.system))
            yield WrittenMessage(html, "System prompt")
        for each in branch_messages(one.thread, path):
            yield self._message(each)
        for artifact in one.written_artifacts():
            yield self._artifact(artifact)

    def _message(self, one: BranchMessage) -> WrittenMessage:
        message = one.message
        notes = "".join(
            self._forms.fold(text_html(line), self._blocks.markdown(summary)) for line, summary in one.notes
        )
        body = "".join(self._part(part, message) for part in uncut(message.parts))
        if sentence := ended_early(message):
            body += f'<p class="failed">{text_html(sentence)}</p>'
        if not one.opens:
            return WrittenMessage(notes + self._forms.message("assistant", "", body), "")
        who = speaker(message)
        heading = f'<h2>{text_html(who)} <span class="when">{text_html(moment(message.created))}</span></h2>'
        words = first_words(message.text) if message.role == "user" else ""
        return WrittenMessage(
            notes + self._forms.message(message.role, heading, body), f"{who}: {words}" if words else who
        )

    def _artifact(self, one: WrittenArtifact) -> WrittenMessage:
        heading = f'<h2>{text_html(one.words)} <span class="when">{text_html(one.version)}</span></h2>'
        if one.language == "markdown":
            html = self._blocks.markdown(one.text, self._sent)
        else:
            html = self._blocks.code(one.text, one.language) if one.text else ""
        return WrittenMessage(self._forms.message("artifact", heading, html), one.words)

    def _part(self, part: Part, message: Message) -> str:
        details = self._contents.details
        match part:
            case TextPart(text):
                user = message.role == "user"
                html = self._blocks.typed(text) if user else self._blocks.markdown(text, self._sent)
            case ThinkingPart(text):
                html = self._forms.fold("Thinking", self._blocks.markdown(text)) if details else ""
            case ToolCallPart():
                html = self._tool(self._tools.of_call(part))
            case ToolResultPart():
                use = self._tools.of_result(part)
                html = "" if use is None else self._tool(use)
            case ImagePart():
                html = self._forms.picture(part)
            case DocumentPart(name, text) if self._contents.attached:
                html = self._forms.fold(text_html(name), self._blocks.code(text, ""))
            case DocumentPart(name):
                html = f'<p class="attached">Attached: {text_html(name)}</p>'
            case UnknownPart(raw):
                kind = text_html(str(raw.get("type", "Unknown content")))
                html = f'<p class="attached">{kind}: kept in the JSON export</p>'
            case _:
                assert_never(part)
        return html

    def _tool(self, use: ToolUse) -> str:
        """A line about a tool, and where it is wanted, what went in and out."""
        words = text_html(use.words)
        if not self._contents.details and not use.essential:
            return f'<p class="attached">{words}</p>'
        return self._forms.fold(words, "".join(self._tool_text(*one, whole=use.essential) for one in use.texts))

    def _tool_text(self, text: str, language: str, *, whole: bool) -> str:
        if language == "markdown":
            return self._blocks.markdown(text)
        if len(text) > MOST_DETAIL and not whole:
            text = f"{text[:MOST_DETAIL]}\n… {len(text) - MOST_DETAIL:,} more characters are in the JSON export"
        return self._blocks.code(text, language)


def facts_html(one: ExportedThread) -> str:
    """A line below the title: when, which project, which models, how many messages, what it took."""
    facts = facts_of(one.thread, one.branch())
    count = f"{facts.messages:,} message{'' if facts.messages == 1 else 's'}"
    known = [moment(facts.created), facts.project, ", ".join(facts.models), count]
    if facts.input_tokens or facts.output_tokens:
        known.append(f"{facts.input_tokens + facts.output_tokens:,} tokens")
    if facts.cost_usd:
        known.append(f"${facts.cost_usd:.2f}")
    return f'<p class="facts">{text_html(" · ".join(filter(None, known)))}</p>'


def moment(iso: str) -> str:
    """A time as people write it, in UTC as it is stored."""
    day, _, time = iso.partition("T")
    return f"{day} {time[:5]} UTC" if len(time) >= 5 else day


def picture_bytes(part: ImagePart) -> bytes | None:
    """The picture; None for one of a kind that is not shown, or that is none."""
    if part.media_type not in PICTURES or not part.data:
        return None
    try:
        return base64.b64decode(part.data, validate=True)
    except binascii.Error:
        return None
