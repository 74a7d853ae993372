"""Owns the settings: their values, defaults, allowed ranges, and how settings.toml is read. Knows no file.

Nothing here fails: a wrong value is named by its key and its default is used, so that a typing error never keeps the
app from starting.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from desktop_app.core.backend_descriptors import BACKEND_NAMES
from desktop_app.core.context.plan import ContextSettings
from desktop_app.core.model_catalog import ModelOverride
from desktop_app.core.phrases import phrase
from desktop_app.core.redaction import Redaction

# the two values that live elsewhere belong to the settings as well
__all__ = [
    "KEYS",
    "OTHER_NAMES",
    "AppearanceSettings",
    "BackendSettings",
    "ComposerSettings",
    "ContextSettings",
    "CostSettings",
    "LanguageChoice",
    "ModelOverride",
    "SettingKey",
    "SettingKind",
    "SettingRule",
    "Settings",
    "ThemeChoice",
    "TitleSettings",
    "WindowSettings",
    "dotted_name",
    "find_key",
    "parse_settings",
]

ThemeChoice: TypeAlias = Literal["system", "light", "dark"]
LanguageChoice: TypeAlias = Literal["system", "en", "de", "zh_CN"]
SettingKind: TypeAlias = Literal["switch", "whole", "number", "choice", "text", "address", "addresses", "keys"]

MOST_KEYS: Final = 8
"""Key sequences that one action may have."""
MOST_SERVERS: Final = 100
"""Addresses that may be set up."""


@dataclass(frozen=True, slots=True)
class BackendSettings:
    """The table `[backends.NAME]`; None: the backend's own default. `timeout_s` in seconds.

    `servers` are the addresses that were set up; `base_url` is the one in use.
    """

    model: str | None = None
    base_url: str | None = None
    servers: tuple[str, ...] = ()
    timeout_s: float | None = None
    model_path: str | None = None


@dataclass(frozen=True, slots=True)
class AppearanceSettings:
    """`text_size` in points."""

    theme: ThemeChoice = "system"
    text_size: int = 11
    reduced_motion: bool = False
    language: LanguageChoice = "system"


@dataclass(frozen=True, slots=True)
class ComposerSettings:
    """`enter_sends` False: Enter is a new line and Ctrl+Enter sends.

    `spell_languages`: codes such as "en_US, de_DE"; None: the system's language and English.
    """

    enter_sends: bool = True
    spell_check: bool = False
    spell_languages: str | None = None


@dataclass(frozen=True, slots=True)
class CostSettings:
    """`show_above_usd`: the gauge names a request's price from this many US dollars on.

    `day_cap_usd`, `thread_cap_usd`: spending above them is asked for first, by UTC day and by thread; 0: no cap.
    """

    show_above_usd: float = 0.25
    day_cap_usd: float = 0.0
    thread_cap_usd: float = 0.0


@dataclass(frozen=True, slots=True)
class TitleSettings:
    """`by_model`: after its first answer a thread's model is asked for a title, from at most 150 tokens."""

    by_model: bool = True


@dataclass(frozen=True, slots=True)
class WindowSettings:
    """`tray`: closing the window leaves Plimsoll in the tray.

    `notify_after_s`: an answer that took so many seconds is told by the desktop when it ends unseen; 0: never.
    """

    tray: bool = False
    notify_after_s: int = 20


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything in settings.toml, with defaults for what is not there. Model ids and backend names are the keys."""

    default_backend: str | None = None
    backends: Mapping[str, BackendSettings] = field(default_factory=dict)
    context: ContextSettings = field(default_factory=ContextSettings)
    models: Mapping[str, ModelOverride] = field(default_factory=dict)
    appearance: AppearanceSettings = field(default_factory=AppearanceSettings)
    composer: ComposerSettings = field(default_factory=ComposerSettings)
    costs: CostSettings = field(default_factory=CostSettings)
    titles: TitleSettings = field(default_factory=TitleSettings)
    window: WindowSettings = field(default_factory=WindowSettings)
    shortcuts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The keys that the file gives to an action, by its id; none: the action has no keys. Not read here: who knows keys
    does that."""

    def backend(self, name: str) -> BackendSettings:
        """The settings of one backend, defaults if its table is not there."""
        return self.backends.get(name, BackendSettings())


@dataclass(frozen=True, slots=True)
class SettingRule:
    """What a value must be. `low` and `high` are the limits of "whole" and "number"; `or_zero`: 0 is allowed besides.

    `choices` are the values of a "choice", in the order in which they are offered.
    """

    kind: SettingKind
    low: float = 0
    high: float = 0
    or_zero: bool = False
    choices: tuple[str, ...] = ()

    def accepts(self, value: object) -> bool:  # noqa: PLR0911
        """Whether a TOML value is one that is allowed."""
        match self.kind:
            case "switch":
                return isinstance(value, bool)
            case "whole":
                within = isinstance(value, int) and (self.low <= value <= self.high or (self.or_zero and value == 0))
                return within and not isinstance(value, bool)
            case "number":
                return isinstance(value, int | float) and not isinstance(value, bool) and self.low <= value <= self.high
            case "choice":
                return value in self.choices
            case "text":
                return isinstance(value, str) and bool(value.strip()) and "\0" not in value
            case "address":
                return isinstance(value, str) and re.fullmatch(r"https?://[^\s/]\S*", value) is not None
            case "addresses":
                return isinstance(value, list) and len(value) <= MOST_SERVERS and all(map(_ADDRESS.accepts, value))
            case "keys":
                several = value if isinstance(value, list) else [value]
                return len(several) <= MOST_KEYS and all(isinstance(one, str) and len(one) <= 80 for one in several)

    @property
    def allowed(self) -> str:  # noqa: PLR0911
        """What is allowed, in words, for the problem line and the user guide."""
        match self.kind:
            case "switch":
                return phrase("true or false")
            case "whole":
                if self.or_zero:
                    return phrase("0 (off) or a whole number from {low:,} to {high:,}", low=self.low, high=self.high)
                return phrase("a whole number from {low:,} to {high:,}", low=self.low, high=self.high)
            case "number":
                return phrase("a number from {low:,} to {high:,}", low=self.low, high=self.high)
            case "choice":
                return phrase("one of {values}", values=", ".join(f'"{value}"' for value in self.choices))
            case "text":
                return phrase("a text in quotes")
            case "address":
                return phrase('an address that starts with "http://" or "https://"')
            case "addresses":
                return phrase('a list of addresses that start with "http://" or "https://"')
            case "keys":
                return phrase('keys such as "Ctrl+Shift+K", a list of such, or "" for none')


@dataclass(frozen=True, slots=True)
class SettingKey:
    """One documented key. `*` in `name` stands for a backend's name or a model's id."""

    name: str
    default: object
    rule: SettingRule
    meaning: str

    @property
    def allowed(self) -> str:
        """What is allowed, in words."""
        return self.rule.allowed

    def accepts(self, value: object) -> bool:
        """Whether a TOML value is one that is allowed."""
        return self.rule.accepts(value)


def _whole(low: int, high: int, *, or_zero: bool = False) -> SettingRule:
    return SettingRule("whole", low, high, or_zero)


def _number(low: float, high: float) -> SettingRule:
    return SettingRule("number", low, high)


def _choice(*values: str) -> SettingRule:
    return SettingRule("choice", choices=values)


_BOOL: Final = SettingRule("switch")
_TEXT: Final = SettingRule("text")
_ADDRESS: Final = SettingRule("address")
_ADDRESSES: Final = SettingRule("addresses")
_SEQUENCES: Final = SettingRule("keys")


def _key(name: str, default: object, rule: SettingRule, meaning: str) -> SettingKey:
    # short, so that a key stays one line of the table
    return SettingKey(name, default, rule, meaning)


KEYS: Final[tuple[SettingKey, ...]] = (
    _key("backend.default", None, _choice(*BACKEND_NAMES), phrase("The connection that new threads use.")),
    _key("backends.*.model", None, _TEXT, phrase("The model that new threads of this connection use.")),
    _key("backends.*.base_url", None, _ADDRESS, phrase("The address of the service, where it is not the usual one.")),
    _key("backends.*.servers", None, _ADDRESSES, phrase("The addresses that were set up; base_url is the one in use.")),
    _key("backends.*.timeout_s", None, _number(1, 3_600), phrase("Seconds without any sign of life until giving up.")),
    _key("backends.*.model_path", None, _TEXT, phrase("The model file (GGUF) of the local connection.")),
    _key(
        "context.soft_limit",
        150_000,
        _whole(1_000, 10_000_000),
        phrase("Tokens above which older messages are left out."),
    ),
    _key("context.max_messages", 0, _whole(2, 100_000, or_zero=True), phrase("The most messages in one request.")),
    _key("context.max_turns", 0, _whole(1, 100_000, or_zero=True), phrase("The most turns in one request.")),
    _key("context.preserve_first_n", 1, _whole(0, 1_000), phrase("Messages always kept at the start of the thread.")),
    _key(
        "context.preserve_last_n", 20, _whole(0, 10_000), phrase("Messages kept at the end; token limits come first.")
    ),
    _key("context.summarize_on_trim", False, _BOOL, phrase("Whether what is left out is summarised.")),
    _key("context.summary_model", None, _TEXT, phrase("The model that writes summaries, on connections that have it.")),
    _key(
        "context.idle_reset_minutes", 0, _whole(1, 525_600, or_zero=True), phrase("Idle minutes until starting fresh.")
    ),
    _key(
        "context.ask_provider_to_count", True, _BOOL, phrase("Ask the provider to count a request close to the limit.")
    ),
    _key("models.*.window", None, _whole(2_000, 100_000_000), phrase("The model's context window in tokens.")),
    _key("models.*.max_output", None, _whole(1, 10_000_000), phrase("The longest answer of the model in tokens.")),
    _key("appearance.theme", "system", _choice("system", "light", "dark"), phrase("Light, dark or as the system.")),
    _key("appearance.text_size", 11, _whole(7, 40), phrase("Size of text in points.")),
    _key("appearance.reduced_motion", False, _BOOL, phrase("Whether movements are left away.")),
    _key(
        "appearance.language", "system", _choice("system", "en", "de", "zh_CN"), phrase("The language of the window.")
    ),
    _key("composer.enter_sends", True, _BOOL, phrase("Enter sends; otherwise Ctrl+Enter does.")),
    _key(
        "composer.spell_check",
        False,
        _BOOL,
        phrase("Whether words that are in no dictionary are marked while you write."),
    ),
    _key("composer.spell_languages", None, _TEXT, phrase('The languages you write in, such as "en_US, de_DE".')),
    _key(
        "costs.show_above_usd", 0.25, _number(0, 10_000), phrase("The gauge names a price from this many dollars on.")
    ),
    _key(
        "costs.day_cap_usd", 0.0, _number(0, 1_000_000), phrase("Dollars a day above which it is asked first; 0: off.")
    ),
    _key(
        "costs.thread_cap_usd",
        0.0,
        _number(0, 1_000_000),
        phrase("Dollars a thread above which it is asked first; 0: off."),
    ),
    _key("titles.by_model", True, _BOOL, phrase("Whether a thread's model gives it a title after its first answer.")),
    _key("window.tray", False, _BOOL, phrase("Closing leaves Plimsoll in the tray, where the desktop has one.")),
    _key(
        "window.notify_after_s",
        20,
        _whole(1, 3_600, or_zero=True),
        phrase("Seconds until an unseen answer's end is told."),
    ),
    _key("shortcuts.*", None, _SEQUENCES, phrase("The keys of an action, by its id.")),
)
"""Every key of settings.toml; the user guide's table and the command that writes a setting read it too."""

OTHER_NAMES: Final[Mapping[tuple[str, ...], tuple[str, ...]]] = {
    ("context", "max_conversation_messages"): ("context", "max_messages")
}
"""Keys that are taken as another name of a documented one, which wins where both are there."""

_NAMED_TABLES: Final = ("backends", "models")
_BY_NAME: Final = {key.name: key for key in KEYS}


def find_key(dotted: tuple[str, ...]) -> SettingKey | None:
    """The documented key for a path such as ("backends", "anthropic", "model"), or None."""
    dotted = OTHER_NAMES.get(dotted, dotted)
    if len(dotted) == 3 and dotted[0] in _NAMED_TABLES:
        return _BY_NAME.get(f"{dotted[0]}.*.{dotted[2]}")
    if len(dotted) == 2 and dotted[0] == "shortcuts":
        return _BY_NAME["shortcuts.*"]
    return _BY_NAME.get(".".join(dotted)) if len(dotted) == 2 else None


def dotted_name(path: tuple[str, ...]) -> str:
    """The path as it is written in TOML: parts that are not bare keys are quoted."""
    return ".".join(part if re.fullmatch(r"[A-Za-z0-9_-]+", part) else f'"{part}"' for part in path)


def parse_settings(toml_text: str) -> tuple[Settings, tuple[str, ...]]:
    """Reads settings.toml: settings with defaults for what is wrong, and one sentence per problem.

    A wrong value and an unknown key are named by their dotted key, a syntax error by its line (then all settings are
    the defaults). Never raises for any text.
    """
    try:
        document = tomllib.loads(toml_text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        return Settings(), (_syntax_problem(str(error), toml_text),)
    except ValueError:  # what Python does not read as a number: 4,300 digits and more
        return Settings(), (phrase("settings.toml holds a number that is too long to be read; the defaults are used."),)
    except RecursionError:
        return Settings(), (phrase("settings.toml is nested too deeply to be read; the defaults are used."),)
    reader = _SettingsReader()
    settings = reader.settings(document)
    return settings, tuple(reader.problems)


def _syntax_problem(words: str, toml_text: str) -> str:
    place = re.search(r"\s*\(at line (\d+), column (\d+)\)$", words)
    if place is None:
        line, what = toml_text.count("\n") + 1, re.sub(r"\s*\(at end of document\)$", "", words)
        return phrase("settings.toml, line {line}: {what}; the defaults are used.", line=line, what=what)
    return phrase(
        "settings.toml, line {line}, column {column}: {what}; the defaults are used.",
        line=place[1],
        column=place[2],
        what=words[: place.start()],
    )


class _SettingsReader:
    """Takes values out of a parsed document and collects what is wrong with it."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def settings(self, document: Mapping[str, Any]) -> Settings:
        names = {key.name.partition(".")[0] for key in KEYS}
        for name in document:
            if name not in names:
                self._unknown((name,), names)
        default = self._table(document, "backend").get("default")
        return Settings(
            default_backend=default,
            backends={name: _backend(found) for name, found in self._named(document, "backends").items()},
            context=ContextSettings(**self._table(document, "context")),
            models={name: ModelOverride(**found) for name, found in self._named(document, "models").items()},
            appearance=AppearanceSettings(**self._table(document, "appearance")),
            composer=ComposerSettings(**self._table(document, "composer")),
            costs=CostSettings(**self._table(document, "costs")),
            titles=TitleSettings(**self._table(document, "titles")),
            window=WindowSettings(**self._table(document, "window")),
            shortcuts={name: _sequences(keys) for name, keys in self._table(document, "shortcuts").items()},
        )

    def _table(self, document: Mapping[str, Any], *path: str) -> dict[str, Any]:
        table = document.get(path[-1], {})
        if not isinstance(table, dict):
            header = dotted_name(path)
            self.problems.append(phrase("{name} must be a table, written [{name}]; it is not used.", name=header))
            return {}
        found = {name: value for name, value in table.items() if self._fits((*path, name), value)}
        for other, name in OTHER_NAMES.items():
            if other[:-1] == path and other[-1] in found:
                value = found.pop(other[-1])
                if found.setdefault(name[-1], value) != value:
                    self.problems.append(
                        phrase(
                            "{other} is another name of {name}, which is there too; {value} is used.",
                            other=dotted_name(other),
                            name=dotted_name(name),
                            value=_shown(found[name[-1]]),
                        )
                    )
        return found

    def _named(self, document: Mapping[str, Any], name: str) -> dict[str, dict[str, Any]]:
        tables = document.get(name, {})
        if not isinstance(tables, dict):
            self.problems.append(phrase('{name} must hold tables, written [{name}."NAME"]; it is not used.', name=name))
            return {}
        if name == "backends":
            for unknown in (key for key in tables if key not in BACKEND_NAMES):
                self._unknown((name, unknown), BACKEND_NAMES)
        return {key: self._table(tables, name, key) for key in tables}

    def _fits(self, path: tuple[str, ...], value: object) -> bool:
        key = find_key(path)
        if key is None:
            pattern = (path[0], "*") if len(path) == 3 else path[:1]
            prefix = ".".join(pattern) + "."
            self._unknown(path, [name.removeprefix(prefix) for name in _BY_NAME if name.startswith(prefix)])
            return False
        if key.accepts(value):
            return True
        name = dotted_name(path)
        # a wrong address may hold a password all the same
        shown = _shown(Redaction().of_error(value) if isinstance(value, str) else value)
        found = phrase("{name} is {value}, but must be {allowed}", name=name, value=shown, allowed=key.allowed)
        if key.default is None:
            self.problems.append(phrase("{problem}.", problem=found))
        else:
            instead = phrase("{problem}; {default} is used.", problem=found, default=_shown(key.default))
            self.problems.append(instead)
        return False

    def _unknown(self, path: tuple[str, ...], known: object) -> None:
        near = difflib.get_close_matches(path[-1], list(known) if isinstance(known, list | set | tuple) else [], n=1)
        name = dotted_name(path)
        if near:
            meant = dotted_name((*path[:-1], near[0]))
            problem = phrase("{name} is not a known setting; did you mean {meant}?", name=name, meant=meant)
        else:
            problem = phrase("{name} is not a known setting.", name=name)
        self.problems.append(problem)


def _backend(found: Mapping[str, Any]) -> BackendSettings:
    return BackendSettings(**{**found, "servers": tuple(found.get("servers", ()))})


def _sequences(value: str | list[str]) -> tuple[str, ...]:
    several = [value] if isinstance(value, str) else value
    return tuple(one.strip() for one in several if one.strip())


def _shown(value: object) -> str:
    """A value in few characters, as TOML writes it. A key pasted by mistake is not repeated whole."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return f"{value:,}" if abs(value) < 10**18 else phrase("a number with too many digits")
        case str():
            return f'"{value[:20]}…"' if len(value) > 24 else f'"{value}"'
        case dict():
            return phrase("a table")
        case list():
            return phrase("a list")
        case _:
            return str(value)
