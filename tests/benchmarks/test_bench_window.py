"""The bench of the window measures every row that it judges. The figures themselves belong to `./dev bench --check`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.benchmarks.bench_window import ROWS, START, Row, figures_of, growth, line, report, run
from tests.benchmarks.hard_limits import HardLimits
from tests.benchmarks.in_the_window import make_history

SIZE = 20
OF_PROCESSES = {"start wall", "start cpu", "start stall", "memory", "memory answer", "list letter"}
"""Rows that are measured by whole processes, which no test waits for but one."""


@pytest.mark.slow
async def test_each_row_is_measured(tmp_path: Path) -> None:
    data_dir = tmp_path / "d"
    await make_history(data_dir, (SIZE,))
    environ = {**os.environ, "HOME": str(tmp_path), "PLIMSOLL_HOME": str(data_dir), "QT_QPA_PLATFORM": "offscreen"}
    figures = figures_of(SIZE, environ)
    assert {row.key for row in ROWS if row.judged} - set(figures) == OF_PROCESSES
    assert all(value >= 0 for values in figures.values() for value in values.values())
    _, cpu = run(START, environ)
    assert cpu > 0


def test_a_row_says_what_to_think_of_its_worst_figure() -> None:
    row = Row("wheel p95", "wheel frame p95", 4, 8)
    assert line(row, {20: 1.0, 10_000: 3.9}).endswith("ok")
    assert line(row, {20: 1.0, 10_000: 7.9}).endswith("within limit")
    assert line(row, {20: 9.0, 10_000: 1.0}).endswith("OVER")


def test_growth_is_the_exponent_of_the_length() -> None:
    assert growth(3.0, 60.0) == pytest.approx(1)
    assert growth(3.0, 3.0) == 0


def test_what_passes_twice_its_hard_limit_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    held = HardLimits()
    report("here", {"wheel p95": {20: 15.9}, "floor wall": {0: 9_999.0}}, held)
    assert held.status == 0, "what is not ours is not judged"
    report("there", {"wheel p95": {20: 1.0, 10_000: 16.1}}, held)
    assert held.status == 1
    assert capsys.readouterr().out.splitlines()[-1] == (
        "passes twice its hard limit: wheel frame p95 (there): 16.1 of 8"
    )
