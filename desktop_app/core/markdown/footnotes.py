"""Footnotes and citations: which labels have a note, their numbers, and what stands in the text for one.

Notes, and passages that were sent and are cited, are numbered in the order in which the text first refers to them. So a
reference can be shown before its note has come, and nothing that comes later changes its number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from desktop_app.core.markdown.blocks import NOTE, NUMBER, SENT, Leaf, number_of

# Compiled by `re` with the first text, which takes time that a start need not pay.
_REFERENCE = r"\[\^([^\s\[\]]{1,60})\]"
_DEFINITION = _REFERENCE + r":[ \t]*"
_BEGIN, _END = "note_open", "note_close"
# What holds no reference although it looks like one (formulas, escapes, code), else a reference. Code is looked through
# so far only that hostile text costs no more than its length.
REFERENCES = (
    r"\\\(.{1,400}?\\\)|\\\[.{1,400}?\\\]|\$\$[^$]+\$\$|\$(?=[^\s$])(?:[^$\\\n]|\\[^\n]){0,400}?(?<=[^\s\\])\$(?!\d)"
    r"|\\.|(?P<ticks>`+)(?!`).{1,400}?(?<!`)(?P=ticks)(?!`)|`+|" + _REFERENCE
)
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
#: Key in the environment of the parse of a whole text: the numbers of notes by label.
NUMBERS = "note numbers"

#: Says that notes may still come: until then whatever is a number is taken for one.
EXPECTED: Mapping[str, Mapping[str, Any]] = {"\0": {}}
_MOST_DIGITS = 3
#: So far the further paragraphs of a note are indented (columns).
_INDENT = 4


def defined_notes(tokens: Iterable[Token]) -> dict[str, Mapping[str, Any]]:
    """The notes that are defined in block tokens, in the form of link references."""
    return {
        NOTE + str(token.meta["label"]): {"map": list(token.map or (0, 0))} for token in tokens if token.type == _BEGIN
    }


def note_references(shown: Mapping[str, str]) -> dict[str, Mapping[str, Any]]:
    """Link references under which these labels are those of notes, which stand in the text as they are `shown`."""
    numbers = {label: spoken_note(text) for label, text in shown.items() if not text.startswith("[")}
    return {NOTE + label: {NUMBER: int(numbers[label])} if label in numbers else {} for label in shown}


def is_note(reference: str) -> bool:
    """True for the key of a note among the link references."""
    return reference.startswith("\0")


def marker_of(label: str) -> str:
    """Return the mark of the first leaf of a note, as it is written."""
    return f"[^{label}]:"


def label_of(marker: str) -> str:
    """The label of a note by its marker or by a reference to it; empty for what is neither."""
    return marker.removesuffix(":")[2:-1] if marker.startswith("[^") else ""


def shown_in_text(token: Token) -> str:
    """Return the text shown for the citation of an inline token."""
    from desktop_app.core.markdown.citation_marks import shown_citation

    number = number_in(token)
    return shown_citation(token.content, str(number).translate(_RAISED) if number else "")


def shown_note(label: str, number: int) -> str:
    """Return the text shown for a note: its raised number, or its label in brackets where it has none (0)."""
    return str(number).translate(_RAISED) if number else f"[{label}]"


def spoken_note(shown: str) -> str:
    """Return the words spoken for the text shown of a note or a citation."""
    return shown.strip().strip("[]").translate(_LOWERED)


def number_in(token: Token) -> int:
    """The number of the note that an inline token refers to."""
    return int(token.meta.get(NUMBER, 0))


class NoteNumbers:
    """The numbers of a text's notes, from 1 on, in the order in which it first refers to them.

    A number that was given stays. While the text grows, what was read as text, because no note of that name had come,
    stays text, too.
    """

    def __init__(self, other: NoteNumbers | None = None) -> None:
        """As `other` has them, to go on from there without changing it."""
        self._numbers: dict[str, int] = dict(other._numbers) if other is not None else {}
        # names that are on the screen as text stay so, whoever counts on
        self._texts: set[str] = other._texts if other is not None else set()

    def __len__(self) -> int:
        return len(self._numbers)

    def count(self, leaves: Iterable[Leaf], references: Mapping[str, Mapping[str, Any]], *, growing: bool) -> None:
        """Goes on with leaves that come next; `references` are all that is known at that time."""
        cites = SENT in references
        if cites:
            from desktop_app.core.markdown.citation_marks import is_sent  # most texts cite nothing

        for leaf in leaves:
            for label in _referred(leaf, cites=cites):
                if label in self._numbers or label in self._texts:
                    continue
                known = NOTE + label in references or (cites and is_sent(label, references))
                if known or (growing and _is_expected(label)):
                    self._numbers[label] = len(self._numbers) + 1
                elif growing:
                    self._texts.add(label)

    def of(self, label: str) -> int:
        """The number of a note; 0: nothing refers to it."""
        return self._numbers.get(label, 0)

    def within(self, references: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Mapping[str, Any]]:
        """The references together with the numbers, for whoever reads a leaf."""
        if not self._numbers and not self._texts:
            return references
        texts = {NOTE + label for label in self._texts}
        made = {key: value for key, value in references.items() if key not in texts}
        for label, number in self._numbers.items():
            made[NOTE + label] = {**made.get(NOTE + label, {}), NUMBER: number}
        return made


def numbered(leaves: Iterable[Leaf], references: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Mapping[str, Any]]:
    """The references of a finished text, given all its leaves, together with the numbers of its notes."""
    numbers = NoteNumbers()
    if any(map(is_note, references)):
        numbers.count(leaves, references, growing=False)
    return numbers.within(references)


def _referred(leaf: Leaf, *, cites: bool) -> Iterator[str]:
    """The labels that a leaf refers to, if they have notes, in order; with the ids of passages where it `cites`."""
    if leaf.kind in {"code", "math", "rule", "plain"}:
        return
    scan = REFERENCES
    if cites:
        from desktop_app.core.markdown.citation_marks import cited_ids
        from desktop_app.core.projects import CITATION

        scan = f"{REFERENCES}|{CITATION}"
    sources = [leaf.text] if leaf.table is None else [cell for row in leaf.table.rows for cell in row]
    for source in sources:
        if "[^" in source or (cites and "[" in source):
            for found in re.finditer(scan, source, re.DOTALL):
                if found[2] is not None:
                    yield found[2]
                elif cites and found[3] is not None:
                    yield from cited_ids(found[3])


def _is_expected(label: str) -> bool:
    return label.isdecimal() and len(label) <= _MOST_DIGITS


def note_definition(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """The block rule: `[^label]:` and what follows, also indented paragraphs, between `note_open` and `note_close`.

    The label is in `meta` of the opening token, and with those of all notes in `notes` of the environment.
    """
    if state.is_code_block(first):
        return False
    found = re.compile(_DEFINITION).match(state.src, state.bMarks[first] + state.tShift[first], state.eMarks[first])
    if found is None:
        return False
    if silent:
        return True
    opening = state.push(_BEGIN, "", 1)
    opening.meta = {"label": found.group(1)}
    state.env.setdefault("notes", set()).add(found.group(1))
    outside = state.bMarks[first], state.tShift[first], state.sCount[first], state.parentType
    # for the blocks within it the line begins behind the label
    state.blkIndent += _INDENT
    state.bMarks[first], state.tShift[first], state.sCount[first] = found.end(), 0, state.blkIndent
    state.parentType = "note"
    state.md.block.tokenize(state, first, end)
    state.bMarks[first], state.tShift[first], state.sCount[first], state.parentType = outside
    state.blkIndent -= _INDENT
    opening.map = [first, state.line]
    state.push(_END, "", -1)
    return True


def note_reference(state: StateInline, silent: bool) -> bool:
    """The inline rule: a token `note` with the label as content, for labels that have a note."""
    if state.src[state.pos] != "[":
        return False
    if (found := re.compile(_REFERENCE).match(state.src, state.pos, state.posMax)) is None:
        return SENT in state.env.get("references", {}) and _cites(state, silent)
    label, references = found.group(1), state.env.get("references", {})
    of_whole_text = label in state.env.get("notes", ())
    if not of_whole_text and NOTE + label not in references and not ("\0" in references and _is_expected(label)):
        return False
    if not silent:
        token = state.push("note", "", 0)
        token.content = label
        # where a whole text is parsed at once, references are met in order
        given = state.env.setdefault(NUMBERS, {})
        number = given.setdefault(label, len(given) + 1) if of_whole_text else number_of(label, references)
        token.meta = {NUMBER: number}
    state.pos = found.end()
    return True


def _cites(state: StateInline, silent: bool) -> bool:
    from desktop_app.core.markdown.citation_marks import citation

    return citation(state, silent)
