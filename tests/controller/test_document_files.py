"""Which files of folders are meant as documents, what is said of the others, and copies that are whole or not there."""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from pathlib import Path

import pytest

from desktop_app.controller.document_files import (
    checked_folder,
    copy_of,
    fingerprint,
    folder_listing,
    found_files,
    keep_copy,
    shown_name,
)
from desktop_app.core.errors import UserError


def tree(root: Path, *names: str) -> Path:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"text of {name}")
    return root


def test_a_folder_stands_for_the_files_below_it_that_somebody_wrote(tmp_path: Path) -> None:
    folder = tree(
        tmp_path / "specs",
        *("b.md", "A.txt", "deep/er/c.pdf", "Makefile", "vendor/contract.docx"),
        *(".hidden", ".git/config", "node_modules/x/index.js", "deep/__pycache__/a.py", "photo.PNG", "a.zip"),
    )
    (folder / "empty.txt").touch()
    (folder / "linked.txt").symlink_to(folder / "b.md")
    (folder / "around").symlink_to(folder, target_is_directory=True)
    listing = folder_listing(folder)
    assert list(listing.files) == ["A.txt", "b.md", "deep/er/c.pdf", "Makefile", "vendor/contract.docx"]
    assert listing.without_text == {".png": ["photo.PNG"], ".txt": ["empty.txt"], ".zip": ["a.zip"]}
    assert listing.files["b.md"] == fingerprint(folder / "b.md")


def test_what_a_folder_leaves_out_is_said_and_a_file_by_itself_is_never_left_out(tmp_path: Path) -> None:
    folder = tree(tmp_path / "specs", "a.md", "one.png", "two.png", "x.zip")
    lone = tree(tmp_path, "picture.png") / "picture.png"
    (tmp_path / "empty").mkdir()
    files, failures = found_files([folder, lone, folder / "a.md", tmp_path / "empty", tmp_path / "gone.txt"], 10)
    assert files == [folder / "a.md", lone]
    assert [failure.message for failure in failures] == [
        "3 files in “specs” were left out, as they hold no text: 2 .png and x.zip.",
        "The folder “empty” has no files to add. Choose the files themselves.",
        "There is no file “gone.txt”. Check the name, or whether it was moved.",
    ]


def test_empty_files_are_counted_and_named_with_what_holds_no_text(tmp_path: Path) -> None:
    folder = tree(tmp_path / "specs", "a.md", ".hidden")
    (folder / ".keep").touch()
    (folder / "LICENSE").touch()
    assert [failure.message for failure in found_files([folder], 10)[1]] == [
        "1 file in “specs” was left out, as it holds no text: LICENSE."
    ]
    for name in ("b.md", "c.md", "d.png", "e.jpg", "f.gif", "g.zip"):
        (folder / name).touch()
    assert [failure.message for failure in found_files([folder], 10)[1]] == [
        "7 files in “specs” were left out, as they hold no text: 2 .md, d.png, e.jpg, f.gif, g.zip and LICENSE."
    ]


def test_more_files_than_a_project_takes_are_said(tmp_path: Path) -> None:
    folder = tree(tmp_path / "specs", *(f"{number}.md" for number in range(5)))
    files, failures = found_files([folder], 3)
    assert [file.name for file in files] == ["0.md", "1.md", "2.md"]
    assert "2 files were not added" in failures[0].message
    listing = folder_listing(folder, most=4)
    assert (len(listing.files), listing.further) == (4, 1)


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="nothing is closed to this user")
def test_a_closed_folder_below_is_named(tmp_path: Path) -> None:
    folder = tree(tmp_path / "specs", "a.md", "closed/b.md")
    (folder / "closed").chmod(0)
    try:
        assert "“closed” in “specs”" in found_files([folder], 10)[1][0].message
    finally:
        (folder / "closed").chmod(0o700)


def test_a_copy_is_kept_once_for_this_user_only(tmp_path: Path) -> None:
    file = tree(tmp_path, "a.md") / "a.md"
    sha256 = hashlib.sha256(file.read_bytes()).hexdigest()
    kept = copy_of(tmp_path / "documents", sha256)
    assert keep_copy(file, sha256, tmp_path / "documents")
    assert kept.read_bytes() == file.read_bytes()
    if sys.platform != "win32":
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        assert stat.S_IMODE(kept.parent.stat().st_mode) == stat.S_IMODE(kept.parent.parent.stat().st_mode) == 0o700
    file.unlink()
    assert keep_copy(file, sha256, tmp_path / "documents")  # it is there: the file is not opened again


def test_a_file_that_changed_or_vanished_leaves_no_copy(tmp_path: Path) -> None:
    file = tree(tmp_path, "a.md") / "a.md"
    other = hashlib.sha256(b"what it was before").hexdigest()
    assert not keep_copy(file, other, tmp_path / "documents")
    file.unlink()
    with pytest.raises(OSError, match=r"a\.md"):
        keep_copy(file, other, tmp_path / "documents")
    assert [path for path in (tmp_path / "documents").rglob("*") if path.is_file()] == []


def test_what_is_no_folder_is_said_by_its_path(tmp_path: Path) -> None:
    file = tree(tmp_path, "a.md") / "a.md"
    assert checked_folder(tmp_path / "x" / "..") == tmp_path
    for path, words in ((file, "is not a folder"), (tmp_path / "gone", "There is no folder")):
        with pytest.raises(UserError, match=words) as raised:
            checked_folder(path)
        assert str(path) in raised.value.failure.message


@pytest.mark.parametrize(
    ("name", "shown"),
    [("a\nb.md", "a b.md"), ("gnp.\u202eexe", "gnp. exe"), ("\x00", "document"), ("报告.pdf", "报告.pdf")],
)
def test_names_show_what_can_be_seen(name: str, shown: str) -> None:
    assert shown_name(name) == shown
