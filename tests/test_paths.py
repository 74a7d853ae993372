"""Where the data folder is, and that it is this user's alone."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_app.core.errors import UserError
from desktop_app.paths import DataPaths, data_paths
from tests.unix import make_pipe


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_the_option_wins_over_the_environment_over_the_platform(tmp_path: Path) -> None:
    environ = {"PLIMSOLL_HOME": str(tmp_path / "environment")}
    assert data_paths(str(tmp_path / "option"), environ).root == tmp_path / "option"
    assert data_paths(None, environ).root == tmp_path / "environment"
    assert data_paths(None, {}).root.name == "plimsoll"


def test_a_relative_folder_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert data_paths("here", {}).root == tmp_path / "here"


def test_naming_makes_nothing_and_making_makes_private_folders(tmp_path: Path) -> None:
    paths = data_paths(str(tmp_path / "deep" / "data"), {})
    assert not paths.root.exists()
    paths.make()
    for folder in (paths.root, paths.logs, paths.backups, paths.claude_work):
        assert mode(folder) == 0o700
    assert paths.log.parent == paths.logs


def test_an_empty_folder_that_was_there_is_closed_to_others_but_a_used_one_is_left(tmp_path: Path) -> None:
    empty, used = tmp_path / "empty", tmp_path / "used"
    for folder in (empty, used):
        folder.mkdir()
        folder.chmod(0o755)
    (used / "letter.txt").write_text("mine")
    DataPaths(empty).make()
    DataPaths(used).make()
    assert (mode(empty), mode(used)) == (0o700, 0o755)


def test_a_file_in_the_folders_place_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="--data-dir") as caught:
        data_paths(str(tmp_path / "file"), {}).make()
    assert caught.value.failure.code == "store"


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    DataPaths(tmp_path).make()
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(UserError, match="can't be written"):
            DataPaths(tmp_path).make()
    finally:
        tmp_path.chmod(0o700)


def dangling(path: Path) -> None:
    path.symlink_to(path.parent / "nowhere")


def of_itself(path: Path) -> None:
    path.symlink_to(path)


def large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(65_000_000)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes here")
@pytest.mark.parametrize("odd", [make_pipe, Path.mkdir, dangling, of_itself, large], ids=lambda make: make.__name__)
@pytest.mark.parametrize(
    "name", ["settings", "window", "unsaved", "models", "claude_check", "log", "words.txt", "instance.lock"]
)
def test_what_no_file_of_ours_can_be_is_set_aside_and_named(
    tmp_path: Path, name: str, odd: Callable[[Path], None]
) -> None:
    paths = DataPaths(tmp_path / "data").make()
    path = paths.root / name if "." in name else getattr(paths, name)
    odd(path)
    made = paths.make()
    assert not path.is_symlink()
    assert not path.exists()
    (told,) = made.set_aside
    assert str(path) in told
    (moved,) = path.parent.glob(f"{path.name}.set-aside-*")
    assert moved.name in told
    assert made.make().set_aside == made.set_aside


def a_file(path: Path) -> None:
    path.write_text("somebody's")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes here")
@pytest.mark.parametrize("odd", [make_pipe, a_file, dangling, of_itself], ids=lambda make: make.__name__)
@pytest.mark.parametrize("name", ["logs", "backups", "claude", "cache", "cache/heights", "running-turns"])
def test_what_no_folder_of_ours_can_be_is_set_aside_and_named(
    tmp_path: Path, name: str, odd: Callable[[Path], None]
) -> None:
    paths = DataPaths(tmp_path / "data")
    path = paths.root / name
    path.parent.mkdir(parents=True)
    odd(path)
    made = paths.make()
    (told,) = made.set_aside
    assert str(path) in told
    (moved,) = path.parent.glob(f"{path.name}.set-aside-*")
    assert moved.name in told
    assert path.is_dir() or not os.path.lexists(path)
    assert made.make().set_aside == made.set_aside


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes here")
@pytest.mark.parametrize("odd", [make_pipe, Path.mkdir], ids=lambda make: make.__name__)
@pytest.mark.parametrize("name", ["history.db", "history.db-wal", "history.db-shm", "history.db-journal"])
def test_a_pipe_or_folder_is_no_history(tmp_path: Path, name: str, odd: Callable[[Path], None]) -> None:
    paths = DataPaths(tmp_path / "data").make()
    odd(paths.root / name)
    (told,) = paths.make().set_aside
    assert name in told
    assert not (paths.root / name).exists()


def test_a_history_on_a_disk_that_is_not_there_stays_a_link(tmp_path: Path) -> None:
    paths = DataPaths(tmp_path / "data").make()
    paths.history.symlink_to(tmp_path / "no disk" / "history.db")
    assert paths.make().set_aside == ()
    assert paths.history.is_symlink()


def test_links_to_folders_stay(tmp_path: Path) -> None:
    (tmp_path / "large disk").mkdir()
    paths = DataPaths(tmp_path / "data")
    paths.root.mkdir()
    paths.backups.symlink_to(tmp_path / "large disk")
    assert paths.make().set_aside == ()
    assert paths.backups.is_symlink()


def test_a_link_to_a_good_file_stays(tmp_path: Path) -> None:
    paths = DataPaths(tmp_path / "data").make()
    (tmp_path / "mine.toml").write_text("")
    paths.settings.symlink_to(tmp_path / "mine.toml")
    assert paths.make().set_aside == ()
    assert paths.settings.is_symlink()
