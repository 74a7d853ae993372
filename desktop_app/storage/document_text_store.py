"""Texts of documents with their passages: read, written, and searched by what a question asks about."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from math import log
from typing import Any, Final

from desktop_app.core.history_records import FoundItem
from desktop_app.core.passage_ranking import forms_of, question_words, snippet
from desktop_app.core.projects import (
    ALL_DOCUMENTS,
    ID_DIGITS,
    READER,
    DocumentText,
    Passage,
    PassageHit,
    ProjectDocument,
    SearchedDocuments,
    passage_id,
)
from desktop_app.core.search_terms import LONGEST, MOST_TERMS, SearchTerm, index_text
from desktop_app.storage.full_text_search import LETTERS_TO_BEGIN
from desktop_app.storage.project_store import (
    DOCUMENT_COLUMNS,
    document_from,
    document_with_file,
    live_project,
    phrase_column,
    read_phrase,
)
from desktop_app.storage.row_mapping import storable_text
from desktop_app.storage.sqlite_connection import Topic, Transactions

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


class DocumentTextStore(Topic):
    """The texts of the history file."""

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
            raw = text[self._part * PART : (self._part + 1) * PART].encode("utf-8", "surrogatepass")
            small = zlib.compress(raw, _LEVEL)
            encoding, data = (_ZLIB, small) if len(small) < _WORTH_IT * len(raw) else (_RAW, raw)
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


def _unpacked(encoding: int, data: bytes) -> str:
    # no part is longer, but a file that is merged may be anybody's
    raw = zlib.decompressobj().decompress(data, 4 * PART) if encoding == _ZLIB else data
    return raw.decode("utf-8", "surrogatepass")


FEW_TEXTS: Final = 200
"""Texts up to which the index is asked for these alone; of more, their passages are picked out of all."""

COMMON: Final = 20_000
"""Passages with a word from which it is left out, while there are rarer ones."""

MOST_RANKED: Final = 60_000
"""Passages that are ranked against each other."""

ENOUGH: Final = 200
"""Passages with rarer words beside which those with common ones are not looked for."""

NAMED: Final = 0.2
"""The amount that a passage's score grows by where its document's name says all that is asked."""

TELLING: Final = 2_000
"""Passages with a word up to which all of them are ranked; of more frequent words, those with two of them first."""

MOST_HELD: Final = 2_000
"""Passages with every word of a search that are ranked against each other."""

MOST_BESIDE: Final = 100
"""Passages of a project that can be gone to from one that a search found."""

MOST_PAIRED: Final = 6
"""Frequent words of which any two are looked for; a question with more has rarer ones among them."""

_MOST_OF_WORD = 2.2
"""The most that one word adds to a score, over how rare it is: SQLite's k1 of 1.2, and 1."""

_AT_ONCE = 150
_FIELDS = 7
"""Columns that a `Passage` is made of."""

_COUNT = "SELECT count(*) FROM (SELECT 1 FROM passage_text WHERE passage_text MATCH ? LIMIT ?)"
# bm25 is less for more; `source` tells nothing of what a passage says
_RANKED = """
    SELECT key, score FROM (
        SELECT rowid AS key, -bm25(passage_text, 0.0, 2.0, 1.0) AS score FROM passage_text
        WHERE passage_text MATCH ? LIMIT ?
    ) ORDER BY score DESC, key
"""
_HELD = f"""
    SELECT found.key, score, text_key, number FROM ({_RANKED}) AS found CROSS JOIN passage ON passage.key = found.key
    ORDER BY score DESC, found.key
"""
_FIRST_OF_EACH = """
    SELECT min(passage.key), 0.0, text_key, number
    FROM (SELECT rowid AS key FROM passage_text WHERE passage_text MATCH ? LIMIT ?) AS found
    CROSS JOIN passage ON passage.key = found.key GROUP BY text_key
"""
_ABOVE = _RANKED.replace("ORDER", "WHERE score > ? ORDER")
_WITHIN = {
    "document_ids": "project_document.id IN (SELECT value FROM json_each(:document_ids))",
    "folder": "substr(project_document.path, 1, length(:folder)) = :folder",
    "since": "project_document.modified >= :since",
    "until": "project_document.modified < :until",
}
_FROM = """
    document_text.whole AND document_text.sha256 = project_document.sha256
    AND project_document.project_key {project} AND project_document.deleted IS NULL
    AND document_text.reader = (
        SELECT max(reader) FROM document_text AS other WHERE other.sha256 = document_text.sha256 AND other.whole
    )
"""
_ANY_PROJECT = "IN (SELECT key FROM project WHERE deleted IS NULL)"
_TEXTS = f"""
    SELECT DISTINCT document_text.key FROM project_document CROSS JOIN document_text WHERE {_FROM}{{within}}
    LIMIT :most
"""
_OF_PROJECT = f"""
    SELECT passage.key, (SELECT id FROM project WHERE key = project_document.project_key), text_key,
        {PASSAGE_COLUMNS}, {DOCUMENT_COLUMNS}
    FROM json_each(:keys) AS found CROSS JOIN passage ON passage.key = found.value
    CROSS JOIN document_text ON document_text.key = text_key CROSS JOIN project_document
    WHERE {_FROM}{{within}} ORDER BY project_document.path, project_document.name, project_document.key
"""
_BY_ID = f"""
    SELECT document_text.key, sha256, {PASSAGE_COLUMNS} FROM document_text
    JOIN passage ON passage.text_key = document_text.key
    WHERE whole AND sha256 >= ? AND sha256 < ? AND passage.number = ? ORDER BY reader DESC
"""


class PassageSearch(Topic):
    """Searches in the documents of the history file."""

    def best(
        self, project_id: str | None, question: str, within: SearchedDocuments = ALL_DOCUMENTS, *, limit: int = 60
    ) -> Sequence[PassageHit]:
        """The passages that say most of what is asked, best first; `project_id` None: of all projects."""
        words = question_words(question)[:MOST_TERMS]
        with self._transactions.read_plain() as connection:
            looked_into = _Documents(connection, project_id, within)
            ranked = _ranked(connection, words, looked_into.few_texts())
            # twice as many as are asked for, as what names say moves some up
            found = list(islice(looked_into.passages(ranked), 2 * limit))
            forms = [frozenset(forms_of(word)) for word in words]
            named = [(score * (1 + NAMED * _share(row[0].name, forms)), row) for score, row in found]
            named.sort(key=lambda one: -one[0])
            return tuple(_hit(connection, *row, score) for score, row in named[:limit])

    def items(self, wanted: Sequence[SearchTerm], within: SearchedDocuments, *, limit: int) -> Sequence[FoundItem]:
        """The documents with a passage that holds every word, the best first; the last word may go on."""
        parts = [one.query for one in wanted if one.query]
        for run in (one.runs[-1][:LONGEST] for one in wanted if one.open):
            parts.append(f'"{run}" *' if len(run) >= LETTERS_TO_BEGIN else f'"{run}"')
        asked = f"{{heading body}} : ({' AND '.join(parts)})"
        also = [*wanted, *(SearchTerm((form,)) for one in wanted for form in forms_of(one.runs[0]) if not one.quoted)]
        held = dict[int, list[tuple[float, int]]]()  # scores and numbers of each text's passages
        with self._transactions.read_plain() as connection:
            documents = _Documents(connection, None, within)
            ranked = connection.execute(_HELD, (asked, MOST_HELD)).fetchall() if parts else []
            if len(ranked) == MOST_HELD:  # one document with that many hides no other: those not seen stand last
                known = {text for _, _, text, _ in ranked}
                others = connection.execute(_FIRST_OF_EACH, (asked, MOST_RANKED))
                ranked += [one for one in others if one[2] not in known]
            best = dict[int, tuple[int, float]]()
            for key, score, text, number in ranked:
                best.setdefault(text, (key, score))
                held.setdefault(text, []).append((score, number))
            rows = list(islice(documents.passages(iter(best.values())), limit))
            hits = [_hit(connection, *row, score) for score, row in rows]
            names = dict(connection.execute("SELECT id, name FROM project").fetchall())
        near: dict[str, list[tuple[float, str]]] = {}
        for _, (document, text, _) in rows:
            ids = ((-score, passage_id(document.sha256, number)) for score, number in held[text])
            near.setdefault(document.project_id, []).extend(ids)
        beside = {project: tuple(one for _, one in sorted(ids)[:MOST_BESIDE]) for project, ids in near.items()}

        def item(hit: PassageHit) -> FoundItem:
            document, inside = hit.document, hit.document.project_id
            shown = snippet(hit.text, also, markdown=document.media_type == "text/markdown")
            facts = hit.id, inside, document.name, names[inside], shown.text, shown.marks
            return FoundItem("document", *facts, beside[inside])

        return [item(hit) for hit in hits]

    def one(self, project_id: str, passage_id: str) -> PassageHit | None:
        """The passage with this id, of a file that one of the project's documents is or was."""
        beginning, _, number = passage_id.rpartition("-")
        with self._transactions.read_plain() as connection:
            live_project(connection, project_id)
            if len(beginning) != ID_DIGITS or not (number.isascii() and number.isdigit()) or len(number) > ID_DIGITS:
                return None
            rows = connection.execute(_BY_ID, (beginning, beginning + "g", int(number))).fetchall()
            for text_key, sha256, *columns in rows:
                if (document := document_with_file(connection, project_id, sha256)) is not None:
                    return _hit(connection, document, text_key, Passage(*columns), 0.0)
        return None


class _Documents:
    """The documents that one search looks into."""

    def __init__(self, connection: sqlite3.Connection, project_id: str | None, within: SearchedDocuments) -> None:
        self._connection = connection
        self._project = _ANY_PROJECT if project_id is None else "= :project"
        ids = within.document_ids
        given = {
            "document_ids": None if ids is None else json.dumps(list(ids)),
            "folder": within.folder,
            "since": within.since,
            "until": within.until,
        }
        self._values: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        self._within = "".join(f" AND {_WITHIN[name]}" for name in self._values)
        if project_id is not None:
            self._values["project"] = live_project(connection, project_id)

    def few_texts(self) -> list[int] | None:
        """The keys of their texts; None where there are more than a few."""
        statement = _TEXTS.format(project=self._project, within=self._within)
        rows = self._connection.execute(statement, self._values | {"most": FEW_TEXTS + 1}).fetchall()
        return [key for (key,) in rows] if len(rows) <= FEW_TEXTS else None

    def passages(
        self, ranked: Iterator[tuple[int, float]]
    ) -> Iterator[tuple[float, tuple[ProjectDocument, int, Passage]]]:
        """Those of the ranked passages that are of these documents, in their order: score, document, text's key."""
        statement = _OF_PROJECT.format(project=self._project, within=self._within)
        while some := list(islice(ranked, _AT_ONCE)):
            keys = json.dumps([key for key, _ in some])
            rows: dict[int, Any] = {}
            for row in self._connection.execute(statement, self._values | {"keys": keys}):
                rows.setdefault(row[0], row)  # of two documents with one file the first stands for both
            for key, score in some:
                if key in rows:
                    _, project_id, text_key, *columns = rows[key]
                    document = document_from(project_id, columns[_FIELDS:])
                    yield score, (document, text_key, Passage(*columns[:_FIELDS]))


def _ranked(
    connection: sqlite3.Connection, words: Sequence[str], texts: Sequence[int] | None
) -> Iterator[tuple[int, float]]:
    """Keys and scores of the passages with any of the words, best first; `texts`: of these alone."""
    if not words or texts == []:
        return
    sources = "" if texts is None else " OR ".join(f'"{source_term(key)}"' for key in texts)
    inside = f"source : ({sources}) AND " if sources else ""
    counted = sorted(
        (int(connection.execute(_COUNT, (f'{inside}{{heading body}} : "{word}"', COMMON)).fetchone()[0]), number, word)
        for number, word in enumerate(words)
    )
    room, rare, common = MOST_RANKED, dict[str, int](), list[str]()
    for count, _, word in counted:
        if 0 < count < COMMON and count <= room:
            room -= count
            rare[f'"{word}"'] = count
        elif count:
            common.append(f'"{word}"')

    def best(query: str) -> Sequence[tuple[int, float]]:
        asked = f"{inside}{{heading body}} : ({query})"
        return connection.execute(_RANKED, (asked, MOST_RANKED)).fetchall() if query else ()

    first = _surely_best(connection, rare, inside)
    yield from first.items()
    ranked = best(" OR ".join(rare))
    if common and len(ranked) < ENOUGH:
        # those that have all of the others come behind, as what tells more stands first
        known = {key for key, _ in ranked}
        least = ranked[-1][1] if ranked else 0.0
        others = best(" AND ".join(common)) or best(common[0])
        most = others[0][1] if others else 1.0
        ranked = [*ranked, *((key, score / most * (least or 1.0)) for key, score in others if key not in known)]
    yield from (one for one in ranked if one[0] not in first)


def _surely_best(connection: sqlite3.Connection, counts: Mapping[str, int], inside: str) -> dict[int, float]:
    """Scores of the first of all that `counts`, matches by word from the rarest on, would rank, in their order.

    None where that saves nothing. A passage with a single frequent word scores less than a bound. Those that score more
    all have a rarer word, or two.
    """
    frequent = [word for word, count in counts.items() if count > TELLING][-MOST_PAIRED:]
    rarer = " OR ".join(word for word in counts if word not in frequent)
    if not frequent or not (rarer or frequent[1:]):
        return {}
    # bm25 adds up the words of its question that a passage has, each as often as it is asked for: so each stands in a
    # question once, and that which has all of a passage's words comes before those that have some
    asked = [f"({rarer}) AND ({' OR '.join(frequent)})", rarer] if rarer else []
    asked += [f"{word} AND ({' OR '.join(frequent[at:])})" for at, word in enumerate(frequent[:-1], 1)]
    number, least = connection.execute("SELECT max(key) FROM passage").fetchone()[0], counts[frequent[0]]
    bound = _MOST_OF_WORD * max(1e-6, log((number - least + 0.5) / (least + 0.5)))
    scores = dict[int, float]()
    for some in asked:
        found = connection.execute(_ABOVE, (f"{inside}{{heading body}} : ({some})", MOST_RANKED, bound))
        scores = dict(found) | scores
    return dict(sorted(scores.items(), key=lambda one: (-one[1], one[0])))


def _share(name: str, forms: Sequence[frozenset[str]]) -> float:
    """Return the share of the question that a document's name says."""
    here = set(index_text(name).split())
    return sum(1 for one in forms if one & here) / len(forms)


def _hit(
    connection: sqlite3.Connection, document: ProjectDocument, text_key: int, passage: Passage, score: float
) -> PassageHit:
    return PassageHit(document, passage, read_stretch(connection, text_key, passage.start, passage.end), score)
