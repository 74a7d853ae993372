"""Reads and writes the texts of documents with their passages, each once, by its file and by what read it.

A text is written in slices, as anything else that is stored meanwhile waits for them. It counts from the last one on;
what a process that died had written of one stays behind and counts for nothing.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Sequence

from desktop_app.core.projects import READER, DocumentText, Passage
from desktop_app.core.search_terms import index_text
from desktop_app.storage.project_store import phrase_column, read_phrase
from desktop_app.storage.row_mapping import storable_text
from desktop_app.storage.sqlite_connection import Transactions

PART = 16_384
"""Characters of a text that are compressed together; part of the format."""

SLICE = 100_000
"""Characters that are indexed in one transaction: 20-40 ms."""

_STORED_AT = 0.1
"""The cost of storing a character, where indexing it costs 1."""

_RAW, _ZLIB = 0, 1
_LEVEL = 4
_WORTH_IT = 0.9

_WHOLE = "SELECT key FROM document_text WHERE sha256 = ? AND reader = ? AND whole"
_INSERT_PASSAGE = """
    INSERT INTO passage (text_key, number, kind, start, "end", heading, page, table_head)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
"""
_COLUMNS = ("number", "kind", "start", "end", "heading", "page", "table_head")
PASSAGE_COLUMNS = ", ".join(f'passage."{name}"' for name in _COLUMNS)
"""Those that a `Passage` is made of, in its order."""


class DocumentTextStore:
    """The texts of the history file."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def has(self, sha256: str) -> bool:
        with self._transactions.read_plain() as connection:
            return connection.execute(_WHOLE, (sha256, READER)).fetchone() is not None

    def begin(self, text: DocumentText, reader: int = READER) -> TextWriting:
        """The writing of a text, as that version of what reads files read it; its `step` is called until it is done."""
        return TextWriting(self._transactions, text, reader)

    def one(self, sha256: str) -> DocumentText | None:
        with self._transactions.read_plain() as connection:
            row = connection.execute(
                "SELECT key FROM document_text WHERE sha256 = ? AND whole ORDER BY reader DESC LIMIT 1", (sha256,)
            ).fetchone()
            return None if row is None else read_text(connection, row[0])


class TextWriting:
    """One text on its way into the file."""

    def __init__(self, transactions: Transactions, text: DocumentText, reader: int) -> None:
        self._transactions = transactions
        self._text = text
        self._reader = reader
        self._key: int | None = None
        self._part = self._passage = 0
        self._indexed: list[tuple[int, str, str, str]] = []

    def step(self) -> bool:
        """One transaction; True if it was the last one, or the text is there already."""
        before = self._part, self._passage, len(self._indexed), self._key
        try:
            with self._transactions.write_plain() as connection:
                if connection.execute(_WHOLE, (self._text.sha256, self._reader)).fetchone() is not None:
                    self._remove(connection)
                    return True
                if self._key is None:
                    self._key = self._add(connection)
                self._write(connection, self._key)
                done = self._part * PART >= len(self._text.text) and self._passage == len(self._text.passages)
                if done:
                    connection.execute("UPDATE document_text SET whole = 1 WHERE key = ?", (self._key,))
        except BaseException:
            self._part, self._passage, indexed, self._key = before
            del self._indexed[indexed:]
            raise
        return done

    def undo(self) -> None:
        """Takes out what was written."""
        if self._key is not None:
            with self._transactions.write_plain() as connection:
                self._remove(connection)

    def _add(self, connection: sqlite3.Connection) -> int:
        text = self._text
        values = (text.sha256, self._reader, text.media_type, text.pages, phrase_column(text.note))
        cursor = connection.execute(
            "INSERT INTO document_text (sha256, reader, media_type, pages, note, whole) VALUES (?, ?, ?, ?, ?, 0)",
            values,
        )
        return int(cursor.lastrowid or 0)

    def _write(self, connection: sqlite3.Connection, key: int) -> None:
        text, done = self._text.text, 0.0
        while self._part * PART < len(text) and done < SLICE:
            encoding, data = _packed(text[self._part * PART : (self._part + 1) * PART])
            connection.execute("INSERT INTO document_text_part VALUES (?, ?, ?, ?)", (key, self._part, encoding, data))
            self._part += 1
            done += _STORED_AT * PART
        passages = self._text.passages
        while self._passage < len(passages) and done < SLICE:
            self._index(connection, key, passages[self._passage])
            done += passages[self._passage].end - passages[self._passage].start
            self._passage += 1

    def _index(self, connection: sqlite3.Connection, key: int, one: Passage) -> None:
        heading, table_head = storable_text(one.heading), storable_text(one.table_head)
        values = (key, one.number, one.kind, one.start, one.end, heading, one.page, table_head)
        rowid = int(connection.execute(_INSERT_PASSAGE, values).lastrowid or 0)
        terms = _terms(rowid, key, one, self._text.text)
        connection.execute("INSERT INTO passage_text (rowid, source, heading, body) VALUES (?, ?, ?, ?)", terms)
        self._indexed.append(terms)

    def _remove(self, connection: sqlite3.Connection) -> None:
        _remove(connection, self._key, self._indexed)


def _terms(rowid: int, key: int, one: Passage, text: str) -> tuple[int, str, str, str]:
    above = index_text(f"{one.heading}\n{one.table_head}")
    return rowid, source_term(key), above, index_text(text[one.start : one.end])


def _remove(connection: sqlite3.Connection, key: int | None, indexed: Sequence[tuple[int, str, str, str]]) -> None:
    connection.executemany(
        "INSERT INTO passage_text (passage_text, rowid, source, heading, body) VALUES ('delete', ?, ?, ?, ?)", indexed
    )
    for table, column in (("passage", "text_key"), ("document_text_part", "text_key"), ("document_text", "key")):
        connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (key,))


def remove_unused(connection: sqlite3.Connection, sha256: str, reader: int) -> None:
    """Takes out a text that no document has, inside the caller's write."""
    row = connection.execute(_WHOLE, (sha256, reader)).fetchone()
    if row is None or connection.execute("SELECT 1 FROM project_document WHERE sha256 = ?", (sha256,)).fetchone():
        return
    text = read_text(connection, row[0])
    rows = dict(connection.execute("SELECT number, key FROM passage WHERE text_key = ?", (row[0],)).fetchall())
    _remove(connection, row[0], [_terms(rows[one.number], row[0], one, text.text) for one in text.passages])


def read_text(connection: sqlite3.Connection, key: int) -> DocumentText:
    """The text with this key."""
    row = connection.execute(
        "SELECT sha256, media_type, pages, note FROM document_text WHERE key = ?", (key,)
    ).fetchone()
    sha256, media_type, pages, note = row
    passages = connection.execute(f"SELECT {PASSAGE_COLUMNS} FROM passage WHERE text_key = ? ORDER BY number", (key,))
    parts = connection.execute(
        "SELECT encoding, data FROM document_text_part WHERE text_key = ? ORDER BY number", (key,)
    )
    text = "".join(_unpacked(encoding, data) for encoding, data in parts)
    return DocumentText(sha256, media_type, text, tuple(Passage(*one) for one in passages), pages, read_phrase(note))


def source_term(text_key: int) -> str:
    """The term by which the index finds the passages of a text; it begins with a character that no word has."""
    return f"§x{text_key}"


def read_stretch(connection: sqlite3.Connection, text_key: int, start: int, end: int) -> str:
    """The characters `start` to `end` of a text."""
    first = start // PART
    parts = connection.execute(
        "SELECT encoding, data FROM document_text_part WHERE text_key = ? AND number BETWEEN ? AND ? ORDER BY number",
        (text_key, first, max(first, (end - 1) // PART)),
    )
    text = "".join(_unpacked(encoding, data) for encoding, data in parts)
    return text[start - first * PART : end - first * PART]


def _packed(text: str) -> tuple[int, bytes]:
    raw = text.encode("utf-8", "surrogatepass")
    small = zlib.compress(raw, _LEVEL)
    return (_ZLIB, small) if len(small) < _WORTH_IT * len(raw) else (_RAW, raw)


def _unpacked(encoding: int, data: bytes) -> str:
    # no part is longer, but a file that is merged may be anybody's
    raw = zlib.decompressobj().decompress(data, 4 * PART) if encoding == _ZLIB else data
    return raw.decode("utf-8", "surrogatepass")
