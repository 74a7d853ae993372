"""What a model is asked for a title costs few tokens; what it answers is one short line or nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.titles import LONGEST, MOST_INPUT, title_of_answer, title_prompt

ESTIMATOR = TokenEstimator.seeded("claude-2026")


@given(st.text(max_size=3_000), st.text(max_size=3_000))
def test_the_input_is_never_more_than_150_tokens(question: str, answer: str) -> None:
    assert ESTIMATOR.tokens(features(title_prompt(question, answer, ESTIMATOR))) <= MOST_INPUT


def test_both_beginnings_are_told_and_the_question_more_of_it() -> None:
    prompt = title_prompt("How do I bake bread? " * 200, "You need flour. " * 200, ESTIMATOR)
    question, answer = prompt.count("bake bread"), prompt.count("need flour")
    assert question > answer > 2


@pytest.mark.parametrize(
    ("answer", "title"),
    [
        ("Baking bread at home", "Baking bread at home"),
        ('  "Baking bread at home." \n', "Baking bread at home"),
        ("Short answer: **yes**.", "Short answer: yes"),
        ("```\nThe `bake` *command*\n```", "The bake command"),
        ("**Title: Baking bread**", "Baking bread"),
        ("# Brot backen\n\nDas ist ein Titel.", "Brot backen"),
        ("标题：环形缓冲区。", "环形缓冲区"),
        ("", ""),
        ("***", ""),
        ("I am sorry, but I can't name this conversation because it does not say what it is about.", ""),
    ],
)
def test_an_answer_becomes_a_title_or_nothing(answer: str, title: str) -> None:
    assert title_of_answer(answer) == title


@given(st.text(max_size=300))
def test_a_title_is_one_printable_line(answer: str) -> None:
    title = title_of_answer(answer)
    assert len(title) <= LONGEST
    assert title.isprintable()
    assert title == title.strip()
