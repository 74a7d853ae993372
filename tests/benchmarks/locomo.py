"""Reads LoCoMo, ten long conversations with questions whose evidence is marked, and prints what recall finds of it.

Maharana et al. 2024, "Evaluating Very Long-Term Conversational Memory of LLM Agents", CC BY-NC 4.0: to measure with,
never part of this repository. The file is `data/locomo10.json` of its authors.
"""

from __future__ import annotations

import json
import re
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from desktop_app.controller.turn_tools import CANDIDATES
from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import Message, TextPart, Thread
from desktop_app.core.recall import RESULT, recall_result
from desktop_app.storage.sqlite_history import SqliteHistory

TIME = "2026-01-01T00:00:00.000Z"
ANY, ALL = 0.85, 0.75
"""Shares of the questions for which any, and all, of the evidence is to be found (PRODUCT.md CTX-13)."""

_SESSION = re.compile(r"session_(\d+)")
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the ids of the messages in which its evidence stands."""

    words: str
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True)
class Conversation:
    """One of the ten: its turns as messages, and the questions with marked evidence."""

    messages: tuple[Message, ...]
    questions: tuple[Question, ...]


def read_locomo(path: Path) -> list[Conversation]:
    """The conversations of the file; a picture stands as its caption, a turn begins with its speaker's name."""
    return [_conversation(str(sample["sample_id"]), sample) for sample in json.loads(path.read_text("utf-8"))]


def _conversation(name: str, sample: dict[str, Any]) -> Conversation:
    said = sample["conversation"]
    messages: list[Message] = []
    for turn in _turns(said):
        caption = f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""
        words = f"{turn['speaker']}: {turn['text']}{caption}"
        role = "user" if turn["speaker"] == said["speaker_a"] else "assistant"
        parent = messages[-1].id if messages else None
        messages.append(Message(f"{name} {turn['dia_id']}", name, parent, role, (TextPart(words),), TIME))  # type: ignore[arg-type]
    questions = (
        Question(
            asked["question"],
            frozenset(f"{name} D{int(one)}:{int(two)}" for one, two in _EVIDENCE.findall(" ".join(asked["evidence"]))),
        )
        for asked in sample["qa"]
        if asked.get("evidence")
    )
    return Conversation(tuple(messages), tuple(questions))


def _turns(said: dict[str, Any]) -> Iterator[dict[str, Any]]:
    numbers = sorted(int(found[1]) for key in said if (found := _SESSION.fullmatch(key)))
    for number in numbers:
        yield from said[f"session_{number}"]


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of one question: which share of its evidence stands in the result, and how long that is."""

    found: float
    tokens: float


async def measure_locomo(path: Path, conversations: Sequence[Conversation]) -> bool:
    """Asks every question and prints the shares. Whether those that nothing was tuned on reach the targets."""
    history = await SqliteHistory.open(path)
    estimator = TokenEstimator.seeded("claude-2026")
    started, asked = time.process_time(), [await _ask(history, one, estimator) for one in conversations]
    spent = time.process_time() - started
    await history.close()
    print(f"{'LoCoMo, tokens of a result':<34}{'questions':>10}{'any':>8}{'all':>8}{'mean':>8}{'p95':>8}{'most':>8}")
    tuned, others = (list(chain.from_iterable(half)) for half in (asked[::2], asked[1::2]))
    _line("tuned on (conversations 1, 3, ...)", tuned)
    reached = _line("the others (2, 4, ...)", others)
    _line("all", [*tuned, *others])
    print(f"{'target':<44}{ANY:>8.0%}{ALL:>8.0%}{RESULT:>8,}")
    print(f"CPU ms of a question {1_000 * spent / max(1, sum(map(len, asked))):.0f}, its index included")
    return reached


async def _ask(history: SqliteHistory, conversation: Conversation, estimator: TokenEstimator) -> list[Asked]:
    messages = conversation.messages
    thread = Thread(messages[0].thread_id, "LoCoMo", TIME, TIME, tip=messages[-1].id)
    await history.import_threads([ImportedThread(thread.id, thread, messages)])
    while await history.catch_up_search():
        pass
    texts = {message.id: message.text for message in messages}
    asked: list[Asked] = []
    for question in conversation.questions:
        hits = await history.search_thread(thread.id, question.words, texts.keys(), CANDIDATES)
        text = recall_result(hits, messages, RESULT, estimator, texts.keys()).text
        # a few marks name turns that are not there
        found = sum(texts[one] in text for one in question.evidence if one in texts)
        asked.append(Asked(found / max(1, len(question.evidence)), estimator.tokens(features(text))))
    return asked


def _line(name: str, asked: Sequence[Asked]) -> bool:
    if not asked:
        return False
    number, tokens = len(asked), sorted(one.tokens for one in asked)
    any_found = sum(one.found > 0 for one in asked) / number
    all_found = sum(one.found >= 1 for one in asked) / number
    mean = statistics.mean(tokens)
    print(
        f"{name:<34}{number:>10,}{any_found:>8.1%}{all_found:>8.1%}"
        f"{mean:>8,.0f}{tokens[int(0.95 * (number - 1))]:>8,.0f}{tokens[-1]:>8,.0f}"
    )
    return any_found >= ANY and all_found >= ALL and mean <= RESULT
