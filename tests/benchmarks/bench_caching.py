"""Holds plain conversations over the wire and prints what caching saves, beside the targets of PRODUCT section 2.

`./dev bench caching [--turns N] [--backend anthropic|claude-cli] [--model ID]`: the real backends (the SDK, the
`claude` program) against the loopback server with real cache semantics. 400 turns take some 15 seconds through the SDK
and some five minutes through the program. Ends with 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from desktop_app.backends.anthropic import AnthropicBackend
from desktop_app.backends.base import Backend
from desktop_app.backends.claude_cli.backend import ClaudeCliBackend
from desktop_app.core.context.plan import ContextSettings
from desktop_app.core.context.roles import labelled
from desktop_app.core.messages import Role
from tests.benchmarks.cache_costs import IdealClient, Said, SlidingClient
from tests.benchmarks.cache_figures import Row, TurnFigures, cache_rows, cost_rows, count_rows
from tests.benchmarks.plain_talk import Exchange, plain_talk
from tests.benchmarks.thread_loop import BenchThread
from tests.servers.messages_api import Answer, MessagesApi
from tests.servers.prompt_cache import TOKENS_PER_MESSAGE, Billing
from tests.servers.tokens import by_pieces

SYSTEM: Final = "You are a careful colleague. Say what you know, what you only suppose, and what has to be looked up."

GAP_S: Final = 60.0
"""Seconds between two turns: within the five minutes that the cache lives."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What one run measures. `soft_limit` in tokens is that of the app and of the client that slides."""

    backend: str
    model: str
    turns: int
    soft_limit: int = ContextSettings().soft_limit


@asynccontextmanager
async def _backend(name: str, api: MessagesApi, folder: Path) -> AsyncIterator[Backend]:
    backend: Backend
    if name == "anthropic":

        async def key() -> str:
            return "sk-bench"

        backend = AnthropicBackend(key=key, base_url=api.url, timeout_s=None, overrides={}, has_key=lambda: True)
    else:
        package = importlib.util.find_spec("claude_agent_sdk")
        if package is None or package.origin is None:
            raise SystemExit("the claude program is not installed: it comes with claude-agent-sdk")
        environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "LANG": "C.UTF-8",
            "ANTHROPIC_BASE_URL": api.url,
            "ANTHROPIC_API_KEY": "sk-bench",
        }
        program = Path(package.origin).parent / "_bundled" / "claude"
        backend = ClaudeCliBackend(program=program, work_dir=folder / "claude", environ=environ, overrides={})
    try:
        yield backend
    finally:
        await backend.close()


async def run(setting: Setting) -> list[TurnFigures]:
    """Holds the conversation and bills it to the four clients."""
    talk = plain_talk(setting.turns, by_pieces)
    with tempfile.TemporaryDirectory() as folder, MessagesApi(count_text=by_pieces) as api:
        async with _backend(setting.backend, api, Path(folder)) as backend:
            return await _hold(backend, api, setting, talk)


async def _hold(backend: Backend, api: MessagesApi, setting: Setting, talk: Sequence[Exchange]) -> list[TurnFigures]:
    model = backend.model(setting.model)
    thread = BenchThread(backend, model, SYSTEM, ContextSettings(soft_limit=setting.soft_limit))
    ideal, sliding, said = IdealClient(), None, list[Said]()
    figures: list[TurnFigures] = []
    for number, exchange in enumerate(talk):
        api.script(Answer(exchange.answer))
        done = await thread.send(exchange.user)
        request = api.counter.blocks(api.messages[-1].body)
        usage = done.usage
        ours = Billing(usage.input, usage.cache_read, usage.cache_write)
        total = sum(block.tokens for block in request)
        if len(api.messages) != 1 or api.violations or ours.total != total:
            raise SystemExit(f"turn {number + 1}: {len(api.messages)} requests, {api.violations}, {ours} of {total}")
        api.requests.clear()  # 400 requests of half a megabyte each
        said.append(_said(exchange.user, "user", number, backend))
        if sliding is None:
            fixed = ours.total - said[0].tokens
            sliding = SlidingClient(model.id, api.clock, limit=setting.soft_limit, fixed=fixed)
        figures.append(TurnFigures(done.plan, ours, ideal.send(request), sliding.send(said), said[-1].tokens))
        said.append(_said(exchange.answer, "assistant", number, backend))
        api.clock.advance(GAP_S)
    return figures


def _said(text: str, role: Role, turn: int, backend: Backend) -> Said:
    labels = backend.overhead.labels
    tokens = by_pieces(labelled(text, role)) if labels else by_pieces(text) + TOKENS_PER_MESSAGE
    return Said(f"{role}{turn}", tokens)


def show(setting: Setting, figures: Sequence[TurnFigures], seconds: float) -> bool:
    """Prints one run; False where a target is missed."""
    rows: list[Row] = [*cache_rows(figures)]
    for price in (0.1, 0.05):
        rows += cost_rows(figures, price)
    rows += count_rows(figures)
    print(f"\n{setting.backend}, {setting.model}, {setting.turns} turns in {seconds:.0f} s")
    for row in rows:
        verdict = {None: "", True: "met", False: "MISSED"}[row.met]
        print(f"{row.name:<46}{row.value:>24}  {row.target:<12}{verdict}".rstrip())
    return all(row.met is not False for row in rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs what was asked for; 0 where every target is met."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=400)
    parser.add_argument("--backend", choices=("anthropic", "claude-cli"), action="append")
    parser.add_argument("--model", default="claude-sonnet-5", help="its minimum for caching and its wire form count")
    asked = parser.parse_args(arguments)
    met = True
    for backend in asked.backend or ("anthropic", "claude-cli"):
        setting = Setting(backend, asked.model, asked.turns)
        before = time.monotonic()
        figures = asyncio.run(run(setting))
        met &= show(setting, figures, time.monotonic() - before)
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
