"""The packaged program, built from this tree, starts on its own, finds its resources, chats and opens its window."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_built_program_works(tmp_path: Path) -> None:
    command = [sys.executable, "packaging/build.py", "tar", "--no-archive", "--output", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "scripted answer:" in done.stdout
    assert "window: ended with 143" in done.stdout  # SIGTERM, taken as the wish to close in order
