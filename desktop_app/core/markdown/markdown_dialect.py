"""Owns the dialect: CommonMark with tables, strikethrough, footnotes and formulas. Knows nothing of blocks that grow.

HTML in a message is text (`html=False`). Math is not rendered, but it is recognised, so that its backslashes, stars
and line starts are not taken for markup.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, table
from markdown_it.rules_inline import StateInline, image, link

from desktop_app.core.markdown.block_rules import try_by_sign
from desktop_app.core.markdown.footnotes import is_note, note_definition, note_reference

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


def _math_block(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """Lines from `$$` or `\\[` to the matching closer; one that never closes is text, once no more can come.

    Until then its token has `OPEN` in `meta`.
    """
    if state.is_code_block(first):
        return False
    start, stop = state.bMarks[first] + state.tShift[first], state.eMarks[first]
    opener = state.src[start : start + 2]
    closer = _MATH_FENCES.get(opener)
    if closer is None:
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
    is_open = state.src.startswith("![", state.pos)
    return is_open and _may_be_link(state, state.pos + 1) and image(state, silent)


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
    if state.src[state.pos] not in "$\\":
        return False
    end = _end_of_math(state.src, state.pos, state.posMax)
    if end < 0:
        return False
    if not silent:
        state.push("math_inline", "", 0).content = state.src[state.pos : end]
    state.pos = end
    return True


def _end_of_math(source: str, start: int, stop: int) -> int:
    """Where the formula ends that begins there; -1: none begins there."""
    if source[start] == "$":
        found = _DOLLARS.match(source, start, stop)
        return found.end() if found is not None else -1
    closer = _BRACKETS.get(source[start : start + 2])
    # at least one character stands between the brackets
    end = source.find(closer, start + 3, stop) if closer is not None else -1
    return end + 2 if end >= 0 else -1
