"""The actions on a message: buttons, menu, details, ratings, notes, parts kept as artifacts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAction, QCursor, QKeySequence
from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from desktop_app.controller.open_threads import OpenThread
from desktop_app.core.artifacts import Artifact, kept_lines, normalized
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.sent_content import ARTIFACT_TOOLS, artifact_note, artifact_of
from desktop_app.core.events import AnswerGrew, ArtifactChanged, MarkChanged, TurnEnded, TurnFailed
from desktop_app.core.messages import NO_MARK, Json, Message, MessageMark, Part, Rating, TextPart, ToolCallPart
from desktop_app.core.model_catalog import shipped_name
from desktop_app.core.phrases import phrase
from desktop_app.core.titles import code_title, diagram_title
from desktop_app.ui.composer.composer import Composer
from desktop_app.ui.conversation.navigation import ShownMessages, is_question
from desktop_app.ui.i18n.content_words import kind_words, thousands
from desktop_app.ui.i18n.language import grouped, time_of, tr, translated
from desktop_app.ui.models.model_choice import ModelChoice
from desktop_app.ui.models.model_menu import ModelMenu
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.transcript.items.code_item import CodeItem
from desktop_app.ui.transcript.items.item import ARTIFACT
from desktop_app.ui.transcript.message.action_bar import NEXT, PREVIOUS, MessageAction
from desktop_app.ui.transcript.message.decorations import StepLine, is_cut
from desktop_app.ui.transcript.message.row_builder import written_text
from desktop_app.ui.transcript.message.tool_rows import AnnotationLine
from desktop_app.ui.transcript.view import TranscriptView
from desktop_app.ui.widgets.floating import Floating, Toast
from desktop_app.ui.widgets.parts import label_in

if TYPE_CHECKING:
    from desktop_app.ui.transcript.reading.keyboard_navigation import MessageEntries


NOTE: Final = "/note"
RATINGS: Mapping[str, Rating] = {"rate_up": "up", "rate_down": "down"}
"""The rating that each action gives a message."""


class MarksPresenter(QObject):
    """The marks of the open thread. `note_begun`: a note is about to be written."""

    note_begun = Signal()

    def __init__(
        self,
        app_state: AppState,
        messages: ShownMessages,
        view: TranscriptView,
        toast: Toast,
        focus_elsewhere: Callable[[], None],
    ) -> None:
        """`focus_elsewhere`: gives the keyboard to where it belongs when nothing is written."""
        super().__init__(view)
        self._app_state = app_state
        self._messages = messages
        self._view = view
        self._toast = toast
        self._focus_elsewhere = focus_elsewhere
        self._marks: dict[str, MessageMark] = {}  # by the id of what is shown
        self._unfolded: set[str] = set()
        self._noted: tuple[str, str] | None = None  # thread and message of the note that is being written
        self._by_keyboard = False

    def of(self, message_id: str) -> MessageMark:
        """The mark of a message that is shown."""
        return self._marks.get(message_id, NO_MARK)

    # Facts

    def show_opened(self, opened: OpenThread) -> None:
        """A thread is open, or was read again."""
        if self._noted is not None and (
            self._noted[0] != opened.thread.id or self._messages.find(self._noted[1]) is None
        ):
            self.leave_note()
        self._app_state.start(self._read(opened.thread.id))

    def thread_left(self, _thread: object = None) -> None:
        """Another thread is opened, or none: an unfinished note is there again when it is written on."""
        self.leave_note()
        self._marks, self._unfolded = {}, set()

    def changed(self, changed: MarkChanged) -> None:
        """A message has another mark."""
        if self._app_state.is_open(changed.thread_id):
            self._marks[self._messages.id_of(changed.message_id)] = changed.mark
            self._show()

    # Wishes

    def act(self, message_id: str, action: str) -> None:
        """Does with a message what its row, its line or its menu says."""
        match action:
            case "rate_up" | "rate_down":
                self.rate(message_id, RATINGS[action])
            case "note":
                self.write_note(message_id)
            case "fold_note":
                self._unfolded ^= {message_id}
                self._show()

    def act_here(self, action: str) -> None:
        """The same with the message that the keyboard is on, else with the last: with the last answer to rate it."""
        shown, focused = self._view.row_layout.messages, self._view.row_layout.focused
        if 0 <= focused < len(shown):
            self.act(shown[focused].id, action)
            return
        wanted = (one for one in reversed(self._messages.all) if action == "note" or not is_question(one))
        if (last := next(wanted, None)) is not None:
            self.act(last.id, action)

    def rate(self, message_id: str, rating: Rating) -> None:
        """Rates an answer; the same again takes it back."""
        message = self._messages.find(message_id)
        if message is None or message.role != "assistant" or self._messages.is_growing(message) or not message.parts:
            return
        mark = self.of(message_id)
        taken_back = mark.rating == rating
        told = {"up": self.tr("Rated up"), "down": self.tr("Rated down")}[rating]
        words = self.tr("Rating removed") if taken_back else told
        self._put(message_id, MessageMark("" if taken_back else rating, mark.note), words)

    def write_note(self, message_id: str) -> None:
        """Opens the field for a note beneath a message."""
        thread, unfinished = self._app_state.current, self._app_state.unfinished
        message = self._messages.find(message_id)
        if thread is None or message is None or self._messages.is_growing(message):
            return
        self.leave_note()
        self.note_begun.emit()
        self._by_keyboard = self._view.hasFocus()
        panel = self._view.editing.note
        if not panel.property("wired"):
            panel.setProperty("wired", True)
            panel.done.connect(self.keep_note)
            panel.cancelled.connect(self.cancel_note)
            panel.editor.textChanged.connect(unfinished.changed)
        self._noted = (thread.id, message_id)
        text = unfinished.begin(thread, f"{message_id}{NOTE}", panel.editor, self.of(message_id).note)
        self._view.editing.begin_note(message_id, text)

    def keep_note(self) -> None:
        """Keeps what was written; an empty note is taken away."""
        if self._noted is None:
            return
        message_id, text = self._noted[1], self._view.editing.note.text
        self._end_note()
        before = self.of(message_id)
        if text == before.note:
            return
        words = self.tr("Note saved") if text else self.tr("Note removed")
        self._put(message_id, MessageMark(before.rating, text), words)

    def cancel_note(self) -> bool:
        """Leaves the note as it was; False if none is being written."""
        if self._noted is None:
            return False
        self._end_note()
        return True

    def leave_note(self) -> None:
        """Something else is looked at: what was written is kept, also where the window ends."""
        if self._noted is not None:
            self._app_state.unfinished.end(self._noted[0], f"{self._noted[1]}{NOTE}", keep=True)
            self._noted = None
            self._view.editing.end()

    # Doings

    def _end_note(self) -> None:
        if self._noted is None:
            return
        index = self._view.path.number(self._noted[1])
        self._app_state.unfinished.end(self._noted[0], f"{self._noted[1]}{NOTE}")
        self._noted = None
        self._view.editing.end()
        if self._by_keyboard and index is not None:
            self._view.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self._view.keyboard.focus_message(index, stay=True)
        else:
            self._focus_elsewhere()

    def _put(self, message_id: str, mark: MessageMark, words: str) -> None:
        if self._app_state.thread_id is not None:
            self._app_state.start(self._change(self._app_state.thread_id, message_id, mark, words))

    async def _change(self, thread_id: str, message_id: str, mark: MessageMark, words: str) -> None:
        services = await self._app_state.services()
        before = await services.chat.marks.put(thread_id, message_id, mark)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._view, words))
        self._toast.show_message(words, self.tr("Undo"), partial(self._undo, thread_id, message_id, before))

    def _undo(self, thread_id: str, message_id: str, before: MessageMark) -> None:
        self._app_state.start(self._take_back(thread_id, message_id, before))

    async def _take_back(self, thread_id: str, message_id: str, before: MessageMark) -> None:
        services = await self._app_state.services()
        await services.chat.marks.put(thread_id, message_id, before)

    async def _read(self, thread_id: str) -> None:
        services = await self._app_state.services()
        marks = await services.chat.marks.of(thread_id)
        if self._app_state.is_open(thread_id):
            self._marks = {self._messages.id_of(message_id): mark for message_id, mark in marks.items()}
            self._show()

    def _show(self) -> None:
        shown = {
            message_id: AnnotationLine(mark, message_id in self._unfolded)
            for message_id, mark in self._marks.items()
            if not mark.empty
        }
        self._view.decorations.set_annotations(shown)
        self._view.actions_bar.follow()


LONG_DOCUMENT: Final = 1_500
"""Tokens of an answer from which it is offered to be kept: some three pages, which every later request would resend."""


class KeptAnswers(QObject):
    """The answers of the open thread. `made`: an artifact was made here, which is to be shown."""

    made = Signal(str)

    def __init__(self, app_state: AppState, messages: ShownMessages, view: TranscriptView, toast: Toast) -> None:
        super().__init__(view)
        self._app_state = app_state
        self._messages = messages
        self._view = view
        self._toast = toast
        self._declined: set[str] = set()
        self._kept_lines: dict[str, set[int]] = {}  # where what was kept of a message begins
        self._kept_texts: frozenset[str] = frozenset()  # the newest text of each artifact of the thread
        self._making = asyncio.Lock()
        self._weights: Mapping[str, int] = {}
        self._readable: bool | None = None  # whether the next request lets the model read them; None: not known yet
        self._placed: object = None
        self._offered: StepLine | None = None
        view.decorations.artifact_line = self.line_of

    # --- facts

    def refresh(self, fact: object = None) -> None:
        """Messages came, or are others now."""
        last = self._messages.last
        self._offered = self._offer(last) if last is not None else None
        before = self._kept_lines.copy()
        self._view.decorations.refresh_artifacts()
        if self._kept_lines != before:
            self._view.repaint_all()  # cards that offered to be kept, or do so again
        if isinstance(fact, ArtifactChanged):
            self._app_state.look(self._read_texts())

    def plan_changed(self, plan: ContextPlan | None) -> None:
        """Take the tokens of the last answer in the next request, which are known now."""
        readable, placed = self._readable, plan.placement.messages if plan is not None else ()
        if plan is not None:
            readable = any(tool.name in ARTIFACT_TOOLS for tool in plan.request.tools)
        if readable != self._readable or placed is not self._placed:
            self._readable, self._placed = readable, placed
            self._weights = {one.id: one.tokens for one in placed[-8:]}
            self.refresh()
            self._app_state.look(self._read_texts())

    async def _read_texts(self) -> None:
        if (thread_id := self._app_state.thread_id) is not None:
            services = await self._app_state.services()
            texts = frozenset(one.text for one in await services.artifacts.contexts(thread_id))
            if texts != self._kept_texts and self._app_state.is_open(thread_id):
                self._kept_texts = texts
                self._view.repaint_all()

    def line_of(self, message: Message) -> StepLine | None:
        """Return the line beneath an answer: what was kept of it, or that it can be kept."""
        if self._offered is not None and self._offered.message_id == message.id:
            return self._offered
        stored = self._messages.find(message.id) or message  # what is painted may be older than what was kept of it
        kept = next(kept_facts(stored), None) if message.role == "assistant" else None
        self._kept_lines.pop(message.id, None)
        if kept is None:
            return None
        self._kept_lines[message.id] = set(kept_lines(stored))
        words = artifact_note(kept).removeprefix("[created artifact] ")
        return StepLine(message.id, self._said_of(words), ((f"{ARTIFACT}{kept.get('id')}:0", self.tr("Open")),))

    def _said_of(self, title: str) -> str:
        """Return the words on what was kept, and on what the model sees of it."""
        if self._readable is None:
            words = self.tr("Kept as {title}")
        elif self._readable:
            words = self.tr("Kept as {title} · the model sees this line and can read the rest")
        else:
            words = self.tr("Kept as {title} · the model sees only this line, unless you name or pin it")
        return words.format(title=title)

    def _offer(self, message: Message) -> StepLine | None:
        """Return the offer to keep the last answer, if it can be kept and is worth it."""
        if message.id in self._declined or not is_keepable(message):
            return None
        if self._app_state.running or any(isinstance(part, ToolCallPart) for part in message.parts):
            return None
        tokens = sum(self._weights.get(one, 0) for one in self._messages.members(message))
        if tokens < LONG_DOCUMENT:
            return None
        words = self.tr("A long document: each later request sends its {tokens} tokens again")
        actions = (("keep", self.tr("Keep as artifact")), ("keep_not", self.tr("Not now")))
        return StepLine(message.id, words.format(tokens=thousands(tokens)), actions)

    # --- wishes

    def act(self, message_id: str, action: str) -> None:
        """Does with an answer what its row, its line or its menu says."""
        if (message := self._messages.find(message_id)) is None:
            return
        if action == "keep" and is_keepable(message):
            self._app_state.start(self._keep(message))
        elif action == "keep_not":
            self._declined.add(message_id)
            self.refresh()

    def keep_last(self) -> None:
        last = next((one for one in reversed(self._messages.all) if is_keepable(one)), None)
        if last is None:
            self._toast.show_message(self.tr("There is no answer to keep yet."))
        else:
            self.act(last.id, "keep")

    def keeps_code(self, code: CodeItem) -> bool:
        """Return True for code that can be kept: all but a block of an answer that was, and other code that is."""
        if (block := self._block_of(code)) is None:
            return not self._kept_texts or normalized(code.code) not in self._kept_texts
        return block.first not in self._kept_lines.get(block.message_id, ())

    def keep_code(self, code: CodeItem) -> None:
        """Keeps a block of code; only in an answer its note stands in its place from then on."""
        if (block := self._block_of(code)) is not None and (message := self._messages.find(block.message_id)):
            self._app_state.start(self._keep(message, block))
        else:
            self._app_state.start(self._made_of(code.code, **self._facts_of(code.language, code.code)))

    def _block_of(self, code: CodeItem) -> CodeBlock | None:
        """The block of an answer that a card in view shows; None: it shows something else."""
        rows = self._view.row_layout
        for placed in rows.placed:
            if (row := placed.row).item is not code or row.leaf is None:
                continue
            layout = rows.message_layout(placed.message)
            if layout.message.role == "assistant" and isinstance((parts := layout.parts)[row.part], TextPart):
                before = _line_ends(parts[: row.part])
                first, end = before + row.leaf.first_line, before + row.leaf.end_line
                return CodeBlock(layout.message.id, first, end, code.code, code.language)
        return None

    def keep_selection(self, markdown: str) -> None:
        """Makes an artifact of what is selected; the answers stay as they are."""
        if markdown.strip():
            self._app_state.start(self._made_of(markdown))

    async def _keep(self, message: Message, block: CodeBlock | None = None) -> None:
        services = await self._app_state.services()
        members = [await services.history.message(one) for one in self._messages.members(message)]
        if block is None:
            said = [one for one in members if one.role == "assistant" and one.text.strip()]
            if len(said) == 1:
                self._tell(await services.artifacts.keep(said[0]))
            else:
                await self._made_of(written_text(message))
            return
        line = 0
        for member in (one for one in members if one.role == "assistant"):  # the one that says this
            lines = _line_ends(member.parts)
            if line <= block.first and block.end <= line + lines + 1:
                break
            line += lines
        place = (block.first - line, block.end - line)
        written = "".join(part.text for part in member.parts if isinstance(part, TextPart)).split("\n")
        above = next((words for words in reversed(written[: place[0]]) if words.strip()), "")
        facts = self._facts_of(block.language, block.code, written[place[0]], above)
        self._tell(await services.artifacts.keep(member, block.code, block=place, **facts))

    def _facts_of(self, language: str, code: str, fence: str = "", above: str = "") -> dict[str, Any]:
        """Title, kind and language of an artifact that is a block of code, with the lines before it."""
        from desktop_app.controller.artifact_library import kind_of

        kind, title = kind_of(language, code), ""
        if kind == "code":
            title = code_title(code, fence, above) or self.tr("Code")
        elif kind == "mermaid":
            title = diagram_title(code) or kind_words(kind)
        return {"title": title, "kind": kind, "language": language}

    async def _made_of(self, text: str, *, title: str = "", **facts: Any) -> None:
        if (thread_id := self._app_state.thread_id) is not None:
            services = await self._app_state.services()
            async with self._making:
                there = await services.artifacts.contexts(thread_id)
                same = next((one for one in there if one.text == normalized(text)), None)
                made = None if same else await services.artifacts.create(thread_id, title, text, **facts)
            if made is not None:
                self._tell(made)
            elif same is not None:
                self.made.emit(same.id)

    def _tell(self, artifact: Artifact) -> None:
        self.refresh()
        self.made.emit(artifact.id)
        words = self.tr("Kept as “{title}”").format(title=artifact.title)
        self._toast.show_message(words, self.tr("Undo"), partial(self._undo, artifact.id))

    def _undo(self, artifact_id: str) -> None:
        async def delete() -> None:
            services = await self._app_state.services()
            await services.artifacts.delete(artifact_id)

        self._app_state.start(delete())


def is_keepable(message: Message) -> bool:
    """Return True if an answer says something that was not kept yet."""
    return message.role == "assistant" and bool(message.text.strip()) and next(kept_facts(message), None) is None


def kept_facts(message: Message) -> Iterator[Mapping[str, Json]]:
    for part in message.parts:
        if isinstance(part, TextPart) and (facts := artifact_of(part)) is not None:
            yield facts


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A block of code of an answer: `first` to before `end` are its lines in all that the answer says."""

    message_id: str
    first: int
    end: int
    code: str
    language: str


def _line_ends(parts: Sequence[Part]) -> int:
    return sum(part.text.count("\n") for part in parts if isinstance(part, TextPart))


def details(
    message: Message, model: str, backend: str, speed: float | None, *, mark: MessageMark = NO_MARK, why: str = ""
) -> list[tuple[str, str]]:
    """Return the details of a message, as (name, value).

    `model`, `backend`: their names; `speed`: tokens a second, where it was measured; `mark`: the user's own; `why`: the
    sentence on an answer that cost much more than the one before.
    """
    return [*_facts(message, model, backend, speed, why), *_own(mark)]


def _facts(message: Message, model: str, backend: str, speed: float | None, why: str) -> list[tuple[str, str]]:
    told = [(tr("Time"), time_of(message.created))]
    if message.role == "user":
        return told
    if model:
        told.append((tr("Model"), " · ".join(words for words in (model, backend) if words)))
        if message.model and model != message.model:
            told.append((tr("Model ID"), message.model))
    if (usage := message.usage) is not None and usage.asked:
        told.append((tr("Asked for"), shipped_name(usage.asked)))
    if usage is not None:
        told.append((tr("Tokens in"), grouped(usage.prompt)))
        if usage.cache_read:
            told.append((tr("of these from the cache"), grouped(usage.cache_read)))
        if usage.cache_write:
            told.append((tr("of these written to the cache"), grouped(usage.cache_write)))
        told.append((tr("Tokens out"), grouped(usage.output)))
        if usage.thinking:
            told.append((tr("of these thinking"), grouped(usage.thinking)))
        if usage.cost_usd is not None:
            told.append((tr("Cost"), _cost(usage.cost_usd)))
    if why:
        told.append((tr("Why more"), why))
    if speed is not None:
        told.append((tr("Speed"), tr("{speed} tokens/s").format(speed=grouped(speed))))
    return told


WIDEST: Final = 340
"""Pixels of a value in one line."""


class DetailsPopover(QFrame):
    """A table of two columns; the keyboard's Esc and a click elsewhere close it."""

    def __init__(self, theme: Theme, told: Sequence[tuple[str, str]], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("kind", "popover")
        Floating(self)
        self.setAccessibleName(tr("Details of the message"))
        self.setAccessibleDescription(". ".join(f"{name}: {value}" for name, value in told))
        table = QGridLayout(self)
        table.setContentsMargins(2 * GRID, GRID + GRID // 2, 2 * GRID, GRID + GRID // 2)
        table.setHorizontalSpacing(3 * GRID)
        table.setVerticalSpacing(GRID // 2)
        for row, (name, value) in enumerate(told):
            for column, words in enumerate((name, value)):
                label = label_in(self, words)
                label.setFont(theme.small_font())
                if label.sizeHint().width() > WIDEST:
                    label.setFixedWidth(WIDEST)
                    label.setWordWrap(True)
                if column == 0:
                    label.setProperty("tone", "secondary")
                else:
                    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
                table.addWidget(label, row, column, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)

    def open_at(self, place: QRect) -> None:
        """Opens beneath a place on the screen, above it where there is no room."""
        size, screen = self.sizeHint(), self.screen().availableGeometry()
        top = place.bottom() + GRID // 2
        if top + size.height() > screen.bottom():
            top = place.top() - size.height() - GRID // 2
        self.move(QPoint(max(screen.left(), min(place.left(), screen.right() - size.width())), top))
        self.show()
        self.setFocus()


def _own(mark: MessageMark) -> list[tuple[str, str]]:
    rating = {"up": tr("Up"), "down": tr("Down")}.get(mark.rating)
    told = [(tr("Your rating"), rating)] if rating else []
    return [*told, (tr("Your note"), mark.note)] if mark.note else told


def _cost(usd: float) -> str:
    """To a hundredth of a cent where it is less than a dollar: one answer often costs less than a cent."""
    if usd >= 1 or not usd:
        return translated(phrase("${amount:,.2f}", amount=usd))
    return translated(phrase("${amount:.4f}", amount=usd))


SHORTEST_S: Final = 0.2
"""An answer that came all at once tells nothing of a speed."""


class AnswerSpeeds:
    """Tokens a second by answer, from its first words to its end."""

    def __init__(self) -> None:
        self._began: dict[str, tuple[str, float]] = {}  # thread -> growing answer, when its first words came
        self._speeds: dict[str, float] = {}

    def grew(self, grew: AnswerGrew) -> None:
        """The first words: from here on it is measured."""
        if (began := self._began.get(grew.thread_id)) is None or began[0] != grew.message_id:
            self._began[grew.thread_id] = (grew.message_id, monotonic())

    def over(self, over: TurnEnded | TurnFailed) -> None:
        """The end: what the provider counted, through the time it took."""
        began, usage = self._began.pop(over.thread_id, None), over.message.usage
        if (
            began is not None
            and began[0] == over.message.id
            and usage is not None
            and (seconds := monotonic() - began[1]) >= SHORTEST_S
        ):
            self._speeds[over.message.id] = usage.output / seconds

    def of(self, answers: Sequence[str]) -> float | None:
        """The speed of the last of these answers that was measured."""
        return next((self._speeds[one] for one in reversed(answers) if one in self._speeds), None)


LEAST_USD: Final = 0.02
"""An answer that cost less can't have cost so much more than the one before that it says why."""

FREQUENT = ("edit", "again", "continue", "keep")
"""The actions at the first level of a message's menu."""
STEPS = {PREVIOUS: -1, NEXT: 1}
VERSION_KEYS = {PREVIOUS: "Alt+Left", NEXT: "Alt+Right"}
"""The keys that the transcript takes where the keyboard is on a message."""


class MessageActions(QObject):
    """Offers what can be done; `chosen(message_id, action)` is what was wished.

    `models_wanted(show, update)`: the models to choose from are asked for. `model_chosen(message_id, backend, model)`:
    that one is to answer once.
    """

    chosen = Signal(str, str)
    models_wanted = Signal(object, object)
    model_chosen = Signal(str, str, str)

    def __init__(
        self,
        app_state: AppState,
        messages: ShownMessages,
        view: TranscriptView,
        composer: Composer,
        theme: Callable[[], Theme],
    ) -> None:
        super().__init__(view)
        self._app_state = app_state
        self._messages = messages
        self._view = view
        self._composer = composer
        self._theme = theme
        self.speeds = AnswerSpeeds()
        self.mark_of: Callable[[str], MessageMark] = lambda _message_id: NO_MARK
        """The function that returns the user's mark on a message."""
        self.models: ModelMenu | None = None
        view.actions_bar.offers = self.offers

    def offers(self, message_id: str) -> list[MessageAction]:
        """Return the actions in the row beneath a message, best first; none while the question is edited."""
        message, reason = self._messages.find(message_id), self.reason
        if message is None or message_id == self._view.edited:
            return []
        copy = MessageAction("copy", "copy", self.tr("Copy message"))
        mark = self.mark_of(message_id)
        noted = self.tr("Edit the note") if mark.note else self.tr("Write a note")
        note = MessageAction("note", "noted" if mark.note else "note", noted, on=bool(mark.note))
        details = MessageAction("details", "details", self.tr("Details"))
        again = MessageAction("again", "again", self.tr("Regenerate"), reason)
        if message.role == "user":
            edit = [MessageAction("edit", "pencil", self.tr("Edit"), reason)] if is_question(message) else []
            # its answer was deleted
            ends = is_question(message) and self._messages.is_last(message) and not reason
            return [*edit, *([again] if ends else []), copy, note, details]
        other = MessageAction("again_with", "chevron", self.tr("Regenerate with another model"), reason, narrow=True)
        keep = MessageAction("keep", "document", self.tr("Keep as artifact"), reason)
        if not message.parts:  # it failed before the first word
            return [again, other, details]
        offers = [copy, *([keep] if is_keepable(message) else []), again, other]
        if self._messages.is_last(message) and is_cut(message):
            offers.append(MessageAction("continue", "continue", self.tr("Continue"), reason))
        up, down = mark.rating == "up", mark.rating == "down"
        offers.append(MessageAction("rate_up", "rated-up" if up else "rate-up", self.tr("Rate up"), on=up))
        offers.append(MessageAction("rate_down", "rated-down" if down else "rate-down", self.tr("Rate down"), on=down))
        return [*offers, note, details]

    @property
    def reason(self) -> str:
        """Why nothing can be asked now, or nothing."""
        return (
            self.tr("An answer is still coming. Stop it or wait until it is complete.")
            if self._app_state.running
            else ""
        )

    def fill_menu(self, message_id: str, _position: QPoint) -> None:
        """The menu of a message is about to open: all that its row of buttons offers is there for the keyboard."""
        menu, message = self._view.menu, self._messages.find(message_id)
        if menu is None or message is None:
            return
        menu.more.addSeparator()
        for offer in self.offers(message_id):
            if offer.id == "copy" or offer.reason:
                continue
            wish = partial(self.chosen.emit, message_id, offer.id)
            if offer.id in FREQUENT:
                menu.add("act", offer.words, wish)
                continue
            words = f"{offer.words}…" if offer.id == "again_with" else offer.words
            entry = menu.add_more(words, wish, keys=self._keys(offer.id))
            entry.setCheckable(offer.id in ("rate_up", "rate_down"))
            entry.setChecked(bool(offer.on))
        if message.role == "assistant" and not self._messages.is_last(message) and not self._app_state.running:
            menu.add("act", self.tr("Branch from here"), partial(self.chosen.emit, message_id, "branch"), spare=3)
        if not self._app_state.running:
            self._add_versions(menu, message_id)

    def choose_model(self, message_id: str) -> None:
        """Shows the models of which one is to answer once."""
        self.models_wanted.emit(partial(self._show_models, message_id), self._update_models)

    def show_details(self, message: Message) -> None:
        """Time, model, tokens, cost and speed of a message."""
        members, place = self._messages.members(message), self._anchor()
        answers = [found.usage for one in members if (found := self._messages.find(one)) is not None]
        if (
            self._app_state.ready is None
            or sum((one.cost_usd or 0.0) for one in answers if one is not None) < LEAST_USD
        ):
            self._open_details(message, place)
        else:
            self._app_state.start(self._open_with_reason(message, place))

    async def _open_with_reason(self, message: Message, place: QRect) -> None:
        services = await self._app_state.services()
        reasons = await services.chat.cost_reasons(message.thread_id)
        members = {message.id, *self._messages.members(message)}
        why = next((words for name, words in reasons.items() if name in members), "")
        self._open_details(message, place, translated(why))

    def _open_details(self, message: Message, place: QRect, why: str = "") -> None:
        services = self._app_state.ready
        backend = services.backends.get(message.backend or "") if services is not None else None
        members = self._messages.members(message)
        title = translated(backend.title) if backend is not None else message.backend or ""
        name, speed = self.model_of(message), self.speeds.of(members)
        told = details(message, name, title, speed, mark=self.mark_of(message.id), why=why)
        DetailsPopover(self._theme(), told, self._view).open_at(place)

    def model_of(self, message: Message) -> str:
        """The model of an answer as the provider calls it, where it is still known."""
        services, model = self._app_state.ready, message.model or ""
        backend = services.backends.get(message.backend or "") if services is not None else None
        return backend.model(model).name if backend is not None and model else shipped_name(model, message.backend)

    def _keys(self, action: str) -> Sequence[QKeySequence]:
        """The keys of an action of the window, as they are now."""
        found = self._view.window().findChild(QAction, action)
        return found.shortcuts() if found is not None else ()

    def _add_versions(self, menu: MessageEntries, message_id: str) -> None:
        if (branch := self._view.decorations.branch_of(message_id)) is None:
            return
        for action, words in ((PREVIOUS, self.tr("Previous version")), (NEXT, self.tr("Next version"))):
            if 1 <= branch[0] + STEPS[action] <= branch[1]:
                told = f"{words} ({branch[0]} / {branch[1]})"
                keys = [QKeySequence(VERSION_KEYS[action])]
                menu.add_more(told, partial(self.chosen.emit, message_id, action), keys=keys)

    def _anchor(self) -> QRect:
        """The row of buttons on the screen; where it is not shown, the pointer's place."""
        if (row := self._view.actions_bar.visible_row) is not None:
            return QRect(row.mapToGlobal(QPoint(0, 0)), row.size())
        return QRect(QCursor.pos(), QCursor.pos())

    def _show_models(self, message_id: str, choices: Sequence[ModelChoice]) -> None:
        answered = self._messages.find(message_id)
        chosen = (answered.backend or "", answered.model or "") if answered is not None else None
        menu = self.models = ModelMenu(self._theme(), chosen, self._view, connections=False)
        menu.chosen.connect(partial(self.model_chosen.emit, message_id))
        menu.hidden.connect(self._models_hidden)
        menu.show_choices(choices)
        menu.open_at(self._view.actions_bar.visible_row or self._composer.picker)

    def _update_models(self, choices: Sequence[ModelChoice]) -> None:
        if self.models is not None:
            self.models.show_choices(choices)

    def _models_hidden(self) -> None:
        if self.models is not None:
            self.models.deleteLater()
            self.models = None
