"""Finds turns that are heavy in the request and that no later answer used: nothing cited, nothing named, no rare words.

Rare words of a turn are those that tell it from the other turns sent; how often they come up again by chance was judged
on texts of one field, where three of twelve are no sign yet.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from desktop_app.core.context.costs import MILLION, prices_for
from desktop_app.core.context.placed_messages import LEAVES
from desktop_app.core.context.plan import ContextPlan, PlacedMessage
from desktop_app.core.markdown.citation_marks import cited_ids
from desktop_app.core.messages import DocumentPart, ImagePart, Message
from desktop_app.core.projects import CITATION, ID_DIGITS
from desktop_app.core.search_terms import fold, index_text, whole_text

UNUSED_TURNS: Final = 20
"""Turns since the last use from which on a turn is dead weight, and within which leaving it out has to pay."""

LEAST: Final = 1_000
"""Tokens below which nothing is heavy."""

HEAVY_SHARE: Final = 100
"""A turn is heavy from the soft limit divided by this: 1,500 tokens at 150,000."""

RARE: Final = 12
"""Words by which a turn is known."""

IN_COMMON: Final = 4
"""So many of them in one long answer are a use; in a short one, one per `SHORT` of its different words."""
SHORT: Final = 20

READ: Final = 0.1
WRITTEN: Final = 1.25
"""Prices of a cached token, and of one put into the cache, where they are not known: as shares of a fresh one's."""

_SENT: Final = frozenset(("whole", "annotated"))


@dataclass(frozen=True, slots=True)
class DeadWeight:
    """A turn of `tokens` in the request that was not used for `turns` turns; `id`: its heaviest message.

    `rewritten`: tokens that the cache holds behind it, which leaving it out now would have written again. `leaves`: it
    goes at the next step already. `pays`: leaving it out now does. `turn_usd`: dollars for it each turn; None: unknown.
    `leaving_usd`: see `Preparation`.
    """

    id: str
    tokens: int
    turns: int
    rewritten: int = 0
    leaves: bool = False
    pays: bool = False
    turn_usd: float | None = None
    leaving_usd: tuple[float, float] | None = None

    def pays_now(self, read: float, written: float) -> bool:
        """Return True if leaving it out now costs less than reading it for 20 turns more, at these prices a token."""
        return self.rewritten * (written - read) <= UNUSED_TURNS * self.tokens * read


@dataclass(slots=True)
class _Turn:
    rows: list[PlacedMessage]
    messages: list[Message]

    @property
    def tokens(self) -> int:
        return sum(row.tokens for row in self.rows)


class _AnswerWords:
    """The words of a turn's answer, and the documents that it cites, by the first digits of their hashes."""

    def __init__(self, turn: _Turn) -> None:
        text = "\n".join(whole_text(one) for one in turn.messages if one.role == "assistant")
        self.words, self.folded = _words(text), fold(text)
        self.cited = {one[:ID_DIGITS] for found in re.finditer(CITATION, text) for one in cited_ids(found[1])}


def dead_weight(plan: ContextPlan, messages: Mapping[str, Message]) -> tuple[DeadWeight, ...]:
    """The dead weight of a plan, heaviest first. `messages`: those of its path by id. May be called off the thread."""
    turns = list(_turns(plan.placement.messages, messages))
    least = max(LEAST, plan.limits.soft // HEAVY_SHARE)
    heavy = [
        number
        for number, turn in enumerate(turns[:-UNUSED_TURNS])
        if turn.tokens >= least and all(row.state in _SENT for row in turn.rows)
    ]
    if not heavy:
        return ()
    words = [_words("\n".join(map(whole_text, turn.messages))) for turn in turns]
    answers = list(map(_AnswerWords, turns))
    spread = Counter(word for found in words for word in found)
    prices, marks = prices_for(plan.model, plan.tokens.total), plan.request.marks
    read, written, known = READ, WRITTEN, prices is not None and plan.price.cost_usd
    if prices is not None:
        read, written = prices.cache_read, prices.input
        if marks:
            written = prices.cache_write_5m if marks[0].lifetime == "5m" else prices.cache_write_1h
    found = []
    for number in heavy:
        turn, use = turns[number], _Use(turns[number], words[number], spread, len(turns))
        last = next((n for n in range(len(turns) - 1, number, -1) if use.by(answers[n])), number)
        if (unused := len(turns) - 1 - last) >= UNUSED_TURNS:
            heaviest = max(turn.rows, key=lambda row: row.tokens)
            leaves = any(row.reason == LEAVES for row in turn.rows)
            one = DeadWeight(heaviest.id, turn.tokens, unused, _rewritten(plan, turns[number + 1 :]), leaves)
            usd = one.tokens * read / MILLION if known else None
            found.append(replace(one, pays=one.pays_now(read, written), turn_usd=usd))
    return tuple(sorted(found, key=lambda one: -one.tokens))


def _turns(rows: Iterable[PlacedMessage], messages: Mapping[str, Message]) -> Iterator[_Turn]:
    """The turns of which anything is sent; questions in a row are one."""
    turn, asked = _Turn([], []), True
    for row in rows:
        if row.asked and not asked:
            if turn.tokens:
                yield turn
            turn = _Turn([], [])
        asked = row.asked
        turn.rows.append(row)
        if row.id in messages:
            turn.messages.append(messages[row.id])
    if turn.tokens:
        yield turn


def _rewritten(plan: ContextPlan, later: Sequence[_Turn]) -> int:
    """Tokens behind a turn that the cache holds."""
    price = plan.price
    cached = price.cached_tokens or (price.cache.tokens if price.cache.state == "seen" else 0)
    behind = sum(turn.tokens for turn in later) + plan.tokens.draft
    return max(0, behind - max(0, plan.tokens.total - cached))


_WORD: Final = re.compile(r"\w{4,}|[^\W\d_a-z]{2,}|\d{3,}")


def _words(text: str) -> Counter[str]:
    return Counter(word for word in index_text(text).split() if _WORD.fullmatch(word))


class _Use:
    """Tells if an answer uses a turn."""

    def __init__(self, turn: _Turn, words: Counter[str], spread: Mapping[str, int], turns: int) -> None:
        """`spread`: in how many of the `turns` a word stands."""
        parts = [part for message in turn.messages for part in message.parts]
        self._documents = {part.sha256[:ID_DIGITS] for part in parts if isinstance(part, DocumentPart)}
        names = [fold(part.name) for part in parts if isinstance(part, DocumentPart | ImagePart)]
        self._names = {name for full in names for name in (full, full.rpartition(".")[0]) if len(name) > 3}
        total, common = sum(words.values()), max(3, turns // 6)
        topics = {w: n for w, n in words.items() if spread[w] <= common or (len(w) > 6 and 100 * n >= total)} or words
        # of two words as frequent the longer one says more
        ranked = sorted(topics, key=lambda word: (-topics[word] * min(len(word), 12), word))
        self._rare = frozenset(ranked[:RARE])
        self._figures = frozenset(w for w in words if spread[w] <= 2 and len(w) > 4 and any(map(str.isdigit, w)))

    def by(self, answer: _AnswerWords) -> bool:
        """Return True if an answer cites or names something of the turn, or has rare words or a figure of it."""
        if not self._documents.isdisjoint(answer.cited) or any(name in answer.folded for name in self._names):
            return True
        enough = min(IN_COMMON, len(self._rare), max(1, len(answer.words) // SHORT))
        return not self._figures.isdisjoint(answer.words) or len(self._rare & answer.words.keys()) >= enough
