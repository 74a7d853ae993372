"""The tool that looks through the user's other threads: which it may look into, what it answers.

A thread of a project looks through the other threads of that project, any other thread through those of no project.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from desktop_app.core.context.sent_content import HISTORY_TOOL
from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.deletions import deleted_on
from desktop_app.core.history_records import RecallHit
from desktop_app.core.messages import JsonObject, Message, Thread
from desktop_app.core.recall_result import RecalledPassage, recall_result
from desktop_app.core.tool_spec import ToolSpec

MOST_THREADS: Final = 4
"""Threads that one answer holds passages of."""

LEAST_SHARE: Final = 150
"""Tokens below which the passages of a thread would say too little to be worth a place."""

SEARCH_HISTORY: Final = ToolSpec(
    HISTORY_TOOL,
    "Searches the user's other conversations. Use it when the user refers to something that was said or decided "
    "elsewhere, or that you would have to know from before. Returns the best passages, with the titles of the "
    "conversations they are from and the numbers of their messages.",
    {
        "type": "object",
        "properties": {
            "query": {
                "type": "string",
                "description": "What to look for: a question, or the words, names, numbers or identifiers that the "
                "message is likely to hold, in the language of the conversations.",
            }
        },
        "required": ["query"],
        "additionalProperties": False,
    },
)

NOTHING_FOUND: Final = (
    "Nothing was found in the other conversations. Other words for the same thing may find it; otherwise it was not "
    "said there."
)
NO_OTHERS: Final = "There are no other conversations that may be searched."


@dataclass(frozen=True, slots=True)
class SearchedThread:
    """A thread in which something was found: its path, and the hits on it, best first."""

    thread: Thread
    path: Sequence[Message]
    hits: Sequence[RecallHit]


@dataclass(frozen=True, slots=True)
class HistoryResult:
    """The text that the model reads, empty where nothing was found, and the passages in it with the thread of each.

    A passage's `start` is where it begins in the whole text.
    """

    text: str = ""
    passages: tuple[tuple[Thread, RecalledPassage], ...] = ()


def searchable(threads: Iterable[Thread], asking: Thread) -> frozenset[str]:
    """The ids of the threads that `asking` may look into: never itself, and none that is private."""
    return frozenset(
        thread.id
        for thread in threads
        if thread.id != asking.id and not thread.private and thread.project == asking.project
    )


def history_result(found: Sequence[SearchedThread], budget: int, estimator: TokenEstimator) -> HistoryResult:
    """The best passages of the best threads, as far as `budget` tokens allow; a thread's share goes by its hits."""

    def tokens(block: str) -> float:
        return estimator.tokens(features(block + "\n\n"))

    threads = found[:MOST_THREADS]
    scores = [sum(hit.score for hit in one.hits[:3]) for one in threads]
    blocks: list[str] = []
    passages: list[tuple[Thread, RecalledPassage]] = []
    left = float(budget)
    for place, one in enumerate(threads):
        share = left * scores[place] / max(sum(scores[place:]), 1e-9)
        heading = f"## {_title(one.thread)}"
        room = share - tokens(heading)
        if room < LEAST_SHARE:
            continue
        gone = deleted_on(one.path, one.thread.choices) | one.thread.choices.excluded
        among = {message.id for message in one.path} - gone
        hits = [hit for hit in one.hits if hit.message_id in among]
        result = recall_result(hits, one.path, int(room), estimator, among)
        if not result.text:
            continue
        blocks.append(f"{heading}\n{result.text}")
        left -= tokens(blocks[-1])
        begin = sum(map(len, blocks)) + 2 * (len(blocks) - 1) - len(result.text)
        passages += [(one.thread, replace(passage, start=begin + passage.start)) for passage in result.passages]
    return HistoryResult("\n\n".join(blocks), tuple(passages))


def result_facts(result: HistoryResult) -> JsonObject:
    """Return the facts kept of a result beside its text: the threads, and for each passage its thread and the place
    it leads to.
    """
    titles = {thread.id: _title(thread) for thread, _ in result.passages}
    return {
        "passages": len(result.passages),
        "threads": list(titles.values()),
        "thread_ids": [thread.id for thread, _ in result.passages],
        "messages": [passage.message_id for _, passage in result.passages],
        "numbers": [passage.numbers for _, passage in result.passages],
        "starts": [passage.start for _, passage in result.passages],
    }


def _title(thread: Thread) -> str:
    return " ".join(thread.title.split()) or "Untitled"
