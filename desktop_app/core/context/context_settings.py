"""The settings of what a request holds; apart from its plan, which a command that only reads need not load."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_app.core.phrases import phrase
from desktop_app.core.setting_fields import switch, text, whole


@dataclass(frozen=True, slots=True)
class ContextSettings:
    """The `[context]` table of settings.toml, and the thread's own position of the soft limit. 0 turns a cap off."""

    soft_limit: int = whole(
        phrase("Soft limit"),
        phrase("Older messages are left out above this."),
        low=1_000,
        high=10_000_000,
        default=150_000,
        unit=phrase("tokens"),
        presets={50_000: "", 100_000: "", 150_000: ""},
    )
    max_messages: int = whole(
        phrase("Message limit"),
        phrase("At most this many messages in one request."),
        low=2,
        high=100_000,
        or_zero=True,
        default=0,
        unit=phrase("messages"),
        presets={0: phrase("No limit"), 50: "", 200: ""},
    )
    max_turns: int = whole(
        phrase("Turn limit"),
        phrase("At most this many turns in one request."),
        low=1,
        high=100_000,
        or_zero=True,
        default=0,
        unit=phrase("turns"),
        presets={0: phrase("No limit"), 20: "", 100: ""},
    )
    preserve_first_n: int = whole(
        phrase("Kept at the start"),
        phrase("Messages always kept at the start of the thread."),
        low=0,
        high=1_000,
        default=1,
        unit=phrase("messages"),
        presets={0: phrase("None"), 1: phrase("1 message"), 3: ""},
    )
    preserve_last_n: int = whole(
        phrase("Kept at the end"),
        phrase("Messages kept at the end; token limits come first."),
        low=0,
        high=10_000,
        default=20,
        unit=phrase("messages"),
        presets={10: "", 20: "", 50: ""},
    )
    summarize_on_trim: bool = switch(
        phrase("Summarize left-out messages"), phrase("A summary replaces messages that are left out."), default=False
    )
    summary_model: str | None = text(
        phrase("Model for summaries"), phrase("Used on connections that have it."), holds="model"
    )
    idle_reset_minutes: int = whole(
        phrase("Start fresh after a pause"),
        phrase("Earlier messages are left out after a pause this long."),
        low=1,
        high=525_600,
        or_zero=True,
        default=0,
        unit=phrase("minutes"),
        presets={0: phrase("Never"), 60: phrase("1 hour"), 1_440: phrase("1 day")},
    )
    ask_provider_to_count: bool = switch(
        phrase("Ask provider to count"),
        phrase("Asks the provider for an exact count near the limit."),
        default=True,
    )
    search_other_threads: bool = switch(
        phrase("Search other threads"),
        phrase("The model may search your other threads. Projects have their own switch."),
        default=False,
    )
