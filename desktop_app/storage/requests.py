"""Owns the requests that were sent, as manifests of content blocks. Knows no backend's format beyond `stdin`.

A manifest has a shell (the packed request without its longest list) and a spine (the elements of that list, which is
where the conversation stands). Of the spine a request stores only what differs from the thread's request before:
`kept` elements are taken from `base_key`, the rest stands in `body`. After `LONGEST_CHAIN` such steps it is whole
again, so that reading stays short. So the requests of a thread grow with its text and not with its square.
"""

from __future__ import annotations

import zlib
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from sqlmodel import Session, col, select

from desktop_app.core.messages import JsonObject
from desktop_app.storage.blocks import Blocks
from desktop_app.storage.connection import Transactions
from desktop_app.storage.packing import Get, Put, from_bytes, from_text, pack, pack_lines, shrink, to_text, unpack
from desktop_app.storage.rows import MessageRow, RequestRow, TurnRow

LONGEST_CHAIN = 64
"""Requests read at most to rebuild one: some milliseconds. A whole manifest takes about 10 bytes a message."""

_REMEMBERED_THREADS = 8
_SPINE = {"$s": 0}
"""Stands in the shell where the spine was; no other packed JSON contains it."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """A request's shell and the spine's elements, each as packed JSON text."""

    shell: str
    spine: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Stored:
    key: int
    chain: int
    spine: tuple[str, ...]


def make_manifest(request: JsonObject, put: Put) -> Manifest:
    """The manifest of a request whose long strings go to `put`."""
    packed = _pack(request, put)
    place = max(_lists(packed), key=lambda found: len(found.holder[found.place]), default=None)
    if place is None:
        return Manifest(to_text(packed), ())
    spine = tuple(to_text(element) for element in place.holder[place.place])
    place.holder[place.place] = dict(_SPINE)
    if "$o" not in packed:
        packed = {name: value if _holds_spine(value) else shrink(value, put) for name, value in packed.items()}
    return Manifest(to_text(packed), spine)


def read_manifest(manifest: Manifest, get: Get) -> JsonObject:
    """The request of a manifest, equal to what it was made of."""
    shell = from_text(manifest.shell)
    request: JsonObject = unpack(_with_spine(shell, [from_text(element) for element in manifest.spine]), get)
    return request


class Requests:
    """The requests of the history file, one per turn. Methods that take a session run in the caller's transaction."""

    def __init__(self, transactions: Transactions, blocks: Blocks) -> None:
        self._transactions = transactions
        self._blocks = blocks
        self._last: OrderedDict[int, _Stored] = OrderedDict()
        transactions.after_rollback(self._last.clear)

    def add(self, session: Session, turn_key: int, thread_key: int, request: JsonObject) -> None:
        """Stores the request of a turn."""
        manifest = make_manifest(request, self._blocks.put)
        base = self._last_of(session, thread_key)
        kept = 0
        if base is not None and base.chain < LONGEST_CHAIN:
            pairs = zip(base.spine, manifest.spine, strict=False)
            kept = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        row = RequestRow(
            turn_key=turn_key,
            thread_key=thread_key,
            base_key=base.key if base is not None and kept else None,
            kept=kept,
            chain=base.chain + 1 if base is not None and kept else 0,
            body=_body(manifest.shell, manifest.spine[kept:]),
        )
        session.add(row)
        session.flush()
        self._remember(thread_key, _Stored(row.key or 0, row.chain, manifest.spine))

    def of_answer(self, answer_id: str) -> JsonObject | None:
        """The last request that was sent for an answer, None if none was kept (an imported message)."""
        with self._transactions.read() as session:
            which = (
                select(RequestRow)
                .join(TurnRow, col(RequestRow.turn_key) == col(TurnRow.key))
                .join(MessageRow, col(TurnRow.answer_key) == col(MessageRow.key))
                .where(MessageRow.id == answer_id)
                .order_by(col(RequestRow.key).desc())
            )
            row = session.exec(which).first()
            return None if row is None else read_manifest(_read(session, row), self._blocks.get)

    def _last_of(self, session: Session, thread_key: int) -> _Stored | None:
        """The newest request of the thread; another process may have added it."""
        which = select(RequestRow).where(RequestRow.thread_key == thread_key).order_by(col(RequestRow.key).desc())
        row = session.exec(which.limit(1)).first()
        if row is None or row.key is None:
            return None
        last = self._last.get(thread_key)
        if last is None or last.key != row.key:
            last = _Stored(row.key, row.chain, _read(session, row).spine)
        return last

    def _remember(self, thread_key: int, stored: _Stored) -> None:
        self._last[thread_key] = stored
        self._last.move_to_end(thread_key)
        if len(self._last) > _REMEMBERED_THREADS:
            self._last.popitem(last=False)


def _read(session: Session, row: RequestRow) -> Manifest:
    """The manifest of a row, its spine put together along the chain of bases."""
    shell, rest = _from_body(row.body)
    parts, kept, base_key = [rest], row.kept, row.base_key
    while base_key is not None:
        base = session.get_one(RequestRow, base_key)
        if kept > base.kept:
            parts.append(_from_body(base.body)[1][: kept - base.kept])
        kept, base_key = min(kept, base.kept), base.base_key
    return Manifest(shell, tuple(element for part in reversed(parts) for element in part))


def _pack(request: JsonObject, put: Put) -> dict[str, Any]:
    if any(name.startswith("$") for name in request):
        escaped: dict[str, Any] = pack(request, put)
        return escaped
    return {
        # what goes to a program's standard input is JSON lines (`Backend.request`)
        name: pack_lines(value, put) if name == "stdin" and isinstance(value, str) else pack(value, put)
        for name, value in request.items()
    }


@dataclass(frozen=True, slots=True)
class _Place:
    """`holder[place]` is a list in packed JSON."""

    holder: Any
    place: Any


def _lists(packed: Any) -> Iterator[_Place]:
    """The places of all lists in packed JSON, outer before inner."""
    items = packed.items() if isinstance(packed, dict) else enumerate(packed) if isinstance(packed, list) else ()
    for place, value in items:
        if isinstance(value, list):
            yield _Place(packed, place)
        yield from _lists(value)


def _holds_spine(packed: Any) -> bool:
    """Whether the spine was here. No string can look so in JSON, where its quotes are escaped."""
    return to_text(_SPINE) in to_text(packed)


def _with_spine(packed: Any, spine: list[Any]) -> Any:
    if packed == _SPINE:
        return spine
    if isinstance(packed, dict):
        return {name: _with_spine(value, spine) for name, value in packed.items()}
    if isinstance(packed, list):
        return [_with_spine(value, spine) for value in packed]
    return packed


def _body(shell: str, rest: Sequence[str]) -> bytes:
    """A request's own part as stored: `[shell, element, ...]`, compressed."""
    text = f"[{','.join((shell, *rest))}]"
    return zlib.compress(text.encode("utf-8", "surrogatepass"))


def _from_body(body: bytes) -> tuple[str, tuple[str, ...]]:
    shell, *rest = from_bytes(zlib.decompress(body))
    return to_text(shell), tuple(to_text(element) for element in rest)
