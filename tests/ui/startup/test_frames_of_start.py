"""Every frame that a start paints: none shows what another replaces without anything being done."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_app.backends.backend_protocol import Backend
from desktop_app.composition import compose
from desktop_app.core.messages import Failure
from desktop_app.core.stream_events import Failed, TextDelta
from desktop_app.paths import DataPaths
from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.shell.opening import Opening
from desktop_app.ui.shell.session import WindowSession
from desktop_app.ui.state.services import WindowServices
from tests.fakes.gated_backend import GatedBackend
from tests.fakes.memory_secrets import MemorySecrets
from tests.patience import PATIENCE_S
from tests.ui.frames import Frames
from tests.ui.long_threads import long_path, put_thread, stepped
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow


async def start_of(
    data_dir: Path,
    app: QApplication,
    *,
    backend: str | None = "scripted",
    window_tokens: int | None = None,
    greets: bool = False,
    at_first: Callable[[MainWindow], object] = lambda window: None,
) -> list[QImage]:
    """The frames of one start, from the first paint until nothing more is done; then the window is closed.

    `at_first` is done when the first frame is painted, and when the last is.
    """
    paths = DataPaths(data_dir).make()
    app.setCursorFlashTime(0)

    async def composed() -> WindowServices:
        services = await compose(
            paths,
            environ={"HOME": str(data_dir.parent), "PATH": ""},
            default_backend=backend,
            interactive=True,
            secrets=MemorySecrets(),
        )
        services.connections.look_at = ()
        return services

    painted = asyncio.get_running_loop().create_future()
    opening = Opening(app, paths, greets=greets)
    frames = Frames(app, opening.window)
    opening.window.first_painted.connect(lambda: painted.set_result(None))
    await asyncio.wait_for(painted, PATIENCE_S)
    at_first(opening.window)
    session = WindowSession(opening, paths, composed)
    gated = GatedBackend("scripted")
    if window_tokens is not None:
        gated.window = window_tokens
    session.app_state.services_arrived.connect(
        lambda services: cast("dict[str, Backend]", services.backends).update({"scripted": gated})
    )
    running = asyncio.create_task(session.run())
    try:
        await asyncio.wait_for(session.opened_first.wait(), PATIENCE_S)
        for _ in range(40):  # longer than a look at the disk takes, and every fading
            await asyncio.sleep(0.02)
        at_first(opening.window)
        return frames.take()
    finally:
        session.window.close()
        await asyncio.wait_for(running, PATIENCE_S)


def column_of(image: QImage) -> QImage:
    """The text, without the scroll bar, whose length is known only with the whole thread."""
    return image.copy(0, 0, image.width() - 20, image.height())


async def test_a_thread_with_branches_and_a_step(data_dir: Path, qapp: QApplication) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await stepped(window)
        asked = len(window.backend.plans)
        window.presenters.branches.try_again()
        await window.until(lambda: len(window.backend.plans) > asked, "the question asked again")
        await window.until(lambda: not window.composer.streaming, "the other answer")
        await window.settled()
        QTest.mouseClick(window.transcript.latest_button, Qt.MouseButton.LeftButton)
        await window.settled()
    images = await start_of(data_dir, qapp, window_tokens=12_000)
    assert len(images) == 1
    kept = (data_dir / "cache" / "last_paint.json").read_text("utf-8")
    assert "older messages left out" in kept
    assert "Question" not in kept
    assert "quick brown fox" not in kept
    assert (data_dir / "cache" / "last_paint.json").stat().st_mode & 0o777 == 0o600


async def test_a_place_far_from_the_end(data_dir: Path, qapp: QApplication) -> None:
    thread_id = f"{7:032x}"
    await put_thread(data_dir, "A long talk", long_path(thread_id, 60, 200))
    async with OpenWindow.opened(data_dir) as window:
        await window.until(lambda: not window.transcript.path.missing, "the whole thread")
        window.transcript.navigation.go_to_message(31)
        window.transcript.scroll_by(57)
        await window.settled()
    images = await start_of(data_dir, qapp)
    assert [column_of(image) == column_of(images[0]) for image in images] == [True] * len(images)


async def test_a_new_thread_with_a_model(data_dir: Path, qapp: QApplication) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await window.settled()
    assert len(await start_of(data_dir, qapp)) == 1


async def test_a_new_thread_offers_the_users_prompts_at_once(data_dir: Path, qapp: QApplication) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await window.services.prompts.add("Tides", "When is high water?")
        await window.settled()
    assert len(await start_of(data_dir, qapp)) == 1


async def test_nothing_is_kept_of_a_private_thread(data_dir: Path, qapp: QApplication) -> None:
    async with OpenWindow.opened(data_dir) as window:
        window.shortcut("new_private_thread")
        await window.send("in private")
        thread_id = window.app_state.thread_id
    assert thread_id is not None
    kept = (data_dir / "cache" / "last_paint.json").read_text("utf-8")
    assert thread_id not in kept
    assert "big" not in kept


async def test_the_first_start_of_all_shows_the_ways_to_a_model_at_once(data_dir: Path, qapp: QApplication) -> None:
    seen: list[tuple[bool, bool, list[tuple[str, int]]]] = []

    def look(window: MainWindow) -> None:
        rows = window.stage.welcome.rows
        places = [(row.way.backend, row.y()) for row in rows if not row.isHidden()]
        seen.append((window.stage.welcoming, window.composer.isVisible(), places))

    await start_of(data_dir, qapp, backend=None, greets=True, at_first=look)
    assert seen[0] == seen[1]
    assert seen[0][:2] == (True, False)
    assert seen[0][2], "the cards are there with the first paint"


async def test_a_start_after_that_shows_them_too(data_dir: Path, qapp: QApplication) -> None:
    seen: list[bool] = []
    await start_of(data_dir, qapp, backend=None, greets=True)
    await start_of(data_dir, qapp, backend=None, at_first=lambda window: seen.append(window.stage.welcoming))
    assert seen == [True, True]


async def test_where_something_answers_after_all_the_composer_takes_their_place(
    data_dir: Path, qapp: QApplication
) -> None:
    seen: list[tuple[bool, bool]] = []
    await start_of(
        data_dir,
        qapp,
        greets=True,
        at_first=lambda window: seen.append((window.stage.welcoming, window.composer.editor.hasFocus())),
    )
    assert seen == [(True, False), (False, True)]


async def test_an_answer_that_failed_has_its_card_at_once(data_dir: Path, qapp: QApplication) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await window.send("one")
        failure = Failure("backend", "The provider is busy.", actions=("retry",))
        window.backend.reply(TextDelta("so far"), Failed(failure))
        await window.send("two")
    assert len(await start_of(data_dir, qapp)) == 1


async def test_ratings_and_notes_are_there_at_once(data_dir: Path, qapp: QApplication) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await window.send("one")
        answer = window.transcript.row_layout.messages[1].id
        window.transcript.row_actions.message_acted.emit(answer, "rate_up")
        await window.settled()
        window.transcript.row_actions.message_acted.emit(answer, "note")
        QTest.keyClicks(window.transcript.editing.note.editor, "mine")
        QTest.mouseClick(window.transcript.editing.note.yes, Qt.MouseButton.LeftButton)
        await window.settled()
    assert len(await start_of(data_dir, qapp)) == 1
    assert "mine" not in (data_dir / "cache" / "last_paint.json").read_text("utf-8")


async def test_the_models_name_is_there_at_once_after_a_kill_and_in_another_thread(
    data_dir: Path, qapp: QApplication
) -> None:
    seen: list[str] = []
    first, other = f"{7:032x}", f"{8:032x}"
    await put_thread(data_dir, "First", long_path(first, 2, 200))
    await put_thread(data_dir, "Other", long_path(other, 2, 200))
    async with OpenWindow.opened(data_dir) as window:
        kept = data_dir / "cache" / "last_paint.json"
        await window.until(kept.exists, "the model's name, which a kill would leave")
        await window.settled()
        at_once = kept.read_text("utf-8")
        await window.choose_thread(first)
        name = window.composer.picker.text()
    assert name
    kept.write_text(at_once, "utf-8")
    await start_of(data_dir, qapp, at_first=lambda window: seen.append(window.composer.picker.text()))
    async with OpenWindow.opened(data_dir) as window:
        await window.choose_thread(other)
        await window.services.chat.switch(other, backend="scripted", model="small")
        await window.settled()
    kept.write_text(at_once, "utf-8")
    await start_of(data_dir, qapp, at_first=lambda window: seen.append(window.composer.picker.text()))
    assert seen[:3] == [name, name, ""], "of a thread that asks for something else nothing is said yet"
