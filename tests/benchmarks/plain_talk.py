"""Owns the texts of a plain conversation: English chat of a given length, the same for the same seed. No program."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

USER_TOKENS: Final = 400
ANSWER_TOKENS: Final = 600
"""Mean tokens of a message, as PRODUCT names them for the 400-turn conversation."""

SPREAD: Final = 0.6
"""Sigma of the log-normal lengths: one message in six has more than 1.8 times the median; 0 would make all alike."""

_COMMON: Final = (
    "the of and to in is that it for was on are as with they be at one have this from or had by but some what there we "
    "can out other were all your when up use word how said an each she which do their time if will way about many then "
    "them would write like so these her long make thing see him two has look more day could go come did my sound no "
    "most number who over know water than call first people may down side been now find any new work part take get "
    "place made live where after back little only round man year came show every good me give our under name very"
)
_RARE: Final = (
    "estimate threshold measurement inspector conversation boundary migration certificate deployment spreadsheet "
    "quarterly forecast subscription negotiation warehouse inventory consolidated amortisation reconciliation variance "
    "asynchronous transaction serialisation dependency architecture concurrency idempotent throughput latency "
    "regression refactoring interpreter compatibility authentication authorisation configuration environment "
    "hypothesis correlation significance distribution confidence probability approximately nevertheless furthermore"
)
WORDS: Final = (_COMMON.split(), _RARE.split())


@dataclass(frozen=True, slots=True)
class Exchange:
    """One question and its answer."""

    user: str
    answer: str


def plain_talk(turns: int, count: Callable[[str], int], *, seed: int = 20) -> list[Exchange]:
    """A conversation whose messages have 400 and 600 tokens on average by `count`."""
    chance = random.Random(seed)
    asked = _messages(chance, turns, USER_TOKENS, count)
    return [
        Exchange(user, answer)
        for user, answer in zip(asked, _messages(chance, turns, ANSWER_TOKENS, count), strict=True)
    ]


def _messages(chance: random.Random, number: int, mean: int, count: Callable[[str], int]) -> list[str]:
    drawn = [math.exp(chance.gauss(0.0, SPREAD)) for _ in range(number)]
    made: list[str] = []
    owed = 0.0
    for length in drawn:
        wanted = length * mean * number / sum(drawn)
        made.append(_message(chance, wanted + owed, count))
        # what one message is too long or too short, the next makes good
        owed += wanted - count(made[-1])
    return made


def _message(chance: random.Random, wanted: float, count: Callable[[str], int]) -> str:
    text, tokens = "", 0
    while tokens < wanted:
        sentence = _sentence(chance)
        weight = count(" " + sentence)
        if tokens + weight > wanted:
            # the last one breaks off where the length is reached
            words = sentence.split()
            sentence = " ".join(words[: max(1, round(len(words) * (wanted - tokens) / weight))])
            weight = math.ceil(wanted - tokens)
        text += sentence + (" " if chance.random() < 0.8 else "\n\n")
        tokens += weight
    return text.strip() or "Yes."


def _sentence(chance: random.Random) -> str:
    words = [chance.choice(WORDS[chance.random() < 0.25]) for _ in range(chance.randint(4, 22))]
    if chance.random() < 0.2:
        words.insert(chance.randrange(len(words)), str(chance.randint(1, 20_000)))
    if len(words) > 8:
        words[len(words) // 2] += ","
    return " ".join(words).capitalize() + chance.choice((".", ".", ".", "?", ":"))
