"""Folders for passing copies: gone with their process, however that ends."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from desktop_app.system.private_files import PREFIX, PrivateFolder, remove_abandoned
from tests.patience import PATIENCE_S

HOLDING = """
import sys, time
from desktop_app.system.private_files import PrivateFolder
(PrivateFolder().path / "history.db").write_text("private")
print("made", flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def test_it_is_this_users_alone_and_goes_with_its_context(temporary: Path) -> None:
    with PrivateFolder() as folder:
        (folder / "words").write_text("private")
        assert list(folder.iterdir()) == [folder / "words"]
        if sys.platform != "win32":
            assert stat.S_IMODE(folder.parent.stat().st_mode) == 0o700
    assert list(temporary.iterdir()) == []


def test_what_a_killed_process_left_goes_and_what_a_living_one_holds_stays(temporary: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDING], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ}
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "made\n"
        remove_abandoned()
        assert [path.read_text() for path in temporary.rglob("history.db")] == ["private"]
    finally:
        holder.kill()
        holder.communicate(timeout=PATIENCE_S)
    remove_abandoned()
    assert list(temporary.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_what_only_looks_like_one_is_left_alone(temporary: Path) -> None:
    """A link to somebody's folder, a file, and a folder that is just being made."""
    elsewhere = temporary / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "held").touch()
    (temporary / f"{PREFIX}link").symlink_to(elsewhere)
    (temporary / f"{PREFIX}file").touch()
    (temporary / f"{PREFIX}new").mkdir()
    remove_abandoned()
    assert sorted(path.name for path in temporary.iterdir()) == [
        "elsewhere",
        f"{PREFIX}file",
        f"{PREFIX}link",
        f"{PREFIX}new",
    ]
    assert (elsewhere / "held").exists()
