"""The page in the docs is the one that the tests assert, and nothing is left out of it."""

from __future__ import annotations

from tests.faults.backends.faults import FAULTS
from tests.faults.backends.states import STATES, State, expected, listed
from tests.faults.backends.table import PAGE, rendered
from tests.faults.backends.ways import NAMES


def test_the_page_is_what_the_tests_assert() -> None:
    assert PAGE.read_text(encoding="utf-8") == rendered(), "run: python -m tests.faults.backends.table"


def test_something_is_expected_of_every_fault_and_of_nothing_else() -> None:
    names = [fault.name for fault in FAULTS]
    assert tuple(names) == listed()
    assert len(names) == len(set(names))


def test_every_state_is_reached() -> None:
    for name in NAMES:
        reached = {expected(fault.name, name).outcome for fault in FAULTS}
        assert set(STATES[name].values()) == {outcome for outcome in reached if isinstance(outcome, State)}
