"""Owns the dialect: CommonMark with tables, strikethrough and math kept as source. Knows nothing of blocks that grow.

HTML in a message is text (`html=False`). Math is not rendered, but it is recognised, so that its backslashes, stars
and line starts are not taken for markup.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

#: Deeper nesting than this is shown as text; keeps hostile input linear (markdown-it's own default for CommonMark).
MAX_NESTING = 20

_MATH_FENCES = {"$$": "$$", "\\[": "\\]"}
_INLINE_MATH = re.compile(
    r"\\\((?:[^\\]|\\(?!\)))+\\\)"
    r"|\\\[(?:[^\\]|\\(?!\]))+\\\]"
    r"|\$\$[^$]+\$\$"
    r"|\$(?=[^\s$])(?:[^$\\\n]|\\[^\n]){0,999}?(?<=[^\s\\])\$(?!\d)"
)


def block_parser() -> MarkdownIt:
    """A parser of the block structure only: the content of `inline` tokens stays source."""
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING}).enable(["table"])
    parser.core.ruler.enableOnly(["normalize", "block"])
    parser.block.ruler.disable("html_block")
    parser.block.ruler.before("fence", "math", _math_block, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    return parser


def inline_parser() -> MarkdownIt:
    """A parser whose `inline` half is used on the source of one leaf."""
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING}).enable(["strikethrough"])
    parser.inline.ruler.disable("html_inline")
    parser.inline.ruler.before("escape", "math", _math_inline)
    return parser


def _math_block(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """Lines from `$$` or `\\[` to the matching closer, or to a blank line if it never closes."""
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
    if silent:
        return True
    line = first + 1
    if closer not in rest:
        while line < end and not state.isEmpty(line) and state.sCount[line] >= state.blkIndent:
            text = state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]
            line += 1
            if text.rstrip().endswith(closer):
                break
    token = state.push("math_block", "", 0)
    token.content = state.getLines(first, line, state.blkIndent, False)
    token.map = [first, line]
    state.line = line
    return True


def _math_inline(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] not in "$\\":
        return False
    found = _INLINE_MATH.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        state.push("math_inline", "", 0).content = found.group()
    state.pos = found.end()
    return True
