"""The gauge's popover: categories, count and source, cost, the slider of the soft limit. Counts nothing itself."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QPushButton, QSlider, QVBoxLayout, QWidget

from desktop_app.core.context.plan import ContextPlan, ReturnOffer
from desktop_app.core.context.plan_text import return_offered
from desktop_app.ui.gauge.limit_choices import LimitChoices
from desktop_app.ui.gauge.limit_slider import LimitSlider
from desktop_app.ui.gauge.plan_facts import facts_of
from desktop_app.ui.i18n.language import grouped, translated
from desktop_app.ui.theme.icons import icon_pixmap
from desktop_app.ui.theme.theme import GRID, Theme, radius
from desktop_app.ui.widgets.floating import Floating

WIDTH = 320
CATEGORIES = ("system", "tools", "documents", "history", "summary", "draft", "overhead")
_TINTS = ("syntax-type", "syntax-operator", "syntax-string", "syntax-number", "syntax-name", "syntax-keyword", "fill")


class _Bar(QWidget):
    """The categories side by side, to the scale of the emergency limit."""

    def __init__(self, theme: Theme, plan: ContextPlan, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        scale = max(plan.limits.emergency, plan.tokens.total, 1)
        self._shares = [getattr(plan.tokens, name) / scale for name in CATEGORIES]
        self.setFixedHeight(GRID)
        self.setAccessibleName(self.tr("Share of each category"))

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, GRID)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("track"))
        left = 0.0
        for share, tint in zip(self._shares, _TINTS, strict=True):
            painter.fillRect(QRectF(left, 0, share * self.width(), GRID), self._theme.color(tint))
            left += share * self.width()
        painter.end()


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
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, GRID)
        column.setSpacing(GRID)
        heading = QLabel(self.tr("The next request"), self)
        heading.setFont(theme.title_font())
        column.addWidget(heading)
        self._body = self._made_body()
        column.addWidget(self._body)
        column.addWidget(_rule(self))
        self.limit = LimitSlider(theme, plan, self)
        self.limit.chosen.connect(self._choose)
        column.addWidget(self.limit)
        self.choices = LimitChoices(theme, self)
        column.addWidget(self.choices)
        column.addWidget(_rule(self))
        self.inspect = QPushButton(self.tr("Open inspector"), self)
        self.inspect.setProperty("kind", "quiet")
        self.inspect.setFont(theme.small_font())
        self.inspect.clicked.connect(self._open_inspector)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self.inspect)
        column.addLayout(foot)

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

    def show_plan(self, plan: ContextPlan) -> None:
        """Follows the newest plan while it is open; the slider stays where the user has it."""
        self._plan = plan
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
        """As high as its words need: adjustSize() would give a popup no more than two thirds of the screen."""
        self.setFixedHeight(self._column.totalHeightForWidth(self.width()))

    def _place(self) -> None:
        self.fit()
        strip = self._strip
        self.move(strip.mapToGlobal(QPoint(strip.width() - self.width(), -self.height() - GRID // 2)))

    def _choose(self, tokens: int | None) -> None:
        self.soft_limit_chosen.emit(tokens)
        if tokens is None:
            self.close()

    def _open_inspector(self) -> None:
        self.close()
        self.inspector_requested.emit()

    def _made_body(self) -> QWidget:
        body = QWidget(self)
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(_Bar(self._theme, self._plan, body))
        column.addLayout(self._categories(body))
        column.addWidget(_rule(body))
        column.addLayout(self._facts(body))
        for warning in self._plan.advice.warnings:
            column.addLayout(self._warning(translated(warning.message), body))
        if self._plan.advice.return_offer is not None:
            column.addLayout(self._return(self._plan.advice.return_offer, body))
        return body

    def _return(self, offer: ReturnOffer, parent: QWidget) -> QVBoxLayout:
        """Return the text on messages that fit again, with the button that takes them back."""
        button = QPushButton(self.tr("Bring back"), parent)
        button.setProperty("kind", "quiet")
        button.setFont(self._theme.small_font())
        button.clicked.connect(self.close)
        button.clicked.connect(lambda: self.return_requested.emit(offer.carrier))
        column = QVBoxLayout()
        column.setSpacing(GRID // 2)
        column.addWidget(self._small(translated(return_offered(offer)), parent))
        column.addWidget(button, 0, Qt.AlignmentFlag.AlignRight)
        return column

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
        for name, tint in zip(CATEGORIES, _TINTS, strict=True):
            tokens = getattr(self._plan.tokens, name)
            if tokens:
                row = grid.rowCount()
                grid.addWidget(_swatch(self._theme.color(tint), parent), row, 0)
                grid.addWidget(self._small(names[name], parent), row, 1)
                grid.addWidget(self._small(grouped(tokens), parent, right=True), row, 2)
        return grid

    def _facts(self, parent: QWidget) -> QGridLayout:
        grid = QGridLayout()
        grid.setVerticalSpacing(GRID // 2)
        grid.setHorizontalSpacing(GRID)
        grid.setColumnStretch(1, 1)
        for row, fact in enumerate(facts_of(self._plan, free=self._free)):
            name = self._small(fact.name, parent, secondary=True)
            grid.addWidget(name, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(self._small(fact.value, parent, right=True), row, 1)
        return grid

    def _warning(self, words: str, parent: QWidget) -> QHBoxLayout:
        mark = QLabel(parent)
        mark.setPixmap(icon_pixmap("alert", self._theme, "warning", self._theme.pixels(12), self.devicePixelRatioF()))
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(mark)
        row.addWidget(self._small(words, parent), 1)
        return row

    def _small(self, words: str, parent: QWidget, *, secondary: bool = False, right: bool = False) -> QLabel:
        label = QLabel(words, parent)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setFont(self._theme.small_font())
        half = (self.width() - 5 * GRID) // 2
        label.setWordWrap(label.fontMetrics().horizontalAdvance(words) > half)
        if secondary:
            label.setProperty("tone", "secondary")
        if right:
            label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return label


def _rule(parent: QWidget) -> QFrame:
    rule = QFrame(parent)
    rule.setProperty("kind", "rule")
    rule.setFixedHeight(1)
    return rule


def _swatch(color: QColor, parent: QWidget) -> QWidget:
    swatch = QFrame(parent)
    swatch.setFixedSize(GRID, GRID)
    swatch.setStyleSheet(f"background: {color.name()}; border-radius: {radius('swatch')}px;")
    return swatch
