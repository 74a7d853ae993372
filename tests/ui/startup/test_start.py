"""The real program: it starts, remembers, hands over, and ends in order, also when told to by a signal."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QRect
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from desktop_app.composition import compose
from desktop_app.paths import DataPaths
from desktop_app.storage.file_format import APPLICATION_ID, NEWEST
from desktop_app.ui.shell.opening import Opening
from desktop_app.ui.shell.session import WindowSession
from desktop_app.ui.state.services import WindowServices
from tests.fakes.gated_backend import GatedBackend
from tests.patience import PATIENCE_S, wait_until
from tests.servers.screen import x_screen
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

IMPORTED_BEFORE_PAINT = """
import os, sys
from desktop_app.__main__ import main
from desktop_app.ui.shell import opening
class Watched(opening.Opening):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.window.first_painted.connect(self.painted)
    def painted(self):
        print(*sorted(sys.modules), flush=True)
        os._exit(0)
opening.Opening = Watched
main(["--data-dir", sys.argv[1], "--backend", "scripted"])
"""


def start(data_dir: Path, *arguments: str, environ: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "desktop_app", "--data-dir", str(data_dir), "--backend", "scripted", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environ,
    )


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="displays of X and Wayland")
@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({}, "there is no display here"),
        ({"DISPLAY": ":49999"}, "the display can't be reached"),
        ({"WAYLAND_DISPLAY": "gone"}, "the display can't be reached"),
        ({"QT_QPA_PLATFORM": "missing"}, "libraries that the window needs are missing"),
    ],
)
def test_without_a_display_it_says_so(data_dir: Path, variables: dict[str, str], words: str) -> None:
    around = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    around.pop("QT_QPA_PLATFORM")
    command = [sys.executable, "-m", "desktop_app", "--data-dir", str(data_dir)]
    environ = {**around, **variables}
    done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 3
    assert words in done.stderr
    assert "Reinstalling" not in done.stderr


def theme_of(window: OpenWindow) -> str:
    return window.session.appearance.theme.name


async def listening(data_dir: Path) -> None:
    """Waits until the window of another process is there for later starts."""

    await asyncio.to_thread(wait_until, (data_dir / "instance.sock").exists, "the socket")


def test_nothing_heavy_is_imported_before_the_first_paint(data_dir: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", IMPORTED_BEFORE_PAINT, str(data_dir)],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )
    loaded = set(run.stdout.split())
    heavy = {"sqlmodel", "sqlalchemy", "pydantic", "anthropic", "openai", "keyring", "asyncio", "qasync", "pygments"}
    assert loaded & heavy == set()
    assert "desktop_app.ui.shell.main_window" in loaded


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
async def test_a_signal_ends_the_window_in_order(data_dir: Path, number: int, status: int) -> None:
    process = start(data_dir)
    await listening(data_dir)
    process.send_signal(number)
    _, errors = await asyncio.to_thread(process.communicate, timeout=PATIENCE_S)
    assert process.returncode == status
    assert errors == ""
    assert (data_dir / "window.ini").stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="Xvfb is not installed (Debian: xvfb)")
@pytest.mark.parametrize("arguments", [(), ("--quick",)])
async def test_a_screen_that_goes_away_ends_it_in_order(data_dir: Path, arguments: tuple[str, ...]) -> None:
    """As at the end of a desktop session: no process stays behind that nobody sees, and the history is closed."""
    with x_screen() as display:
        process = start(data_dir, *arguments, environ={**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"})
        await listening(data_dir)
    try:
        _, errors = await asyncio.to_thread(process.communicate, timeout=PATIENCE_S)
    finally:
        process.kill()
    assert process.returncode == 5
    assert "Traceback" not in errors
    assert not (data_dir / "history.db-wal").exists(), "closed in order"


@pytest.mark.slow
async def test_a_second_start_with_the_same_folder_ends_at_once(data_dir: Path) -> None:
    first = start(data_dir)
    await listening(data_dir)
    second = start(data_dir)
    _, errors = await asyncio.to_thread(second.communicate, timeout=PATIENCE_S)
    assert (second.returncode, errors) == (0, "")
    assert first.poll() is None
    first.terminate()
    await asyncio.to_thread(first.communicate, timeout=PATIENCE_S)


async def test_a_second_starts_thread_is_opened(window: OpenWindow) -> None:
    await window.send("first")
    first = window.app_state.thread_id
    assert first is not None
    window.shortcut("new_thread")
    window.session.take_arguments({"open_thread": first[:8]})
    await window.until(lambda: window.app_state.is_open(first), "the thread handed over")


async def test_the_last_thread_and_the_layout_come_back(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await window.send("one")
        wanted = window.app_state.thread_id
        window.shortcut("new_thread")
        await window.send("two")
        assert wanted is not None
        await window.choose_thread(wanted)
        window.window.resize(700, 610)
        window.shortcut("toggle_threads")
    async with OpenWindow.opened(data_dir) as window:
        assert window.app_state.thread_id == wanted
        assert (window.window.width(), window.window.height()) == (700, 610)
        assert not window.threads.isVisible()
    async with OpenWindow.opened(data_dir, reset_layout=True) as window:
        assert window.threads.isVisible()
        assert window.window.width() != 700


async def test_a_window_remembered_on_a_screen_that_is_gone_comes_back_into_view(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        window.window.setGeometry(QRect(30_000, 30_000, 900, 640))
    async with OpenWindow.opened(data_dir) as window:
        screen = QGuiApplication.primaryScreen().availableGeometry()
        assert screen.intersects(window.window.frameGeometry())


async def test_the_first_paint_shows_the_thread_before_the_services_are_there(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await window.send("remember me")
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    opening = Opening(app, DataPaths(data_dir))
    assert opening.window.stage.transcript.accessible.count() == 2
    assert opening.window.windowTitle().startswith("remember me")
    opening.window.close_now()
    shiboken6.delete(opening.window)


async def test_closing_while_an_answer_streams_keeps_what_came(data_dir: Path) -> None:
    from desktop_app.core.stream_events import Ended, TextDelta
    from tests.fakes.gated_backend import Gate

    async with OpenWindow.opened(data_dir) as window:
        gate = Gate()
        window.backend.reply(TextDelta("so far"), gate, Ended("end_turn"))
        await window.begin("go", gate)
    async with OpenWindow.opened(data_dir) as window:
        answer = (await window.opened_thread()).path[-1]
        assert (answer.text, answer.state) == ("so far", "partial")
        assert isinstance(window.backend, GatedBackend)
        assert window.backend.plans == []


async def test_a_dark_setting_is_followed(data_dir: Path) -> None:
    data_dir.mkdir(mode=0o700)
    (data_dir / "settings.toml").write_text('[appearance]\ntheme = "dark"\n', encoding="utf-8")
    async with OpenWindow.opened(data_dir) as window:
        assert theme_of(window) == "dark"
        window.shortcut("theme_light")
        await window.settled()
        assert theme_of(window) == "light"
        assert window.window.actions_by_id["theme_light"].isChecked()
        assert window.services.preferences.settings.appearance.theme == "light"


async def test_a_history_that_can_not_be_opened_is_said_in_the_window(data_dir: Path, qapp: QApplication) -> None:
    paths = DataPaths(data_dir).make()
    with closing(sqlite3.connect(paths.history)) as newer:
        newer.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        newer.execute(f"PRAGMA user_version = {NEWEST + 1}")
    before = paths.history.read_bytes()
    opening = Opening(qapp, paths)

    async def composed() -> WindowServices:
        return await compose(paths, environ={"HOME": str(data_dir), "PATH": ""}, interactive=True)

    session = WindowSession(opening, paths, composed)
    running = asyncio.create_task(session.run())
    async with asyncio.timeout(PATIENCE_S):
        while session.presenters.error_cards.card is None:  # noqa: ASYNC110 - a widget has no event to wait for
            await asyncio.sleep(0.01)
    assert session.presenters.error_cards.card.content.heading
    assert paths.history.read_bytes() == before
    session.window.close()
    assert await asyncio.wait_for(running, PATIENCE_S) == 0
