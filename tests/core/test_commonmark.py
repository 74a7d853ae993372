"""The 652 examples of CommonMark 0.31.2: the dialect conforms but where it is meant to differ, and blocks lose nothing.

Their licence is told beside them (tests/data/commonmark/LICENSE.md).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from desktop_app.core.markdown.block_stream import BlockStream, References, parse_blocks
from desktop_app.core.markdown.blocks import Block, Leaf
from desktop_app.core.markdown.inline_text import LINE_BREAK, parse_inline
from desktop_app.core.markdown.markdown_dialect import block_parser, inline_parser

DATA = Path(__file__).parents[1] / "data" / "commonmark" / "examples-0.31.2.json"
EXAMPLES: list[dict[str, Any]] = json.loads(DATA.read_text("utf-8"))
SECTIONS = tuple(dict.fromkeys(example["section"] for example in EXAMPLES))
BLOCKS, INLINE, RENDERER = block_parser(), inline_parser(), MarkdownIt("commonmark")

#: HTML in a message is text: nothing of it is ever interpreted.
HTML_IS_TEXT = {
    21, 31, *range(148, 192), 201, 308, 309, 344, 475, 476, 477, 491, 494, 524, 536, *range(613, 618), 623,
    *range(625, 632), 642, 643,
}  # fmt: skip
#: `\\[\\\\\\]` is a formula: models write displayed formulas so.
FORMULA = {12}
#: A bare word is no address: its definition would be shown nowhere.
NO_ADDRESS = {203, 204}
#: An empty quote is written by the library without the line break that the spec's program puts into it.
WRITTEN_OTHERWISE = {
    218: "<blockquote></blockquote>",
    239: "<blockquote></blockquote>",
    240: "<blockquote></blockquote>",
}


def tokens_of(markdown: str) -> list[Token]:
    """What our two parsers make of a text, as one list."""
    env: dict[str, Any] = {}
    tokens = BLOCKS.parse(markdown, env)
    for token in tokens:
        if token.type == "inline":
            token.children = []
            INLINE.inline.parse(token.content, INLINE, env, token.children)
            for child in token.children:
                if child.type == "text_special":
                    child.type = "text"
    return tokens


def html_of(markdown: str) -> str:
    return str(RENDERER.renderer.render(tokens_of(markdown), RENDERER.options, {}))


def has_html(markdown: str) -> bool:
    tokens = MarkdownIt("commonmark").parse(markdown)
    return any(t.type == "html_block" or any(c.type == "html_inline" for c in t.children or ()) for t in tokens)


def every_one_holds(section: str, holds: Callable[[Mapping[str, Any]], None]) -> None:
    """Tries all examples of a section and tells each that fails, with its number: a test for each would cost more than
    the examples do.
    """
    wrong: list[AssertionError] = []
    for example in (example for example in EXAMPLES if example["section"] == section):
        try:
            holds(example)
        except AssertionError as error:
            error.add_note(f"example {example['example']}: {example['markdown']!r}")
            wrong.append(error)
    if wrong:
        raise ExceptionGroup(f"{len(wrong)} examples of “{section}”", wrong)


@pytest.mark.parametrize("section", SECTIONS)
def test_the_dialect_conforms(section: str) -> None:
    every_one_holds(section, conforms)


def conforms(example: Mapping[str, Any]) -> None:
    number, markdown, expected = example["example"], example["markdown"], example["html"]
    if number in HTML_IS_TEXT:
        assert has_html(markdown)
        without = MarkdownIt("commonmark", {"html": False})
        without.disable(["html_block", "html_inline"])
        assert html_of(markdown) == without.render(markdown)
        assert "&lt;" in html_of(markdown)
    elif number in FORMULA:
        (token,) = [child for one in tokens_of(markdown) for child in one.children or () if child.type == "math_inline"]
        assert token.content == r"\[\\\]"
    elif number in NO_ADDRESS:
        assert letters(plain(html_of(markdown))) == letters(markdown)
    elif number in WRITTEN_OTHERWISE:
        assert html_of(markdown) == expected.replace("<blockquote>\n</blockquote>", WRITTEN_OTHERWISE[number])
    else:
        assert html_of(markdown) == expected


def test_there_are_all_of_them() -> None:
    assert [example["example"] for example in EXAMPLES] == list(range(1, 653))
    assert sum(example["section"] in SECTIONS for example in EXAMPLES) == 652


class _Text(HTMLParser):
    """The words of a page: its text, the descriptions of images, and the addresses of those without."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "img":
            self.words.append(found.get("alt") or found.get("src") or "")


def plain(html: str) -> str:
    reader = _Text()
    reader.feed(html)
    reader.close()
    return "".join(reader.words)


def shown(leaves: Iterable[Leaf], references: References) -> str:
    """What rows of these leaves read."""
    read: list[str] = []
    for leaf in leaves:
        if leaf.table is not None:
            read += [parse_inline(INLINE, cell, references).text for row in leaf.table.rows for cell in row]
        elif leaf.kind in {"code", "math"}:
            read.append(leaf.text)
        else:
            read.append(parse_inline(INLINE, leaf.text, references).text)
    return "\n".join(read)


def letters(text: str) -> str:
    """Without white space, which the canvas sets in its own way."""
    return "".join(text.replace(LINE_BREAK, " ").split())


@pytest.mark.parametrize("section", SECTIONS)
def test_blocks_lose_nothing(section: str) -> None:
    every_one_holds(section, loses_nothing)


def loses_nothing(example: Mapping[str, Any]) -> None:
    """Every word of the page that the spec expects stands in the leaves, in order; where HTML is text, of our page."""
    blocks, references = parse_blocks(BLOCKS, example["markdown"])
    read = letters(shown((leaf for block in blocks for leaf in block.leaves), references))
    if example["example"] in FORMULA:
        assert read == "!\"#$%&'()*+,-./:;<=>?@\\\\^_`{|}~"
        return
    page = html_of(example["markdown"]) if example["example"] in HTML_IS_TEXT | NO_ADDRESS else example["html"]
    assert read == letters(plain(page))


@pytest.mark.parametrize("text", ["[Answer]: 42", "[1]: Smith", "> [Result]:\n> yes", "- [x]: done\n- [y]: 1,000"])
def test_what_defines_no_link_is_shown(text: str) -> None:
    blocks, references = parse_blocks(BLOCKS, text)
    read = letters(shown((leaf for block in blocks for leaf in block.leaves), references))
    assert read == letters(text.replace("> ", "").replace("- ", ""))


FRAGMENTS = [
    "Words[^1] and [^name]", "[^1]: A note\n", "[^1]:", "[^name]: A *note*\n\n    goes on\n", "[^", "]: ", "[^9]",
    "$x^2$", "\\(a\\)", "\\[", "\\]", "$$", "\n$$\nx\n$$\n", "\\[ y\n", "z \\]\n", "$5", "\n\n", "\n", "- ", "> ",
    "1. ", "    ", "# ", "```\n", "| a | $b$ |\n|---|---|\n", "**", "[x]: /u\n", "[x]: 42\n", "text ", "\n1|\n", ":-",
    "-|-",
]  # fmt: skip
GENERATED = st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("".join)
SPECIFIED = st.lists(st.sampled_from([example["markdown"] for example in EXAMPLES]), min_size=1, max_size=3)
TEXTS = st.one_of(GENERATED, SPECIFIED.map("\n".join), st.tuples(GENERATED, SPECIFIED).map(lambda t: t[0] + t[1][0]))


@given(TEXTS, st.lists(st.integers(1, 30), min_size=1, max_size=8))
@hypothesis.example("> \\[~~~\n\\[\\]\n~~~\n", [1])  # a quote ends with an open formula
@hypothesis.example("text\n1|\n:-1", [1])  # the line beneath a head goes on
@settings(max_examples=300, deadline=None)
def test_any_chunks_give_the_blocks_of_the_whole(text: str, cuts: list[int]) -> None:
    stream = BlockStream(BLOCKS)
    closed: list[Block] = []
    start = number = 0
    while start < len(text):
        size = cuts[number % len(cuts)]
        stream.feed(text[start : start + size])
        assert list(stream.closed[: len(closed)]) == closed, "a closed block never changes"
        closed = list(stream.closed)
        start, number = start + size, number + 1
    stream.finish()
    whole, references = parse_blocks(BLOCKS, text)
    assert stream.blocks == whole
    assert {key: found.get("href") for key, found in stream.references.items()} == {
        key: found.get("href") for key, found in references.items()
    }
