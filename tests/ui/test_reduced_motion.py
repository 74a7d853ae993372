"""With reduced motion nothing moves by itself; without it only what is meant to."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractAnimation, Qt, QTimer
from PySide6.QtWidgets import QApplication, QGraphicsEffect

from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.ui.theme import theme
from desktop_app.ui.theme.theme import motion
from tests.fakes.gated_backend import Gate
from tests.ui.open_window import OpenWindow

UI = Path(theme.__file__).parents[1]
MOVES = {"gauge/gauge_strip.py", "threads/thread_list_view.py"}
"""What moves: the gauge's fill, and the mark of a running answer, which a timer turns."""


def settings(data_dir: Path, *, reduced: bool) -> Path:
    data_dir.mkdir()
    (data_dir / "settings.toml").write_text(f"[appearance]\nreduced_motion = {str(reduced).lower()}\n", "utf-8")
    return data_dir


async def acted(window: OpenWindow) -> list[str]:
    """Does what could set something moving, and tells what moved."""
    moved: list[str] = []

    def watch() -> None:
        for top in QApplication.topLevelWidgets():
            moved.extend(
                type(one.parent()).__name__
                for one in top.findChildren(QAbstractAnimation)
                if one.state() == QAbstractAnimation.State.Running
            )
            assert not top.findChildren(QGraphicsEffect), "nothing fades"
        turning = [one for one in window.threads.view.findChildren(QTimer) if one.interval() == motion("turn")]
        moved.extend("running mark" for one in turning if one.isActive())

    gate = Gate()
    window.backend.reply(TextDelta("An answer"), gate, Ended("end_turn"))
    window.editor.setPlainText("A question. " * 4_000)
    await window.settled()
    await window.until(lambda: window.gauge.reading.fill > 0, "the gauge")
    watch()
    window.press(Qt.Key.Key_Return)
    await gate.arrive()
    watch()
    for action in ("command_palette", "toggle_threads", "toggle_threads", "toggle_inspector", "find", "preferences"):
        window.shortcut(action)
        await window.settled()
        watch()
    gate.open()
    await window.until(lambda: not window.composer.streaming, "the end of the answer")
    watch()
    return moved


@pytest.mark.slow
async def test_with_reduced_motion_nothing_moves(data_dir: Path) -> None:
    async with OpenWindow.opened(settings(data_dir, reduced=True)) as window:
        assert await acted(window) == []


@pytest.mark.slow
async def test_else_the_gauge_and_the_mark_of_an_answer_do(data_dir: Path) -> None:
    async with OpenWindow.opened(settings(data_dir, reduced=False)) as window:
        assert set(await acted(window)) == {"GaugeStrip", "running mark"}


def test_no_other_part_moves() -> None:
    moving = re.compile(r"\bQ\w*Animation\b|\bQGraphics\w*Effect\b|setWindowOpacity|\bmotion\(\"(?:travel|turn)\"\)")
    found = {
        path.relative_to(UI).as_posix()
        for path in UI.rglob("*.py")
        if path.name != "theme.py" and moving.search(path.read_text("utf-8"))
    }
    assert found == MOVES
    for name in MOVES:
        assert "reduced_motion" in (UI / name).read_text("utf-8")
