"""Owns what the page calls groups, settings, choices and limits. Knows no widget and no value of the user's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QCoreApplication

from desktop_app.core.settings import SettingKey, SettingRule
from desktop_app.ui.i18n.language import TITLES
from desktop_app.ui.preferences.setting_list import GroupKind, Setting, SettingGroup
from desktop_app.ui.widgets.setting_text import written

NAMES: Final[Mapping[str, str]] = {
    "backend.default": "Connection of new threads",
    "backends.*.model": "Model of new threads",
    "backends.*.base_url": "Address",
    "backends.*.timeout_s": "Longest silence",
    "backends.*.model_path": "Model file",
    "context.soft_limit": "Limit of tokens",
    "context.max_messages": "Limit of messages",
    "context.max_turns": "Limit of turns",
    "context.preserve_first_n": "Kept at the start",
    "context.preserve_last_n": "Kept at the end",
    "context.summarize_on_trim": "Summarise what is left out",
    "context.ask_provider_to_count": "Ask provider to count",
    "context.summary_model": "Model for summaries",
    "context.idle_reset_minutes": "Start fresh after a pause",
    "models.*.window": "Context window",
    "models.*.max_output": "Longest answer",
    "appearance.theme": "Colours",
    "appearance.text_size": "Text size",
    "appearance.reduced_motion": "Reduced motion",
    "appearance.language": "Language",
    "composer.enter_sends": "Enter sends",
    "composer.spell_check": "Check spelling",
    "composer.spell_languages": "Languages of the spell check",
    "costs.show_above_usd": "Show a price from",
    "costs.day_cap_usd": "Spend cap of a day",
    "costs.thread_cap_usd": "Spend cap of a thread",
    "titles.by_model": "Titles by the model",
    "window.tray": "Keep in the tray",
    "window.notify_after_s": "Tell of a long answer's end",
}
"""Setting in a few words, by its documented name."""
UNITS: Final[Mapping[str, str]] = {
    "backends.*.timeout_s": "seconds",
    "context.soft_limit": "tokens",
    "context.max_messages": "messages",
    "context.max_turns": "turns",
    "context.preserve_first_n": "messages",
    "context.preserve_last_n": "messages",
    "context.idle_reset_minutes": "minutes",
    "models.*.window": "tokens",
    "models.*.max_output": "tokens",
    "appearance.text_size": "points",
    "costs.show_above_usd": "US dollars",
    "costs.day_cap_usd": "US dollars",
    "costs.thread_cap_usd": "US dollars",
    "window.notify_after_s": "seconds",
}
CHOICES: Final[Mapping[str, Mapping[str, str]]] = {
    "appearance.theme": {"system": "As the system", "light": "Light", "dark": "Dark"},
    # a language is called as those call it who speak it
    "appearance.language": {"system": "As the system", **TITLES},
}
GROUPS: Final[Mapping[GroupKind, str]] = {
    "general": "General",
    "appearance": "Appearance",
    "context": "Context",
    "costs": "Costs",
}


def name_of(setting: Setting) -> str:
    """The setting in a few words; of a key without words of its own, the key's last part."""
    own = NAMES.get(setting.field)
    return _tr(own) if own is not None else setting.path[-1].replace("_", " ").capitalize()


def meaning_of(key: SettingKey) -> str:
    """The sentence of the table of settings."""
    return _tr(key.meaning)


def unit_of(setting: Setting) -> str:
    """What a number counts; empty for other kinds."""
    unit = UNITS.get(setting.field, "")
    return _tr(unit) if unit else ""


def choice_words(setting: Setting, value: str, titles: Mapping[str, str]) -> str:
    """One of the values to choose from; `titles` names the connections."""
    own = CHOICES.get(setting.field, {}).get(value)
    return _tr(own) if own is not None else titles.get(value, value)


def heading_of(group: SettingGroup, titles: Mapping[str, str]) -> str:
    """The heading over a group."""
    if group.kind == "connection":
        return _tr("Connection: {name}").format(name=titles.get(group.name, group.name))
    if group.kind == "model":
        return _tr("Model: {name}").format(name=group.name)
    return _tr(GROUPS[group.kind])


def allowed_words(rule: SettingRule) -> str:
    """What may be written, as the end of a sentence that begins with "Write"."""
    low, high = written(rule.low), written(rule.high)
    match rule.kind:
        case "whole" if rule.or_zero:
            words = _tr("a whole number from {low} to {high}, or 0 to turn it off").format(low=low, high=high)
        case "whole":
            words = _tr("a whole number from {low} to {high}").format(low=low, high=high)
        case "number":
            words = _tr("a number from {low} to {high}").format(low=low, high=high)
        case "address":
            words = _tr("an address that starts with http:// or https://")
        case _:
            words = _tr("some text")
    return words


def wrong_words(rule: SettingRule, text: str) -> str:
    """Why what was written is not taken. A key pasted by mistake is not repeated whole."""
    shown = text.strip()
    shown = f"{shown[:20]}…" if len(shown) > 24 else shown
    told = _tr("“{text}” is not taken. Write {allowed}.")
    return told.format(text=shown, allowed=allowed_words(rule))


def default_words(key: SettingKey, shown: str) -> str:
    """What taking the default does; `shown`: the default's words, empty where there is none."""
    if shown:
        return _tr("Back to the default: {value}").format(value=shown)
    return _tr("Take this setting out of the file")


def _tr(words: str) -> str:
    return QCoreApplication.translate("Preferences", words)
