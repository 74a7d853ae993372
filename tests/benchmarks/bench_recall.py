"""Prints how many of 200 facts, planted along 400 turns, are found by a question that is worded otherwise (CTX-13).

`python -m tests.benchmarks.bench_recall [--seed N] [--locomo FILE]`. The conversation around them is English prose,
Python source and Chinese, so that every word of a question stands in many other messages. A fact is found if its
message is among the first five hits, and read if it is in the text that the tool returns within its budget. The second
table asks as a model does: what of the thread the request leaves out (soft limit 150K) is looked up by a call of the
tool, as a turn runs it. The third asks the 1,982 questions of LoCoMo, which people wrote; its file is not part of this
repository and is named with `--locomo`.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import tempfile
from collections import Counter
from pathlib import Path

from desktop_app.controller.ports import Announcements, Clock
from desktop_app.controller.turn_notices import TurnBudget
from desktop_app.controller.turn_tools import RecallTool, ToolRunner, ToolTable
from desktop_app.core.context.plan import CacheClock, Overhead
from desktop_app.core.context.plan_figures import Recipient, ThreadContents, ThreadLimits
from desktop_app.core.context.planner import prepare_context
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import Message, Role, TextPart, Thread, ToolCallPart
from desktop_app.core.model_catalog import find_model
from desktop_app.core.recall import RECALL, RESULT, TOOL_NAME, recall_result
from desktop_app.core.settings import ContextSettings
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.benchmarks.bench_storage import TIME, Stopwatch
from tests.benchmarks.locomo import measure_locomo, read_locomo
from tests.benchmarks.planted_facts import Fact, planted_facts
from tests.benchmarks.texts import Texts

TURNS = 400
BEST = 5
MENTIONS = 4
"""Messages besides the fact's own that mention what it is about, as far as two do not fall upon one."""

_MENTION = (
    "Speaking of {0}, that can wait.",
    "{0} again. And once more: {0}.",
    "说到{0}，先放一放。",
    "See {0} above.",
)


def conversation(seed: int) -> tuple[list[Message], dict[str, str]]:
    """The messages, and the id of the one that each fact stands in."""
    texts, chance = Texts(seed), random.Random(seed)
    facts = planted_facts()
    chance.shuffle(facts)
    places = dict(zip(chance.sample(range(2 * TURNS), len(facts)), facts, strict=True))
    mentions = {
        place: fact.about for fact in facts if fact.about for place in chance.sample(range(2 * TURNS), MENTIONS)
    }
    messages: list[Message] = []
    where: dict[str, str] = {}
    for number in range(2 * TURNS):
        kind = chance.choice(("English", "English", "English", "code", "Chinese"))
        words = texts.text(kind, 600, 3_000)
        name = f"m{number:03}"
        if number in mentions:
            words = _with(chance.choice(_MENTION).format(mentions[number]), words, chance)
        if number in places:
            words = _with(places[number].said, words, chance)
            where[places[number].said] = name
        parent = messages[-1].id if messages else None
        role: Role = "assistant" if number % 2 else "user"
        messages.append(Message(name, "thread", parent, role, (TextPart(words),), TIME))
    return messages, where


def _with(said: str, words: str, chance: random.Random) -> str:
    """The text with a further sentence between two of its lines or sentences; code stands on lines of its own."""
    said = f"\n\n{said}\n\n" if said.startswith("```") else said
    pieces = words.split("\n") if "\n" in words else words.split(". ")
    joint = "\n" if "\n" in words else ". "
    pieces.insert(chance.randint(0, len(pieces)), said)
    return joint.join(pieces)


async def measure(path: Path, seed: int) -> int:
    """Prints what was found and what was missed; the number of facts that were not found."""
    messages, where = conversation(seed)
    history = await SqliteHistory.open(path)
    thread = Thread("thread", "Tides", TIME, TIME, tip=messages[-1].id)
    await history.import_threads([ImportedThread("one", thread, tuple(messages))])
    while await history.catch_up_search():
        pass
    among = {message.id for message in messages}
    found, first, read, asked = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    missed: list[Fact] = []
    estimator = TokenEstimator.seeded("claude-2026")
    searching, telling = Stopwatch(), Stopwatch()
    for fact in planted_facts():
        with searching.running():
            hits = await history.search_thread("thread", fact.asked, among, BEST)
        with telling.running():
            text = recall_result(hits, messages, RESULT, estimator, among).text
        ids = [hit.message_id for hit in hits]
        asked[fact.kind] += 1
        found[fact.kind] += where[fact.said] in ids
        first[fact.kind] += ids[:1] == [where[fact.said]]
        read[fact.kind] += fact.said in text
        if where[fact.said] not in ids or fact.said not in text:
            missed.append(fact)
    await history.close()
    print(f"{'share of the facts':<24}{'target':>8}{'top ' + str(BEST):>8}{'first':>8}{'read':>8}")
    for kind in (*asked, "all"):
        counts = [sum(one.values()) if kind == "all" else one[kind] for one in (found, first, read)]
        number = sum(asked.values()) if kind == "all" else asked[kind]
        print(f"{kind + f' ({number})':<24}{'100%':>8}" + "".join(f"{count / number:>8.1%}" for count in counts))
    medians = [statistics.median(watch.times) for watch in (searching, telling)]
    print("CPU ms of a search {:.1f}, of its text {:.1f}".format(*medians))
    for fact in missed:
        print(f"missed: {fact.asked}  <-  {fact.said}")
    return len(missed)


async def in_reach(path: Path, seed: int) -> int:
    """Prints how many facts stand in the next request, and how many of the others a call of the tool brings back.

    The number of facts that do neither.
    """
    messages, where = conversation(seed)
    history = await SqliteHistory.open(path)
    thread = Thread("thread", "Tides", TIME, TIME, tip=messages[-1].id)
    await history.import_threads([ImportedThread("one", thread, tuple(messages))])
    model, estimator = find_model("anthropic", "claude-sonnet-4-5"), TokenEstimator.seeded("claude-2023")
    prepared = prepare_context(
        Recipient(
            backend="anthropic",
            model=model,
            overhead=Overhead(cache_marks=4),
            estimator=estimator,
            cache=CacheClock(),
            free=False,
        ),
        ThreadContents(path=messages, tools=(RECALL,)),
        ThreadLimits(settings=ContextSettings()),
    )
    plan = prepared.plan((TextPart("And what was that?"),))
    states = {placed.id: placed.state for placed in plan.placement.messages}
    sent, brought, lost = Counter[str](), Counter[str](), Counter[str]()
    for fact in planted_facts():
        if states[where[fact.said]] == "whole":
            sent[fact.kind] += 1
            continue
        call = ToolCallPart("call", TOOL_NAME, {"query": fact.asked})
        caller = Message("answer", "thread", messages[-1].id, "assistant", (call,), TIME)
        budget = TurnBudget("thread", ContextSettings, Announcements(), Clock(), in_money=False, at_cap="pass")
        tools = ToolTable((RecallTool(history),))
        result = await ToolRunner(tools, thread, plan, messages, estimator, budget).answer(call, caller)
        (brought if fact.said in result.text else lost)[fact.kind] += 1
    await history.close()
    print(f"{'of the facts':<24}{'in the request':>16}{'by the tool':>14}{'neither':>10}")
    for kind in sorted({*sent, *brought, *lost}):
        print(f"{kind:<24}{sent[kind]:>16}{brought[kind]:>14}{lost[kind]:>10}")
    return sum(lost.values())


def main() -> None:
    """Plants, asks and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--locomo", type=Path, help="LoCoMo's data/locomo10.json")
    options = parser.parse_args()
    seed = options.seed
    with tempfile.TemporaryDirectory() as name:
        asyncio.run(measure(Path(name) / "history.db", seed))
        print()
        asyncio.run(in_reach(Path(name) / "asked.db", seed))
        print()
        if options.locomo is None:
            print(
                "LoCoMo was not measured: --locomo FILE names its data/locomo10.json (github.com/snap-research/locomo)"
            )
        else:
            asyncio.run(measure_locomo(Path(name) / "locomo.db", read_locomo(options.locomo)))


if __name__ == "__main__":
    main()
