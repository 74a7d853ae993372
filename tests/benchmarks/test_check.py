"""`./dev bench --check` ends with 1 and the names of the figures that pass twice their hard limit."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import pytest

from tests.benchmarks import __main__ as bench
from tests.benchmarks.hard_limits import HardLimits

PLAYED = """
import sys
from tests.benchmarks.hard_limits import HardLimits
held = HardLimits()
held.hold("a frame", float(sys.argv[1]), 10)
sys.exit(held.status)
"""


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> None:
    """A benchmark measures what its only option says."""

    def command(name: str, options: Iterable[str]) -> list[str]:
        return [sys.executable, "-c", PLAYED, *options]

    monkeypatch.setattr(bench, "command", command)


def test_a_figure_within_twice_its_limit_passes() -> None:
    held = HardLimits()
    held.hold("a frame", 20.0, 10)
    assert (held.over, held.status) == ([], 0)


@pytest.mark.usefixtures("played")
def test_the_rows_that_are_over_come_last(capfd: pytest.CaptureFixture[str]) -> None:
    assert bench.checked({"one": ("20.1",), "two": ("3",), "three": ("1000",)}) == 1
    assert capfd.readouterr().out.splitlines()[-2:] == [
        "passes twice its hard limit: a frame: 20.1 of 10",
        "passes twice its hard limit: a frame: 1000.0 of 10",
    ]


@pytest.mark.usefixtures("played")
def test_where_nothing_is_over_it_says_so(capfd: pytest.CaptureFixture[str]) -> None:
    assert bench.checked({"one": ("19.9",)}) == 0
    assert capfd.readouterr().out.endswith("no figure passes twice its hard limit\n")


@pytest.mark.usefixtures("played")
def test_a_benchmark_that_breaks_off_is_named(capfd: pytest.CaptureFixture[str]) -> None:
    assert bench.checked({"one": ("no number",)}) == 1
    assert "one ended with status 1 before all was measured" in capfd.readouterr().out


def test_only_what_measures_a_row_of_the_contract_is_checked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["bench", "--check", "estimator"])
    assert bench.main() == 2
    assert "there are: window, backends, storage, search" in capsys.readouterr().err
    assert set(bench.CHECKED) <= set(bench.NAMES)
