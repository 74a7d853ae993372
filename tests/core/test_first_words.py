"""The title that a thread gets from its first words reads as plain words."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from desktop_app.core.titles import LONGEST, first_words
from tests.counted_calls import CountedCalls

WORDS = st.lists(st.from_regex(r"[A-Za-zäß漢字0-9]{1,8}", fullmatch=True), min_size=1, max_size=5).map(" ".join)
MARKED = (
    "**{}**",
    "*{}*",
    "_{}_",
    "***{}***",
    "**_{}_**",
    "~~{}~~",
    "`{}`",
    "`` {} ``",
    "# {}",
    "### {} ###",
    "> {}",
    "- {}",
    "* {}",
    "- [ ] {}",
    "> - **{}**",
    "[{}](https://example.org/a_(b)?c=*d*)",
    '[{}](https://example.org "A title")',
    "[{}][reference]",
    "![{}](picture.png)",
    "**[{}](a.html)**",
    "{}\n====",
    "{}\n---",
    "```python\n{}\n```",
    "~~~\n{}\n~~~",
    "***\n\n{}",
    "| {} |\n|---|",
)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("", ""),
        ("Hello", "Hello"),
        ("  two\n\nlines  ", "two lines"),
        ("word " * 40, "word " * 11 + "word…"),
        ("日" * 100, "日" * 59 + "…"),
        ("**Hello** `x`", "Hello x"),
        ("# Heading\n\nand *more*", "Heading and more"),
        ("What does `**kwargs` mean?", "What does **kwargs mean?"),
        ("See [the page](https://example.org/x) first", "See the page first"),
        ("See <https://example.org/x> first", "See https://example.org/x first"),
        ("这是**重点**内容", "这是重点内容"),
        ("A \\*star\\*", "A *star*"),
        ("| Name | Age |\n|:---|---:|\n| Ann | 7 |", "Name Age Ann 7"),
        ("`a` and ``b`c``", "a and b`c"),
        ("__two words__ and _one_", "two words and one"),
    ],
)
def test_takes_the_first_words(text: str, title: str) -> None:
    assert first_words(text) == title


@pytest.mark.parametrize(
    "text",
    [
        "2 * 3 * 4 = 24",
        "2*3*4 and 2**3**4",
        "snake_case_name and a_b_c",
        "What does __init__ do?",
        "C# or F#?",
        "#hashtag and issue #7",
        "f(x)[0](1)",
        "a | b | c",
        "a < b > c",
        "-5 degrees",
        "1. of May",
        "[1] and [2]",
        "an `open tick",
        "**open emphasis",
        "~/notes and ~~",
    ],
)
def test_signs_that_mark_nothing_stay(text: str) -> None:
    assert first_words(text) == text


@pytest.mark.parametrize("marked", MARKED)
@given(words=WORDS, after=WORDS)
def test_no_mark_is_seen(marked: str, words: str, after: str) -> None:
    assert first_words(marked.format(words)) == first_words(words)
    assert first_words(f"{marked.format(words)}\n\n{after}") == first_words(f"{words} {after}")


@given(st.text(max_size=400) | st.text(alphabet="*_`~#>-|[]()!\\ \na\0", max_size=60))
@example("**")
@example("```\n```")
@example("[](x)")
@example("\0")
@example("#")
@example("``")
def test_is_one_short_line_and_never_empty(text: str) -> None:
    title = first_words(text)
    assert len(title) <= LONGEST
    assert title == " ".join(title.split())
    assert bool(title) == bool(text.strip())


@pytest.mark.parametrize("sign", ["*", "_", "`", "[", "[a](", "~", "**a ", "| ", "> ", "- "])
def test_a_text_of_signs_takes_no_time(sign: str) -> None:

    with CountedCalls() as work:
        assert first_words(sign * 100_000)
    assert work.calls < 4_000
