"""Files to import, made by chance from the schemas of their formats and then spoiled; and what must hold of each.

`python -m tests.hostile.imports --files 100000 [--seed S]` tries as many. Each is imported or refused in words: no
other exception, never half an import, and a second import of the same changes nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import random
import sqlite3
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from desktop_app.controller.formats import plimsoll_json
from desktop_app.controller.ports import Announcements
from desktop_app.controller.transfer import Transfer
from desktop_app.core.errors import UserError
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.builders import chatgpt_export, claude_code_sessions, claude_export, llm_logs
from tests.controller import test_plimsoll_json as own

PNG: Final = b"\x89PNG\r\n\x1a\n picture"
DEEP: Final = 3_000
AS_ONE: Final = 100
"""Files that go into one history, one after the other: what is there already is tried too."""

OF_ONE: Final = 5
"""Files made of one that is drawn: as it is, and spoiled in several ways."""


@dataclass(frozen=True)
class Sample:
    """A file by its name and what is in it; `folder`: several, by their paths below it."""

    name: str
    content: bytes | Mapping[str, bytes]

    def write(self, folder: Path) -> Path:
        """Writes it below an empty folder."""
        path = folder / self.name
        if isinstance(self.content, bytes):
            path.write_bytes(self.content)
            return path
        for name, content in self.content.items():
            member = path / name
            member.parent.mkdir(parents=True, exist_ok=True)
            member.write_bytes(content)
        return path


def _dumped(value: Any) -> bytes:
    return json.dumps(value).encode("utf-8", "surrogatepass")


@st.composite
def _packed(draw: st.DrawFn, one: st.SearchStrategy[Any]) -> Sample:
    """Conversations in a file, in shards in an archive with pictures, or in a folder."""
    items = [draw(st.lists(one, max_size=3)) for _ in range(draw(st.integers(1, 2)))]
    if (form := draw(st.sampled_from(["file", "archive", "within", "folder"]))) == "file":
        return Sample("conversations.json", _dumped(items[0]))
    members = {f"export/conversations-{number:03}.json": _dumped(item) for number, item in enumerate(items)}
    members |= {"export/file-1-a.png": PNG, "export/users.json": b"[]"}
    if form == "folder":
        return Sample("export", members)
    inner = zipped(members)
    return Sample("export.zip", inner if form == "archive" else zipped({"part.zip": inner}))


def zipped(members: Mapping[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


@st.composite
def _sessions(draw: st.DrawFn) -> Sample:
    def lines() -> bytes:
        return b"".join(_dumped(one) + b"\n" for one in draw(claude_code_sessions.sessions()))

    if draw(st.booleans()):
        return Sample("session.jsonl", lines())
    return Sample("projects", {"-a/one.jsonl": lines(), "-a/one/subagents/agent-1.jsonl": lines(), "-a/x.txt": b"x"})


@st.composite
def _logs(draw: st.DrawFn) -> Sample:
    schema = draw(st.sampled_from([llm_logs.OLD, llm_logs.NEW]))
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(schema)
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%fts%'")
        for (table,) in tables.fetchall():
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            for _ in range(draw(st.integers(0, 3))):
                row = {name: draw(_cells(name)) for name in columns}
                names = ", ".join(f'"{name}"' for name in row)
                query = f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({', '.join('?' * len(row))})"
                with suppress(sqlite3.IntegrityError):  # a text in place of a row's number
                    connection.execute(query, tuple(row.values()))
        connection.commit()
        return Sample("logs.db", connection.serialize())


@cache
def _cells(column: str) -> st.SearchStrategy[Any]:
    """Values as that column has them, or any others."""
    ids = st.sampled_from(["a", "b", "c"])
    numbers = st.integers(0, 3)
    text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
    json_text = st.one_of(
        claude_export.junk().map(json.dumps),
        st.sampled_from(['{"text_ref": [{"fragment": 1}, {"literal": "x"}]}', '{"name": "f", "tool_call_id": "a"}',
                         '{"attachment": {"id": "a"}}', "[" * 50]),
    )  # fmt: skip
    usual: st.SearchStrategy[Any]
    match column:
        case "type":
            usual = st.sampled_from(["text", "reasoning", "tool_call", "tool_result", "attachment", "image/png"])
        case "role":
            usual = st.sampled_from(["user", "assistant", "system", "tool"])
        case "payload" | "token_details" | "arguments" | "options_json":
            usual = json_text
        case "datetime_utc":
            usual = st.sampled_from(["2025-05-01T10:00:00+00:00", "soon"])
        case "fragment_id" | "position" | "order" | "input_tokens" | "output_tokens":
            usual = numbers
        case _ if column in ("id", "hash") or column.endswith(("_id", "_hash")):
            usual = ids
        case _:
            usual = text
    return st.one_of(usual, usual, usual, st.none(), numbers, text, st.binary(max_size=4))


@st.composite
def _own(draw: st.DrawFn) -> Sample:
    """Our own JSON, with some value in it replaced by one that does not belong there."""
    data = json.loads("".join(plimsoll_json.write_export(draw(st.lists(own.threads(), max_size=2)))))
    if draw(st.booleans()):
        at: Any = data
        for _ in range(draw(st.integers(1, 6))):
            keys = list(at) if isinstance(at, dict) else list(range(len(at)))
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            if not isinstance(at[key], dict | list) or draw(st.integers(0, 4)) == 0:
                at[key] = draw(claude_export.junk())
                break
            at = at[key]
    return Sample("export.json", _dumped(data))


SAMPLES: Final[Mapping[str, st.SearchStrategy[Sample]]] = {
    "ChatGPT": _packed(chatgpt_export.conversations()),
    "Claude": _packed(claude_export.conversations()),
    "Claude Code": _sessions(),
    "llm": _logs(),
    "Plimsoll": _own(),
}


def _truncated(content: bytes, at: int) -> bytes:
    return content[: at % (len(content) + 1)]


def _flipped(content: bytes, at: int) -> bytes:
    place = at % max(1, len(content))
    return content[:place] + bytes(one ^ 0xFF for one in content[place : place + 1]) + content[place + 1 :]


def _doubled(content: bytes, at: int) -> bytes:
    place = at % (len(content) + 1)
    return content[:place] + content


def _with_number(content: bytes, at: int) -> bytes:
    numbers = (b"1e999", b"9" * 5_000, b"NaN", b"-0.0e-999", b'"\\ud800"')
    return content.replace(b"null", numbers[at % len(numbers)], 1)


def _in_other_encoding(content: bytes, at: int) -> bytes:
    text = content.decode("utf-8", "replace")
    return text.encode(("utf-16", "utf-32", "latin-1", "utf-8-sig", "utf-7")[at % 5], "replace")


def _nested(content: bytes, at: int) -> bytes:
    opening, closing_ = ((b"[", b"]"), (b'{"mapping":', b"}"), (b'[{"chat_messages":', b"}]"))[at % 3]
    return opening * DEEP + (content if at % 2 else b"") + (closing_ * DEEP if at % 5 else b"")


def _outside(content: bytes, at: int) -> bytes:
    names = ("../conversations.json", "/conversations.json", "C:\\conversations.json", "a/../../conversations.json")
    return zipped({names[at % len(names)]: content})


def _lying(content: bytes, at: int) -> bytes:
    """An archive of which a byte is another."""
    return _flipped(zipped({"conversations.json": content}), at)


DAMAGES: Final[tuple[Callable[[bytes, int], bytes], ...]] = (
    _truncated, _flipped, _doubled, _with_number, _in_other_encoding, _nested, _outside, _lying,
)  # fmt: skip


def bombs() -> list[Sample]:
    """Small files that would fill the memory."""
    spaces = {"conversations.json": b"[" + b" " * 20_000_000 + b"]"}
    lines = {"projects/-a/s.jsonl": b'{"sessionId": "s", "type": "user", "x": "' + b"a" * 20_000_000 + b'"}\n'}
    return [
        Sample("bomb.zip", zipped(spaces)),
        Sample("within.zip", zipped({"b.zip": zipped(spaces)})),
        Sample("lines.zip", zipped(lines)),
        Sample("deep.json", b'[{"chat_messages":' * 100_000),
        Sample("deep.jsonl", b'{"sessionId": "s", "x": ' + b"[" * 100_000 + b"\n"),
    ]


def spoiled(sample: Sample, chance: random.Random) -> Sample:
    """The same with one of its files damaged."""
    damage, at = chance.choice(DAMAGES), chance.randrange(100_000)
    if isinstance(sample.content, bytes):
        return Sample(sample.name, damage(sample.content, at))
    name = chance.choice(sorted(sample.content))
    return Sample(sample.name, {**sample.content, name: damage(sample.content[name], at)})


class Trial:
    """Imports samples into one history after the other, and checks what must hold; `outcomes` counts."""

    def __init__(self, folder: Path) -> None:
        self.outcomes = Counter[str]()
        self._folder = folder
        self._runner = asyncio.Runner()
        self._history: SqliteHistory | None = None
        self._tried = 0

    def check(self, sample: Sample, *, partial: bool) -> None:
        """One sample. Raises `AssertionError`, or what the import raised that it must not raise."""
        self._runner.run(self._check(sample, partial=partial))

    def close(self) -> None:
        if self._history is not None:
            self._runner.run(self._history.close())
        self._runner.close()

    async def _check(self, sample: Sample, *, partial: bool) -> None:
        if self._history is None or self._tried % AS_ONE == 0:
            if self._history is not None:
                await self._history.close()
            self._history = await SqliteHistory.open(self._folder / f"{self._tried}.db")
        self._tried += 1
        transfer = Transfer(self._history, Announcements())
        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            path = sample.write(Path(folder))
            before = await _counts(self._history)
            try:
                report = await transfer.import_files([path], partial=partial)
            except UserError as error:
                if error.failure.code != "store" or not error.failure.message:
                    raise
                assert await _counts(self._history) == before, "half an import"
                self.outcomes["refused"] += 1
                return
            after = await _counts(self._history)
            assert after[0] - before[0] == report.threads
            assert after[1] - before[1] == report.messages
            again = await transfer.import_files([path], partial=partial)
            assert (again.threads, again.messages) == (0, 0), "a second import added something"
            assert again.already == report.threads + report.already
            assert await _counts(self._history) == after
            self.outcomes["imported" if report.threads or report.already else "empty"] += 1


async def _counts(history: SqliteHistory) -> tuple[int, int]:
    """Threads and messages that are there."""
    threads = await history.threads()
    return len(threads), sum(one.messages for one in threads)


@contextmanager
def trial() -> Iterator[Trial]:
    """A trial in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="plimsoll-imports-") as folder:
        made = Trial(Path(folder))
        try:
            yield made
        finally:
            made.close()


def try_format(name: str, files: int, number: int) -> Counter[str]:
    """Tries that many files of a format; the first one that something does not hold of ends it."""
    with trial() as made:

        @seed(number)
        @settings(
            max_examples=-(-files // OF_ONE), database=None, deadline=None, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(SAMPLES[name], st.booleans(), st.integers())
        def tries(sample: Sample, partial: bool, damages: int) -> None:
            chance = random.Random(damages)
            made.check(sample, partial=partial)
            for _ in range(OF_ONE - 1):
                made.check(spoiled(sample, chance), partial=partial)

        tries()
        return made.outcomes


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.hostile.imports", description=__doc__)
    parser.add_argument("--files", type=int, default=1_000, help="how many in all (default: 1,000)")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for name in SAMPLES:
        started = time.monotonic()
        outcomes = try_format(name, options.files // len(SAMPLES), options.seed)
        told = ", ".join(f"{count:,} {what}" for what, count in sorted(outcomes.items()))
        print(f"{name}: {outcomes.total():,} files, {told}, {time.monotonic() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
