"""The minute that `tests.ui.minute` plays goes to its end, with a picture of each step."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


def test_the_minute_goes_from_a_dropped_folder_to_the_difference(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.ui.minute", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    names = [path.stem.removesuffix("-light")[3:] for path in sorted(tmp_path.glob("*.png"))]
    assert names == [
        "folder-over-the-project",
        "documents-read",
        "question",
        "answer-with-citation",
        "marked-page",
        "marked-text",
        "requirements",
        "paragraph-selected",
        "difference",
        "second-version",
    ]
