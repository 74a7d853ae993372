"""What is kept of a thread's heights comes back as it was, and whatever else stands in its file is not believed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.ui.transcript.canvas.height_files import MOST_FILES, HeightFiles, StoredHeights

KNOWN = StoredHeights("1/big", 728, "last", tuple(range(40, 140)))


def files(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.exists() else []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "heights"


def kept(folder: Path) -> StoredHeights | None:
    heights = HeightFiles(folder)
    heights.read("thread")
    return heights.known("thread", "1/big")


def test_what_was_kept_comes_back_for_its_thread_and_layout(folder: Path) -> None:
    HeightFiles(folder).keep("thread", KNOWN)
    again = HeightFiles(folder)
    assert again.known("thread", "1/big") is None, "nothing is read by itself"
    again.read("thread")
    again.read("another")
    found = again.known("thread", "1/big")
    assert found is not None
    assert (found.width, found.last, tuple(found.values)) == (728, KNOWN.last, KNOWN.values)
    assert again.known("thread", "1/small") is None
    assert again.known("another", "1/big") is None


def test_files_are_for_this_user_and_name_no_thread(folder: Path) -> None:
    before = os.umask(0)
    try:
        HeightFiles(folder).keep("thread", KNOWN)
    finally:
        os.umask(before)
    (file,) = files(folder)
    assert file.stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == folder.parent.stat().st_mode & 0o777 == 0o700
    assert b"thread" not in file.name.encode() + file.read_bytes()


@given(cut=st.integers(0, 400), at=st.integers(0, 400), byte=st.integers(0, 255))
def test_a_damaged_file_is_ignored_and_replaced(
    tmp_path_factory: pytest.TempPathFactory, cut: int, at: int, byte: int
) -> None:
    folder = tmp_path_factory.mktemp("damaged") / "cache" / "heights"
    HeightFiles(folder).keep("thread", KNOWN)
    (file,) = files(folder)
    whole = file.read_bytes()
    damaged = whole[:cut] if cut < len(whole) else whole
    damaged = damaged[:at] + bytes([byte]) + damaged[at + 1 :] if at < len(damaged) else damaged
    file.write_bytes(damaged)
    found = kept(folder)
    if damaged == whole:
        assert found is not None
        return
    assert found is None
    assert not files(folder)
    HeightFiles(folder).keep("thread", KNOWN)
    assert kept(folder) is not None


def test_a_huge_file_is_not_read(folder: Path) -> None:
    HeightFiles(folder).keep("thread", KNOWN)
    (file,) = files(folder)
    with file.open("ab") as growing:
        growing.truncate(50_000_000)
    assert kept(folder) is None


def test_short_threads_are_not_worth_a_file(folder: Path) -> None:
    HeightFiles(folder).keep("thread", StoredHeights("1/big", 728, "last", (40,) * 20))
    assert not files(folder)


def test_a_deleted_thread_leaves_nothing_and_comes_back_when_it_is_opened_again(folder: Path) -> None:
    heights = HeightFiles(folder)
    heights.keep("thread", KNOWN)
    heights.forget("thread")
    assert heights.known("thread", "1/big") is None
    assert not files(folder)
    heights.keep("thread", KNOWN)
    assert not files(folder), "what was on its way when the thread was deleted is not written"
    heights.read("thread")
    heights.keep("thread", KNOWN)
    assert len(files(folder)) == 1


def test_only_threads_that_are_there_keep_a_file_and_only_so_many(folder: Path) -> None:
    heights = HeightFiles(folder)
    ids = [f"thread {number}" for number in range(MOST_FILES + 5)]
    for thread_id in ids:
        heights.keep(thread_id, KNOWN)
    heights.keep("deleted elsewhere", KNOWN)
    heights.keep_only(ids)
    assert len(files(folder)) <= MOST_FILES
    again = HeightFiles(folder)
    again.read("deleted elsewhere")
    assert again.known("deleted elsewhere", "1/big") is None


def test_a_folder_that_can_not_be_written_is_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file stands there")
    heights = HeightFiles(tmp_path / "cache" / "heights")
    heights.keep("thread", KNOWN)
    heights.keep_only([])
    heights.read("another")
