"""Expressions that search foreign text are tried against hostile texts; those that see only so much are named.

No time is asserted: a text that an expression does not get through is ended by the clock of the process, which no
load of the machine moves.
"""

from __future__ import annotations

import pytest

from tests.hostile.expressions import expressions
from tests.hostile.texts import texts
from tests.unix import TimeUsedUpError, limited_time

SIZE = 16_000
MOST_S = 1.0
"""CPU of one expression on one text; a linear one takes a thousandth."""

BOUNDED = {
    "core.titles.": "sees 1,200 characters",
    "core.markdown.unclosed_marks.": "each reach is bounded",
    "core.markdown.sections._ANY_FENCE": "matched at a line's beginning only",
    "core.markdown.block_stream._UNDECIDED": "matched at one place only",
    "core.recall._NAMED": "sees 200 characters",
    "ui.spelling.field_spelling._LIST_ITEM": "matched at a line's beginning only",
}


def test_every_name_of_a_bounded_expression_is_there() -> None:
    names = [name for name, _ in expressions()]
    assert [bounded for bounded in BOUNDED if not any(name.startswith(bounded) for name in names)] == []


@pytest.mark.slow
def test_no_expression_meets_its_match() -> None:
    found = []
    made = [(kind.name, kind.make(SIZE)) for kind in texts()]
    tried = {(one.pattern, one.flags): (name, one) for name, one in expressions()}
    assert len(tried) > 100
    for name, expression in tried.values():
        if name.startswith(tuple(BOUNDED)):
            continue
        for kind, text in made:
            try:
                with limited_time(MOST_S):
                    for _ in expression.finditer(text):
                        pass
                    expression.fullmatch(text)
            except TimeUsedUpError:
                found.append((name, kind))
                break
    assert found == []
