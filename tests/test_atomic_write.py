"""A file that is written over holds the old content or the new one, whole, and is its user's alone."""

from __future__ import annotations

import ast
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_app.controller.export_files import write_export
from desktop_app.system.private_files import open_new, put_in_place, write_atomically

SOURCES = Path(__file__).parents[1] / "desktop_app"


@pytest.fixture
def order(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was asked of the system, in order: files and folders brought to the disk, names given."""
    asked: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def noted_fsync(handle: int) -> None:
        asked.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        fsync(handle)

    def noted_replace(fresh: Path, path: Path) -> Path:
        asked.append("name")
        return replace(fresh, path)

    monkeypatch.setattr(os, "fsync", noted_fsync)
    monkeypatch.setattr(Path, "replace", noted_replace)
    return asked


def test_the_new_content_is_on_the_disk_before_it_has_the_name(tmp_path: Path, order: list[str]) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"before")
    path.chmod(0o644)
    write_atomically(path, iter((b"af", b"ter")))
    assert path.read_bytes() == b"after"
    assert order == ["file", "name", "folder"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_what_can_be_made_again_does_not_wait_for_the_disk(tmp_path: Path, order: list[str]) -> None:
    write_atomically(tmp_path / "cache", b"pixels", durable=False)
    assert (tmp_path / "cache").read_bytes() == b"pixels"
    assert order == ["name"]


def test_where_it_fails_the_old_file_stays_alone(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"before")

    def pieces() -> Iterator[bytes]:
        yield b"half"
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        write_atomically(path, pieces())
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        write_atomically(tmp_path / "folder", b"a file can't have a folder's name")
    assert path.read_bytes() == b"before"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["file", "folder"]


def test_a_folder_that_can_not_be_asked_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(22, "Invalid argument")

    monkeypatch.setattr(os, "fsync", refuse)
    (tmp_path / "fresh").write_bytes(b"whole")
    put_in_place(tmp_path / "fresh", tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == b"whole"


_WRITER = """
import sys
from pathlib import Path
from desktop_app.controller.export_files import WrittenFile
file = WrittenFile(Path(sys.argv[1]))
file.write(b"half of what is private")
file._file.flush()
print(flush=True)
sys.stdin.read()
"""


def half_written(path: Path) -> Path:
    (half,) = path.parent.glob(".plimsoll-*")
    os.utime(half, (0, 0))
    return half


def test_what_a_killed_export_left_goes_with_the_next_and_nothing_else(tmp_path: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(tmp_path / "talk.md")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with child:
        assert child.stdout is not None
        child.stdout.readline()
        half = half_written(tmp_path / "talk.md")
        write_export(tmp_path / "other.md", ["whole"])
        assert half.exists(), "it is being written"
        child.kill()
    write_export(tmp_path / "other.md", ["whole"])
    assert [one.name for one in tmp_path.iterdir()] == ["other.md"]


def test_what_is_not_ours_or_new_stays(tmp_path: Path) -> None:
    others = [".plimsoll-0123456789ab", ".plimsoll-0123456789abc", ".plimsoll-notes", "plimsoll-0123456789ab"]
    for name in others:
        (tmp_path / name).write_bytes(b"the user's")
        (tmp_path / name).chmod(0o600 if name != others[0] else 0o644)
        os.utime(tmp_path / name, (0, 0))
    (tmp_path / ".plimsoll-00000000000a").mkdir()
    (tmp_path / ".plimsoll-00000000000b").symlink_to(tmp_path / others[1])
    os.utime(tmp_path / ".plimsoll-00000000000b", (0, 0), follow_symlinks=False)
    open_new(tmp_path / ".plimsoll-00000000000c").close()
    before = sorted(tmp_path.iterdir())
    write_atomically(tmp_path / "file", b"whole")
    assert sorted(tmp_path.iterdir()) == sorted([*before, tmp_path / "file"])


def test_nothing_else_brings_a_file_to_the_disk_or_names_a_temporary_one() -> None:
    """One place: who needs a file written over asks `write_atomically`."""
    found = {
        path.relative_to(SOURCES).as_posix()
        for path in SOURCES.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in {"fsync", "NamedTemporaryFile", "mkstemp", "QSaveFile"}
    }
    # the prompt of a program goes into a file without a name, which replaces none
    assert found == {"system/private_files.py", "backends/claude_cli/program_session.py"}
