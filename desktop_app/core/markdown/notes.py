"""Owns footnotes: which labels have a note, and what stands in the text for one. Knows nothing of blocks or screens.

A reference reads as its label, not as a number that is counted: so it can be shown before its note has come, and no
later note changes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

# Compiled by `re` with the first text, which takes time that a start need not pay.
_REFERENCE = r"\[\^([^\s\[\]]{1,60})\]"
_DEFINITION = _REFERENCE + r":[ \t]*"
_BEGIN, _END = "note_open", "note_close"
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
#: What the labels of notes begin with among the link references, where no label of a link can begin so.
_NOTE = "\0^"

#: Says that notes may still come: until then whatever is a number is taken for one.
EXPECTED: Mapping[str, Mapping[str, Any]] = {"\0": {}}
_MOST_DIGITS = 3
#: So far the further paragraphs of a note are indented (columns).
_INDENT = 4


def defined_notes(tokens: Iterable[Token]) -> dict[str, Mapping[str, Any]]:
    """The notes that are defined in block tokens, in the form of link references."""
    return {
        _NOTE + str(token.meta["label"]): {"map": list(token.map or (0, 0))} for token in tokens if token.type == _BEGIN
    }


def note_references(labels: Iterable[str]) -> dict[str, Mapping[str, Any]]:
    """Link references under which these labels are those of notes."""
    return {_NOTE + label: {} for label in labels}


def is_note(reference: str) -> bool:
    """True for the key of a note among the link references."""
    return reference.startswith("\0")


def marker_of(label: str) -> str:
    """How the first leaf of a note is marked, as it is written."""
    return f"[^{label}]:"


def label_of(marker: str) -> str:
    """The label of a note by its marker or by a reference to it; empty for what is neither."""
    return marker.removesuffix(":")[2:-1] if marker.startswith("[^") else ""


def shown_reference(label: str) -> str:
    """What stands in the text for a note: a raised number, or its name in brackets."""
    return label.translate(_RAISED) if label.isascii() and label.isdecimal() else f"[{label}]"


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
    found = re.compile(_REFERENCE).match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    label, references = found.group(1), state.env.get("references", {})
    defined = _NOTE + label in references or label in state.env.get("notes", ())
    expected = "\0" in references and label.isdecimal() and len(label) <= _MOST_DIGITS
    if not defined and not expected:
        return False
    if not silent:
        state.push("note", "", 0).content = label
    state.pos = found.end()
    return True
