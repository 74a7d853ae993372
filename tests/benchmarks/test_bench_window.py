"""The window is as fast as PRODUCT.md section 7 asks, within twice the hard limits: any machine is busy at times.

Processor time only; the wall clock says more of what else runs. `./dev bench window` prints all figures.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks.bench_window import ROWS, START, Row, line, report, run
from tests.benchmarks.in_the_window import make_history

pytestmark = pytest.mark.slow

SIZE = 2_000
SHARE = 2
"""Of a hard limit, how much is allowed here."""

WALL = {"start wall", "painted"}


async def test_no_figure_is_beyond_twice_its_hard_limit(tmp_path: Path) -> None:
    data_dir = tmp_path / "d"
    await make_history(data_dir, (SIZE,))
    environ = {**os.environ, "HOME": str(tmp_path), "PLIMSOLL_HOME": str(data_dir), "QT_QPA_PLATFORM": "offscreen"}
    environ["PYTHONPYCACHEPREFIX"] = str(tmp_path / "bytecode")
    environ.pop("PYTHONDONTWRITEBYTECODE", None)
    figures: dict[str, float] = {}
    for part in ("transcript", "window"):
        child = subprocess.run(  # noqa: ASYNC221 - nothing else is waiting
            [sys.executable, "-m", "tests.benchmarks.in_the_window", part, str(SIZE), str(data_dir)],
            env=environ,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        assert child.returncode == 0, child.stderr
        figures.update(json.loads(child.stdout.splitlines()[-1]))
    run(START, environ)  # writes the bytecode
    figures["start cpu"] = min(run(START, environ)[1] * 1000 for _ in range(3))
    missing = {row.key for row in ROWS if row.judged} - {*figures, *WALL, "start stall", "memory"}
    assert not missing, "each row is measured"
    over = {
        row.key: (figures[row.key], SHARE * row.limit)
        for row in ROWS
        if row.judged and row.key in figures and row.key not in WALL and figures[row.key] > SHARE * row.limit
    }
    assert not over


def test_a_row_says_what_to_think_of_its_worst_figure(capsys: pytest.CaptureFixture[str]) -> None:
    row = Row("wheel p95", "wheel frame p95", 4, 8)
    assert line(row, {20: 1.0, 10_000: 3.9}).endswith("ok")
    assert line(row, {20: 1.0, 10_000: 7.9}).endswith("within limit")
    assert line(row, {20: 9.0, 10_000: 1.0}).endswith("OVER")
    assert report("here", {"wheel p95": {20: 15.9}}) == 0
    assert report("here", {"wheel p95": {20: 16.1}}) == 1
    assert report("here", {"floor wall": {0: 9_999.0}}) == 0, "what is not ours is not judged"
    assert "here" in capsys.readouterr().out
