"""The real `claude` program, led by us, starts none of the MCP servers that the user's or a project's files name."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from desktop_app.backends.claude_cli.claude_cli_backend import ClaudeCliBackend
from desktop_app.backends.claude_cli.invocation import FLAGS
from tests.backends.claude_cli.plans import plan_of
from tests.backends.claude_cli.tool_user import ToolUser
from tests.servers.messages_api import MessagesApi

pytestmark = pytest.mark.slow

NAME = "harbor7731"


def naming_a_server(trace: Path) -> dict[str, Any]:
    """A server that leaves a file behind when it is started."""
    run = f"open({str(trace)!r}, 'w')"
    return {"mcpServers": {NAME: {"command": sys.executable, "args": ["-c", run]}}}


async def test_no_server_but_ours_is_started(
    backend: ClaudeCliBackend, api: MessagesApi, tmp_path: Path, environ: dict[str, str]
) -> None:
    trace = tmp_path / "started"
    work, home = tmp_path / "data" / "claude", Path(environ["HOME"])
    work.mkdir(parents=True, exist_ok=True)
    (home / ".claude").mkdir(exist_ok=True)
    named = naming_a_server(trace)
    for folder in (work, work.parent, tmp_path, home):
        (folder / ".mcp.json").write_text(json.dumps(named))
    projects = {str(folder): named | {"hasTrustDialogAccepted": True} for folder in (work, home)}
    (home / ".claude.json").write_text(json.dumps(named | {"projects": projects}))
    allowed = {"enableAllProjectMcpServers": True, "enabledMcpjsonServers": [NAME]}
    (home / ".claude" / "settings.json").write_text(json.dumps(named | allowed))

    user = await ToolUser().read(backend, plan_of("q"))

    assert user.parts
    (request,) = api.answers
    assert not trace.exists()
    assert NAME.encode() not in request.raw
    assert not request.body.get("tools")


def test_it_is_told_to_read_no_such_file() -> None:
    assert "--strict-mcp-config" in FLAGS
    assert "--mcp-config" not in FLAGS
