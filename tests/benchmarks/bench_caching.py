"""Holds conversations over the wire and prints what caching saves, beside the targets of PRODUCT section 2.

`./dev bench caching [--turns N] [--backend anthropic|claude-cli] [--talk plain|gaps|documents|switch] [--quick]`: the
whole product but its window (controller, history file, real backends: the SDK, the `claude` program) against the
loopback server with real cache semantics. 400 turns take some 20 seconds through the SDK and some five minutes through
the program; `--quick` holds 60. Ends with 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from desktop_app.backends.backend_protocol import Backend
from desktop_app.core.context.sent_content import labelled
from desktop_app.core.messages import Role
from tests.benchmarks.cache_costs import IdealClient, Said, SlidingClient, with_marks
from tests.benchmarks.cache_figures import (
    Row,
    TurnFigures,
    cache_rows,
    cost_rows,
    count_rows,
    document_rows,
    lifetime_rows,
)
from tests.benchmarks.talks import MODEL, TALKS, Ask, Talk
from tests.benchmarks.thread_loop import HeldThread, held_thread, wired_backend
from tests.servers.messages_api import Answer, MessagesApi
from tests.servers.prompt_cache import TOKENS_PER_MESSAGE, Billing, PromptCache
from tests.servers.tokens import by_pieces

SYSTEM: Final = "You are a careful colleague. Say what you know, what you only suppose, and what has to be looked up."

BACKENDS: Final = ("anthropic", "claude-cli")
TURNS: Final = 400
OTHER_TURNS: Final = 200
"""Turns of the conversations that have no target: enough for several steps under their lower limits."""
QUICK_TURNS: Final = 60

TELL_S: Final = 10.0
"""Seconds after which a run says how far it is."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What one run measures."""

    backend: str
    talk: Talk
    model: str = MODEL


async def run(setting: Setting, *, tell: bool = False) -> list[TurnFigures]:
    """Holds the conversation and bills it to the clients. `tell`: says on standard error how far it is."""
    with tempfile.TemporaryDirectory() as name, MessagesApi(count_text=by_pieces) as api:
        folder = Path(name)
        async with (
            wired_backend(setting.backend, api, folder) as backend,
            held_thread(
                backend,
                model=setting.model,
                system=SYSTEM,
                soft_limit=setting.talk.soft_limit,
                clock=api.clock,
                folder=folder,
            ) as thread,
        ):
            return await _Run(setting, backend, api, thread).hold(tell=tell)


class _Run:
    """One conversation under way, and the other clients beside it."""

    def __init__(self, setting: Setting, backend: Backend, api: MessagesApi, thread: HeldThread) -> None:
        self._setting, self._backend, self._api, self._thread = setting, backend, api, thread
        self._ideal, self._said = IdealClient(), list[Said]()
        self._sliding: SlidingClient | None = None
        self._short, self._long = PromptCache(api.clock), PromptCache(api.clock)
        self._model = setting.model

    async def hold(self, *, tell: bool) -> list[TurnFigures]:
        figures: list[TurnFigures] = []
        began = told = time.monotonic()
        for number, ask in enumerate(self._setting.talk.asks):
            figures.append(await self._turn(number, ask))
            if tell and time.monotonic() - told > TELL_S:
                told = time.monotonic()
                print(f"  turn {number + 1} of {len(self._setting.talk.asks)}, {told - began:.0f} s", file=sys.stderr)
        return figures

    async def _turn(self, number: int, ask: Ask) -> TurnFigures:
        api = self._api
        api.clock.advance(ask.wait_s)
        if ask.model:
            self._model = ask.model
            await self._thread.switch(ask.model)
        api.script(Answer(ask.answer))
        done = await self._thread.send(ask.parts)
        request = api.counter.blocks(api.answers[-1].body)
        written_5m, written_1h = done.usage.cache_write, 0
        if request and any(block.mark == "1h" for block in request):
            written_5m, written_1h = 0, written_5m
        ours = Billing(done.usage.input, done.usage.cache_read, written_5m, written_1h)
        total = sum(block.tokens for block in request)
        if len(api.answers) != 1 or api.violations or ours.total != total:
            raise SystemExit(f"turn {number + 1}: {len(api.answers)} requests, {api.violations}, {ours} of {total}")
        api.requests.clear()  # 400 requests of half a megabyte each
        return TurnFigures(
            done.plan,
            ours,
            self._ideal.send(request, self._model),
            self._slid(number, ask, ours) if self._setting.talk.judged else None,
            self._tokens(ask.text, "user"),
            short=self._short.bill(self._model, with_marks(request, "5m")),
            long=self._long.bill(self._model, with_marks(request, "1h")),
        )

    def _slid(self, number: int, ask: Ask, ours: Billing) -> Billing:
        self._said.append(Said(f"user{number}", self._tokens(ask.text, "user")))
        if self._sliding is None:
            fixed = ours.total - self._said[0].tokens
            limit = self._setting.talk.soft_limit
            self._sliding = SlidingClient(self._model, self._api.clock, limit=limit, fixed=fixed)
        billing = self._sliding.send(self._said)
        self._said.append(Said(f"assistant{number}", self._tokens(ask.answer, "assistant")))
        return billing

    def _tokens(self, text: str, role: Role) -> int:
        if self._backend.overhead.labels:
            return by_pieces(labelled(text, role))
        return by_pieces(text) + TOKENS_PER_MESSAGE


def rows_of(setting: Setting, figures: Sequence[TurnFigures]) -> Iterator[Row]:
    """Everything that is printed of one run."""
    judged = setting.talk.judged
    yield from cache_rows(figures, judged=judged)
    for price in (0.1, 0.05):
        yield from cost_rows(figures, price, judged=judged)
    yield from lifetime_rows(figures)
    yield from document_rows(figures)
    yield from count_rows(figures)


def show(title: str, setting: Setting, figures: Sequence[TurnFigures], seconds: float) -> bool:
    """Prints one run; False where a target is missed."""
    print(f"\n{title}, {setting.backend}, {setting.model}, {len(figures)} turns in {seconds:.0f} s")
    met = True
    for row in rows_of(setting, figures):
        verdict = {None: "", True: "met", False: "MISSED"}[row.met]
        met &= row.met is not False
        print(f"{row.name:<46}{row.value:>24}  {row.target:<12}{verdict}".rstrip(), flush=True)
    return met


def settings_of(asked: argparse.Namespace) -> Iterator[tuple[str, Setting]]:
    """The runs that were asked for: the plain conversation through every backend, the others through the SDK."""
    for name in asked.talk or TALKS:
        for backend in asked.backend or (BACKENDS if name == "plain" else BACKENDS[:1]):
            turns = asked.turns or (QUICK_TURNS if asked.quick else TURNS if name == "plain" else OTHER_TURNS)
            yield name, Setting(backend, TALKS[name](turns), asked.model)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs what was asked for; 0 where every target is met."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, help="turns of each conversation")
    parser.add_argument("--backend", choices=BACKENDS, action="append")
    parser.add_argument("--talk", choices=tuple(TALKS), action="append")
    parser.add_argument("--model", default=MODEL, help="its minimum for caching and its wire form count")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_TURNS} turns, too few for the targets")
    met = True
    for name, setting in settings_of(parser.parse_args(arguments)):
        before = time.monotonic()
        figures = asyncio.run(run(setting, tell=True))
        met &= show(name, setting, figures, time.monotonic() - before)
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
