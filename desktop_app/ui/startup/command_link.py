"""One command's connection to the window: its messages in order, and those to it."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from PySide6.QtCore import QObject, QTimer
from PySide6.QtNetwork import QLocalSocket

from desktop_app.system.own_processes import MAX_MESSAGE

UNFINISHED_MS = 10_000
"""Milliseconds that whoever connects may take for a line: ours are written at once."""
MOST_UNHEARD = 8
"""Messages that wait; a command says four in all."""


def line_timer(socket: QLocalSocket) -> QTimer:
    """Hangs up when a line is not finished in time after it was started."""
    timer = QTimer(socket, singleShot=True, interval=UNFINISHED_MS)
    timer.timeout.connect(lambda: socket.abort())  # noqa: PLW0108 (it is no slot, and PySide can't make it one)
    return timer


class CommandLink(QObject):
    """Made with the first message, which `receive` gives first."""

    def __init__(self, socket: QLocalSocket, first: dict[str, Any], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._socket: QLocalSocket | None = socket
        self._came: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self._came.put_nowait(first)
        self._unfinished = line_timer(socket)
        socket.readyRead.connect(self._read)
        socket.disconnected.connect(self._gone)
        self._read()

    async def receive(self) -> dict[str, Any] | None:
        """The next message; None: the command has gone."""
        return await self._came.get()

    def send(self, message: dict[str, Any]) -> None:
        """Writes a message; one to a command that has gone is dropped."""
        if self._socket is not None:
            self._socket.write(json.dumps(message).encode() + b"\n")
            self._socket.flush()

    def close(self) -> None:
        """Ends the connection once everything is written."""
        if self._socket is not None:
            self._socket.disconnectFromServer()

    def _read(self) -> None:
        while self._socket is not None and self._socket.canReadLine():
            try:
                message = json.loads(bytes(self._socket.readLine(MAX_MESSAGE).data()))
            except (ValueError, RecursionError):
                message = None
            if not isinstance(message, dict) or self._came.qsize() >= MOST_UNHEARD:
                self._socket.abort()
                return
            self._came.put_nowait(message)
            self._unfinished.stop()
        if self._socket is not None and (begun := self._socket.bytesAvailable()):
            if begun > MAX_MESSAGE:
                self._socket.abort()
            elif not self._unfinished.isActive():
                self._unfinished.start()

    def _gone(self) -> None:
        self._socket = None
        self._came.put_nowait(None)
