"""A window over a data folder in which somebody put other things: it starts, names them, and sets them aside."""

from __future__ import annotations

from pathlib import Path

from desktop_app.paths import DataPaths
from tests.ui.open_window import OpenWindow
from tests.unix import make_pipe


async def test_the_window_starts_and_names_what_it_set_aside(data_dir: Path, tmp_path: Path) -> None:
    data_dir.mkdir(exist_ok=True)
    make_pipe(data_dir / "backups")
    (data_dir / "cache").write_text("a file")
    (data_dir / "claude").symlink_to(tmp_path / "nowhere")
    (data_dir / "window.ini").mkdir()
    make_pipe(data_dir / "settings.toml")
    make_pipe(data_dir / "history.db")
    async with OpenWindow.opened(data_dir) as window:
        told = window.window.toast.words
        for name in ("backups", "cache", "claude", "window.ini", "settings.toml", "history.db"):
            assert str(data_dir / name) in told
        await window.send("q")
        assert [message.text for message in (await window.opened_thread()).path] == ["q", "answer 1"]
    assert len(list(data_dir.glob("*.set-aside-*"))) == 6


async def test_a_pipe_among_copies_and_heights_keeps_nobody_waiting(data_dir: Path) -> None:
    paths = DataPaths(data_dir).make()
    make_pipe(paths.backups / "history-format1.db.unproved")
    async with OpenWindow.opened(data_dir) as window:
        await window.send("q")
        heights = window.presenters.height_cache
        thread = await window.thread()
        paths.heights.mkdir(parents=True, exist_ok=True)
        make_pipe(heights.files._path("another"))
        heights.files.read("another")
        assert heights.files.known("another", heights.layout) is None
        assert thread.title == "q"
