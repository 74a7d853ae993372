"""Text that grows gives the blocks that the whole text gives, and closed blocks never change."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from desktop_app.core.markdown.block_building import folded, pieces, plain_blocks
from desktop_app.core.markdown.block_stream import BlockStream, parse_blocks
from desktop_app.core.markdown.blocks import Block, Leaf
from desktop_app.core.markdown.markdown_dialect import block_parser
from tests.counted_calls import CountedCalls

PARSER = block_parser()

FRAGMENTS = st.sampled_from(
    ["a", "word ", " ", "\n", "\n\n", "- ", "* ", "+ ", "1. ", "2", "2. ", "3) ", "> ", "# ", "## ", "```", "```\n",
     "```py\n", "~~~\n", "`", "|", "| a | b |\n", "|---|---|\n", "    ", "  ", "\t", "---", "===", "[x]: /u\n", "[x]:",
     "[ ] ", "[x] ", "$$", "\\[", "\\]", "[^1]", "[^1]: ", "**", '"t', "\r\n", "\r", "<b>", "\0", "中", "🚀"]
)  # fmt: skip
TEXTS = st.lists(FRAGMENTS, max_size=30).map("".join)
CUTS = st.lists(st.integers(1, 9), min_size=1, max_size=12)


def leaves(text: str) -> list[Leaf]:
    return [leaf for block in parse_blocks(PARSER, text)[0] for leaf in block.leaves]


def kinds(text: str) -> list[tuple[str, str, str, str]]:
    return [(leaf.kind, leaf.containers, leaf.marker, leaf.text) for leaf in leaves(text)]


@given(TEXTS, CUTS)
@example("1. a\n\n2. b\n", [1])
@example('para\n\n[foo]: /url\n"tit\nle"\nmore\n', [1])
@example("- a\n\n--\n\nb\n", [1])
@example("para\n| a | b |\n|---|---|\n| c |\n\nend", [1])
@settings(max_examples=400, deadline=None)
def test_any_chunks_give_the_blocks_of_the_whole(text: str, cuts: list[int]) -> None:
    stream = BlockStream(PARSER)
    closed: list[Block] = []
    start = number = 0
    while start < len(text):
        size = cuts[number % len(cuts)]
        stream.feed(text[start : start + size])
        assert list(stream.closed[: len(closed)]) == closed
        closed = list(stream.closed)
        start, number = start + size, number + 1
    stream.finish()
    whole, references = parse_blocks(PARSER, text)
    assert stream.blocks == whole
    assert {k: v.get("href") for k, v in stream.references.items()} == {k: v.get("href") for k, v in references.items()}


@given(TEXTS)
@settings(max_examples=100, deadline=None)
def test_lines_of_leaves_lie_in_the_source(text: str) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    for leaf in leaves(text):
        assert 0 <= leaf.first_line <= leaf.end_line <= lines


def test_lists_are_one_leaf_per_item() -> None:
    text = "1. one\n   ```sh\n   ls\n   ```\n2. two\n   - [x] done\n   - [ ] open\n\n> quote\n"
    assert kinds(text) == [
        ("paragraph", "o", "1.", "one"),
        ("code", "o", "", "ls\n"),
        ("paragraph", "o", "2.", "two"),
        ("paragraph", "ou", "[x]", "done"),
        ("paragraph", "ou", "[ ]", "open"),
        ("paragraph", "q", "", "quote"),
    ]


def test_tables_keep_alignment_and_know_their_widest_cells() -> None:
    (leaf,) = leaves("| a | b |\n|:-:|--:|\n| longest | 1 |\n")
    assert leaf.table is not None
    assert leaf.table.alignments == ("center", "right")
    assert leaf.table.widest[0][0] == "longest"


def test_long_tables_and_paragraphs_come_in_pieces() -> None:
    table = leaves("| a |\n|---|\n" + "| x |\n" * 200)
    assert len(table) == 6
    assert [leaf.table is not None and leaf.table.has_header for leaf in table][:2] == [True, False]
    paragraph = leaves("word " * 10_000)
    assert len(paragraph) > 5
    assert "".join(leaf.text for leaf in paragraph).split() == ["word"] * 10_000


@pytest.mark.parametrize("tail", ["-", "--", "=", "1", "1.", "#", "```", "```py", "| a | b |", "$$", "- [x"])
def test_an_undecided_line_is_held_back(tail: str) -> None:
    stream = BlockStream(PARSER)
    stream.feed(f"A paragraph\n{tail}")
    assert [leaf.text for block in stream.blocks for leaf in block.leaves] == ["A paragraph"]


def test_an_open_fence_is_code_from_its_first_line_on() -> None:
    stream = BlockStream(PARSER)
    stream.feed("```python\nx = 1\ny")
    (block,) = stream.blocks
    assert (block.leaves[0].kind, block.leaves[0].language, block.leaves[0].text) == ("code", "python", "x = 1\ny")
    stream.feed(" = 2\n``")
    assert stream.blocks[0].leaves[0].text == "x = 1\ny = 2\n"
    stream.feed("`\nDone")
    assert len(stream.closed) == 1
    assert [leaf.kind for block in stream.blocks for leaf in block.leaves] == ["code", "paragraph"]


@pytest.mark.parametrize("text", ['```python title="x y"\nx = 1\n```\n', "> ~~~python a b\n> x = 1\n> ~~~\n"])
def test_all_of_a_fences_first_line_is_known(text: str) -> None:
    (whole,) = leaves(text)
    assert whole.language == "python"
    assert whole.info == text.splitlines()[0].lstrip("> `~")
    stream = BlockStream(PARSER)
    for sign in text:
        stream.feed(sign)
    stream.finish()
    assert [leaf for block in stream.blocks for leaf in block.leaves] == [whole]


def test_html_and_math_stay_source() -> None:
    assert kinds("<div onclick='x'>\n\nhello") == [
        ("paragraph", "", "", "<div onclick='x'>"),
        ("paragraph", "", "", "hello"),
    ]
    assert kinds("$$\na\n- b\n= c\n$$\n") == [("math", "", "", "$$\na\n- b\n= c\n$$")]


def test_appending_to_long_code_costs_little() -> None:
    stream = BlockStream(PARSER)
    stream.feed("```text\n" + "some line of code\n" * 20_000)
    with CountedCalls() as work:
        for _ in range(100):
            stream.feed("another line\n")
            assert stream.tail
    assert work.calls / 100 < 40


class Forgetful(dict[object, object]):
    """Remembers nothing."""

    def __setitem__(self, key: object, value: object) -> None:
        pass


@given(
    st.lists(st.sampled_from(["\\[", "\\]", "$$", "\n", "\n\n", "> ", "- ", "  ", "1. ", "a", " \\]\n"]), max_size=40)
)
@settings(max_examples=400)
def test_formulas_that_do_not_close_are_found_so_once(pieces: list[str]) -> None:
    text = "".join(pieces)
    tokens = [
        [(token.type, token.level, token.map, token.content) for token in PARSER.parse(text, env)]
        for env in ({}, {"unclosed formulas": Forgetful()})
    ]
    assert tokens[0] == tokens[1]


def test_lines_that_open_a_formula_cost_no_more_than_their_number() -> None:
    with CountedCalls() as work:
        blocks, _ = parse_blocks(PARSER, "\\[\n" * 4_000)
    assert work.calls < 82 * 4_000
    assert sum(leaf.text.count("\\[") for block in blocks for leaf in block.leaves) == 4_000


@pytest.mark.parametrize(
    ("text", "shown", "lines"),
    [
        ("a\n" * 9, None, 0),
        ("\n".join("abcdefghijkl"), "a\nb\nc\nd\ne\nf\ng\nh", 12),
        ("word " * 1_000, ("word " * 144).strip(), 56),
        ("字" * 1_000, "字" * 360, 23),
        ("Why?\n```\n" + "x\n" * 30 + "```\nAnd then?", None, 32),
        ("Why?\n```\n" + "x\n" * 30 + "```", None, 0),
    ],
)
def test_a_long_question_begins_with_eight_lines_and_code_in_it_stays_whole(
    text: str, shown: str | None, lines: int
) -> None:
    typed = [leaf for block in plain_blocks(text) for leaf in block.leaves]
    begins, told = folded(typed)
    assert told == lines
    if shown is not None:
        assert [leaf.text for leaf in begins] == [shown]
    assert all(leaf in typed for leaf in begins if leaf.kind == "code")


@pytest.mark.parametrize(
    ("sentence", "end"), [("The pilot book says so, and again on the phone. ", ". "), ("船长又说了一遍。", "。")]
)
def test_a_paragraph_that_is_drawn_in_pieces_is_cut_behind_a_sentence(sentence: str, end: str) -> None:
    text = sentence * (20_000 // len(sentence))
    cut = list(pieces(text))
    assert len(cut) > 2
    assert "".join(cut) == text
    assert all(piece.endswith(end) for piece in cut)
    assert list(pieces(text + "More. " * 3_000))[: len(cut) - 1] == cut[:-1], "what follows moves no cut"
    assert all(piece.endswith(" ") for piece in list(pieces("word " * 4_000))[:-1])
