"""Loopback providers that write their own books for `bench_bill`: each request's tokens and dollars, by the wire alone.

Nothing of the app counts, caches or prices here: prefixes are told apart by the bytes that came, tokens are counted by
`tests.servers.tokens`, images by their own header, and of the catalog come the prices only.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, Final

from desktop_app.core.model_catalog import Prices, find_model
from tests.servers.chat_api import ChatApi
from tests.servers.messages_api import Answer, CapturedRequest, HttpError, MessagesApi, ToolUse
from tests.servers.messages_script import Behaviour
from tests.servers.prompt_cache import Billing, CacheBlock, HandClock, PromptCache, TokenCounter
from tests.servers.tokens import by_pieces

MILLION: Final = 1_000_000
IDLE_S: Final = 600.0
"""Seconds that OpenAI keeps a beginning that nobody asks for; it promises nothing, and says 5 to 10 minutes."""
STEP: Final = 128
LEAST: Final = 1024
"""OpenAI caches from so many tokens on, in steps of so many."""
TOOL_PROMPT: Final = 346
PER_BLOCK: Final = 8
WRITES_FROM: Final = ("gpt-5.6", "gpt-6")
"""Of these, what is written to the cache is counted, and has a price of its own."""


@dataclass(frozen=True, slots=True)
class Line:
    """One request in a provider's books. `model` is the one that answered, `output` the tokens of its answer."""

    provider: str
    asked: str
    model: str
    billing: Billing
    output: int
    free: bool = False

    @property
    def prices(self) -> Prices:
        """The catalog's prices of the model that answered."""
        known = find_model(self.provider, self.model)
        above = known.price_cliff is not None and self.billing.total > known.price_cliff
        found = known.prices_above if above else known.prices
        assert found is not None, self.model
        return found

    @property
    def input_usd(self) -> float:
        """The price of the request, its answer left aside."""
        if self.free:
            return 0.0
        bill, prices = self.billing, self.prices
        return (
            bill.fresh * prices.input
            + bill.read * prices.cache_read
            + bill.written_5m * prices.cache_write_5m
            + bill.written_1h * prices.cache_write_1h
        ) / MILLION

    @property
    def usd(self) -> float:
        return self.input_usd + (0.0 if self.free else self.output * self.prices.output / MILLION)


@dataclass(slots=True)
class Wishes:
    """The play of the next requests: rounds of look-ups, refusals before, another model that serves."""

    rounds: int = 0
    served: str = ""
    errors: int = 0
    silent: bool = False
    """It answers without naming what was used."""
    text: str = "Yes."

    def answer(self, tools: list[str], number: int, reason: str) -> tuple[tuple[Any, ...], str]:
        """The steps of the next answer, and why it stops; `reason`: the wire's word for a call."""
        tool = next((one for one in tools if "search_this_thread" in one), "")
        if self.rounds and tool:
            self.rounds -= 1
            return ("Let me look.", ToolUse(tool, {"query": "work number place"}, f"toolu_{number:05d}")), reason
        return (self.text,), "end_turn"


def image_size(data: str) -> tuple[int, int]:
    """Pixels of a PNG by its own header, base64 as it comes over the wire."""
    width, height = struct.unpack(">II", base64.b64decode(data)[16:24])
    return width, height


def png(width: int, height: int) -> str:
    """A PNG's head, which says how large it is; nobody here looks at more."""
    return base64.b64encode(
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", width, height) + b"\x08\x02\0\0\0"
    ).decode()


def _looked_at(url: str, model: str) -> int:
    """Tokens of an image as OpenAI's documentation has it: scaled down twice, then by tiles of 512 pixels."""
    width, height = image_size(url.partition(",")[2])
    scale = min(1.0, 2_048 / max(width, height))
    scale *= min(1.0, 768 / (min(width, height) * scale))
    tiles = -(-round(width * scale) // 512) * -(-round(height * scale) // 512)
    return 70 + 140 * tiles if model.startswith("gpt-5") else 85 + 170 * tiles


_KINDS: Final = re.compile(
    r"(?P<word> ?[A-Za-z]+)|(?P<digits>[0-9]{1,3})|(?P<gap>\n+| +|\t+)|(?P<letters>[^\W0-9_a-zA-Z]+)|(?P<sign>.)",
    re.DOTALL,
)
RATES: Final[Mapping[str, Mapping[str, float]]] = {
    "claude-2023": {"word": 0.88, "digits": 0.62, "letters": 0.62, "sign": 0.52},
    "claude-2026": {"word": 1.26, "digits": 0.62, "letters": 0.62, "sign": 0.62},
    "o200k": {"word": 0.86, "digits": 0.9, "letters": 0.33, "sign": 0.45},
}
"""How many times the tokens of `by_pieces` a piece has: near what real vocabularies of the family need."""


@lru_cache(maxsize=1 << 16)
def _of_piece(family: str, kind: str, piece: str) -> float:
    return by_pieces(piece) * RATES.get(family, {}).get(kind, 1.0)


def by_family(family: str, text: str) -> int:
    """Tokens of a text: what a word costs depends on its letters, so that no sum over its signs gets it right."""
    return round(sum(_of_piece(family, str(one.lastgroup), one.group()) for one in _KINDS.finditer(text)))


def written(steps: Sequence[str | ToolUse], family: str) -> int:
    """Tokens of an answer: the same as it has when it goes back, but for what opens a message."""
    return sum(
        by_family(family, step if isinstance(step, str) else f"{step.name} {json.dumps(dict(step.input))}")
        for step in steps
    )


class DocumentedCounter(TokenCounter):
    """Counts as Anthropic's documentation has it: images by pixels, and what any tool adds to a request.

    Calls and results are counted by what is in them: how they are written before a model is not documented.
    """

    def blocks(self, body: Mapping[str, Any]) -> list[CacheBlock]:
        found = super().blocks(body)
        if body.get("tools"):
            found[0] = replace(found[0], tokens=found[0].tokens + TOOL_PROMPT)
        return found

    def _tokens(self, digest: bytes, bare: Mapping[str, Any]) -> int:
        match bare:
            case {"type": "image", "source": {"data": str(data)}}:
                width, height = image_size(data)
                return -(-width * height // 750)
            case {"type": "tool_use", "name": str(name), "input": values}:
                return PER_BLOCK + self.count(f"{name} {json.dumps(values, ensure_ascii=False)}")
            case {"type": "tool_result", "content": str(text)}:
                return PER_BLOCK + self.count(text)
            case {"type": "tool_result", "content": [*parts]}:
                return PER_BLOCK + sum(self._tokens(b"", part) for part in parts)
        return super()._tokens(digest, bare)


class BilledMessages(MessagesApi):
    """The Messages API with books. Each key has caches of its own."""

    def __init__(self, lines: list[Line], wishes: Wishes, clock: HandClock) -> None:
        super().__init__(default=self._next, count_text=by_pieces)
        self.lines, self.wishes = lines, wishes
        self.clock = clock
        self._counters: dict[str, DocumentedCounter] = {}
        self._caches: dict[tuple[str, str], PromptCache] = {}
        self._key = ""

    def refusal(self, request: CapturedRequest) -> HttpError | None:
        self._key = request.headers.get("x-api-key", "")
        return super().refusal(request)

    def prompt_usage(self, body: Mapping[str, Any]) -> dict[str, Any]:
        with self.changed:
            asked = str(body["model"])
            served = (self.wishes.served if body.get("max_tokens") else "") or asked
            cache = self._caches.setdefault((self._key, served), PromptCache(self.clock))
            bill = cache.bill(served, self._counter_of(served).blocks(body))
            output = self._output if body.get("max_tokens") else 0
            self.lines.append(Line("anthropic", asked, served, bill, output))
            return bill.usage()

    def _counter_of(self, model: str) -> DocumentedCounter:
        count = partial(by_family, find_model("anthropic", model).tokenizer)
        return self._counters.setdefault(model, DocumentedCounter(count))

    def _next(self, request: CapturedRequest) -> Behaviour:
        if (wishes := self.wishes).errors:
            wishes.errors -= 1
            return HttpError(529)
        tools = [str(tool.get("name")) for tool in request.body.get("tools") or ()]
        steps, stop = wishes.answer(tools, len(self.lines), "tool_use")
        self._output = written(steps, find_model("anthropic", wishes.served or str(request.body["model"])).tokenizer)
        return Answer(*steps, stop_reason=stop, usage={"output_tokens": self._output}, model=wishes.served or None)


class BilledCompletions(ChatApi):
    """Chat completions with books and a cache of beginnings that lives by the provider's rules; or a free server."""

    def __init__(self, lines: list[Line], wishes: Wishes, clock: HandClock, *, free: bool = False) -> None:
        super().__init__(default=self._next)
        self.lines, self.wishes, self._free, self._clock = lines, wishes, free, clock
        self._known: dict[bytes, float] = {}
        self._counts: dict[bytes, int] = {}

    def _next(self, request: CapturedRequest) -> Behaviour:
        wishes, body = self.wishes, request.body
        if wishes.errors:
            wishes.errors -= 1
            return HttpError(503)
        served = wishes.served or str(body["model"])
        tools = [str(tool["function"]["name"]) for tool in body.get("tools") or ()]
        steps, _ = wishes.answer(tools, len(self.lines), "")
        family = "" if self._free else find_model("openai", served).tokenizer
        output, bill = written(steps, family), self._bill(body, family, served)
        self.lines.append(Line("openai", str(body["model"]), served, bill, output, self._free))
        self.usage_sent = "never" if wishes.silent else "asked"
        details: dict[str, int] = {"cached_tokens": bill.read}
        if bill.written:
            details["cache_write_tokens"] = bill.written
        usage = {"prompt_tokens": bill.total, "completion_tokens": output, "prompt_tokens_details": details}
        return Answer(*steps, usage=usage | {"total_tokens": bill.total + output}, model=wishes.served or None)

    def _bill(self, body: Mapping[str, Any], family: str, model: str) -> Billing:
        now = self._clock.now
        sizes: list[int] = []
        prefixes: list[bytes] = []
        digest, total = model.encode(), 0
        for block in (body.get("tools") or [], *body["messages"]):
            text = json.dumps(block, ensure_ascii=False, sort_keys=True)
            digest = hashlib.sha256(digest + text.encode(errors="surrogatepass")).digest()
            total += self._tokens(digest, block, family, model)
            sizes.append(total)
            prefixes.append(digest)
        held = [at for at, prefix in enumerate(prefixes) if self._known.get(prefix, -1.0) > now]
        read = sizes[max(held)] // STEP * STEP if held and not self._free else 0
        read = read if read >= LEAST else 0
        if total >= LEAST:
            self._known.update(dict.fromkeys(prefixes, now + IDLE_S))
        written = total - read if total >= LEAST and model.startswith(WRITES_FROM) and not self._free else 0
        return Billing(total - read - written, read, written)

    def _tokens(self, digest: bytes, block: Any, family: str, model: str) -> int:
        if digest not in self._counts:
            if isinstance(block, list):
                self._counts[digest] = by_family(family, json.dumps(block, ensure_ascii=False)) if block else 0
            else:
                content, calls = block.get("content"), block.get("tool_calls")
                parts: list[dict[str, Any]] = [{"text": content}] if isinstance(content, str) else content or []
                images = sum(_looked_at(part["image_url"]["url"], model) for part in parts if "image_url" in part)
                text = "".join(part.get("text", "") for part in parts) + (json.dumps(calls) if calls else "")
                self._counts[digest] = 4 + images + by_family(family, text)
        return self._counts[digest]
