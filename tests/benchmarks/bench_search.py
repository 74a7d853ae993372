"""Prints what searches cost among many messages: `python -m tests.benchmarks.bench_search [--messages N]`.

The history is made without the app, as storing a million messages one by one would take an hour; the rows and the
index are those that the app would have written. CPU time of the whole process, medians, everything in SQLite's cache or
the system's.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from desktop_app.core.history_records import EVERYWHERE, SearchWithin
from desktop_app.core.messages import Message, MessageMark, Role, TextPart
from desktop_app.storage.block_store import BlockStore
from desktop_app.storage.message_store import add_to_index, write_mark
from desktop_app.storage.row_mapping import message_columns
from desktop_app.storage.sqlite_connection import MESSAGES, connect
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.benchmarks.bench_storage import Stopwatch, Table

TARGET, LIMIT = 20, 50
"""CPU ms of a first page (PRODUCT.md section 7)."""

A_THREAD = 50
"""Messages of a thread."""
MARKED = 200
"""One message of so many is marked: a user who marks 5,000 of a million is a diligent one."""

FIRST_DAY = datetime(2022, 12, 1, tzinfo=UTC)
DAYS = 1_400
MARKS = (MessageMark("up"), MessageMark("down"), MessageMark(note="worth keeping"))
MODELS = ("claude-opus-4-6", "claude-sonnet-4-6", "gpt-5.2", "llama-3.3")

_FREQUENT = """
the be to of and a in that have it for not on with he as you do at this but his by from they we say her she or an will
my one all would there their what so up out if about who get which go me when make can like time no just him know take
people into year your good some could them see other than then now look only come its over think also back after use
two how our work first well way even new want because any these give day most us is are was were has had said data
database context connection config configuration content control continue contract server service port index table
""".split()  # noqa: SIM905  words read better than a list of them
_HAN = (
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定"
)
_ENDINGS = ("", "s", "ed", "ing", "er", "ion", "ment", "able", "al", "ly", "ness", "ity")
_STARTS = "b br c ch cl con d de dr f fl g gr h in j k l m n o p pr r re s st str t tr un v w".split()  # noqa: SIM905
_MIDDLES = "a e i o u ai ea ee io oa ou ar er or en an".split()  # noqa: SIM905
_CLOSES = "b ck d ft g k l ll m n nd nt p r rd rt s st t th v x".split()  # noqa: SIM905


class Chatter:
    """Texts whose words are as frequent as those of English: few of them make half of it, many are rare."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        stems = ("".join(parts) for parts in itertools.product(_STARTS, _MIDDLES, _CLOSES))
        rare = [stem + ending for stem in stems for ending in _ENDINGS]
        self._random.shuffle(rare)
        words = [*_FREQUENT, *rare]
        weights = list(itertools.accumulate(1 / (rank + 3) for rank in range(len(words))))
        self._pool = self._random.choices(words, cum_weights=weights, k=2_000_000)
        self._han = "".join(self._random.choices(_HAN, k=1_000_000))
        self.rare = rare[20_000]

    def text(self) -> str:
        size = self._random.choice((10, 40, 80, 200))
        start = self._random.randrange(len(self._pool) - size)
        words = " ".join(self._pool[start : start + size])
        if self._random.random() < 0.1:  # every tenth is Chinese
            start = self._random.randrange(len(self._han) - size)
            return f"{self._han[start : start + size]}。{words[:40]}"
        return words


@dataclass(frozen=True)
class Case:
    """One search, and from which of its hits on."""

    what: str
    query: str
    within: SearchWithin = EVERYWHERE
    offset: int = 0


def cases(rare: str) -> Iterator[Case]:
    """The searches that could be slow: common words, beginnings of words, single characters, filters that leave few."""
    yield Case("one rare word", f"{rare} ")
    yield Case("one common word", "database ")
    yield Case("a word that is nearly everywhere", "the ")
    yield Case("three common words", "the index of ")
    yield Case("two common words that meet often", "data server ")
    yield Case("a phrase of common words", '"the server"')
    yield Case("a phrase that is nowhere", '"server the of database index people year"')
    yield Case("a common and a rare word", f"the {rare} ")
    yield Case("a word that is nowhere", "zzyzx ")
    yield Case("a long word that is nowhere, nor with a slip", "bloodpressuremonitoring ")
    yield Case("a word half typed: con", "con")
    yield Case("a word half typed: t", "t")
    yield Case("a word half typed after a common one", "the datab")
    yield Case("a word that is nowhere, but its forms are", "contenting ")
    yield Case("a rare word and the forms of it", f"{rare}s ")
    yield Case("a common word and one of which only forms are there", "the serverly ")
    yield Case("forms of three words", "contenting indexable portion ")
    yield Case("one Chinese character", "中")
    yield Case("two Chinese characters", "中国")
    yield Case("four Chinese characters", "中国人民")
    yield Case("a common word in one thread", "the ", SearchWithin(thread_id="t7"))
    yield Case("a common word of a rare model", "the ", SearchWithin(model="model-of-a-day"))
    yield Case("a common word of one role", "the ", SearchWithin(role="user"))
    yield Case("a common word of the first month", "the ", SearchWithin(until="2023-01"))
    yield Case("a common word of one day", "the ", SearchWithin(since="2024-05-05", until="2024-05-06"))
    yield Case("the fifth page of a common word", "database ", offset=80)
    yield Case("no words: rated up", "", SearchWithin(marked="up"))
    yield Case("no words: with a note", "", SearchWithin(marked="note"))
    yield Case("no words: rated down, of one model", "", SearchWithin(marked="down", model=MODELS[1]))
    yield Case("no words: one thread", "", SearchWithin(thread_id="t7"))
    yield Case("no words: one role", "", SearchWithin(role="user"))
    yield Case("no words: one role, the fifth page", "", SearchWithin(role="assistant"), offset=80)
    yield Case("no words: one model", "", SearchWithin(model=MODELS[1]))
    yield Case("no words: a rare model", "", SearchWithin(model="model-of-a-day"))
    yield Case("no words: a model that never answered", "", SearchWithin(model="no-such-model"))
    yield Case("no words: the first month", "", SearchWithin(until="2023-01"))
    yield Case("no words: one day", "", SearchWithin(since="2024-05-05", until="2024-05-06"))
    yield Case("no words: since a year", "", SearchWithin(since="2025-10"))


def generate(path: Path, messages: int) -> Chatter:
    """Writes a history of that many messages in threads of `A_THREAD`."""
    chatter = Chatter(5)
    with closing(connect(path)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        blocks = BlockStore(connection)
        for start in range(0, messages, 5_000):
            connection.execute("BEGIN")
            for number in range(start, min(messages, start + 5_000)):
                thread, place = divmod(number, A_THREAD)
                moment = (FIRST_DAY + timedelta(days=DAYS * number / messages)).isoformat(timespec="seconds")
                created = moment.replace("+00:00", "Z")
                if not place:
                    connection.execute(
                        "INSERT INTO thread (key, id, title, created, updated, system, pinned, archived, draft, "
                        "message_count) VALUES (?, ?, ?, ?, ?, '', 0, 0, '', ?)",
                        (thread + 1, f"t{thread}", f"Thread {thread}", created, created, A_THREAD),
                    )
                _add(connection, blocks, number, created, chatter.text())
                if number % MARKED == 1:
                    write_mark(connection, number + 1, MARKS[number // MARKED % len(MARKS)])
            connection.execute("COMMIT")
    return chatter


def _add(connection: Any, blocks: BlockStore, number: int, created: str, text: str) -> None:
    thread_key = number // A_THREAD + 1
    role: Role = "assistant" if number % 2 else "user"
    model = None if role == "user" else MODELS[number % len(MODELS)]
    if thread_key == 4 and model:
        model = "model-of-a-day"
    message = Message(f"{number:032x}", "", None, role, (TextPart(text),), created, model=model)
    columns = message_columns(message, blocks.put) | {"thread_key": thread_key, "parent_key": None, "depth": 1}
    add_to_index(connection, MESSAGES.add(connection, columns), thread_key, message)


async def measure(table: Table, path: Path, rare: str) -> None:
    """Each case some times, the first one apart."""
    history = await SqliteHistory.open(path)
    try:
        for case in cases(rare):
            watch = Stopwatch()
            for _ in range(6):
                with watch.running():
                    page = await history.search(
                        case.query, case.within, limit=20, offset=case.offset, languages=("de", "en")
                    )
            found = f"{len(page.hits)}{'+' if page.more else ''}"
            table.line(f"{case.what} ({found})", sorted(watch.times)[3], TARGET, LIMIT)
        among = {message.id for message in await history.messages("t7")}
        watch = Stopwatch()
        for _ in range(6):
            with watch.running():
                await history.search_thread("t7", "Which server port did the configuration of the index use?", among)
        table.line("search_thread in a thread of 50 messages", sorted(watch.times)[3], TARGET, LIMIT)
    finally:
        await history.close()


def main() -> int:
    """Generates and searches once, and prints a table; 1 where a hard limit is passed twice over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=100_000, help="messages in the history (default 100,000)")
    messages = parser.parse_args().messages
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "history.db"
        started = time.process_time()
        chatter = generate(path, messages)
        spent = time.process_time() - started
        print(f"{messages:,} messages, {path.stat().st_size / 1e6:,.0f} MB, made in {spent:.0f} s of CPU")
        table = Table()
        asyncio.run(measure(table, path, chatter.rare))
    return table.held.status


if __name__ == "__main__":
    sys.exit(main())
