"""Owns the lines that are not part of any message: load line, marks, steps, summaries, what became of an answer.

Knows nothing of layout; it only makes rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from desktop_app.core.markdown.inline import plain_inline
from desktop_app.core.messages import Message
from desktop_app.ui.transcript.line_item import LoadLineItem, NoteItem
from desktop_app.ui.transcript.look import Look
from desktop_app.ui.transcript.row import Row
from desktop_app.ui.transcript.text_item import TextItem
from desktop_app.ui.transcript.typesetter import tr

#: Reasons that mean: left whole although it stands above the load line.
PINNED, ALWAYS_SENT = "Pinned", "Always sent"

#: (id, words) to click
Actions = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class StepLine:
    """One muted line beneath message `message_id`, and the further lines that it unfolds to."""

    message_id: str
    text: str
    actions: Actions = ()
    unfolded: Sequence[tuple[str, Actions]] = ()


@dataclass(frozen=True, slots=True)
class SummaryLine:
    """A summary as it stands between the messages: its line, and while it is unfolded its text."""

    heading: str
    actions: Actions = ()
    text: str = ""


@dataclass(slots=True)
class Decorations:
    """What is to be shown beside the messages, by message id and in words for the user.

    `reasons`: why a message is toned down, or `PINNED` or `ALWAYS_SENT`. `marks`: a line above a message that names
    its state. `ticks`: what older steps did, told where the pointer rests on their tick in the margin. `summaries`
    stand above the message that comes after what they stand for.
    """

    load_line: str | None = None
    reasons: Mapping[str, str] = field(default_factory=dict)
    marks: Mapping[str, str] = field(default_factory=dict)
    ticks: Mapping[str, str] = field(default_factory=dict)
    summaries: Mapping[str, SummaryLine] = field(default_factory=dict)
    step: StepLine | None = None

    def head(self, message: Message, look: Look) -> list[Row]:
        """The lines above a message."""
        rows = []
        if message.id == self.load_line:
            row = Row(LoadLineItem(look, tr("The model reads from here")), 8, 0, decoration="load-line")
            rows.append(row)
        if message.id in self.summaries:
            rows += _summary(self.summaries[message.id], look)
        mark = self.mark_of(message.id)
        if mark:
            rows.append(Row(NoteItem(look, tr(mark)), 8, -12, decoration="mark"))
        return rows

    def foot(self, message: Message, look: Look, *, quiet: bool) -> list[Row]:
        """The lines beneath a message; `quiet` leaves out what became of it."""
        rows = []
        state = None if quiet else _state(message)
        if state is not None:
            rows.append(Row(NoteItem(look, state, (("retry", tr("Try again")),)), 0, 8, decoration="state"))
        if self.step is not None and self.step.message_id == message.id:
            lines = [(self.step.text, self.step.actions), *self.step.unfolded]
            rows += [Row(NoteItem(look, words, actions), 0, 0, decoration="step") for words, actions in lines]
            rows[-1].tail = 4
        return rows

    def mark_of(self, message_id: str) -> str:
        """The word above a message, or none."""
        if message_id in self.marks:
            return self.marks[message_id]
        return self.reasons[message_id] if self.keeps(message_id) else ""

    def keeps(self, message_id: str) -> bool:
        """True for a message above the load line that is sent all the same."""
        return self.reasons.get(message_id) in {PINNED, ALWAYS_SENT}

    def tones_down(self, message_id: str) -> bool:
        """True for a message that is not sent as it stands."""
        return message_id in self.reasons and not self.keeps(message_id)

    def told_of(self, message_id: str) -> str:
        """All that is to be said of a message to those who don't see where it stands."""
        told = (self.reasons.get(message_id) or self.marks.get(message_id, ""), self.ticks.get(message_id, ""))
        return ", ".join(words for words in map(tr, told) if words)


def _summary(line: SummaryLine, look: Look) -> list[Row]:
    rows = [Row(NoteItem(look, line.heading, line.actions), 4, 0, decoration="summary")]
    paragraphs = [paragraph for paragraph in line.text.split("\n") if paragraph.strip()]
    for number, paragraph in enumerate(paragraphs):
        item = TextItem(look, look.body, paragraph, plain_inline)
        rows.append(Row(item, 4 if number else 0, 0, "t", decoration="summary-text", quoted_above=bool(number)))
    rows[-1].tail = 4
    return rows


def _state(message: Message) -> str | None:
    if message.role != "assistant" or message.state == "complete":
        return None
    if message.failure is not None and message.failure.code != "interrupted":
        return message.failure.message
    return tr("Stopped. The text so far is saved.") if message.parts else tr("Stopped before an answer came.")
