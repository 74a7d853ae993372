"""The way to another start: again after the window's end, or after ending a Plimsoll that does not respond."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSysInfo, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from desktop_app.core.errors import PlimsollError
from desktop_app.ui.i18n.language import tr, translated
from desktop_app.ui.startup.single_instance import SingleInstance, read_appearance

RESTART: Final = -1
"""The value that a session ends with instead of an exit status, where Plimsoll is to be started again."""

RESET: Final = {"PYINSTALLER_RESET_ENVIRONMENT": "1"}
"""The frozen app would otherwise take its child for a part of itself."""


def start_again() -> None:
    """Starts this program with the same arguments; the data folder has to be free by now."""
    subprocess.Popen([sys.executable, *sys.orig_argv[1:]], env={**os.environ, **RESET})


LOOK_MS: Final = 100
KILL_AFTER: Final = 50
"""Looks after which a process that was asked to end is killed: one that hangs hears no signal."""


def gave_way(app: QApplication, instance: SingleInstance, settings: Path, problem: PlimsollError | None = None) -> bool:
    """Asks the user; whether another try is due, as that process ended, was ended, or is to be asked again.

    `problem`: of the disk, which nobody needs to end for; freed, it is tried again by itself.
    """
    appearance = read_appearance(settings)
    appearance.dress(app)
    pid, host = instance.holder()
    elsewhere = host not in ("", QSysInfo.machineHostName())
    box = QMessageBox(icon=QMessageBox.Icon.Warning)
    box.setWindowTitle("Plimsoll")
    if problem is not None:
        box.setText(translated(problem.failure.message))
    elif elsewhere:
        box.setText(tr("Plimsoll is open on {computer} with the same data folder.").format(computer=host))
        box.setInformativeText(tr("Close it there, then try again."))
    else:
        box.setText(tr("Plimsoll is open, but does not respond."))
        box.setInformativeText(tr("End it to open it again. What was typed in its last seconds may be lost."))
    again = box.addButton(tr("Try again"), QMessageBox.ButtonRole.AcceptRole)
    end = None if elsewhere or problem else box.addButton(tr("End Plimsoll"), QMessageBox.ButtonRole.DestructiveRole)
    box.setDefaultButton(again)
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.finished.connect(lambda _: app.exit())
    looks = 0

    def look() -> None:
        nonlocal looks
        if instance.claim():
            app.exit()
        elif box.isHidden() and problem is None:
            looks += 1
            if looks in (1, KILL_AFTER):
                _end(pid, by_force=looks > 1)
            if looks > 2 * KILL_AFTER:
                app.exit()

    timer = QTimer()
    timer.timeout.connect(look)
    timer.start(LOOK_MS)
    box.show()
    app.exec()
    if end is not None and box.clickedButton() is end:
        app.exec()  # until the folder is free, or that process can't be ended
    timer.stop()
    appearance.deleteLater()
    return instance.claim() or box.clickedButton() in (again, end)


def _end(pid: int, *, by_force: bool) -> None:
    try:
        os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM) if by_force else signal.SIGTERM)
    except OSError:
        return  # it has ended, or belongs to somebody else: the next look tells
