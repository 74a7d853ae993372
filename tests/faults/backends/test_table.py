"""The page in the docs is the one that the tests assert, and nothing is left out of it."""

from __future__ import annotations

import re
from pathlib import Path

from tests.faults.backends.faults import FAULTS
from tests.faults.backends.states import STATES, State, expected, listed
from tests.faults.backends.table import BY_HAND, PAGE, rendered
from tests.faults.backends.ways import NAMES

PROJECT = Path(__file__).parents[3]


def test_the_page_is_what_the_tests_assert() -> None:
    assert PAGE.read_text(encoding="utf-8") == rendered(), "run: python -m tests.faults.backends.table"


def test_every_test_that_is_named_by_hand_is_there() -> None:
    named = re.findall(r"`(tests/[^`:]+)(?:::(\w+))?`", BY_HAND.read_text("utf-8"))
    assert [f"{path}::{test}" for path, test in named if not _holds(PROJECT / path, test)] == []


def test_something_is_expected_of_every_fault_and_of_nothing_else() -> None:
    names = [fault.name for fault in FAULTS]
    assert tuple(names) == listed()
    assert len(names) == len(set(names))


def test_every_state_is_reached() -> None:
    for name in NAMES:
        reached = {expected(fault.name, name).outcome for fault in FAULTS}
        assert set(STATES[name].values()) == {outcome for outcome in reached if isinstance(outcome, State)}


def _holds(path: Path, test: str) -> bool:
    return path.exists() and (not test or f"def {test}(" in path.read_text("utf-8"))
