"""Random acts over the wire against the providers' own books: offered against billed, announced against counted.

`./dev bench bill [--acts N] [--seed S] [--program-acts N] [--most-s S]`: the whole product but its window
(controller, history file, the SDKs) against loopback providers that keep books of their own (`bill_books`). Each act
changes something (model, connection, limit, cap, branch, document, project, key, ...) or lets time pass on a hand
clock, then asks; what the gauge says before is set beside what the books say after, by kind of act. Ends with 1 where
something is beyond its bound: 3 % or, where it was said to be uncertain, what was said. 1,000 acts take some two
minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import math
import os
import random
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from importlib.util import find_spec
from itertools import zip_longest
from pathlib import Path
from typing import Final

from desktop_app.backends.anthropic_backend import AnthropicBackend
from desktop_app.backends.claude_cli.claude_cli_backend import ClaudeCliBackend
from desktop_app.backends.openai.openai_backend import OpenAiBackend
from desktop_app.backends.openai.openai_client import OPENAI, ServerAddress
from desktop_app.controller.chat import ChatController
from desktop_app.controller.ports import Announcements, Clock
from desktop_app.controller.running_turn import TurnOutcome
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.project_context import ProjectContext
from desktop_app.core.context.sent_content import opens_turn
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import TurnStarted
from desktop_app.core.messages import DocumentPart, ImagePart, Message, Parameters, Part, TextPart, Thread
from desktop_app.core.projects import Project
from desktop_app.core.settings import ContextSettings, Settings
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.benchmarks.bill_books import MILLION, BilledCompletions, BilledMessages, Line, Wishes, png
from tests.benchmarks.plain_talk import plain_talk
from tests.benchmarks.thread_loop import START
from tests.controller.talks import SUMMARY
from tests.controller.world import NoKeys
from tests.servers.prompt_cache import HandClock
from tests.servers.tokens import by_pieces

ACTS: Final = 1_000
SEED: Final = 1
SOFT: Final = 24_000
BOUND: Final = 0.03
MISCOUNTED: Final = 0.07
"""Share of requests whose count may be off more than twice its stated deviation (PRODUCT.md CTX-10)."""
ROUNDING: Final = 0.001
TAUGHT: Final = 5
"""Turns of each model before the acts."""
MOST_S: Final = 240.0
"""Seconds after which no further act is begun."""

MODELS: Final[Mapping[str, Sequence[str]]] = {
    "anthropic": ("claude-sonnet-4-5", "claude-haiku-4-5", "claude-sonnet-5-5", "claude-opus-5"),
    "openai": ("gpt-5.2", "gpt-6-sol", "gpt-4.1"),
    "here": ("a-free-model",),
    "claude-cli": ("claude-sonnet-4-5", "claude-sonnet-5-5"),
}
RECIPIENTS: Final[Mapping[str, int]] = {"anthropic": 6, "openai": 3, "here": 1}
PROGRAM: Final[Mapping[str, int]] = {"claude-cli": 1}
PROGRAM_ACTS: Final = 40
"""Acts through the real `claude` program, a second or two each."""
SERVED: Final = {"anthropic": "claude-haiku-5-5", "openai": "gpt-5-mini"}
"""Another model that answers now and then."""


@dataclass(frozen=True, slots=True)
class BenchTime(Clock):
    """The time of day by the clock that the caches live by; no two looks at it are alike."""

    hand: HandClock = field(default_factory=HandClock)

    def now(self) -> datetime:
        self.hand.advance(0.001)
        return START + timedelta(seconds=self.hand.now)


class _Elsewhere(ServerAddress):
    """A loopback address that is taken for the provider's."""

    @property
    def here(self) -> bool:
        return False


class _Service(OpenAiBackend):
    @property
    def place(self) -> ServerAddress:
        found = super().place
        return _Elsewhere(found.address, found.preset)


@dataclass
class _Projects:
    """Two projects, with instructions and documents that go first."""

    contexts: Mapping[str, ProjectContext]

    async def of_thread(self, thread: Thread) -> Project | None:
        name = thread.project
        return Project(name, name) if name is not None and name in self.contexts else None

    async def context_of(self, thread: Thread) -> ProjectContext | None:
        return self.contexts.get(thread.project or "")


@dataclass(frozen=True, slots=True)
class Entry:
    """One request: what was said before it, and what the books say of it."""

    number: int
    kind: str
    plan: ContextPlan
    line: Line

    @property
    def tokens_off(self) -> float:
        """Counted tokens against announced ones, as a share."""
        return self.plan.tokens.expected / self.line.billing.total - 1

    @property
    def dollars_off(self) -> float:
        """Offered against billed, as a share; 0 where both are nothing."""
        offered, billed = self.plan.price.cost_usd or 0.0, self.line.input_usd
        return offered / billed - 1 if billed else float(offered > 0)

    @property
    def miscounted(self) -> bool:
        """Whether the count is farther off than twice its stated deviation, which 3 to 7 % of all may be."""
        tokens, counted = self.plan.tokens, self.line.billing.total
        return abs(self.tokens_off) > BOUND and not tokens.lowest <= counted <= tokens.upper

    @property
    def mispriced(self) -> bool:
        """Whether the price is beyond its bound: 3 %, or where it was said to be uncertain, what was said."""
        if (price := self.plan.price).cost_usd is None or price.most_usd is None:
            return True
        most = max(price.most_usd, price.cost_usd * (1 + BOUND)) * (1 + ROUNDING)
        least = 0.0 if price.at_most else min(2 * price.cost_usd - price.most_usd, price.cost_usd * (1 - BOUND))
        return not least * (1 - ROUNDING) <= self.line.input_usd <= most

    @property
    def by_count(self) -> bool:
        """Whether the count, which is beyond twice its deviation, is all that the price is off for."""
        if (price := self.plan.price).cost_usd is None:
            return False
        known, counted = self.line.prices, self.line.billing.total
        fresh = known.input
        if self.line.billing.written:
            fresh = known.cache_write_1h if self.line.billing.written_1h else known.cache_write_5m
        off = (counted - self.plan.tokens.expected) * fresh / MILLION
        told = price.cost_usd + off
        beyond = not self.plan.tokens.lowest <= counted <= self.plan.tokens.upper
        return beyond and (0.0 if price.at_most else told * (1 - BOUND)) <= self.line.input_usd <= told * (1 + BOUND)

    def __str__(self) -> str:
        tokens, price, bill = self.plan.tokens, self.plan.price, self.line.billing
        if price.cost_usd is None:
            return f"{self.line.model}: asked for as {self.plan.model.id} through {self.plan.backend}, no price offered"
        return (
            f"{self.line.model}: {'up to ' if price.at_most else ''}${price.cost_usd:.5f} offered "
            f"(most ${price.most_usd:.5f}), ${self.line.input_usd:.5f} billed; {tokens.lowest:,} to {tokens.upper:,} "
            f"tokens announced, {bill.total:,} counted; {price.cached_tokens:,} foreseen as cached, {bill.read:,} read,"
            f" {bill.written_5m:,} + {bill.written_1h:,} written"
        )


@dataclass
class Report:
    """What a run found."""

    entries: list[Entry] = field(default_factory=list)
    misses: list[str] = field(default_factory=list)
    acts: Counter[str] = field(default_factory=Counter)
    refused: int = 0

    @property
    def miscounted(self) -> Sequence[Entry]:
        """The requests whose count is beyond twice its stated deviation, and with it the price of some."""
        return [one for one in self.entries if one.miscounted or (one.mispriced and one.by_count)]

    @property
    def held(self) -> bool:
        """Whether all is within its bound."""
        return not self.misses and len(self.miscounted) <= MISCOUNTED * len(self.entries)

    def rows(self) -> Iterator[str]:
        """The table by kind of act."""
        yield (
            f"{'act':<12}{'acts':>5}{'requests':>9}   {'offered / billed - 1':^30}   {'announced / counted - 1':^30}"
        )
        yield f"{'':<26}   {'median':>9}{'p95':>9}{'worst':>9}{'≤':>3}   {'median':>10}{'p95':>10}{'worst':>10}"
        by_kind: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.entries:
            by_kind[entry.kind].append(entry)
        for kind, entries in (*sorted(by_kind.items()), ("all", self.entries)):
            sure = [abs(one.dollars_off) for one in entries if not one.plan.price.at_most]
            bounds = len(entries) - len(sure)
            tokens = [abs(one.tokens_off) for one in entries]
            acts = self.acts[kind] if kind != "all" else self.acts.total()
            yield (f"{kind:<12}{acts:>5}{len(entries):>9}   {_spread(sure):>27}{bounds:>3}   {_spread(tokens, 10):>30}")


def _spread(values: Sequence[float], width: int = 9) -> str:
    if not values:
        return "".join(f"{'-':>{width}}" for _ in range(3))
    ordered = sorted(values)
    p95 = ordered[min(len(ordered) - 1, math.ceil(0.95 * len(ordered)) - 1)]
    return "".join(f"{one:>{width}.2%}" for one in (statistics.median(ordered), p95, ordered[-1]))


class Bill:
    """One run: the acts, in the order that the seed gives."""

    def __init__(self, seed: int, folder: Path, recipients: Mapping[str, int] = RECIPIENTS) -> None:
        self._recipients, self._by_program = recipients, "claude-cli" in recipients
        self.chance = random.Random(seed)
        self.report = Report()
        self._folder = folder
        self._clock, self._lines, self._wishes = HandClock(), list[Line](), Wishes()
        self._settings = Settings(context=ContextSettings(soft_limit=SOFT))
        self._key = "sk-first"
        talk = plain_talk(400, by_pieces, seed=seed)
        self._texts = [text for one in talk for text in (one.user, one.answer)]
        self._projects = _Projects(
            {
                "harbour": ProjectContext(
                    "harbour", "Harbour", "Answer as a pilot. " + self._text(900), (self._document(2_500),)
                ),
                "portal": ProjectContext("portal", "Portal", "Answer as an analyst. " + self._text(300)),
            }
        )
        self._systems = ("Be brief. " + self._text(1_500), "Be kind.", "Say what you know. " + self._text(3_000))
        self._threads: list[str] = []
        self._thread = ""
        self._number = 0
        self._started: list[TurnStarted] = []

    # what is made of the seed

    def _text(self, tokens: int) -> str:
        made, weight = list[str](), 0
        while weight < tokens:
            piece = self.chance.choice(self._texts)
            piece = " ".join(piece.split()[: max(1, tokens - weight)])
            made.append(piece)
            weight += by_pieces(piece)
        return "\n".join(made)

    def _document(self, tokens: int) -> DocumentPart:
        text = self._text(tokens)
        return DocumentPart("notes.txt", text, hashlib.sha256(text.encode()).hexdigest())

    def _question(self) -> tuple[Part, ...]:
        tokens = min(2_500, round(math.exp(self.chance.gauss(5.5, 1.0))))
        text = f"Question {self._number}. {self._text(tokens)}"
        if self.chance.random() < 0.1:
            text += "\n" + " ".join(f"{self.chance.randrange(10**6)}," for _ in range(40))
        if self.chance.random() < 0.1:
            text += "\n" + "Если сервер не отвечает, попробуйте перезапустить службу. " * self.chance.randrange(1, 8)
        return (TextPart(text),)

    # the run

    async def hold(self, acts: int, *, tell: bool = False, most_s: float = MOST_S) -> Report:
        """Does so many acts, or begins none after so many seconds, and says what they found."""
        began = told = time.monotonic()
        with (
            BilledMessages(self._lines, self._wishes, self._clock) as messages,
            BilledCompletions(self._lines, self._wishes, self._clock) as completions,
            BilledCompletions(self._lines, self._wishes, self._clock, free=True) as here,
        ):
            self._messages = messages
            completions.models = [{"id": one, "object": "model"} for one in MODELS["openai"]]
            here.models = [
                {"id": one, "object": "model", "owned_by": "llamacpp", "meta": {"n_ctx": 65_536}}
                for one in MODELS["here"]
            ]

            async def key() -> str:
                return self._key

            self._backends: dict[str, AnthropicBackend | OpenAiBackend | ClaudeCliBackend] = {
                "anthropic": AnthropicBackend(
                    key=key, base_url=messages.url, timeout_s=None, overrides={}, has_key=lambda: True
                ),
                "openai": _Service(
                    key=lambda _: key(),
                    base_url=lambda: completions.url,
                    timeout_s=None,
                    overrides={},
                    has_key=lambda: True,
                    preset=OPENAI,
                ),
                "here": OpenAiBackend(
                    name="here",
                    key=lambda _: key(),
                    base_url=lambda: here.url,
                    timeout_s=None,
                    overrides={},
                    has_key=lambda: True,
                ),
            }
            if self._by_program:
                self._backends["claude-cli"] = _program(self._folder, messages.url)
            try:
                await self._open()
                await self._backends["here"].models()
                await self._taught()
                await self.new_thread()
                for number in range(acts):
                    self._number = number
                    await self._act()
                    for api in (messages, completions, here):
                        api.requests.clear()
                    now = time.monotonic()
                    if tell and now - told > 15:
                        told = now
                        print(f"  act {number + 1} of {acts}, {now - began:.0f} s", file=sys.stderr)
                    if now - began > most_s:
                        break
                await self._close_books()
                self.report.misses += [
                    f"the server found {one}" for api in (messages, completions, here) for one in api.violations
                ]
            finally:
                await self._close()
                for backend in self._backends.values():
                    await backend.close()
        return self.report

    async def _taught(self) -> None:
        """Each model has answered before: what the estimator's seeds are worth is `bench estimator`'s to say."""
        for backend in self._recipients:
            for model in MODELS[backend]:
                self._thread = (await self._chat.new_thread(backend=backend, model=model, system="Be brief.")).id
                for _ in range(TAUGHT):
                    outcome = await self._chat.send(self._thread, self._question())
                    assert outcome.failure is None, outcome.failure
                    self._clock.advance(10)
        self._clock.advance(100_000)

    async def _open(self) -> None:
        self._history = await SqliteHistory.open(self._folder / "history.db")
        announcements = Announcements()
        announcements.subscribe(lambda fact: self._started.append(fact) if isinstance(fact, TurnStarted) else None)
        self._chat = ChatController(
            history=self._history,
            backends=self._backends,
            secrets=NoKeys(),
            settings=lambda: self._settings,
            announcements=announcements,
            clock=BenchTime(self._clock),
            projects=self._projects,
        )
        await self._chat.start()

    async def _close(self) -> None:
        await self._chat.close()
        await self._history.close()

    async def _close_books(self) -> None:
        """The ledger's sum against that of all books."""
        rows = await self._history.ledger()
        booked = sum(row.cost_usd for row in rows if row.cost_kind == "money")
        billed = sum(line.usd for line in self._lines)
        if not math.isclose(booked, billed, rel_tol=1e-6):
            self.report.misses.append(f"the ledger has ${booked:.6f}, the books ${billed:.6f}")

    async def _act(self) -> None:
        kinds, weights = zip(*((kind, weight) for kind, (weight, _) in ACTS_OF.items()), strict=True)
        (kind,) = self.chance.choices(kinds, weights)
        self.report.acts[kind] += 1
        self._clock.advance(self.chance.uniform(5, 60))
        try:
            if (parts := await ACTS_OF[kind][1](self)) is not None:
                await self.ask(kind, parts)
        except PlimsollError as error:
            self._miss(kind, f"{error.failure.code}: {error.failure.message}")

    def _miss(self, kind: str, words: str) -> None:
        self.report.misses.append(f"act {self._number}, {kind}: {words}")

    async def ask(self, kind: str, parts: tuple[Part, ...], *, offered: float | None = None) -> None:
        """Sends a question that was planned before; `offered`: another price that was offered for it."""
        plan = await self._chat.expected(self._thread, parts)
        if offered is not None and plan.price.cost_usd != offered:
            self._miss(kind, f"${offered:.5f} was offered for what the gauge has ${plan.price.cost_usd:.5f} for")
        if plan.decision == "refuse":
            self.report.refused += 1
            await self._chat.context_editing.start_fresh(self._thread, (await self._path())[-1].id)
            return
        await self.sent(kind, plan, self._chat.start_send(self._thread, parts))

    async def sent(self, kind: str, plan: ContextPlan, task: Awaitable[TurnOutcome]) -> None:
        """Holds what was said against the books, for each request of the turn."""
        self._wishes.text = self._text(self.chance.choice((30, 120, 400)))
        first, self._started = len(self._lines), []
        async with asyncio.timeout(60):
            outcome = await task
        lines, plans = self._lines[first:], [one.plan for one in self._started]
        if outcome.failure is not None or outcome.message is None:
            self._miss(kind, f"failed: {outcome.failure}")
            return
        path = await self._path()
        booked = [one.usage for one in path[-2 * len(plans) + 1 :: 2]]
        if self._by_program:  # all requests of a turn are the program's own, and are told as one
            spent, usd = booked[-1], sum(line.usd for line in lines)
            if spent is None or not math.isclose(spent.cost_usd or 0.0, usd, rel_tol=1e-6):
                self._miss(kind, f"booked {spent}, billed ${usd:.6f}")
            lines, booked = lines[:1], []
        if len(lines) != len(plans):
            self._miss(kind, f"{len(plans)} turns, {len(lines)} in the books")
            return
        if plans and plans[0].price != plan.price:
            self._miss(kind, f"the gauge said {plan.price}, sent as {plans[0].price}")
        for line, one, usage in zip_longest(lines, plans, booked):
            entry = Entry(self._number, kind, one, line)
            if line.model == line.asked:  # nobody foresees what another model makes of it
                self.report.entries.append(entry)
            if line.model == line.asked and entry.mispriced and not entry.by_count:
                self._miss(kind, str(entry))
            if self._by_program:
                continue
            if usage is None or not math.isclose(usage.cost_usd or 0.0, line.usd, rel_tol=1e-6, abs_tol=1e-9):
                self._miss(kind, f"{line.model}: booked {usage}, billed ${line.usd:.6f}")

    async def _path(self) -> tuple[Message, ...]:
        return (await self._chat.open_thread(self._thread)).path

    async def _some(self, role: str) -> str | None:
        found = [one for one in await self._path() if one.role == role and (role != "user" or opens_turn(one))]
        return self.chance.choice(found).id if found else None

    # the acts: what is asked after them, None where they asked themselves

    async def plain(self) -> tuple[Part, ...]:
        return self._question()

    async def pause(self) -> tuple[Part, ...]:
        self._clock.advance(self.chance.choice((240, 320, 900, 3_000, 4_000, 30_000)))
        return self._question()

    async def new_thread(self) -> tuple[Part, ...]:
        backend, model = self._recipient()
        system = self.chance.choice(self._systems)
        made = await self._chat.new_thread(backend=backend, model=model, system=system)
        self._threads, self._thread = [*self._threads[-4:], made.id], made.id
        return self._question()

    async def other_thread(self) -> tuple[Part, ...]:
        self._thread = self.chance.choice(self._threads)
        return self._question()

    def _recipient(self) -> tuple[str, str]:
        backend = self.chance.choices(tuple(self._recipients), tuple(self._recipients.values()))[0]
        return backend, self.chance.choice(MODELS[backend])

    async def model(self) -> tuple[Part, ...]:
        backend, model = self._recipient()
        await self._chat.switch(self._thread, backend=backend, model=model)
        return self._question()

    async def cap(self) -> tuple[Part, ...]:
        none = ContextSettings(soft_limit=SOFT)
        caps = (none, none, replace(none, max_messages=8, preserve_last_n=4), replace(none, max_turns=4))
        self._settings = Settings(context=self.chance.choice(caps))
        return self._question()

    async def limit(self) -> tuple[Part, ...]:
        await self._chat.set_soft_limit(self._thread, self.chance.choice((None, None, 9_000, 14_000, 40_000)))
        return self._question()

    async def system(self) -> tuple[Part, ...]:
        await self._chat.set_system(self._thread, self.chance.choice(self._systems))
        return self._question()

    async def parameters(self) -> tuple[Part, ...]:
        wished = self.chance.choice((Parameters(), Parameters(effort="low"), Parameters(thinking=False)))
        await self._chat.set_parameters(self._thread, wished)
        return self._question()

    async def pin(self) -> tuple[Part, ...]:
        editing, message = self._chat.context_editing, await self._some("user")
        if message is not None:
            change = self.chance.choice((editing.pin, editing.unpin, editing.exclude, editing.bring_back))
            await change(self._thread, [message])
        return self._question()

    async def line(self) -> tuple[Part, ...]:
        if places := (await self._chat.prepared(self._thread)).line_places:
            await self._chat.context_editing.move_line(self._thread, self.chance.choice(places))
        return self._question()

    async def fresh(self) -> tuple[Part, ...]:
        if path := await self._path():
            await self._chat.context_editing.start_fresh(self._thread, self.chance.choice((None, path[-1].id)))
        return self._question()

    async def undo(self) -> tuple[Part, ...]:
        carriers = [one.id for one in await self._path() if one.window is not None]
        if carriers:
            await self._chat.context_editing.undo_trim(self._thread, carriers[-1])
        return self._question()

    async def deleted(self) -> tuple[Part, ...]:
        if (message := await self._some("user")) is not None:
            await self._chat.delete_turn(self._thread, message)
        return self._question()

    async def branch(self) -> tuple[Part, ...]:
        if (message := await self._some("assistant")) is not None:
            await self._chat.branch_from(self._thread, message)
        return self._question()

    async def other_branch(self) -> tuple[Part, ...]:
        if conversation := list((await self._chat.open_thread(self._thread)).conversation):
            await self._chat.show_branch(self._thread, self.chance.choice(conversation).id)
        return self._question()

    async def edit(self) -> tuple[Part, ...] | None:
        message, parts = await self._some("user"), self._question()
        if message is None:
            return parts
        if (plan := await self._chat.expected(self._thread, parts, at=message)).decision == "refuse":
            return None
        await self.sent("edit", plan, await self._chat.start_edit(self._thread, message, parts))
        return None

    async def regenerate(self) -> tuple[Part, ...] | None:
        if (message := await self._some("assistant")) is None:
            return self._question()
        backend, model = self._recipient() if self.chance.random() < 0.4 else (None, None)
        plan = await self._chat.expected(self._thread, None, at=message, backend=backend, model=model)
        if plan.decision == "refuse" or plan.request.pending is None:
            return None
        again = await self._chat.start_regenerate(self._thread, message, backend=backend, model=model)
        await self.sent("regenerate", plan, again)
        return None

    async def document(self) -> tuple[Part, ...]:
        return (self._document(self.chance.choice((300, 2_000, 5_000))), *self._question())

    async def image(self) -> tuple[Part, ...]:
        thread = (await self._chat.open_thread(self._thread)).thread
        width, height = self.chance.choice(((640, 480), (1_000, 800), (300, 200)))
        if thread.backend == "here":
            return self._question()
        return (ImagePart("ship.png", "image/png", png(width, height), width, height), *self._question())

    async def look_up(self) -> tuple[Part, ...]:
        self._wishes.rounds = self.chance.choice((1, 1, 2, 3))
        return self._question()

    async def served(self) -> tuple[Part, ...]:
        thread = (await self._chat.open_thread(self._thread)).thread
        self._wishes.served = SERVED.get(thread.backend or "", "")
        await self.ask("served", self._question())
        self._wishes.served = ""
        return self._question()

    async def project(self) -> tuple[Part, ...]:
        await self._chat.facts.change(self._thread, project=self.chance.choice((None, "harbour", "portal")))
        return self._question()

    async def summary(self) -> tuple[Part, ...]:
        path = await self._path()
        self._wishes.text = SUMMARY
        if len(path) >= 6:
            half = [one.id for one in path[: len(path) // 2 * 2 - 4]]
            await self._chat.summaries.start(self._thread, half)
        return self._question()

    async def keep(self) -> tuple[Part, ...]:
        parts = self._question()
        plan = await self._chat.expected(self._thread, parts)
        first = len(self._lines)
        if (offer := await self._chat.cache_keeping.keep(self._thread, plan)) is not None:
            (line,) = self._lines[first:]
            if not math.isclose(offer.cost_usd, line.usd, rel_tol=BOUND):
                self._miss("keep", f"offered ${offer.cost_usd:.5f}, billed ${line.usd:.5f}")
            self._clock.advance(self.chance.choice((200, 280, 320)))
        return parts

    async def what_if(self) -> tuple[Part, ...] | None:
        parts = self._question()
        choices = await self._chat.compare_choices(self._thread, parts)
        chosen = self.chance.choice([one for one in choices if one.choice in ("as_is", "raised", "model")])
        if chosen.choice == "raised":
            await self._chat.set_soft_limit(self._thread, chosen.plan.limits.soft)
        elif chosen.choice == "model":
            await self._chat.switch(self._thread, backend=chosen.plan.backend, model=chosen.plan.model.id)
        await self.ask("what if", parts, offered=chosen.cost_usd)
        return None

    async def restart(self) -> tuple[Part, ...]:
        await self._close()
        await self._open()
        return self._question()

    async def other_key(self) -> tuple[Part, ...]:
        self._key = self.chance.choice(("sk-first", "sk-second"))
        return self._question()


ActOf = Callable[[Bill], Awaitable[tuple[Part, ...] | None]]

ACTS_OF: Final[Mapping[str, tuple[int, ActOf]]] = {
    "plain": (12, Bill.plain),
    "pause": (8, Bill.pause),
    "thread": (2, Bill.new_thread),
    "other thread": (3, Bill.other_thread),
    "model": (7, Bill.model),
    "cap": (3, Bill.cap),
    "limit": (4, Bill.limit),
    "system": (2, Bill.system),
    "parameters": (2, Bill.parameters),
    "pin": (4, Bill.pin),
    "line": (3, Bill.line),
    "fresh": (2, Bill.fresh),
    "undo": (2, Bill.undo),
    "delete": (2, Bill.deleted),
    "branch": (3, Bill.branch),
    "other branch": (3, Bill.other_branch),
    "edit": (3, Bill.edit),
    "regenerate": (4, Bill.regenerate),
    "document": (4, Bill.document),
    "image": (3, Bill.image),
    "look up": (5, Bill.look_up),
    "served": (2, Bill.served),
    "project": (3, Bill.project),
    "summary": (3, Bill.summary),
    "keep": (3, Bill.keep),
    "what if": (3, Bill.what_if),
    "restart": (2, Bill.restart),
    "other key": (1, Bill.other_key),
}


def program_file() -> Path | None:
    """The real `claude` program, as the SDK's wheel has it; None: it is not installed."""
    package = find_spec("claude_agent_sdk")
    return None if package is None or package.origin is None else Path(package.origin).parent / "_bundled" / "claude"


def _program(folder: Path, url: str) -> ClaudeCliBackend:
    """The program with a home, a key and a provider of its own."""
    (home := folder / "home").mkdir()
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "TMPDIR": str(home),
        "LANG": "C.UTF-8",
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "sk-dummy",
    }
    return ClaudeCliBackend(program=program_file(), work_dir=folder / "claude", environ=environ, overrides={})


async def run(
    acts: int,
    seed: int,
    *,
    recipients: Mapping[str, int] = RECIPIENTS,
    tell: bool = False,
    most_s: float = MOST_S,
) -> Report:
    """Does so many random acts on a history of its own."""
    with tempfile.TemporaryDirectory() as folder:
        return await Bill(seed, Path(folder), recipients).hold(acts, tell=tell, most_s=most_s)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the table and every miss; 0 where there is none."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--acts", type=int, default=ACTS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--program-acts", type=int, default=PROGRAM_ACTS, help="through the real `claude` program")
    parser.add_argument("--most-s", type=float, default=MOST_S, help="seconds after which no further act is begun")
    asked = parser.parse_args(arguments)
    held = [_told(asked.acts, asked.seed, RECIPIENTS, asked.most_s)] if asked.acts else []
    if program_file() is None:
        print("\nskipped: the `claude` program; claude-agent-sdk is not installed")
    elif asked.program_acts:
        held.append(_told(asked.program_acts, asked.seed, PROGRAM, asked.most_s))
    return int(not all(held))


def _told(acts: int, seed: int, recipients: Mapping[str, int], most_s: float) -> bool:
    """Prints one run; True where all is within its bound."""
    began = time.monotonic()
    report = asyncio.run(run(acts, seed, recipients=recipients, tell=True, most_s=most_s))
    through = ", ".join(recipients)
    print(f"\n{report.acts.total()} acts through {through}, seed {seed}, {time.monotonic() - began:.0f} s")
    print("\n".join(report.rows()))
    far = report.miscounted
    print(f"{len(far)} of {len(report.entries)} counts beyond twice their stated deviation, at most {MISCOUNTED:.0%}")
    for one in far:
        print(f"  act {one.number}, {one.kind}: {one}")
    print(f"{report.refused} refused; {len(report.misses)} beyond their bound")
    for miss in report.misses:
        print(f"MISSED {miss}")
    return report.held


if __name__ == "__main__":
    sys.exit(main())
