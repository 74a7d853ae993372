"""Owns how what was left out of a request is looked up: the tool, what it may look at, what it answers (CTX-13).

Knows no index and no backend: who runs the tool asks the history for hits and hands the answer to the model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from desktop_app.core.context.cut import cut_text, left_out_mark
from desktop_app.core.context.estimator import TokenEstimator
from desktop_app.core.context.features import features
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.history import RecallHit
from desktop_app.core.messages import JsonObject, Message, ToolCallPart, ToolResultPart
from desktop_app.core.question_terms import Term
from desktop_app.core.search_terms import terms_at
from desktop_app.core.searchable import whole_text
from desktop_app.core.tools import ToolSpec

TOOL_NAME: Final = "search_this_thread"
TOOL_DESCRIPTION: Final = (
    "Searches the earlier messages of this conversation that are no longer in view: messages that were left out or "
    "summarised, and what tools returned in earlier turns. Use it when the user refers to something said before that "
    "you do not see, or when an exact earlier wording, value, name or decision matters. Returns the passages that fit "
    "best, in full, each with its place in the conversation."
)
TOOL_SCHEMA: Final[JsonObject] = {
    "type": "object",
    "properties": {
        "query": {
            "type": "string",
            "description": "What to look for: a question, or the words, names, numbers or identifiers that the earlier "
            "message is likely to hold, in the language of the conversation.",
        }
    },
    "required": ["query"],
    "additionalProperties": False,
}
"""JSON Schema of the tool's input."""

RECALL: Final = ToolSpec(TOOL_NAME, TOOL_DESCRIPTION, TOOL_SCHEMA)

NOTHING_FOUND: Final = (
    "Nothing was found in the earlier messages of this conversation. Other words for the same thing may find it; "
    "otherwise it was not said here."
)
ALL_IN_VIEW: Final = "Nothing has been left out so far: all of this conversation is in view."
OUT_OF_VIEW: Final = frozenset({"left_out", "annotated", "summarised"})

PASSAGE: Final = 400
"""Characters within which the terms of a question count as said together: three sentences or so."""

LEAST: Final = 60
"""Tokens below which a passage would say too little to be worth a place."""

_READ_WHOLE: Final = 40_000
"""Characters of a text that are read term by term; of a longer one, only what is around the terms."""

_OCCURRENCES: Final = 40
"""Occurrences of one term in a long text that are looked at."""


def eligible(plan: ContextPlan) -> frozenset[str]:
    """The ids of the messages that the tool may look up: not in the request, or not whole. Never excluded ones."""
    return frozenset(placed.id for placed in plan.messages if placed.state in OUT_OF_VIEW)


def summary_of(call: ToolCallPart, result: ToolResultPart) -> str:
    """What became of a call, in some words: `looked up 3 earlier messages`."""
    if result.is_error:
        return f"{call.name} failed: {result.text}"
    found = result.extra.get("passages")
    if call.name != TOOL_NAME or not isinstance(found, int):
        return call.name
    if not found:
        return "found nothing in the earlier messages"
    return f"looked up {found} earlier message{'' if found == 1 else 's'}"


def recall_text(
    hits: Sequence[RecallHit], messages: Sequence[Message], budget_tokens: int, estimator: TokenEstimator
) -> tuple[str, tuple[str, ...]]:
    """What the tool answers, at most `budget_tokens` by the estimator, and the ids of the messages in it, best first.

    `messages` is the path the hits are from. A message stands there whole where it fits, and takes no more than half
    of what is left where others follow; else the passage around what was found. In words where nothing was found.
    """
    numbers = {message.id: number for number, message in enumerate(messages, 1)}
    found = [hit for hit in hits if hit.message_id in numbers]
    passages: list[str] = []
    ids: list[str] = []
    left = float(budget_tokens)
    for index, hit in enumerate(found):
        number = numbers[hit.message_id]
        message = messages[number - 1]
        heading = f"[Message {number:,} of {len(messages):,}, {message.role}, {message.created[:10]}]\n"
        most = int((left / 2 if index + 1 < len(found) else left) - _tokens(heading + "\n\n", estimator))
        if most < LEAST:
            continue
        text = whole_text(message)
        passage = heading + (text if _tokens(text, estimator) <= most else _around(text, hit, most, estimator))
        left -= _tokens(passage + "\n\n", estimator)
        passages.append(passage)
        ids.append(message.id)
    return "\n\n".join(passages) or NOTHING_FOUND, tuple(ids)


def ranked_passages(texts: Mapping[str, str], terms: Sequence[Term], weights: Sequence[float]) -> list[RecallHit]:
    """The texts by message id that hold any of the terms, best first; `weights` say how telling each term is.

    What counts most is how much of the question one passage says, then how much the whole text does.
    """
    meaning: dict[str, int] = {}
    for number, term in enumerate(terms):
        for form in term.forms:
            # a form that several terms have belongs to the most telling
            if form not in meaning or weights[number] > weights[meaning[form]]:
                meaning[form] = number
    hits = [_best_passage(name, text, terms, weights, meaning) for name, text in texts.items()]
    return sorted((hit for hit in hits if hit is not None), key=lambda hit: -hit.score)


def _best_passage(
    name: str, text: str, terms: Sequence[Term], weights: Sequence[float], meaning: Mapping[str, int]
) -> RecallHit | None:
    found = [
        (start + place.start, start + place.end, meaning[place.run])
        for start, end in _regions(text, terms)
        for place in terms_at(text[start:end])
        if place.run in meaning
    ]
    if not found:
        return None
    counts: dict[int, int] = {}
    best, first, best_range = 0.0, 0, (found[0][0], found[0][1])
    together = 0.0
    for last, (_, end, number) in enumerate(found):
        together += weights[number] if not counts.get(number) else 0.0
        counts[number] = counts.get(number, 0) + 1
        while found[first][0] < end - PASSAGE and first < last:
            gone = found[first][2]
            counts[gone] -= 1
            together -= weights[gone] if not counts[gone] else 0.0
            first += 1
        if together > best + 1e-9:
            best, best_range = together, (found[first][0], end)
    everything = sum(weights[number] for number in {number for _, _, number in found})
    # of two that say as much, the one that says it more closely
    close = 0.1 * best * (1 - min(1.0, (best_range[1] - best_range[0]) / PASSAGE))
    return RecallHit(name, *best_range, best + 0.2 * everything + close)


def _regions(text: str, terms: Sequence[Term]) -> list[tuple[int, int]]:
    """The parts of a text in which its terms are looked for, in order, none overlapping."""
    if len(text) <= _READ_WHOLE:
        return [(0, len(text))]
    lowered = text.lower()
    around: list[tuple[int, int]] = []
    for term in terms:
        stem = min(term.forms, key=len)
        at = lowered.find(stem)
        for _ in range(_OCCURRENCES):
            if at < 0:
                break
            around.append((max(0, at - PASSAGE), min(len(text), at + PASSAGE)))
            at = lowered.find(stem, at + PASSAGE)
    regions: list[tuple[int, int]] = []
    for start, end in sorted(around):
        if regions and start <= regions[-1][1]:
            regions[-1] = (regions[-1][0], max(end, regions[-1][1]))
        else:
            regions.append((start, end))
    return regions


def _around(text: str, hit: RecallHit, most: int, estimator: TokenEstimator) -> str:
    """The passage around a hit in at most `most` tokens, with marks for what is left out before and behind it."""
    room = most * len(text) / max(1.0, _tokens(text, estimator))  # characters, about
    begin = max(0, int(hit.start - max(0.0, room - (hit.end - hit.start)) / 3))
    if begin:
        # from the beginning of a paragraph, else of a sentence, else of a word
        for sign in ("\n\n", "\n", ". ", "。", " "):
            if (at := text.find(sign, begin, hit.start)) >= 0:
                begin = at + len(sign)
                break
    if not begin:
        return cut_text(text, most, estimator)
    before = left_out_mark(max(1, round(_tokens(text[:begin], estimator)))) + "\n\n"
    return before + cut_text(text[begin:], max(1, most - round(_tokens(before, estimator) + 1)), estimator)


def _tokens(text: str, estimator: TokenEstimator) -> float:
    return estimator.tokens(features(text))
