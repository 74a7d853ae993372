"""The bill of a talk with 100 tools of a server, some 30K tokens: all in sight, or found when needed (DOC-4).

The whole product but its window; its host of servers is played, for what a tool does costs no tokens. The provider's
own books say what each request costs. A model that has to find a tool does so anew in each turn, though what it found
may still be in sight: that is the most it can cost.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from desktop_app.controller import server_tools
from desktop_app.controller.ports import Announcements
from desktop_app.controller.preferences import Preferences
from desktop_app.controller.server_keys import RememberedKeys
from desktop_app.controller.tool_library import ToolServers
from desktop_app.core.messages import JsonObject, TextPart
from desktop_app.core.model_catalog import find_model
from desktop_app.core.tool_servers import ServerReport, ServerTool, ToolOutcome, add_by_parts
from tests.benchmarks.bill_books import BilledCompletions, BilledMessages, Line, Wishes
from tests.benchmarks.plain_talk import plain_talk
from tests.benchmarks.thread_loop import held_thread, wired_backend
from tests.fakes.listing_host import ListingHost
from tests.fakes.memory_secrets import MemorySecrets
from tests.servers.messages_api import ToolUse
from tests.servers.prompt_cache import HandClock
from tests.servers.tokens import by_pieces

MODELS: Final = {"anthropic": "claude-sonnet-4-5", "openai": "gpt-5.2"}
TURNS: Final = 60
SOFT: Final = 150_000
BETWEEN_S: Final = 60.0
"""Seconds between two questions: the cache lives longer."""

_VERBS: Final = ("list", "read", "create", "update", "archive", "export", "share", "assign", "compare", "summarise")
_THINGS: Final = (
    *("invoice", "customer", "shipment", "contract", "ticket"),
    *("meeting", "supplier", "budget", "campaign", "employee"),
)
_FIELDS: Final = {
    "status": "Which of them by their state: open, waiting, done, or all of them where nothing is given.",
    "after": "Only what was changed after this day, written as year, month and day with hyphens.",
    "before": "Only what was changed before this day, written as year, month and day with hyphens.",
    "owner": "The person in whose name it stands, by the address that they log in with.",
    "labels": "Labels that all have to be there, separated by commas; upper and lower case are the same.",
    "page": "The page of a long list, from 1; a page has fifty entries, and says whether another one follows.",
}


def many_tools() -> list[ServerTool]:
    """100 tools as those of large services are: seven described parameters each."""
    fields = {name: {"type": "string", "description": text} for name, text in _FIELDS.items()}
    return [
        ServerTool(
            "Desk",
            f"{verb}_{thing}",
            f"{verb.capitalize()} one or more entries of the kind {thing}. Use it where the user speaks of a {thing}, "
            f"and name the {thing} by its number where it is known. It answers with the entries as a table.",
            {
                "type": "object",
                "properties": {"id": {"type": "string", "description": f"The number of the {thing}."}, **fields},
                "required": ["id"],
            },
            read_only=True,
        )
        for verb in _VERBS
        for thing in _THINGS
    ]


class Desk(ListingHost):
    """A server whose tools answer with a table."""

    def __init__(self, results: Sequence[str]) -> None:
        super().__init__()
        self.tools = many_tools()
        self.called = 0
        self._results = results

    def report(self, server: str) -> ServerReport:
        return ServerReport(server, "ready", tuple(self.tools), "desk 1.0")

    async def call(self, server: str, tool: str, arguments: JsonObject) -> ToolOutcome:
        self.called += 1
        return ToolOutcome(self._results[self.called - 1])


@dataclass(slots=True)
class Calling(Wishes):
    """A model that calls what it is told to, then answers."""

    calls: list[ToolUse] = field(default_factory=list)

    def answer(self, tools: list[str], number: int, reason: str) -> tuple[tuple[Any, ...], str]:
        if not self.calls:
            return (self.text,), "end_turn"
        call = self.calls.pop(0)
        assert call.name in tools, f"{call.name} is not offered"
        return ("Let me look.", ToolUse(call.name, call.input, f"toolu_{number:05d}")), reason


@dataclass(frozen=True, slots=True)
class Bill:
    """What a talk cost. `schemas`: tokens of all tools by the app's own count."""

    lines: tuple[Line, ...]
    schemas: float
    offered: int
    faults: tuple[str, ...]

    @property
    def tokens(self) -> int:
        return sum(line.billing.total for line in self.lines)

    @property
    def hits(self) -> float:
        return sum(line.billing.read for line in self.lines) / self.tokens

    @property
    def usd(self) -> float:
        return sum(line.usd for line in self.lines)


async def bill(backend_name: str, turns: int, *, each: int, finds: bool) -> Bill:
    """Holds the talk; a tool is called in each so-manieth turn. `finds`: tools are found, else all are in sight."""
    talk, clock, lines = plain_talk(turns, by_pieces), HandClock(), list[Line]()
    wishes = Calling()
    made = BilledCompletions if backend_name == "openai" else BilledMessages
    tools = many_tools()
    limit = server_tools.SCHEMA_TOKENS if finds else 1_000_000
    with (
        tempfile.TemporaryDirectory() as name,
        made(lines, wishes, clock) as api,
        patch.object(server_tools, "SCHEMA_TOKENS", limit),
    ):
        folder, announcements, keys = Path(name), Announcements(), RememberedKeys(MemorySecrets())
        if isinstance(api, BilledCompletions):
            api.models = [{"id": MODELS["openai"], "object": "model"}]
        desk = Desk([one.user for one in plain_talk(turns, by_pieces, seed=7)])
        servers = ToolServers(
            Preferences(folder / "settings.toml", keys, announcements),
            keys,
            lambda _: desk,
            folder / "tools.json",
            announcements,
        )
        found = add_by_parts("Desk", command="desk")
        always = tuple(tool.pinned for tool in tools)
        await servers.add(replace(found, server=replace(found.server, always=always, everywhere=True)))
        await servers.connect("Desk")
        async with (
            wired_backend(backend_name, api, folder) as backend,
            held_thread(
                backend,
                model=MODELS[backend_name],
                system="Be exact.",
                soft_limit=SOFT,
                clock=clock,
                folder=folder,
                servers=servers,
            ) as thread,
        ):
            for number, one in enumerate(talk):
                clock.advance(BETWEEN_S)
                wishes.text = one.answer
                wishes.calls = list(_calls(tools[number * 37 % 100], finds=finds)) if number % each == 0 else []
                await thread.send((TextPart(one.user),))
        bodies = [request.body for request in api.answers]
        family = find_model(backend_name, MODELS[backend_name]).tokenizer
        faults = list(api.violations[:3])
        if len({json.dumps(body["tools"]) for body in bodies}) != 1:
            faults.append("the list of tools changed between two requests")
        if desk.called != (expected := len(range(0, turns, each))):
            faults.append(f"{desk.called} of {expected} calls were run")
        schemas = server_tools.told_tokens(tools, family)
        return Bill(tuple(lines), schemas, len(bodies[-1]["tools"]), tuple(faults))


def _calls(tool: ServerTool, *, finds: bool) -> Iterator[ToolUse]:
    arguments = {"id": "20417", "status": "open"}
    if finds:
        yield ToolUse("find_tools", {"query": tool.name.replace("_", " ")})
        yield ToolUse("call_tool", {"server": tool.server, "tool": tool.name, "arguments": arguments})
    else:
        yield ToolUse(f"{tool.server}__{tool.name}", arguments)


def show(backend_name: str, each: int, turns: int, loaded: Bill, found: Bill) -> bool:
    """Prints both bills beside each other; False where finding costs more, or something was wrong."""
    how = "a tool in every turn" if each == 1 else f"a tool in one turn of {each}"
    print(f"\n{backend_name}, {MODELS[backend_name]}: {turns} turns, {how}; 100 tools, {loaded.schemas:,.0f} tokens")
    print(f"{'':<44}{'all in sight':>14}{'found':>14}")
    rows = (
        ("tools in each request", *(f"{one.offered:,}" for one in (loaded, found))),
        ("requests", *(f"{len(one.lines):,}" for one in (loaded, found))),
        ("input tokens of all requests", *(f"{one.tokens:,}" for one in (loaded, found))),
        ("mean request, tokens", *(f"{one.tokens / len(one.lines):,.0f}" for one in (loaded, found))),
        ("read from the cache", *(f"{one.hits:.1%}" for one in (loaded, found))),
        ("price, input", *(f"${sum(line.input_usd for line in one.lines):.3f}" for one in (loaded, found))),
        ("price, with the answers", *(f"${one.usd:.3f}" for one in (loaded, found))),
    )
    for words, *values in rows:
        print(f"{words:<44}{values[0]:>14}{values[1]:>14}")
    print(f"{'found costs, of all in sight':<44}{'':>14}{found.usd / loaded.usd:>14.0%}")
    faults = [*loaded.faults, *found.faults]
    for fault in faults:
        print(f"FAULT {fault}")
    return not faults
