"""The card that stands where an answer would be: an error or a question, one for each thread."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, Protocol, TypeAlias

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop_app.controller.open_threads import OpenThread
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.plan_questions import Remedy, refusal_remedies, trim_remedies
from desktop_app.core.context.plan_text import refusal, refusal_explanation, refusal_heading
from desktop_app.core.errors import ACTIONS, TEXT_IN_MEMORY, TEXT_SAVED, named_wait, with_wait
from desktop_app.core.events import (
    AnswerSaved,
    BranchChanged,
    ConsentAsked,
    CrossingAsked,
    SendRefused,
    TurnFailed,
    TurnPaused,
    TurnResumed,
    TurnStarted,
)
from desktop_app.core.messages import Failure, Message
from desktop_app.core.phrases import Phrase, having
from desktop_app.core.settings import ContextSettings
from desktop_app.ui.i18n.content_words import dollars, price, thousands
from desktop_app.ui.i18n.language import editable, grouped, hour_of, parted, tr, translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.theme import GRID, Theme, icon_pixmap, radius, stroke
from desktop_app.ui.transcript.message.decorations import is_cut
from desktop_app.ui.transcript.view import TranscriptView
from desktop_app.ui.widgets.fitting import FlowRow
from desktop_app.ui.widgets.floating import Menu
from desktop_app.ui.widgets.parts import fill, in_row, label_in

LONGEST_LINE = 160
"""Characters of a line of arguments."""
LONGEST_NAME = 28
"""Characters of a document's name on a button."""

Tone: TypeAlias = Literal["error", "question"]


@dataclass(frozen=True, slots=True)
class CardAction:
    """One button: an id of its own on this card, the words on it, and what it needs."""

    id: str
    words: str
    remedy: Remedy


@dataclass(frozen=True, slots=True)
class CardContent:
    """The content of a card. `biggest` may be empty; `actions` best first; `resolved`: the line it shrinks to.

    `has_primary`: the first action is the obvious one.
    """

    heading: str
    sentence: str
    biggest: str
    actions: tuple[CardAction, ...]
    detail: str
    resolved: str
    tone: Tone = "error"
    has_primary: bool = True

    def action(self, name: str) -> CardAction | None:
        return next((action for action in self.actions if action.id == name), None)


def describe_failure(
    failure: Failure,
    plan: ContextPlan | None = None,
    *,
    sent: bool = False,
    known: Collection[str] = ACTIONS,
    unsent: str = "",
    saved: str = TEXT_SAVED,
) -> CardContent:
    """The card of a failure. `sent`: a request had left, so a partial answer may stand above the card.

    `known`: the actions that can be carried out here, "continue" where the answer was cut; others are not offered.
    `unsent`: what is said where nothing was sent, if the draft does not stand below the card. `saved`: what is said of
    the text that came.
    """
    biggest, detail = "", translated(failure.detail)
    goes_on = sent and failure.actions[:1] == ("retry",)  # what was cut can go on, whatever cut it
    # a question that is refused for its words goes along with the next ones, which then fail too
    deletes = sent and failure.code == "backend" and "continue" not in known
    actions = ("continue",) * goes_on + failure.actions + ("delete_question",) * deletes
    remedies: Sequence[Remedy] = [Remedy(action) for action in actions]
    if plan is not None and plan.decision == "refuse":
        heading = translated(refusal_heading(plan))
        sentence, _, biggest = translated(refusal_explanation(plan)).partition("\n")
        # The biggest items are the refusal's only technical text, and they stand on the card already.
        detail = ""
        remedies = refusal_remedies(plan)
    else:
        heading, sentence = parted(having(failure.message, saved=saved))
    if not sentence:
        unsent = unsent or tr("Nothing was sent. Your draft is still below.")
        sentence = translated(saved) if sent else unsent
    resolved = tr("Resolved: {what}").format(what=heading)
    # what forgets least comes first: it is the obvious one but where another costs less now
    first = not any(0 < _most(one) < _most(remedies[0]) for one in remedies[1:])
    return CardContent(heading, sentence, biggest, _actions(remedies, known), detail, resolved, has_primary=first)


def describe_crossing(plan: ContextPlan) -> CardContent:
    """The question before a thread passes its soft limit (CTX-14), with prices on its buttons."""
    heading = tr("This thread passes {limit} tokens").format(limit=thousands(plan.limits.soft))
    sentence = tr(
        "{model} takes more. Nothing was sent yet: keep to the limit and leave out older messages, or raise it."
    ).format(model=plan.model.name)
    asked = [remedy for remedy in trim_remedies(plan) if remedy.action in ("keep_trimming", "raise_limit")]
    actions = tuple(replace(action, words=_limit_words(action.remedy)) for action in _actions(asked, ACTIONS))
    # a higher limit forgets less: it is the obvious choice where it costs less, too, and the user set no lower one
    keeps, raises = (
        next((one for one in asked if one.action == name), None) for name in ("keep_trimming", "raise_limit")
    )
    better = keeps is not None and raises is not None and bool(raises.cost_usd) and _most(raises) < _most(keeps)
    if better := better and plan.limits.soft >= ContextSettings().soft_limit:
        actions = tuple(sorted(actions, key=lambda action: action.remedy is not raises))
    return CardContent(heading, sentence, "", actions, "", tr("Answered"), "question", has_primary=better)


def _most(remedy: Remedy) -> float:
    return max(remedy.cost_usd or 0.0, remedy.most_usd or 0.0)


def _limit_words(remedy: Remedy) -> str:
    """`Raise to 300K · up to $0.10, then $0.03 a turn`."""
    words = tr("Raise to {limit}") if remedy.action == "raise_limit" else tr("Keep {limit}")
    return _with_price(words.format(limit=thousands(remedy.limit)), remedy)


def _with_price(words: str, remedy: Remedy) -> str:
    if not remedy.cost_usd:
        return words
    words = f"{words} · {price(remedy.cost_usd, remedy.most_usd, at_most=remedy.at_most)}"
    if not remedy.turn_usd:
        return words
    return tr("{now}, then {each} a turn").format(now=words, each=dollars(remedy.turn_usd))


def describe_pause(paused: TurnPaused) -> CardContent:
    """The question of a turn that waits at its cap."""
    calls = (tr("1 call") if paused.calls == 1 else tr("{count} calls")).format(count=grouped(paused.calls))
    if paused.to_usd:
        heading = tr("Paused after {price} ({calls})").format(price=dollars(paused.usd or 0.0), calls=calls)
        whole = paused.to_usd == round(paused.to_usd)
        cap = grouped(round(paused.to_usd)) if whole else editable(f"{paused.to_usd:,.2f}")
        go_on, cap_key = tr("Continue to ${amount}").format(amount=cap), "context.turn_cap_usd"
    else:
        heading = tr("Paused after {calls}").format(calls=calls)
        go_on = tr("Continue to {count} calls").format(count=grouped(paused.to_calls))
        cap_key = "context.turn_cap_calls"
    ends = (tr("Cached until {time}"), paused.cached_until), (tr("Ends by itself at {time}"), paused.ends)
    times = " · ".join(words.format(time=hour_of(datetime.fromisoformat(at).timestamp())) for words, at in ends if at)
    reached = tr("The tools of this turn have reached the cap.")
    actions = (
        CardAction("continue_turn", go_on, Remedy("continue_turn")),
        CardAction("stop_turn", tr("Stop here"), Remedy("stop_turn")),
        CardAction("edit_caps", translated(ACTIONS["edit_caps"]), Remedy("edit_caps", name=cap_key)),
    )
    return CardContent(heading, reached, times, actions, "", tr("Answered"), "question", has_primary=False)


SHOWN_LINES = 6
"""Lines of a call's arguments on the card (INTERFACE.md); all of them unfold."""
SHOWN_WHERE_LOW = 80
"""Characters of them, on one line, where there is no room for these lines and the buttons."""


def describe_consent(asked: ConsentAsked, *, is_low: bool = False) -> CardContent:
    """The question whether a tool of a server may be called; `is_low`: with little room for its arguments."""
    heading = {
        "reads": tr("{server} wants to read: {tool}"),
        "writes": tr("{server} wants to write: {tool}"),
        "sends": tr("{server} wants to send: {tool}"),
        "runs": tr("{server} wants to run: {tool}"),
    }[asked.acts].format(server=asked.server, tool=asked.tool)
    if asked.changed:
        sentence = tr("The tool is not the one that you allowed: its description or its arguments have changed.")
    elif asked.marked:
        sentence = tr("Allowing it in this thread allows all tools of this server that you marked as reading.")
    elif asked.acts == "reads":
        sentence = tr("The server says that it only reads.")
    else:
        sentence = tr("The model chose the tool and its arguments. Nothing has been done yet.")
    lines = asked.arguments.splitlines()
    shown, long = lines[:SHOWN_LINES], len(lines) > SHOWN_LINES or max(map(len, lines), default=0) > LONGEST_LINE
    if is_low:
        joined, long = " ".join(asked.arguments.split()), long or len(lines) > 2
        shown = [joined if len(joined) <= SHOWN_WHERE_LOW else f"{joined[:SHOWN_WHERE_LOW]}…"]
    elif len(lines) > SHOWN_LINES:
        left = len(lines) - SHOWN_LINES + 1
        shown = [*lines[: SHOWN_LINES - 1], tr("… {count} more lines").format(count=grouped(left))]
    if asked.ends:
        ends = tr("Refused by itself at {time}.").format(time=hour_of(datetime.fromisoformat(asked.ends).timestamp()))
        sentence = f"{sentence} {ends}"
    actions = tuple(
        CardAction(name, words, Remedy(name, target=asked.call_id))
        for name, words in (
            ("allow_once", tr("Allow once")),
            ("allow_thread", tr("Allow in this thread")),
            ("refuse_call", tr("Don't allow")),
        )
    )
    if asked.about and not is_low:
        shown = [tr("{server} says: “{words}”").format(server=asked.server, words=asked.about), *shown]
    given = "\n".join(line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…" for line in shown)
    detail = asked.arguments if long else ""
    return CardContent(heading, sentence, given, actions, detail, tr("Answered"), "question", has_primary=False)


def _actions(remedies: Sequence[Remedy], known: Collection[str]) -> tuple[CardAction, ...]:
    actions: list[CardAction] = []
    taken: dict[str, int] = {}
    for remedy in remedies:
        usable = remedy.action in ACTIONS and remedy.action in known
        # a limit without a number is nothing to press
        if usable and not (remedy.action == "raise_limit" and not remedy.limit):
            taken[remedy.action] = number = taken.get(remedy.action, 0) + 1
            name = remedy.action if number == 1 else f"{remedy.action}-{number}"
            actions.append(CardAction(name, _words(remedy), remedy))
    return tuple(actions)


def _words(remedy: Remedy) -> str:
    if len(name := remedy.name) > LONGEST_NAME:
        name = f"{name[: LONGEST_NAME - 9].rstrip()}…{name[-8:]}"
    words = translated(Phrase(ACTIONS[remedy.action], {"limit": thousands(remedy.limit), "name": name}))
    return _with_price(words, remedy)


EDGE = 3
"""Width of the red edge in pixels (INTERFACE.md)."""
MARK = 16
"""Width of the icon in pixels."""
BUTTONS = 3
"""Most buttons before `More` (INTERFACE.md)."""


class ErrorCard(QFrame):
    """Says what happened and what to do. `action_requested` carries the id of one of the content's actions.

    A question has no icon, and its edge has the accent colour: nothing went wrong.
    """

    action_requested = Signal(str)
    left = Signal()
    unfolded = Signal()

    def __init__(self, theme: Theme, content: CardContent, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.content = content
        self.resolved = False
        self._describe()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self._mark = QLabel(self)
        self._heading = self._label(content.heading)
        self._sentence = self._label(content.sentence)
        self._biggest = self._label(content.biggest)
        self._biggest.setProperty("tone", "secondary")
        self._detail = self._label(content.detail)
        self._detail.setProperty("tone", "secondary")
        self._detail.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._detail.hide()
        self._buttons: list[QPushButton] = []

        head = in_row((self._mark, 0, Qt.AlignmentFlag.AlignTop), (self._heading, 1), spacing=GRID)
        self._body = QWidget(self)
        body = self._inside = QVBoxLayout(self._body)
        fill(body, self._sentence, self._biggest, spacing=GRID // 2)
        fill(body, GRID // 2, self._button_row(content.actions), self._detail)
        column = self._column = QVBoxLayout(self)
        fill(column, head, self._body, margins=(2 * GRID, GRID + GRID // 2), spacing=GRID // 2)
        self._theme = theme
        theme.set_font("title", self._heading)
        theme.set_font("body", self._sentence)
        theme.set_font("small", self._biggest, self._detail)
        self._biggest.setVisible(bool(content.biggest))  # not before it has its font: another parent would take that
        theme.follow(self._apply_theme)

    def take_words(self, content: CardContent) -> bool:
        """Says something else in place; False where the buttons would be others, which takes another card."""
        if self.resolved or (content.actions, content.detail) != (self.content.actions, self.content.detail):
            return False
        if content != self.content:
            self.content = content
            self._heading.setText(content.heading)
            self._sentence.setText(content.sentence)
            self._biggest.setText(content.biggest)
            self._biggest.setVisible(bool(content.biggest))
            self._describe()
            self.updateGeometry()
        return True

    def _apply_theme(self) -> None:
        theme = self._theme
        if self.content.tone == "error":
            side = theme.pixels(MARK)
            self._mark.setPixmap(icon_pixmap("alert", theme, "danger", side, self.devicePixelRatioF()))
            # the sentences begin where the heading does
            self._inside.setContentsMargins(side + GRID, 0, 0, 0)
            self._mark.setFixedHeight(round(self._heading.fontMetrics().height()))
        else:
            self._mark.hide()
            self._inside.setContentsMargins(0, 0, 0, 0)
        if self.resolved:
            self.resolve()

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        """The buttons from left to right, `More` and `Details` included."""
        return tuple(self._buttons)

    def button(self, action: str) -> QPushButton | None:
        """The button of an action, if it is one of the first three."""
        return next((button for button in self._buttons if button.objectName() == action), None)

    def focus_first(self) -> None:
        """Puts the keyboard on the first button."""
        if self._buttons:
            self._buttons[0].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def resolve(self) -> None:
        """Shrinks to one muted line."""
        self.resolved = True
        self._body.hide()
        self._mark.hide()
        self._heading.setText(self.content.resolved)
        self._heading.setProperty("tone", "secondary")
        self._heading.style().unpolish(self._heading)
        self._heading.style().polish(self._heading)
        self._heading.setFont(self._theme.small_font())  # unpolishing brings back the one before
        self._column.setContentsMargins(2 * GRID, 0, 2 * GRID, 0)  # its words stand where the text does
        self.updateGeometry()
        self.update()

    @property
    def has_keyboard(self) -> bool:
        """True while one of the buttons has the focus."""
        return any(button.hasFocus() for button in self._buttons)

    def heightForWidth(self, width: int) -> int:
        return self._column.heightForWidth(width)

    def hasHeightForWidth(self) -> bool:
        return True

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.resolved:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("hairline"), stroke("hair")))
        corner = radius("control")
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), corner, corner)
        whole = QPainterPath()
        whole.addRoundedRect(QRectF(self.rect()), corner, corner)
        painter.setClipPath(whole)
        edge = "danger" if self.content.tone == "error" else "accent"
        painter.fillRect(QRectF(0, 0, EDGE, self.height()), self._theme.color(edge))
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows go from button to button, Esc back to where the focus came from."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}.get(
            Qt.Key(event.key()), 0
        )
        place = next((place for place, button in enumerate(self._buttons) if button.hasFocus()), None)
        if step and place is not None:
            self._buttons[(place + step) % len(self._buttons)].setFocus(Qt.FocusReason.TabFocusReason)
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _describe(self) -> None:
        self.setAccessibleName(self.content.heading)
        self.setAccessibleDescription(f"{self.content.sentence} {self.content.biggest}".strip())

    def _label(self, words: str) -> QLabel:
        return label_in(self, words, wrap=True)

    def _button_row(self, actions: tuple[CardAction, ...]) -> FlowRow:
        row = FlowRow(across=GRID, down=GRID)
        for action in actions[:BUTTONS]:
            button = self._add_button(row, action.words, action.id)
            if action.remedy.name:
                button.setToolTip(action.remedy.name)
        if self._buttons and self.content.has_primary:
            self._buttons[0].setProperty("kind", "primary")
        if further := actions[BUTTONS:]:
            more = self._add_button(row, self.tr("More"), "more")
            menu = Menu(more)
            menu.setAccessibleName(more.text())
            for action in further:
                entry = menu.addAction(action.words)
                entry.triggered.connect(lambda _=False, name=action.id: self.action_requested.emit(name))
            more.setMenu(menu)
        if self.content.detail:
            self._add_button(row, self.tr("Details"), "details").setProperty("kind", "quiet")
        return row

    def _add_button(self, row: FlowRow, words: str, name: str) -> QPushButton:
        button = QPushButton(words, self)
        button.setObjectName(name)
        button.setAccessibleName(words)
        button.clicked.connect(self._unfold if name == "details" else lambda: self.action_requested.emit(name))
        button.installEventFilter(self)
        self._buttons.append(button)
        row.addWidget(button)
        return button

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The second half of a double click, and a key held down, were meant for the card that stood here before."""
        held = isinstance(event, QKeyEvent) and event.isAutoRepeat()
        return held or event.type() == QEvent.Type.MouseButtonDblClick or super().eventFilter(watched, event)

    def _unfold(self) -> None:
        self._detail.setVisible(self._detail.isHidden())
        self._inside.activate()  # its height counts at once
        self.updateGeometry()
        if not self._detail.isHidden():
            self.unfolded.emit()


def show_failure(transcript: TranscriptView, theme: Theme, answer: Message) -> None:
    """The card of an answer that failed; its buttons work as soon as what they do is loaded."""
    if answer.failure is not None:
        known = {*ACTIONS} - (set() if is_cut(answer) else {"continue"})
        failure = replace(answer.failure, message=with_wait(answer.failure.message))
        content = describe_failure(failure, sent=True, known=known)
        transcript.footer.set_card(ErrorCard(theme, content))


OF_THE_DRAFT = {"new_thread", "new_thread_summary", "shorten_document", "remove_document", "remove_attachment"}
"""Actions that do something with what stands in the composer."""


@dataclass(frozen=True, slots=True)
class TurnError:
    """Why there is no (whole) answer in a thread. `sent`: a request had left.

    `failure` None: the plan asks something first (CTX-14). `again`: does once more, past the spending cap, what the
    cap kept from being done, where that was no message. `elsewhere`: it was not the draft that was refused. `paused`:
    the turn waits at its cap. `until`: on the clock, when the provider can be asked again.
    """

    failure: Failure | None
    plan: ContextPlan | None
    sent: bool
    again: Callable[[], None] | None = None
    elsewhere: bool = False
    paused: TurnPaused | ConsentAsked | None = None
    until: float = 0

    @property
    def of_this_plan(self) -> bool:
        """True where the card stands only for as long as the next request is as it was."""
        here = not self.sent and not self.elsewhere
        return here and (self.failure is None or self.failure.code == "context_limit" or self.of_attachments)

    @property
    def of_attachments(self) -> bool:
        """True where the model can't read the attachments."""
        return self.failure is not None and "remove_attachment" in self.failure.actions


class CardHost(Protocol):
    """The place where cards are shown, which carries out their remedies."""

    @property
    def known(self) -> Set[str]:
        """The remedies that can be carried out now."""

    @property
    def unsent(self) -> str:
        """The words where nothing was sent; "" where the draft stands below the card."""

    @property
    def has_unread(self) -> bool:
        """True where something is attached that the model can't read."""

    def was_asked_elsewhere(self, thread_id: str) -> bool:
        """Return True if the message refused last in a thread was not its draft."""

    @property
    def is_low(self) -> bool:
        """True where a card with six lines of arguments would have its buttons out of view."""

    def carry_out(self, remedy: Remedy) -> None: ...

    def set_card(self, card: ErrorCard | None) -> None: ...

    def show_card(self) -> None:
        """Brings the card into view, from its heading on."""

    def announce_failure(self) -> None: ...

    def focus_elsewhere(self) -> None:
        """Gives the keyboard to where one writes."""


class ErrorCards(QObject):
    """Shows the open thread's card. What a button does is the host's."""

    card_shown = Signal()
    # whether a card stands in the open thread that says what to do, about a draft that is too long, or asks for a key
    open_changed = Signal(bool, bool, bool)

    def __init__(self, app_state: AppState, host: CardHost, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._app_state = app_state
        self._host = host
        self._theme = theme
        self._errors: dict[str, TurnError] = {}
        self._told: set[str] = set()  # answers of earlier runs of which it was said that they failed
        self._resolved: TurnError | None = None  # the one whose card is a line now
        self._history_error: TurnError | None = None  # stands in every thread that has no card of its own
        self.card: ErrorCard | None = None
        self.clock = time.monotonic
        self.second = QTimer(self, interval=1_000, timerType=Qt.TimerType.PreciseTimer)
        self.second.timeout.connect(self.count_down)

    # Facts

    def refused(self, refused: SendRefused) -> None:
        """Nothing was sent."""
        if refused.failure.code != "interrupted" and not refused.recounted:
            self._put_unsent(refused.thread_id, refused.failure, refused.plan)

    def failed(self, failed: TurnFailed) -> None:
        """The answer ended with an error."""
        until = self.clock() + named_wait(failed.failure.message)
        self.put(failed.thread_id, TurnError(failed.failure, None, sent=True, until=until))
        if self._app_state.is_open(failed.thread_id):
            self._host.announce_failure()

    def paused(self, paused: TurnPaused | ConsentAsked) -> None:
        """The turn waits for what the user says: at its cap, or before a tool is called."""
        self.put(paused.thread_id, TurnError(None, None, sent=True, paused=paused))
        self._scroll_to_card(paused.thread_id)

    def resumed(self, resumed: TurnResumed) -> None:
        """It waits no more."""
        if (error := self._errors.get(resumed.thread_id)) is not None and error.paused is not None:
            self.drop(None if self._app_state.is_open(resumed.thread_id) else resumed.thread_id)

    def answer_saved(self, saved: AnswerSaved) -> None:
        """Remove the card whose matter is over, as an answer was saved."""
        error = self._errors.get(saved.thread_id)
        if error is not None and error.sent and error.failure is not None and error.failure.code == "store":
            self._resolve(saved.thread_id)

    def asked(self, asked: CrossingAsked) -> None:
        """The plan asks something before it is sent: of the composer's message, or of what is asked beside it."""
        self._put_unsent(asked.thread_id, None, asked.plan)

    def held_dropped(self, thread_id: str) -> None:
        """Drop the held-back request that was no draft: it is not wished any more."""
        if (error := self._errors.get(thread_id)) is not None and error.elsewhere:
            self._resolve(thread_id)

    def blocked(self, failure: Failure, again: Callable[[], None]) -> None:
        """A spending cap stands before something that is no message."""
        if self._app_state.thread_id is not None:
            self.put(self._app_state.thread_id, TurnError(failure, None, sent=False, again=again))

    def branch_changed(self, changed: BranchChanged) -> None:
        """Remove the other branch's card: what ended that branch does not end this one."""
        if (error := self._errors.get(changed.thread_id)) is not None and error.sent:
            del self._errors[changed.thread_id]

    def started(self, started: TurnStarted) -> None:
        """A new answer comes where the card was."""
        self._errors.pop(started.thread_id, None)
        if self.card is not None and self._app_state.is_open(started.thread_id):
            self._show(None)

    def show_opened(self, opened: OpenThread) -> None:
        """The card of the thread that was opened; an answer that failed in an earlier run has one, too."""
        error = self._errors.get(opened.thread.id)
        shown = opened.shown
        if error is not None and error.sent and shown[-1:] != opened.path[-1:]:
            error = None  # what it was about is deleted
        earlier = error is None and bool(shown) and shown[-1].failure is not None
        if earlier:
            error = TurnError(shown[-1].failure, None, sent=True)
        self._show(error or self._history_error)
        if earlier and shown[-1].id not in self._told:
            self._told.add(shown[-1].id)
            self._host.announce_failure()

    def clear(self) -> None:
        self._show(self._history_error)

    def hand_over(self, thread_id: str, to: ErrorCards) -> None:
        """Another window shows a thread that was left here: the card stands there, or none."""
        to.take(thread_id, self._errors.pop(thread_id, None))

    def take(self, thread_id: str, error: TurnError | None) -> None:
        """The card of a thread that another window showed last: what was seen of it here is out of date."""
        self._errors.pop(thread_id, None)
        if error is not None:
            self._errors[thread_id] = error

    def forget(self) -> None:
        """Another history is opened: what was wrong was wrong with the one before."""
        self._errors.clear()
        self._history_error = None
        self._show(None)

    def show_failure(self, failure: Failure) -> None:
        """A failure that belongs to no turn, shown where the next answer would be."""
        error = TurnError(failure, None, sent=False)
        if "save_elsewhere" in failure.actions:
            self._history_error = error
        self._show(error)

    def offer_room(self, plan: ContextPlan | None) -> None:
        """Shows what can be done about a request that is too long, before it is sent."""
        if plan is not None and plan.decision == "refuse" and self._app_state.thread_id is not None:
            self.put(self._app_state.thread_id, TurnError(refusal(plan), plan, sent=False))
            self._scroll_to_card(self._app_state.thread_id)

    def answer_found(self) -> None:
        """Something would answer now: a card about there being no connection has done its work."""
        error = self.current
        sets_up = {"open_connections", "add_key"}
        if error is not None and not error.sent and error.failure and not sets_up.isdisjoint(error.failure.actions):
            self._resolve(self._app_state.thread_id or "")

    def key_added(self) -> None:
        """Ask the question again that failed for the lack of a key."""
        error = self.current
        if error is not None and error.failure is not None and "add_key" in error.failure.actions:
            self.act("retry")

    def plan_changed(self, plan: ContextPlan | None) -> None:
        """Remove the card where the next request fits again, or nothing is asked any more."""
        thread_id = self._app_state.thread_id or ""
        error = self._errors.get(thread_id)
        over = self._resolved
        if plan is not None and plan.decision == "refuse" and over is not None and over.plan and over.of_this_plan:
            self.put(thread_id, replace(over, failure=refusal(plan), plan=plan))  # what came since is as long
            return
        if error is None or plan is None or self.card is None or not error.of_this_plan:
            return
        if error.of_attachments:
            stands = self._host.has_unread
        else:
            stands = plan.advice.asks == "first_crossing" if error.failure is None else plan.decision == "refuse"
        if not stands:
            self._resolve(thread_id)
        elif error.plan is not None and plan.decision == "refuse" and plan is not error.plan:
            self._update(thread_id, replace(error, failure=refusal(plan), plan=plan))

    def focus(self) -> bool:
        """Puts the keyboard on the card (F6), or back into the composer; False if there is no card."""
        if self.card is None or self.card.resolved:
            return False
        if self.card.has_keyboard:
            self._host.focus_elsewhere()
        else:
            self.card.focus_first()
        return True

    def act(self, name: str) -> None:
        """Does what a button of the card says; one that is resolved says nothing any more."""
        action = self.card.content.action(name) if self.card is not None and not self.card.resolved else None
        if action is not None:
            self._host.carry_out(action.remedy)

    @property
    def current(self) -> TurnError | None:
        """The error of the open thread."""
        return self._errors.get(self._app_state.thread_id or "")

    def drop(self, thread_id: str | None = None) -> None:
        """Drop the error of a thread, which is over; the open one (None) shows no card."""
        self._errors.pop(thread_id or self._app_state.thread_id or "", None)
        if thread_id is None:
            self._show(None)

    # Doings

    def put(self, thread_id: str, error: TurnError) -> None:
        """Something is wrong in a thread."""
        self._errors[thread_id] = error
        if self._app_state.is_open(thread_id):
            self._show(error)

    def _put_unsent(self, thread_id: str, failure: Failure | None, plan: ContextPlan | None) -> None:
        elsewhere = self._host.was_asked_elsewhere(thread_id)
        self.put(thread_id, TurnError(failure, plan, sent=False, elsewhere=elsewhere))
        if not elsewhere:
            self._scroll_to_card(thread_id)

    def _scroll_to_card(self, thread_id: str) -> None:
        """The card answers what the user just did: it comes into view, however far up somebody reads."""
        if self._app_state.is_open(thread_id):
            self._host.show_card()

    def _update(self, thread_id: str, error: TurnError) -> None:
        """The draft changed and is still too long: the card says the same as the gauge."""
        self._errors[thread_id] = error
        if self.card is not None and not self.card.take_words(self._content(error)):
            self._show(error)

    def count_down(self) -> None:
        """Says how long there is still to wait, or that there is no need to any more."""
        error, card = self.current, self.card
        if error is None or card is None or not card.take_words(self._content(error)) or error.until <= self.clock():
            self.second.stop()

    def _resolve(self, thread_id: str) -> None:
        """The card has done its work and shrinks to a line."""
        error = self._errors.pop(thread_id)
        if self.card is not None and self._app_state.is_open(thread_id):
            self._resolved = error
            self._take_keyboard()
            self.card.resolve()
            self.open_changed.emit(False, False, False)

    def _show(self, error: TurnError | None) -> None:
        self._resolved = None
        self.second.stop()
        self._take_keyboard()
        if error is None:
            self.card = None
            self.open_changed.emit(False, False, False)
            self._host.set_card(None)
            return
        self.card = ErrorCard(self._theme, self._content(error))
        self.card.action_requested.connect(self.act)
        self.card.left.connect(self._host.focus_elsewhere)
        self.card.unfolded.connect(self._host.show_card)
        too_long = error.plan is not None and error.plan.decision == "refuse"
        asks_key = self.card.content.action("add_key") is not None
        self.open_changed.emit(True, too_long and not error.elsewhere, asks_key)
        self._host.set_card(self.card)
        if error.paused is not None:  # it stands behind the answer, and nothing goes on before it is answered
            words = f"{self.card.content.heading}. {self.card.content.sentence}"
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.card, words))
        if error.until > self.clock():
            self.second.start()
        self.card_shown.emit()

    def _take_keyboard(self) -> None:
        """The buttons go: the keyboard goes back to the composer, not to whatever pane comes next."""
        if self.card is not None and self.card.has_keyboard:
            self._host.focus_elsewhere()

    def _content(self, error: TurnError) -> CardContent:
        if error.paused is not None:
            if isinstance(error.paused, TurnPaused):
                return describe_pause(error.paused)
            return describe_consent(error.paused, is_low=self._host.is_low)
        if error.failure is None and error.plan is not None:
            return describe_crossing(error.plan)
        failure = error.failure or Failure("backend", "")
        failure = replace(failure, message=with_wait(failure.message, error.until - self.clock()))
        known = self._host.known
        too_long = error.plan is not None and error.plan.decision == "refuse"
        asks_nothing = too_long and error.plan is not None and error.plan.request.pending is None
        if error.elsewhere:
            known = known - OF_THE_DRAFT
        elif asks_nothing:
            known = known - {*OF_THE_DRAFT, "edit_draft", "send_anyway"}
        saved = TEXT_IN_MEMORY if self._app_state.private else TEXT_SAVED
        unsent = self._host.unsent
        content = describe_failure(failure, error.plan, sent=error.sent, known=known, unsent=unsent, saved=saved)
        if error.plan is not None and too_long and (asks_nothing or error.elsewhere or unsent):
            words = self.tr("Nothing was sent. The thread is unchanged.")
            if error.plan.counted_by:
                words = self.tr("Counted by {provider}, not sent to a model. The thread is unchanged.")
            return replace(content, sentence=words.format(provider=error.plan.counted_by))
        return content
