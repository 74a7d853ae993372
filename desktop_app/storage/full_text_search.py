"""Searches the full-text index, in one thread and in many, and lets it catch up.

By text, thread, role, model, time or mark; and for what a question is about."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from math import log
from typing import Any

from desktop_app.core.history_records import EVERYWHERE, RecallHit, SearchHit, SearchPage, SearchWithin
from desktop_app.core.messages import Message
from desktop_app.core.passage_ranking import marked, question_terms, ranked_passages, snippet
from desktop_app.core.search_terms import (
    ENGLISH,
    LONGEST_ENDING,
    SearchTerm,
    attached_text,
    beginning_of_forms,
    has_stem,
    is_unspaced,
    mistyped_forms,
    narrowed,
    nearest_forms,
    needles,
    recallable_text,
    stem,
    tool_text,
    whole_text,
)
from desktop_app.storage.message_store import MessageTopic, catch_up, fact_terms, unindexed_count
from desktop_app.storage.row_mapping import thread_from
from desktop_app.storage.sqlite_connection import THREADS
from desktop_app.storage.thread_store import NOT_DELETED, live_thread

_FROM = "SELECT term FROM temp.word_place WHERE term >= ? LIMIT 1"
_NEXT = "SELECT value, (SELECT term FROM temp.word_place WHERE term >= value LIMIT 1) FROM json_each(?)"
_MARKS = {"up": " AND mark.rating = 'up'", "down": " AND mark.rating = 'down'", "note": " AND mark.note != ''"}


@dataclass(frozen=True, slots=True)
class IndexFilter:
    """A `SearchWithin` as the database is asked. The table `temp.word_place` (`fts5vocab`, by instance) is there."""

    within: SearchWithin
    thread_key: int | None
    values: Mapping[str, Any]
    """The values that `conditions` asks of a row of `message`, in its order."""

    @classmethod
    def of(cls, connection: sqlite3.Connection, within: SearchWithin) -> IndexFilter:
        """`UserError("usage")` for an unknown thread."""
        given = {
            "role = ?": within.role,
            "model = ?": within.model,
            "created >= ?": within.since,
            "created < ?": within.until,
        }
        thread_key = None if within.thread_id is None else live_thread(connection, within.thread_id).key
        return cls(within, thread_key, {name: value for name, value in given.items() if value is not None})

    @property
    def terms(self) -> list[str]:
        """Thread, role and model as the index has them; not the time."""
        facts = fact_terms(thread_key=self.thread_key, role=self.within.role, model=self.within.model)
        return [f'"{term}"' for term in facts]

    @property
    def conditions(self) -> str:
        """On `message`, beside what a query of `terms` holds for certain, and on `mark` where marks are asked for."""
        asked = "".join(f" AND message.{name}" for name in self.values)
        return asked + _MARKS.get(self.within.marked or "", "") + NOT_DELETED

    def months(self, connection: sqlite3.Connection) -> list[str]:
        """The terms of all months of which there are messages in its time, oldest first."""
        (first,), (last,) = fact_terms(month=self.within.since or ""), fact_terms(month=self.within.until or "~")
        found: list[str] = []
        after = connection.execute(_FROM, (first,)).fetchone()
        while after is not None and after[0].startswith("§d") and after[0] <= last:
            found.append(after[0])
            # behind the month and before the next: asked for what is greater, SQLite would read all of its messages
            after = connection.execute(_FROM, (f"{after[0]}0",)).fetchone()
        return found


def rows_of(connection: sqlite3.Connection, statement: str, values: Sequence[Any]) -> list[sqlite3.Row]:
    """All rows by their columns' names."""
    cursor = connection.cursor()
    cursor.row_factory = sqlite3.Row
    return cursor.execute(statement, values).fetchall()


_COLUMNS = "message.key, message.id, message.role, message.created, message.model, thread.id AS thread_id, title"
_ALL_MARKED = f"""
    SELECT {_COLUMNS}, note FROM mark
    CROSS JOIN message ON message.key = mark.message_key CROSS JOIN thread ON thread.key = message.thread_key
    WHERE thread.deleted IS NULL{{conditions}} ORDER BY message.created DESC, message.key DESC LIMIT ?
"""
_OF_THREAD = f"""
    SELECT {_COLUMNS}, '' AS note FROM message CROSS JOIN thread ON thread.key = message.thread_key
    WHERE message.thread_key = ?{{conditions}} ORDER BY message.created DESC, message.key DESC LIMIT ?
"""
# CROSS JOIN keeps the order of the tables: matches come newest first, and no more of them than are asked for.
_OF_MONTH = f"""
    SELECT {_COLUMNS}, '' AS note FROM message_text CROSS JOIN message ON message.key = message_text.rowid
    CROSS JOIN thread ON thread.key = message.thread_key
    WHERE message_text MATCH ? AND thread.deleted IS NULL{{conditions}} ORDER BY message_text.rowid DESC LIMIT ?
"""


def listed(connection: sqlite3.Connection, narrowing: IndexFilter, most: int) -> list[sqlite3.Row]:
    """At most so many messages, newest first; `note` is the user's where marks are asked for."""
    values, conditions = tuple(narrowing.values.values()), narrowing.conditions
    of_thread = () if narrowing.thread_key is None else (narrowing.thread_key,)
    if narrowing.within.marked is not None:
        conditions += " AND message.thread_key = ?" if of_thread else ""
        return rows_of(connection, _ALL_MARKED.format(conditions=conditions), (*values, *of_thread, most))
    if of_thread:
        return rows_of(connection, _OF_THREAD.format(conditions=conditions), (*of_thread, *values, most))
    found: list[sqlite3.Row] = []
    for month in reversed(narrowing.months(connection)):
        query = " AND ".join((*narrowing.terms, f'"{month}"'))
        statement = _OF_MONTH.format(conditions=conditions)
        found += rows_of(connection, statement, (query, *values, most - len(found)))
        if len(found) >= most:
            break
    return found


RANKED = 100
"""The newest matches of a search that are ranked against each other; older ones follow them, newest first."""

RECENT = 400
"""The matches stored last, among which the newest are looked for: what is imported is not stored in its order."""

COMPLETIONS, COMPLETED_MATCHES = 64, 100_000
"""Words that a word half typed may stand for: the most frequent ones, of those with this many matches in all."""

FORMS, WORDS_COMPARED = 16, 200
"""Other forms of a word that are looked for, and words of the index among which they are; the first of these."""

LETTERS_TO_BEGIN, LETTERS_TO_SLIP = 3, 5
"""Letters of a word from which it may be the beginning of others, and one of them may be wrong."""

_CANDIDATES = 60
"""Messages of a thread that are read to find the passages that answer a question."""

_MOST_CANDIDATES = 4 * _CANDIDATES
"""As many are read where most say what is asked only in the results of earlier searches."""

_FRESH_DAYS = 60
"""Age at which a message counts half as much for being new."""

_TYPICAL = 1_500
"""Characters of a message; a word in a longer one says less of what it is about."""

_WORDS = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.word USING fts5vocab (main, message_text, 'row')"
_READ = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.read_word USING fts5vocab (main, passage_text, 'row')"
_FREQUENT = """
    SELECT term FROM (SELECT * FROM temp.word UNION ALL SELECT * FROM temp.read_word)
    WHERE term IN (SELECT value FROM json_each(?)) GROUP BY term ORDER BY sum(doc) DESC LIMIT 1
"""
_PLACES = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.word_place USING fts5vocab (main, message_text, 'instance')"
# CROSS JOIN keeps the order of the tables: matches come newest first, and no more of them than are asked for.
_MATCHES = """
    SELECT message.key, message.id, message.role, message.created, message.model, thread.id AS thread_id, title
    FROM {first}message_text{marked}
    CROSS JOIN message ON message.key = message_text.rowid
    CROSS JOIN thread ON thread.key = message.thread_key
    WHERE message_text MATCH ? AND thread.deleted IS NULL{filters} ORDER BY message_text.rowid DESC LIMIT ?
"""


# Few messages are marked: each of these is looked up in the index, not each match among the marks.
_MARKED = " ON message_text.rowid = mark.message_key"
_NOTES = """
    SELECT message.key, message.id, message.role, message.created, message.model, thread.id AS thread_id, title, note
    FROM mark CROSS JOIN message ON message.key = mark.message_key CROSS JOIN thread ON thread.key = message.thread_key
    WHERE note != '' AND thread.deleted IS NULL{filters} ORDER BY mark.message_key DESC
"""
"""Notes are few as well and stand in no index: all are read, and no message that has none."""


class FullTextSearch(MessageTopic):
    def page(
        self,
        query: str,
        within: SearchWithin = EVERYWHERE,
        *,
        limit: int = 20,
        offset: int = 0,
        languages: Sequence[str] = ENGLISH,
    ) -> SearchPage:
        """`limit` hits from `offset` on (0, or the `after` of a page).

        Best first among the `RANKED` newest, then newest first.

        Hits in what tools were given or answered are left out, unless they are asked for or there are no others.

        Messages with other forms of the words, by the stems of the languages, and with words that begin so, come behind
        all that have the words; those with words of which one is mistyped where nothing else is found. Without words
        everything within, newest first; nothing where nothing narrows it. `role:user` in the query is no word of it.
        """
        query, within = narrowed(query, within)
        wanted = needles(query)
        with self._reading() as connection:
            waiting = unindexed_count(connection)
            narrowing = IndexFilter.of(connection, within)
            if not wanted:
                listing = not query.strip() and within != EVERYWHERE
                return (
                    self._listed(connection, narrowing, limit, offset, waiting)
                    if listing
                    else SearchPage(waiting=waiting)
                )
            parts = narrowing.terms
            if within.since is not None or within.until is not None:
                parts.append(_either(narrowing.months(connection)))
            around = len(parts)
            parts += [part for needle in wanted for part in _parts_of(connection, needle)]
            noted = _noted(connection, narrowing)
            own = {row["key"]: row for row in noted if all(_notes(row["note"], needle) for needle in wanted)}
            most = max(RECENT, offset + limit) + len(own) + 1
            query = " AND ".join(parts) if '""' not in parts else ""  # what no message holds, a note may hold
            rows = _matches(connection, query, narrowing, most) if query else []
            rows = [row for row in rows if row["key"] not in own]
            rows[:RECENT] = sorted(rows[:RECENT], key=_days, reverse=True)
            if len(rows) > RANKED and not within.tools:
                # what was said first: all of the newest matches may be in what tools answered
                said = _matches(connection, f"{{said}} : ({query})", narrowing, most)
                said = [row for row in said if row["key"] not in own]
                said[:RECENT] = sorted(said[:RECENT], key=_days, reverse=True)
                known = {row["key"] for row in said}
                rows = [*said, *(row for row in rows if row["key"] not in known)]
            texts = self._texts(connection, [row["key"] for row in rows[:RANKED]])
            found = [*own.values(), *_ranked(rows[:RANKED], texts, wanted), *rows[RANKED:]]
            shown_for: dict[int, Sequence[SearchTerm]] = {}
            if len(found) < most - 1:  # else there are enough with the words themselves
                forms = _forms(connection, wanted, languages)
                alike = _with_forms(connection, wanted, forms, parts[:around], narrowing, most=most)
                if not found and not alike:
                    forms |= _mistyped(connection, wanted, forms, parts[:around])
                    alike = _with_forms(connection, wanted, forms, parts[:around], narrowing, most=most)
                known = {row["key"] for row in found}
                alike = [row for row in alike if row["key"] not in known]
                also = [*wanted, *(SearchTerm((form,)) for some in forms.values() for form in some)]
                shown_for = {row["key"]: also for row in alike}
                found += sorted(alike, key=_days, reverse=True)

            def hit_of(row: sqlite3.Row, text: tuple[str, str, str]) -> SearchHit:
                key = row["key"]
                return _noted_hit(row, wanted) if key in own else _hit(row, text, shown_for.get(key, wanted))

            page = self._paged(connection, found, texts, hit_of, range(offset, offset + limit), tools=within.tools)
            return replace(page, more=page.more or len(found) >= most, waiting=waiting)

    def respelled(self, wanted: Sequence[SearchTerm]) -> Sequence[SearchTerm]:
        """The terms, each that no message and no document has with the most frequent word of which it is one slip."""
        found = list(wanted)
        with self._reading() as connection:
            for place, needle in enumerate(wanted):
                word = needle.runs[0]
                if len(needle.runs) > 1 or needle.quoted or not has_stem(word) or len(word) < LETTERS_TO_SLIP:
                    continue
                if connection.execute(_FREQUENT, (json.dumps([word]),)).fetchone() is None:
                    meant = connection.execute(_FREQUENT, (json.dumps(mistyped_forms(word)),)).fetchone()
                    found[place] = needle if meant is None else replace(needle, runs=(str(meant[0]),))
        return found

    def in_thread(self, thread_id: str, question: str, among: Collection[str], limit: int) -> Sequence[RecallHit]:
        """The messages among those of these ids that say most of what the question asks about, best first."""
        terms = question_terms(question)
        with self._reading() as connection:
            thread_key = live_thread(connection, thread_id).key
            ids = {
                key: name
                for key, name in connection.execute("SELECT key, id FROM message WHERE thread_key = ?", (thread_key,))
                if name in among
            }
            within = "".join(f'"{term}"' for term in fact_terms(thread_key=thread_key))
            match = "SELECT rowid FROM message_text WHERE message_text MATCH ?"
            weights: list[float] = []
            scores = dict.fromkeys(ids, 0.0)
            for term in terms:
                found = [key for (key,) in connection.execute(match, (f"{within} AND ({term.query})",)) if key in ids]
                weights.append(log(1 + (len(ids) - len(found) + 0.5) / (len(found) + 0.5)))
                for key in found:
                    scores[key] += weights[-1]
            best = sorted((key for key in scores if scores[key]), key=lambda key: (-scores[key], -key))
            hits: list[RecallHit] = []
            for start in range(0, min(len(best), _MOST_CANDIDATES), _CANDIDATES):
                read = self._messages.read_many(connection, best[start : start + _CANDIDATES])
                hits += ranked_passages({row.id: recallable_text(message) for row, message in read}, terms, weights)
                if len(hits) >= _CANDIDATES // 2:
                    break
        return sorted(hits, key=lambda hit: -hit.score)[:limit]

    def _listed(
        self, connection: sqlite3.Connection, narrowing: IndexFilter, limit: int, offset: int, waiting: int
    ) -> SearchPage:
        most = offset + RANKED + limit
        rows = listed(connection, narrowing, most)
        noted = narrowing.within.marked == "note"

        def hit_of(row: sqlite3.Row, text: tuple[str, str, str]) -> SearchHit:
            return _noted_hit(row, ()) if noted else _hit(row, text, ())

        places = range(offset, offset + limit)
        page = self._paged(connection, rows, {}, hit_of, places, tools=narrowing.within.tools)
        return replace(page, more=page.more or len(rows) >= most, waiting=waiting)

    def _paged(
        self,
        connection: sqlite3.Connection,
        rows: Sequence[sqlite3.Row],
        texts: dict[int, tuple[str, str, str]],
        hit_of: Callable[[sqlite3.Row, tuple[str, str, str]], SearchHit],
        asked: range,
        *,
        tools: bool,
    ) -> SearchPage:
        """The page of these rows from that place on; `texts`: what of their messages was read already."""
        hits, others = list[SearchHit](), list[SearchHit]()
        end = min(len(rows), asked.start + max(RANKED, len(asked)))  # a page reads no more
        for start in range(asked.start, end, len(asked)):
            some = rows[start : start + len(asked)]
            texts |= self._texts(connection, [row["key"] for row in some if row["key"] not in texts])
            for place, row in enumerate(some, start):
                hit = hit_of(row, texts[row["key"]])
                if hit.tool != tools:
                    others.append(hit)
                elif len(hits) == len(asked):
                    return SearchPage(tuple(hits), True, after=place)
                else:
                    hits.append(hit)
        shown = hits or ([] if asked.start or tools else others[: len(asked)])
        end = max(end, asked.start + len(hits) + len(others))
        return SearchPage(tuple(shown), end < len(rows), after=end)

    def _texts(self, connection: sqlite3.Connection, keys: Sequence[int]) -> dict[int, tuple[str, str, str]]:
        """Return the words said, those attached, and a tool's among the latter, by key."""
        return {row.key: _parted(message) for row, message in self._messages.read_many(connection, keys)}

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        # made before the transaction, which is undone at its end
        for table in (_WORDS, _PLACES, _READ):
            self._transactions.connection.execute(table)
        with self._transactions.read_plain() as connection:
            yield connection


def _parted(message: Message) -> tuple[str, str, str]:
    return message.text, attached_text(message), tool_text(message)


def _matches(connection: sqlite3.Connection, query: str, narrowing: IndexFilter, most: int) -> list[sqlite3.Row]:
    """The newest messages that the index finds."""
    first, on = ("mark CROSS JOIN ", _MARKED) if narrowing.within.marked is not None else ("", "")
    statement = _MATCHES.format(first=first, marked=on, filters=narrowing.conditions)
    return rows_of(connection, statement, (query, *narrowing.values.values(), most))


def _noted(connection: sqlite3.Connection, narrowing: IndexFilter) -> list[sqlite3.Row]:
    """The messages with a note, newest first."""
    of_thread = () if narrowing.thread_key is None else (narrowing.thread_key,)
    filters = narrowing.conditions + (" AND message.thread_key = ?" if of_thread else "")
    return rows_of(connection, _NOTES.format(filters=filters), (*narrowing.values.values(), *of_thread))


def _notes(note: str, needle: SearchTerm) -> bool:
    """Return True if a note is about the needle. Most are not, which in plain letters is seen at once."""
    if note.isascii() and not any(run in note.lower() for run in needle.runs):
        return False
    return bool(marked(note, (needle,)))


def _either(terms: Sequence[str]) -> str:
    """A query for any of the terms; of one that can't be found where there are none."""
    every = " OR ".join(f'"{term}"' for term in terms)
    return f"({every})" if len(terms) > 1 else every or '""'


def _parts_of(connection: sqlite3.Connection, needle: SearchTerm) -> list[str]:
    """The parts of a query that a term stands for."""
    completed = [_either(_completions(connection, needle.runs[-1]))] if needle.open else []
    return [*([needle.query] if needle.query else []), *completed]


def _completions(connection: sqlite3.Connection, beginning: str) -> list[str]:
    """The most frequent words of the index that begin so.

    A prefix query of FTS5 merges all their matches before it gives the first, 0.2 s and more among a million messages.
    """
    words = connection.execute(
        "SELECT term, doc FROM temp.word WHERE term >= ? AND term < ?", (beginning, beginning + "\U0010ffff")
    )
    found: list[tuple[int, str]] = []
    matches = 0
    for term, count in words:
        found.append((-count, term))
        matches += count
        if matches > COMPLETED_MATCHES:
            break
    exact = [term for _, term in found if term == beginning]
    return [*exact, *(term for _, term in sorted(found) if term != beginning)][:COMPLETIONS]


def _forms(
    connection: sqlite3.Connection, wanted: Sequence[SearchTerm], languages: Sequence[str]
) -> dict[SearchTerm, list[str]]:
    """Other words of the index with a wanted one's stem, or that begin with it; words in quotes as they are."""
    found: dict[SearchTerm, list[str]] = {}
    for needle in wanted:
        word = needle.runs[0]
        if len(needle.runs) > 1 or needle.quoted or is_unspaced(word):
            continue
        forms: set[str] = set()
        for language in languages if has_stem(word) else ():
            forms.update(_words_with_stem(connection, word, language))
        longer = () if needle.open or len(word) < LETTERS_TO_BEGIN else _completions(connection, word)
        words = dict.fromkeys((*nearest_forms(word, sorted(forms), FORMS), *longer))
        words.pop(word, None)
        if words:
            found[needle] = list(words)
    return found


def _mistyped(
    connection: sqlite3.Connection,
    wanted: Sequence[SearchTerm],
    forms: Mapping[SearchTerm, Sequence[str]],
    around: Sequence[str],
) -> dict[SearchTerm, list[str]]:
    """Words of the index from which one slip makes a wanted one that nothing has, or else which begin so."""
    found: dict[SearchTerm, list[str]] = {}
    for needle in wanted:
        word = needle.runs[0]
        if len(needle.runs) > 1 or needle.quoted or not has_stem(word) or len(word) < LETTERS_TO_SLIP:
            continue
        known = _either([word, *_completions(connection, word), *forms.get(needle, ())])
        if connection.execute(_MATCH, (" AND ".join([*around, known]), 1)).fetchone() is not None:
            continue
        following = connection.execute(_NEXT, (json.dumps(mistyped_forms(word)),)).fetchall()
        words = [one for one, after in following if one == after]
        if not words:  # the last letter typed is right, else much would begin so
            begun = [one for one, after in following if one[-1] == word[-1] and str(after).startswith(one)]
            words = [longer for one in begun for longer in _completions(connection, one)]
        if words:
            found[needle] = words[:COMPLETIONS]
    return found


def _words_with_stem(connection: sqlite3.Connection, word: str, language: str) -> Iterator[str]:
    beginning, wanted = beginning_of_forms(word, language), stem(word, language)
    after = beginning
    for _ in range(WORDS_COMPARED if beginning else 0):
        row = connection.execute(_FROM, (after,)).fetchone()
        if row is None or not row[0].startswith(beginning):
            return
        one = str(row[0])
        if len(one) <= len(wanted) + LONGEST_ENDING and one.isalpha() and stem(one, language) == wanted:
            yield one
        after = f"{one}0"  # behind this word: asked for what is greater, SQLite would read all of its messages


def _with_forms(
    connection: sqlite3.Connection,
    wanted: Sequence[SearchTerm],
    forms: Mapping[SearchTerm, Sequence[str]],
    around: Sequence[str],
    narrowing: IndexFilter,
    *,
    most: int,
) -> list[sqlite3.Row]:
    """The newest messages that have the words, or forms of them; `around`: what else the index has to hold."""
    if not forms:
        return []
    parts = list(around)
    for needle in wanted:
        if needle in forms:
            words = _completions(connection, needle.runs[-1]) if needle.open else [needle.runs[0]]
            parts.append(_either(list(dict.fromkeys([*words, *forms[needle]]))))
        else:
            parts += _parts_of(connection, needle)
    return _matches(connection, " AND ".join(parts), narrowing, most) if '""' not in parts else []


def _ranked(
    rows: Sequence[sqlite3.Row], texts: Mapping[int, tuple[str, str, str]], wanted: Sequence[SearchTerm]
) -> list[sqlite3.Row]:
    """Best first: how often and how close together the words stand in what was said, and how new it is."""
    if not rows:
        return []
    newest = max(_days(row) for row in rows)
    literal = " ".join(run for needle in wanted for run in needle.runs)

    def score(row: sqlite3.Row) -> float:
        said, attached = (text.lower() for text in texts[row["key"]][:2])
        long = 1.2 * (0.3 + 0.7 * len(said) / _TYPICAL)
        counts = (said.count(needle.runs[0]) or attached.count(needle.runs[0]) / 10 for needle in wanted)
        often = sum(count / (count + long) for count in counts) / len(wanted)
        together = 0.3 if len(wanted) > 1 and literal in said else 0.0
        return often + together + 0.5 / (1 + (newest - _days(row)) / _FRESH_DAYS)

    return sorted(rows, key=score, reverse=True)


def _days(row: sqlite3.Row) -> float:
    try:
        return datetime.fromisoformat(row["created"]).timestamp() / 86_400
    except ValueError:
        return 0.0


def _hit(row: sqlite3.Row, texts: tuple[str, str, str], wanted: Sequence[SearchTerm]) -> SearchHit:
    said, attached, tools = texts
    of_tool = False
    shown, in_attached = snippet(said, wanted, markdown=True), False
    if attached and not shown.marks:
        other = snippet(attached, wanted)
        if other.marks or not said:
            shown, in_attached = other, True
            used = snippet(tools, wanted)
            if tools and len(used.marks) >= len(other.marks):
                shown, of_tool = used, True
    return SearchHit(
        message_id=row["id"],
        snippet=shown.text,
        marks=shown.marks,
        attached=in_attached,
        tool=of_tool,
        **_facts(row),
    )


def _noted_hit(row: sqlite3.Row, wanted: Sequence[SearchTerm]) -> SearchHit:
    shown = snippet(row["note"], wanted)
    return SearchHit(message_id=row["id"], snippet=shown.text, marks=shown.marks, noted=True, **_facts(row))


def _facts(row: sqlite3.Row) -> dict[str, Any]:
    return {name: row[name] for name in ("thread_id", "title", "role", "created", "model")}


_CANDIDATES_IN_ALL = 120
"""Messages of all threads that are read to find the passages that answer a question."""

_NAMED = 200
"""Threads up to which the index is asked for these alone; of more, their messages are picked out of all."""

_MOST_MATCHES = 20_000
"""Messages with one word of a question that are looked at, those stored last."""

_MATCH = "SELECT rowid FROM message_text WHERE message_text MATCH ? ORDER BY rowid DESC LIMIT ?"
_WAITING = """
    SELECT DISTINCT thread.id FROM unindexed CROSS JOIN message USING (key) CROSS JOIN thread ON thread.key = thread_key
    WHERE thread.id IN (SELECT value FROM json_each(?))
"""
_BRANCH = """
    WITH RECURSIVE branch (key, parent_key) AS (
        SELECT key, parent_key FROM message WHERE id = ?
        UNION ALL
        SELECT message.key, message.parent_key FROM branch JOIN message ON message.key = branch.parent_key
    )
    SELECT message.key, message.id FROM branch JOIN message USING (key)
"""
_THREAD_OF = "SELECT key, thread_key FROM message WHERE key IN (SELECT value FROM json_each(?))"


class ThreadsSearch(MessageTopic):
    """Searches in the current branches of threads of the history file."""

    def waiting(self, among: Collection[str]) -> Sequence[str]:
        """The ids of those of these threads that are not in the index as a whole yet."""
        with self._transactions.read_plain() as connection:
            return [one for (one,) in connection.execute(_WAITING, (json.dumps(list(among)),))]

    def best(self, question: str, among: Collection[str], limit: int) -> Sequence[tuple[str, RecallHit]]:
        """The messages of the threads with the ids `among` that say most of what is asked, best first."""
        terms = question_terms(question)
        with self._transactions.read_plain() as connection:
            ids = json.dumps(list(among))
            where = "deleted IS NULL AND id IN (SELECT value FROM json_each(?))"
            threads = {row.key: row for row in THREADS.read(connection, where, ids)}
            within = " OR ".join(f'"{term}"' for key in threads for term in fact_terms(thread_key=key))
            within = f"({within}) AND " if len(threads) <= _NAMED else ""
            count = sum(row.message_count for row in threads.values())
            if not threads:
                return []
            queries = (f"{within}({term.query})" for term in terms)
            found = [{key for (key,) in connection.execute(_MATCH, (one, _MOST_MATCHES))} for one in queries]
            if not within:
                every = json.dumps(list(set().union(*found)))
                inside = {key for key, thread in connection.execute(_THREAD_OF, (every,)) if thread in threads}
                found = [keys & inside for keys in found]
            weights = [log(1 + (max(0, count - len(keys)) + 0.5) / (len(keys) + 0.5)) for keys in found]
            scores: dict[int, float] = {}
            for weight, keys in zip(weights, found, strict=True):
                for key in keys:
                    scores[key] = scores.get(key, 0.0) + weight
            candidates = self._on_branches(connection, sorted(scores, key=lambda key: (-scores[key], -key)), threads)
            texts = {
                row.id: recallable_text(message) for row, message in self._messages.read_many(connection, candidates)
            }
            thread_of = {name: threads[thread_key].id for name, thread_key in candidates.values()}
        hits = ranked_passages(texts, terms, weights)
        return [(thread_of[hit.message_id], hit) for hit in hits[:limit]]

    def _on_branches(
        self, connection: sqlite3.Connection, best: Sequence[int], threads: Mapping[int, Any]
    ) -> dict[int, tuple[str, int]]:
        """The first of these messages that their thread's current branch shows: id and thread's key of each."""
        found: dict[int, tuple[str, int]] = {}
        shown: dict[int, dict[int, str]] = {}
        for start in range(0, len(best), _CANDIDATES_IN_ALL):
            some = best[start : start + _CANDIDATES_IN_ALL]
            thread_of = dict(connection.execute(_THREAD_OF, (json.dumps(some),)).fetchall())
            for key in some:
                if (thread_key := thread_of[key]) not in shown:
                    shown[thread_key] = _shown(connection, threads[thread_key])
                if key in shown[thread_key]:
                    found[key] = shown[thread_key][key], thread_key
            if len(found) >= _CANDIDATES_IN_ALL:
                break
        return found


def _shown(connection: sqlite3.Connection, row: Any) -> dict[int, str]:
    """Keys and ids of the messages of a thread's current branch, without what is deleted there."""
    branch = dict(connection.execute(_BRANCH, (row.tip,)).fetchall())
    here = set(branch.values())
    gone = {one.message for one in thread_from(row).choices.deleted if one.message in here and one.branch in here}
    return {key: name for key, name in branch.items() if name not in gone}


SLICE_MESSAGES, SLICE_CHARACTERS = 100, 100_000
"""Messages and characters indexed at once, or one message: 20-40 ms, for which other writes wait."""

# By the thread's messages: all those that wait may be a hundred times as many.
_TEXTS_OF_THREAD = """
    SELECT message.key FROM message CROSS JOIN unindexed USING (key)
    WHERE thread_key = (SELECT key FROM thread WHERE id = ?) ORDER BY message.key DESC LIMIT ?
"""


class Indexing(MessageTopic):
    """Works off the messages that wait, newest first, a slice a transaction; who is ended in between goes on later."""

    def step(self, thread_id: str | None = None) -> bool:
        """One slice, of one thread if it is named; False if nothing waited."""
        connection = self._transactions.connection
        # without the lock of a write: this is asked whenever the database has a quiet moment
        if self._transactions.read_only or not self._waiting(thread_id, 1):
            return False
        with self._transactions.write_plain():
            keys = self._waiting(thread_id, SLICE_MESSAGES)
            found: list[tuple[int, int, Message]] = []
            size = 0
            for row, message in self._messages.read_many(connection, keys):
                found.append((row.key, row.thread_key, message))
                size += len(whole_text(message))
                if size > SLICE_CHARACTERS:
                    break
            catch_up(connection, found)
        return bool(found)

    def _waiting(self, thread_id: str | None, most: int) -> list[int]:
        """The newest keys of what waits."""
        connection = self._transactions.connection
        if thread_id is None:
            rows = connection.execute("SELECT key FROM unindexed ORDER BY key DESC LIMIT ?", (most,))
        else:
            rows = connection.execute(_TEXTS_OF_THREAD, (thread_id, most))
        return [key for (key,) in rows]
