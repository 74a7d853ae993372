"""Owns one command's connection to the window: its messages in order, and those to it. Knows not what they say."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from desktop_app.instance_socket import MAX_MESSAGE

if TYPE_CHECKING:
    from PySide6.QtNetwork import QLocalSocket


class CommandLink(QObject):
    """Made with the first message, which `receive` gives first."""

    def __init__(self, socket: QLocalSocket, first: dict[str, Any], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._socket: QLocalSocket | None = socket
        self._came: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self._came.put_nowait(first)
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
            if not isinstance(message, dict):
                self._socket.abort()
                return
            self._came.put_nowait(message)
        if self._socket is not None and self._socket.bytesAvailable() > MAX_MESSAGE:
            self._socket.abort()

    def _gone(self) -> None:
        self._socket = None
        self._came.put_nowait(None)
