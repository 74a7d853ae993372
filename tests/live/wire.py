"""Owns the way to a provider as the checks take it: plain HTTP, nothing of the app in between, under a price cap."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import httpx2

from desktop_app.core.context.costs import MILLION
from desktop_app.core.messages import Usage
from desktop_app.core.model_catalog import ModelInfo
from tests.live.findings import CannotTellError, DoesNotHoldError

BYTES_PER_TOKEN: Final = 2
"""English has four; with two, what is expected of a call is more than it costs."""

SLOWEST_S: Final = 120.0

Pause: TypeAlias = Callable[[float], None]
"""Lets so many minutes pass, or raises `CannotTellError`."""

_JSON: Final = {"content-type": "application/json"}


@dataclass(slots=True)
class Budget:
    """Dollars: no call is made that could pass the cap."""

    cap: float
    spent: float = 0.0

    def afford(self, dollars: float) -> None:
        """Raises `CannotTellError` for a call that could cost so much."""
        if self.spent + dollars > self.cap:
            raise CannotTellError(f"not tried: it may cost ${dollars:.3f}, and ${self.cap - self.spent:.3f} are left")


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. `events`: the objects of a stream, in order; `body` is then empty."""

    status: int
    headers: Mapping[str, str]
    body: dict[str, Any]
    events: list[dict[str, Any]] = field(default_factory=list)

    @property
    def error(self) -> dict[str, Any]:
        """The error object; empty where there is none."""
        error = self.body.get("error")
        return error if isinstance(error, dict) else {}

    @property
    def message(self) -> str:
        """What an error says."""
        return str(self.error.get("message", ""))

    @property
    def usage(self) -> dict[str, Any]:
        usage = self.body.get("usage")
        return usage if isinstance(usage, dict) else {}

    def served(self) -> Reply:
        """Itself, where the request was taken."""
        if self.status != 200:
            raise DoesNotHoldError(f"HTTP {self.status}: {self.message}")
        return self

    def refused(self, status: int, *words: str) -> str:
        """What the error says, where it has this status and all these words."""
        if self.status != status:
            raise DoesNotHoldError(f"HTTP {self.status} instead of {status}: {self.message or 'it was taken'}")
        if lost := [word for word in words if word not in self.message]:
            raise DoesNotHoldError(f"{lost[0]!r} is not in: {self.message}")
        return self.message


class Wire:
    """`post` and `get` from one address. `usage_of` reads a usage object; the model's prices are what is counted."""

    def __init__(
        self,
        base_url: str,
        headers: Mapping[str, str],
        budget: Budget,
        usage_of: Callable[[Mapping[str, Any], ModelInfo], Usage],
    ) -> None:
        self._client = httpx2.Client(base_url=base_url, headers=dict(headers), timeout=SLOWEST_S)
        self._budget, self._usage_of = budget, usage_of

    def close(self) -> None:
        self._client.close()

    def get(self, path: str) -> Reply:
        return _reply(self._client.get(path))

    def post(
        self,
        path: str,
        body: Mapping[str, Any],
        model: ModelInfo | None,
        *,
        tokens: int = 0,
    ) -> Reply:
        """Sends a body. `model` None: it is not paid for; `tokens`: what it has at most, where its bytes mislead."""
        raw = json.dumps(body).encode()
        if model is not None:
            self._budget.afford(_worst(model, tokens or len(raw) // BYTES_PER_TOKEN, body))
        reply = _reply(self._client.post(path, content=raw, headers=_JSON))
        if model is not None:
            self._budget.spent += self._cost(reply, model)
        return reply

    def without_key(self, path: str, body: Mapping[str, Any]) -> Reply:
        """The same from somebody who says no key."""
        with httpx2.Client(base_url=self._client.base_url, timeout=SLOWEST_S) as nobody:
            headers = {**_JSON, "anthropic-version": "2023-06-01"}
            return _reply(nobody.post(path, content=json.dumps(body).encode(), headers=headers))

    def _cost(self, reply: Reply, model: ModelInfo) -> float:
        usages = [reply.usage, *(event.get("usage") or {} for event in reply.events)]
        started = [event["message"].get("usage") or {} for event in reply.events if "message" in event]
        whole: dict[str, Any] = {}
        for usage in (*started, *usages):
            whole |= {key: value for key, value in usage.items() if value is not None}
        return self._usage_of(whole, model).cost_usd or 0.0


def _worst(model: ModelInfo, tokens: int, body: Mapping[str, Any]) -> float:
    """Dollars that a call costs at most: all of it written to the cache for an hour, all the output there may be."""
    above = model.price_cliff is not None and tokens > model.price_cliff
    prices = model.prices_above if above else model.prices
    if prices is None:
        raise CannotTellError(f"not tried: the prices of {model.id} are not known")
    output = int(body.get("max_tokens") or body.get("max_completion_tokens") or 0)
    marked = "cache_control" in json.dumps(body)
    return (tokens * (prices.cache_write_1h if marked else prices.input) + output * prices.output) / MILLION


def _reply(response: httpx2.Response) -> Reply:
    headers = {name.lower(): value for name, value in response.headers.items()}
    if headers.get("content-type", "").startswith("text/event-stream"):
        lines = (line.removeprefix("data:").strip() for line in response.text.splitlines() if line.startswith("data:"))
        return Reply(response.status_code, headers, {}, [json.loads(line) for line in lines if line.startswith("{")])
    try:
        body = response.json()
    except ValueError:
        body = {}
    return Reply(response.status_code, headers, body if isinstance(body, dict) else {})
