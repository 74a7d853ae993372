"""An analyst's turns in short: passages in their own turn only, nothing said early lost, the last version right."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.analyst_talk import END, FACTS, analyst_talk, write_documents
from tests.benchmarks.bench_analyst import Scene, quadratic_share, run, run_control
from tests.benchmarks.bench_tools import growth, straightness


@pytest.mark.parametrize(
    "backend",
    [
        "anthropic",
        pytest.param("openai", marks=pytest.mark.slow),
        pytest.param("claude-cli", marks=pytest.mark.slow),
        pytest.param("llama.cpp", marks=pytest.mark.slow),
    ],
)
async def test_an_analysts_turns_over_the_wire(backend: str) -> None:
    scene = Scene(backend, turns=16, documents=6, versions=4, largest=4_000, soft=7_000)
    figures = await run(scene)
    assert figures.faults == []
    assert figures.trims > 0
    in_view, found = figures.found
    assert found == len(FACTS) > in_view
    asking = slice(len(FACTS), -1)
    assert growth(figures.ours[asking]) < growth(figures.control[asking]) / 4
    assert straightness(figures.ours[asking]) > 0.98
    assert quadratic_share(figures.ours[asking]) < 0.4 < quadratic_share(figures.control[asking])


@pytest.mark.slow
async def test_the_control_that_is_really_run_keeps_every_result() -> None:
    figures = await run_control(Scene("openai", turns=16, documents=6, versions=4, largest=4_000))
    assert figures.trims == 0
    assert any("an earlier result stands in full" in fault for fault in figures.faults)
    assert quadratic_share(figures.ours[len(FACTS) : -1]) > 0.4


def test_the_talk_is_the_same_each_time_and_has_what_it_says(tmp_path: Path) -> None:
    clauses = write_documents(tmp_path, 5, 2_000)
    sizes = [len((tmp_path / clause.document).read_text().split()) for clause in clauses]
    assert sizes == sorted(sizes)
    assert 290 < sizes[0] < 400
    assert 2_000 < sizes[-1] < 2_700
    for clause in clauses:
        assert (tmp_path / clause.document).read_text().count(clause.sentence) == 1
    talk, versions = analyst_talk(35, 12, clauses)
    assert (len(talk), len(versions)) == (35, 12)
    assert [asked.writes for asked in talk if asked.writes] == list(range(1, 13))
    assert all(text.endswith(END) for text in versions)
    assert analyst_talk(35, 12, clauses) == (talk, versions)


def test_the_share_that_is_quadratic() -> None:
    assert quadratic_share([5.0] * 20) == pytest.approx(0)
    assert quadratic_share([float(n) for n in range(200)]) == pytest.approx(1, abs=0.01)
