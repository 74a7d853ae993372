"""Finds passages of a project's documents by what a question asks about, and by their ids."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from desktop_app.core.passage_ranking import question_words
from desktop_app.core.projects import (
    ALL_DOCUMENTS,
    ID_DIGITS,
    Passage,
    PassageHit,
    ProjectDocument,
    SearchedDocuments,
)
from desktop_app.core.search_terms import MOST_TERMS
from desktop_app.storage.document_text_store import PASSAGE_COLUMNS, newest_texts, read_stretch
from desktop_app.storage.project_store import document_with_file, documents_of, live_project
from desktop_app.storage.sqlite_connection import Transactions

_HEADING = 2.0
"""What a word in a heading counts, where one in the passage itself counts 1."""

# bm25 is less for more; the texts are those of the documents that are looked into
_FOUND = f"""
    SELECT text_key, -bm25(passage_text, {_HEADING}, 1.0) AS score, {PASSAGE_COLUMNS}
    FROM passage_text CROSS JOIN passage ON passage.key = passage_text.rowid
    WHERE passage_text MATCH ? AND text_key IN (SELECT value FROM json_each(?))
    ORDER BY score DESC, passage.key LIMIT ?
"""
_BY_ID = f"""
    SELECT document_text.key, sha256, {PASSAGE_COLUMNS} FROM document_text
    JOIN passage ON passage.text_key = document_text.key
    WHERE whole AND sha256 >= ? AND sha256 < ? AND passage.number = ? ORDER BY reader DESC
"""


class PassageSearch:
    """Searches in the documents of the history file."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def best(
        self, project_id: str, question: str, within: SearchedDocuments = ALL_DOCUMENTS, *, limit: int = 60
    ) -> Sequence[PassageHit]:
        """The passages that say most of what is asked, best first."""
        words = question_words(question)[:MOST_TERMS]
        with self._transactions.read_plain() as connection:
            documents = [one for one in documents_of(connection, project_id) if one.sha256 and _is_within(one, within)]
            texts = newest_texts(connection, (one.sha256 for one in documents))
            # of two documents with one file the first stands for both
            by_text = {texts[one.sha256]: one for one in reversed(documents) if one.sha256 in texts}
            if not words or not by_text:
                return ()
            query = " OR ".join(f'"{word}"' for word in words)
            rows = connection.execute(_FOUND, (query, json.dumps(list(by_text)), limit)).fetchall()
            return tuple(
                _hit(connection, by_text[text_key], text_key, Passage(*columns), score)
                for text_key, score, *columns in rows
            )

    def one(self, project_id: str, passage_id: str) -> PassageHit | None:
        """The passage with this id, of a file that one of the project's documents is or was."""
        beginning, _, number = passage_id.rpartition("-")
        with self._transactions.read_plain() as connection:
            live_project(connection, project_id)
            if len(beginning) != ID_DIGITS or not (number.isascii() and number.isdigit()) or len(number) > ID_DIGITS:
                return None
            rows = connection.execute(_BY_ID, (beginning, beginning + "g", int(number))).fetchall()
            for text_key, sha256, *columns in rows:
                document = document_with_file(connection, project_id, sha256)
                if document is not None:
                    return _hit(connection, document, text_key, Passage(*columns), 0.0)
        return None


def _is_within(document: ProjectDocument, within: SearchedDocuments) -> bool:
    if within.document_ids is not None and document.id not in within.document_ids:
        return False
    if within.folder is not None and not document.path.startswith(within.folder):
        return False
    if within.since is not None and document.modified < within.since:
        return False
    return within.until is None or document.modified < within.until


def _hit(
    connection: sqlite3.Connection, document: ProjectDocument, text_key: int, passage: Passage, score: float
) -> PassageHit:
    return PassageHit(document, passage, read_stretch(connection, text_key, passage.start, passage.end), score)
