"""The page's words for groups, settings, choices and limits. Uses no widget and no value of the user's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from desktop_app.core.phrases import phrase
from desktop_app.core.settings import SettingKey, SettingRule
from desktop_app.ui.i18n.amounts import dollars, token_figure
from desktop_app.ui.i18n.language import TITLES, tr, translated
from desktop_app.ui.preferences.setting_list import GroupKind, Section, Setting, SettingGroup
from desktop_app.ui.preferences.setting_text import written

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
    "context.soft_limit": phrase("token limit context window length older messages"),
    "costs.show_above_usd": _COST_WORDS,
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
    own = key.presets.get(value)
    if own:
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
