"""Words for a request that is too long: what is largest, what can be done, by which command.

What would help is decided by the core; knows no stream.
"""

from __future__ import annotations

from dataclasses import dataclass

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.plan_text import price
from desktop_app.core.context.remedies import Remedy, refusal_remedies


@dataclass(frozen=True, slots=True)
class WayOut:
    """One thing that can be done about a refusal: its action id, in words, and the command that does it."""

    action: str
    words: str
    command: str

    @property
    def line(self) -> str:
        return f"  {self.words}: {self.command}"


def ways_out(plan: ContextPlan, thread_id: str) -> tuple[WayOut, ...]:
    """Return what helps against this refusal, best first; a new conversation is always among it."""
    remedies = refusal_remedies(plan)
    found = [_way_out(remedy, thread_id[:8]) for remedy in remedies]
    if remedies and not any(remedy.action == "new_thread" for remedy in remedies):
        # alone the message is too long as well
        found.append(WayOut("new_thread", "Start a new conversation with a shorter message", "plimsoll ask TEXT"))
    return tuple(found)


def _way_out(remedy: Remedy, thread: str) -> WayOut:
    words = _WORDS.get(remedy.action) or remedy.label()
    if remedy.cost_usd:
        words = f"{words} · {price(remedy.cost_usd, remedy.most_usd)}"
    command = _COMMANDS.get(remedy.action, "plimsoll --open {thread}")
    return WayOut(remedy.action, words, command.format(thread=thread, limit=remedy.limit))


_WORDS = {"new_thread": "Start a new conversation with this message"}
_COMMANDS = {
    "raise_limit": "plimsoll context {thread} --soft-limit {limit}",
    "edit_draft": "plimsoll ask --thread {thread} TEXT",
    "shorten_document": "plimsoll ask --thread {thread} --attach FILE --first-tokens {limit} TEXT",
    "remove_document": "plimsoll ask --thread {thread} TEXT, without this --attach",
    "edit_system": "plimsoll ask --thread {thread} --system TEXT",
    "new_thread": "plimsoll ask TEXT",
    "switch_model": "plimsoll ask --thread {thread} --model M; plimsoll models lists them",
    "undo_trim": "plimsoll context {thread} --undo",
    "send_anyway": "plimsoll ask --thread {thread} --send-anyway TEXT",
}
"""The commands of the ways out. An action of the window is done there, in the thread that is opened."""
