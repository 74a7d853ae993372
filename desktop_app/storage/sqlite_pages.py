"""Reads the rows of an SQLite file page by page, however damaged it is, with what its -wal holds.

SQLite itself gives up a whole table where one page of its tree is damaged. Nothing is written. The format is that of
https://sqlite.org/fileformat2.html; every number that is read may be wrong, and a row that can't be is left out.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

MAGIC: Final = b"SQLite format 3\x00"
_SIZES: Final = frozenset(2**power for power in range(9, 17))
_HEADER: Final = 100
_LEAF, _INTERIOR, _INDEX_LEAF, _INDEX_INTERIOR = 0x0D, 0x05, 0x0A, 0x02
_WAL_MAGIC: Final = (0x377F0682, 0x377F0683)
_WAL_HEADER, _FRAME_HEADER = 32, 24
_MOST_VALUE: Final = 1_000_000_000
_FIXED: Final = {0: None, 8: 0, 9: 1}
_INTEGERS: Final = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}

_DAMAGED: Final = (ValueError, LookupError, struct.error)
Row = tuple[int, list[Any]]
"""The rowid (0 in a table without) and the values, as many as the row has."""


@dataclass(frozen=True, slots=True)
class Root:
    """A table's page in the schema; `sql` is what made it."""

    name: str
    page: int
    sql: str


class SqlitePages:
    """The pages of one file. `page_size` is used where the file does not tell its own."""

    def __init__(self, path: Path, page_size: int = 4096) -> None:
        self._file = _mapped(path)
        self._newer, wal_size = _pages_of_wal(path.with_name(f"{path.name}-wal"))
        first = self._newer.get(1, self._file[:_HEADER])
        self.has_header = first[:16] == MAGIC
        told = int.from_bytes(first[16:18], "big") if self.has_header else 0
        told = 65_536 if told == 1 else told
        self.page_size = wal_size or (told if told in _SIZES else page_size)
        first = self._newer.get(1) or self._file[: self.page_size]
        self._usable = self.page_size - (first[20] if self.has_header and first[20] < 64 else 0)
        self.version = int.from_bytes(first[60:64], "big") if self.has_header else 0
        self.application = int.from_bytes(first[68:72], "big") if self.has_header else 0
        self._free = int.from_bytes(first[32:36], "big") if self.has_header else 0
        here = -(-len(self._file) // self.page_size)
        self.count = max([here, *self._newer])
        self.seen: set[int] = set()
        """The pages that a table was followed to."""
        self.damaged = 0
        """Pages that should hold rows and can't be read, and rows that can't."""

    @cached_property
    def _schema(self) -> Sequence[Row]:
        return [row for row in self.rows(1) if len(row[1]) >= 5]

    def roots(self) -> Sequence[Root]:
        """The tables as the file's own schema names them; none where that can't be read."""
        found: list[Root] = []
        for _, values in self._schema:
            match values:
                case ["table", str(name), _, int(page), str(sql), *_] if 1 < page <= self.count:
                    found.append(Root(name, page, sql))
        return found

    def index(self, name: str) -> int:
        """The page of an index, as the file's own schema tells; 0 where that can't be read."""
        places = [page for _, (kind, found, _, page, *_) in self._schema if (kind, found) == ("index", name)]
        return places[0] if places and isinstance(places[0], int) else 0

    def rows(self, root: int) -> Iterator[Row]:
        """The rows of the table with this root, those behind a damaged page left out."""
        waiting = [root]
        while waiting:
            number = waiting.pop()
            if number in self.seen or not 1 <= number <= self.count:
                self.damaged += 1
                continue
            self.seen.add(number)
            page = self.page(number)
            start = _HEADER if number == 1 else 0
            kind = page[start] if len(page) > start else 0
            if kind in {_LEAF, _INDEX_LEAF}:
                yield from self._rows_of(page, start, kind)
            elif kind in {_INTERIOR, _INDEX_INTERIOR}:
                children = self._children(page, start)
                if kind == _INDEX_INTERIOR:
                    yield from self._rows_of(page, start, kind)
                waiting += reversed(children)
            else:
                self.damaged += 1

    def lost_pages(self) -> Iterator[Sequence[Row]]:
        """The rows of each page of rows that no table led to, and that is not free: of what a damaged page led to."""
        free = self._free_pages()
        for number in range(2, self.count + 1):
            if number in self.seen or number in free:
                continue
            page = self.page(number)
            if page[:1] == bytes([_LEAF]):
                rows = list(self._rows_of(page, 0, _LEAF))
                if rows:
                    yield rows

    def page(self, number: int) -> bytes:
        """The page, from the -wal where that has it; empty where the file ends before it."""
        newer = self._newer.get(number)
        if newer is not None:
            return newer
        return self._file[(number - 1) * self.page_size : number * self.page_size]

    def _children(self, page: bytes, start: int) -> list[int]:
        try:
            last = int.from_bytes(page[start + 8 : start + 12], "big")
            return [int.from_bytes(page[cell : cell + 4], "big") for cell in self._cells(page, start, 12)] + [last]
        except _DAMAGED:
            self.damaged += 1
            return []

    def _cells(self, page: bytes, start: int, header: int) -> tuple[int, ...]:
        (count,) = struct.unpack_from(">H", page, start + 3)
        if start + header + 2 * count > len(page):
            raise ValueError("more cells than a page has room for")
        return struct.unpack_from(f">{count}H", page, start + header)

    def _rows_of(self, page: bytes, start: int, kind: int) -> Iterator[Row]:
        try:
            cells = self._cells(page, start, 12 if kind == _INDEX_INTERIOR else 8)
        except _DAMAGED:
            self.damaged += 1
            return
        for cell in cells:
            try:
                yield self._row(page, cell + (4 if kind == _INDEX_INTERIOR else 0), with_rowid=kind == _LEAF)
            except _DAMAGED:
                self.damaged += 1

    def _row(self, page: bytes, at: int, *, with_rowid: bool) -> Row:
        size, at = _varint(page, at)
        rowid = 0
        if with_rowid:
            rowid, at = _varint(page, at)
        return rowid, _record(self._payload(page, at, size, with_rowid=with_rowid))

    def _payload(self, page: bytes, at: int, size: int, *, with_rowid: bool) -> bytes:
        usable = self._usable
        if not 0 < size <= min(_MOST_VALUE, self.count * self.page_size):
            raise ValueError("a row of no possible size")
        most = usable - 35 if with_rowid else (usable - 12) * 64 // 255 - 23
        if size <= most:
            return _whole(page[at : at + size], size)
        least = (usable - 12) * 32 // 255 - 23
        here = least + (size - least) % (usable - 4)
        if here > most:
            here = least
        found = bytearray(_whole(page[at : at + here], here))
        following = int.from_bytes(_whole(page[at + here : at + here + 4], 4), "big")
        visited: set[int] = set()
        while len(found) < size:
            if following in visited or not 1 < following <= self.count:
                raise ValueError("the rest of a row is missing")
            visited.add(following)
            rest = self.page(following)
            found += _whole(rest[4:usable], usable - 4)
            following = int.from_bytes(rest[:4], "big")
        self.seen |= visited
        return bytes(found[:size])

    def _free_pages(self) -> set[int]:
        """The pages that the file counts as free: what they hold was deleted."""
        free: set[int] = set()
        trunk = self._free
        while 1 < trunk <= self.count and trunk not in free:
            free.add(trunk)
            page = self.page(trunk)
            if len(page) < 8:
                break
            trunk, count = struct.unpack_from(">II", page)
            if 8 + 4 * count <= len(page):
                free |= set(struct.unpack_from(f">{count}I", page, 8))
        return free


def _mapped(path: Path) -> mmap.mmap | bytes:
    with path.open("rb") as file:
        try:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:  # it is empty
            return b""


def _whole(found: bytes, size: int) -> bytes:
    if len(found) != size:
        raise ValueError("the page ends before")
    return found


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """The number at this place, as a signed one of 64 bits, and the place behind it."""
    value = 0
    for index in range(9):
        byte = data[at + index]
        if index == 8:
            value = value << 8 | byte
            return value - (1 << 64) if value >= 1 << 63 else value, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + index + 1
    raise ValueError("a number without an end")


def _record(payload: bytes) -> list[Any]:
    """The values of a record."""
    end, at = _varint(payload, 0)
    kinds: list[int] = []
    while at < end:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    if at != end:
        raise ValueError("a record whose head does not fit")
    values: list[Any] = []
    for kind in kinds:
        value, at = _value(payload, at, kind)
        values.append(value)
    return values


def _value(payload: bytes, at: int, kind: int) -> tuple[Any, int]:
    if kind in _FIXED:
        return _FIXED[kind], at
    if kind in _INTEGERS:
        end = at + _INTEGERS[kind]
        return int.from_bytes(_whole(payload[at:end], end - at), "big", signed=True), end
    if kind == 7:
        return struct.unpack_from(">d", payload, at)[0], at + 8
    if kind < 12:
        raise ValueError("a kind of value that is not used")
    size = (kind - 12) // 2
    raw = _whole(payload[at : at + size], size)
    return (raw if kind % 2 == 0 else raw.decode("utf-8")), at + size


def _pages_of_wal(path: Path) -> tuple[Mapping[int, bytes], int]:
    """The pages of all whole transactions, and their size; 0 where there are none."""
    try:
        data = path.read_bytes()
    except OSError:
        return {}, 0
    if len(data) < _WAL_HEADER:
        return {}, 0
    magic, _, size, _, salt1, salt2, sum1, sum2 = struct.unpack_from(">8I", data)
    if magic not in _WAL_MAGIC or size not in _SIZES:
        return {}, 0
    order = ">" if magic & 1 else "<"
    sums = _checksum(data[:24], order, (0, 0))
    if sums != (sum1, sum2):
        return {}, 0
    pages: dict[int, bytes] = {}
    open_pages: dict[int, bytes] = {}
    for at in range(_WAL_HEADER, len(data) - _FRAME_HEADER - size + 1, _FRAME_HEADER + size):
        number, committed, *salts, sum1, sum2 = struct.unpack_from(">6I", data, at)
        page = data[at + _FRAME_HEADER : at + _FRAME_HEADER + size]
        if salts != [salt1, salt2]:
            break
        sums = _checksum(page, order, _checksum(data[at : at + 8], order, sums))
        if sums != (sum1, sum2):
            break
        open_pages[number] = page
        if committed:
            pages |= open_pages
            open_pages.clear()
    return pages, size if pages else 0


def _checksum(data: bytes, order: str, before: tuple[int, int]) -> tuple[int, int]:
    one, two = before
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two
