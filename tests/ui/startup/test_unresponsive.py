"""A start whose predecessor does not respond says so in a window, and ends it if the user wants that."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from desktop_app.ui.startup import unresponsive
from desktop_app.ui.startup.single_instance import SingleInstance, hand_over
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")

HOLDER = """
import signal, sys, time
from pathlib import Path
from desktop_app.ui.startup.single_instance import SingleInstance
if "deaf" in sys.argv:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
instance = SingleInstance(Path(sys.argv[1]))
print(instance.claim(), flush=True)
time.sleep(1000)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "d"
    path.mkdir(mode=0o700)
    return path


@pytest.fixture
def holder(folder: Path, request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[str]]:
    """A process that has the folder and never listens; `deaf`: nor does it end when it is asked to."""
    how = getattr(request, "param", "")
    process = subprocess.Popen([sys.executable, "-c", HOLDER, str(folder), how], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "True\n"
    if how == "stopped":
        psutil.Process(process.pid).suspend()
    yield process
    process.kill()
    process.wait(PATIENCE_S)
    process.stdout.close()


def answering(app: QApplication, button: str) -> list[str]:
    """Clicks a button of the window as soon as it is there; returns what it says, and its buttons."""
    said: list[str] = []

    def look() -> None:
        boxes = [one for one in app.topLevelWidgets() if isinstance(one, QMessageBox) and one.isVisible()]
        for box in boxes:
            said.extend((box.text(), *(one.text().replace("&", "") for one in box.buttons())))
            next(one for one in box.buttons() if one.text().replace("&", "") == button).click()
        if not boxes:
            QTimer.singleShot(10, look)

    QTimer.singleShot(0, look)
    return said


@pytest.mark.parametrize("holder", ["", "deaf", "stopped"], indirect=True)
def test_it_is_ended_and_the_folder_taken(
    folder: Path, qapp: QApplication, holder: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unresponsive, "LOOK_MS", 5)
    monkeypatch.setattr(unresponsive, "KILL_AFTER", 30)
    instance = SingleInstance(folder)
    assert not instance.claim()
    assert not hand_over(folder, {}, within_s=0.05, claim=instance.claim)
    said = answering(qapp, "End Plimsoll")
    assert unresponsive.gave_way(qapp, instance, folder / "settings.toml")
    assert said[0] == "Plimsoll is open, but does not respond."
    assert set(said[1:]) == {"Try again", "End Plimsoll", "Cancel"}
    assert holder.wait(PATIENCE_S) in (-15, -9)  # asked to, or killed
    while not instance.claim():  # it was asked to end: the window waits once more where that takes long
        assert unresponsive.gave_way(qapp, instance, folder / "settings.toml")
    instance.close()


@pytest.mark.parametrize(("button", "tries"), [("Try again", True), ("Cancel", False)])
def test_nothing_is_ended_unless_it_is_wished(
    folder: Path, qapp: QApplication, holder: subprocess.Popen[str], button: str, *, tries: bool
) -> None:
    instance = SingleInstance(folder)
    answering(qapp, button)
    assert unresponsive.gave_way(qapp, instance, folder / "settings.toml") == tries
    assert holder.poll() is None
    assert not instance.claim()


def test_one_that_ends_by_itself_makes_the_question_go(
    folder: Path, qapp: QApplication, holder: subprocess.Popen[str]
) -> None:
    instance = SingleInstance(folder)
    QTimer.singleShot(50, holder.kill)
    QTimer.singleShot(60, holder.wait)  # nobody else would take note of its end
    assert unresponsive.gave_way(qapp, instance, folder / "settings.toml")
    assert instance.claim()
    assert not any(isinstance(one, QMessageBox) and one.isVisible() for one in qapp.topLevelWidgets())
    instance.close()


def test_one_that_ends_while_a_start_waits_for_its_answer_leaves_the_folder_to_it(
    folder: Path, qapp: QApplication, holder: subprocess.Popen[str]
) -> None:
    instance = SingleInstance(folder)
    tries = 0

    def claim() -> bool:
        nonlocal tries
        tries += 1
        if tries == 2:
            holder.kill()
            holder.wait(PATIENCE_S)
        return instance.claim()

    assert not hand_over(folder, {}, within_s=PATIENCE_S, claim=claim)
    assert instance.claim()
    instance.close()


def test_one_on_another_computer_can_not_be_ended_from_here(
    folder: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    instance = SingleInstance(folder)
    monkeypatch.setattr(instance, "holder", lambda: (os.getpid(), "elsewhere"))
    monkeypatch.setattr(instance, "claim", lambda: False)
    said = answering(qapp, "Cancel")
    assert not unresponsive.gave_way(qapp, instance, folder / "settings.toml")
    assert said[0] == "Plimsoll is open on elsewhere with the same data folder."
    assert set(said[1:]) == {"Try again", "Cancel"}
