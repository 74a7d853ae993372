"""Every reader of text that the app did not write and that needs no window, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from desktop_app.core.context.overflow_report import counts_bytes, read_overflow
from desktop_app.core.context.sent_content import (
    ALL_SIGHT,
    clean_text,
    content_of,
    decoded_parts,
    imitates_note,
    one_line,
)
from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_estimator import TokenEstimator, split_text
from desktop_app.core.markdown.block_building import plain_blocks
from desktop_app.core.markdown.block_stream import BlockStream, parse_blocks
from desktop_app.core.markdown.blocks import inner_source, is_demanding
from desktop_app.core.markdown.footnotes import numbered
from desktop_app.core.markdown.formula_text import readable_formula
from desktop_app.core.markdown.inline_text import formula_inline, parse_inline, plain_inline
from desktop_app.core.markdown.markdown_dialect import block_parser, inline_parser, whole_parser
from desktop_app.core.markdown.sections import Section, sections
from desktop_app.core.markdown.unclosed_marks import growing_word, healed
from desktop_app.core.messages import Message, TextPart
from desktop_app.core.passage_ranking import question_terms, snippet
from desktop_app.core.prompts import PromptTemplate, escaped, suggested_title
from desktop_app.core.redaction import found_secrets
from desktop_app.core.search_terms import FindPattern, index_text, needles, places, terms_at
from desktop_app.core.titles import first_words, title_of_answer
from desktop_app.logs import redacted
from desktop_app.ui.spelling.field_spelling import code_lines, words_of
from desktop_app.ui.transcript.formulas.formula_typesetter import prepared

Reader = Callable[[str], object]

_BLOCKS, _INLINE, _WHOLE = block_parser(), inline_parser(), whole_parser()
_ESTIMATOR = TokenEstimator.seeded("unknown")

#: Sections of a long text that are near the view, at most: each is higher than the view, or nearly.
NEAR = 4
#: Characters in a delta, and the longest text that is streamed so: deltas of a few characters.
DELTA = 5


def _stream(text: str, delta: int) -> None:
    """Reads a growing text as the transcript does: blocks, then the leaf that grows."""
    stream = BlockStream(_BLOCKS)
    for start in range(0, len(text), delta):
        stream.feed(text[start : start + delta])
        for block in stream.tail:
            for leaf in block.leaves[-1:]:
                if leaf.kind in ("paragraph", "heading"):
                    parse_inline(_INLINE, healed(leaf.text), stream.references)
    stream.finish()


def _at_once(text: str) -> None:
    _read(sections(text))


def _shown(text: str) -> None:
    """Reads a finished text as the window does that opens it: what is far from the view only has its room."""
    _read(sections(text)[-NEAR:])


def _read(parts: Sequence[Section]) -> None:
    for section in parts:
        blocks, references = parse_blocks(_BLOCKS, section.text, section.first_line, section.head)
        leaves = [leaf for block in blocks for leaf in block.leaves]
        known = numbered(leaves, references)
        for leaf in leaves:
            if leaf.table is not None:
                for row in leaf.table.rows:
                    for cell in row:
                        parse_inline(_INLINE, cell, known)
            elif leaf.kind in ("paragraph", "heading"):
                parse_inline(_INLINE, leaf.text, known)


def _content(text: str) -> None:
    message = Message("m", "t", None, "assistant", (TextPart(text),), "2026-01-01T00:00:00Z")
    content_of(message, {}, backend="anthropic", labels=True, running=False, sight=ALL_SIGHT)


def _typed(text: str) -> None:
    for block in plain_blocks(text):
        for leaf in block.leaves:
            plain_inline(leaf.text)


def _formulas(text: str) -> None:
    readable_formula(text)
    formula_inline(text)
    inner_source(text)
    if not is_demanding(text):
        with suppress(ValueError):
            prepared(text)


def _template(text: str) -> None:
    PromptTemplate(text).filled({"a": "b"})
    escaped(text)


def _found(text: str) -> None:
    wanted = needles('a "b c" 中文 ab')
    snippet(text, wanted)
    FindPattern("a b'c").spans(text)
    FindPattern("a.b").may_be_in(text)


def _spelling(text: str) -> None:
    lines = text.split("\n")
    code_lines(lines)
    for line in lines:
        words_of(line)


def _html(text: str) -> None:
    _WHOLE.parse(text, {})


READERS: Mapping[str, Reader] = {
    "markdown at once": _at_once,
    "markdown, shown": _shown,
    "markdown, whole": _html,
    "typed text": _typed,
    "healing": healed,
    "growing word": growing_word,
    "formula": _formulas,
    "what is sent": _content,
    "imitated notes": imitates_note,
    "one line": one_line,
    "roles": clean_text,
    "JSON blocks": decoded_parts,
    "overflow": lambda text: (read_overflow(text), counts_bytes(text)),
    "tokens": features,
    "cut": lambda text: split_text(text, 1_000, _ESTIMATOR),
    "first words": first_words,
    "title": title_of_answer,
    "suggested title": suggested_title,
    "prompt": _template,
    "index": index_text,
    "places": lambda text: sum(1 for _ in places(text[:50_000])),
    "terms": lambda text: sum(1 for _ in terms_at(text[:50_000])),
    "needles": needles,
    "search": _found,
    "needle of the text": lambda text: FindPattern(text).spans(text),
    "question": question_terms,
    "spelling": _spelling,
    "log": redacted,
    "secrets": found_secrets,
}
STREAMED: Mapping[str, Reader] = {
    "markdown streamed by letters": lambda text: _stream(text, DELTA),
}
