"""Finds the folders where Plimsoll keeps its files, and makes them."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from sys import maxsize
from typing import TYPE_CHECKING

from desktop_app.core.phrases import phrase
from desktop_app.system.system_clock import utc_now

if TYPE_CHECKING:
    from desktop_app.core.errors import UserError

HOME_VARIABLE = "PLIMSOLL_HOME"
PRIVATE_FOLDER = 0o700


@dataclass(frozen=True, slots=True)
class DataPaths:
    """The layout of one data folder. Everything the app writes is under `root`; naming a path makes nothing."""

    root: Path
    set_aside: tuple[str, ...] = ()
    """Sentences about files that `make` put aside, as no file of ours can be such."""
    had_history: bool = False
    """True if something stood at the history's place when `make` was called first."""

    @property
    def history(self) -> Path:
        return self.root / "history.db"

    @property
    def settings(self) -> Path:
        return self.root / "settings.toml"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def log(self) -> Path:
        return self.logs / "plimsoll.log"

    @property
    def backups(self) -> Path:
        return self.root / "backups"

    @property
    def window(self) -> Path:
        """Place of the window state (geometry, splitters)."""
        return self.root / "window.ini"

    @property
    def unsaved(self) -> Path:
        """The path of the texts typed on pages and not saved yet; gone where there is nothing."""
        return self.root / "unsaved.json"

    @property
    def documents(self) -> Path:
        """Copies of the files that were added to projects, by their hash; made with the first."""
        return self.root / "documents"

    @property
    def words(self) -> Path:
        """The words that the user added to the dictionary."""
        return self.root / "words.txt"

    @property
    def cache(self) -> Path:
        """The folder of files that can be removed at any time."""
        return self.root / "cache"

    @property
    def heights(self) -> Path:
        """The file of the heights of long threads as the window has learnt them."""
        return self.cache / "heights"

    @property
    def last_paint(self) -> Path:
        """The file of the window's last look beside the messages; it can be removed at any time."""
        return self.root / "cache" / "last_paint.json"

    @property
    def trash_look(self) -> Path:
        """When it was looked what is in the trash for long; without it, that stays a day longer."""
        return self.cache / "trash_look"

    @property
    def claude_work(self) -> Path:
        """The always empty working folder of the `claude` program: always the same path, for its cache's sake."""
        return self.root / "claude"

    @property
    def claude_check(self) -> Path:
        """The file of the self-test's findings for each `claude` program."""
        return self.root / "claude-check.json"

    @property
    def models(self) -> Path:
        """The lists of models that providers gave."""
        return self.root / "models.json"

    @property
    def tools(self) -> Path:
        """The tools that servers listed."""
        return self.root / "tools.json"

    @property
    def socket(self) -> Path:
        """Name base of the single-instance socket."""
        return self.root / "instance.sock"

    def make(self, *, reading: bool = False) -> DataPaths:
        """Makes the folders, readable by this user only; `UserError("store")` where that is not possible.

        `reading`: a folder that is there and can't be written is left as it is.

        What would keep the app from starting, such as a named pipe in the place of the settings, is renamed.
        A folder that others could read is closed to them, except a root with somebody's files in it: that is theirs.
        """
        had_history = self.had_history or _has_bytes(self.history)
        if reading and self.is_read_only():
            return replace(self, had_history=had_history)
        try:
            self.root.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
            if not any(self.root.iterdir()):
                self.root.chmod(PRIVATE_FOLDER)
            told = self._put_aside_odd()
            for folder in (self.logs, self.backups, self.claude_work):
                folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
                folder.chmod(PRIVATE_FOLDER)
        except OSError as error:
            raise self._refused(f"used: {error.strerror or type(error).__name__}", str(error)) from error
        if not os.access(self.root, os.W_OK | os.X_OK, effective_ids=os.access in os.supports_effective_ids):
            raise self._refused("written to")
        return replace(self, set_aside=(*self.set_aside, *told), had_history=had_history)

    def _refused(self, use: str, detail: str = "") -> UserError:
        from desktop_app.core.errors import UserError  # a start does without it

        return UserError(
            "store",
            f"The data folder {self.root} can't be {use}. "
            f"Choose another one with --data-dir or {HOME_VARIABLE}, or mend its permissions.",
            detail=detail,
        )

    def is_read_only(self) -> bool:
        """Return True if the data folder is there and can be read, but nothing can be written in it."""
        effective = os.access in os.supports_effective_ids
        may = [os.access(self.root, mode, effective_ids=effective) for mode in (os.R_OK | os.X_OK, os.W_OK)]
        return self.root.is_dir() and may == [True, False]

    def _put_aside_odd(self) -> list[str]:
        """Renames what can be no file or folder of ours; a sentence for each."""
        root = self.root
        folders = (self.logs, self.backups, self.claude_work, self.documents, self.cache, self.heights)
        # one after the other: what lies in one that was put aside is gone with it
        others = (root / "running-turns", root / "dictionaries")
        told = [put_aside(path) for path in (*folders, *others) if _is_no_folder(path)]
        largest = {
            self.settings: 1_000_000,
            self.window: 4_000_000,
            self.unsaved: 64_000_000,
            self.models: 64_000_000,
            self.claude_check: 4_000_000,
            self.log: 64_000_000,
            root / "instance.lock": 1_000_000,
            self.words: 64_000_000,
            **{root / f"{self.history.name}{end}": maxsize for end in ("-wal", "-shm", "-journal")},
        }
        odd = [path for path, most in largest.items() if _is_odd(path, most)]
        # a link that leads nowhere stays: what it leads to may be on a disk that is not there yet
        odd += [path for path in (self.history,) if path.exists() and not path.is_file()]
        odd += [path for path in (self.socket,) if path.is_dir()]
        return [*told, *map(put_aside, odd)]


def put_aside(path: Path) -> str:
    """Renames what stands at a path, whatever it is, and says so in a sentence; nothing is deleted."""
    moved = path.with_name(f"{path.name}.set-aside-{utc_now():%Y%m%dT%H%M%S.%fZ}")
    try:
        path.rename(moved)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return phrase("{path} can't be read, nor set aside: {reason}. Move it away.", path=path, reason=reason)
    return phrase("{path} can't be read, so it was set aside as {moved}.", path=path, moved=moved.name)


def _has_bytes(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except OSError:
        return False


def _is_odd(path: Path, most: int) -> bool:
    """A pipe would keep its reader waiting, a folder or dangling link can't be read, and 50 MB are no settings."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return path.is_symlink()
    except OSError:
        return True  # a link to itself, or no right to look
    return not stat.S_ISREG(found.st_mode) or found.st_size > most


def _is_no_folder(path: Path) -> bool:
    """Return True if something stands there that is neither a folder nor a link to one."""
    try:
        return not stat.S_ISDIR(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return path.is_symlink()
    except OSError:
        return True


def data_paths(override: str | None, environ: Mapping[str, str]) -> DataPaths:
    """The data folder: `override` (--data-dir), else PLIMSOLL_HOME, else the platform's place. Makes nothing."""
    chosen = override or environ.get(HOME_VARIABLE)
    if chosen:
        return DataPaths(Path(chosen).expanduser().absolute())
    # Looked up here: the command line with --data-dir, and --version, need not pay for it.
    from platformdirs import user_data_path

    return DataPaths(user_data_path("plimsoll", appauthor=False))
