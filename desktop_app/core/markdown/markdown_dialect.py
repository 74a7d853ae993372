"""Parses Markdown: CommonMark with tables, strikethrough, footnotes and formulas.

The tokens are those that markdown-it gives by itself. It tries every rule on every line, and reads a paragraph twice,
once for a heading; with lines of a few characters that takes most of the time.

HTML in a message is text (`html=False`). Math is not rendered, but it is recognised, so that its backslashes, stars and
line starts are not taken for markup.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from markdown_it import MarkdownIt
from markdown_it.common.utils import mdTrim
from markdown_it.ruler import Ruler
from markdown_it.rules_block import StateBlock, reference, table
from markdown_it.rules_inline import StateInline, image, link

from desktop_app.core.markdown.footnotes import is_note, note_definition, note_reference

Rule: TypeAlias = Callable[[StateBlock, int, int, bool], bool]

#: With what a line begins on which a rule may match; a rule that is not named here may match on any.
_SIGNS = {
    "fence": "`~",
    "math": "$\\",
    "blockquote": ">",
    "hr": "*-_",
    "list": "*+-0123456789",
    "reference": "[",
    "note": "[",
    "heading": "#",
    "html_block": "<",
}
#: With what the line beneath the head of a table begins; with `- ` begins an item of a list.
_BELOW_HEAD = frozenset(first + second for first in "|-:" for second in "|-: \t") - {"- ", "-\t"}
#: Chains of rules that may end a block of this name.
_ENDING = ("paragraph", "reference", "blockquote", "list")


def try_by_sign(parser: MarkdownIt) -> None:
    """Makes a parser with all its rules try only those that a line's first sign allows."""
    ruler = parser.block.ruler
    named = dict(zip(ruler.getRules(""), ruler.get_active_rules(), strict=True))
    chains = {chain: ruler.getRules(chain) for chain in _ENDING}
    openers = [rule for rule, name in named.items() if name not in ("lheading", "paragraph")]
    ends_paragraph = _by_sign(chains["paragraph"], named)
    made: Ruler[Rule] = Ruler()
    made.push("block", _by_sign([*openers, _text_rule(ends_paragraph)], named))
    for chain in _ENDING:
        made.push(f"ends {chain}", _by_sign(chains[chain], named), {"alt": [chain]})
    # is looked for by this name to know whether indented code is one
    made.push("code", lambda _state, _line, _end, _silent: False)
    parser.block.ruler = made


def _by_sign(rules: Sequence[Rule], named: dict[Rule, str]) -> Rule:
    def allowed(sign: str, *, table: bool) -> tuple[Rule, ...]:
        names = ((rule, named.get(rule, "")) for rule in rules)
        return tuple(rule for rule, name in names if (name != "table" or table) and sign in _SIGNS.get(name, sign))

    signs = sorted({sign for signs in _SIGNS.values() for sign in signs})
    plain = {sign: allowed(sign, table=False) for sign in signs}, allowed("\0", table=False)
    heads = {sign: allowed(sign, table=True) for sign in signs}, allowed("\0", table=True)

    def rule(state: StateBlock, line: int, end: int, silent: bool) -> bool:
        source, begins, shifts = state.src, state.bMarks, state.tShift
        first = begins[line] + shifts[line]
        below = line + 1
        beneath = begins[below] + shifts[below]
        of_sign, others = heads if source[beneath : beneath + 2] in _BELOW_HEAD else plain
        for one in of_sign.get(source[first : first + 1], others):  # noqa: SIM110 - a generator costs more than the rules
            if one(state, line, end, silent):
                return True
        return False

    return rule


def _text_rule(ends_paragraph: Rule) -> Rule:
    """A paragraph, or a heading that is underlined: what a line is that begins nothing else."""

    def text(state: StateBlock, first: int, end: int, _silent: bool) -> bool:
        begins, stops, shifts, indents = state.bMarks, state.eMarks, state.tShift, state.sCount
        source, indent, last = state.src, state.blkIndent, state.lineMax
        parent, state.parentType = state.parentType, "paragraph"
        line, underline = first + 1, ""
        while line < last:
            if (start := begins[line] + shifts[line]) >= stops[line]:
                break
            if indents[line] - indent > 3:  # no code: a paragraph goes on
                line += 1
                continue
            if line < end and indents[line] >= indent and source[start] in "-=":
                mark = source[start]
                if not source[start : stops[line]].lstrip(mark).strip(" \t"):
                    underline = mark
                    break
            # less than nothing: the quote around it has looked at this line
            if indents[line] >= 0 and ends_paragraph(state, line, last, True):
                break
            line += 1
        state.parentType = parent
        if state.level or indent:
            content = mdTrim(state.getLines(first, line, indent, False))
        else:  # lines of the source that follow each other
            content = mdTrim(source[begins[first] : stops[line - 1]])
        state.line = line + 1 if underline else line
        name, tag = ("heading", "h1" if underline == "=" else "h2") if underline else ("paragraph", "p")
        opening = state.push(f"{name}_open", tag, 1)
        opening.map = [first, state.line]
        inline = state.push("inline", "", 0)
        inline.content, inline.map, inline.children = content, [first, line], []
        closing = state.push(f"{name}_close", tag, -1)
        opening.markup = closing.markup = underline
        return True

    return text


#: Deeper nesting than this is shown as text; keeps hostile input linear (markdown-it's own default for CommonMark).
MAX_NESTING = 20
#: A table with more columns is shown as text: each has a width of its own.
MOST_COLUMNS = 60

#: Keys in the environment of a parse. More of the text is expected:
GROWING = "growing"
OPEN = "open"
#: Where formulas do not close, as far as is known, and up to where a bracket may open a link.
_UNCLOSED = "unclosed formulas"
_LINKABLE = "linkable"

_MATH_FENCES = {"$$": "$$", "\\[": "\\]"}
_BRACKETS = {"\\(": "\\)", "\\[": "\\]"}
_BARE_TARGET = re.compile(r"\[[^\]\n]{1,999}\]:[ \t]*\n?[ \t]*[^\s:/.#?@<(\\]+(?!\S)")
_DOLLARS = re.compile(r"\$\$[^$]+\$\$|\$(?=[^\s$])(?:[^$\\\n]|\\[^\n]){0,999}?(?<=[^\s\\])\$(?!\d)")


def block_parser() -> MarkdownIt:
    """A parser of the block structure only: the content of `inline` tokens stays source."""
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING}).enable(["table"])
    parser.core.ruler.enableOnly(["normalize", "block"])
    parser.block.ruler.disable("html_block")
    _add_blocks(parser)
    try_by_sign(parser)
    return parser


def inline_parser() -> MarkdownIt:
    """A parser whose `inline` half is used on the source of one leaf."""
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING}).enable(["strikethrough"])
    parser.inline.ruler.disable("html_inline")
    _add_inlines(parser)
    return parser


def whole_parser() -> MarkdownIt:
    """Both halves in one, for whoever writes a complete text in another form; formulas and notes are tokens of theirs.

    They are `math_inline`, `math_block`, `note`, `note_open` and `note_close`.
    """
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING}).enable(["table", "strikethrough"])
    parser.disable(["html_block", "html_inline"])
    _add_blocks(parser)
    _add_inlines(parser)
    try_by_sign(parser)
    return parser


def _add_blocks(parser: MarkdownIt) -> None:
    parser.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})
    parser.block.ruler.before("fence", "math", _math_block, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    parser.block.ruler.at("reference", _reference)
    parser.block.ruler.before("reference", "note", note_definition, {"alt": ["paragraph", "reference"]})


def _add_inlines(parser: MarkdownIt) -> None:
    parser.inline.ruler.before("escape", "math", _math_inline)
    parser.inline.ruler.before("link", "note", note_reference)
    parser.inline.ruler.at("link", _link)
    parser.inline.ruler.at("image", _image)


def _table(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """A table that is not too wide to be laid out: one with more columns is text."""
    bars = state.src.count("|", state.bMarks[first], state.eMarks[first])
    return bars <= MOST_COLUMNS and table(state, first, end, silent)


def _reference(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """The definition of a link. `[Answer]: 42` is none: it would be shown nowhere, and 42 is no address."""
    bare = _BARE_TARGET.match(state.src, state.bMarks[first] + state.tShift[first])
    return bare is None and reference(state, first, end, silent)


def _math_block(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    r"""Lines from `$$` or `\[` to the closer; a token without one has `OPEN` in `meta` until no more can come."""
    if state.is_code_block(first):
        return False
    start, stop = state.bMarks[first] + state.tShift[first], state.eMarks[first]
    opener = state.src[start : start + 2]
    if (closer := _MATH_FENCES.get(opener)) is None:
        return False
    rest = state.src[start + 2 : stop]
    if closer in rest and not rest.rstrip().endswith(closer):
        return False  # `$$x$$ and more` is inline math in a sentence
    line, closed = (first + 1, True) if closer in rest else _close(state, first, end, closer)
    if not closed and not (state.env.get(GROWING) and line >= _last_line(state)):
        return False
    if silent:
        return True
    token = state.push("math_block", "", 0)
    token.content = state.getLines(first, line, state.blkIndent, False)
    token.meta = {} if closed else {OPEN: True}
    token.map = [first, line]
    state.line = line
    return True


def _close(state: StateBlock, first: int, end: int, closer: str) -> tuple[int, bool]:
    """The line behind the formula that a line opens, and whether it closes before that."""
    # what is known is remembered: a text of nothing but openers would else be read to its end from each of them
    known = state.env.setdefault(_UNCLOSED, {})
    kind = closer, state.level, state.blkIndent, end
    opened, stopped = known.get(kind, (0, 0))
    if opened <= first < stopped:
        return stopped, False
    line, closed = first + 1, False
    while not closed and line < end and not state.isEmpty(line) and state.sCount[line] >= state.blkIndent:
        text = state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]
        line += 1
        closed = text.rstrip().endswith(closer)
    if not closed:
        known[kind] = first, line
    return line, closed


def _last_line(state: StateBlock) -> int:
    """The number of lines of the whole text, not of the quote that is read, without an empty one at its end."""
    lines = len(state.bMarks) - 1  # behind the last line stands one more mark
    return lines - (1 if lines and state.isEmpty(lines - 1) else 0)


def _link(state: StateInline, silent: bool) -> bool:
    return state.src[state.pos] == "[" and _may_be_link(state, state.pos) and link(state, silent)


def _image(state: StateInline, silent: bool) -> bool:
    return state.src.startswith("![", state.pos) and _may_be_link(state, state.pos + 1) and image(state, silent)


def _may_be_link(state: StateInline, bracket: int) -> bool:
    """False where a bracket surely opens no link: the parser would read the rest of the text to find that out."""
    known: tuple[str | None, int] = state.env.get(_LINKABLE, (None, 0))
    source, end = known
    if source is not state.src:
        source = state.src
        has_targets = not all(map(is_note, state.env.get("references", ())))
        end = source.rfind("]" if has_targets else "](")
        state.env[_LINKABLE] = source, end
    return bracket < end


def _math_inline(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] not in "$\\" or (end := _end_of_math(state.src, state.pos, state.posMax)) < 0:
        return False
    if not silent:
        state.push("math_inline", "", 0).content = state.src[state.pos : end]
    state.pos = end
    return True


def _end_of_math(source: str, start: int, stop: int) -> int:
    """Return the end of the formula that begins there; -1: none begins there."""
    if source[start] == "$":
        found = _DOLLARS.match(source, start, stop)
        return found.end() if found is not None else -1
    closer = _BRACKETS.get(source[start : start + 2])
    # at least one character stands between the brackets
    end = source.find(closer, start + 3, stop) if closer is not None else -1
    return end + 2 if end >= 0 else -1
