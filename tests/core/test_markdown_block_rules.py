"""The rules that a line's first sign allows give the tokens that all rules give."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from desktop_app.core.markdown import markdown_dialect as dialect
from desktop_app.core.markdown.markdown_dialect import GROWING, block_parser
from tests.core.test_commonmark import EXAMPLES
from tests.core.test_markdown_sections import LINES

SIGNS = st.text(alphabet="a1 -=*+_>#`~$\\[]^():|\t\n\"'", max_size=60)
TEXTS = st.one_of(
    SIGNS, st.lists(st.one_of(LINES, st.text(alphabet="ab-=>|: 1.*$\\[]", max_size=8)), max_size=16).map("\n".join)
)


def every_rule_on_every_line() -> MarkdownIt:
    with patch.object(dialect, "try_by_sign", lambda parser: None):
        return block_parser()


BY_SIGN, BY_ALL = block_parser(), every_rule_on_every_line()


def same(text: str, *, growing: bool) -> None:
    by_sign: dict[str, Any] = {GROWING: growing}
    by_all: dict[str, Any] = {GROWING: growing}
    assert BY_SIGN.parse(text, by_sign) == BY_ALL.parse(text, by_all)
    assert by_sign.get("references") == by_all.get("references")


@pytest.mark.parametrize("growing", [False, True])
def test_examples_of_the_specification_are_read_the_same(growing: bool) -> None:
    for text in EXAMPLES:
        same(text["markdown"], growing=growing)


@given(TEXTS, st.booleans())
@settings(max_examples=400)
@example("a\n> b\n---\n- c\n===\n| a |\n|-|\n", False)
@example("> a\n> $$\nb\n===\n$$", True)
@example("- a\n\t- b\n\n    c\n=\n", False)
def test_any_text_is_read_the_same(text: str, growing: bool) -> None:
    same(text, growing=growing)
