"""Readers of foreign text do work in proportion to its length: lines of Python are counted, not time.

What regular expressions do is not counted so; `./dev bench hostile` measures it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from types import FrameType
from typing import Any

import pytest

from desktop_app.core.context.overflow_report import Overflow, read_overflow
from desktop_app.core.context.token_estimator import TokenEstimator, split_text
from desktop_app.core.markdown.inline_text import bare_targets
from tests.hostile.readers import READERS
from tests.hostile.texts import generated, texts

SIZES = 3_000, 6_000, 12_000
MOST = 2**1.2
"""A doubled text may cost so many times as much."""

FOUND_BY_ATTACK = (
    *("table of many columns", "runs of backticks that grow", "fences that do not close", "artifact of letters"),
    *("artifact that does not close", "artifacts, open", "digits", "digits, both", "formulas that do not close"),
    *("lines of '```a\\n\\n'", "'`' repeated", "'\\\\(' repeated", "'http://a ' repeated", "lines of '- [ ] a\\n'"),
    *("brackets in each other", "emphasis in each other", "list that steps in", "many notes, used"),
    *("open fence of tildes in a quote", "open fence in a list"),
)
PARTS = 10
"""The kinds are tried in so many tests, so that none runs for long on a busy machine."""
KINDS = {kind.name: kind for kind in [*texts(), *generated(20)]}


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


def over(names: Sequence[str], reader: str) -> list[str]:
    """The kinds of text for which twice the length is too much more work for a reader, and so again."""
    found, read = [], READERS[reader]
    for name in names:
        work = [counted(partial(read, KINDS[name].make(SIZES[0])))]
        for size in SIZES[1:]:
            work.append(counted(partial(read, KINDS[name].make(size))))
            if work[-1] <= MOST * work[-2] + 2_000:
                break
        else:
            found.append(f"{reader}: {name}: {work}")
    return found


@pytest.mark.parametrize("reader", READERS)
def test_what_attacks_found_costs_its_length(reader: str) -> None:
    assert set(FOUND_BY_ATTACK) <= set(KINDS)
    assert over(FOUND_BY_ATTACK, reader) == []


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("reader", READERS)
def test_every_kind_costs_its_length(reader: str, part: int) -> None:
    assert len(KINDS) >= 150
    assert over(list(KINDS)[part::PARTS], reader) == []


@pytest.mark.parametrize("text", ["1" * 16_000, "1,000" * 4_000, "1" * 16_000 + " tokens > 5 maximum"])
def test_thousands_of_digits_are_no_size(text: str) -> None:
    assert read_overflow(text) == Overflow()


def test_a_text_is_split_in_time_of_its_length() -> None:
    estimator = TokenEstimator.seeded("unknown")
    short, long = (counted(partial(split_text, "word, " * count, 50, estimator)) for count in (1_000, 4_000))
    assert long < 5 * short


@pytest.mark.parametrize("sign", [")", "]", ".", ")]", ").", "_"])
def test_signs_behind_an_address_are_looked_at_once(sign: str) -> None:
    short, long = (counted(partial(bare_targets, "http://a" + sign * count)) for count in (1_000, 4_000))
    assert long < 5 * short
    assert bare_targets("http://a" + sign * 1_000) == [(0, len("http://a"))]
    assert bare_targets("(see http://a/b_(c)), and http://d[1].") == [(5, 19), (26, 37)]
