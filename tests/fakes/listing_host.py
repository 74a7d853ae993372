"""A host of servers of tools that list what a test tells them to."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from desktop_app.controller.tool_library import ToolServers
from desktop_app.core.messages import JsonObject
from desktop_app.core.tool_servers import ServerLaunch, ServerReport, ServerTool, ToolOutcome

COMMIT = ServerTool("Git", "commit", "Records changes", {"type": "object"})
LOG = ServerTool("Git", "log", "Lists commits", {"type": "object"}, read_only=True)


class ListingHost:
    """A host whose servers list what they are told."""

    def __init__(self) -> None:
        self.tools: Sequence[ServerTool] = (COMMIT, LOG)
        self.problem = ""
        self.launched: list[ServerLaunch] = []
        self.ended: list[str] = []
        self.reported: Callable[[ServerReport], None] = lambda _: None

    def serve(self, servers: ToolServers) -> None:
        """Stands in the place of the host that would be made for their first server."""
        servers._make_host = lambda _: self

    def report(self, server: str) -> ServerReport:
        return ServerReport(server)

    async def connect(self, launch: ServerLaunch, *, fresh: bool = False) -> ServerReport:
        self.launched.append(launch)
        if self.problem:
            return ServerReport(launch.server, "failed", problem=self.problem)
        return ServerReport(launch.server, "ready", tuple(self.tools), "git 1.0")

    async def misfit(self, server: str, tool: str, arguments: JsonObject) -> str:
        return ""

    async def call(self, server: str, tool: str, arguments: JsonObject) -> ToolOutcome:
        return ToolOutcome("")

    async def log(self, server: str) -> str:
        return "it has begun"

    async def end(self, server: str) -> None:
        self.ended.append(server)

    async def close(self) -> None:
        self.ended.append("")
