"""The folder of backups: makes copies while others write, and keeps the facts of each.

What is known of a copy stands in a file beside them, so that listing them opens none.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Any, Final

from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.history_records import BackedUpThread, Backup, BackupEnded, to_remove
from desktop_app.core.phrases import phrase
from desktop_app.storage import sqlite_errors
from desktop_app.storage.backup import back_up, remove_unproved
from desktop_app.storage.checked_rows import damaged_texts
from desktop_app.storage.file_format import APPLICATION_ID, holds_nothing, quick_verdict, readable
from desktop_app.storage.first_screen import read_first_screen
from desktop_app.storage.repair_marks import KNOWN_COPIES, ask_for_look
from desktop_app.storage.thread_store import IMPORTING
from desktop_app.system.private_files import make_private_folder, write_atomically
from desktop_app.system.system_clock import utc_now

_STAMP: Final = "%Y%m%dT%H%M%SZ"
_BY_HAND: Final = "-kept"
_BEFORE_RESTORE: Final = "-before"
_BREATH_S: Final = 0.02
"""Between two slices of a check or two steps of a copy."""
_PAGES: Final = 512
"""Copied in one step: 2 MB."""
_INSTRUCTIONS: Final = 20_000
"""Steps of SQLite's machine after which a check looks whether it is to end."""

_GONE: Final = """
    SELECT count(*) FROM (SELECT id AS gone FROM backup.message EXCEPT SELECT id FROM main.message)
    JOIN backup.message AS theirs ON theirs.id = gone JOIN backup.thread AS talk ON talk.key = theirs.thread_key
    WHERE NOT EXISTS (SELECT 1 FROM main.erasure WHERE erasure.id IN (gone, talk.id))
    AND coalesce(talk.deleted, '') NOT GLOB ?
"""
"""Messages of unfinished imports are not counted: those may have been given up. Nor are those of a thread that came
back after deletion for good: an older backup may have been chosen for it."""

log = logging.getLogger(__name__)


class BackupFolder:
    """The backups of one history, in `backups/` beside it or `elsewhere`, those made before too. All of it blocks."""

    def __init__(self, history: Path, elsewhere: Path | None = None) -> None:
        self._history = history
        self._own = history.parent / "backups"
        self.folder = elsewhere or self._own

    def all(self) -> Sequence[Backup]:
        """Newest first. One that nothing is known of, or that changed since, is looked into once."""
        known = _read(self._own)
        found: dict[tuple[str, int], Backup] = {}
        facts: dict[str, Any] = {}
        for path in self._files(known):
            stat = path.stat()
            looked = [stat.st_size, stat.st_mtime_ns]
            if (fact := known.get(str(path))) is None or fact.get("looked") != looked:
                fact = {"looked": looked, **_looked_into(path)}
            facts[str(path)] = fact
            found.setdefault((path.name, stat.st_size), _backup(path, fact, stat.st_size))  # copied: once is enough
        if facts != known:
            self._note(facts)
        return sorted(found.values(), key=lambda one: (one.at, one.id), reverse=True)

    def one(self, backup_id: str | None) -> Backup:
        """The backup whose id begins so; None: the newest good one. `UserError("usage")` if there is none."""
        every = self.all()
        if backup_id is None:
            found = [one for one in every if one.verified][:1]
        else:
            exact = [one for one in every if one.id == backup_id]
            found = exact or [one for one in every if backup_id and one.id.startswith(backup_id)]
        if len(found) > 1:
            words = phrase(
                "{found} backups start with {prefix}. Give more characters of the ID.",
                found=len(found),
                prefix=backup_id,
            )
            raise UserError("usage", words)
        if not found:
            words = phrase(
                "There is no backup {backup_id}. `plimsoll backup list` lists them.", backup_id=backup_id or ""
            )
            raise UserError("usage", words if backup_id else phrase("There is no backup yet."))
        return found[0]

    def make(
        self, stop: Event, *, by_hand: bool = False, before_restore: bool = False, now: datetime | None = None
    ) -> Backup:
        """Makes a copy in small steps and verifies it. `BackupEnded` where `stop` was set."""
        target = self._free_name(now or utc_now(), _BEFORE_RESTORE if before_restore else _BY_HAND if by_hand else "")
        try:
            make_private_folder(self.folder)
            remove_unproved(
                self.folder
            )  # of a process that was killed; at the start only our own folder is looked into
            with closing(_reading(self._history)) as connection:
                connection.execute("BEGIN")  # one state throughout: else each write of others begins the copy anew
                connection.execute("SELECT 1 FROM thread LIMIT 1").fetchone()
                back_up(connection, target, pages=_PAGES, pause_s=_BREATH_S, go_on=_unless(stop))
        except (sqlite3.Error, OSError, BackupEnded) as error:
            if stop.is_set():
                raise BackupEnded from error
            raise sqlite_errors.store_error(error, target) or error from error
        facts = _read(self._own)
        stat = target.stat()
        facts[str(target)] = {"looked": [stat.st_size, stat.st_mtime_ns], **_counted(target), "verified": True}
        self._note(facts)
        return _backup(target, facts[str(target)], stat.st_size)

    def _free_name(self, at: datetime, ending: str) -> Path:
        """Two may be made within a second."""
        while True:
            name = f"{self._history.stem}-{at.strftime(_STAMP)}"
            if not any((self.folder / f"{name}{one}.db").exists() for one in ("", _BY_HAND, _BEFORE_RESTORE)):
                return self.folder / f"{name}{ending}.db"
            at += timedelta(seconds=1)

    def thin_out(self, most_bytes: int, *keep: str) -> Sequence[Backup]:
        """Removes those that make room, but not those with the ids `keep`; what was removed."""
        gone = [one for one in to_remove(self.all(), most_bytes) if one.id not in keep]
        for one in gone:
            try:
                Path(one.path).unlink(missing_ok=True)
            except OSError as error:
                log.warning("the backup %s could not be removed: %s", one.id, type(error).__name__)
        return gone

    def threads(self, backup: Backup) -> Sequence[BackedUpThread]:
        """The threads of a backup, last updated first."""
        if (screen := read_first_screen(Path(backup.path), tail=1)) is None:
            words = phrase("The backup {name} can't be read. Choose another one.", name=backup.id)
            raise UserError("store", words)
        with closing(sqlite3.connect(f"{Path(backup.path).absolute().as_uri()}?mode=ro", uri=True)) as connection:
            asked = _questions(connection)
        threads = (one.thread for one in screen.threads)
        return tuple(
            BackedUpThread(one.id, one.title, one.created, one.updated, asked.get(one.id, 0)) for one in threads
        )

    def is_current(self, backup: Backup) -> bool:
        """Return True if nothing was written to the history since this copy was made."""
        made = Path(backup.path).stat().st_mtime_ns
        parts = (self._history, self._history.with_name(f"{self._history.name}-wal"))
        return all(part.stat().st_mtime_ns < made for part in parts if part.exists())

    def size(self) -> int:
        """Bytes of the history."""
        return self._history.stat().st_size

    def check(self, stop: Event) -> str:
        """`ok`, or the first damage that is found in the history; then the next start repairs it."""
        if (verdict := check_in_slices(self._history, stop)) != "ok":
            ask_for_look(self._history)
        return verdict

    def missing(self, stop: Event) -> tuple[Backup, int] | None:
        """The newest good backup and how many messages it has that are gone from the history, though nobody deleted
        them for good: a log that was lost takes a file back to an earlier state without a sign. None: none are gone.
        """
        if (backup := next((one for one in self.all() if one.verified), None)) is None:
            return None
        try:
            with closing(_reading(self._history)) as connection:
                connection.execute("PRAGMA trusted_schema = OFF")
                connection.execute("ATTACH ? AS backup", (f"{Path(backup.path).absolute().as_uri()}?mode=ro",))
                connection.set_progress_handler(stop.is_set, _INSTRUCTIONS)
                version, device = "PRAGMA {}.user_version", "SELECT id FROM {}.device"
                if any(len({connection.execute(one.format(of)).fetchone() for of in ("main", "backup")}) > 1
                       for one in (version, device)):  # fmt: skip
                    return None  # of before a change of format, or another history's
                (count,) = connection.execute(_GONE, (f"{IMPORTING}*",)).fetchone()
        except sqlite3.Error as error:
            if stop.is_set():
                raise BackupEnded from error
            raise sqlite_errors.store_error(error, self._history) or error from error
        return (backup, count) if count else None

    def _files(self, known: Mapping[str, Any]) -> Iterator[Path]:
        noted = (folder for one in known if not _is_anothers(folder := Path(one).parent, self._history))
        for folder in dict.fromkeys((self._own, self.folder, *noted)):
            try:
                yield from (path for path in sorted(folder.glob("*.db")) if path.is_file())
            except OSError as error:  # a share or a disk that is away hides no other copy
                log.warning("a folder of backups can't be read: %s", type(error).__name__)

    def _note(self, facts: Mapping[str, Any]) -> None:
        try:
            make_private_folder(self._own)
            write_atomically(self._own / KNOWN_COPIES, json.dumps(facts, indent=1).encode(), durable=False)
        except OSError as error:
            log.warning("what is known of the backups could not be noted: %s", type(error).__name__)


def known_backups(history: Path, elsewhere: Path | None = None) -> Sequence[Path]:
    """The copies of a history, newest first, wherever they were put."""
    return [Path(one.path) for one in BackupFolder(history, elsewhere).all()]


def is_emptied(history: Path) -> bool:
    """Return True if nothing is in a history, though a good backup has threads."""
    return holds_nothing(history) and any(one.verified and one.threads for one in BackupFolder(history).all())


def copies_elsewhere(history: Path) -> Sequence[Path]:
    """The copies that are not in the folder beside the history."""
    own = history.parent / "backups"
    known = (Path(one) for one in _read(own))
    return [path for path in known if path.parent != own and path.is_file() and not _is_anothers(path.parent, history)]


def _is_anothers(folder: Path, history: Path) -> bool:
    """True if a folder of backups stands beside another history: this one's data folder was copied from there."""
    return folder.parent != history.parent and folder.name == "backups" and (folder.parent / history.name).exists()


def check_in_slices(history: Path, stop: Event) -> str:
    """`ok`, or the first damage to a table or a stored text; in slices, on a connection of its own. Changes nothing."""
    try:
        with closing(_reading(history)) as connection:
            connection.text_factory = readable
            connection.set_progress_handler(stop.is_set, _INSTRUCTIONS)
            tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
            for (name,) in connection.execute(tables).fetchall():
                if (verdict := quick_verdict(connection, name)) != "ok":
                    return verdict
                _breathe(stop)
            if (damaged := next(damaged_texts(connection, lambda: _breathe(stop)), None)) is not None:
                return f"the text of {damaged[0]} {damaged[1]} is damaged"
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if stop.is_set():
            raise BackupEnded from error
        if isinstance(error, sqlite3.OperationalError):
            raise sqlite_errors.store_error(error, history) or error from error
        return str(error)
    return "ok"


def _breathe(stop: Event) -> None:
    if stop.wait(_BREATH_S):
        raise BackupEnded


def _unless(stop: Event) -> Any:
    def go_on() -> None:
        if stop.is_set():
            raise BackupEnded

    return go_on


def _reading(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None)


def _looked_into(path: Path) -> dict[str, Any]:
    try:
        uri = f"{path.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            connection.text_factory = readable
            ours = connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
            return {**_counts(connection), "verified": ours and quick_verdict(connection) == "ok"}
    except (sqlite3.Error, OSError, UnicodeDecodeError, PlimsollError) as error:
        log.warning("the backup %s can't be read: %s", path.name, type(error).__name__)
        return {"threads": 0, "messages": 0, "questions": 0, "verified": False}


def _counted(path: Path) -> dict[str, Any]:
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        return _counts(connection)


def _counts(connection: sqlite3.Connection) -> dict[str, Any]:
    live = "SELECT count(*), coalesce(sum(message_count), 0) FROM thread WHERE deleted IS NULL"
    threads, messages = connection.execute(live).fetchone()
    return {"threads": threads, "messages": messages, "questions": sum(_questions(connection).values())}


COUNTED: Final = ("threads", "messages", "questions", "verified")
_QUESTIONS: Final = """
    SELECT thread.id, count(*) FROM message JOIN thread ON thread.key = message.thread_key
    LEFT JOIN message AS asker ON asker.key = message.parent_key
    WHERE thread.deleted IS NULL AND message.role = 'user' AND coalesce(asker.stop_reason, '') != 'tool_use'
    GROUP BY thread.id
"""


def _questions(connection: sqlite3.Connection) -> dict[str, int]:
    """The number of questions of each thread. What follows a call of tools are results, which nobody typed."""
    return dict(connection.execute(_QUESTIONS))


def made_at(path: Path) -> tuple[str, bool]:
    """When a copy was made, as its name says, whoever copied that since; and True where it is one that rotates."""
    try:
        stem = path.stem.removesuffix(_BY_HAND).removesuffix(_BEFORE_RESTORE)
        at = datetime.strptime(stem.rpartition("-")[2], _STAMP).replace(tzinfo=UTC)
        rotates = True
    except ValueError:  # one made before a change of format, or put there by somebody
        at, rotates = datetime.fromtimestamp(path.stat().st_mtime, UTC), False
    return at.isoformat(timespec="seconds").replace("+00:00", "Z"), rotates


def _backup(path: Path, fact: Mapping[str, Any], size: int) -> Backup:
    at, rotates = made_at(path)
    return Backup(
        path.stem,
        str(path),
        at,
        int(fact["threads"]),
        int(fact["messages"]),
        int(fact["questions"]),
        size,
        bool(fact["verified"]),
        path.stem.endswith((_BY_HAND, _BEFORE_RESTORE)),
        rotates,
        path.stem.endswith(_BEFORE_RESTORE),
    )


def _read(folder: Path) -> dict[str, Any]:
    """Return the known facts, by path; nothing where the file is missing or not ours."""
    try:
        found = json.loads((folder / KNOWN_COPIES).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {path: fact for path, fact in found.items() if _is_fact(fact)}


def _is_fact(fact: Any) -> bool:
    return isinstance(fact, dict) and all(isinstance(fact.get(one), int) for one in COUNTED)
