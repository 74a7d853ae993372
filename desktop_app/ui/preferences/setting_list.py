"""The settings that stand on the page, in which sections, and which a search finds. Uses no widget and no file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from desktop_app.core.backend_descriptors import BACKENDS, backend_descriptor
from desktop_app.core.settings import KEYS, SettingKey, Settings, dotted_name, find_key

Section: TypeAlias = Literal[
    "general", "appearance", "composer", "context", "models", "notifications", "privacy", "advanced"
]
GroupKind: TypeAlias = Literal["plain", "backups", "costs", "default_models", "connection", "model"]

SECTIONS: Final[tuple[Section, ...]] = (
    "general",
    "appearance",
    "composer",
    "context",
    "models",
    "notifications",
    "privacy",
    "advanced",
)
"""The sections of the page, in order."""
PLACES: Final[Mapping[str, tuple[Section, GroupKind]]] = {
    "appearance": ("appearance", "plain"),
    "appearance.language": ("general", "plain"),
    "composer": ("composer", "plain"),
    "context": ("context", "plain"),
    "context.summary_model": ("models", "plain"),
    "context.search_other_threads": ("privacy", "plain"),
    "context.ask_provider_to_count": ("privacy", "plain"),
    "backend": ("models", "plain"),
    "costs": ("models", "costs"),
    "backups": ("general", "backups"),
    "documents": ("advanced", "plain"),
    "window.notify_after_s": ("notifications", "plain"),
}
"""The place of a setting, by its key or its table; else in General."""
DEFAULT_PLACE: Final[tuple[Section, GroupKind]] = ("general", "plain")
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
    """Rows of a section. `name`: the backend's name or the model's id; empty for the others."""

    section: Section
    kind: GroupKind
    name: str
    settings: tuple[Setting, ...]

    @property
    def place(self) -> tuple[Section, GroupKind, str]:
        """The place that tells it from the other groups."""
        return self.section, self.kind, self.name


def groups_of(
    settings: Settings, backends: Iterable[str], further_models: Iterable[str] = ()
) -> tuple[SettingGroup, ...]:
    """All groups in order: the fixed ones, those of connections, one per model that is in the file or asked for."""
    written = [name for name in settings.backends if find_key(("backends", name, "model")) is not None]
    names = list(dict.fromkeys([*backends, *(name for name in written if _says_something(settings, name))]))
    by_connection = {name: _of_backend(settings, name) for name in names}
    groups = [SettingGroup(*place, "", settings) for place, settings in _plain().items()]
    models = tuple(one for rows in by_connection.values() for one in rows if one.path[2] == "model")
    groups.append(SettingGroup("models", "default_models", "", models))
    for name, rows in by_connection.items():
        further = tuple(one for one in rows if one.path[2] != "model")
        groups.append(SettingGroup("advanced", "connection", name, further))
    for model in dict.fromkeys([*settings.models, *further_models]):
        groups.append(SettingGroup("advanced", "model", model, _named("models", model)))
    shown = [group for group in groups if group.settings]
    return tuple(sorted(shown, key=lambda group: SECTIONS.index(group.section)))


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
    """Return True if every word of the query stands in one of the texts, in any case and anywhere in a word."""
    haystack = "\n".join(texts).casefold()
    return all(word in haystack for word in query.casefold().split())


def _plain() -> dict[tuple[Section, GroupKind], tuple[Setting, ...]]:
    """Those of no connection and no model, by place, in the order of the file."""
    placed: dict[tuple[Section, GroupKind], tuple[Setting, ...]] = {}
    for key in KEYS:
        if "*" not in key.name:
            place = PLACES.get(key.name) or PLACES.get(key.name.partition(".")[0], DEFAULT_PLACE)
            placed[place] = (*placed.get(place, ()), Setting(tuple(key.name.split(".")), key))
    return placed


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
