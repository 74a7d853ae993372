"""Owns the conversations that the caching benchmark holds: what is asked when, with what attached. Knows no backend."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from desktop_app.core.messages import DocumentPart, Part, TextPart
from tests.benchmarks.plain_talk import plain_talk
from tests.servers.tokens import by_pieces

GAP_S: Final = 60.0
"""Seconds between two turns of a busy conversation: within the five minutes that the cache lives."""

MODEL: Final = "claude-sonnet-5"
OTHER_MODEL: Final = "claude-opus-4-8"
"""Of the same minimum for caching and the same tokenizer."""

DOCUMENT_TOKENS: Final = 30_000


@dataclass(frozen=True, slots=True)
class Ask:
    """One turn. `wait_s` seconds pass before it; `model`: the thread goes on with this one."""

    parts: tuple[Part, ...]
    answer: str
    wait_s: float = GAP_S
    model: str = ""

    @property
    def text(self) -> str:
        """What the user typed."""
        return "\n".join(part.text for part in self.parts if isinstance(part, TextPart))


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation, and the soft limit in tokens under which it is held. `judged`: PRODUCT has targets for it."""

    asks: Sequence[Ask]
    soft_limit: int = 150_000
    judged: bool = False


def plain(turns: int, seed: int = 20) -> Talk:
    """Questions and answers of 400 and 600 tokens on average, a minute apart."""
    asks = [Ask((TextPart(one.user),), one.answer) for one in plain_talk(turns, by_pieces, seed=seed)]
    return Talk(asks, judged=turns >= 400)


def with_gaps(turns: int) -> Talk:
    """A conversation of several days: one gap in eight is 10 to 50 minutes long, one in fifty a night."""
    chance = random.Random(7)
    asks = []
    for ask in plain(turns).asks:
        drawn = chance.random()
        wait = 9 * 3600.0 if drawn < 0.02 else chance.uniform(600, 3000) if drawn < 0.145 else GAP_S
        asks.append(replace(ask, wait_s=wait))
    return Talk(asks, soft_limit=50_000)


def with_documents(turns: int) -> Talk:
    """A short document in the first turn; a large one early, again at a third of the way, and after two steps."""
    asks = list(plain(turns).asks)
    short, large = _document("brief.txt", 1_000), _document("report.txt", DOCUMENT_TOKENS)
    for number, document in ((0, short), (2, large), (turns // 3, large), (turns - 5, large)):
        asks[number] = replace(asks[number], parts=(document, *asks[number].parts))
    return Talk(asks, soft_limit=DOCUMENT_TOKENS + turns * 500)


def with_a_switch(turns: int) -> Talk:
    """Half of it with one model, half with another."""
    asks = list(plain(turns).asks)
    asks[turns // 2] = replace(asks[turns // 2], model=OTHER_MODEL)
    return Talk(asks, soft_limit=50_000)


TALKS: Final[Mapping[str, Callable[[int], Talk]]] = {
    "plain": plain,
    "gaps": with_gaps,
    "documents": with_documents,
    "switch": with_a_switch,
}


def _document(name: str, least: int) -> DocumentPart:
    parts: list[str] = []
    tokens = 0
    for one in plain_talk(2 * least // 1000 + 1, by_pieces, seed=3):
        if tokens < least:
            parts.append(one.answer)
            tokens += by_pieces(one.answer)
    text = "\n\n".join(parts)
    return DocumentPart(name, text, hashlib.sha256(text.encode()).hexdigest())
