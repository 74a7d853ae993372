"""Owns the prompt cache of the loopback Messages API: what of a request is read, written, or counted fresh.

Knows no sockets, and nothing of the program under test. The rules are those of the provider's documentation:

* A cache mark (`cache_control`) writes one entry: the whole prefix that ends with its block, in the order tools,
  system, messages. Where no mark stands, nothing is written.
* Each mark is looked up by itself: its own place, then backwards, 20 places in all, for an entry that an **earlier**
  request wrote. The longest prefix found by any mark is read, what follows up to the last mark is written, the rest
  counts as plain input.
* A prefix shorter than the model's minimum is neither written nor read.
* An entry lives five minutes or an hour, as its mark says, from when it was written or last found.
* A change of model or tools makes everything new; of `thinking` or `tool_choice`, the messages.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final, Literal, TypeAlias

from tests.servers.messages_rules import blocks
from tests.servers.tokens import CountText, by_bytes

Lifetime: TypeAlias = Literal["5m", "1h"]

LIFETIME_S: Final[Mapping[Lifetime, float]] = {"5m": 300.0, "1h": 3600.0}

PLACES: Final = 20
"""How many places a mark is looked up at, its own included."""

TOKENS_PER_MESSAGE: Final = 4
"""What opening a message counts, besides its blocks."""

_MINIMUM: Final = (
    (re.compile(r"claude-(opus-5|[a-z]+-5-5|fable-|mythos-)"), 512),
    (re.compile(r"claude-opus-4-7"), 2048),
    (re.compile(r"claude-(opus-4-[56]|haiku-4-5)"), 4096),
)


def least_tokens(model: str) -> int:
    """The shortest prefix in tokens that is cached for a model; 1,024 where nothing else is known."""
    return next((tokens for name, tokens in _MINIMUM if name.match(model)), 1024)


class HandClock:
    """A clock that stands still until a test moves it. Seconds."""

    def __init__(self) -> None:
        self.now = 0.0

    def advance(self, seconds: float) -> None:
        """Lets time pass."""
        self.now += seconds


@dataclass(frozen=True, slots=True)
class CacheBlock:
    """One block of a request: a digest of everything about it but its mark, its tokens, and the mark's lifetime."""

    digest: bytes
    tokens: int
    mark: Lifetime | None = None


@dataclass(frozen=True, slots=True)
class Billing:
    """The tokens of one request by how they are charged. The four add up to all of it."""

    fresh: int
    read: int = 0
    written_5m: int = 0
    written_1h: int = 0

    @property
    def written(self) -> int:
        return self.written_5m + self.written_1h

    @property
    def total(self) -> int:
        return self.fresh + self.read + self.written

    def usage(self) -> dict[str, Any]:
        """As in the `usage` object of an answer."""
        return {
            "input_tokens": self.fresh,
            "cache_creation_input_tokens": self.written,
            "cache_read_input_tokens": self.read,
            "cache_creation": {
                "ephemeral_5m_input_tokens": self.written_5m,
                "ephemeral_1h_input_tokens": self.written_1h,
            },
        }


class TokenCounter:
    """Cuts request bodies into counted blocks. A block that came before is not counted again."""

    def __init__(self, count: CountText = by_bytes) -> None:
        self.count = count
        self._known: dict[bytes, int] = {}

    def total(self, body: Mapping[str, Any]) -> int:
        """Tokens of a whole request."""
        return sum(block.tokens for block in self.blocks(body))

    def blocks(self, body: Mapping[str, Any]) -> list[CacheBlock]:
        """The blocks of a request in the order of the cache. A mark of the whole request is one on its last block."""
        found = list(self._blocks(body))
        if (whole := body.get("cache_control")) and found and found[-1].mark is None:
            found[-1] = CacheBlock(found[-1].digest, found[-1].tokens, whole.get("ttl", "5m"))
        return found

    def _blocks(self, body: Mapping[str, Any]) -> Iterator[CacheBlock]:
        settled = {"tool_choice": body.get("tool_choice"), "thinking": body.get("thinking")}
        before = ""
        for place, block in blocks(body):
            opens, before = place != before, place
            role = place.rpartition(".")[2]
            # messages of one role in a row are one turn: where one ends and the next begins is not in the prompt
            context: list[object] = [role]
            if opens and place.startswith("0."):
                context.append(settled)
            bare = {key: value for key, value in block.items() if key != "cache_control"}
            text = json.dumps([context, bare], ensure_ascii=False, sort_keys=True)
            digest = hashlib.sha256(text.encode(errors="surrogatepass")).digest()
            tokens = self._tokens(digest, bare)
            if opens and "." in place:
                tokens += TOKENS_PER_MESSAGE
            mark = block.get("cache_control")
            yield CacheBlock(digest, tokens, mark.get("ttl", "5m") if mark else None)

    def _tokens(self, digest: bytes, bare: Mapping[str, Any]) -> int:
        if digest not in self._known:
            text = bare["text"] if bare.get("type") == "text" else json.dumps(bare, ensure_ascii=False, sort_keys=True)
            self._known[digest] = self.count(text)
        return self._known[digest]


@dataclass(slots=True)
class _Entry:
    lifetime: Lifetime
    ends: float


class PromptCache:
    """What earlier requests wrote, as long as the clock lets it live."""

    def __init__(self, clock: HandClock | None = None) -> None:
        self.clock = clock or HandClock()
        self._entries: dict[bytes, _Entry] = {}

    def bill(self, model: str, request: Sequence[CacheBlock]) -> Billing:
        """Looks a request up, writes what its marks ask for, and says what it costs in tokens."""
        prefixes = list(_prefixes(model, request))
        sizes = list(accumulate(block.tokens for block in request))
        least = least_tokens(model)
        marks = {at: block.mark for at, block in enumerate(request) if block.mark is not None and sizes[at] >= least}
        # all lookups come first: a request never reads what it writes itself
        found = [at for at in (self._look_back(prefixes, sizes, mark, least) for mark in marks) if at is not None]
        for at in found:
            self._refresh(prefixes[at])
        for at, lifetime in marks.items():
            if not self._lives(prefixes[at]):
                self._entries[prefixes[at]] = _Entry(lifetime, self.clock.now + LIFETIME_S[lifetime])
        read = sizes[max(found)] if found else 0
        long = max(read, *(sizes[at] for at, lifetime in marks.items() if lifetime == "1h"), 0)
        last = max(long, *(sizes[at] for at in marks), 0)
        return Billing((sizes[-1] if sizes else 0) - last, read, last - long, long - read)

    def _look_back(self, prefixes: Sequence[bytes], sizes: Sequence[int], mark: int, least: int) -> int | None:
        places = range(mark, max(-1, mark - PLACES), -1)
        return next((at for at in places if sizes[at] >= least and self._lives(prefixes[at])), None)

    def _lives(self, prefix: bytes) -> bool:
        return (entry := self._entries.get(prefix)) is not None and entry.ends > self.clock.now

    def _refresh(self, prefix: bytes) -> None:
        entry = self._entries[prefix]
        entry.ends = self.clock.now + LIFETIME_S[entry.lifetime]


def _prefixes(model: str, request: Sequence[CacheBlock]) -> Iterator[bytes]:
    digest = model.encode()
    for block in request:
        digest = hashlib.sha256(digest + block.digest).digest()
        yield digest
