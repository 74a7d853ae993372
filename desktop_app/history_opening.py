"""Reads the settings and opens the history: all that a command needs which only reads, and the first of every start."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from desktop_app.controller.ports import Announcements, History, LockableSecrets
from desktop_app.controller.preferences import Preferences
from desktop_app.controller.server_keys import RememberedKeys, key_entry
from desktop_app.core.backend_descriptors import KEY_VARIABLES, is_server
from desktop_app.core.errors import HistoryDamagedError, HistoryUnwritableError
from desktop_app.core.history_records import HistoryRepair
from desktop_app.core.redaction import Redaction
from desktop_app.core.search_terms import search_languages
from desktop_app.paths import DataPaths
from desktop_app.storage.backup_folder import is_emptied, known_backups
from desktop_app.storage.file_format import holds_nothing
from desktop_app.storage.repair_marks import needs_look
from desktop_app.storage.sqlite_history import SqliteHistory
from desktop_app.system.private_files import remove_abandoned

SECRET_VARIABLES: Final = (*KEY_VARIABLES.values(), "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN")
"""Variables whose values go to a provider: ours, and those of the SDKs and the `claude` program."""


@dataclass(frozen=True, slots=True)
class ReadServices:
    """The services that `threads`, `show` and `search` need; `await close()` once, at the end."""

    paths: DataPaths
    history: History
    preferences: Preferences
    languages: tuple[str, ...]
    repair: HistoryRepair | None

    async def close(self) -> None:
        await self.history.close()


async def open_for_reading(paths: DataPaths, *, environ: Mapping[str, str], redaction: Redaction) -> ReadServices:
    """As `compose` with `reading`, without what sends: that would be two thirds of what a short command takes."""
    paths = paths.make(reading=True)
    _, preferences, _ = read_preferences(paths, environ, Announcements(), None, redaction)
    settings = preferences.settings
    history, repair = await open_or_repair(paths, settings.backups.folder, only_looking=False, reading=True)
    try:
        await history.repair_turns()
    except HistoryUnwritableError:
        pass  # the turns of dead processes are ended by whoever can write
    except BaseException:
        await history.close()
        raise
    languages = search_languages(settings.appearance.language, environ)
    return ReadServices(paths, history, preferences, languages, repair)


def read_preferences(
    paths: DataPaths,
    environ: Mapping[str, str],
    announcements: Announcements,
    secrets: LockableSecrets | None,
    redaction: Redaction,
) -> tuple[RememberedKeys, Preferences, Callable[[], str | None]]:
    """Keys, settings, and the address of the server that speaks OpenAI's API; `redaction` learns what is secret."""
    for name in SECRET_VARIABLES:
        redaction.add(environ.get(name))
    for name, value in environ.items():
        if name.upper().endswith(("_BASE_URL", "_PROXY")):
            redaction.add_address(value)

    def address() -> str | None:
        # asked anew each time, so that an address that was just set is used at once
        return environ.get("OPENAI_BASE_URL") or preferences.settings.backend("openai").base_url

    def entry(backend: str) -> str:
        if backend == "openai":
            return key_entry(backend, address())
        if is_server(backend):  # without an address no key is for it
            settings = preferences.settings
            address_of = settings.backend(backend).base_url or "plimsoll.invalid"
            return key_entry("openai", address_of, settings.key_owner(backend))
        if environ.get("ANTHROPIC_BASE_URL"):
            return backend
        return key_entry(backend, preferences.settings.backend(backend).base_url)

    def saved() -> list[str]:
        return [key_entry("openai", one) for one in preferences.settings.backend("openai").keyed]

    async def note_saved(entries: Collection[str]) -> None:
        addresses = [one.partition("@")[2] for one in entries]
        await preferences.set_value("backends.openai.keyed", addresses or None)

    keys = RememberedKeys(
        secrets if secrets is not None else _system_secrets(environ),
        entry,
        redaction,
        named=[key_entry(one, environ.get(f"{one.upper()}_BASE_URL")) for one in KEY_VARIABLES],
        saved=saved,
        note_saved=note_saved,
    )
    preferences = Preferences(paths.settings, keys, announcements)

    def learn_addresses() -> None:
        for settings in preferences.settings.backends.values():
            for known in (settings.base_url, *settings.servers):
                redaction.add_address(known)

    learn_addresses()
    preferences.on_change(learn_addresses)
    return keys, preferences, address


async def open_history(path: Path, *, only_looking: bool, reading: bool = False, must_exist: bool = False) -> History:
    """Opens or makes a history file; `only_looking`: nothing is done in it but what is asked for."""

    def storage() -> type[SqliteHistory]:
        return SqliteHistory

    opened = await asyncio.to_thread(storage)
    quiet = {"quiet_s": None} if only_looking else {}
    return await opened.open(path, reading=reading, must_exist=must_exist, **quiet)


async def open_or_repair(
    paths: DataPaths, copies: str | None, *, only_looking: bool, reading: bool
) -> tuple[History, HistoryRepair | None]:
    """The history; one that is damaged is set aside, and what backups and salvage give takes its place.

    A new one is begun only where nothing tells of another: no file when the app was started, and no copy.
    """
    path = paths.history

    def repaired() -> HistoryRepair | None:
        from desktop_app.storage.history_repair import repair_history

        return repair_history(path, known_backups(path, None if copies is None else Path(copies).expanduser()))

    async def opened() -> History:
        return await open_history(path, only_looking=only_looking, reading=reading, must_exist=begun)

    await asyncio.to_thread(remove_abandoned)
    fixed = reading and paths.is_read_only()  # nothing can be set aside there
    look = needs_look(path) or await asyncio.to_thread(_is_emptied, path)
    begun = look or paths.had_history
    repair = await asyncio.to_thread(repaired) if not fixed and look else None
    try:
        return await opened(), repair
    except HistoryDamagedError:
        if fixed:
            raise
        repair = await asyncio.to_thread(repaired)
    return await opened(), repair


def _is_emptied(history: Path) -> bool:
    if not holds_nothing(history):
        return False

    return is_emptied(history)


def _system_secrets(environ: Mapping[str, str]) -> LockableSecrets:
    from desktop_app.credentials.key_stores import KeyringSecrets

    return KeyringSecrets(environ)
