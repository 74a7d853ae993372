"""The popovers of the gauge: categories, cost and limits of a plan; a model's window; what a draft could be sent as."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from desktop_app.core.context.limits import limit_assumed
from desktop_app.core.context.plan import ContextPlan, ReturnOffer
from desktop_app.core.context.plan_text import price, return_offered
from desktop_app.core.context.what_if import PlanChoice
from desktop_app.ui.gauge.limit_drag import LimitSlider
from desktop_app.ui.gauge.plan_facts import facts_of, leaving, tool_names
from desktop_app.ui.i18n.content_words import dollars, thousands, tokens_of
from desktop_app.ui.i18n.language import grouped, tr, translated
from desktop_app.ui.theme.theme import GRID, Theme, icon_pixmap, radius, space
from desktop_app.ui.widgets.fitting import FlowRow
from desktop_app.ui.widgets.floating import Floating
from desktop_app.ui.widgets.page import rule_in
from desktop_app.ui.widgets.parts import button_in, in_column, in_row, label_in, say_in


class LimitChoices(QWidget):
    """A line with a button for each decision there is, and one that says why a limit is lower; hidden without any.

    `cliff_accepted(bool)`: whether the dearer requests above the model's price cliff are wanted. `forgotten`: what an
    overflow taught of the model's window is not to count any more. `window_requested`: the window is to be told.
    """

    cliff_accepted = Signal(bool)
    forgotten = Signal()
    window_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._cliff, self.accept = self._line(theme)
        self._learned, self.forget = self._line(theme)
        self._guessed, self.set_window = self._line(theme)
        self._lowered = QLabel(self, wordWrap=True)
        self._lowered.setProperty("tone", "secondary")
        self._lowered.setFont(theme.small_font())
        self._accepted = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        lines = (self._cliff, self.accept), (self._learned, self.forget), (self._guessed, self.set_window)
        for words, button in lines:
            row = QHBoxLayout()
            row.setSpacing(GRID)
            row.addWidget(words, 1)
            row.addWidget(button)
            column.addLayout(row)
        column.addWidget(self._lowered)
        self.accept.clicked.connect(lambda: self.cliff_accepted.emit(not self._accepted))
        self.forget.clicked.connect(self.forgotten)
        self.forget.setText(self.tr("Forget"))
        self.set_window.clicked.connect(self.window_requested)
        self.set_window.setText(self.tr("Set"))
        self.hide()

    def show_plan(self, plan: ContextPlan, *, held_at_cliff: bool, accepted: bool, lowered: str = "") -> None:
        """`held_at_cliff`: the limit would be higher but for the cliff; `accepted`: it is higher in spite of it.

        `lowered`: that the limit which is set is more than the model takes.
        """
        self._accepted = accepted
        model, cliff = plan.model, plan.model.price_cliff
        if cliff is not None:
            words = (
                self.tr("Goes above {tokens}, where {model} costs more")
                if accepted
                else self.tr("Kept to {tokens}: above, {model} costs more")
            )
            self._cliff.setText(words.format(tokens=thousands(cliff), model=model.name))
            self.accept.setText(self.tr("Keep to it") if accepted else self.tr("Go above"))
        self._show((self._cliff, self.accept), cliff is not None and (held_at_cliff or accepted))
        learned = model.window_source == "learned"
        if learned:
            words = self.tr("A refused request showed that {model} takes {tokens}")
            self._learned.setText(words.format(model=model.name, tokens=thousands(model.window)))
        self._show((self._learned, self.forget), learned)
        self._guessed.setText(self.tr("Limit {limit} assumed").format(limit=thousands(plan.limits.soft)))
        self._show((self._guessed, self.set_window), limit_assumed(plan))
        say_in(self._lowered, lowered)
        self.setVisible(any(not part.isHidden() for part in (self.accept, self.forget, self.set_window, self._lowered)))

    def _line(self, theme: Theme) -> tuple[QLabel, QPushButton]:
        words, button = QLabel(self), QPushButton(self)
        words.setWordWrap(True)
        words.setProperty("tone", "secondary")
        button.setProperty("kind", "quiet")
        for widget in (words, button):
            widget.setFont(theme.small_font())
        return words, button

    def _show(self, line: tuple[QLabel, QPushButton], shown: bool) -> None:
        for widget in line:
            widget.setVisible(shown)
        line[1].setAccessibleDescription(line[0].text())


WIDTH = 320
FACTS = 8
"""Lines about a plan; the rest is under *Details*."""
CATEGORIES = ("system", "tools", "documents", "history", "summary", "draft", "overhead")
_LEAVING = "fill-warning"
_TINTS = ("syntax-type", "syntax-operator", "syntax-string", "syntax-number", "syntax-name", "syntax-keyword", "fill")


class _Bar(QWidget):
    """The categories side by side, to the scale of the emergency limit, and what a step leaves out: as on the strip."""

    def __init__(self, theme: Theme, plan: ContextPlan, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        scale = max(plan.limits.emergency, plan.tokens.total, 1)
        self._whole = min(1.0, (plan.tokens.total + leaving(plan)) / scale)
        self._shares = [getattr(plan.tokens, name) / scale for name in CATEGORIES]
        self.setFixedHeight(GRID)
        self.setAccessibleName(self.tr("Share of each category"))

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, GRID)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self._theme.color("track"))
            painter.fillRect(QRectF(0, 0, self._whole * self.width(), GRID), self._theme.color(_LEAVING))
            left = 0.0
            for share, tint in zip(self._shares, _TINTS, strict=True):
                painter.fillRect(QRectF(left, 0, share * self.width(), GRID), self._theme.color(tint))
                left += share * self.width()


class GaugePopover(QFrame):
    """Shows a plan. `soft_limit_chosen` carries tokens, or None for the default."""

    soft_limit_chosen = Signal(object)
    inspector_requested = Signal()
    return_requested = Signal(str)  # id of the message whose boundary is to come back

    def __init__(self, theme: Theme, plan: ContextPlan, free: bool, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("kind", "popover")
        Floating(self)
        self.setFixedWidth(WIDTH)
        self.setAccessibleName(self.tr("Context"))
        self._theme = theme
        self._free = free
        self._plan = plan
        self._table: ChoicesTable | None = None
        self._unfolded = False
        self.details: QPushButton | None = None
        self._inside = inside = QWidget()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(_scrolled(inside))
        column = self._column = QVBoxLayout(inside)
        column.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, GRID)
        column.setSpacing(GRID)
        self._heading = QLabel(self.tr("The next request"), self)
        self._heading.setFont(theme.title_font())
        column.addWidget(self._heading)
        self._body = self._made_body()
        column.addWidget(self._body)
        self.keep = button_in(self, "", self.close, kind="quiet")
        self.keep.setFont(theme.small_font())
        self.keep.hide()
        column.addWidget(self.keep, 0, Qt.AlignmentFlag.AlignRight)
        column.addWidget(rule_in(self))
        self.limit = LimitSlider(theme, plan, self)
        self.limit.chosen.connect(self._choose)
        column.addWidget(self.limit)
        self.choices = LimitChoices(theme, self)
        column.addWidget(self.choices)
        column.addWidget(rule_in(self))
        self.compare = QPushButton(self.tr("Compare choices"), self)
        self.inspect = QPushButton(self.tr("Open inspector"), self)
        for button in (self.compare, self.inspect):
            button.setProperty("kind", "quiet")
            button.setFont(theme.small_font())
        self.inspect.clicked.connect(self.close)
        self.inspect.clicked.connect(self.inspector_requested)
        column.addLayout(FlowRow(self.compare, self.inspect, across=GRID, down=0))

    @property
    def slider(self) -> QSlider:
        """The slider of the soft limit, in steps of 5K tokens."""
        return self.limit.slider

    def open_above(self, strip: QWidget) -> None:
        """Opens over the strip, its right edge at the strip's right edge."""
        self._strip = strip
        # as the text is large, though no wider than what it opens over
        self.setFixedWidth(max(WIDTH, min(self._theme.pixels(WIDTH), strip.width())))
        self.show_plan(self._plan)
        self.show()
        self.limit.slider.setFocus()

    def show_keep(self, until: str, price: str) -> None:
        """Offers to keep what is cached."""
        self.keep.setText(self.tr("Keep until {time} · {price}").format(time=until, price=price))
        self.keep.setVisible(self._table is None)
        self._place()

    def show_compared(self, table: ChoicesTable) -> None:
        """Shows the table of choices in the place of everything; Esc closes both."""
        self._table = table
        table.filled.connect(self._place)
        self._heading.setText(self.compare.text())
        for widget in self._inside.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if widget not in (self._heading, table):
                widget.hide()
        self._column.insertWidget(1, table)
        table.show()
        self.setFocus()
        self._place()

    def show_plan(self, plan: ContextPlan) -> None:
        """Follows the newest plan while it is open; the slider stays where the user has it."""
        self._plan = plan
        if self._table is not None:
            return
        before, self._body = self._body, self._made_body()
        self._column.replaceWidget(before, self._body)
        before.hide()
        before.deleteLater()
        # what is not shown yet would not count when the height is taken
        self._body.show()
        self._place()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def words(self) -> tuple[str, ...]:
        """All that is written in the popover, in order."""
        return tuple(label.text() for label in self.findChildren(QLabel) if not label.isHidden())

    def fit(self) -> None:
        """As high as its words need, and the screen is: adjustSize() would give no more than two thirds of that."""
        self.ensurePolished()
        screen, edge = self.screen().availableGeometry(), self.contentsMargins()
        if self._table is not None:
            wide = self._table.sizeHint().width() + 4 * GRID + edge.left() + edge.right()
            self.setFixedWidth(min(screen.width(), max(self.width(), wide)))
            high = self._column.totalSizeHint().height()  # none of its words wrap
        else:
            high = self._column.totalHeightForWidth(self.width() - edge.left() - edge.right())
        self.setFixedHeight(min(high + edge.top() + edge.bottom(), screen.height() - GRID))

    def _place(self) -> None:
        self.fit()
        strip, screen = self._strip, self.screen().availableGeometry()
        place = strip.mapToGlobal(QPoint(strip.width() - self.width(), -self.height() - GRID // 2))
        # where there is too little room above the strip, over it
        self.move(place.x(), max(screen.top() + GRID // 2, place.y()))

    def _choose(self, tokens: int | None) -> None:
        self.soft_limit_chosen.emit(tokens)
        if tokens is None:
            self.close()

    def _made_body(self) -> QWidget:
        body = QWidget(self)
        column = in_column(
            _Bar(self._theme, self._plan, body),
            self._categories(body),
            rule_in(body),
            self._facts(body),
            of=body,
            spacing=GRID,
            margins=0,
        )
        for warning in self._plan.advice.warnings:
            column.addLayout(self._warning(translated(warning.message), body))
        if self._plan.advice.return_offer is not None:
            column.addLayout(self._return(self._plan.advice.return_offer, body))
        return body

    def _return(self, offer: ReturnOffer, parent: QWidget) -> QVBoxLayout:
        """Return the text on messages that fit again, with the button that takes them back."""
        button = button_in(parent, self.tr("Bring back"), self.close, kind="quiet")
        button.setFont(self._theme.small_font())
        button.clicked.connect(lambda: self.return_requested.emit(offer.carrier))
        words = self._small(translated(return_offered(offer)), parent)
        return in_column(words, (button, 0, Qt.AlignmentFlag.AlignRight), spacing=GRID // 2)

    def _categories(self, parent: QWidget) -> QGridLayout:
        names = {
            "system": self.tr("System prompt"),
            "tools": self.tr("Tools"),
            "documents": self.tr("Documents"),
            "history": self.tr("Conversation"),
            "summary": self.tr("Summary"),
            "draft": self.tr("Your message"),
            "overhead": self.tr("Added by the connection"),
        }
        grid = QGridLayout()
        grid.setVerticalSpacing(GRID // 2)
        grid.setHorizontalSpacing(GRID)
        grid.setColumnStretch(1, 1)
        shown = [
            (names[name], tint, getattr(self._plan.tokens, name)) for name, tint in zip(CATEGORIES, _TINTS, strict=True)
        ]
        for name, tint, tokens in (*shown, (self.tr("Left out by sending"), _LEAVING, leaving(self._plan))):
            if tokens:
                row = grid.rowCount()
                grid.addWidget(_swatch(self._theme.color(tint), parent), row, 0)
                grid.addWidget(self._small(name, parent), row, 1)
                grid.addWidget(self._small(grouped(tokens), parent, right=True), row, 2)
        return grid

    def _facts(self, parent: QWidget) -> QGridLayout:
        grid = QGridLayout()
        grid.setVerticalSpacing(GRID // 2)
        grid.setHorizontalSpacing(GRID)
        grid.setColumnStretch(1, 1)
        facts, named = facts_of(self._plan, free=self._free), tool_names(self._plan)
        shown, facts = facts[:FACTS], (*facts, *named)
        for row, fact in enumerate(facts if self._unfolded else shown):
            name = self._small(fact.name, parent, secondary=True)
            grid.addWidget(name, row, 0, Qt.AlignmentFlag.AlignTop)
            value = self._small(fact.value, parent, right=True)
            for label in (name, value):
                label.setToolTip(label.toolTip() or fact.tip)
            grid.addWidget(value, row, 1)
        if not self._unfolded and len(facts) > len(shown):
            self.details = button_in(parent, self.tr("Details"), self._unfold, kind="quiet")
            self.details.setFont(self._theme.small_font())
            grid.addWidget(self.details, FACTS, 0, 1, 2, Qt.AlignmentFlag.AlignRight)
        return grid

    def _unfold(self) -> None:
        self._unfolded = True
        self.limit.slider.setFocus()
        self.show_plan(self._plan)

    def _warning(self, words: str, parent: QWidget) -> QHBoxLayout:
        mark = QLabel(parent)
        mark.setPixmap(icon_pixmap("alert", self._theme, "warning", self._theme.pixels(12), self.devicePixelRatioF()))
        return in_row(mark, (self._small(words, parent), 1), spacing=GRID)

    def _small(self, words: str, parent: QWidget, *, secondary: bool = False, right: bool = False) -> QLabel:
        label = QLabel(words, parent, textFormat=Qt.TextFormat.PlainText)
        label.setFont(self._theme.small_font())
        half = (self.width() - 5 * GRID) // 2
        label.setWordWrap(label.fontMetrics().horizontalAdvance(words) > half)
        # a word has no place to break at
        room, right_end = half - space("scroll"), Qt.TextElideMode.ElideRight
        fitting = " ".join(label.fontMetrics().elidedText(word, right_end, room) for word in words.split(" "))
        if fitting != words:
            label.setText(fitting)
            label.setToolTip(words)
        if secondary:
            label.setProperty("tone", "secondary")
        if right:
            label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return label


def _scrolled(inside: QWidget) -> QScrollArea:
    """Return the area in which a widget that is higher than the screen scrolls; the ground is the popover's."""
    scroller = QScrollArea(widgetResizable=True)
    scroller.setFrameShape(QFrame.Shape.NoFrame)
    scroller.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    scroller.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    scroller.setWidget(inside)
    for part in (inside, scroller.viewport()):
        part.setAutoFillBackground(False)
    return scroller


def _swatch(color: QColor, parent: QWidget) -> QWidget:
    swatch = QFrame(parent)
    swatch.setFixedSize(GRID, GRID)
    swatch.setStyleSheet(f"background: {color.name()}; border-radius: {radius('swatch')}px;")
    return swatch


LIMIT_WIDTH = 320


class ModelLimitPopover(QFrame):
    """One field: `150,000` and `150K` are taken alike, by Enter or the button. `chosen(tokens)`."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, model: str, tokens: int, bounds: tuple[int, int], parent: QWidget) -> None:
        """`tokens`: the window that is assumed; `bounds`: the smallest and the largest."""
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("kind", "popover")
        Floating(self)
        self.setAccessibleName(self.tr("The model's window"))
        self._theme, self._bounds = theme, bounds
        heading = QLabel(self.tr("The model's window"), self)
        heading.setFont(theme.title_font())
        told = QLabel(self.tr("The context window of {model} in tokens, the answer included").format(model=model), self)
        told.setTextFormat(Qt.TextFormat.PlainText)
        told.setWordWrap(True)
        self.field = QLineEdit(thousands(tokens), self)
        self.field.setAccessibleName(told.text())
        self.set_button = button_in(self, self.tr("Set"), kind="primary")
        self.problem = label_in(self, tone="danger", wrap=True)
        self.problem.hide()
        for label in (told, self.problem):
            label.setFont(theme.small_font())
        told.setProperty("tone", "secondary")
        row = in_row((self.field, 1), self.set_button, spacing=GRID)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        self._column.setSpacing(GRID)
        self._column.addWidget(heading)
        self._column.addWidget(told)
        self._column.addLayout(row)
        self._column.addWidget(self.problem)
        self.field.returnPressed.connect(self._take)
        self.set_button.clicked.connect(self._take)

    def open_above(self, strip: QWidget, left: int) -> None:
        """Opens over the gauge's strip, at the word that was clicked or as near to it as the strip ends."""
        self._strip, self._left = strip, left
        self.setFixedWidth(max(LIMIT_WIDTH, min(self._theme.pixels(LIMIT_WIDTH), strip.width())))
        self._place()
        self.show()
        self.field.selectAll()
        self.field.setFocus()

    def _place(self) -> None:
        self.setFixedHeight(self._column.totalHeightForWidth(self.width()))
        strip = self._strip
        left = max(0, min(self._left, strip.width() - self.width()))
        self.move(strip.mapToGlobal(QPoint(left, -self.height() - GRID // 2)))

    def _take(self) -> None:
        tokens, (least, most) = tokens_of(self.field.text()), self._bounds
        if tokens is None or not least <= tokens <= most:
            words = self.tr("Enter a number of tokens from {least} to {most}, such as 128K.")
            self.problem.setText(words.format(least=thousands(least), most=thousands(most)))
            self.problem.show()
            self._place()
            return
        self.close()
        self.chosen.emit(tokens)


UNKNOWN = "–"
COLUMNS = 3
"""Of a table without prices: name, tokens, what is left out."""


def choice_rows(choices: Sequence[PlanChoice], priced: Collection[str]) -> tuple[tuple[str, ...], ...]:
    """The table: a heading and a row per choice; what is like the row above of the same model is left away.

    `priced`: the backends whose requests cost money. Where no row has a price, there are no columns for one.
    """
    shown: list[PlanChoice] = []
    for one in choices:
        if one.choice == "model" or all(one.figures != other.figures for other in shown):
            shown.append(one)
    costs = any(one.plan.backend in priced and one.cost_usd is not None for one in shown)
    heading = ("", tr("Tokens"), *((tr("Now"), tr("Each turn")) if costs else ()), tr("Left out"))
    rows = [heading]
    for one in shown:
        tokens = thousands(one.plan.tokens.total)
        if one.plan.decision == "refuse":
            tokens = tr("{tokens}, too long").format(tokens=tokens)
        cells = [_name(one), tokens]
        if costs:
            known = one.plan.backend in priced
            cells += [_now(one) if known else UNKNOWN, _each(one.turn_usd) if known else UNKNOWN]
        rows.append((*cells, grouped(one.plan.placement.left_out)))
    return tuple(rows)


def _now(one: PlanChoice) -> str:
    if one.cost_usd is None:
        return UNKNOWN
    return translated(price(one.cost_usd, one.most_usd, at_most=one.plan.price.at_most))


def _each(cost: float | None) -> str:
    return UNKNOWN if cost is None else dollars(cost)


def _name(one: PlanChoice) -> str:
    match one.choice:
        case "as_is":
            return tr("As it is")
        case "soft_limit":
            return tr("Step now")
        case "raised":
            return tr("Limit {tokens}").format(tokens=thousands(one.plan.limits.soft))
        case "summary":
            return tr("After a summary")
        case _:
            return one.plan.model.name


class ChoicesTable(QWidget):
    """Stands in the popover of the gauge; fills when the plans are made. `filled`: it has another size."""

    filled = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(2 * GRID)
        self._grid.setVerticalSpacing(GRID)
        self._grid.setColumnStretch(0, 1)
        self._note = self._label(tr("Comparing..."), secondary=True)
        in_column(self._grid, self._note, of=self, spacing=GRID, margins=0)

    def show_choices(self, choices: Sequence[PlanChoice], priced: Collection[str]) -> None:
        """The plans are made; `priced`: see `choice_rows`."""
        rows = choice_rows(choices, priced)
        for row, cells in enumerate(rows):
            for column, words in enumerate(cells):
                label = self._label(words, secondary=row == 0)
                if column:
                    label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self._grid.addWidget(label, row, column)
                label.ensurePolished()
                label.show()  # what is not shown yet would not count when the height is taken
        notes = [tr("Prices are before the answer")] if len(rows[0]) > COLUMNS else []
        if len(rows) == 2:  # the heading and one
            notes.append(tr("Nothing to compare: no other limit changes it, and no other model was used lately"))
        if any(one.findable for one in choices):
            notes.append(tr("The model can look up what is left out"))
        self.show_note("\n".join(notes))

    def show_note(self, words: str) -> None:
        """A line beneath the table, or in its place."""
        say_in(self._note, words)
        self._grid.invalidate()
        self.filled.emit()

    def _label(self, words: str, *, secondary: bool = False) -> QLabel:
        label = QLabel(words, self, textFormat=Qt.TextFormat.PlainText)
        label.setFont(self._theme.small_font())
        if secondary:
            label.setProperty("tone", "secondary")
        return label
