"""The history file's format: ordered steps keyed on PRAGMA user_version.

With them, taking secrets out of copies of the history that older versions made."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from desktop_app.core.errors import UserError
from desktop_app.core.phrases import phrase
from desktop_app.storage import sqlite_errors
from desktop_app.storage.backup import back_up
from desktop_app.storage.file_format import APPLICATION_ID, check_format, file_version, quick_verdict
from desktop_app.storage.migration_steps import ERASURE, PROJECTS, Migration, add_functions
from desktop_app.system.private_files import make_private_file
from desktop_app.system.system_clock import utc_now

CLEANING = (
    "PRAGMA secure_delete = ON",  # what is taken out is overwritten, too
    "UPDATE message SET failure = mended_failure(failure) WHERE failure IS NOT mended_failure(failure)",
)
"""Takes secrets out of failures: of the file in step 7, of the copy that is made before it, and of older copies."""

_TURN_SPENT = """
            CREATE TRIGGER turn_spent AFTER UPDATE OF input, cache_read, cache_write, output, cost_usd ON turn BEGIN
                UPDATE spending SET
                    input = input + coalesce(NEW.input, 0) - coalesce(OLD.input, 0),
                    cache_read = cache_read + coalesce(NEW.cache_read, 0) - coalesce(OLD.cache_read, 0),
                    cache_write = cache_write + coalesce(NEW.cache_write, 0) - coalesce(OLD.cache_write, 0),
                    output = output + coalesce(NEW.output, 0) - coalesce(OLD.output, 0),
                    cost_usd = cost_usd + coalesce(NEW.cost_usd, 0) - coalesce(OLD.cost_usd, 0),
                    priced = priced + (NEW.cost_usd IS NOT NULL) - (OLD.cost_usd IS NOT NULL)
                WHERE day = substr(NEW.started, 1, 10) AND thread_key = NEW.thread_key AND backend = NEW.backend
                    AND model = NEW.model AND purpose = NEW.purpose AND cost_kind = NEW.cost_kind;
            END
            """
"""The trigger of step 2 that keeps the sums right when a turn's figures come; step 7 puts it back."""

STEPS: tuple[Migration, ...] = (
    Migration(
        1,
        "the first format: threads, a tree of messages, turns with their requests, text index, calibration, imports",
        (
            # A long string is stored once, whichever messages and requests it is part of.
            """
            CREATE TABLE block (
                key INTEGER PRIMARY KEY,
                sha256 BLOB NOT NULL UNIQUE,
                encoding INTEGER NOT NULL,
                data BLOB NOT NULL
            )
            """,
            """
            CREATE TABLE thread (
                key INTEGER PRIMARY KEY,
                id TEXT NOT NULL UNIQUE,
                title TEXT NOT NULL,
                created TEXT NOT NULL,
                updated TEXT NOT NULL,
                backend TEXT,
                model TEXT,
                tip TEXT,
                system TEXT NOT NULL,
                project TEXT,
                pinned BOOLEAN NOT NULL,
                archived BOOLEAN NOT NULL,
                soft_limit INTEGER,
                draft TEXT NOT NULL,
                message_count INTEGER NOT NULL,
                deleted TEXT
            )
            """,
            "CREATE INDEX thread_by_update ON thread (updated)",
            # Whole numbers as links keep a row small: ids of 32 characters in every link cost more than many a message.
            """
            CREATE TABLE message (
                key INTEGER PRIMARY KEY,
                id TEXT NOT NULL UNIQUE,
                thread_key INTEGER NOT NULL REFERENCES thread (key),
                parent_key INTEGER REFERENCES message (key),
                depth INTEGER NOT NULL,
                role TEXT NOT NULL,
                state TEXT NOT NULL,
                created TEXT NOT NULL,
                parts BLOB NOT NULL,
                backend TEXT,
                model TEXT,
                usage TEXT,
                stop_reason TEXT,
                prefix_key TEXT,
                "window" TEXT,
                failure TEXT
            )
            """,
            "CREATE INDEX message_by_thread ON message (thread_key)",
            """
            CREATE TABLE turn (
                key INTEGER PRIMARY KEY,
                id TEXT NOT NULL UNIQUE,
                thread_key INTEGER NOT NULL REFERENCES thread (key),
                user_key INTEGER REFERENCES message (key),
                answer_key INTEGER NOT NULL REFERENCES message (key),
                purpose TEXT NOT NULL,
                backend TEXT NOT NULL,
                model TEXT NOT NULL,
                state TEXT NOT NULL,
                started TEXT NOT NULL,
                ended TEXT,
                owner_pid INTEGER NOT NULL,
                owner_started TEXT NOT NULL,
                owner_boot TEXT NOT NULL,
                model_served TEXT,
                stop_reason TEXT,
                failure_code TEXT,
                input INTEGER,
                cache_read INTEGER,
                cache_write INTEGER,
                output INTEGER,
                thinking INTEGER,
                cost_usd REAL
            )
            """,
            "CREATE INDEX turn_by_answer ON turn (answer_key)",
            # The file itself refuses a second running turn in a thread, whatever a process believes.
            "CREATE UNIQUE INDEX turn_running ON turn (thread_key) WHERE state = 'running'",
            """
            CREATE TABLE request (
                key INTEGER PRIMARY KEY,
                turn_key INTEGER NOT NULL REFERENCES turn (key),
                thread_key INTEGER NOT NULL REFERENCES thread (key),
                base_key INTEGER REFERENCES request (key),
                kept INTEGER NOT NULL,
                chain INTEGER NOT NULL,
                body BLOB NOT NULL
            )
            """,
            "CREATE INDEX request_by_turn ON request (turn_key)",
            "CREATE INDEX request_by_thread ON request (thread_key)",
            """
            CREATE TABLE context_event (
                key INTEGER PRIMARY KEY,
                turn_key INTEGER NOT NULL REFERENCES turn (key),
                kind TEXT NOT NULL,
                "before" INTEGER NOT NULL,
                "after" INTEGER NOT NULL,
                messages INTEGER NOT NULL,
                model TEXT NOT NULL
            )
            """,
            "CREATE INDEX context_event_by_turn ON context_event (turn_key)",
            """
            CREATE TABLE calibration (
                backend TEXT NOT NULL,
                model TEXT NOT NULL,
                weights TEXT NOT NULL,
                PRIMARY KEY (backend, model)
            ) WITHOUT ROWID
            """,
            """
            CREATE TABLE import_origin (
                origin TEXT NOT NULL PRIMARY KEY,
                thread_key INTEGER NOT NULL REFERENCES thread (key)
            ) WITHOUT ROWID
            """,
            # Contentless: the text is in the blocks already. The rowid is message.key; it can be built again from
            # there at any time ('delete-all'), with another tokenizer by a later step.
            """
            CREATE VIRTUAL TABLE message_text USING fts5 (
                text, content = '', tokenize = 'unicode61 remove_diacritics 2'
            )
            """,
        ),
    ),
    Migration(
        2,
        "what the user decides about a thread's context, windows that overflows taught, a ledger of all model calls",
        (
            # JSON; empty where nothing is decided, as in most threads.
            "ALTER TABLE thread ADD COLUMN choices TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE turn ADD COLUMN cost_kind TEXT NOT NULL DEFAULT 'money'",
            # Format 1 did not say; with a key in the environment the program was billed, too, but nobody knows when.
            """
            UPDATE turn SET cost_kind = CASE backend WHEN 'claude-cli' THEN 'plan' ELSE 'free' END
            WHERE backend IN ('claude-cli', 'local', 'scripted')
            """,
            # What is spent since a time, of all threads and of one: asked before each request where there is a cap.
            "CREATE INDEX turn_billed ON turn (started, cost_usd) WHERE cost_kind = 'money'",
            "CREATE INDEX turn_billed_in_thread ON turn (thread_key, started, cost_usd) WHERE cost_kind = 'money'",
            """
            CREATE TABLE model_call (
                key INTEGER PRIMARY KEY,
                id TEXT NOT NULL UNIQUE,
                thread_key INTEGER REFERENCES thread (key),
                purpose TEXT NOT NULL,
                backend TEXT NOT NULL,
                model TEXT NOT NULL,
                cost_kind TEXT NOT NULL,
                started TEXT NOT NULL,
                ended TEXT NOT NULL,
                failure_code TEXT,
                input INTEGER,
                cache_read INTEGER,
                cache_write INTEGER,
                output INTEGER,
                thinking INTEGER,
                cost_usd REAL
            )
            """,
            "CREATE INDEX model_call_billed ON model_call (started, cost_usd) WHERE cost_kind = 'money'",
            """
            CREATE INDEX model_call_billed_in_thread ON model_call (thread_key, started, cost_usd)
            WHERE cost_kind = 'money'
            """,
            # Summing 200,000 turns takes 0.2 s, reading sums a fifth of that. The file itself keeps them right.
            # A thread_key of 0: no thread.
            """
            CREATE TABLE spending (
                day TEXT NOT NULL,
                thread_key INTEGER NOT NULL,
                backend TEXT NOT NULL,
                model TEXT NOT NULL,
                purpose TEXT NOT NULL,
                cost_kind TEXT NOT NULL,
                calls INTEGER NOT NULL,
                input INTEGER NOT NULL,
                cache_read INTEGER NOT NULL,
                cache_write INTEGER NOT NULL,
                output INTEGER NOT NULL,
                cost_usd REAL NOT NULL,
                priced INTEGER NOT NULL,
                PRIMARY KEY (day, thread_key, backend, model, purpose, cost_kind)
            ) WITHOUT ROWID
            """,
            """
            INSERT INTO spending
            SELECT substr(started, 1, 10), thread_key, backend, model, purpose, cost_kind, count(*),
                coalesce(sum(input), 0), coalesce(sum(cache_read), 0), coalesce(sum(cache_write), 0),
                coalesce(sum(output), 0), total(cost_usd), count(cost_usd)
            FROM turn GROUP BY 1, 2, 3, 4, 5, 6
            """,
            """
            CREATE TRIGGER turn_counted AFTER INSERT ON turn BEGIN
                INSERT INTO spending VALUES (
                    substr(NEW.started, 1, 10), NEW.thread_key, NEW.backend, NEW.model, NEW.purpose, NEW.cost_kind, 1,
                    coalesce(NEW.input, 0), coalesce(NEW.cache_read, 0), coalesce(NEW.cache_write, 0),
                    coalesce(NEW.output, 0), coalesce(NEW.cost_usd, 0), NEW.cost_usd IS NOT NULL
                )
                ON CONFLICT DO UPDATE SET
                    calls = calls + 1, input = input + excluded.input, cache_read = cache_read + excluded.cache_read,
                    cache_write = cache_write + excluded.cache_write, output = output + excluded.output,
                    cost_usd = cost_usd + excluded.cost_usd, priced = priced + excluded.priced;
            END
            """,
            _TURN_SPENT,
            """
            CREATE TRIGGER model_call_counted AFTER INSERT ON model_call BEGIN
                INSERT INTO spending VALUES (
                    substr(NEW.started, 1, 10), coalesce(NEW.thread_key, 0), NEW.backend, NEW.model, NEW.purpose,
                    NEW.cost_kind, 1, coalesce(NEW.input, 0), coalesce(NEW.cache_read, 0),
                    coalesce(NEW.cache_write, 0), coalesce(NEW.output, 0), coalesce(NEW.cost_usd, 0),
                    NEW.cost_usd IS NOT NULL
                )
                ON CONFLICT DO UPDATE SET
                    calls = calls + 1, input = input + excluded.input, cache_read = cache_read + excluded.cache_read,
                    cache_write = cache_write + excluded.cache_write, output = output + excluded.output,
                    cost_usd = cost_usd + excluded.cost_usd, priced = priced + excluded.priced;
            END
            """,
            # An event may now belong to no request (a refusal, an undo) and to no thread (a private one).
            """
            CREATE TABLE context_event_2 (
                key INTEGER PRIMARY KEY,
                thread_key INTEGER REFERENCES thread (key),
                turn_key INTEGER REFERENCES turn (key),
                at TEXT NOT NULL,
                kind TEXT NOT NULL,
                "before" INTEGER NOT NULL,
                "after" INTEGER NOT NULL,
                messages INTEGER NOT NULL,
                model TEXT NOT NULL,
                cost_usd REAL
            )
            """,
            """
            INSERT INTO context_event_2
            SELECT context_event.key, turn.thread_key, turn_key, started, kind, "before", "after", messages,
                context_event.model, NULL
            FROM context_event JOIN turn ON turn.key = turn_key
            """,
            "DROP TABLE context_event",
            "ALTER TABLE context_event_2 RENAME TO context_event",
            "CREATE INDEX context_event_by_thread ON context_event (thread_key)",
            """
            CREATE TABLE learned_window (
                backend TEXT NOT NULL,
                model TEXT NOT NULL,
                "window" INTEGER NOT NULL,
                PRIMARY KEY (backend, model)
            ) WITHOUT ROWID
            """,
        ),
    ),
    Migration(
        3,
        "a text index that finds Chinese and Japanese by any piece, and what tools returned and documents hold",
        (
            "DROP TABLE message_text",
            # Terms come from the core; the tokenizer only takes them apart at the blanks.
            "CREATE VIRTUAL TABLE message_text USING fts5 (said, attached, content = '', tokenize = 'ascii')",
            # The messages that are not in the index yet; they are put there in slices while the app is in use.
            "CREATE TABLE unindexed (key INTEGER PRIMARY KEY)",
            """
            INSERT INTO unindexed SELECT key FROM message
            WHERE key NOT IN (SELECT answer_key FROM turn WHERE state = 'running') ORDER BY key
            """,
        ),
    ),
    Migration(
        4,
        "what is asked of a thread's model beside the text, and what is attached to a draft",
        (
            "ALTER TABLE thread ADD COLUMN parameters TEXT NOT NULL DEFAULT ''",
            # Beside the thread's row, which is read for every thread of the list: a picture may have megabytes.
            """
            CREATE TABLE draft_attachments (
                thread_key INTEGER PRIMARY KEY REFERENCES thread (key),
                parts BLOB NOT NULL
            )
            """,
        ),
    ),
    Migration(
        5,
        "a library of prompts, the user's marks on messages, and how far a thread was read",
        (
            """
            CREATE TABLE prompt (
                id TEXT NOT NULL PRIMARY KEY,
                title TEXT NOT NULL,
                text TEXT NOT NULL,
                created TEXT NOT NULL,
                updated TEXT NOT NULL
            )
            """,
            # Beside the message, which is never changed once it is whole; few messages have a mark.
            """
            CREATE TABLE mark (
                message_key INTEGER PRIMARY KEY REFERENCES message (key),
                rating TEXT NOT NULL,
                note TEXT NOT NULL
            )
            """,
            "ALTER TABLE thread ADD COLUMN seen TEXT",
            # What there was before anybody noted it counts as read.
            "UPDATE thread SET seen = tip",
        ),
    ),
    Migration(
        6,
        "what the provider counted for a draft, so that every process shows the same number",
        (
            # JSON: the hash of the request and its tokens. NULL: nothing was counted.
            "ALTER TABLE thread ADD COLUMN draft_count TEXT",
        ),
    ),
    Migration(
        7,
        "figures that no call can have are unknown, numbers in parts finite, failures without keys and passwords",
        (
            CLEANING[0],
            "DROP TRIGGER turn_spent",
            *(
                f"""
                UPDATE {table} SET
                    input = NULL, cache_read = NULL, cache_write = NULL, output = NULL, thinking = NULL, cost_usd = NULL
                WHERE input NOT BETWEEN 0 AND 1000000000000 OR cache_read NOT BETWEEN 0 AND 1000000000000
                    OR cache_write NOT BETWEEN 0 AND 1000000000000 OR output NOT BETWEEN 0 AND 1000000000000
                    OR thinking NOT BETWEEN 0 AND 1000000000000
                """
                for table in ("turn", "model_call")
            ),
            *(
                f"UPDATE {table} SET cost_usd = NULL WHERE cost_usd NOT BETWEEN 0 AND 1000000"
                for table in ("turn", "model_call", "context_event")
            ),
            # Only what may be wrong is read as JSON: a history may have a million messages.
            """
            UPDATE message SET usage = mended_usage(usage)
            WHERE usage GLOB '*NaN*' OR usage GLOB '*Infinity*' OR usage GLOB '*:-*' OR usage GLOB '*e+*'
                OR usage GLOB '*[0-9][0-9][0-9][0-9][0-9][0-9][0-9]*'
            """,
            CLEANING[1],
            """
            UPDATE message SET parts = mended_parts(parts)
            WHERE instr(parts, CAST('NaN' AS BLOB)) OR instr(parts, CAST('Infinity' AS BLOB))
            """,
            "DELETE FROM calibration WHERE weights GLOB '*NaN*' OR weights GLOB '*Infinity*'",
            'DELETE FROM learned_window WHERE "window" NOT BETWEEN 1 AND 1000000000000',
            "DELETE FROM spending",
            """
            INSERT INTO spending
            SELECT substr(started, 1, 10), coalesce(thread_key, 0), backend, model, purpose, cost_kind, count(*),
                coalesce(sum(input), 0), coalesce(sum(cache_read), 0), coalesce(sum(cache_write), 0),
                coalesce(sum(output), 0), total(cost_usd), count(cost_usd)
            FROM (
                SELECT started, thread_key, backend, model, purpose, cost_kind, input, cache_read, cache_write, output,
                    cost_usd
                FROM turn
                UNION ALL
                SELECT started, thread_key, backend, model, purpose, cost_kind, input, cache_read, cache_write, output,
                    cost_usd
                FROM model_call
            )
            GROUP BY 1, 2, 3, 4, 5, 6
            """,
            _TURN_SPENT,
            "PRAGMA secure_delete = OFF",
        ),
        add_functions,
    ),
    Migration(
        8,
        "messages that are deleted on every branch; an older version would show and send them again",
        (
            # What is deleted on which branch stands in thread.choices: from there this can be made again. Beside the
            # message, which is never changed once it is whole, and apart from the index, so that a search just passes.
            "CREATE TABLE deleted_message (message_key INTEGER PRIMARY KEY REFERENCES message (key))",
        ),
    ),
    PROJECTS,
    ERASURE,
    Migration(
        11,
        "the characters of a document by class, from which every model's tokens follow",
        ("ALTER TABLE project_document ADD COLUMN counted TEXT NOT NULL DEFAULT ''",),
    ),
)

MENDING = 7
"""The step that takes secrets out."""


def migrate(
    connection: sqlite3.Connection, path: Path, steps: Sequence[Migration] = STEPS, *, keep_copies: bool = True
) -> None:
    """Brings the file to the last step's format, each step in a transaction of its own.

    `connection` must be in autocommit mode. Two processes may do so at once: who comes second finds the step done.
    `keep_copies`: False for what is a copy itself.
    """
    new = file_version(connection) == 0
    for step in steps:
        if (version := file_version(connection)) >= step.number:
            continue
        if keep_copies and not new:
            back_up(connection, _backup_path(path, version), cleaning=CLEANING if step.number == MENDING else ())
        if step.functions is not None:
            step.functions(connection)
        connection.execute("BEGIN IMMEDIATE")
        try:
            if file_version(connection) < step.number:
                for statement in step.statements:
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {step.number}")
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")


SCHEMA = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT GLOB 'sqlite_stat*'"


def schema_of(version: int, kind: str = "*") -> Counter[tuple[str, str, str, str | None]]:
    """Return the make-up of a file of that format: all of it, or its tables alone."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as model:
        migrate(model, Path(), [step for step in STEPS if step.number <= version], keep_copies=False)
        return Counter(model.execute(f"{SCHEMA} AND type GLOB ?", (kind,)))


def missing_of_format(connection: sqlite3.Connection) -> Collection[str]:
    """The names of what a file of the format that this one names has, and this one has not, or otherwise."""
    own = not connection.in_transaction
    if own:
        connection.execute("BEGIN")  # another process may migrate the file between the two looks
    try:
        version, here = file_version(connection), Counter(connection.execute(SCHEMA))
    finally:
        if own:
            connection.execute("ROLLBACK")
    return {name for _, name, _, _ in schema_of(version) - here} if version else {"all"}


def _backup_path(path: Path, version: int) -> Path:
    now = utc_now().strftime("%Y%m%dT%H%M%S.%fZ")
    return path.parent / "backups" / f"{path.stem}-format{version}-{now}{path.suffix}"


WAIT_S = 2.0
"""Seconds to wait for another process's lock."""


def check_history(path: Path) -> None:
    """Raises `UserError("store")` if the file can't be read, is no history, is a newer version's or is damaged.

    Reads the whole file once (SQLite's quick check: pages and rows, without comparing indexes). Blocks.
    """
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=WAIT_S)) as connection:
            check_format(connection, path)
            check_whole(connection)
            if missing := missing_of_format(connection):
                raise sqlite3.DatabaseError(f"of its format it lacks {', '.join(sorted(missing))}")
    except (sqlite3.Error, OSError) as error:
        if (known := sqlite_errors.store_error(error, path)) is None:
            raise UserError(
                "store", phrase("The history file {path} is damaged.", path=path), detail=str(error)
            ) from error
        raise known from error


def check_whole(connection: sqlite3.Connection) -> None:
    """Raises `sqlite3.DatabaseError` where SQLite's quick check finds damage."""
    if (verdict := quick_verdict(connection)) != "ok":
        raise sqlite3.DatabaseError(verdict)


log = logging.getLogger(__name__)

_SEEN: Final = "cleaned.txt"
"""In the folder of copies: the names of those that hold no secrets any more, one a line."""

_HOLDS_SECRETS: Final = "SELECT 1 FROM message WHERE failure IS NOT mended_failure(failure) LIMIT 1"


def clean_old_copies(folder: Path) -> None:
    """Takes out of copies made before step 7 what that step took out of the file. Each is looked at once.

    One that can't be read, or is no history, is left as it is and looked at again; nothing is raised.
    """
    seen = _seen(folder)
    new = [copy for copy in sorted(folder.glob("*.db")) if copy.name not in seen and copy.is_file()]
    cleaned = [copy.name for copy in new if _is_clean_now(copy)]
    if not cleaned:
        return
    try:
        make_private_file(folder / _SEEN)
        with (folder / _SEEN).open("a", encoding="utf-8") as file:
            file.writelines(f"{name}\n" for name in cleaned)
    except OSError as error:
        log.warning("which copies of the history were cleaned could not be noted: %s", type(error).__name__)


def _seen(folder: Path) -> set[str]:
    try:
        path = folder / _SEEN
        return set(path.read_text("utf-8").splitlines()) if path.is_file() else set()
    except (OSError, UnicodeDecodeError):
        return set()


def _is_clean_now(copy: Path) -> bool:
    try:
        with closing(sqlite3.connect(f"{copy.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                return False
            if file_version(connection) >= MENDING:
                return True
            add_functions(connection)
            if connection.execute(_HOLDS_SECRETS).fetchone() is None:
                return True
            found = copy.stat()
            back_up(connection, copy, cleaning=CLEANING)
        os.utime(copy, ns=(found.st_atime_ns, found.st_mtime_ns))  # the copy is as old as it was
    except (sqlite3.Error, OSError, UserError) as error:
        log.warning("a copy of the history could not be cleaned: %s", type(error).__name__)
        return False
    return True
