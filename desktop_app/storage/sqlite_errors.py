"""Words for what can go wrong with the history file; what is not its or the disk's fault is a bug and passes."""

from __future__ import annotations

import errno
import sqlite3
import zlib
from pathlib import Path

from desktop_app.core.errors import HistoryDamagedError, HistoryReplacedError, HistoryUnwritableError, UserError
from desktop_app.core.phrases import Phrase, template

_FULL = template(
    "The disk is full: {path} can't take any more. Free some space, then try again. What was stored before is safe."
)
_BUSY = template("Another program keeps the history file {path} locked. Close it or wait a moment, then try again.")
_READONLY = template(
    "The history file {path} can't be written. Make the file and its folder writable, or start Plimsoll with another "
    "data folder (--data-dir)."
)
_NOT_A_DATABASE = template(
    "{path} is not a Plimsoll history. Choose another file, or start Plimsoll again: it sets the file aside."
)
_DAMAGED = template(
    "The history file {path} is damaged. Close Plimsoll and start it again to repair it from the backups."
)
_CANT_OPEN = template(
    "The history file {path} can't be opened. Check that its folder exists and that you may read and write there, or "
    "start Plimsoll with another data folder (--data-dir)."
)
_IO = template("Reading or writing {path} failed. Check the disk and its free space, then try again.")

_NEWER = template(
    "The history file {path} was written by a newer version of Plimsoll (format {found}; this version reads formats up "
    "to {known}). Install the newer version, or start this one with another data folder (--data-dir)."
)
_BAD_BACKUP = template(
    "Before changing the history file's format a backup {path} was made, but it can't be read back, so nothing was "
    "changed. Check the disk and its free space, then start Plimsoll again."
)

_OTHER_FILE = template(
    "The history file was replaced, moved or deleted while Plimsoll was using it. Nothing more is written to {path}. "
    "Everything so far, and what you type from now on, is kept in {kept}."
)
_OTHER_FILE_NOT_KEPT = template(
    "The history file was replaced, moved or deleted while Plimsoll was using it. Nothing more is written to {path}. "
    "What Plimsoll had open could not be kept beside it: save it elsewhere."
)
_WRITTEN_OVER = template(
    "The history file was overwritten by another program while Plimsoll was using it. Nothing more is written to "
    "{path}. What you see here is saved beside it when Plimsoll closes."
)
_WRITTEN_OVER_KEPT = template(
    "The history file was overwritten by another program while Plimsoll was using it. Nothing more is written to "
    "{path}. What you see here is saved beside it when Plimsoll closes. A copy of the rest, which may be damaged, "
    "is in {damaged}."
)
_LEADS_NOWHERE = template(
    "The history file {path} is a link to a file that can't be found. Connect the disk that it is on, or move the link "
    "away to start with an empty history."
)
_EMPTY = template("The history file {path} has been emptied. Start Plimsoll again to restore the newest backup.")
_GONE = template("The history file {path} is missing. Start Plimsoll again to restore the newest backup.")
_OPEN_ELSEWHERE = template(
    "The history file {path} is damaged or missing, and another Plimsoll has it open. Close that one; the file is "
    "repaired at the next start."
)

_NO_COPY = template(
    "The history file {path} can't be written, and {folder} has no room for the copy to read. Free some space there, "
    "or set TMPDIR to another folder."
)
_IN_USE = template("The history file {path} can't be read while another program is writing it. Try again in a moment.")

_AWAY = template("The folder {folder} can't be reached. Connect its disk again, or make the folder readable.")

_UNWRITABLE = (_FULL, _BUSY, _READONLY, _AWAY)
"""The problems under which everything can still be read, and may be written later."""

_BY_CODE = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_READONLY: _READONLY,
    sqlite3.SQLITE_PERM: _READONLY,
    sqlite3.SQLITE_NOTADB: _NOT_A_DATABASE,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_CANTOPEN: _CANT_OPEN,
    sqlite3.SQLITE_IOERR: _IO,
}
_BY_ERRNO = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EROFS: _READONLY,
    errno.EACCES: _READONLY,
    errno.EPERM: _READONLY,
}


def store_error(error: BaseException, path: Path) -> UserError | None:
    """The error for the user if `error` (of sqlite3, wrapped by SQLAlchemy, or of the system) is none of our making."""
    cause = getattr(error, "orig", None) or error
    if isinstance(cause, sqlite3.Error):
        words = _BY_CODE.get(getattr(cause, "sqlite_errorcode", 0) & 0xFF)
        detail = f"{getattr(cause, 'sqlite_errorname', 'sqlite3')}: {cause}"
    elif isinstance(cause, OSError):
        words = _BY_ERRNO.get(cause.errno or 0, _CANT_OPEN)
        detail = str(cause)
    elif isinstance(cause, zlib.error | UnicodeDecodeError):  # of a block; of a name in a message of SQLite
        words, detail = _DAMAGED, str(cause)
    else:
        return None
    if words in {_NOT_A_DATABASE, _DAMAGED}:
        return _damaged(words, path, detail)
    return None if words is None else _user_error(words, path, detail)


def is_damaged_text(error: BaseException) -> bool:
    """Return True if a column could not be read because bytes of its text are not UTF-8."""
    return "Could not decode to UTF-8" in str(error)


def full(path: Path) -> UserError:
    return _user_error(_FULL, path, "there would be no room to take it out again")


def read_only(path: Path) -> UserError:
    """For a file that may be read but not written."""
    return _user_error(_READONLY, path, "")


def away(path: Path) -> UserError:
    """For a file that can't be looked at for now, as its disk is not there."""
    return _user_error(_AWAY, path, "", folder=path.parent)


def no_copy(path: Path, folder: Path, error: OSError) -> UserError:
    """For a file that can only be read from a copy, which could not be made in the folder."""
    return _user_error(_NO_COPY, path, str(error), folder=folder)


def in_use(path: Path) -> UserError:
    """For a file that changes whenever it is copied."""
    return _user_error(_IN_USE, path, "")


def not_a_history(path: Path) -> UserError:
    """For a database of another program."""
    return _damaged(_NOT_A_DATABASE, path, "another application's database")


def no_format(path: Path, found: int) -> UserError:
    """For a file whose format no version can have written."""
    return _damaged(_DAMAGED, path, f"format {found}")


def newer_file(path: Path, found: int, known: int) -> UserError:
    """For a file that a newer version wrote; `found` and `known` are format numbers."""
    return _user_error(_NEWER, path, "", found=found, known=known)


def other_file(path: Path, kept: Path | None) -> HistoryReplacedError:
    """For a path where another file stands, or none; `kept`: where what was open is now, if that could be."""
    words = _OTHER_FILE_NOT_KEPT if kept is None else _OTHER_FILE
    error = _replaced(words, path, kept=kept or "")
    error.kept = kept is not None
    return error


def written_over(path: Path, damaged: Path | None) -> HistoryReplacedError:
    """For a file with other content than the one that was opened; `damaged`: where what is left of that is now."""
    words = _WRITTEN_OVER if damaged is None else _WRITTEN_OVER_KEPT
    return _replaced(words, path, damaged=damaged or "")


def leads_nowhere(path: Path) -> UserError:
    """Return the error for a link whose file is not there, which is never created again without telling the user."""
    return _user_error(_LEADS_NOWHERE, path, "dangling link")


def emptied(path: Path) -> UserError:
    """For a file that is missing or empty, which is not made into a new history without a word."""
    return _damaged(_EMPTY if path.exists() else _GONE, path, "nothing is in it")


def open_elsewhere(path: Path) -> UserError:
    """For a damaged file that another process has open, so that it can't be repaired."""
    return _user_error(_OPEN_ELSEWHERE, path, "")


def damaged_backup(path: Path, detail: str) -> UserError:
    """For a backup that does not prove good, so that the step after it is not taken."""
    return _user_error(_BAD_BACKUP, path, detail)


def _user_error(words: str, path: Path, detail: str, **figures: int | Path) -> UserError:
    message = Phrase(words, {"path": path, **figures})
    kind = HistoryUnwritableError if words in _UNWRITABLE else UserError
    return kind("store", message, detail=detail, actions=("retry", "open_data_folder"))


def _damaged(words: str, path: Path, detail: str) -> HistoryDamagedError:
    return HistoryDamagedError(
        "store", Phrase(words, {"path": path}), detail=detail, actions=("repair_history", "open_data_folder")
    )


def _replaced(words: str, path: Path, **figures: Path | str) -> HistoryReplacedError:
    here = "open_new_file" if path.exists() else "new_history"
    message = Phrase(words, {"path": path, **figures})
    return HistoryReplacedError("store", message, actions=("save_elsewhere", here, "open_data_folder"))
