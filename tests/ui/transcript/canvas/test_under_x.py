"""Selecting with the mouse in a window of the X window system, whose selection other programs take."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE_S
from tests.servers.screen import x_screen

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("Xvfb") is None, reason="Xvfb is not installed (Debian: xvfb)"),
]

WHOLE = "First question\n\nAn answer with several words."


@pytest.fixture(scope="module")
def around(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    folder: Path = tmp_path_factory.mktemp("x")
    with x_screen() as display:
        yield {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "HOME": str(folder)}


@contextmanager
def part(name: str, around: dict[str, str]) -> Iterator[dict[str, Any]]:
    """What a part of `under_x` told; it lives until the block ends."""
    command = [sys.executable, "-m", "tests.ui.transcript.canvas.under_x", name]
    running = subprocess.Popen(command, env=around, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert running.stdout is not None
    try:
        told = running.stdout.readline()
        assert told, f"{name} told nothing"
        yield json.loads(told)
    finally:
        running.communicate(timeout=PATIENCE_S)


def test_what_is_selected_is_there_for_other_programs(around: dict[str, str]) -> None:
    with part("drag", around) as told:
        assert told["platform"] == "xcb"
        assert told["dragged"] == WHOLE
        assert told["primary"] == WHOLE
        assert told["shifted"] == f"{WHOLE}\n\nSecond question", "a click with Shift goes on from the same beginning"
        assert told["pasted"] == told["shifted"], "the middle button takes it"
        other = [sys.executable, "-m", "tests.ui.transcript.canvas.under_x", "primary"]
        heard = subprocess.run(other, env=around, capture_output=True, timeout=PATIENCE_S, check=True)
        assert json.loads(heard.stdout) == told["shifted"], "in another process, too"


def test_words_and_blocks_by_clicks(around: dict[str, str]) -> None:
    with part("clicks", around) as told:
        assert (told["word"], told["block"]) == ("An", "An answer with several words.")


def test_a_drag_at_the_edge_scrolls_until_the_button_is_let_go(around: dict[str, str]) -> None:
    with part("edge", around) as told:
        assert told["went_on"] == 0
        assert told["messages"] > 4


def test_hits_out_of_view_are_counted_and_reached(around: dict[str, str]) -> None:
    with part("find", around) as told:
        assert told["count"] == "2 of 30"
        assert told["in_view"]
