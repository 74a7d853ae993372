"""Footnotes: references that have a note are read as its number, all others stay as they were written."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.core.markdown.block_stream import BlockStream, parse_blocks
from desktop_app.core.markdown.blocks import Leaf
from desktop_app.core.markdown.footnotes import EXPECTED, NoteNumbers, label_of, note_references, numbered, spoken_note
from desktop_app.core.markdown.inline_text import Inline, parse_inline
from desktop_app.core.markdown.markdown_dialect import block_parser, inline_parser

TEXT = """Text[^1] and more[^name].

[^1]: A note
that goes on.
[^name]: Another one

    with a paragraph

    - and a list

After all."""


def leaves_of(text: str) -> list[Leaf]:
    return [leaf for block in parse_blocks(block_parser(), text)[0] for leaf in block.leaves]


def read(source: str, text: str = "") -> Inline:
    blocks, references = parse_blocks(block_parser(), f"{source}\n\n{text}")
    leaves = [leaf for block in blocks for leaf in block.leaves]
    return parse_inline(inline_parser(), source, numbered(leaves, references))


def test_notes_are_blocks_of_their_own_with_their_label_as_marker() -> None:
    assert [(leaf.text, leaf.containers, leaf.marker) for leaf in leaves_of(TEXT)] == [
        ("Text[^1] and more[^name].", "", ""),
        ("A note\nthat goes on.", "n", "[^1]:"),
        ("Another one", "n", "[^name]:"),
        ("with a paragraph", "n", ""),
        ("and a list", "nu", "•"),
        ("After all.", "", ""),
    ]
    assert [label_of(leaf.marker) for leaf in leaves_of(TEXT)] == ["", "1", "name", "", "", ""]


def test_a_reference_reads_as_the_number_of_its_note_in_the_order_of_first_references() -> None:
    made = read("Text[^name] and more[^1], again[^name].", TEXT)
    assert made.text == "Text¹ and more², again¹."
    assert [(span.kind, span.target) for span in made.spans] == [
        ("note", "[^name]"),
        ("note", "[^1]"),
        ("note", "[^name]"),
    ]
    assert [spoken_note(made.text[span.start : span.end]) for span in made.spans] == ["1", "2", "1"]


@pytest.mark.parametrize(
    "before",
    ["`[^1]`", r"\[^1]", r"$x[^1]$", r"\(x[^1]\)", "``a ` [^1] ``", "[^2]", "```\n[^1]\n```", "$$\n[^1]\n$$"],
)
def test_what_is_no_reference_is_not_counted(before: str) -> None:
    made = read(f"{before}\n\nthen[^name] and[^1]", TEXT)
    assert made.text.endswith("then¹ and²")


def test_numbers_that_were_given_stay_when_notes_come_later() -> None:
    numbers = NoteNumbers()
    early = [Leaf("paragraph", "one[^x] two[^7] three[^3]", 0, 1)]
    numbers.count(early, {}, growing=True)
    text = "four[^x] five[^y] six[^7]"
    _, references = parse_blocks(block_parser(), "[^x]: A note\n\n[^y]: Another")
    late = NoteNumbers(numbers)
    late.count([Leaf("paragraph", text, 2, 3)], references, growing=True)
    assert [numbers.of(label) for label in ("7", "3", "x", "y")] == [1, 2, 0, 0]
    assert [late.of(label) for label in ("7", "3", "x", "y")] == [1, 2, 0, 3]
    made = parse_inline(inline_parser(), text, late.within({**references, **EXPECTED}))
    assert made.text == "four[^x] five³ six¹", "what was shown as text stays text"


@given(st.lists(st.sampled_from(["[^1]", "[^name]", "[^2]", " `a", "` ", "$x$", "$", "word ", "\\", "**b** ", "|"])))
@settings(max_examples=200)
def test_what_is_counted_is_what_is_read(pieces: list[str]) -> None:
    source = "w" + "".join(pieces)
    made = read(source, "[^1]: One\n\n[^2]: Two\n\n[^name]: Three")
    if any(leaf.kind != "paragraph" for leaf in leaves_of(source)):
        return
    shown = [made.text[span.start : span.end] for span in made.spans if span.kind == "note"]
    numbers = [int(spoken_note(text)) for text in dict.fromkeys(shown)]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("source", ["a[^2] b", "a[^] b", "a[^1 b", "a[^ 1] b", r"a\[^1] b", "a`[^1]` b", "[^a b]"])
def test_what_has_no_note_stays_as_it_was_written(source: str) -> None:
    made = read(source, TEXT)
    assert not [span for span in made.spans if span.kind == "note"]
    assert made.text.replace("\\", "") == source.replace("\\", "").replace("`", "")


def test_a_note_is_no_target_of_a_link() -> None:
    made = read("[text][^1] and [^1](http://e.org) and [a](http://e.org)", TEXT)
    assert made.text == "[text]¹ and ¹(http://e.org) and a"


def test_a_note_within_a_quote_or_without_a_word() -> None:
    assert [(leaf.containers, leaf.marker, leaf.text) for leaf in leaves_of("> [^1]: quoted\n\n[^2]:\n\n[^3]:")] == [
        ("qn", "[^1]:", "quoted"),
        ("n", "[^2]:", ""),
        ("n", "[^3]:", ""),
    ]
    assert read("x[^2]", "[^2]:").text == "x¹"


def test_while_more_may_come_numbers_are_taken_for_references() -> None:
    source = "a[^12] b[^1] c[^name] d[^2026]"
    numbers = NoteNumbers()
    numbers.count([Leaf("paragraph", source, 0, 1)], EXPECTED, growing=True)
    made = parse_inline(inline_parser(), source, numbers.within(EXPECTED))
    assert made.text == "a¹ b² c[^name] d[^2026]"


def test_references_are_made_for_text_that_is_copied() -> None:
    references = note_references({"x": "[x]", "y": "¹²"})
    assert parse_inline(inline_parser(), "a[^x] b[^y]", references).text == "a[x] b¹²"


def test_the_beginning_of_a_note_is_not_shown_as_text() -> None:
    stream = BlockStream(block_parser())
    stream.feed("A paragraph.\n\n")
    for letter in "[^1]: ":
        stream.feed(letter)
        assert [leaf.text for block in stream.blocks for leaf in block.leaves] == ["A paragraph."]
    stream.feed("N")
    assert [leaf.text for block in stream.blocks for leaf in block.leaves] == ["A paragraph.", "N"]
    assert stream.blocks[1].leaves[0].marker == "[^1]:"
