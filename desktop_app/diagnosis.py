"""Checks an installation: what of it works and what it can talk to."""

from __future__ import annotations

import asyncio
import contextlib
import os
import platform
import stat
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from desktop_app.backends.backend_protocol import Backend
from desktop_app.controller.chat import ChatController
from desktop_app.controller.connections import ConnectionSetup
from desktop_app.controller.ports import Secrets
from desktop_app.controller.preferences import Preferences
from desktop_app.core.backend_descriptors import KEY_VARIABLES, NOT_OFFERED
from desktop_app.core.context.limits import head_over_cap
from desktop_app.core.errors import PlimsollError
from desktop_app.core.phrases import joined, phrase
from desktop_app.paths import DataPaths
from desktop_app.resources import resource
from desktop_app.storage.backup_folder import is_emptied
from desktop_app.storage.migrations import check_history
from desktop_app.storage.reading_copy import check_unwritable_history, is_writable
from desktop_app.storage.repair_marks import is_gone
from desktop_app.storage.sqlite_errors import emptied, leads_nowhere

OLDEST_PYTHON = (3, 11)
BACKEND = "backend "
"""The names of the checks of backends begin so."""
NEEDED_FILES = (("fonts", "Inter-Regular.otf"), ("fonts", "JetBrainsMono-Regular.ttf"), ("themes", "tokens.json"))


@dataclass(frozen=True, slots=True)
class Check:
    """One finding; `detail` is one sentence. Not every check that failed makes Plimsoll unusable: see `needed`."""

    name: str
    ok: bool
    detail: str
    needed: bool = True


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The findings of all checks."""

    checks: Sequence[Check]

    @property
    def usable(self) -> bool:
        """True if one way to a model is there, and nothing that is needed is missing."""
        return is_usable(self.checks)

    @property
    def report(self) -> str:
        """The checks as lines of text."""
        return report(self.checks)


class Examined(Protocol):
    """The parts of the app that are asked."""

    @property
    def chat(self) -> ChatController: ...

    @property
    def preferences(self) -> Preferences: ...

    @property
    def secrets(self) -> Secrets: ...

    @property
    def connections(self) -> ConnectionSetup: ...

    @property
    def backends(self) -> Mapping[str, Backend]: ...


async def installation(paths: DataPaths) -> list[Check]:
    """The checks that need no open history."""
    return [_python(), _data_folder(paths), await asyncio.to_thread(_history, paths)]


async def connections(services: Examined) -> list[Check]:
    """Settings, keyring, backends and resources."""
    found = [await _settings(services), await _keyring(services)]
    return [*found, *await _backends(services), *await _vocabulary(services), _resources()]


def is_usable(checks: Sequence[Check]) -> bool:
    """Return True if one way to a model is there, and nothing that is needed is missing."""
    one_way = any(check.ok for check in checks if check.name.startswith(BACKEND))
    return one_way and all(check.ok for check in checks if check.needed)


def report(checks: Sequence[Check]) -> str:
    """The checks as lines of text, with a last line on the whole."""
    lines = [f"{'ok' if check.ok else '--'}  {check.name:<24}{check.detail}" for check in checks]
    lines.append("No problems found." if is_usable(checks) else "Problems found: see the lines that start with --.")
    return "\n".join(lines)


def _python() -> Check:
    ok = sys.version_info >= OLDEST_PYTHON
    detail = phrase(
        "Python {version} on {system}.", version=platform.python_version(), system=platform.platform(terse=True)
    )
    return Check("python", ok, detail if ok else joined([detail, phrase("Plimsoll needs Python 3.11 or newer.")]))


def _data_folder(paths: DataPaths) -> Check:
    root = paths.root
    try:
        mode = stat.S_IMODE(root.stat().st_mode)
    except FileNotFoundError:
        return Check(
            "data folder", True, phrase("{root} is not there yet; it is made when something is stored.", root=root)
        )
    except OSError as error:
        return Check(
            "data folder", False, phrase("{root} can't be used: {reason}.", root=root, reason=error.strerror or "")
        )
    if not root.is_dir() or paths.is_read_only():
        return Check("data folder", False, phrase("{root} is not a folder that can be written to.", root=root))
    if os.name == "posix" and mode & 0o077:
        words = phrase("Others may read {root}; chmod 700 closes it.", root=root)
        return Check("data folder", False, words, needed=False)
    return Check("data folder", True, phrase("{root}, for this user only.", root=root))


def _history(paths: DataPaths) -> Check:
    try:
        if paths.history.is_symlink() and not paths.history.exists():
            raise leads_nowhere(paths.history)
        if is_gone(paths.history) or is_emptied(paths.history):
            raise emptied(paths.history)
        if not paths.history.exists():
            return Check("history", True, phrase("No history yet."))
        writable = is_writable(paths.history)
        (check_history if writable else check_unwritable_history)(paths.history)
    except PlimsollError as error:
        return Check("history", False, error.failure.message)
    except OSError as error:
        words = phrase("{path} can't be read: {reason}.", path=paths.history, reason=error.strerror or "")
        return Check("history", False, words)
    megabytes = paths.history.stat().st_size / 1e6
    words = phrase("Whole, {megabytes:,.1f} MB.", megabytes=megabytes)
    if not writable:
        words = phrase("Whole, {megabytes:,.1f} MB; it can only be read.", megabytes=megabytes)
    return Check("history", True, words)


async def _settings(services: Examined) -> Check:
    if problems := services.preferences.problems:
        words = joined([*problems, phrase("The defaults are used there.")])
        return Check("settings", False, words, needed=False)
    limit, head = "", head_over_cap(services.preferences.settings.context)
    with contextlib.suppress(PlimsollError):  # nothing is set up to answer, which is a check of its own
        limit = await services.chat.chooser.limit_problem()
    if told := " ".join(filter(None, (limit, head.message if head is not None else ""))):
        return Check("settings", False, told, needed=False)
    return Check("settings", True, phrase("No problems in settings.toml."))


async def _keyring(services: Examined) -> Check:
    problems = []
    # First a name that no environment variable answers for, so that the keyring itself is asked; then the backends,
    # as whether there is a key is known only once it was asked for.
    for name in ("doctor", *KEY_VARIABLES, *services.preferences.settings.servers):
        try:
            await services.secrets.get(name)
        except PlimsollError as error:
            problems.append(error.failure.message)
    if problems:
        return Check("keyring", False, problems[0], needed=False)
    return Check("keyring", True, phrase("The system keyring can be asked for keys."))


async def _backends(services: Examined) -> list[Check]:
    """A backend that is not there is no fault by itself: one is enough. The scripted one is not offered to users."""
    checks = []
    for name, backend in list(services.backends.items()):
        if name not in NOT_OFFERED:
            found = await backend.availability()
            ok, detail = found.ok, found.detail
            if address := await services.connections.silent_here(name):
                ok = False
                detail = phrase(
                    "Nothing listens at {address}. Start the server, or set another address.", address=address
                )
            checks.append(Check(f"{BACKEND}{name}", ok, detail, needed=False))
    return checks


async def _vocabulary(services: Examined) -> list[Check]:
    """One line where the package is installed: few have it."""
    vocabulary = services.chat.context.vocabulary
    found = None if vocabulary is None else await asyncio.to_thread(lambda: vocabulary.found)
    return [] if found is None else [Check("tiktoken", *found, needed=False)]


def _resources() -> Check:
    try:
        missing = [str(path) for path in (resource(*parts) for parts in NEEDED_FILES) if not path.is_file()]
    except FileNotFoundError as error:
        return Check("resources", False, str(error))
    if missing:
        return Check("resources", False, phrase("Missing: {files}. Install Plimsoll again.", files=", ".join(missing)))
    return Check("resources", True, phrase("Fonts and themes are in place."))
