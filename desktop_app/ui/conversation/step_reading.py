"""Owns which steps of a thread its transcript tells of, and in which words. Pure; knows no widget and no store."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from desktop_app.core.context.context_choices import ContextChoices, Summary
from desktop_app.core.context.plan_text import older_messages, return_line, trim_detail, trim_line
from desktop_app.core.context.sent_content import opens_turn
from desktop_app.core.history_records import StoredEvent
from desktop_app.core.messages import Message
from desktop_app.ui.i18n.language import spoken, tr

TOLD = ("trimmed", "fresh_start", "summarised", "returned")


@dataclass(frozen=True, slots=True)
class StepText:
    """One step on the open branch. `message_id` is the question that caused it, `carrier` holds its boundary.

    `carrier` is None where no boundary was moved: a summary by hand, or a fresh start that the user asked for.
    `summary` is the one that stands for what was left out, `returned`: what was left out is sent again. `messages` 0:
    how many is not known.
    """

    message_id: str
    carrier: str | None
    messages: int
    fresh: bool = False
    summary: Summary | None = None
    returned: bool = False
    detail: str = ""

    @property
    def words(self) -> str:
        """`38 older messages left out`."""
        if self.summary is not None:
            return tr("{count} summarised").format(count=spoken(older_messages(self.messages)))
        if self.returned:
            return spoken(return_line(self.messages))
        told = spoken(trim_line(self.messages)) if self.messages else tr("Older messages left out")
        return tr("Started fresh: {what}").format(what=told) if self.fresh else told


def steps_on(path: Sequence[Message], events: Sequence[StoredEvent], choices: ContextChoices) -> tuple[StepText, ...]:
    """The steps in force on a path, oldest first; what the user took back is not among them."""
    told = [(entry.user_message_id, entry) for entry in events if entry.event.kind in TOLD and entry.user_message_id]
    questions = _questions(path, {asked_with for asked_with, _ in told})
    stored: dict[str, list[StoredEvent]] = {}
    for asked_with, entry in told:
        stored.setdefault(questions.get(asked_with, asked_with), []).append(entry)
    # By question the message that holds the boundary which its request moved: that is the question itself, the answer
    # to a retry, or the results of tools on the way.
    carriers = {questions[one.id]: one.id for one in path if one.window is not None and one.id in questions}
    steps = []
    for message in path:
        if message.id in stored or message.id in carriers:
            step = _step(message.id, carriers.get(message.id), stored.get(message.id, ()), choices)
            if step is not None:
                steps.append(step)
    begun = _begun_anew(path, choices)
    if begun is not None and not any(step.fresh and step.carrier is None for step in steps):
        steps.append(begun)
    return tuple(steps)


def _begun_anew(path: Sequence[Message], choices: ContextChoices) -> StepText | None:
    """A fresh start in the middle of the path: no request had to tell of it, the first question it keeps does."""
    if choices.fresh_from is None:
        return None
    places = [index for index, message in enumerate(path) if message.id == choices.fresh_from]
    if not places:
        return None
    kept = next((i for i in range(places[0] + 1, len(path)) if opens_turn(path[i])), None)
    return None if kept is None else StepText(path[kept].id, None, kept, fresh=True)


def _questions(path: Sequence[Message], wanted: Container[str]) -> Mapping[str, str]:
    """The question of its turn for each wanted message, and each with a boundary; before the first there is none.

    Looks back from these alone: to ask of every message what it opens would take 10 ms in a long thread.
    """
    found = {}
    for index, message in enumerate(path):
        if message.window is not None or message.id in wanted:
            question = next((path[place].id for place in range(index, -1, -1) if opens_turn(path[place])), "")
            if question:
                found[message.id] = question
    return found


def _step(
    message_id: str, carrier: str | None, stored: Sequence[StoredEvent], choices: ContextChoices
) -> StepText | None:
    by_kind = {entry.event.kind: entry for entry in stored}
    condensed = by_kind.get("summarised")
    summary = None
    if condensed is not None:
        made = [summary for summary in choices.summaries if summary.created <= condensed.at]
        summary = max(made, key=lambda summary: summary.created, default=None)
    taken_back = carrier in choices.undone
    moved = carrier is not None and not taken_back
    fresh = "fresh_start" in by_kind and (moved or (carrier is None and choices.fresh_from is not None))
    if not moved and not fresh and summary is None:
        return None
    told = next((by_kind[kind] for kind in TOLD if kind in by_kind), None)
    if summary is not None and condensed is not None:
        told = condensed
    if told is None:
        return StepText(message_id, carrier, 0)
    returned = moved and "returned" in by_kind
    detail = spoken(trim_detail(told.event.before, told.event.after, told.cost_usd))
    return StepText(
        message_id,
        carrier if moved else None,
        told.event.messages,
        fresh,
        summary,
        returned,
        detail,
    )
