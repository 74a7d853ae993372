"""Opening below a folder, by descriptors of folders and by paths alone, as Windows has it; paths as text."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.system import files_below
from desktop_app.system.files_below import DEEPEST, entries, opened, path_of, path_text, status


@pytest.fixture(params=["folders", "paths"])
def root(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Path:
    if request.param == "paths":
        monkeypatch.setattr(files_below, "_BY_FOLDER", False)
    (tmp_path / "root" / "a" / "b").mkdir(parents=True)
    (tmp_path / "root" / "a" / "b" / "file").write_text("inside")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "file").write_text("outside")
    return tmp_path / "root"


def content(path: Path, below: Path | None) -> str:
    with os.fdopen(opened(path, below)) as file:
        return file.read()


def test_what_is_below_is_opened_and_listed(root: Path) -> None:
    path = root / "a" / "b" / "file"
    assert content(path, root) == "inside"
    assert status(path, root).st_size == 6
    assert [name for name, _ in entries(root)] == ["a"]
    assert [name for name, _ in entries(root, ("a", "b"))] == ["file"]


def test_no_link_is_followed_below(root: Path) -> None:
    (root / "a" / "b" / "linked").symlink_to(root.parent / "out" / "file")
    (root / "around").symlink_to(root.parent / "out")
    assert [name for name, _ in entries(root)] == ["a"]
    for path in (root / "a" / "b" / "linked", root / "around" / "file"):
        assert content(path, None) == "outside"
        with pytest.raises(OSError, match=r"."):
            opened(path, root)
    with pytest.raises(OSError, match=r"."):
        status(root / "around" / "file", root)
    with pytest.raises(OSError, match=r"."):
        entries(root, ("around",))


def test_the_folder_itself_and_those_above_are_no_links(root: Path) -> None:
    (root.parent / "link").symlink_to("root")
    (root.parent / "above").symlink_to(root.parent)
    for linked in (root.parent / "link", root.parent / "above" / "root"):
        assert content(linked / "a" / "b" / "file", None) == "inside"
        for work in (
            lambda linked=linked: opened(linked / "a" / "b" / "file", linked),
            lambda linked=linked: status(linked / "a" / "b" / "file", linked),
            lambda linked=linked: entries(linked),
        ):
            with pytest.raises(OSError, match=r"."):
                work()


@pytest.mark.skipif(
    not hasattr(os, "O_PATH") or getattr(os, "geteuid", int)() == 0, reason="folders are opened to be read"
)
def test_folders_above_may_be_closed_to_reading(root: Path) -> None:
    root.parent.chmod(0o100)
    try:
        assert content(root / "a" / "b" / "file", root) == "inside"
    finally:
        root.parent.chmod(0o700)


def test_a_link_that_comes_and_goes_while_it_is_opened_is_noticed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = root / "a" / "b" / "file"
    real = os.open

    def attacked(name: str | Path, flags: int, *, dir_fd: int | None = None) -> int:
        if not str(name).endswith("file"):
            return real(name, flags, dir_fd=dir_fd)
        path.parent.rename(root / "away")
        path.parent.symlink_to(root.parent / "out")
        try:
            return real(name, flags, dir_fd=dir_fd)
        finally:
            path.parent.unlink()
            (root / "away").rename(path.parent)

    monkeypatch.setattr(os, "open", attacked)
    if files_below._BY_FOLDER:
        assert content(path, root) == "inside"
    else:
        with pytest.raises(OSError, match=r"."):
            opened(path, root)


def test_what_is_not_below_or_too_deep_is_not_opened(root: Path) -> None:
    for path in (root.parent / "out" / "file", root / ".." / "out" / "file", root, root.joinpath(*"x" * DEEPEST, "y")):
        with pytest.raises(OSError, match=r"."):
            opened(path, root)


@pytest.mark.skipif(sys.platform == "win32", reason="names there are no bytes")
@given(st.binary(min_size=1).map(lambda one: one.replace(b"\0", b"_")))
def test_any_name_is_clean_text_and_comes_back(name: bytes) -> None:
    for path in (os.fsdecode(name), "\ufffdef" + os.fsdecode(name), os.fsdecode(name) + "\ufffd" + "e9"):
        text = path_text(path)
        text.encode()
        assert path_of(text) == Path(path)
    assert path_text("Pläne/报告 \ufffd.md") == "Pläne/报告 \ufffd.md"
