"""The tools that look up what was left out of a request, or said in other threads: what they may read and answer.

The answer to a question seldom holds the question's words; it stands next to them. Of short messages the neighbours go
along, of a long one the passage around the hit.

A thread of a project looks through the other threads of that project, any other thread through those of no project.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Final, assert_never

from desktop_app.core.attachment_facts import is_in_part
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.sent_content import HISTORY_TOOL, RECALL_TOOL, SEARCH_TOOLS, artifact_of
from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_estimator import TokenEstimator, cut_place, left_out_mark
from desktop_app.core.conversation import deleted_on
from desktop_app.core.history_records import RecallHit
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    JsonObject,
    Message,
    Part,
    TextPart,
    ThinkingPart,
    Thread,
    ToolCallPart,
    ToolResultPart,
    ToolSpec,
    UnknownPart,
)
from desktop_app.core.passage_ranking import merged_ranges
from desktop_app.core.search_terms import recallable_text

RESULT: Final = 1_500
"""Tokens that the answer to a question may have."""

HITS: Final = 12
"""Hits that one answer may hold; how many it does depends on the room."""

SHARE: Final = 180
"""Tokens of one hit with what stands beside it."""

BESIDE: Final = (0.4, 0.3)
"""Shares of the scores of a neighbour, and of the one behind it, that are added to that of a short message that shows
them.

With `HITS` and `SHARE` the best of some values for five of LoCoMo's ten conversations (`./dev bench recall --locomo`).
"""

NEIGHBOURS: Final = 2
"""Messages on each side of a hit that go along where they are short."""

SHORT: Final = 150
"""Tokens up to which a neighbour is not cut."""

PASSED_OVER: Final = 2
"""Messages without anything to find, such as results of a search, that may lie between a hit and its neighbour."""

LEAST: Final = 20
"""Tokens below which a part of a message would say too little to be worth a place."""

BEFORE: Final = 1 / 3
"""Share of a passage's room that goes to what stands before the hit."""

BETWEEN: Final = "\n\n"
"""Stands between two passages."""

_Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class RecalledPassage:
    """One stretch of the thread in a result: its first and last message by number, and the one it was found for.

    `at`: where in that message's text it was found. `start`: where it begins in the result's text, with its heading.
    """

    first: int
    last: int
    message_id: str
    at: int
    start: int = 0

    @property
    def numbers(self) -> str:
        """`12`, or `40-44`."""
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


@dataclass(frozen=True, slots=True)
class RecallResult:
    """The text that the model reads, empty where nothing was found, and the passages in it, in the thread's order."""

    text: str = ""
    passages: tuple[RecalledPassage, ...] = ()


def recall_result(
    hits: Sequence[RecallHit],
    path: Sequence[Message],
    budget: int,
    estimator: TokenEstimator,
    among: Collection[str],
    *,
    share: int = SHARE,
) -> RecallResult:
    """The best hits as far as `budget` tokens allow, with those messages of `among` that stand beside them.

    `hits` are all that are known, so that those beside one another count for each other. `share` is the most that one
    hit takes, unless what was found is longer.
    """
    numbers = {message.id: index for index, message in enumerate(path)}
    writer = _RecallWriter(path, estimator, among)
    chosen: dict[int, list[_Span]] = {}
    best: dict[int, RecallHit] = {}
    result = RecallResult()
    known = [(numbers[hit.message_id], hit) for hit in hits if hit.message_id in numbers]
    for index, hit in writer.ranked(known, share):
        room = min(budget, max(share, writer.length(index, hit) * 1.2))
        found = best if index in best else {**best, index: hit}
        while room >= LEAST:
            grown = writer.with_hit(chosen, index, hit, room)
            written = writer.write(grown, found)
            if writer.tokens(written.text) <= budget:
                break
            room *= 2 / 3
        else:
            break
        chosen, best, result = grown, found, written
    return result


@dataclass(slots=True)
class _RecallWriter:
    path: Sequence[Message]
    estimator: TokenEstimator
    among: Collection[str]
    _texts: dict[int, tuple[str, float]] = field(default_factory=dict)

    def tokens(self, text: str) -> float:
        return self.estimator.tokens(features(text))

    def text(self, index: int) -> tuple[str, float]:
        """Return the text of a message that can be found, and the characters of it that make a token."""
        if index not in self._texts:
            text = recallable_text(self.path[index])
            self._texts[index] = text, len(text) / max(1.0, self.tokens(text))
        return self._texts[index]

    def length(self, index: int, hit: RecallHit) -> float:
        """Tokens of what was found, about."""
        return (hit.end - hit.start) / self.text(index)[1]

    def ranked(self, hits: Sequence[tuple[int, RecallHit]], share: int) -> list[tuple[int, RecallHit]]:
        """The best hits, best first: a short message is shown with its neighbours and counts with them."""
        scores: dict[int, float] = {}
        for index, hit in hits:
            scores[index] = max(hit.score, scores.get(index, 0.0))

        def score(one: tuple[int, RecallHit]) -> float:
            index, hit = one
            text, density = self.text(index)
            if len(text) > share * density:
                return hit.score
            near = (
                max(scores.get(index - distance, 0.0), scores.get(index + distance, 0.0))
                for distance in range(1, len(BESIDE) + 1)
            )
            return hit.score + sum(part * other for part, other in zip(BESIDE, near, strict=True))

        return sorted(hits, key=score, reverse=True)[:HITS]

    def with_hit(
        self, chosen: dict[int, list[_Span]], index: int, hit: RecallHit, room: float
    ) -> dict[int, list[_Span]]:
        """Return the chosen spans, with a hit and the text beside it in about `room` tokens."""
        text, density = self.text(index)
        size = int(room * density)
        span = _around(text, hit.start, min(hit.end, hit.start + size), size)
        grown = _with(chosen, index, span)
        left = room - (span[1] - span[0]) / density
        if span != (0, len(text)):
            return grown
        for neighbour, is_later in self._beside(index):
            if left < LEAST:
                break
            text, density = self.text(neighbour)
            size = int(max(left, SHORT) * density)
            span = (0, len(text))
            if len(text) > size:
                span = (0, cut_place(text, size)) if is_later else _around(text, len(text), len(text), size, before=1.0)
            grown = _with(grown, neighbour, span)
            left -= (span[1] - span[0]) / density
        return grown

    def _beside(self, index: int) -> Iterator[tuple[int, bool]]:
        """The neighbours of a message, nearest first, and whether they came later."""
        later, earlier = self._side(index, 1), self._side(index, -1)
        for number in range(NEIGHBOURS):
            if number < len(later):
                yield later[number], True
            if number < len(earlier):
                yield earlier[number], False

    def _side(self, index: int, step: int) -> list[int]:
        found: list[int] = []
        passed = 0
        at = index + step
        while 0 <= at < len(self.path) and len(found) < NEIGHBOURS and passed <= PASSED_OVER:
            if not self.text(at)[0]:
                passed += 1
            elif self.path[at].id in self.among:
                found.append(at)
                passed = 0
            else:
                break
            at += step
        return found

    def write(self, chosen: dict[int, list[_Span]], best: dict[int, RecallHit]) -> RecallResult:
        """The passages in the thread's order; messages that follow one another are one passage."""
        runs: list[list[int]] = []
        for index in sorted(chosen):
            if runs and index in self._side(runs[-1][-1], 1)[:1]:
                runs[-1].append(index)
            else:
                runs.append([index])
        found = (next(hit for index, hit in best.items() if index in run) for run in runs)
        passages = tuple(
            RecalledPassage(run[0] + 1, run[-1] + 1, hit.message_id, hit.start)
            for run, hit in zip(runs, found, strict=True)
        )
        texts = [self._passage(run, passage, chosen) for run, passage in zip(runs, passages, strict=True)]
        starts = accumulate((len(text) + len(BETWEEN) for text in texts), initial=0)
        placed = (replace(passage, start=start) for passage, start in zip(passages, starts, strict=False))
        return RecallResult(BETWEEN.join(texts), tuple(placed))

    def _passage(self, run: Sequence[int], passage: RecalledPassage, chosen: dict[int, list[_Span]]) -> str:
        first = self.path[run[0]]
        of = f"of {len(self.path)}"
        if len(run) == 1:
            head = f"[Message {passage.numbers} {of}, {_whose(first)}, {first.created[:10]}]"
            return f"{head}\n{self._said(run[0], chosen)}"
        lines = (f"#{index + 1} {_whose(self.path[index])}: {self._said(index, chosen)}" for index in run)
        return f"[Messages {passage.numbers} {of}, {first.created[:10]}]\n" + "\n".join(lines)

    def _said(self, index: int, chosen: dict[int, list[_Span]]) -> str:
        text, density = self.text(index)
        pieces: list[str] = []
        at = 0
        for start, end in (*chosen[index], (len(text), len(text))):
            if text[at:start].strip():
                pieces.append(left_out_mark(max(1, round((start - at) / density))))
            if text[start:end].strip():
                pieces.append(text[start:end].strip())
            at = end
        return "\n\n".join(pieces)


def _whose(message: Message) -> str:
    """Whose words a message holds: those of the user, the assistant, a tool, or a document of the user's, too."""
    if not message.text and any(isinstance(part, ToolResultPart) for part in message.parts):
        return "tool result"
    attached = any(isinstance(part, DocumentPart) for part in message.parts)
    return f"{message.role} with an attached document" if attached else message.role


def _with(chosen: dict[int, list[_Span]], index: int, span: _Span) -> dict[int, list[_Span]]:
    """Return the chosen spans with a further piece of a message; pieces that meet become one."""
    return {**chosen, index: merged_ranges((*chosen.get(index, ()), span))}


def _around(text: str, start: int, end: int, room: int, *, before: float = BEFORE) -> _Span:
    """The passage around `text[start:end]` in about `room` characters, never less than that."""
    if len(text) <= room:
        return 0, len(text)
    if begin := max(0, int(start - max(0.0, room - (end - start)) * before)):
        # from the beginning of a paragraph, else of a sentence, else of a word
        for sign in ("\n\n", "\n", ". ", "。", " "):
            if (at := text.find(sign, begin, start)) >= 0:
                begin = at + len(sign)
                break
    if (stop := max(end, min(len(text), begin + room))) < len(text):
        stop = max(end, begin + cut_place(text[begin:stop], stop - begin))
    return begin, stop


TOOL_NAME: Final = RECALL_TOOL
TOOL_DESCRIPTION: Final = (
    "Searches the earlier messages of this conversation that are no longer in view: messages that were left out or "
    "summarised, and what tools returned in earlier turns. Use it when the user refers to something said before that "
    "you do not see, or when an exact earlier wording, value, name or decision matters. Returns the best passages in "
    "their order, with message numbers; the query `message 12` or `messages 40-44` reads more of these."
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

RECALL: Final = ToolSpec(TOOL_NAME, TOOL_DESCRIPTION, TOOL_SCHEMA, recalls=True)

QUERY_MISSING: Final = "The query is missing: say in `query` what to look for."
NOTHING_FOUND: Final = (
    "Nothing was found in the earlier messages of this conversation. Other words for the same thing may find it; "
    "otherwise it was not said here."
)
FEW: Final = 3
FEW_RESULTS: Final = "\n\nFew results; try other words."
"""Behind a result of fewer hits than that."""
NO_SUCH_MESSAGE: Final = "This conversation has {count} messages so far, and none of these numbers that can be read."
ALL_IN_VIEW: Final = "Nothing has been left out so far: all of this conversation is in view."
OUT_OF_VIEW: Final = frozenset({"left_out", "annotated", "summarised"})

MOST_NAMED: Final = 20
"""Messages that one call may ask for by their numbers."""
LONGEST_NAMED: Final = 200
"""Characters of a query that does so; a longer one is looked for as words."""

_NAMED: Final = re.compile(r"[\W_]*messages?[\s#]*(\d[\d\s,#and–-]*)[\W_]*", re.IGNORECASE)
_RANGE: Final = re.compile(r"(\d+(?:,\d{3})*)(?:\s*[-–]\s*#?(\d+(?:,\d{3})*))?")


def eligible(plan: ContextPlan, path: Sequence[Message]) -> frozenset[str]:
    """The ids of the messages of `path` that the tool may look up: not in the request, or not whole.

    Also what is asked just now, where a document goes along in part. Never excluded ones, nor such as lack nothing in
    the request but what earlier searches returned.
    """
    states = {placed.id: placed.state for placed in plan.placement.messages}
    searches = {
        part.id
        for message in path
        for part in message.parts
        if isinstance(part, ToolCallPart) and part.name in SEARCH_TOOLS
    }
    return frozenset(
        message.id
        for message in path
        if (
            (state := states.get(message.id)) in OUT_OF_VIEW
            and any(_recallable(part, searches, in_view=state == "annotated") for part in message.parts)
        )
        or (state != "excluded" and any(map(is_in_part, message.parts)))
    )


def _recallable(part: Part, searches: set[str], *, in_view: bool) -> bool:
    """Return True if a part may bring its message back; `in_view`: the words of it are in the request."""
    match part:
        case ToolCallPart(id=call_id) | ToolResultPart(call_id=call_id):
            return call_id not in searches
        case TextPart(text):
            return not in_view or artifact_of(part) is not None or "<antArtifact" in text
        case DocumentPart() | ImagePart() | UnknownPart():
            return True
        case ThinkingPart():
            return False
        case _:
            assert_never(part)


def named_messages(query: str) -> tuple[int, ...]:
    """The numbers of the messages that a query asks for and nothing else, such as `messages 12, 40-44`; else empty."""
    found = _NAMED.fullmatch(query) if len(query) <= LONGEST_NAMED else None
    numbers: dict[int, None] = {}
    for first, last in _RANGE.findall(found[1]) if found else ():
        begin = int(first.replace(",", ""))
        end = int(last.replace(",", "")) if last else begin
        numbers.update(dict.fromkeys(range(begin, min(end, begin + MOST_NAMED) + 1)))
    return tuple(numbers)[:MOST_NAMED]


def noted_if_few(text: str, hits: int) -> str:
    """The text of a result, which says so where only a few hits were found."""
    return text + FEW_RESULTS if text and hits < FEW else text


def found_at(path: Sequence[Message], message_id: str) -> int:
    """Return the place in its text where a message was found by the newest search that did; 0 where none did."""
    for message in reversed(path):
        for part in message.parts:
            if isinstance(part, ToolResultPart):
                ids, places = part.extra.get("messages"), part.extra.get("at")
                if isinstance(ids, (list, tuple)) and isinstance(places, (list, tuple)) and message_id in ids:
                    at = places[ids.index(message_id)] if len(places) == len(ids) else 0
                    return at if isinstance(at, int) else 0
    return 0


def result_facts(result: RecallResult) -> JsonObject:
    """The facts kept of a result beside its text: how many passages, where each leads and begins, and its number."""
    return {
        "passages": len(result.passages),
        "messages": [passage.message_id for passage in result.passages],
        "numbers": [passage.numbers for passage in result.passages],
        "at": [passage.at for passage in result.passages],
        "starts": [passage.start for passage in result.passages],
    }


MOST_THREADS: Final = 4
"""Threads that one answer holds passages of."""

LEAST_SHARE: Final = 150
"""Tokens below which the passages of a thread would say too little to be worth a place."""

SEARCH_HISTORY: Final = ToolSpec(
    HISTORY_TOOL,
    "Searches the user's other conversations. Use it when the user refers to something that was said or decided "
    "elsewhere, or that you would have to know from before. Returns the best passages, with the titles of the "
    "conversations they are from, whose words they are (user, assistant or a tool) and the numbers of their messages.",
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

NOTHING_IN_OTHERS: Final = (
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
    """The text for the model ("": nothing found), and its passages with their threads; `start` is in the whole text."""

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
        if (room := share - tokens(heading)) < LEAST_SHARE:
            continue
        gone = deleted_on(one.path, one.thread.choices) | one.thread.choices.excluded
        among = {message.id for message in one.path} - gone
        hits = [hit for hit in one.hits if hit.message_id in among]
        if not (result := recall_result(hits, one.path, int(room), estimator, among)).text:
            continue
        blocks.append(f"{heading}\n{result.text}")
        left -= tokens(blocks[-1])
        begin = sum(map(len, blocks)) + 2 * (len(blocks) - 1) - len(result.text)
        passages += [(one.thread, replace(passage, start=begin + passage.start)) for passage in result.passages]
    return HistoryResult("\n\n".join(blocks), tuple(passages))


def history_result_facts(result: HistoryResult) -> JsonObject:
    """The facts kept of a result beside its text: the threads, and of each passage its thread and place."""
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
