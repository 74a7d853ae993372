"""What tools cost over the wire: what their results leave behind (CTX-2, CTX-13), and 100 tools of a server (DOC-4).

`./dev bench tools [--turns N] [--backend anthropic|openai|claude-cli] [--only results|schemas]`: 25 turns with a
look-up each, and `schema_bill`: 60 turns with all tools in sight, and with tools that are found when needed. The whole
product but its window against the loopback servers. For the look-ups something was left out before, so that every call
finds some thousands of tokens. The control is a client that leaves every result in the history, as most do. Ends with 1
where the growth is not linear, where a result stands in full outside of its own turn, or where one is missing in it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from desktop_app.core.messages import Message, TextPart, ToolResultPart
from desktop_app.core.recall import TOOL_NAME
from tests.benchmarks import schema_bill
from tests.benchmarks.plain_talk import plain_talk
from tests.benchmarks.thread_loop import HeldThread, held_thread, wired_backend
from tests.servers.chat_api import ChatApi
from tests.servers.messages_api import Answer, CapturedRequest, MessagesApi, ToolUse
from tests.servers.prompt_cache import HandClock
from tests.servers.tokens import by_pieces

BACKENDS: Final = ("anthropic", "openai", "claude-cli")
MODELS: Final = {"anthropic": "claude-sonnet-4-5", "claude-cli": "claude-sonnet-4-5", "openai": "gpt-5.2"}
TURNS: Final = 25
EARLIER: Final = 20
"""Turns that are left out before: what the calls find."""

SOFT: Final = 150_000

MOST_LEFT: Final = 0.05
"""What a turn may leave in the requests after it, question and answer included, as a share of its result's tokens."""


@dataclass(slots=True)
class Provider:
    """Plays the model: asks for a look-up where a question says so, and answers when it has the result."""

    asking: str
    answers: list[str] = field(default_factory=list)
    queries: list[str] = field(default_factory=list)

    def __call__(self, request: CapturedRequest) -> Answer:
        last = request.body["messages"][-1]
        text = json.dumps(last, ensure_ascii=False)
        name = next((found for found in _tool_names(request.body) if TOOL_NAME in found), "")
        if "Look up" in text and name and not _is_result(last):
            call = ToolUse(name, {"query": self.queries.pop(0)}, f"toolu_{len(self.queries)}")
            return Answer("Let me look.", call, stop_reason=self.asking)
        return Answer(self.answers.pop(0) if self.answers else "Found.")


def _tool_names(body: Mapping[str, Any]) -> Iterator[str]:
    for tool in body.get("tools") or ():
        yield str(tool.get("name") or tool.get("function", {}).get("name"))


def _is_result(message: Mapping[str, Any]) -> bool:
    content = message.get("content")
    blocks = content if isinstance(content, list) else ()
    return message["role"] == "tool" or any(block.get("type") == "tool_result" for block in blocks)


@dataclass(frozen=True, slots=True)
class Figures:
    """What was billed, by turn: ours, and the control's, which keeps every result. In tokens of the server.

    `result`: mean tokens of a result.
    """

    ours: tuple[int, ...]
    control: tuple[int, ...]
    requests: int
    result: float
    faults: tuple[str, ...]


async def run(backend_name: str, turns: int) -> Figures:
    """Holds the conversation through one backend."""
    talk = plain_talk(EARLIER, by_pieces)
    chance = random.Random(5)
    provider = Provider("end_turn" if backend_name == "openai" else "tool_use", answers=[one.answer for one in talk])
    api = ChatApi(default=provider) if backend_name == "openai" else MessagesApi(default=provider, count_text=by_pieces)
    with tempfile.TemporaryDirectory() as name, api:
        folder, clock = Path(name), api.clock if isinstance(api, MessagesApi) else HandClock()
        if isinstance(api, ChatApi):
            api.models = [{"id": MODELS["openai"], "object": "model"}]
        async with (
            wired_backend(backend_name, api, folder) as backend,
            held_thread(
                backend, model=MODELS[backend_name], system="Be exact.", soft_limit=SOFT, clock=clock, folder=folder
            ) as thread,
        ):
            await _said_earlier(thread, [one.user for one in talk])
            said = [" ".join(one.answer.split()[:6]) for one in talk]
            provider.queries = [chance.choice(said) for _ in range(turns)]
            api.requests.clear()
            ours: list[int] = []
            control: list[int] = []
            faults: list[str] = []
            kept = 0
            for number in range(turns):
                before = len(api.answers)
                await thread.send((TextPart(f"Look up what was said, {number}."),))
                bodies = [request.body for request in api.answers[before:]]
                results = results_of_calls((await thread.chat.open_thread(thread.id)).path)
                faults += _faults(number, bodies, results)
                sizes = [_tokens(body) for body in bodies]
                ours.append(sum(sizes))
                control.append(sum(size + kept for size in sizes))
                kept += by_pieces(results[-1]) if results else 0
            if api.violations:
                faults.append(f"the server found {api.violations}")
            return Figures(tuple(ours), tuple(control), len(api.answers), kept / turns, tuple(faults))


async def _said_earlier(thread: HeldThread, asked: Sequence[str]) -> None:
    for question in asked:
        await thread.send((TextPart(question),))
    path = (await thread.chat.open_thread(thread.id)).path
    await thread.chat.context_editing.start_fresh(thread.id, path[-1].id)


def results_of_calls(path: Sequence[Message]) -> list[str]:
    """What the calls of a path returned, in order."""
    return [part.text for message in path for part in message.parts if isinstance(part, ToolResultPart)]


def _faults(number: int, bodies: Sequence[Mapping[str, Any]], results: Sequence[str]) -> Iterator[str]:
    """What is wrong with the requests of a turn; `results` are those of all turns so far."""
    if len(bodies) != 2 or len(results) != number + 1:
        yield f"turn {number + 1}: {len(bodies)} requests, {len(results)} results"
        return
    # as it stands in the body: a result is many lines of JSON text
    said = [json.dumps(body["messages"], ensure_ascii=False) for body in bodies]
    full = [json.dumps(result, ensure_ascii=False)[1:-1] for result in results]
    if full[-1] not in said[1]:
        yield f"turn {number + 1}: its own result is not in full in its second request"
    if by_pieces(results[-1]) < 1_000:
        yield f"turn {number + 1}: the result has only {by_pieces(results[-1])} tokens"
    own = full[-1]
    if any(old in text for old in full[:-1] if old != own for text in said):
        yield f"turn {number + 1}: an earlier result stands in full"
    if said[1].count("[searched this thread]") < number:
        yield f"turn {number + 1}: {said[1].count('[searched this thread]')} lines for {number} earlier calls"


def _tokens(body: Mapping[str, Any]) -> int:
    return by_pieces(json.dumps({key: body.get(key) for key in ("tools", "system", "messages")}, ensure_ascii=False))


def growth(values: Sequence[float]) -> float:
    """Tokens by which a turn's requests grow from turn to turn: the slope of the straight line through them."""
    return _line(values)[0]


def straightness(values: Sequence[float]) -> float:
    """R squared of the straight line through what all turns so far were billed: 1 where each turn costs the same."""
    sums = list(accumulate(values))
    slope, start = _line(sums)
    mean = sum(sums) / len(sums)
    off = sum((y - start - slope * x) ** 2 for x, y in enumerate(sums))
    return 1 - off / sum((y - mean) ** 2 for y in sums)


def _line(values: Sequence[float]) -> tuple[float, float]:
    """Slope and start of the line with the least squares."""
    count = len(values)
    mean_x, mean_y = (count - 1) / 2, sum(values) / count
    spread = sum((x - mean_x) ** 2 for x in range(count))
    slope = sum((x - mean_x) * (y - mean_y) for x, y in enumerate(values)) / spread
    return slope, mean_y - slope * mean_x


def show(name: str, figures: Figures) -> bool:
    """Prints one run; False where a target is missed."""
    ours, control, calls = figures.ours, figures.control, len(figures.ours)
    left = growth(ours) / (figures.requests / calls) / figures.result
    met = left <= MOST_LEFT
    print(
        f"\n{name}, {calls} turns with a look-up each, {figures.requests} requests; kept: the other leaves results in"
    )
    print(f"{'':<44}{'ours':>12}{'kept':>12}")
    for words, one in (("tokens of the first turn", 0), ("tokens of the last turn", -1)):
        print(f"{words:<44}{ours[one]:>12,}{control[one]:>12,}")
    print(f"{'tokens of all turns':<44}{sum(ours):>12,}{sum(control):>12,}")
    print(f"{'a turn grows by, tokens':<44}{growth(ours):>12,.0f}{growth(control):>12,.0f}")
    print(f"{'R2 of a straight line through the sum':<44}{straightness(ours):>12.4f}{straightness(control):>12.4f}")
    verdict = "met" if met else "MISSED"
    print(f"{'left of a result in every later request':<44}{left:>12.1%}{'':>12}  <= {MOST_LEFT:.0%}  {verdict}")
    for fault in figures.faults[:5]:
        print(f"FAULT {fault}")
    return met and not figures.faults


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs what was asked for; 0 where every target is met."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int)
    parser.add_argument("--only", choices=("results", "schemas"))
    parser.add_argument("--backend", choices=BACKENDS, action="append")
    asked = parser.parse_args(arguments)
    met = True
    for name in (asked.backend or BACKENDS) if asked.only != "schemas" else ():
        met &= show(name, asyncio.run(run(name, asked.turns or TURNS)))
    for name in (asked.backend or schema_bill.MODELS) if asked.only != "results" else ():
        for each in (3, 1) if name in schema_bill.MODELS else ():
            turns = asked.turns or schema_bill.TURNS
            bills = [asyncio.run(schema_bill.bill(name, turns, each=each, finds=finds)) for finds in (False, True)]
            met &= schema_bill.show(name, each, turns, *bills)
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
