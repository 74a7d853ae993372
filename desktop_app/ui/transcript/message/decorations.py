"""The lines beside messages, with their words: load line, marks, steps, summaries, what stands behind the last."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QWidget

from desktop_app.core.markdown.inline_text import plain_inline
from desktop_app.core.messages import Message
from desktop_app.core.phrases import having, phrase
from desktop_app.ui.i18n.language import parted, tr, translated
from desktop_app.ui.theme.theme import OUTDENT
from desktop_app.ui.transcript.canvas.canvas import Canvas
from desktop_app.ui.transcript.items.item import CanvasRow, TextStyle
from desktop_app.ui.transcript.items.line_items import LoadLineItem, NoteItem, SpaceItem
from desktop_app.ui.transcript.items.text_item import TextItem
from desktop_app.ui.transcript.message.message_layout import MessageLayout
from desktop_app.ui.transcript.message.shown_path import MatchingMessages, ShownPath
from desktop_app.ui.transcript.reading.reader import AutoScroll

if TYPE_CHECKING:
    from desktop_app.ui.transcript.message.tool_rows import AnnotationLine


#: Reasons that mean: left whole although it stands above the load line.
PINNED, ALWAYS_SENT = phrase("Pinned"), phrase("Always sent")

#: The decorations of the row with the arrows between versions, and of one with the model's name alone.
BRANCHES, MODEL = "branches", "model"
#: Characters of a model's name: buttons stand behind it, also in a narrow window.
LONGEST_NAME = 24
#: Pixels that the row of buttons needs between a message and the line beneath it, more than there is anyway.
BUTTONS_BENEATH = {"user": 12, "assistant": 4}
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


class Decorations:
    """The content beside the messages, in words for the user. Ids are those of any message of the path.

    `reasons`: why a message is toned down, or `PINNED` or `ALWAYS_SENT`. `marks`: a line above a message that names
    its state. `ticks`: what older steps did, told where the pointer rests on their tick in the margin. `summaries`
    stand above the message that comes after what they stand for. `branches`: which version of how many a message is;
    `models`: the model of an answer, where it is not the one before; `frozen`: there is no way to the others for now.
    `last`: the message that the path ends with. `editor_room`: pixels beneath a message at which something is written.
    `annotations`: what the user marked messages with. `private`: what is shown is kept in memory only.
    `answered_elsewhere`: another process writes the answer that is coming.
    """

    def __init__(self, canvas: Canvas, path: ShownPath, auto_scroll: AutoScroll) -> None:
        self._canvas = canvas
        self._path = path
        self._auto_scroll = auto_scroll
        self.private = self.answered_elsewhere = False
        #: whether the load line can be dragged
        self.line_moves = False
        #: which messages are toned down while the line is dragged
        self.toned_down_by_drag: Callable[[str], bool] | None = None
        #: what is said beneath an answer of an artifact that was kept of it, or can be
        self.artifact_line: Callable[[Message], StepLine | None] = lambda _message: None
        #: whether nothing is said beneath an answer of what became of it
        self.is_quiet: Callable[[Message], bool] = lambda _message: False
        self._version: tuple[int, int, bool] | None = None  # message, top, whether that of its arrows
        self.clear()

    def clear(self) -> None:
        """Nothing is shown beside the messages of another path."""
        self.load_line: str | None = None
        self.reasons: Mapping[str, str] = {}
        self.marks: Mapping[str, str] = {}
        self.ticks: Mapping[str, str] = {}
        self.summaries: Mapping[str, SummaryLine] = {}
        self.branches: Mapping[str, tuple[int, int]] = {}
        self.models: Mapping[str, str] = {}
        self.frozen = False
        self.last: str | None = None
        self.editor_room = ("", 0)
        self.annotations: Mapping[str, AnnotationLine] = {}
        self.step: StepLine | None = None
        self.detour: StepLine | None = None
        self.onward: StepLine | None = None
        self.hint: StepLine | None = None
        self._artifacts: dict[str, StepLine | None] = {}  # as they are shown
        self._canvas.row_layout.faded = self._canvas.row_layout.ticked = ()

    # --- what is to be shown

    def set_load_line(
        self,
        message_id: str | None,
        reasons: Mapping[str, str] | None = None,
        marks: Mapping[str, str] | None = None,
    ) -> None:
        """Marks where the model's view begins; text above is toned down, with its reason on hover.

        `reasons` are by message id. With any, only messages that have one are toned down; without, all above the line.
        Messages whose reason is `PINNED` or `ALWAYS_SENT` stay as they are and carry that mark. `marks` are further
        words that stand above messages, such as `Excluded`.
        """
        bare = not (self.load_line or self.reasons or self.marks or self.toned_down_by_drag)
        if bare and not (message_id or reasons or marks):
            return
        self.load_line = None if message_id is None else self._path.id_of(message_id)
        self.reasons, self.marks = reasons or {}, marks or {}
        self.mark_rows()
        self._show()

    def set_steps(self, line: StepLine | None, ticks: Mapping[str, str] | None = None) -> None:
        """The newest step as a line beneath its message, older ones as ticks in the margin with their words."""
        before = self.step, self.ticks
        self.step, self.ticks = line, dict(ticks or {})
        if before != (self.step, self.ticks):
            self.mark_rows()
            self._show()

    def set_summaries(self, summaries: Mapping[str, SummaryLine]) -> None:
        """Summaries, each above the message that comes after what it stands for."""
        if summaries != self.summaries:
            self.summaries = dict(summaries)
            self._show()

    def set_branches(
        self, branches: Mapping[str, tuple[int, int]], *, frozen: bool, models: Mapping[str, str] | None = None
    ) -> None:
        """Which version of how many is shown of a message, from 1; `frozen`: the arrows lead nowhere for now.

        `models`: the names of the models of answers where that is told.
        """
        messages = self._canvas.row_layout.messages
        before = (self.branches, self.frozen and bool(self.branches), self.last, self.models)
        if self.last is None and messages and not is_cut(messages[-1]):
            before = (*before[:2], messages[-1].id, before[3])  # a path that has just come: nothing is said of its end
        self.branches, self.frozen, self.last = dict(branches), frozen, messages[-1].id if messages else None
        self.models = dict(models or {})
        if before != (self.branches, frozen and bool(branches), self.last, self.models):
            self._show()

    def set_annotations(self, annotations: Mapping[str, AnnotationLine]) -> None:
        """Set the user's marks on messages, by the ids of those shown, each as a line beneath its message."""
        if annotations == self.annotations:
            return
        at_end = self._auto_scroll.reads_end
        self.annotations = dict(annotations)
        self._show()
        if at_end:
            self._canvas.row_layout.place_end()
            self._canvas.refresh()

    def branch_of(self, message_id: str) -> tuple[int, int] | None:
        """Which version of how many a message is, where there are several."""
        return self.branches.get(message_id)

    def set_detour(self, line: StepLine | None) -> None:
        """A line above a message that stands on another branch than the one looked at before; None: no line."""
        if line != self.detour:
            self.detour = line
            self._show()

    def set_onward(self, line: StepLine | None) -> None:
        """A line beneath the last message, where more was said after it than the branch goes; None: no line."""
        if line != self.onward:
            self.onward = line
            self._show()

    def set_hint(self, line: StepLine | None) -> None:
        """Lines beneath an answer with what helps; None: no line."""
        if line != self.hint:
            self.hint = line
            self._show()

    def refresh_artifacts(self) -> None:
        """`artifact_line` says something else of some answers: those whose rows are at hand are looked at."""
        row_layout = self._canvas.row_layout
        messages = (row_layout.messages[index] for index in row_layout.made)
        if any(self.artifact_line(message) != self._artifacts.get(message.id) for message in messages):
            at_end = self._auto_scroll.reads_end
            self._show()
            if at_end:
                self._canvas.row_layout.place_end()
                self._canvas.refresh()

    def set_editor_room(self, message_id: str, pixels: int) -> None:
        """Room beneath a question for what is written over it."""
        if self.editor_room != (message_id, pixels):
            self._canvas.row_layout.keeps_end = False
            self.editor_room = (message_id, pixels)
            self._show()
        else:
            self._canvas.rows_shown.emit()

    def mark_rows(self) -> None:
        """Tells the rows which messages are toned down and which have a tick in the margin."""
        row_layout = self._canvas.row_layout
        if self.toned_down_by_drag is not None:
            row_layout.faded = MatchingMessages(row_layout, self.toned_down_by_drag)
        elif self.reasons:
            row_layout.faded = MatchingMessages(row_layout, self.tones_down)
        else:
            row_layout.faded = range((self._path.number(self.load_line) or 0) if self.load_line is not None else 0)
        row_layout.ticked = MatchingMessages(row_layout, self.ticks.__contains__)

    def decorate(self, layout: MessageLayout) -> None:
        """Puts the lines around the rows of a message."""
        message, style = layout.message, self._canvas.text_style
        layout.decorate(self.head(message, style), self.foot(message, style, quiet=self.is_quiet(message)))

    def decorate_all(self) -> None:
        """Puts the lines around all messages whose rows are at hand."""
        for index in self._canvas.row_layout.made:
            self.decorate(self._canvas.row_layout.message_layout(index))

    def _show(self) -> None:
        self.decorate_all()
        self._canvas.row_layout.place_again()
        self._canvas.repaint_all()

    # --- another version of a message

    def keep_version(self, message_id: str) -> None:
        """Another version of a message comes: `place_version` puts it where this one stands.

        That is its beginning, or where only the end is in view the arrows that lead to it.
        """
        number = self._path.number(message_id)
        rows = [placed for placed in self._canvas.row_layout.placed if placed.message == number]
        first = next((placed for placed in rows if placed.first and placed.top >= 0), None)
        arrows = next((placed for placed in rows if placed.row.decoration == BRANCHES), None)
        kept = first or arrows
        self._version = (kept.message, kept.top, kept is not first) if kept is not None else None

    def place_version(self) -> None:
        """Puts the version that has come where the one before stood; nothing where none was kept."""
        kept, self._version = self._version, None
        row_layout = self._canvas.row_layout
        if kept is None or kept[0] >= len(row_layout.messages):
            return
        number, top, by_arrows = kept
        layout = row_layout.message_layout(number)
        row = next((row for row in layout.foot if row.decoration == BRANCHES), None) if by_arrows else None
        body = layout.rows[len(layout.head)]
        for above in layout.rows if row is not None else ():
            layout.lay_out(above)
        row_layout.place_row_with_room(number, row or body, top)
        self._canvas.refresh()
        self._canvas.start_rest()

    # --- what was shown at the last start

    def saved_lines(self, ids: Collection[str]) -> dict[str, Any]:
        """The lines beside some messages, without what somebody wrote: a note, the text of a summary."""

        def of_ids(lines: Mapping[str, Any]) -> dict[str, Any]:
            return {one: lines[one] for one in ids if one in lines}

        return {
            "load_line": self.load_line,
            "reasons": of_ids(self.reasons),
            "marks": of_ids(self.marks),
            "ticks": of_ids(self.ticks),
            "branches": of_ids(self.branches),
            "models": of_ids(self.models),
            "summaries": {one: (line.heading, line.actions) for one, line in of_ids(self.summaries).items()},
            "step": _saved_line(self.step),
            "onward": _saved_line(self.onward),
            "hint": _saved_line(self.hint),
            "last": self.last,
        }

    def restore_lines(self, lines: Mapping[str, Any]) -> None:
        """Shows what `saved_lines` gave until it is known again; nothing where that can't be read."""
        with suppress(LookupError, TypeError, ValueError):
            branches = {one: (int(number), int(count)) for one, (number, count) in lines["branches"].items()}
            summaries = {one: SummaryLine(heading, _pairs(acts)) for one, (heading, acts) in lines["summaries"].items()}
            step, onward, hint = (_restored_line(lines[name]) for name in ("step", "onward", "hint"))
            reasons, marks, ticks = dict(lines["reasons"]), dict(lines["marks"]), dict(lines["ticks"])
            self.load_line, self.last = lines["load_line"], lines["last"]
            self.reasons, self.marks, self.ticks = reasons, marks, ticks
            self.branches, self.summaries, self.models = branches, summaries, dict(lines.get("models", {}))
            self.step, self.onward, self.hint = step, onward, hint
            self.mark_rows()
            self.decorate_all()

    # --- rows and words

    def head(self, message: Message, style: TextStyle) -> list[CanvasRow]:
        """The lines above a message."""
        rows = []
        if message.id == self.load_line:
            row = CanvasRow(LoadLineItem(style, self.load_words, moves=self.line_moves), 8, 0, decoration="load-line")
            rows.append(row)
        if message.id in self.summaries:
            rows += _summary(self.summaries[message.id], style)
        if self.detour is not None and self.detour.message_id == message.id:
            rows.append(CanvasRow(NoteItem(style, self.detour.text, self.detour.actions), 4, 0, decoration="detour"))
        if mark := self.mark_of(message.id):
            rows.append(CanvasRow(NoteItem(style, translated(mark)), 8, -12, decoration="mark"))
        return rows

    def foot(self, message: Message, style: TextStyle, *, quiet: bool) -> list[CanvasRow]:
        """The lines beneath a message; `quiet` leaves out what became of it."""
        rows = []
        if self.editor_room[0] == message.id and self.editor_room[1]:
            rows.append(CanvasRow(SpaceItem(style, self.editor_room[1]), 0, 0, decoration="editor"))
        if message.id in self.branches:
            from desktop_app.ui.transcript.message.action_bar import BranchItem

            number, count = self.branches[message.id]
            asked, author = message.role == "user", self.author_of(message)
            item = BranchItem(style, number, count, question=asked, frozen=self.frozen, author=author)
            rows.append(CanvasRow(item, 0 if asked else -8, 0, decoration=BRANCHES))
        elif message.id in self.models:
            from desktop_app.ui.transcript.message.action_bar import AuthorItem

            rows.append(CanvasRow(AuthorItem(style, self.author_of(message)), -8, 0, decoration=MODEL))
        if message.id in self.annotations:
            rows += self.annotations[message.id].rows(style)
        state = None if quiet else self.state_of(message)
        if state is not None:
            goes_on = message.id == self.last and is_cut(message)
            actions = (*((("continue", tr("Continue")),) if goes_on else ()), ("retry", tr("Try again")))
            coming = self._comes_from_elsewhere(message)
            rows.append(CanvasRow(NoteItem(style, state, () if coming else actions), 0, 8, decoration="state"))
        if self._goes_along(message):
            words = tr("No answer came. This goes along with the next question.")
            rows.append(CanvasRow(NoteItem(style, words, (("delete", tr("Delete")),)), 0, 8, decoration="unanswered"))
        artifact = self._artifacts[message.id] = self.artifact_line(message)
        if artifact is not None:
            rows += _lines(artifact, style, "artifact")
        if self.hint is not None and self.hint.message_id == message.id:
            rows += _lines(self.hint, style, "hint")
        if self.onward is not None and self.onward.message_id == message.id:
            rows.append(CanvasRow(NoteItem(style, self.onward.text, self.onward.actions), 0, 8, decoration="onward"))
        if self.step is not None and self.step.message_id == message.id:
            rows += _lines(self.step, style, "step")
        if rows and rows[0].decoration not in {BRANCHES, MODEL, "editor"}:
            rows[0].gap += BUTTONS_BENEATH.get(message.role, 0)
        return rows

    def _goes_along(self, message: Message) -> bool:
        """Return True for a question that failed or was stopped, and another followed: the model reads both as one."""
        if message.role != "user" or message.id == self.last or not message.text.strip():
            return False
        messages, number = self._canvas.row_layout.messages, self._path.number(message.id)
        if number is None or message.id in self.reasons:
            return False
        after = messages[number + 1 : number + 3]
        if after and after[0].role == "assistant" and not after[0].parts:
            after = after[1:]  # nothing came, so there is nothing between the two questions
        return bool(after) and after[0].role == "user"

    def mark_of(self, message_id: str) -> str:
        """The word above a message, or none."""
        if message_id in self.marks:
            return self.marks[message_id]
        if not self.keeps(message_id) or self._stands_above(message_id):
            return ""
        return self.reasons[message_id]

    def _stands_above(self, message_id: str) -> bool:
        """Return True if an answer's mark stands above its question already: whole turns are kept."""
        if not (number := self._path.number(message_id)):
            return False
        before, message = (self._canvas.row_layout.messages[at] for at in (number - 1, number))
        return (before.role, message.role) == ("user", "assistant") and self.mark_of(before.id) == self.reasons[
            message_id
        ]

    @property
    def has_moving_line(self) -> bool:
        """True where there is a load line that can be dragged."""
        return self.line_moves and self.load_line is not None

    def keeps(self, message_id: str) -> bool:
        """True for a message above the load line that is sent all the same."""
        return self.reasons.get(message_id) in {PINNED, ALWAYS_SENT}

    def tones_down(self, message_id: str) -> bool:
        """True for a message that is not sent as it stands."""
        return message_id in self.reasons and not self.keeps(message_id)

    def told_of(self, message_id: str) -> str:
        """All that is to be said of a message to those who don't see where it stands."""
        told = (self.reasons.get(message_id) or self.marks.get(message_id, ""), self.ticks.get(message_id, ""))
        return ", ".join(words for words in map(translated, told) if words)

    def said_of(self, message: Message) -> str:
        """All that the lines around a message say, for those who don't see them."""
        summary = self.summaries.get(message.id)
        above = (self.load_words if message.id == self.load_line else "", summary.heading if summary else "")
        lines = (self.detour, self.hint, self.step, self.onward, self.artifact_line(message))
        beside = [line.text for line in lines if line and line.message_id == message.id]
        told = (
            *above,
            self.told_of(message.id),
            self.author_of(message) if _asked(message) else self.models.get(message.id, ""),
            self.state_of(message) or "",
            *beside,
        )
        return ", ".join(words.rstrip(".") for words in map(translated, told) if words)

    def author_of(self, message: Message) -> str:
        """The model of an answer, where that is told; and which it is not, where another was asked for."""
        name, asked = self.models.get(message.id, ""), _asked(message)
        if not name or not asked:
            return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
        from desktop_app.core.model_catalog import shipped_name  # hardly ever: not for the first paint

        served, other = shipped_name(message.model or ""), shipped_name(asked)
        vendor, _, rest = other.partition(" ")
        other = rest if rest and served.startswith(f"{vendor} ") else other
        return tr("Answered by {model}, not {asked}").format(model=served, asked=other)

    def state_of(self, message: Message) -> str | None:
        """Return what became of an answer that is not whole, and whether it passes for more than it is."""
        if self._comes_from_elsewhere(message):
            return tr("A command is answering")
        state = _state(message, private=self.private)
        if message.role != "assistant" or "[" not in message.text:
            return state
        from desktop_app.core.context.sent_content import imitates_note  # an answer at a start has few brackets
        from desktop_app.core.events import IMITATED

        if not imitates_note(message.text):
            return state
        return " · ".join(filter(None, (state, translated(IMITATED))))

    def _comes_from_elsewhere(self, message: Message) -> bool:
        return self.answered_elsewhere and message.is_coming

    @property
    def load_words(self) -> str:
        """The words of the line that stands where the model's view begins."""
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


def _asked(message: Message) -> str:
    return message.usage.asked if message.usage is not None else ""


def _saved_line(line: StepLine | None) -> Any:
    return (line.message_id, line.text, line.actions, line.unfolded) if line is not None else None


def _restored_line(saved: Any) -> StepLine | None:
    if saved is None:
        return None
    message_id, text, actions, unfolded = saved
    return StepLine(message_id, text, _pairs(actions), tuple((words, _pairs(acts)) for words, acts in unfolded))


def _pairs(actions: Any) -> Actions:
    return tuple((action, words) for action, words in actions)


def is_cut(message: Message) -> bool:
    """Return True if an answer says something and ends before its end."""
    if message.role != "assistant" or not message.text.strip():
        return False
    return message.state != "complete" or message.stop_reason == "max_tokens"


def _state(message: Message, *, private: bool) -> str | None:
    if message.role == "assistant" and message.state == "complete" and message.stop_reason == "max_tokens":
        return tr("Reached the length limit")
    if message.role == "assistant" and message.state == "complete" and message.backend and not message.parts:
        return tr("The model gave an empty answer.")
    if message.role != "assistant" or message.state == "complete":
        return None
    from desktop_app.core.errors import TEXT_IN_MEMORY, TEXT_SAVED  # not whole: hardly ever at a start

    saved = TEXT_IN_MEMORY if private else TEXT_SAVED
    if message.failure is not None:
        words = having(message.failure.message, saved=saved)
        # what passes is over: what there was to do stands on the button
        over = parted(words)[1] if message.failure.code in ("rate_limited", "overloaded") else ""
        return translated(words).removesuffix(over).rstrip()
    if message.stop_reason == "turn_cap":
        return translated(phrase("Stopped at the turn cap. {saved}", saved=saved))
    words = phrase("Stopped. {saved}", saved=saved)
    return translated(words) if message.parts else tr("Stopped before an answer came.")


#: 12 pixels between the buttons of an answer, which reach 7 pixels below it, and a card.
BENEATH_BUTTONS = 19


class ThreadFooter(QObject):
    """Keeps a widget among the rows: it takes the width of the column and scrolls with the text."""

    changed = Signal()

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._row_layout = canvas.row_layout
        self.notice: tuple[str, tuple[tuple[str, str], ...]] | None = None
        """The words of the notice line with (id, words) to click; None: there is none."""
        self.card: QWidget | None = None
        self._space: CanvasRow | None = None

    def set_notice(self, text: str | None, actions: Sequence[tuple[str, str]] = ()) -> None:
        """One muted line with (id, words) to click, or none."""
        notice = None if text is None else (text, tuple(actions))
        if notice != self.notice:
            self.notice = notice
            self.rebuild()
            self.changed.emit()

    def set_card(self, card: QWidget | None) -> None:
        """A widget in the answer's place, or none; the widget that stood there is hidden and handed back unowned."""
        if card is None and self.card is None:
            return
        if self.card is not None and self.card is not card:
            self.card.removeEventFilter(self)
            self.card.hide()
            self.card.setParent(None)
        self.card = card
        if card is not None:
            card.setParent(self._canvas.viewport())
            for part in (card, *card.findChildren(QWidget)):
                part.installEventFilter(self)
            card.hide()
        self.rebuild()
        self.changed.emit()

    def prepare(self, width: int) -> None:
        """Gives the card as much room as it needs in a column of that width, before rows are placed."""
        if self.card is not None and self._space is not None and isinstance(self._space.item, SpaceItem):
            self._space.item.set_room(self._height(self.card, width + 2 * OUTDENT))

    def fit(self) -> None:
        """Gives the card its width and its place among the placed rows."""
        card, space = self.card, self._space
        if card is None or space is None:
            return
        # as wide as a question and the composer
        left, width = self._canvas.column.left() - OUTDENT, self._canvas.column.width() + 2 * OUTDENT
        height = self._height(card, width)
        if isinstance(space.item, SpaceItem) and space.item.height != height:
            space.item.set_room(height)
            self._row_layout.foot.measure(self._row_layout.width)
            self._row_layout.heights.set(len(self._row_layout.messages), self._row_layout.foot.height)
        if (placed := self._canvas.placed_row(space)) is None:
            card.hide()
            return
        card.setGeometry(left, placed.item_top, width, height)
        card.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.card and event.type() == QEvent.Type.LayoutRequest and self._space is not None:
            card = self.card
            if card is not None and self._height(card, card.width()) != self._space.item.height:
                self.changed.emit()
        if event.type() == QEvent.Type.FocusIn and isinstance(watched, QWidget) and watched is not self.card:
            self._bring_into_view(watched)
        return False

    def _bring_into_view(self, part: QWidget) -> None:
        viewport = self._canvas.viewport()
        top = part.mapTo(viewport, QPoint(0, 0)).y()
        if (below := top + part.height() + OUTDENT - viewport.height()) > 0 or top < 0:
            self._canvas.scroll_by(below if below > 0 else top - OUTDENT)

    def _height(self, card: QWidget, width: int) -> int:
        card.ensurePolished()
        by_width = card.heightForWidth(width) if card.hasHeightForWidth() else -1
        return max(by_width, card.minimumSizeHint().height(), 0) if by_width >= 0 else card.sizeHint().height()

    def rebuild(self) -> None:
        """Makes the rows again: all messages were replaced, or the style."""
        style, messages = self._canvas.text_style, self._row_layout.messages
        rows: list[CanvasRow] = []
        answered = bool(messages) and messages[-1].role == "assistant" and bool(messages[-1].parts)
        gap = BENEATH_BUTTONS if answered else 8
        if self.notice is not None:
            rows.append(CanvasRow(NoteItem(style, *self.notice), gap - 8, 8, decoration="notice"))
            gap = 8
        self._space = None
        if self.card is not None:
            room = self._height(self.card, self._row_layout.width + 2 * OUTDENT)
            self._space = CanvasRow(SpaceItem(style, room), gap, 0, decoration="card")
            rows.append(self._space)
        if messages or rows:
            rows.append(CanvasRow(SpaceItem(style, 24), 0, 0, decoration="end"))
        self._row_layout.foot.rows = rows
        self._row_layout.foot.measure(self._row_layout.width)
        self._row_layout.heights.set(len(self._row_layout.messages), self._row_layout.foot.height)

    def focus_card(self) -> bool:
        """Gives the keyboard to the card, if there is one."""
        if self.card is None:
            return False
        self.card.setFocus(Qt.FocusReason.ShortcutFocusReason)
        return True
