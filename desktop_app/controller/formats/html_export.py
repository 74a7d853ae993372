"""Threads as one HTML page that looks like the window, and as pieces of a document that is laid out on pages."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final, Protocol, TypeAlias, assert_never

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
    title_of,
)
from desktop_app.core.artifacts import Artifact
from desktop_app.core.citations import CitationNote, SentPassages
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
from desktop_app.resources import resource

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

    def table(self, rows: str) -> str: ...

    def formula(self, source: str, *, display: bool) -> str | None:
        """A formula without its delimiters; None where it can't be typeset."""


def text_html(text: str) -> str:
    """Text as HTML that shows just that."""
    return escape(_CONTROL.sub("\ufffd", text)).replace(LINE_BREAK, "<br>")


def code_html(code: str, language: str, lexers: dict[str, Any]) -> str:
    """Code as HTML, colored where its language is known; `lexers` keeps those that were loaded."""
    code = code.removesuffix("\n")
    if language.lower() not in lexers:
        lexers[language.lower()] = find_lexer(language.lower()) if language else None
    if (lexer := lexers[language.lower()]) is None:
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
    """Writes texts of one thread; `top_level` is that of the headings they stand below."""

    def __init__(self, forms: HtmlForms, top_level: int = TOP_LEVEL) -> None:
        self._forms, self._top_level = forms, top_level
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
                tag = f"h{min(self._top_level + leaf.level, 6)}" if leaf.kind == "heading" else "p"
                html = f'<{tag} dir="auto">{words}</{tag}>' if words or not leaf.marker else ""
        return html

    def _marker(self, leaf: Leaf) -> str:
        if leaf.marker in _TICKS:
            return _TICKS[leaf.marker]
        if not (label := label_of(leaf.marker)):
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
        if span.kind == "note":
            return f'<sup class="note">{text_html(number)}</sup>'
        sources[number] = words = span.title if span.kind == "cite" else CitationNote(0, span.target, None).words
        return f'<sup class="{span.kind}" title="{text_html(words)}">{text_html(number)}</sup>'

    def _formula(self, written: str, *, display: bool) -> str:
        """A formula by its source with delimiters; as a line of text where it can't be typeset."""
        inner = inner_source(written)
        typeset = self._forms.formula(inner, display=display) if inner and formula_inline(written).spans else None
        if typeset is not None:
            return typeset
        if (readable := readable_formula(written)) is None:
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


Typeset: TypeAlias = Callable[[str, bool], Mapping[str, Any] | None]
"""Gives the outlines of a formula, which stands in a line of its own or not; None: it can't be typeset."""

Colors: TypeAlias = Mapping[str, str]

EM: Final = 1_000
"""Outlines are in thousandths of the font size."""

SIZE: Final = 1.12
"""Size of a formula over that of the text around it, so that an x is as high in both."""

ROLES: Final = ("keyword", "string", "number", "comment", "name", "type", "operator")
"""The roles of colored code; in the theme, `syntax-` stands before each."""

POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-src 'none'; script-src 'none'"
)

_USED: Final = (
    *("background", "text", "text-secondary", "hairline", "link", "danger", "question", "code-background", "accent"),
    *(f"syntax-{role}" for role in ROLES),
)

_STYLE: Final = """
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--background); color: var(--text); overflow-wrap: break-word;
  font: 15px/1.5 Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
main { max-width: 792px; margin: 0 auto; padding: 32px 16px 64px; }
h1 { font-size: 1.6em; line-height: 1.3; margin: 0 0 4px; }
h2 { font-size: 1em; line-height: 1.5; margin: 0 0 4px; }
h3 { font-size: 1.3em; } h4 { font-size: 1.15em; } h5, h6 { font-size: 1em; }
h3, h4, h5, h6 { line-height: 1.35; margin: 1.1em 0 0.4em; }
p { margin: 0 0 0.7em; } .plain { white-space: pre-wrap; }
ul, ol { margin: 0 0 0.7em; padding-left: 1.6em; } li > p { margin-bottom: 0.25em; }
a { color: var(--link); text-underline-offset: 2px; }
hr { border: 0; border-top: 1px solid var(--hairline); margin: 1.2em 0; }
blockquote { margin: 0 0 0.7em; padding: 0 0 0 12px; border-left: 3px solid var(--hairline);
  color: var(--text-secondary); }
code, pre { font-family: "JetBrains Mono", ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.9em; }
p code, li code, td code, th code { background: var(--code-background); border-radius: 4px; padding: 1px 4px; }
.code { margin: 0 0 0.8em; background: var(--code-background); border-radius: 8px; }
.code pre { margin: 0; padding: 10px 14px; overflow-x: auto; line-height: 1.45; tab-size: 4; }
.code .language { padding: 6px 14px 0; color: var(--text-secondary); font-size: 0.8em; }
.scroll { overflow-x: auto; margin: 0 0 0.8em; }
table { border-collapse: collapse; } th, td { padding: 5px 10px; border-bottom: 1px solid var(--hairline); }
th { font-weight: 600; } td, th { vertical-align: top; }
.math { overflow-x: auto; overflow-y: hidden; text-align: center; margin: 0 0 0.8em; padding: 2px 0; }
svg.formula { overflow: visible; margin: 0 0.1em; }
sup { line-height: 0; color: var(--link); } sup.unsent, .failed { color: var(--danger); }
.facts, .when, .attached, .sources, summary, .contents { color: var(--text-secondary); font-size: 0.87em; }
.facts { margin-bottom: 24px; } .when { font-weight: 400; font-size: 0.8em; margin-left: 6px; }
.message { margin: 0 0 22px; break-inside: auto; } .message > :last-child { margin-bottom: 0; }
.user { background: var(--question); border-radius: 12px; padding: 12px 16px; }
.system { border-left: 3px solid var(--accent); padding-left: 13px; }
.sources { margin-top: 0.8em; border-top: 1px solid var(--hairline); padding-top: 6px; } .sources p { margin: 0; }
.note { font-size: 0.87em; color: var(--text-secondary); }
details { margin: 0 0 0.8em; } summary { cursor: pointer; }
details > div { margin: 6px 0 0; padding-left: 12px; border-left: 2px solid var(--hairline);
  color: var(--text-secondary); font-size: 0.94em; }
figure { margin: 0 0 0.8em; } figure img { max-width: 100%; max-height: 75vh; border-radius: 6px; display: block; }
figcaption { color: var(--text-secondary); font-size: 0.8em; margin-top: 4px; }
.document h2 { font-size: 1.4em; margin: 1.1em 0 0.4em; }
.document h3 { font-size: 1.2em; } .document h4 { font-size: 1.05em; }
section + section { border-top: 1px solid var(--hairline); margin-top: 40px; padding-top: 32px; }
@media print {
  body { font-size: 10.5pt; } main { max-width: none; padding: 0; }
  h1, h2, h3, h4 { break-after: avoid; } figure, tr, .math { break-inside: avoid; }
  .code pre { white-space: pre-wrap; } .scroll { overflow: visible; }
  .user, .code, p code { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  details::details-content { content-visibility: visible; height: auto; }
}
"""


def theme_colors(name: str) -> Colors:
    """The colors of the theme with that name, by their roles."""
    tokens: dict[str, dict[str, Any]] = json.loads(resource("themes", "tokens.json").read_text("utf-8"))
    return {role: str(color) for role, color in tokens[name].items()}


def write_beginning(titles: Sequence[str]) -> str:
    """The page up to its first thread; with several it begins with a table of contents."""
    light, dark = theme_colors("light"), theme_colors("dark")
    title = titles[0] if len(titles) == 1 else f"{len(titles):,} threads"
    style = (
        f":root {{ color-scheme: light dark; {_variables(light)} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {_variables(dark)} }} }}\n"
        f"@media print {{ :root {{ color-scheme: light; }} }}{_STYLE}"
        + "".join(f".code .{role} {{ color: var(--syntax-{role}); }}\n" for role in ROLES)
    )
    contents = "".join(f'<li><a href="#t{at}">{text_html(one)}</a></li>\n' for at, one in enumerate(titles, 1))
    return (
        '<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f'<meta name="generator" content="Plimsoll">\n<title>{text_html(title)}</title>\n'
        f"<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        + (f'<nav class="contents"><ol>\n{contents}</ol></nav>\n' if len(titles) > 1 else "")
    )


END: Final = "</main>\n</body>\n</html>\n"


def write_thread(one: ExportedThread, contents: ExportContents, typeset: Typeset, number: int = 1) -> Iterator[str]:
    """The pieces of one thread, the `number`th of its page."""
    title = f'<h1 dir="auto">{text_html(title_of(one.thread))}</h1>'
    yield f'<section id="t{number}">\n<header>{title}{facts_html(one)}</header>\n'
    for message in BranchHtml(_PageForms(typeset), contents).messages(one):
        yield message.html
    yield "</section>\n"


def _variables(colors: Colors) -> str:
    return " ".join(f"--{name}: {colors[name]};" for name in _USED)


class _PageForms:
    """The forms that browsers show."""

    def __init__(self, typeset: Typeset) -> None:
        self._typeset = typeset

    def code(self, html: str, language: str) -> str:
        named = f'<div class="language">{text_html(language)}</div>' if language else ""
        return f'<div class="code">{named}<pre><code>{html}</code></pre></div>\n'

    def table(self, rows: str) -> str:
        return f'<div class="scroll"><table>{rows}</table></div>\n'

    def formula(self, source: str, *, display: bool) -> str | None:
        return None if (facts := self._typeset(source, display)) is None else formula_svg(facts, source)

    def fold(self, words: str, html: str) -> str:
        return f"<details><summary>{words}</summary><div>{html}</div></details>\n"

    def picture(self, part: ImagePart) -> str:
        if (data := picture_bytes(part)) is None:
            return f'<p class="attached">Attached: {text_html(part.name)}</p>'
        source = f"data:{part.media_type};base64,{base64.b64encode(data).decode()}"
        name = text_html(part.name)
        return f'<figure><img src="{source}" alt="{name}"><figcaption>{name}</figcaption></figure>\n'

    def message(self, role: str, heading: str, html: str) -> str:
        return f'<article class="message {role}">{heading}{html}</article>\n'


def formula_svg(facts: Mapping[str, Any], source: str) -> str:
    """A formula's outlines as a picture in the line, in the color of the text."""
    width, up, down = (float(facts[name]) for name in ("width", "up", "down"))
    height = up + down
    path = " ".join(str(one) for one in facts["path"])
    letters = "".join(
        f'<text x="{float(x)}" y="{float(y)}" font-size="{float(size)}">{escape(str(letter))}</text>'
        for x, y, size, letter in facts["letters"]
    )
    scale = SIZE / EM
    return (
        f'<svg class="formula" role="img" aria-label="{text_html(source)}" fill="currentColor" '
        f'style="width:{width * scale:.3f}em;height:{height * scale:.3f}em;vertical-align:{-down * scale:.3f}em" '
        f'viewBox="0 {-up:.1f} {width:.1f} {height:.1f}"><path d="{escape(path)}"/>{letters}</svg>'
    )


_APART: Final = 'style="margin-top: 2px; margin-bottom: 8px"'
"""Of a table from what stands above and below."""

PrintPiece: TypeAlias = Mapping[str, Any]


def print_style(heading: str = "10.5pt") -> str:
    """The style sheet of what is printed, in the colors of the light theme; the size of its second headings."""
    colors = theme_colors("light")
    secondary = f"color: {colors['text-secondary']};"
    rules = [
        f"body {{ font-family: Inter; color: {colors['text']}; }}",
        "h1 { font-size: 17pt; margin-bottom: 2px; }",
        f"h2 {{ font-size: {heading}; margin-top: 14px; margin-bottom: 2px; }}",
        "h3 { font-size: 12.5pt; } h4 { font-size: 11pt; } h5, h6 { font-size: 10pt; }",
        "h3, h4, h5, h6 { margin-top: 10px; margin-bottom: 4px; } p { margin-top: 0; margin-bottom: 6px; }",
        "ul, ol { margin-top: 0; margin-bottom: 6px; } .plain { white-space: pre-wrap; }",
        "code, pre { font-family: 'JetBrains Mono'; font-size: 8.5pt; }",
        "pre { white-space: pre-wrap; margin: 0; }",
        f"td.code {{ background-color: {colors['code-background']}; }}",
        f"td.fold {{ {secondary} font-size: 9pt; }} td.bar {{ background-color: {colors['hairline']}; }}",
        f"td.user {{ background-color: {colors['question']}; }}",
        f"blockquote {{ margin-left: 14px; margin-right: 0; {secondary} }}",
        f"a {{ color: {colors['link']}; }} sup {{ color: {colors['link']}; }}",
        f".failed, .unsent {{ color: {colors['danger']}; }}",
        f".facts, .attached, .sources, .when, .caption, .note {{ {secondary} font-size: 8.5pt; }}",
        ".when { font-weight: normal; } .math { text-align: center; margin-top: 4px; margin-bottom: 6px; }",
        *(f".{role} {{ color: {colors[f'syntax-{role}']}; }}" for role in ROLES),
    ]
    return "\n".join(rules)


def write_pieces(one: ExportedThread, contents: ExportContents, typeset: Typeset) -> Iterator[PrintPiece]:
    """The pieces of one thread, which begins on a page of its own."""
    forms = _PrintForms(typeset)
    title = title_of(one.thread)
    yield {"html": f"<h1>{text_html(title)}</h1>{facts_html(one)}", "outline": title, "new_page": True}
    for message in BranchHtml(forms, contents).messages(one):
        formulas, pictures = forms.taken()
        yield {"html": message.html, "outline": message.outline, "formulas": formulas, "pictures": pictures}


class _PrintForms:
    """The forms that Qt's documents show: frames are tables with one cell."""

    def __init__(self, typeset: Typeset) -> None:
        self._typeset = typeset
        self._formulas: list[Mapping[str, Any]] = []
        self._pictures: list[str] = []

    def taken(self) -> tuple[list[Mapping[str, Any]], list[str]]:
        """The formulas and pictures (base64) of what was written since the last time."""
        taken = self._formulas, self._pictures
        self._formulas, self._pictures = [], []
        return taken

    def code(self, html: str, language: str) -> str:
        return _framed("code", f"<pre>{html}</pre>")

    def table(self, rows: str) -> str:
        border = "border-style: solid; border-collapse: collapse"
        return f'<table border="1" cellspacing="0" cellpadding="4" {_APART[:-1]}; {border}">{rows}</table>'

    def formula(self, source: str, *, display: bool) -> str | None:
        if (facts := self._typeset(source, display)) is None:
            return None
        self._formulas.append(facts)
        return f'<img src="formula:{len(self._formulas) - 1}">'

    def fold(self, words: str, html: str) -> str:
        return (
            f'<p class="attached">{words}</p><table width="100%" cellspacing="0" cellpadding="0" {_APART}><tr>'
            f'<td class="bar" width="2"></td><td width="10"></td><td class="fold">{html}</td></tr></table>'
        )

    def picture(self, part: ImagePart) -> str:
        data = picture_bytes(part)
        caption = f'<p class="caption">{text_html(part.name)}</p>'
        if data is None:
            return caption
        self._pictures.append(base64.b64encode(data).decode())
        return f'<p><img src="picture:{len(self._pictures) - 1}"></p>{caption}'

    def message(self, role: str, heading: str, html: str) -> str:
        return heading + (_framed("user", html) if role == "user" else html)


def artifact_piece(artifact: Artifact, text: str, typeset: Typeset, *, printed: bool) -> PrintPiece:
    """A text of an artifact as the one piece of a printed document, else as a page of its own."""
    forms = _PrintForms(typeset) if printed else _PageForms(typeset)
    blocks = BlockHtml(forms, top_level=0)
    if artifact.kind == "markdown":
        html = blocks.markdown(text)
    elif artifact.kind == "text":
        html = blocks.code(text, "")
    else:
        language = artifact.language if artifact.kind == "code" else artifact.kind
        html = f'<h1 dir="auto">{text_html(artifact.title)}</h1>{blocks.code(text, language)}'
    if isinstance(forms, _PrintForms):
        return {"html": html, "formulas": forms.taken()[0]}
    return {"html": f'{write_beginning([artifact.title])}<article class="document">{html}</article>\n{END}'}


def _framed(kind: str, html: str) -> str:
    return (
        f'<table width="100%" cellspacing="0" cellpadding="8" {_APART}><tr><td class="{kind}">{html}</td></tr></table>'
    )
