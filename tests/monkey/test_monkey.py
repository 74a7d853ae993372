"""The short form of the monkey: three lives of one folder, each ended in another way."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.monkey.__main__ import Life, play
from tests.monkey.words import words_in

pytestmark = pytest.mark.slow


def test_three_lives_leave_no_fault_and_lose_nothing(tmp_path: Path) -> None:
    assert play(tmp_path, 12, ends=("kill", "term", "order"), life_s=6.0) == []


def test_what_is_owed_after_a_kill_was_there_for_two_seconds() -> None:
    life = Life()
    life.acts += [(1.0, "write", frozenset({"mk1q"})), (3.5, "write", frozenset({"mk1q", "mk2q"}))]
    assert life.owed(4.0) == {"mk1q"}
    life.taking = True
    assert life.owed(4.0) == life.now == set(), "ended in the midst of it"
    life.taking = False
    life.acts.append((3.9, "keys", frozenset({"mk2q"})))
    assert life.owed(4.0) == set(), "taken away a moment before"


def test_words_are_known_again() -> None:
    assert words_in('{"text": "mk17q and mk18q!"} mkq') == {"mk17q", "mk18q"}
