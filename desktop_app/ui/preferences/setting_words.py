"""Owns what the page calls groups, settings, choices and limits. Knows no widget and no value of the user's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from desktop_app.core.phrases import phrase
from desktop_app.core.settings import SettingKey, SettingRule
from desktop_app.ui.i18n.language import TITLES, spoken, tr
from desktop_app.ui.preferences.setting_list import GroupKind, Setting, SettingGroup
from desktop_app.ui.preferences.setting_text import written

NAMES: Final[Mapping[str, str]] = {
    "backend.default": phrase("Connection of new threads"),
    "backends.*.model": phrase("Model of new threads"),
    "backends.*.base_url": phrase("Address"),
    "backends.*.timeout_s": phrase("Longest silence"),
    "backends.*.model_path": phrase("Model file"),
    "context.soft_limit": phrase("Limit of tokens"),
    "context.max_messages": phrase("Limit of messages"),
    "context.max_turns": phrase("Limit of turns"),
    "context.preserve_first_n": phrase("Kept at the start"),
    "context.preserve_last_n": phrase("Kept at the end"),
    "context.summarize_on_trim": phrase("Summarise what is left out"),
    "context.ask_provider_to_count": phrase("Ask provider to count"),
    "context.summary_model": phrase("Model for summaries"),
    "context.idle_reset_minutes": phrase("Start fresh after a pause"),
    "models.*.window": phrase("Context window"),
    "models.*.max_output": phrase("Longest answer"),
    "appearance.theme": phrase("Colours"),
    "appearance.text_size": phrase("Text size"),
    "appearance.reduced_motion": phrase("Reduced motion"),
    "appearance.language": phrase("Language"),
    "composer.enter_sends": phrase("Enter sends"),
    "composer.spell_check": phrase("Check spelling"),
    "composer.spell_languages": phrase("Languages of the spell check"),
    "costs.show_above_usd": phrase("Show a price from"),
    "costs.day_cap_usd": phrase("Spend cap of a day"),
    "costs.thread_cap_usd": phrase("Spend cap of a thread"),
    "titles.by_model": phrase("Titles by the model"),
    "window.tray": phrase("Keep in the tray"),
    "window.notify_after_s": phrase("Tell of a long answer's end"),
}
"""Setting in a few words, by its documented name."""
UNITS: Final[Mapping[str, str]] = {
    "backends.*.timeout_s": phrase("seconds"),
    "context.soft_limit": phrase("tokens"),
    "context.max_messages": phrase("messages"),
    "context.max_turns": phrase("turns"),
    "context.preserve_first_n": phrase("messages"),
    "context.preserve_last_n": phrase("messages"),
    "context.idle_reset_minutes": phrase("minutes"),
    "models.*.window": phrase("tokens"),
    "models.*.max_output": phrase("tokens"),
    "appearance.text_size": phrase("points"),
    "costs.show_above_usd": phrase("US dollars"),
    "costs.day_cap_usd": phrase("US dollars"),
    "costs.thread_cap_usd": phrase("US dollars"),
    "window.notify_after_s": phrase("seconds"),
}
CHOICES: Final[Mapping[str, Mapping[str, str]]] = {
    "appearance.theme": {"system": phrase("As the system"), "light": phrase("Light"), "dark": phrase("Dark")},
    # a language is called as those call it who speak it
    "appearance.language": {"system": phrase("As the system"), **TITLES},
}
GROUPS: Final[Mapping[GroupKind, str]] = {
    "general": phrase("General"),
    "appearance": phrase("Appearance"),
    "context": phrase("Context"),
    "costs": phrase("Costs"),
}


def name_of(setting: Setting) -> str:
    """The setting in a few words; of a key without words of its own, the key's last part."""
    own = NAMES.get(setting.field)
    return spoken(own) if own is not None else setting.path[-1].replace("_", " ").capitalize()


def meaning_of(key: SettingKey) -> str:
    """The sentence of the table of settings."""
    return spoken(key.meaning)


def unit_of(setting: Setting) -> str:
    """What a number counts; empty for other kinds."""
    unit = UNITS.get(setting.field, "")
    return spoken(unit) if unit else ""


def choice_words(setting: Setting, value: str, titles: Mapping[str, str]) -> str:
    """One of the values to choose from; `titles` names the connections."""
    own = CHOICES.get(setting.field, {}).get(value)
    return spoken(own) if own is not None else titles.get(value, value)


def heading_of(group: SettingGroup, titles: Mapping[str, str]) -> str:
    """The heading over a group."""
    if group.kind == "connection":
        return tr("Connection: {name}").format(name=titles.get(group.name, group.name))
    if group.kind == "model":
        return tr("Model: {name}").format(name=group.name)
    return spoken(GROUPS[group.kind])


def allowed_words(rule: SettingRule) -> str:
    """What may be written, as the end of a sentence that begins with "Write"."""
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
    told = tr("“{text}” is not taken. Write {allowed}.")
    return told.format(text=shown, allowed=allowed_words(rule))


def default_words(key: SettingKey, shown: str) -> str:
    """What taking the default does; `shown`: the default's words, empty where there is none."""
    if shown:
        return tr("Back to the default: {value}").format(value=shown)
    return tr("Take this setting out of the file")
