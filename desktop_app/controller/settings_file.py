"""Reads and writes the text of settings.toml, the user's comments kept."""

from __future__ import annotations

import tomllib
from collections.abc import MutableMapping, Sequence
from pathlib import Path
from typing import Any

from desktop_app.atomic_write import write_atomically
from desktop_app.core.errors import UserError
from desktop_app.core.phrases import phrase

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
        return tomlkit.dumps(document)
    except (TOMLKitError, TypeError, AttributeError) as error:
        raise UserError(
            "config",
            phrase("settings.toml has an error and was not changed. Correct it, then change the setting again."),
            detail=str(error),
            actions=("open_data_folder",),
        ) from error


def write_settings(path: Path, text: str) -> None:
    """Replaces the file in one step, readable by this user only. Raises `UserError("store")`, the old file kept."""
    try:
        write_atomically(path, text.encode())
    except OSError as error:
        words = phrase(
            "The settings in {path} can't be written: {reason}.",
            path=path,
            reason=error.strerror or type(error).__name__,
        )
        raise UserError("store", words, detail=str(error), actions=("open_data_folder",)) from error
