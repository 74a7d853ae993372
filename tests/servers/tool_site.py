"""A server of tools at an address (streamable HTTP), well or failing as `tool_server`'s ways say, or by its status.

`streams` answers as events instead of JSON. `late`: what `way` names comes with the first call, not before.
"""

from __future__ import annotations

import gzip
from json import dumps
from typing import Any

from tests.servers.loopback import ScriptedHandler, ScriptedServer
from tests.servers.messages_script import Answer, HttpError
from tests.servers.tool_server import answered

PATH = "/mcp"


class ToolSite(ScriptedServer):
    """The server. `way`: "well", a status, "hang", "big", "packed", "junk" or "cut". `token`: what it asks for."""

    answer_path = PATH

    def __init__(self, way: str = "well", *, streams: bool = False, late: bool = False, token: str = "") -> None:
        super().__init__(Answer())
        self.way, self.streams, self.late, self.token = way, streams, late, token
        self.session = ""
        """Where it is set, it is given with the handshake and asked for with everything after it."""
        self.moved_to = ""

    @property
    def url(self) -> str:
        return f"{self.root}{PATH}"


class _Handler(ScriptedHandler):
    def _get(self) -> None:
        self._send(405, b"", {})

    def _post(self) -> None:
        site, message = self._site(), self.captured.body
        if site.token and self.captured.headers.get("authorization") != f"Bearer {site.token}":
            self._error(HttpError(401))
            return
        if site.moved_to:
            self._send(307, b"", {"location": site.moved_to})
            return
        knows = self.captured.headers.get("mcp-session-id", "") == site.session
        if not knows and message["method"] != "initialize":
            self._error(HttpError(404))
            return
        if "id" not in message:
            self._send(202, b"", {})
            return
        fails = not site.late or message["method"] == "tools/call"
        match site.way if fails else "well":
            case status if status.isdecimal():
                self._error(HttpError(int(status)))
            case "hang":
                self.hold(None)
            case "big":
                self._send(200, b"x" * 40_000_000, self._kind())
            case "junk":
                self._send(200, b"<html>Welcome</html>", {"content-type": "text/html"})
            case "cut":
                self.begin_stream()
                self.cut(reset=False)
            case way:
                self._say(message, way)

    def _say(self, message: dict[str, Any], way: str) -> None:
        result = answered(way, message)
        said = {"error": {"code": -32601, "message": "not known"}} if result is None else {"result": result}
        text = dumps({"jsonrpc": "2.0", "id": message["id"], **said})
        if self._site().streams:
            text = f"event: message\ndata: {text}\n\n"
        if way == "packed":  # though nobody asked for it
            self._send(200, gzip.compress(text.encode()), {**self._kind(), "content-encoding": "gzip"})
            return
        self._send(200, text.encode(), self._kind())

    def _kind(self) -> dict[str, str]:
        session = {"mcp-session-id": self._site().session} if self._site().session else {}
        return {"content-type": "text/event-stream" if self._site().streams else "application/json", **session}

    def _site(self) -> ToolSite:
        assert isinstance(self.server.api, ToolSite)
        return self.server.api

    def _error(self, error: HttpError) -> None:
        given = self.captured.headers.get("authorization", "")  # as careless servers do
        self._send(error.status, f"not with {given}".encode(), {"content-type": "text/plain"})


ToolSite.handler = _Handler
