"""The requests that were sent, each as the row of its manifest: which blocks it is made of."""

from __future__ import annotations

import logging
import marshal
import sqlite3
import zlib
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile
from typing import Any, TypeAlias

from desktop_app.core.messages import JsonObject
from desktop_app.storage.block_store import (
    LONG,
    BlockStore,
    Get,
    Put,
    from_bytes,
    from_text,
    pack,
    pack_lines,
    shrink,
    to_text,
    unpack,
)
from desktop_app.storage.json_lines import (
    JsonLine,
    Place,
    at,
    longest_list,
    read_line,
    replaced,
    same_length,
    separator,
)
from desktop_app.storage.sqlite_connection import REQUESTS, Transactions

_SPINE = {"$s": 0}
"""Stands in the shell where the spine was; no other packed JSON contains it."""

_STDIN = "stdin"
_FIRST_LINE: Place = (_STDIN, "$j", 0, 1)
"""The place of the first line's value in the packed request."""

_NO_REFERENCES = 2
"""The version of marshal's format in which equal values of equal types, and only those, have equal bytes."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """A request's shell and the spine's elements, each as packed JSON text."""

    shell: str
    spine: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListBeginning:
    """Of a request whose spine is a list: each element as bytes, in which `1`, `1.0` and `true` differ."""

    place: Place
    elements: tuple[bytes, ...]

    @property
    def size(self) -> int:
        """Bytes kept in memory."""
        return sum(map(len, self.elements))

    def left_out(self, request: JsonObject) -> tuple[JsonObject, int] | None:
        """The request without the elements that it begins with as this one did, and their number; None: not alike."""
        try:
            spine = at(request, self.place)
            same = 0
            for known, element in zip(self.elements, spine, strict=False):
                if known != marshal.dumps(element, _NO_REFERENCES):
                    break
                same += 1
            return (replaced(request, self.place, spine[same:]), same) if same else None
        except (LookupError, TypeError, ValueError):
            return None


@dataclass(frozen=True, slots=True)
class LineBeginning:
    """Of a request whose spine is in a JSON line: the text, and where in it each element starts."""

    place: Place
    style: int
    text: str
    starts: tuple[int, ...]

    @property
    def size(self) -> int:
        """Characters kept in memory."""
        return len(self.text)

    def left_out(self, request: JsonObject) -> tuple[JsonObject, int] | None:
        """As `ListBeginning.left_out`."""
        if not isinstance(text := request.get(_STDIN), str):
            return None
        # Where an element starts, those before it have ended: so at least one that comes after is packed again.
        if (same := bisect_right(self.starts, same_length(self.text, text)) - 1) <= 0:
            return None
        return {**request, _STDIN: text[: self.starts[0]] + text[self.starts[same] :]}, same


Beginning: TypeAlias = ListBeginning | LineBeginning
"""The facts kept about a request, to find its beginning again in the next."""


@dataclass(frozen=True, slots=True)
class Made:
    """A manifest and what is to be remembered of its request, None if nothing can be."""

    manifest: Manifest
    beginning: Beginning | None


def make_manifest(request: JsonObject, put: Put, before: Made | None = None) -> Made:
    """The manifest of a request whose long strings go to `put`; `before` is that of a request like it."""
    if (
        before is not None
        and before.beginning is not None
        and (found := before.beginning.left_out(request)) is not None
    ):
        made = _continue(request, found, put, before.manifest.spine, before.beginning)
        if made is not None:
            return made
    line = _first_line(request)
    packed = _pack(request, put, line)
    if line is not None and line.place is not None:
        manifest = _manifest(packed, (*_FIRST_LINE, *line.place), put)
        beginning: Beginning | None = _of_line(request, line, line.place, (len(line.head),))
    else:
        place = longest_list(request)
        manifest = None if place is None else _manifest(packed, place, put)
        beginning = None if place is None else _of_list(request, place, ())
    if manifest is None:
        return Made(Manifest(to_text(packed), ()), None)
    return Made(manifest, beginning)


def read_manifest(manifest: Manifest, get: Get) -> JsonObject:
    """The request of a manifest, equal to what it was made of."""
    shell = from_text(manifest.shell)
    request: JsonObject = unpack(_with_spine(shell, [from_text(element) for element in manifest.spine]), get)
    return request


def _continue(
    request: JsonObject, left_out: tuple[JsonObject, int], put: Put, spine: tuple[str, ...], before: Beginning
) -> Made | None:
    """The manifest of a request by that of the shorter one and the elements that it shares with the spine before."""
    shorter, same = left_out
    if isinstance(before, LineBeginning):
        line = _first_line(shorter, before)
        # An empty rest would leave a separator with nothing behind it, which is no JSON in the whole line.
        if line is None or not line.elements or len(line.head) != before.starts[0]:
            return None
        rest = _manifest(_pack(shorter, put, line), (*_FIRST_LINE, *before.place), put)
        beginning: Beginning | None = _of_line(request, line, before.place, before.starts[: same + 1])
    else:
        rest = _manifest(_pack(shorter, put, _first_line(shorter)), before.place, put)
        beginning = _of_list(request, before.place, before.elements[:same])
    if rest is None:
        return None
    return Made(Manifest(rest.shell, spine[:same] + rest.spine), beginning)


def _first_line(request: JsonObject, before: LineBeginning | None = None) -> JsonLine | None:
    """The first line of a program's standard input, which is JSON lines (`Backend.request`) and its longest."""
    if not isinstance(text := request.get(_STDIN), str) or _escaped(request):
        return None
    line = text.partition("\n")[0]
    if before is not None:
        return read_line(line, style=before.style, place=before.place)
    return read_line(line) if len(line) >= LONG else None


def _of_line(request: JsonObject, line: JsonLine, place: Place, starts: tuple[int, ...]) -> LineBeginning:
    """`starts`: of the elements that were left out of `line`, and of the one behind them."""
    gap = len(separator(line.style))
    lengths = (len(element) + gap for element in line.elements[:-1])
    return LineBeginning(
        place, line.style, str(request[_STDIN]), (*starts[:-1], *accumulate(lengths, initial=starts[-1]))
    )


def _of_list(request: JsonObject, place: Place, elements: tuple[bytes, ...]) -> ListBeginning | None:
    """`elements`: those that are known already."""
    try:
        new = tuple(marshal.dumps(element, _NO_REFERENCES) for element in at(request, place)[len(elements) :])
    except (LookupError, TypeError, ValueError):
        return None
    return ListBeginning(place, elements + new)


def _escaped(request: JsonObject) -> bool:
    return any(name.startswith("$") for name in request)


def _pack(request: JsonObject, put: Put, line: JsonLine | None) -> Any:
    if _escaped(request):
        return pack(request, put)
    return {
        name: pack_lines(value, put, line) if name == _STDIN and isinstance(value, str) else pack(value, put)
        for name, value in request.items()
    }


def _manifest(packed: Any, place: Place, put: Put) -> Manifest | None:
    """The manifest of a packed request with its spine at `place`; None without a list there (names are escaped)."""
    within = place[len(_FIRST_LINE) :] if place[: len(_FIRST_LINE)] == _FIRST_LINE else place
    if any(isinstance(step, str) and step.startswith("$") for step in within):
        return None
    try:
        spine = at(packed, place)
    except (LookupError, TypeError):
        return None
    if not isinstance(spine, list):
        return None
    shell = replaced(packed, place, dict(_SPINE))
    shell = {name: value if name == place[0] else shrink(value, put) for name, value in shell.items()}
    return Manifest(to_text(shell), tuple(map(to_text, spine)))


def _with_spine(packed: Any, spine: list[Any]) -> Any:
    if packed == _SPINE:
        return spine
    if isinstance(packed, dict):
        return {name: _with_spine(value, spine) for name, value in packed.items()}
    if isinstance(packed, list):
        return [_with_spine(value, spine) for value in packed]
    return packed


LONGEST_CHAIN = 64
"""Requests read at most to rebuild one: some milliseconds. A whole manifest takes about 10 bytes a message."""

log = logging.getLogger(__name__)

_UNREADABLE = (AttributeError, LookupError, TypeError, ValueError, zlib.error)
"""The errors that a damaged body, or one whose base or block is gone, raises: it costs no other request and no turn."""

_REMEMBERED = 8_000_000
"""Bytes of requests whose beginnings are remembered, of several threads; of the last one in any case."""

_OF_ANSWER = """
    turn_key IN (SELECT key FROM turn WHERE answer_key = (SELECT key FROM message WHERE id = ?)) ORDER BY key DESC
"""


@dataclass(frozen=True, slots=True)
class _Stored:
    key: int
    chain: int
    made: Made

    @property
    def size(self) -> int:
        return 0 if self.made.beginning is None else self.made.beginning.size


class RequestStore:
    """A turn's requests: the one it began with, then each other form sent. `add` runs in the caller's transaction."""

    def __init__(self, transactions: Transactions, blocks: BlockStore) -> None:
        self._transactions = transactions
        self.blocks = blocks
        self._last: OrderedDict[int, _Stored] = OrderedDict()
        transactions.after_rollback(self._last.clear)

    def add(self, connection: sqlite3.Connection, turn_key: int, thread_key: int, request: JsonObject) -> None:
        last = self._last.get(thread_key)
        made = make_manifest(request, self.blocks.put, None if last is None else last.made)
        manifest = made.manifest
        base = REQUESTS.first(connection, "thread_key = ? ORDER BY key DESC", thread_key)
        kept = 0
        if base is not None and base.chain < LONGEST_CHAIN:
            # another process may have added one since
            known = last is not None and last.key == base.key
            spine = last.made.manifest.spine if last is not None and known else _spine(connection, base)
            pairs = zip(spine, manifest.spine, strict=False)
            kept = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        chain = base.chain + 1 if kept else 0
        columns = {
            "turn_key": turn_key,
            "thread_key": thread_key,
            "base_key": base.key if kept else None,
            "kept": kept,
            "chain": chain,
            "body": _body(manifest.shell, manifest.spine[kept:]),
        }
        key = REQUESTS.add(connection, columns)
        self._remember(thread_key, _Stored(key, chain, made))

    def prepare(self, thread_id: str) -> None:
        """Remembers the thread's last request as if it had just been added, so that the next costs only what is new."""
        with self._transactions.write_plain() as connection:  # finds all blocks: nothing is written
            which = "thread_key = (SELECT key FROM thread WHERE id = ?) ORDER BY key DESC"
            if (row := REQUESTS.first(connection, which, thread_id)) is None or row.thread_key in self._last:
                return
            try:
                manifest = _read(connection, row)
                request = read_manifest(manifest, self.blocks.get)
            except _UNREADABLE:
                return
            made = make_manifest(request, self.blocks.put)
            if made.manifest.spine == manifest.spine:
                self._remember(row.thread_key, _Stored(row.key, row.chain, made))

    def of_answer(self, answer_id: str) -> JsonObject | None:
        """The last request that was sent for an answer, None where none was kept or it is damaged."""
        with self._transactions.read_plain() as connection:
            row = REQUESTS.first(connection, _OF_ANSWER, answer_id)
            try:
                return None if row is None else read_manifest(_read(connection, row), self.blocks.get)
            except _UNREADABLE as error:
                log.warning("the request of an answer can't be read: %s", type(error).__name__)
                return None

    def _remember(self, thread_key: int, stored: _Stored) -> None:
        self._last[thread_key] = stored
        self._last.move_to_end(thread_key)
        while len(self._last) > 1 and sum(one.size for one in self._last.values()) > _REMEMBERED:
            self._last.popitem(last=False)


def _spine(connection: sqlite3.Connection, row: Any) -> Sequence[str]:
    """Empty where it can't be read, so that nothing is built on it."""
    try:
        return _read(connection, row).spine
    except _UNREADABLE:
        return ()


def _read(connection: sqlite3.Connection, row: Any) -> Manifest:
    """The manifest of a row, its spine put together along the chain of bases."""
    shell, rest = _from_body(row.body)
    parts, kept, base_key = [rest], row.kept, row.base_key
    while base_key is not None:
        base = REQUESTS.first(connection, "key = ?", base_key)
        if kept > base.kept:
            parts.append(_from_body(base.body)[1][: kept - base.kept])
        kept, base_key = min(kept, base.kept), base.base_key
    return Manifest(shell, tuple(element for part in reversed(parts) for element in part))


def _body(shell: str, rest: Sequence[str]) -> bytes:
    """A request's own part as stored: `[shell, element, ...]`, compressed."""
    text = f"[{','.join((shell, *rest))}]"
    return zlib.compress(text.encode("utf-8", "surrogatepass"))


def _from_body(body: bytes) -> tuple[str, tuple[str, ...]]:
    shell, *rest = from_bytes(zlib.decompress(body))
    return to_text(shell), tuple(to_text(element) for element in rest)
