"""What the server of `bench_peers` writes down: each request's bill, what failed, which facts a request holds."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tests.benchmarks.cache_costs import billed
from tests.benchmarks.peer_talks import Turn
from tests.servers.messages_api import Answer, CapturedRequest, HttpError, MessagesApi, ToolUse, too_long
from tests.servers.messages_script import Behaviour
from tests.servers.prompt_cache import Billing
from tests.servers.tokens import by_pieces

READ_PRICE: Final = 0.1
MOST_REQUESTS: Final = 12
"""Of one turn: a client that asks on gets an error."""


class BookedApi(MessagesApi):
    """Plays a model that follows the turns of a talk, keeps the bills, and refuses what its window does not hold."""

    def __init__(self, window: int) -> None:
        super().__init__(default=self._next, count_text=by_pieces)
        self.window = window
        self.bills: list[Billing] = []
        self.watched: int | None = None
        self.cpu_at_arrival = 0.0
        self._steps: list[Answer] = []
        self._asked = 0
        self._calls = 0

    def begin(self, turn: Turn) -> None:
        """From here on the requests are those of this turn."""
        self.requests.clear()  # some are of megabytes
        self._asked, self._steps = 0, []
        for key, _ in turn.results:
            self._calls += 1
            self._steps.append(_call("look_up", {"key": key}, self._calls))
        self._steps.append(Answer(turn.answer))

    def expect(self, name: str, given: Mapping[str, Any]) -> None:
        """The next request is answered by a call of this tool, and the one after it by words."""
        self.requests.clear()
        self._calls += 1
        self._asked, self._steps = 0, [_call(name, given, self._calls), Answer("That is what I found.")]

    def note(self, request: CapturedRequest) -> None:
        if self.watched is not None and request.method == "POST" and request.path == self.answer_path:
            self.cpu_at_arrival = cpu_of(self.watched)
        super().note(request)

    def prompt_usage(self, body: Mapping[str, Any]) -> dict[str, Any]:
        with self.changed:
            self.bills.append(self.cache.bill(str(body["model"]), self.counter.blocks(body)))
            return self.bills[-1].usage()

    def _next(self, request: CapturedRequest) -> Behaviour:
        self._asked += 1
        if (tokens := self.count_tokens(request.body)) > self.window:
            return too_long(tokens, self.window)
        if self._asked > MOST_REQUESTS:
            return HttpError(400, message="This turn has asked often enough.")
        return self._steps.pop(0) if self._steps else Answer("Done.")


def _call(name: str, given: Mapping[str, Any], number: int) -> Answer:
    return Answer("Let me look.", ToolUse(name, given, f"toolu_{number}"), stop_reason="tool_use")


def cpu_of(pid: int) -> float:
    """Seconds of processor time that a process has used, all its threads together; by Linux's clock of processes."""
    if sys.platform == "win32":
        raise OSError("there are no clocks of processes here")
    else:  # noqa: RET506 (so that the types of Windows are clean)
        return time.clock_gettime((~pid << 3) | 2)


@dataclass(slots=True)
class Held:
    """One talk with one client. `failed`: turns with an error; `cut`: turns whose question did not arrive whole."""

    bills: Sequence[Billing] = ()
    turns: int = 0
    failed: int = 0
    cut: int = 0
    errors: list[str] = field(default_factory=list)
    facts: int = 0
    in_request: int = 0
    found: int = 0
    seconds: float = 0.0
    last: Mapping[str, Any] = field(default_factory=lambda: {"messages": []})
    """The last request that was answered."""

    @property
    def units(self) -> float:
        """The price of all input, in uncached input tokens."""
        return sum(billed(one, READ_PRICE) for one in self.bills)

    @property
    def hit_rate(self) -> float:
        return sum(one.read for one in self.bills) / max(1, sum(one.total for one in self.bills))

    @property
    def mean(self) -> float:
        return sum(one.total for one in self.bills) / max(1, len(self.bills))

    def note(self, turn: Turn, error: str | None, api: BookedApi) -> None:
        """One turn is over."""
        self.turns += 1
        if error is not None:
            self.failed += 1
            self.errors.append(f"turn {self.turns}: {error}")
            return
        asked = turn.said if turn.document is None else turn.document[1]
        self.last = api.answers[-1].body
        self.cut += not holds(self.last, asked)

    def row(self, name: str) -> str:
        """As a row of the table."""
        reach = f"{self.in_request + self.found} of {self.facts}" + (f" ({self.in_request})" if self.found else "")
        return (
            f"| {name} | {self.units:,.0f} | {self.hit_rate:.1%} | {self.mean:,.0f} | {len(self.bills):,} | "
            f"{self.failed} | {self.cut} | {reach} |"
        )


HEAD: Final = (
    "| | units billed | hit rate | mean request | requests | failed turns | cut questions | facts within reach |\n"
    "|---|---:|---:|---:|---:|---:|---:|---:|"
)


def holds(body: Mapping[str, Any], text: str) -> bool:
    """Whether a text stands in a request, in one piece."""
    return any(text in one for one in _texts(body["messages"]))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)


def line_of(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"
