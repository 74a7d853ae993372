"""The text form of a value: how it is written in a field and read from it. Uses no widget and no setting."""

from __future__ import annotations

import re
from dataclasses import dataclass

from desktop_app.core.settings import SettingRule
from desktop_app.ui.i18n.language import editable, grouped

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
    plain = text.strip()
    if not plain:
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
    return int(text) if re.fullmatch(r"[0-9]+", text) else None


def _number(text: str) -> float | None:
    if len(text) > 40:
        return None
    # three digits after the only comma are thousands; after a point they are not: 0.125 is what it looks like
    if "," in text and _GROUPED.fullmatch(text):
        return float(text.replace(",", ""))
    both = re.fullmatch(r"\d{1,3}(?:,\d{3})+\.\d+", text)
    if both:
        return float(text.replace(",", ""))
    return float(text.replace(",", ".")) if _DECIMAL.fullmatch(text) else None
