"""Runs `tools ...`: the servers of tools with their weight and consents, added, removed and tested."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from getpass import getpass

from desktop_app.cli.command_process import DONE, EXIT_STATUS, Output
from desktop_app.cli.options import ToolsOptions
from desktop_app.cli.project_commands import known_project
from desktop_app.composition import AppServices
from desktop_app.controller.server_tools import ToolWeights, weighed_tools
from desktop_app.controller.tool_library import ToolServers
from desktop_app.core.context.plan_text import price
from desktop_app.core.errors import UserError
from desktop_app.core.messages import Json
from desktop_app.core.tool_servers import ToolServer, add_by_parts

STATES = {
    "off": "off",
    "ready": "on",
    "failed": "failed",
    "changed": "changed; look at it in the window",
}
LONGEST_SECRET = 100_000
"""Characters of a secret."""


async def run_tools(services: AppServices, options: ToolsOptions, output: Output) -> int:
    """Does what the options name; the exit status. A server that can't be used is told, and the others are tested."""
    servers = services.tool_servers
    match options.act:
        case "list":
            shown, status = servers.all, DONE
        case "add":
            shown, status = [await _add(services, options)], DONE
        case "remove":
            await servers.remove(options.server)
            shown, status = (servers.all if options.json else ()), DONE
        case "test":
            tested = [servers.find(options.server)] if options.server else servers.all
            reports = [await servers.test(one.name, fresh=True) for one in tested]
            for report in (one for one in reports if one.state == "failed"):
                output.tell(f"{report.server}: {report.problem}")
            shown = [servers.find(one.name) for one in tested]
            status = EXIT_STATUS["backend"] if any(one.state == "failed" for one in reports) else DONE
    weights = await weighed_tools(services.chat, servers)
    if options.json:
        output.json([server_shape(servers, one, weights) for one in shown])
    elif options.act in ("list", "test"):
        _print(servers, shown, weights, output)
    return status


async def _add(services: AppServices, options: ToolsOptions) -> ToolServer:
    servers = services.tool_servers
    project = (await known_project(services, options.project)).id if options.project else None
    # the values are asked for only where it can be added with them
    add_by_parts(options.server, url=options.url, command=options.program[0] if options.program else "")
    values = await asyncio.to_thread(_values, options.secrets)
    program = options.program
    if options.url:
        found = add_by_parts(options.server, url=options.url, headers=values)
    else:
        found = add_by_parts(options.server, command=program[0], arguments=program[1:], environment=values)
    return await servers.add(found.with_secrets(values), project=project)


def _values(names: Sequence[str]) -> dict[str, str]:
    """The values of secrets: typed without being shown, else a line of standard input for each."""
    values: dict[str, str] = {}
    for name in names:
        if sys.stdin is not None and sys.stdin.isatty():
            value = getpass(f"{name}: ")
        else:
            value = sys.stdin.readline(LONGEST_SECRET) if sys.stdin is not None else ""
        if not (value := value.rstrip("\r\n")):
            raise UserError(
                "usage", f"There is no value for {name}. Give one line on standard input for each --secret."
            )
        values[name] = value
    return values


def server_shape(servers: ToolServers, server: ToolServer, weights: ToolWeights) -> dict[str, Json]:
    """One server of `tools --json`."""
    return {
        "server": server.name,
        "state": servers.state(server),
        "tokens": weights.of([one for one in servers.listed(server.name).tools if one.name not in server.off]),
        "found_when_needed": server.name in weights.found,
        "model": weights.model.id if weights.model is not None else None,
        "tools": [
            {
                "name": tool.name,
                "tokens": weights.of((tool,)),
                "enabled": tool.name not in server.off,
                "consent": server.consent(tool),
            }
            for tool in servers.listed(server.name).tools
        ],
    }


def _print(servers: ToolServers, shown: Sequence[ToolServer], weights: ToolWeights, output: Output) -> None:
    if not shown:
        output.tell("There are no servers yet. `plimsoll tools add SERVER -- COMMAND` adds one.")
    for server in shown:
        listed = servers.listed(server.name)
        on = [tool for tool in listed.tools if tool.name not in server.off]
        tokens = weights.of(on)
        found = server.name in weights.found
        weight = f"≈ {tokens:,} tokens{', found when needed' if found else ' a request'}"
        facts = [STATES[servers.state(server)], f"{len(on)} tool{'s' * (len(on) != 1)}", weight]
        if not found and (usd := weights.usd(tokens)) is not None:
            facts.append(price(usd))
        output.line(f"{server.name}  ({' · '.join(facts if listed.at else facts[:1])})")
        if listed.problem:
            output.line(f"  {listed.problem}")
        for tool in listed.tools:
            consent = "off" if tool.name in server.off else server.consent(tool)
            output.line(f"  {weights.of((tool,)):>8,}  {consent:<8}  {tool.name}")
