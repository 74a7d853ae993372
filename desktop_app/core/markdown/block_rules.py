"""Owns how the block rules of the parser are tried: on each line only those that its first sign may open.

The tokens are those that markdown-it gives by itself. It tries every rule on every line, and reads a paragraph twice,
once for a heading; with lines of a few characters that takes most of the time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from markdown_it import MarkdownIt
from markdown_it.common.utils import mdTrim
from markdown_it.ruler import Ruler
from markdown_it.rules_block import StateBlock

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
    made.push("code", _never)
    parser.block.ruler = made


def _never(_state: StateBlock, _line: int, _end: int, _silent: bool) -> bool:
    return False


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
            start = begins[line] + shifts[line]
            if start >= stops[line]:
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
