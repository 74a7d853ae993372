"""Owns which settings stand on the page, in what groups, and which a search finds. Knows no widget and no file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from desktop_app.core.backend_descriptors import BACKENDS, backend_descriptor
from desktop_app.core.settings import KEYS, SettingKey, Settings, dotted_name, find_key

GroupKind: TypeAlias = Literal["general", "appearance", "context", "costs", "connection", "model"]

FIXED: Final[tuple[GroupKind, ...]] = ("general", "appearance", "context", "costs")
GROUP_OF_TABLE: Final[Mapping[str, GroupKind]] = {"appearance": "appearance", "context": "context", "costs": "costs"}
"""Tables with a group of their own; the other plain ones stand under General."""
NOT_BY_ALL: Final = frozenset(key for one in BACKENDS for key in one.settings)
"""Keys of `[backends.*]` that only the connections read whose descriptor names them."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One row: the path in the file, and the documented key with its rule and default."""

    path: tuple[str, ...]
    key: SettingKey

    @property
    def dotted(self) -> str:
        """The path as the file writes it."""
        return dotted_name(self.path)

    @property
    def field(self) -> str:
        """The documented name, with `*` for a connection or a model."""
        return self.key.name


@dataclass(frozen=True, slots=True)
class SettingGroup:
    """Rows under one heading. `name`: the backend's name or the model's id; empty for the fixed groups."""

    kind: GroupKind
    name: str
    settings: tuple[Setting, ...]


def groups_of(
    settings: Settings, backends: Iterable[str], further_models: Iterable[str] = ()
) -> tuple[SettingGroup, ...]:
    """All groups in order: the fixed ones, one per connection, one per model that is in the file or asked for."""
    groups = [SettingGroup(kind, "", _plain(kind)) for kind in FIXED]
    written = [name for name in settings.backends if find_key(("backends", name, "model")) is not None]
    for backend in dict.fromkeys([*backends, *(name for name in written if _says_something(settings, name))]):
        groups.append(SettingGroup("connection", backend, _of_backend(settings, backend)))
    for model in dict.fromkeys([*settings.models, *further_models]):
        groups.append(SettingGroup("model", model, _named("models", model)))
    return tuple(groups)


def value_at(settings: Settings, path: tuple[str, ...]) -> object:
    """The value that counts: what the file says, else the default. None: nothing is said and there is no default."""
    if path == ("backend", "default"):
        return settings.default_backend
    if path[0] == "backends":
        return getattr(settings.backend(path[1]), path[2])
    if path[0] == "models":
        override = settings.models.get(path[1])
        return getattr(override, path[2]) if override is not None else None
    return getattr(getattr(settings, path[0]), path[1])


def found(query: str, *texts: str) -> bool:
    """Whether every word of the query stands in one of the texts, in any case and anywhere in a word."""
    haystack = "\n".join(texts).casefold()
    return all(word in haystack for word in query.casefold().split())


def _plain(kind: GroupKind) -> tuple[Setting, ...]:
    plain = (key for key in KEYS if "*" not in key.name)
    return tuple(
        Setting(tuple(key.name.split(".")), key)
        for key in plain
        if GROUP_OF_TABLE.get(key.name.partition(".")[0], "general") == kind
    )


def _named(table: str, name: str) -> tuple[Setting, ...]:
    keys = (key for key in KEYS if key.name.startswith(f"{table}.*.") and key.on_page)
    return tuple(Setting((table, name, key.name.rpartition(".")[2]), key) for key in keys)


def _of_backend(settings: Settings, backend: str) -> tuple[Setting, ...]:
    return tuple(
        setting
        for setting in _named("backends", backend)
        if setting.path[2] not in NOT_BY_ALL
        or setting.path[2] in backend_descriptor(backend).settings
        or value_at(settings, setting.path) is not None
    )


def _says_something(settings: Settings, backend: str) -> bool:
    return any(value_at(settings, setting.path) is not None for setting in _named("backends", backend))
