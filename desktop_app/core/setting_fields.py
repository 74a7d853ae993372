"""Describes a setting at the field that holds it: what is allowed, and in which words.

A setting is one field with one of the functions at the end. The page of preferences, its search, the reader of
settings.toml and the user guide's table take everything from there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from desktop_app.core.phrases import phrase

SettingKind: TypeAlias = Literal["switch", "whole", "number", "choice", "text", "address", "addresses", "texts", "keys"]

SETTING: Final = "setting"
"""Under this name the metadata of a field has its `SettingKey`."""
MOST_KEYS: Final = 8
"""Key sequences that one action may have."""
MOST_SERVERS: Final = 100
"""Addresses that may be set up."""
MOST_TEXTS: Final = 500
"""Texts that one list may have."""


@dataclass(frozen=True, slots=True)
class SettingRule:
    """The rule for a value. `low` and `high` are the limits of "whole" and "number"; `or_zero`: 0 is allowed besides.

    `choices` are the values of a "choice", in the order in which they are offered; `others`: names that the user's
    settings make are allowed besides.
    """

    kind: SettingKind
    low: float = 0
    high: float = 0
    or_zero: bool = False
    choices: tuple[str, ...] = ()
    others: bool = False

    def accepts(self, value: object) -> bool:  # noqa: PLR0911
        """Return True if a TOML value is one that is allowed."""
        match self.kind:
            case "switch":
                return isinstance(value, bool)
            case "whole":
                within = isinstance(value, int) and (self.low <= value <= self.high or (self.or_zero and value == 0))
                return within and not isinstance(value, bool)
            case "number":
                return isinstance(value, int | float) and not isinstance(value, bool) and self.low <= value <= self.high
            case "choice":
                return value in self.choices or (self.others and isinstance(value, str))
            case "text":
                return isinstance(value, str) and bool(value.strip()) and "\0" not in value
            case "address":
                return isinstance(value, str) and re.fullmatch(r"https?://[^\s/]\S*", value) is not None
            case "addresses":
                return isinstance(value, list) and len(value) <= MOST_SERVERS and all(map(_ADDRESS.accepts, value))
            case "texts":
                return isinstance(value, list) and len(value) <= MOST_TEXTS and all(map(_is_text, value))
            case "keys":
                several = value if isinstance(value, list) else [value]
                return len(several) <= MOST_KEYS and all(isinstance(one, str) and len(one) <= 80 for one in several)

    @property
    def allowed(self) -> str:  # noqa: PLR0911
        """The allowed values, in words, for the problem line and the user guide."""
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
            case "texts":
                return phrase("a list of texts in quotes")
            case "keys":
                return phrase('keys such as "Ctrl+Shift+K", a list of such, or "" for none')


@dataclass(frozen=True, slots=True)
class SettingKey:
    """One documented key. `*` in `name` stands for a backend's name or a model's id."""

    name: str
    default: object
    rule: SettingRule
    label: str
    """The setting in a few words."""
    meaning: str
    unit: str = ""
    """The unit that a number counts."""
    choices: Mapping[str, str] = field(default_factory=dict, hash=False)
    """The names of the values of a "choice"; one without words is named by whoever knows it."""
    presets: Mapping[float, str] = field(default_factory=dict, hash=False)
    """Numbers to choose from, most people's among them; one without words is told with its unit."""
    holds: Literal["", "model", "folder", "file", "lines"] = ""
    """The kind of thing that a text names, so that it can be chosen instead of written; or it has many lines."""
    travels: bool = False
    """May come from another computer, or a stranger, with an archive: it only changes how Plimsoll looks and is used.

    Consent, money, backups, connections, models, limits and folders are this user's own to set."""
    read_at_start: bool = False
    """A change counts when Plimsoll starts again."""
    says_itself: bool = False
    """Label and choices say all of it: the page shows no line beneath."""
    on_page: bool = True
    """True if it stands on the page of preferences; else it has a page of its own."""

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        return self.rule.allowed

    def accepts(self, value: object) -> bool:
        """Return True if a TOML value is one that is allowed."""
        return self.rule.accepts(value)


_ADDRESS: Final = SettingRule("address")


def _is_text(value: object) -> bool:
    return isinstance(value, str) and "\0" not in value


def switch(label: str, meaning: str, *, default: bool, **more: Any) -> Any:
    """A field that is on or off."""
    return _field(default, SettingRule("switch"), label, meaning, **more)


def whole(
    label: str, meaning: str, *, low: int, high: int, default: int | None, or_zero: bool = False, **more: Any
) -> Any:
    """A field with a whole number; `or_zero`: 0 is allowed besides, and turns it off."""
    return _field(default, SettingRule("whole", low, high, or_zero), label, meaning, **more)


def number(label: str, meaning: str, *, low: float, high: float, default: float | None, **more: Any) -> Any:
    return _field(default, SettingRule("number", low, high), label, meaning, **more)


def choice(
    label: str, meaning: str, *, choices: Mapping[str, str], default: str | None, others: bool = False, **more: Any
) -> Any:
    """A field with one of these values, in the order in which they are offered, each with its words."""
    rule = SettingRule("choice", choices=tuple(choices), others=others)
    return _field(default, rule, label, meaning, choices=choices, **more)


def text(label: str, meaning: str, **more: Any) -> Any:
    """A field with a text, or None."""
    return _field(None, SettingRule("text"), label, meaning, **more)


def address(label: str, meaning: str, **more: Any) -> Any:
    """A field with an address, or None."""
    return _field(None, _ADDRESS, label, meaning, **more)


def addresses(label: str, meaning: str, **more: Any) -> Any:
    """A field with several addresses."""
    return field(default=(), metadata={SETTING: SettingKey("", None, SettingRule("addresses"), label, meaning, **more)})


def texts(meaning: str) -> Any:
    """A field with several texts, which a page of its own shows."""
    about = SettingKey("", None, SettingRule("texts"), "", meaning, on_page=False)
    return field(default=(), metadata={SETTING: about})


def keys(name: str, label: str, meaning: str, **more: Any) -> Any:
    """A field with keys by a name of their own."""
    about = SettingKey(name, None, SettingRule("keys"), label, meaning, **more)
    return field(default_factory=dict, metadata={SETTING: about})


def _field(default: object, rule: SettingRule, label: str, meaning: str, *, name: str = "", **more: Any) -> Any:
    return field(default=default, metadata={SETTING: SettingKey(name, default, rule, label, meaning, **more)})
