"""A start whose predecessor does not respond says so in a window, and ends it if the user wants that."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QLockFile, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from desktop_app.app import STORE_FAILED, main
from desktop_app.core.errors import UserError
from desktop_app.ui.startup import restart
from desktop_app.ui.startup.single_instance import SingleInstance, hand_over
from desktop_app.window_options import WindowOptions
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
    monkeypatch.setattr(restart, "LOOK_MS", 5)
    monkeypatch.setattr(restart, "KILL_AFTER", 30)
    instance = SingleInstance(folder)
    assert not instance.claim()
    assert not hand_over(folder, {}, within_s=0.05, claim=instance.claim)
    said = answering(qapp, "End Plimsoll")
    assert restart.gave_way(qapp, instance, folder / "settings.toml")
    assert said[0] == "Plimsoll is open, but does not respond."
    assert set(said[1:]) == {"Try again", "End Plimsoll", "Cancel"}
    assert holder.wait(PATIENCE_S) in (-15, -9)  # asked to, or killed
    while not instance.claim():  # it was asked to end: the window waits once more where that takes long
        assert restart.gave_way(qapp, instance, folder / "settings.toml")
    instance.close()


@pytest.mark.parametrize(("button", "tries"), [("Try again", True), ("Cancel", False)])
def test_nothing_is_ended_unless_it_is_wished(
    folder: Path, qapp: QApplication, holder: subprocess.Popen[str], button: str, *, tries: bool
) -> None:
    instance = SingleInstance(folder)
    answering(qapp, button)
    assert restart.gave_way(qapp, instance, folder / "settings.toml") == tries
    assert holder.poll() is None
    assert not instance.claim()


def test_one_that_ends_by_itself_makes_the_question_go(
    folder: Path, qapp: QApplication, holder: subprocess.Popen[str]
) -> None:
    instance = SingleInstance(folder)
    QTimer.singleShot(50, holder.kill)
    QTimer.singleShot(60, holder.wait)  # nobody else would take note of its end
    assert restart.gave_way(qapp, instance, folder / "settings.toml")
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
    assert not restart.gave_way(qapp, instance, folder / "settings.toml")
    assert said[0] == "Plimsoll is open on elsewhere with the same data folder."
    assert set(said[1:]) == {"Try again", "Cancel"}


class FullDisk:
    """A lock file that can't be written for want of room, as `QLockFile` tells it; `free` makes room."""

    LockError = QLockFile.LockError

    def __init__(self, _path: str = "") -> None:
        self.free = False

    def setStaleLockTime(self, _ms: int) -> None:  # noqa: N802 - Qt's
        pass

    def isLocked(self) -> bool:  # noqa: N802 - Qt's
        return False

    def tryLock(self, _ms: int) -> bool:  # noqa: N802 - Qt's
        return self.free

    def error(self) -> QLockFile.LockError:
        return QLockFile.LockError.NoError if self.free else QLockFile.LockError.UnknownError

    def getLockInfo(self) -> tuple[int, str, str]:  # noqa: N802 - Qt's
        return 0, "", ""


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EIO])
def test_a_disk_that_takes_no_lock_is_nobody_that_does_not_respond(
    folder: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], code: int
) -> None:
    def fails(**_: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr("tempfile.TemporaryFile", fails)
    monkeypatch.setattr("desktop_app.ui.startup.single_instance.QLockFile", FullDisk)
    monkeypatch.setattr("desktop_app.ui.startup.single_instance.make_application", lambda: qapp)
    said = answering(qapp, "Cancel")
    status = main(WindowOptions(data_dir=str(folder)))
    words = "The disk is full: " if code != errno.EIO else "The history file "
    assert said[0].startswith(words)
    assert set(said[1:]) == {"Try again", "Cancel"}
    assert capsys.readouterr().err.startswith(f"plimsoll: {words}")
    assert status == STORE_FAILED


def test_room_on_the_disk_makes_the_words_go(folder: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    instance, lock = SingleInstance(folder), FullDisk()
    monkeypatch.setattr(instance, "_lock", lock)
    assert not instance.claim()
    assert instance.disk_failed
    QTimer.singleShot(20, lambda: setattr(lock, "free", True))
    assert restart.gave_way(qapp, instance, folder / "settings.toml", UserError("store", "The disk is full."))
    assert instance.claim()
