"""Footnotes: references that have a note are read as such, all others stay as they were written."""

from __future__ import annotations

import pytest

from desktop_app.core.markdown.inline import Inline, parse_inline
from desktop_app.core.markdown.leaves import Leaf
from desktop_app.core.markdown.notes import EXPECTED, label_of, note_references
from desktop_app.core.markdown.parser import block_parser, inline_parser
from desktop_app.core.markdown.stream import BlockStream, parse_blocks

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
    _, references = parse_blocks(block_parser(), text)
    return parse_inline(inline_parser(), source, references)


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


def test_a_reference_reads_as_its_raised_number_or_its_name() -> None:
    made = read("Text[^1] and more[^name], again[^1].", TEXT)
    assert made.text == "Text¹ and more[name], again¹."
    assert [(span.kind, span.target) for span in made.spans] == [
        ("note", "[^1]"),
        ("note", "[^name]"),
        ("note", "[^1]"),
    ]


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
    assert read("x[^2]", "[^2]:").text == "x²"


def test_while_more_may_come_numbers_are_taken_for_references() -> None:
    made = parse_inline(inline_parser(), "a[^1] b[^12] c[^name] d[^2026]", EXPECTED)
    assert made.text == "a¹ b¹² c[^name] d[^2026]"


def test_references_are_made_for_text_that_is_copied() -> None:
    assert parse_inline(inline_parser(), "a[^x]", note_references(["x"])).text == "a[x]"


def test_the_beginning_of_a_note_is_not_shown_as_text() -> None:
    stream = BlockStream(block_parser())
    stream.feed("A paragraph.\n\n")
    for letter in "[^1]: ":
        stream.feed(letter)
        assert [leaf.text for block in stream.blocks for leaf in block.leaves] == ["A paragraph."]
    stream.feed("N")
    assert [leaf.text for block in stream.blocks for leaf in block.leaves] == ["A paragraph.", "N"]
    assert stream.blocks[1].leaves[0].marker == "[^1]:"
