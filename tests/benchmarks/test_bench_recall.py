from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.bench_recall import in_reach, measure
from tests.benchmarks.planted_facts import planted_facts


def test_there_are_200_facts_and_each_is_one() -> None:
    facts = planted_facts()
    assert len({fact.said for fact in facts}) == len({fact.asked for fact in facts}) == 200


@pytest.mark.slow
async def test_every_planted_fact_is_found_and_read(tmp_path: Path) -> None:
    assert await measure(tmp_path / "history.db", seed=1) == 0


@pytest.mark.slow
async def test_every_planted_fact_is_in_the_request_or_comes_back_by_a_call(tmp_path: Path) -> None:
    assert await in_reach(tmp_path / "history.db", seed=1) == 0
