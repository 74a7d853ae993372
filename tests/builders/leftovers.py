"""Finds words in whatever a folder's files hold: as they are, compressed, in tables, in the terms of text indexes."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Collection, Iterator
from contextlib import closing
from pathlib import Path

from desktop_app.core.search_terms import index_text

_ZLIB = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")
_MOST = 2_000_000
_LEAST_MATCH = 4


def leftovers(folder: Path, words: Collection[str]) -> list[str]:
    """`file: word` for each word that a file under the folder holds in any way, free space included."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_socket():
            held = {word for text in _contents(path) for word in words if _holds(text, word)}
            held |= _terms_of(path, words)
            found += [f"{path.relative_to(folder)}: {word}" for word in sorted(held)]
    return found


def _holds(data: bytes, word: str) -> bool:
    escaped = json.dumps(word)[1:-1].encode()
    return any(form in data for form in (word.encode(), escaped, word.encode("utf-16-le"), word.encode("utf-16-be")))


def _contents(path: Path) -> Iterator[bytes]:
    data = path.read_bytes()
    yield data
    for head in _ZLIB:
        start = data.find(head)
        while start >= 0:
            if len(text := _decompressed(data[start : start + _MOST])) >= _LEAST_MATCH:
                yield text
            start = data.find(head, start + 1)


def _decompressed(data: bytes) -> bytes:
    """As far as it goes: a stream that is cut off has words, too."""
    stream, text = zlib.decompressobj(), b""
    for start in range(0, len(data), 256):
        try:
            text += stream.decompress(data[start : start + 256], _MOST)
        except zlib.error:
            break
        if stream.eof or len(text) > _MOST:
            break
    return text


def _terms_of(path: Path, words: Collection[str]) -> set[str]:
    """The words of which an index holds every term."""
    if not path.read_bytes()[:16].startswith(b"SQLite format 3"):
        return set()
    held: set[str] = set()
    with closing(sqlite3.connect(path)) as connection:
        for table in ("message_text", "passage_text"):
            if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone():
                continue
            connection.execute(f"CREATE VIRTUAL TABLE temp.terms USING fts5vocab (main, {table}, row)")
            terms = {term for (term,) in connection.execute("SELECT term FROM temp.terms")}
            connection.execute("DROP TABLE temp.terms")
            for word in words:
                wanted = index_text(word).split()
                if wanted and any(_is_of(one, terms) for one in (max(wanted, key=len),)):
                    held.add(word)
    return held


def _is_of(term: str, terms: set[str]) -> bool:
    return any(one == term or (len(term) > 6 and one.startswith(term[:6])) for one in terms)
