"""Owns the lines that are not part of any message: load line, marks, steps, summaries, what became of an answer.

Knows nothing of layout; it only makes rows.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import TEXT_IN_MEMORY, TEXT_SAVED
from desktop_app.core.markdown.inline_text import plain_inline
from desktop_app.core.messages import Message
from desktop_app.core.phrases import having, phrase
from desktop_app.ui.i18n.language import spoken, tr
from desktop_app.ui.transcript.canvas.row import CARD_GAP, CanvasRow
from desktop_app.ui.transcript.canvas.text_style import TextStyle
from desktop_app.ui.transcript.items.line_items import LoadLineItem, NoteItem, SpaceItem
from desktop_app.ui.transcript.items.text_item import TextItem

if TYPE_CHECKING:
    from desktop_app.ui.transcript.message.annotation_line import AnnotationLine

#: Reasons that mean: left whole although it stands above the load line.
PINNED, ALWAYS_SENT = phrase("Pinned"), phrase("Always sent")

#: The decoration of the row with the arrows between versions.
BRANCHES = "branches"
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
    stand above the message that comes after what they stand for. `branches`: which version of how many a message is;
    `frozen`: there is no way to the others for now. `last`: the message that the path ends with. `editor_room`: pixels
    beneath a message at which something is written. `annotations`: what the user marked messages with. `detour`: a line
    above a message that stands on another branch than the one before. `onward`: a line beneath the last message, where
    more was said after it. `hint`: lines beneath an answer. `private`: what is shown is kept in memory only.
    """

    load_line: str | None = None
    reasons: Mapping[str, str] = field(default_factory=dict)
    marks: Mapping[str, str] = field(default_factory=dict)
    ticks: Mapping[str, str] = field(default_factory=dict)
    summaries: Mapping[str, SummaryLine] = field(default_factory=dict)
    step: StepLine | None = None
    branches: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    frozen: bool = False
    last: str | None = None
    editor_room: tuple[str, int] = ("", 0)
    annotations: Mapping[str, AnnotationLine] = field(default_factory=dict)
    detour: StepLine | None = None
    onward: StepLine | None = None
    hint: StepLine | None = None
    private: bool = False

    def set_branches(self, branches: Mapping[str, tuple[int, int]], *, frozen: bool, last: str | None) -> bool:
        """True where that changes a line."""
        before = (self.branches, self.frozen and bool(self.branches), self.last)
        self.branches, self.frozen, self.last = dict(branches), frozen, last
        return before != (self.branches, frozen and bool(branches), last)

    def head(self, message: Message, style: TextStyle) -> list[CanvasRow]:
        """The lines above a message."""
        rows = []
        if message.id == self.load_line:
            row = CanvasRow(LoadLineItem(style, self.load_words), 8, 0, decoration="load-line")
            rows.append(row)
        if message.id in self.summaries:
            rows += _summary(self.summaries[message.id], style)
        if self.detour is not None and self.detour.message_id == message.id:
            rows.append(CanvasRow(NoteItem(style, self.detour.text, self.detour.actions), 4, 0, decoration="detour"))
        mark = self.mark_of(message.id)
        if mark:
            rows.append(CanvasRow(NoteItem(style, spoken(mark)), 8, -12, decoration="mark"))
        return rows

    def foot(self, message: Message, style: TextStyle, *, quiet: bool) -> list[CanvasRow]:
        """The lines beneath a message; `quiet` leaves out what became of it."""
        rows = []
        if self.editor_room[0] == message.id and self.editor_room[1]:
            rows.append(CanvasRow(SpaceItem(style, self.editor_room[1]), 0, 0, decoration="editor"))
        if message.id in self.branches:
            from desktop_app.ui.transcript.items.branch_item import BranchItem

            number, count = self.branches[message.id]
            item = BranchItem(style, number, count, question=message.role == "user", frozen=self.frozen)
            rows.append(CanvasRow(item, -8 if message.role == "assistant" else 0, 0, decoration=BRANCHES))
        if message.id in self.annotations:
            # the row of buttons lies between the message and this line
            beneath_card = message.role == "user" and message.id not in self.branches
            rows += self.annotations[message.id].rows(style, gap=CARD_GAP - 4 if beneath_card else 0)
        state = None if quiet else self.state_of(message)
        if state is not None:
            goes_on = message.id == self.last and is_cut(message)
            actions = (("retry", tr("Try again")), *((("continue", tr("Continue")),) if goes_on else ()))
            rows.append(CanvasRow(NoteItem(style, state, actions), 0, 8, decoration="state"))
        if self.hint is not None and self.hint.message_id == message.id:
            rows += _lines(self.hint, style, "hint")
        if self.onward is not None and self.onward.message_id == message.id:
            rows.append(CanvasRow(NoteItem(style, self.onward.text, self.onward.actions), 0, 8, decoration="onward"))
        if self.step is not None and self.step.message_id == message.id:
            rows += _lines(self.step, style, "step")
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
        return ", ".join(words for words in map(spoken, told) if words)

    def said_of(self, message: Message) -> str:
        """All that the lines around a message say, for those who don't see them."""
        summary = self.summaries.get(message.id)
        above = (self.load_words if message.id == self.load_line else "", summary.heading if summary else "")
        lines = (self.detour, self.hint, self.step, self.onward)
        beside = [line.text for line in lines if line and line.message_id == message.id]
        told = (*above, self.told_of(message.id), self.state_of(message) or "", *beside)
        return ", ".join(words.rstrip(".") for words in map(spoken, told) if words)

    def state_of(self, message: Message) -> str | None:
        """What became of an answer that is not whole."""
        return _state(message, saved=TEXT_IN_MEMORY if self.private else TEXT_SAVED)

    @property
    def load_words(self) -> str:
        """What the line says that stands where the model's view begins."""
        return tr("The model reads from here")


def _lines(line: StepLine, style: TextStyle, name: str) -> list[CanvasRow]:
    lines = [(line.text, line.actions), *line.unfolded]
    rows = [CanvasRow(NoteItem(style, words, actions), 0, 0, decoration=name) for words, actions in lines]
    rows[-1].tail = 4
    return rows


def _summary(line: SummaryLine, style: TextStyle) -> list[CanvasRow]:
    rows = [CanvasRow(NoteItem(style, line.heading, line.actions), 4, 0, decoration="summary")]
    paragraphs = [paragraph for paragraph in line.text.split("\n") if paragraph.strip()]
    for number, paragraph in enumerate(paragraphs):
        item = TextItem(style, style.body, paragraph, plain_inline)
        rows.append(CanvasRow(item, 4 if number else 0, 0, "t", decoration="summary-text", quoted_above=bool(number)))
    rows[-1].tail = 4
    return rows


def is_cut(message: Message) -> bool:
    """Whether an answer says something and ends before its end."""
    if message.role != "assistant" or not message.text.strip():
        return False
    return message.state != "complete" or message.stop_reason == "max_tokens"


def _state(message: Message, *, saved: str) -> str | None:
    if message.role == "assistant" and message.state == "complete" and message.stop_reason == "max_tokens":
        return tr("The answer is as long as one may be, and ends here.")
    if message.role == "assistant" and message.state == "complete" and message.backend and not message.parts:
        return tr("The model ended its answer without a word.")
    if message.role != "assistant" or message.state == "complete":
        return None
    if message.failure is not None and message.failure.code != "interrupted":
        return spoken(having(message.failure.message, saved=saved))
    return spoken(phrase("Stopped. {saved}", saved=saved)) if message.parts else tr("Stopped before an answer came.")


def lines_of(shown: Decorations, ids: Collection[str]) -> dict[str, Any]:
    """The lines beside some messages, without what somebody wrote: a note, the text of a summary."""

    def told(lines: Any) -> dict[str, Any]:
        return {one: lines[one] for one in ids if one in lines}

    return {
        "load_line": shown.load_line,
        "reasons": told(shown.reasons),
        "marks": told(shown.marks),
        "ticks": told(shown.ticks),
        "branches": told(shown.branches),
        "summaries": {one: (line.heading, line.actions) for one, line in told(shown.summaries).items()},
        "step": _told_line(shown.step),
        "onward": _told_line(shown.onward),
        "hint": _told_line(shown.hint),
        "last": shown.last,
    }


def put_lines(lines: dict[str, Any], into: Decorations) -> None:
    """Shows what `lines_of` told; may raise `LookupError`, `TypeError` or `ValueError`, with nothing changed."""
    branches = {one: (int(number), int(count)) for one, (number, count) in lines["branches"].items()}
    summaries = {one: SummaryLine(heading, _pairs(acts)) for one, (heading, acts) in lines["summaries"].items()}
    step, onward, hint = (_line(lines[name]) for name in ("step", "onward", "hint"))
    reasons, marks, ticks = dict(lines["reasons"]), dict(lines["marks"]), dict(lines["ticks"])
    into.load_line, into.last = lines["load_line"], lines["last"]
    into.reasons, into.marks, into.ticks = reasons, marks, ticks
    into.branches, into.summaries, into.step = branches, summaries, step
    into.onward, into.hint = onward, hint


def _told_line(line: StepLine | None) -> Any:
    return (line.message_id, line.text, line.actions, line.unfolded) if line is not None else None


def _line(told: Any) -> StepLine | None:
    if told is None:
        return None
    message_id, text, actions, unfolded = told
    return StepLine(message_id, text, _pairs(actions), tuple((words, _pairs(acts)) for words, acts in unfolded))


def _pairs(actions: Any) -> tuple[tuple[str, str], ...]:
    return tuple((action, words) for action, words in actions)
