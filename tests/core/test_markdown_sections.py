"""A long text read in sections gives the blocks of the whole."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from desktop_app.core.markdown.block_stream import parse_blocks
from desktop_app.core.markdown.blocks import Leaf
from desktop_app.core.markdown.markdown_dialect import block_parser
from desktop_app.core.markdown.sections import sections
from tests.benchmarks.bench_transcript import text_of

PARSER = block_parser()
LINES = st.sampled_from(
    ["text", "", "", "", "**Bold** text", "- item", "- more", "  inner", "   deeper", "    four", "1. one", "2) two",
     "> quote", "# Heading", "### Third", "```", "```py", "~~~", "  ```", "  ```py", "   ~~~", "- ```", "> ```",
     "    ```", "``` a`", "```a|b", "---|---", "| a | b |", "|---|---|", "a | b", "---", "===", "***", "$$", "$$x$$",
     "\\[", "\\]", "\ttab", "[x]: /u", "[x", "y]: /u", "- [x]: /u", "中文", "`code`"]
)  # fmt: skip
TEXTS = st.lists(LINES, max_size=40).map("\n".join)


def leaves_of(text: str, size: int) -> list[Leaf]:
    return [
        leaf
        for section in sections(text, size)
        for block in parse_blocks(PARSER, section.text, section.first_line)[0]
        for leaf in block.leaves
    ]


def whole(text: str) -> list[Leaf]:
    return [leaf for block in parse_blocks(PARSER, text)[0] for leaf in block.leaves]


@pytest.mark.slow
@given(TEXTS)
@example("- ```\n\ntext\n\n```\n\ntext")
@example("- ```\n\n# Heading")
@example("text\n\n  ```\n\ntext\n\n```\n\ntext\n\ntext")
@example("- a\n\n  ```\n\ntext\n\n  ```\n\ntext\n\nmore\n\nmore")
@example("$$\n```\n$$\n\n```\n\ntext\n\ntext")
@example("```a|b\n---|---\n\ntext\n\n```\n\ntext")
@settings(max_examples=2_000, deadline=None)
def test_sections_have_the_leaves_of_the_whole(text: str) -> None:
    assert leaves_of(text, 1) == whole(text)


@given(TEXTS)
@settings(max_examples=500, deadline=None)
def test_the_leaf_above_a_cut_is_text_where_its_kind_matters(text: str) -> None:
    found = whole(text)
    for section in sections(text, 1)[1:]:
        place = next(index for index, leaf in enumerate(found) if leaf.first_line >= section.first_line)
        above, below = found[place - 1], found[place]
        assert below.containers == ""
        assert below.kind == "heading" or above.kind in {"paragraph", "math"}


def test_a_long_answer_falls_into_sections_of_about_the_size_asked_for() -> None:
    text = text_of(random.Random(3), 50_000)
    sizes = [len(section.text) for section in sections(text, 4_000)]
    assert len(sizes) > 8
    assert max(sizes) < 9_000


@pytest.mark.parametrize("text", ["[a]: /u\n\n" + "text\n\n" * 40, "```\n" + "text\n\n" * 40, "text"])
def test_what_can_not_be_cut_stays_whole(text: str) -> None:
    assert len(sections(text, 10)) == 1
