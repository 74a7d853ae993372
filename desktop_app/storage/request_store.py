"""The requests that were sent, each as the row of its manifest.

Of a manifest's spine a request stores only what differs from the thread's request before: `kept` elements are taken
from `base_key`, the rest stands in `body`. After `LONGEST_CHAIN` such steps it is whole again, so that reading stays
short. So the requests of a thread grow with its text and not with its square.
"""

from __future__ import annotations

import logging
import sqlite3
import zlib
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from desktop_app.core.messages import JsonObject
from desktop_app.storage.block_store import BlockStore
from desktop_app.storage.packed_json import from_bytes, to_text
from desktop_app.storage.request_manifests import Made, Manifest, make_manifest, read_manifest
from desktop_app.storage.sqlite_connection import Transactions
from desktop_app.storage.table_records import REQUESTS

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
    """The requests of the history file: of each turn the one it began with, then each other form that it was sent in.

    `add` runs in the caller's transaction.
    """

    def __init__(self, transactions: Transactions, blocks: BlockStore) -> None:
        self._transactions = transactions
        self.blocks = blocks
        self._last: OrderedDict[int, _Stored] = OrderedDict()
        transactions.after_rollback(self._last.clear)

    def add(self, connection: sqlite3.Connection, turn_key: int, thread_key: int, request: JsonObject) -> None:
        """Stores the request of a turn."""
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
            row = REQUESTS.first(connection, which, thread_id)
            if row is None or row.thread_key in self._last:
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
