"""The title that a thread gets from its first words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.controller.titles import LONGEST, title_from


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("", ""),
        ("Hello", "Hello"),
        ("  two\n\nlines  ", "two lines"),
        ("word " * 40, "word " * 11 + "word…"),
        ("日" * 100, "日" * 59 + "…"),
    ],
)
def test_takes_the_first_words(text: str, title: str) -> None:
    assert title_from(text) == title


@given(st.text(max_size=400))
def test_is_one_short_line(text: str) -> None:
    title = title_from(text)
    assert len(title) <= LONGEST
    assert title == " ".join(title.split())
