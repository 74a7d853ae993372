"""Qt's application before any window, and the rule that one serves a data folder: a second start hands over.

A lock file says who serves the folder; the line is a local socket that only this user may open. A message is one JSON
object, answered by one line; a command goes on talking (`cli/window_runs`). No window is known here, so that each pays
only for its own panes.
"""

from __future__ import annotations

import errno
import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, cast

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QApplication

from desktop_app.system.own_processes import MAX_MESSAGE, socket_name
from desktop_app.ui.i18n.language import speak
from desktop_app.ui.theme.style import Appearance
from desktop_app.ui.theme.theme import load_bundled_fonts

if TYPE_CHECKING:
    from PySide6.QtNetwork import QLocalServer, QLocalSocket

    from desktop_app.core.errors import PlimsollError

Arguments: TypeAlias = Mapping[str, "str | bool | None"]

ANSWER_WITHIN_S = 5.0
"""Seconds that a second start waits for the first, which may be starting itself."""
_DONE = b"ok\n"
MOST_UNFINISHED = 8
"""Connections that have not said a line yet, of up to a megabyte; then the one that has waited longest is ended."""
MOST_COMMANDS = 32
"""Commands whose turns run here; further ones run their own."""


def hand_over(
    data_dir: Path,
    arguments: Arguments,
    within_s: float = ANSWER_WITHIN_S,
    *,
    claim: Callable[[], bool] = lambda: False,
) -> bool:
    """Gives the arguments to the window that serves this folder; False if it did not answer within `within_s`.

    `claim` is tried meanwhile: that window may just be ending. False, too, where the folder could be taken.
    """
    from PySide6.QtNetwork import QLocalSocket

    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        socket = QLocalSocket()
        socket.connectToServer(socket_name(data_dir))
        if socket.waitForConnected(500):
            socket.write(json.dumps(dict(arguments)).encode() + b"\n")
            socket.flush()
            left_ms = max(1, int((deadline - time.monotonic()) * 1000))
            answered = socket.waitForReadyRead(left_ms) and bytes(socket.readAll().data()) == _DONE
            socket.abort()
            if answered:
                return True
        if claim():
            return False
        # The first start holds the lock some milliseconds before it listens.
        time.sleep(0.02)
    return False


class SingleInstance(QObject):
    """Serves a data folder from `claim` to `close`."""

    arguments_received = Signal(object)  # Arguments
    command_came = Signal(object)  # CommandLink: a command would have its turn run here

    def __init__(self, data_dir: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = socket_name(data_dir)
        self._lock = QLockFile(str(data_dir / "instance.lock"))
        # A lock counts as long as its process lives, however long that is.
        self._lock.setStaleLockTime(0)
        self._server: QLocalServer | None = None
        self._unfinished: dict[QLocalSocket, QTimer] = {}
        self._commands: set[QLocalSocket] = set()

    def claim(self) -> bool:
        """Takes the folder; False where another living process has it, and where the disk fails (`disk_failed`).

        One that can't be written is nobody's.
        """
        if self._lock.isLocked():
            return True
        if sys.platform == "win32":  # Qt asks for the process's number, which may be another's by now
            with suppress(OSError):  # who lives has it open, and what is open can't be removed there
                Path(self._lock.fileName()).unlink()
        return self._lock.tryLock(0) or self._lock.error() == QLockFile.LockError.PermissionError

    @property
    def disk_failed(self) -> bool:
        """Return True if the last `claim` found nobody there, but the disk takes no lock: it is full, or fails."""
        return self._lock.error() == QLockFile.LockError.UnknownError

    def disk_problem(self, history: Path) -> PlimsollError | None:
        """Why the disk takes no lock, found out by writing as much; None where it is not that."""
        if not self.disk_failed:
            return None
        from tempfile import TemporaryFile

        from desktop_app.storage.sqlite_errors import store_error

        try:
            with TemporaryFile(dir=history.parent, buffering=0) as probe:
                probe.write(bytes(4096))
        except OSError as error:
            return store_error(error, history)
        return store_error(OSError(errno.EIO, os.strerror(errno.EIO)), history)

    def listen(self) -> bool:
        """Hears later starts from now on; after `claim`."""
        from PySide6.QtNetwork import QLocalServer

        server = self._server = QLocalServer(self)
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        server.newConnection.connect(self._accept)
        # Whoever holds the lock may remove the socket that a crash left behind.
        QLocalServer.removeServer(self._name)
        return server.listen(self._name)

    def holder(self) -> tuple[int, str]:
        """The process that has the folder, and its computer."""
        pid, host, _ = self._lock.getLockInfo()
        return pid, host

    def stop_listening(self) -> None:
        """Hears no later start: it waits until the folder is free."""
        if self._server is not None:
            self._server.close()

    def close(self) -> None:
        """Gives the folder back."""
        self.stop_listening()
        self._lock.unlock()

    def _accept(self) -> None:
        from desktop_app.ui.startup.command_link import line_timer

        while self._server is not None and (socket := self._server.nextPendingConnection()) is not None:
            socket.setReadBufferSize(MAX_MESSAGE + 1)
            # no lambda: the last one to go would take this, and the socket that it is called by, along
            socket.readyRead.connect(self._read_sender)
            socket.disconnected.connect(self._forget_sender)
            if len(self._unfinished) >= MOST_UNFINISHED:
                next(iter(self._unfinished)).abort()
            self._unfinished[socket] = line_timer(socket)
            self._unfinished[socket].start()
            if socket.canReadLine():
                self._read(socket)

    def _read_sender(self) -> None:
        self._read(cast("QLocalSocket", self.sender()))

    def _forget_sender(self) -> None:
        socket = cast("QLocalSocket", self.sender())
        self._unfinished.pop(socket, None)
        self._commands.discard(socket)
        socket.deleteLater()

    def _read(self, socket: QLocalSocket) -> None:
        if not socket.canReadLine():
            if socket.bytesAvailable() > MAX_MESSAGE:
                socket.abort()
            return
        try:
            arguments = json.loads(bytes(socket.readLine(MAX_MESSAGE).data()))
        except (ValueError, RecursionError):
            arguments = None
        if not isinstance(arguments, dict) or ("protocol" in arguments and len(self._commands) >= MOST_COMMANDS):
            socket.abort()
            return
        self._unfinished.pop(socket).stop()
        if "protocol" in arguments:
            self._commands.add(socket)
            from desktop_app.ui.startup.command_link import CommandLink

            socket.readyRead.disconnect()  # what follows is the link's
            self.command_came.emit(CommandLink(socket, arguments, self))
            return
        socket.write(_DONE)
        socket.disconnectFromServer()
        self.arguments_received.emit(arguments)


APP_ID = "org.plimsoll.Plimsoll"


def make_application() -> QApplication:
    """The application with its name, fonts and style, before any window."""
    # By `setStyle` Qt would hand the style over, for which PySide makes tables of 6 ms in Python.
    app = QApplication([*sys.argv[:1], "-style", "fusion"])
    app.setApplicationName("Plimsoll")
    app.setDesktopFileName(APP_ID)
    # The window ends the program in order; Qt must not do it first.
    app.setQuitOnLastWindowClosed(False)
    load_bundled_fonts()
    return app


def read_appearance(path: Path, *, safe_mode: bool = False) -> Appearance:
    """The look that the settings ask for, in the language that they ask for.

    Where there are none, reading settings is not even imported.
    """
    try:
        text = "" if safe_mode else path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        text = ""
    if not text:
        _speak("system")
        return Appearance()
    from desktop_app.core.settings import parse_settings

    settings = parse_settings(text)[0].appearance
    _speak(settings.language)
    return Appearance(settings.theme, settings.text_size, list_previews=settings.list_previews)


def _speak(choice: str) -> None:
    if speak(choice).startswith("zh"):
        if not QFontDatabase.families(QFontDatabase.WritingSystem.SimplifiedChinese):
            sys.stderr.write(
                "plimsoll: no font here has Chinese (Debian: fonts-noto-cjk), so the window speaks English.\n"
            )
            speak("en")
            return
        load_bundled_fonts(tall=True)
