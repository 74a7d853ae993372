"""The settings as the page lists them: sections, what a search finds, their words, and the text form of a value.
Uses no widget."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from desktop_app.core.backend_descriptors import BACKENDS, backend_descriptor
from desktop_app.core.phrases import phrase
from desktop_app.core.setting_fields import SettingKey, SettingRule
from desktop_app.core.settings import KEYS, Settings, dotted_name, find_key
from desktop_app.ui.i18n.content_words import dollars, token_figure, tokens_of
from desktop_app.ui.i18n.language import TITLES, editable, grouped, tr, translated

_GROUPED = re.compile(r"\d{1,3}(?:([,.'’_\u00a0\u202f ])\d{3})(?:\1\d{3})*")
_DECIMAL = re.compile(r"\d+(?:[.,]\d*)?|[.,]\d+")


@dataclass(frozen=True, slots=True)
class SettingText:
    """The result of reading a field: a value, or None for an empty one (the default counts). Not `right`: neither."""

    value: str | int | float | None
    right: bool = True


WRONG = SettingText(None, right=False)


def read_entry(rule: SettingRule, text: str) -> SettingText:
    """Reads what people write: `150,000`, `150 000`, `150.000` and `150000` are one number, `2,5` is 2.5."""
    if not (plain := text.strip()):
        return SettingText(None)
    value: str | int | float | None = plain
    if rule.kind == "whole":
        value = _whole(plain)
    elif rule.kind == "number":
        value = _number(plain.removeprefix("$").strip())
    return SettingText(value) if value is not None and rule.accepts(value) else WRONG


def written(value: object) -> str:
    """A value as the field shows it; empty for None."""
    if value is None:
        return ""
    if isinstance(value, float):
        return editable(f"{value:,.15g}")
    return grouped(value) if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _whole(text: str) -> int | None:
    # more digits than any limit has are no number to be read
    if len(text) > 40:
        return None
    if _GROUPED.fullmatch(text):
        return int(re.sub(r"\D", "", text))
    if text[-1:] in ("k", "K", "m", "M"):
        return tokens_of(text)  # `50K`, as the window writes it
    return int(text) if re.fullmatch(r"[0-9]+", text) else None


def _number(text: str) -> float | None:
    if len(text) > 40:
        return None
    # three digits after the only comma are thousands; after a point they are not: 0.125 is what it looks like
    if "," in text and _GROUPED.fullmatch(text):
        return float(text.replace(",", ""))
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+\.\d+", text):
        return float(text.replace(",", ""))
    return float(text.replace(",", ".")) if _DECIMAL.fullmatch(text) else None


Section: TypeAlias = Literal[
    "general", "appearance", "composer", "context", "models", "notifications", "privacy", "sync", "advanced"
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
    "sync",
    "advanced",
)
"""The sections of the page, in order."""
PLACES: Final[Mapping[str, tuple[Section, GroupKind]]] = {
    "appearance": ("appearance", "plain"),
    "appearance.language": ("general", "plain"),
    "composer": ("composer", "plain"),
    "context": ("context", "plain"),
    "context.summary_model": ("models", "plain"),
    "context.turn_cap_usd": ("models", "costs"),
    "context.turn_cap_calls": ("models", "costs"),
    "context.max_tool_rounds": ("models", "costs"),
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
    said = any(value_at(settings, setting.path) is not None for setting in _named("backends", backend))
    return said and not settings.backend(backend).removed


DEFAULT_MODEL: Final = "backends.*.model"
"""The setting with a row for each connection, under a heading of their own."""
SECTION_NAMES: Final[Mapping[Section, str]] = {
    "general": phrase("General"),
    "appearance": phrase("Appearance"),
    "composer": phrase("Composer"),
    "context": phrase("Context"),
    "models": phrase("Models"),
    "notifications": phrase("Notifications"),
    "privacy": phrase("Privacy"),
    "sync": phrase("Sync"),
    "advanced": phrase("Advanced"),
}
HEADINGS: Final[Mapping[GroupKind, str]] = {
    "backups": phrase("Backups"),
    "costs": phrase("Costs"),
    "default_models": phrase("Model of new threads"),
}

_COST_WORDS: Final = phrase("cost costs price money budget spend caps tokens statistics")
SEARCH_WORDS: Final[Mapping[str, str]] = {
    "appearance.text_size": phrase("zoom in bigger font text size"),
    "appearance.theme": phrase("theme appearance color scheme dark mode night black"),
    "appearance.reduced_motion": phrase("animation animations transitions"),
    "backend.default": phrase("API key provider account sign in backend"),
    DEFAULT_MODEL: phrase("switch change model"),
    "backends.*.base_url": phrase("server URL endpoint proxy"),
    "backups.automatic": phrase("copy of the history restore thread recover lost damaged safe"),
    "backups.folder": phrase("copy of the history restore thread recover lost damaged safe"),
    "composer.enter_sends": phrase("keyboard keys hotkeys key bindings help"),
    "context.instructions": phrase("custom instructions personalization role persona"),
    "context.soft_limit": phrase("token limit context window length older messages"),
    "costs.show_above_usd": _COST_WORDS,
    "context.turn_cap_usd": _COST_WORDS,
    "context.turn_cap_calls": _COST_WORDS,
    "costs.day_cap_usd": _COST_WORDS,
    "costs.thread_cap_usd": _COST_WORDS,
    "window.tray": phrase("background minimize quit close"),
    "window.notify_after_s": phrase("notification alert sound"),
}
"""Words that people look for a setting by which is called otherwise, as the palette knows them of actions."""


def search_words(key: SettingKey) -> tuple[str, ...]:
    """The further words of a setting; in another language the English ones count, too."""
    words = SEARCH_WORDS.get(key.name)
    return (translated(words), words) if words else ()


def name_of(setting: Setting, titles: Mapping[str, str]) -> str:
    """The setting in a few words; the model of a connection by the connection, under a heading that says the rest."""
    if setting.field == DEFAULT_MODEL:
        return titles.get(setting.path[1], setting.path[1])
    return translated(setting.key.label)


def choice_words(setting: Setting, value: str, titles: Mapping[str, str]) -> str:
    """One of the values to choose from; `titles` names the connections.

    A language is called as those call it who speak it.
    """
    own = setting.key.choices.get(value)
    return translated(own) if own else titles.get(value) or TITLES.get(value, value)


def value_words(key: SettingKey, value: float) -> str:
    """A number as people say it: by its own words, else with what it counts."""
    if own := key.presets.get(value):
        return translated(own)
    if key.unit == "US dollars":
        return dollars(value)
    number = token_figure(value) if key.unit == "tokens" and isinstance(value, int) else written(value)
    return f"{number} {translated(key.unit)}".strip()


def heading_of(group: SettingGroup, titles: Mapping[str, str]) -> str:
    """The heading over a group; "" for the one that its section is named after."""
    if group.kind == "connection":
        return tr("Connection: {name}").format(name=titles.get(group.name, group.name))
    if group.kind == "model":
        return tr("Model: {name}").format(name=group.name)
    return translated(HEADINGS[group.kind]) if group.kind in HEADINGS else ""


def allowed_words(rule: SettingRule) -> str:
    """Return the values that may be written, as the end of a sentence that begins with "Write"."""
    low, high = written(rule.low), written(rule.high)
    match rule.kind:
        case "whole" if rule.or_zero:
            words = tr("a whole number from {low} to {high}, or 0 to turn it off").format(low=low, high=high)
        case "whole":
            words = tr("a whole number from {low} to {high}").format(low=low, high=high)
        case "number":
            words = tr("a number from {low} to {high}").format(low=low, high=high)
        case "address":
            words = tr("an address that starts with http:// or https://")
        case _:
            words = tr("some text")
    return words


def wrong_words(rule: SettingRule, text: str) -> str:
    """Why what was written is not taken. A key pasted by mistake is not repeated whole."""
    shown = text.strip()
    shown = f"{shown[:20]}…" if len(shown) > 24 else shown
    told = tr("“{text}” is not valid. Enter {allowed}.")
    return told.format(text=shown, allowed=allowed_words(rule))


def default_words(key: SettingKey, shown: str) -> str:
    """Return the effect of taking the default, in words; `shown`: the default's words, empty where there is none."""
    if shown:
        return tr("Back to the default: {value}").format(value=shown)
    return tr("Remove this setting from the file")
