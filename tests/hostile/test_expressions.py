"""Expressions that search foreign text are tried against hostile texts; those that see only so much are named.

No time is asserted: a text that an expression does not get through is ended by the clock of the process, which no
load of the machine moves.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from types import FrameType

import pytest

from tests.hostile.expressions import expressions
from tests.hostile.texts import texts

SIZE = 16_000
MOST_S = 1.0
"""CPU of one expression on one text; a linear one takes a thousandth."""

BOUNDED = {
    "core.first_words.": "sees 1,200 characters",
    "core.markdown.healing.": "each reach is bounded",
    "core.markdown.sections._ANY_FENCE": "matched at a line's beginning only",
    "core.markdown.stream._UNDECIDED": "matched at one place only",
    "core.recall._NAMED": "sees 200 characters",
    "ui.preferences.entry.": "typed into a field, matched whole",
    "ui.spelling.words._LIST_ITEM": "matched at a line's beginning only",
    "ui.spelling.words._MATHS": "sees nothing behind the last closer",
}


class OverError(Exception):
    """Too long."""


@pytest.fixture
def limited() -> Iterator[None]:
    def over(_number: int, _frame: FrameType | None) -> None:
        raise OverError

    before = signal.signal(signal.SIGVTALRM, over)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)


@pytest.mark.slow
def test_no_expression_meets_its_match(limited: None) -> None:
    found = []
    made = [(kind.name, kind.make(SIZE)) for kind in texts()]
    tried = {(one.pattern, one.flags): (name, one) for name, one in expressions()}
    assert len(tried) > 100
    for name, expression in tried.values():
        if name.startswith(tuple(BOUNDED)):
            continue
        for kind, text in made:
            signal.setitimer(signal.ITIMER_VIRTUAL, MOST_S)
            try:
                for _ in expression.finditer(text):
                    pass
                expression.fullmatch(text)
            except OverError:
                found.append((name, kind))
                break
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    assert found == []
