"""The three talks that `bench_peers` holds with every client: chat, documents, tools; facts are planted in each.

The same for the same numbers; measures nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tests.benchmarks.analyst_talk import prose
from tests.benchmarks.plain_talk import plain_talk
from tests.benchmarks.planted_facts import Fact, planted_facts
from tests.servers.tokens import by_pieces

SMALLEST, LARGEST = 20_000, 100_000
"""Tokens of a document."""
DOCUMENT_EVERY: Final = 5
CALLS: Final = 2
"""Tool rounds of a turn."""
RESULT_WORDS: Final = 900
FACT_EVERY: Final = 5


@dataclass(frozen=True, slots=True)
class Turn:
    """What is said, what is attached (name and text), which look-ups the model makes and what they find, the answer."""

    said: str
    answer: str
    document: tuple[str, str] | None = None
    results: tuple[tuple[str, str], ...] = ()

    @property
    def pasted(self) -> str:
        """As it is sent by a client without documents."""
        if self.document is None:
            return self.said
        name, text = self.document
        return f'<document name="{name}">\n{text}\n</document>\n\n{self.said}'


@dataclass(frozen=True, slots=True)
class PeerTalk:
    """The turns, and the facts that stand somewhere in them."""

    turns: Sequence[Turn]
    facts: Sequence[Fact]


def chat(turns: int) -> PeerTalk:
    """Questions and answers of 400 and 600 tokens; every fifth question states a fact."""
    facts = _facts(-(-turns // FACT_EVERY))
    said = [one.user for one in plain_talk(turns, by_pieces)]
    for number, fact in enumerate(facts):
        said[number * FACT_EVERY] += f" {fact.said}"
    answers = (one.answer for one in plain_talk(turns, by_pieces))
    return PeerTalk([Turn(*pair) for pair in zip(said, answers, strict=True)], facts)


def documents(turns: int) -> PeerTalk:
    """Chat in which every fifth question has a document of 20,000 to 100,000 tokens, with one fact in its middle."""
    chance, facts = random.Random(11), _facts(-(-turns // DOCUMENT_EVERY))
    made = []
    for number, one in enumerate(plain_talk(turns, by_pieces, seed=21)):
        document = None
        if number % DOCUMENT_EVERY == 0:
            place = number // DOCUMENT_EVERY
            wanted = SMALLEST * (LARGEST / SMALLEST) ** chance.random()
            document = f"report-{place}.txt", _document(chance, round(wanted), facts[place].said)
        made.append(Turn(one.user, one.answer, document))
    return PeerTalk(made, facts)


def tools(turns: int) -> PeerTalk:
    """Chat with two look-ups a turn of some 1,200 tokens; a fact in every tenth question and in every tenth result."""
    chance, facts = random.Random(12), _facts(-(-turns // FACT_EVERY))
    made = []
    for number, one in enumerate(plain_talk(turns, by_pieces, seed=22)):
        said, results = one.user, [" ".join(prose(chance, RESULT_WORDS)) for _ in range(CALLS)]
        if number % FACT_EVERY == 0:
            fact = facts[number // FACT_EVERY].said
            if number % (2 * FACT_EVERY):
                results[0] += f" {fact}"
            else:
                said += f" {fact}"
        keys = (f"entry {number}.{call}" for call in range(CALLS))
        made.append(Turn(said, one.answer, None, tuple(zip(keys, results, strict=True))))
    return PeerTalk(made, facts)


TALKS: Final[Mapping[str, tuple[Callable[[int], PeerTalk], int]]] = {
    "chat": (chat, 300),
    "documents": (documents, 120),
    "tools": (tools, 200),
}
"""Each talk and its turns."""


def _facts(number: int) -> list[Fact]:
    facts = planted_facts()
    random.Random(9).shuffle(facts)
    return facts[:number]


def _document(chance: random.Random, tokens: int, fact: str) -> str:
    sentences: list[str] = []
    counted = 0
    while counted < tokens:
        more = list(prose(chance, 200))
        sentences += more
        counted += by_pieces(" " + " ".join(more))
    sentences.insert(len(sentences) // 2, fact)
    return " ".join(sentences)
