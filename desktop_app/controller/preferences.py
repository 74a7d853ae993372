"""Holds the current settings and changes them in the text of settings.toml.

The file is the user's: it is read, changed value by value with the comments kept, and never made anew.
"""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import Any

from desktop_app.controller.ports import Announcements, Secrets
from desktop_app.controller.server_keys import refuse_secret
from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.model_catalog import ModelOverride
from desktop_app.core.phrases import phrase
from desktop_app.core.redaction import holds_secret
from desktop_app.core.settings import OTHER_NAMES, Settings, find_key, parse_settings
from desktop_app.system.private_files import write_atomically

SettingValue = str | int | float | bool | list[str] | None


def read_text(path: Path) -> str:
    """The file's text, empty where there is none. Raises `UserError("store")` where it can't be read."""
    try:
        return path.read_bytes().decode("utf-8", errors="replace")
    except FileNotFoundError:
        return ""
    except OSError as error:
        words = phrase(
            "The settings in {path} can't be read: {reason}.",
            path=path,
            reason=error.strerror or type(error).__name__,
        )
        raise UserError("store", words, detail=str(error), actions=("open_data_folder",)) from error


def key_path(dotted_key: str) -> tuple[str, ...]:
    """The parts of a dotted TOML key: `models."gpt-4.1".window` has three. Raises ValueError where it is none."""
    try:
        table: Any = tomllib.loads(f"{dotted_key} = 0")
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"not a key of settings.toml: {dotted_key}") from error
    parts: list[str] = []
    while isinstance(table, dict):
        (part,) = table
        parts.append(part)
        table = table[part]
    return tuple(parts)


def value_in(text: str, path: Sequence[str]) -> object:
    """The value as the text has it, right or wrong; None where it is not there or the text is not TOML."""
    try:
        found: Any = tomllib.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):  # a number of 5,000 digits is a plain ValueError
        return None
    for name in path:
        if not isinstance(found, dict):
            return None
        found = found.get(name)
    return found


def with_value(text: str, path: Sequence[str], value: SettingValue) -> str:
    """The text with one value set, or taken out for None. `UserError("config")` where the text is not TOML."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(text)
        table: MutableMapping[str, Any] = document
        for name in path[:-1]:
            if name not in table:
                if value is None:
                    return text
                table[name] = tomlkit.table()
            table = table[name]
        if value is not None:
            table[path[-1]] = value
        elif path[-1] in table:
            del table[path[-1]]
            if len(path) == 3 and path[0] == "tool_servers" and not table:
                del document[path[0]][path[1]]  # it was removed
        return tomlkit.dumps(document)
    except (TOMLKitError, TypeError, AttributeError) as error:
        words = phrase("settings.toml has an error and was not changed. Correct it, then change the setting again.")
        raise UserError("config", words, detail=str(error), actions=("open_data_folder",)) from error


class Preferences:
    """Settings and keys. Reads the file when constructed; what is wrong in it stands in `problems`."""

    def __init__(self, path: Path, secrets: Secrets, announcements: Announcements) -> None:
        self._path = path
        self._secrets = secrets
        self._announcements = announcements
        self._writing = asyncio.Lock()
        self._on_change: list[Callable[[], None]] = []
        self._settings, self._problems = self._read()
        self.at_start = self._settings
        """The settings that count until a restart where they are read at the start alone."""

    @property
    def settings(self) -> Settings:
        """The settings as last read or written."""
        return self._settings

    @property
    def problems(self) -> tuple[str, ...]:
        """One sentence per wrong value, naming its key or line."""
        return self._problems

    @property
    def path(self) -> Path:
        return self._path

    def on_change(self, listener: Callable[[], None]) -> None:
        """Calls `listener` after every change of settings or keys, before it is announced."""
        self._on_change.append(listener)

    async def reload(self) -> Settings:
        """Reads the file again and announces it with its problems."""
        self._settings, self._problems = await asyncio.to_thread(self._read)
        self._changed()
        return self._settings

    async def look_again(self) -> None:
        """Reads the file again and announces it where something in it differs."""
        async with self._writing:
            found = await asyncio.to_thread(self._read)
            if found != (self._settings, self._problems):
                self._settings, self._problems = found
                self._changed()

    async def written(self, dotted_key: str) -> SettingValue:
        """The value in the file, None for none, for `set_value` to bring back. `UserError("config")`: unknown key."""
        path = _known(dotted_key, None)
        key = find_key(path)
        try:
            text = await asyncio.to_thread(read_text, self._path)
            names = (path, *(other for other, name in OTHER_NAMES.items() if name == path))
            value = next((found for name in names if (found := value_in(text, name)) is not None), None)
        except PlimsollError:
            return None
        if isinstance(value, str | int | float | list) and key is not None and key.accepts(value):
            return value
        return None

    async def set_value(self, dotted_key: str, value: SettingValue) -> Settings:
        """Writes one value; None takes it out, so that its default counts.

        Raises `UserError("config")` for an unknown key, a value out of its range and a file with a syntax error, and
        `UserError("store")` where the file can't be written; then nothing is changed.
        """
        return await self.set_values({dotted_key: value})

    async def set_values(self, values: Mapping[str, SettingValue]) -> Settings:
        """Writes several values in one step: all of them, or with an error of `set_value` none."""
        paths = {_known(dotted_key, value): value for dotted_key, value in values.items()}
        for path, value in paths.items():
            if path[-1] in ("base_url", "servers"):
                self._refuse_secrets(value)
        async with self._writing:
            await asyncio.to_thread(self._write, paths)
        return await self.reload()

    def _refuse_secrets(self, value: SettingValue) -> None:
        """Refuse secrets in a value; one that is in the file already may stay, since somebody wrote it there."""
        there = {one for backend in self._settings.backends.values() for one in (backend.base_url, *backend.servers)}
        for address in value if isinstance(value, list) else [value]:
            if isinstance(address, str) and address not in there:
                refuse_secret(address)

    async def set_key(self, backend: str, key: str | None) -> None:
        """Stores a provider's key in the system keyring; None or an empty one takes it out. Never in a file."""
        if key and key.strip():
            await self._secrets.set(backend, key.strip())
        else:
            await self._secrets.delete(backend)
        self._changed()

    def keys_changed(self) -> None:
        """Says that a key was stored or taken out."""
        self._changed()

    def _changed(self) -> None:
        for listener in self._on_change:
            listener()
        from desktop_app.core.events import SettingsChanged  # a command that only reads needs no events

        self._announcements.publish(SettingsChanged(self._problems))

    def _read(self) -> tuple[Settings, tuple[str, ...]]:
        try:
            settings, problems = parse_settings(read_text(self._path))
            return settings, (*problems, *_secrets_in(settings))
        except PlimsollError as error:
            return Settings(), (error.failure.message,)

    def _write(self, values: Mapping[tuple[str, ...], SettingValue]) -> None:
        text = read_text(self._path)
        for path, value in values.items():
            for other, name in OTHER_NAMES.items():
                if name == path:
                    text = with_value(text, other, None)
            text = with_value(text, path, value)
        try:
            write_atomically(self._path, text.encode())
        except OSError as error:
            words = phrase(
                "The settings in {path} can't be written: {reason}.",
                path=self._path,
                reason=error.strerror or type(error).__name__,
            )
            raise UserError("store", words, detail=str(error), actions=("open_data_folder",)) from error


def _secrets_in(settings: Settings) -> Iterator[str]:
    """A sentence for each address with a password or key in it, which somebody wrote by hand: it is used as it is."""
    for name, backend in settings.backends.items():
        if any(map(holds_secret, (*([backend.base_url] if backend.base_url else []), *backend.servers))):
            yield phrase(
                "An address of [backends.{name}] in settings.toml holds a password or key. It is used, but anybody who "
                "reads the file can read it. Set the whole address in the environment instead.",
                name=name,
            )


class ModelOverrides(Mapping[str, ModelOverride]):
    """The table `[models]` as it is now, for backends that were made before it changed."""

    def __init__(self, settings: Callable[[], Settings]) -> None:
        self._settings = settings

    def __getitem__(self, model_id: str) -> ModelOverride:
        return self._settings().models[model_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._settings().models)

    def __len__(self) -> int:
        return len(self._settings().models)


def _known(dotted_key: str, value: SettingValue) -> tuple[str, ...]:
    try:
        path = key_path(dotted_key)
    except ValueError as error:
        raise UserError("config", phrase('"{dotted_key}" is not a setting.', dotted_key=dotted_key)) from error
    if (key := find_key(path)) is None:
        raise UserError("config", phrase('"{dotted_key}" is not a setting.', dotted_key=dotted_key))
    if value is not None and not key.accepts(value):
        raise UserError("config", phrase("{dotted_key} must be {allowed}.", dotted_key=dotted_key, allowed=key.allowed))
    return OTHER_NAMES.get(path, path)
