"""A block without an end is cut: streamed, at once or in sections it reads the same, and each line costs the same."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from types import FrameType
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from desktop_app.core.markdown import block_stream as markdown_stream
from desktop_app.core.markdown import long_blocks
from desktop_app.core.markdown.block_building import blocks_from, plain_blocks
from desktop_app.core.markdown.block_stream import MOST_LINES, BlockStream, parse_blocks
from desktop_app.core.markdown.blocks import TASK_OPEN, Leaf
from desktop_app.core.markdown.markdown_dialect import MOST_COLUMNS, block_parser
from desktop_app.core.markdown.sections import LONG_CHARACTERS, LONG_FENCE, LONG_LINES, sections

LINES = 1_000
LONG = {
    "tasks": "- [ ] do it\n" * LINES,
    "numbers": "".join(f"{number}. do it\n" for number in range(1, LINES + 1)),
    "quote": "> words\n" * LINES,
    "paragraph": "some words\n" * LINES,
    "table": "| a | b |\n|---|--:|\n" + "| x | y |\n" * LINES,
    "quoted code": "> ```py\n" + "> x = 1\n" * LINES,
    "nested lists": "- a\n  - b\n    - c\n" * (LINES // 3),
    "letters": "a\n" * LINES,
    "brackets": "[a\n" * LINES,
    "code": "```py\n" + "x = 1\n" * LINES,
    "code, closed": "```py\n" + "x = 1\n" * LINES + "```\n\nAnd words.\n",
    "code, then a paragraph": "  ```\n" + "x = 1\n" * 310 + "  ```\n" + "some words\n" * 200,
    "a line": "word " * 40_000,
    "list, then words": "- a\n" * LINES + "\nThe end of it.\n",
}


def streamed(text: str, size: int) -> BlockStream:
    stream = BlockStream(block_parser())
    for start in range(0, len(text), size):
        stream.feed(text[start : start + size])
    stream.finish()
    return stream


def at_once(text: str) -> list[Leaf]:
    return [leaf for block in parse_blocks(block_parser(), text)[0] for leaf in block.leaves]


def in_sections(text: str) -> list[Leaf]:
    parser = block_parser()
    return [
        leaf
        for section in sections(text)
        for block in parse_blocks(parser, section.text, section.first_line, section.head)[0]
        for leaf in block.leaves
    ]


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_streamed_in_any_chunks_it_is_what_it_is_at_once(text: str) -> None:
    whole = parse_blocks(block_parser(), text)[0]
    assert "".join(block.source for block in whole).replace("\n", "").replace(" ", "") == text.replace(
        "\n", ""
    ).replace(" ", "")
    for size in (61, 997, 20_000):
        assert streamed(text, size).blocks == whole


FENCED = "  ```\n" + "text\n" * 7 + "\n1\n  ```\n"
PARTS = st.lists(
    st.sampled_from(
        [
            "- a",
            "> c",
            "- [ ] d",
            "",
            "  e",
            "    f",
            "1. g",
            "> - h",
            "- ```",
            "  ```",
            "[x]: /u",
            "-",
            "> ",
            "- $$",
            "> $$",
            "[^1]: n",
            "| a |",
            "|-|",
            "> ~~~",
            "text",
            "text",
            "```",
            "# H",
            "$$",
            "\\[",
            "\\]",
            "---",
            "1|",
        ]
    ),
    max_size=24,
).map("\n".join)


@given(PARTS, st.integers(1, 9))
@example(FENCED + "- $$" + "\ntext" * 6, 1)
@example(FENCED + "- $$\ntext\ntext\n- [x]: /u\ntext\ntext\n- item\ntext", 1)
@settings(max_examples=200, deadline=None)
def test_where_parts_are_short_any_chunks_give_the_blocks_of_the_whole(text: str, size: int) -> None:
    with patch.object(markdown_stream, "MOST_LINES", 6):
        assert streamed(text, size).blocks == parse_blocks(block_parser(), text)[0]


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_what_stands_before_a_cut_is_what_it_would_be_without_the_rest(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = parse_blocks(block_parser(), text)[0]
    monkeypatch.setattr(long_blocks, "before", lambda _blocks, _line: None)  # each part is read again
    assert parse_blocks(block_parser(), text)[0] == blocks


@pytest.mark.parametrize("name", ["tasks", "numbers", "quote", "nested lists"])
def test_a_part_is_read_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    parser = block_parser()
    read: list[int] = []
    parse = parser.parse

    def counted(text: str, env: dict[str, Any]) -> object:
        read.append(text.count("\n"))
        return parse(text, env)

    monkeypatch.setattr(parser, "parse", counted)
    parse_blocks(parser, LONG[name])
    assert sum(read) < (1.1 if name != "quote" else 2.1) * LINES, "of a paragraph only the last line is unknown"


@pytest.mark.parametrize("name", ["tasks", "numbers", "nested lists", "list, then words"])
def test_items_stay_items(name: str) -> None:
    text = LONG[name]
    leaves = at_once(text)
    assert sum(bool(leaf.marker) for leaf in leaves) == text.count("\n") - 2 * (name == "list, then words")
    assert [leaf.marker for leaf in in_sections(text)] == [leaf.marker for leaf in leaves]
    if name == "tasks":
        assert {leaf.marker for leaf in leaves} == {TASK_OPEN}
    if name == "numbers":
        assert [leaf.marker for leaf in leaves][-2:] == [f"{LINES - 1}.", f"{LINES}."]


@pytest.mark.parametrize("read", [at_once, in_sections])
def test_a_long_table_stays_one_with_one_header(read: Callable[[str], list[Leaf]]) -> None:
    leaves = read(LONG["table"])
    tables = [leaf.table for leaf in leaves if leaf.table is not None]
    assert len(tables) == len(leaves)
    assert [table.has_header for table in tables] == [True] + [False] * (len(tables) - 1)
    assert [row for table in tables for row in table.rows] == [("a", "b")] + [("x", "y")] * LINES
    assert {table.alignments for table in tables} == {("left", "right")}


def test_code_in_a_quote_stays_code() -> None:
    for leaves in (
        in_sections(LONG["quoted code"] * 2),
        at_once(LONG["quoted code"] * 5),
    ):
        assert {(leaf.kind, leaf.containers, leaf.language) for leaf in leaves if leaf.text.startswith("x")} == {
            ("code", "q", "py")
        }
        assert not [leaf for leaf in leaves if leaf.kind == "paragraph"]


def test_no_section_is_long_but_for_code() -> None:
    for name, text in LONG.items():
        if name.startswith("code"):
            continue
        for section in sections(text):
            assert section.text.count("\n") <= max(2 * LONG_LINES, LONG_FENCE + 2 * MOST_LINES)
            assert len(section.text) <= 4 * LONG_CHARACTERS
        assert "".join(section.text for section in sections(text)) == text


def test_a_table_of_very_many_columns_is_text() -> None:
    for columns, kind in ((MOST_COLUMNS - 1, "table"), (MOST_COLUMNS, "paragraph"), (16_000, "paragraph")):
        row = "|a" * columns + "|\n"
        leaves = [
            leaf
            for block in parse_blocks(block_parser(), row + "|-" * columns + "|\n" + row)[0]
            for leaf in block.leaves
        ]
        assert {leaf.kind for leaf in leaves} == {kind}


def counted(work: Callable[[], Any]) -> int:
    """Lines of Python that run."""
    count = 0

    def trace(_frame: FrameType, event: str, _argument: object) -> Callable[..., Any]:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("unit", ["```a\n\n", "~~~~\n```\n", "```\n~~~\n"])
def test_fences_of_a_typed_text_cost_their_length(unit: str) -> None:
    short, long = (counted(partial(plain_blocks, unit * count)) for count in (500, 2_000))
    assert long < 5 * short


@pytest.mark.parametrize("name", ["tasks", "letters", "table", "brackets"])
def test_a_chunk_costs_no_more_behind_a_long_text(name: str) -> None:
    text = LONG[name]

    def last_chunks(lines: int) -> int:
        stream = BlockStream(block_parser())
        head = "".join(_lines(text, lines))
        stream.feed(head)
        rest = list(_lines(text, 1_000))[-20:]

        def feed() -> None:
            for one in rest:
                stream.feed(one)

        return counted(feed)

    assert last_chunks(960) < 2 * last_chunks(MOST_LINES + 50)


def _lines(text: str, count: int) -> Iterator[str]:
    return iter(text.splitlines(keepends=True)[:count])


@pytest.mark.parametrize("end", ["", "\n", "\n\n", "x", "  ", "  \n", "```", " ``` ", "```\n", "``", "```\nText.\n"])
@pytest.mark.parametrize("lines", [0, 1, 1_000])
def test_a_fence_at_the_end_is_what_the_parser_says(end: str, lines: int) -> None:
    text = "```py\n" + "a\n" * lines + end
    parser = block_parser()
    whole = tuple(blocks_from(parser.parse(text, {}), text.split("\n"), 0))
    assert parse_blocks(parser, text)[0] == whole
    stream = BlockStream(parser)
    for start in range(0, len(text), 7):
        stream.feed(text[start : start + 7])
    stream.finish()
    assert stream.blocks == whole


def test_a_fence_without_end_is_not_read_again_when_the_text_is_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    parser = block_parser()
    read: list[int] = []
    parse = parser.parse

    def counted(text: str, env: dict[str, Any]) -> object:
        read.append(len(text))
        return parse(text, env)

    monkeypatch.setattr(parser, "parse", counted)
    for way in ("at once", "fed"):
        read.clear()
        stream = BlockStream(parser)
        text = "```\n" + "\n" * 64_000
        for piece in (text,) if way == "at once" else ("```\n", text[4:]):
            stream.feed(piece)
        stream.finish()
        assert sum(read) < 1_000, way
