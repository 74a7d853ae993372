"""The popup in which a model is searched for and chosen, with its rows. Uses no backend, only choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import inf
from typing import cast

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QHideEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.models.model_choice import (
    ModelChoice,
    assumed_words,
    price_words,
    reach_words,
    spoken,
    window_words,
)
from desktop_app.ui.theme.theme import GRID, Theme, icon_pixmap, radius
from desktop_app.ui.widgets.floating import Floating, room_around
from desktop_app.ui.widgets.list_parts import ROW_ROLE, Index, ListRows, set_up_list
from desktop_app.ui.widgets.parts import ElidedButton, Stretch, button_in, in_column, in_row, label_in, make_clearable

RECENT_FROM = 7
"""So many models make those used lately worth a place of their own; fewer are seen at a glance."""
MOST_RECENT = 3


@dataclass(frozen=True, slots=True)
class ModelListRow:
    """A heading (`choice` None) or a model, with its words for the columns; `detail` is said behind its name.

    `troubled`: the detail is a warning. `tip`: what is said on hovering.
    """

    text: str
    choice: ModelChoice | None = None
    detail: str = ""
    window: str = ""
    price: str = ""
    troubled: bool = False
    tip: str = ""


class ModelListModel(ListRows[ModelListRow]):
    """The choices that a search leaves, grouped by connection with its state; those used lately stand first."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._choices: Sequence[ModelChoice] = ()
        self._words: Sequence[str] = ()
        self._typed = ""
        self._backend_of_typed: str | None = None

    @property
    def total(self) -> int:
        """The number of models without the search."""
        return sum(choice.available for choice in self._choices)

    def take(self, choices: Sequence[ModelChoice]) -> None:
        """Takes other choices; the search stays."""
        if self._choices != tuple(choices):
            self._choices = tuple(choices)
            self._fill()

    def take_typed(self, backend: str) -> None:
        """Offers what is searched for as the ID of a model of that connection, behind the models that match."""
        self._backend_of_typed = backend

    def search(self, text: str) -> None:
        """Keeps the models whose names hold every word of `text`."""
        self._typed = text.strip()
        self._words = tuple(text.casefold().split())
        self._fill()

    def row_of(self, key: tuple[str, str] | None) -> int | None:
        """Return the row of a choice now."""
        found = (row for row, one in enumerate(self.rows) if one.choice is not None and one.choice.key == key)
        return next(found, None)

    def next_choice(self, row: int, step: int) -> int | None:
        """The nearest model from `row` on, in steps of 1 or -1."""
        while 0 <= row < len(self.rows):
            if self.rows[row].choice is not None:
                return row
            row += step
        return None

    def words(self, row: ModelListRow) -> str:
        return row.text

    def sentence(self, row: ModelListRow) -> str:
        return spoken(row.choice) if row.choice is not None else f"{row.text} {row.detail}".strip()

    def tip(self, row: ModelListRow) -> str | None:
        return row.tip or None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid() or self.rows[index.row()].choice is None:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren

    def _fill(self) -> None:
        rows: list[ModelListRow] = []
        if recent := self._recent():
            rows.append(ModelListRow(tr("Recently used")))
            rows += [_row(choice, of_connection=True) for choice in recent]
        keys = {choice.key for choice in recent}
        for of_backend in self._connections():
            found = [one for one in of_backend if one.available and one.matches(self._words) and one.key not in keys]
            titled = bool(of_backend[0].backend_title)
            if titled and (found or not (self._words or any(one.key in keys for one in of_backend))):
                rows.append(_heading(of_backend[0]))
            rows += map(_row, found)
        if self._backend_of_typed is not None and len(self._words) == 1:
            own = ModelChoice(self._backend_of_typed, "", self._typed, self._typed)
            if all(choice.model != own.model for choice in self._choices):
                rows.append(replace(_row(own), text=tr("Use “{model}”").format(model=own.model)))
        self.show(rows)

    def _connections(self) -> Sequence[Sequence[ModelChoice]]:
        """The choices of each connection: those used lately first, those without a model last."""
        grouped = groupby(self._choices, key=lambda choice: (choice.backend, choice.backend_title))
        connections = [tuple(members) for _, members in grouped]
        return sorted(
            connections,
            key=lambda of: (not of[0].available, min((one.recent for one in of if one.recent), default=inf)),
        )

    def _recent(self) -> Sequence[ModelChoice]:
        """The models used lately, the last one first; none while a search goes on."""
        if self._words or self.total < RECENT_FROM:
            return ()
        used = sorted((one for one in self._choices if one.recent and one.available), key=lambda one: one.recent)
        return used[:MOST_RECENT]


def _heading(choice: ModelChoice) -> ModelListRow:
    """The name of a choice's connection, with its state."""
    return ModelListRow(
        choice.backend_title, detail=reach_words(choice), troubled=_is_troubled(choice), tip=choice.detail
    )


def _row(choice: ModelChoice, *, of_connection: bool = False) -> ModelListRow:
    """`of_connection`: it says its connection itself, as it stands under no heading of it."""
    assumed = assumed_words(choice)
    words, troubled = [*choice.lacks, *filter(None, (assumed,))], bool(choice.lacks)
    if choice.for_new:
        words.append(tr("for new threads"))
    if of_connection:
        words.insert(0, choice.backend_title)
        if _is_troubled(choice):
            words, troubled = [choice.backend_title, reach_words(choice)], True
    return ModelListRow(
        choice.model_name,
        choice,
        " · ".join(words),
        "" if assumed else window_words(choice.window),
        price_words(choice),
        troubled=troubled,
        tip=" · ".join((choice.model, *choice.lacks)),
    )


def _is_troubled(choice: ModelChoice) -> bool:
    return choice.reach not in ("connected", "asking", "unknown")


WIDTH = 60 * GRID
"""Pixels of the popup, at the usual text size."""
MOST_ROWS = 13
ROW_HEIGHT = 4 * GRID
CHECK = 12
"""Pixels of the mark before the model that answers now."""
WINDOW_COLUMN = 8 * GRID
NAME_ROOM = 24 * GRID
"""With less for the names the windows of the models are left out."""
PRICE_GAP = 2 * GRID
PAGE = 8
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -PAGE, Qt.Key.Key_PageDown: PAGE}


class ModelDelegate(QStyledItemDelegate):
    """Paints a model with its window and price in columns, a check mark before the one that answers now."""

    def __init__(self, theme: Theme, chosen: tuple[str, str] | None, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view = parent
        self._chosen = chosen
        self._font = theme.body_font()
        self._small = theme.small_font()
        self._prices = 0
        self._price_heading = ""
        self._has_windows = False
        self._is_narrow = False
        self.height = max(ROW_HEIGHT, round(QFontMetricsF(self._font).height()) + GRID)
        """Of every row in pixels."""

    @property
    def has_columns(self) -> bool:
        """True where anything stands under the headings of the columns."""
        return self._has_windows or bool(self._price_heading)

    def measure(self, rows: Sequence[ModelListRow]) -> None:
        """Makes the column of prices as wide as the widest of them and its heading."""
        prices = {row.price for row in rows if row.price}
        self._has_windows = any(row.window for row in rows)
        in_money = any(row.choice is not None and row.choice.cost == "money" and row.price for row in rows)
        self._price_heading = self.tr("$ in / out per million") if in_money else ""
        widths = [QFontMetricsF(self._small).horizontalAdvance(words) for words in (*prices, self._price_heading)]
        self._prices = round(max(widths)) + PRICE_GAP if prices else 0

    def paint_header(self, painter: QPainter, rect: QRect) -> None:
        """The headings of the columns, once for all rows."""
        painter.setFont(self._small)
        painter.setPen(self._theme.color("text-secondary"))
        box = rect.adjusted(3 * GRID, 0, -2 * GRID, 0)
        if self._prices:
            painter.drawText(box, _RIGHT, self._price_heading)
        if self._windows:
            painter.drawText(box.adjusted(0, 0, -self._prices, 0), _RIGHT, self.tr("Context"))

    def header_words(self) -> str:
        """The headings, for screen readers."""
        return ", ".join(filter(None, (self.tr("Context") if self._has_windows else "", self._price_heading)))

    def take_width(self, width: int) -> None:
        """Leaves the column of windows out where the names would have too little of so many pixels."""
        self._is_narrow = width - self._prices - self._theme.pixels(WINDOW_COLUMN) < self._theme.pixels(NAME_ROOM)

    @property
    def _windows(self) -> int:
        """Pixels of the column of windows."""
        return self._theme.pixels(WINDOW_COLUMN) if self._has_windows and not self._is_narrow else 0

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, self.height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = cast("ModelListRow", index.data(ROW_ROLE))
        rect: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row.choice is None:
            self._paint_heading(painter, rect, row)
        else:
            self._paint_model(painter, rect, row, current=bool(option.state & QStyle.StateFlag.State_Selected))
        painter.restore()

    def _paint_heading(self, painter: QPainter, rect: QRect, row: ModelListRow) -> None:
        painter.setFont(self._small)
        painter.setPen(self._theme.color("text-secondary"))
        box = rect.adjusted(2 * GRID, 0, -2 * GRID, 0)
        metrics = QFontMetricsF(self._small)
        name = metrics.elidedText(row.text, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, _LEFT, name)
        if row.detail:
            if row.troubled:
                painter.setPen(self._theme.color("warning"))
            left = round(metrics.horizontalAdvance(f"{name} "))
            words = metrics.elidedText(f"· {row.detail}", Qt.TextElideMode.ElideRight, box.width() - left)
            painter.drawText(box.adjusted(left, 0, 0, 0), _LEFT, words)

    def _paint_model(self, painter: QPainter, rect: QRect, row: ModelListRow, *, current: bool) -> None:
        theme = self._theme
        if current:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("hover"))
            ground, corner = QRectF(rect.adjusted(GRID // 2, 1, -GRID // 2, -1)), radius("control")
            painter.drawRoundedRect(ground, corner, corner)
        if row.choice is not None and row.choice.key == self._chosen:
            side = theme.pixels(CHECK)
            check = icon_pixmap("check", theme, "accent", side, self._view.devicePixelRatioF())
            painter.drawPixmap(rect.left() + 2 * GRID, rect.center().y() + 1 - side // 2, check)
        box = rect.adjusted(2 * GRID + theme.pixels(CHECK) + GRID // 2, 0, -2 * GRID, 0)
        painter.setFont(self._small)
        painter.setPen(theme.color("text-secondary"))
        painter.drawText(box, _RIGHT, row.price)
        windows = box.adjusted(0, 0, -self._prices, 0)
        painter.drawText(windows, _RIGHT, row.window if self._windows else "")
        painter.setFont(self._font)
        painter.setPen(theme.color("text"))
        small, metrics = QFontMetricsF(self._small), QFontMetricsF(self._font)
        room = windows.width() - self._windows
        if not self._windows:  # nothing stands between the name and the price
            room = box.width() - PRICE_GAP - round(small.horizontalAdvance(row.price))
        # what a model lacks is worth half the room, its connection what the name leaves
        lacking = small.horizontalAdvance(row.detail) + GRID if row.troubled else 0
        name = metrics.elidedText(row.text, Qt.TextElideMode.ElideMiddle, max(room - lacking, room / 2))
        painter.drawText(box, _LEFT, name)
        if row.detail:
            left = round(metrics.horizontalAdvance(name)) + GRID
            painter.setFont(self._small)
            painter.setPen(theme.color("warning" if row.troubled else "text-secondary"))
            words = small.elidedText(row.detail, Qt.TextElideMode.ElideRight, room - left)
            painter.drawText(box.adjusted(left, 1, 0, 1), _LEFT, words)


class _ColumnHeader(QWidget):
    """The headings above a list whose rows a delegate paints."""

    def __init__(self, delegate: ModelDelegate, view: QListView, parent: QWidget) -> None:
        super().__init__(parent)
        self._delegate = delegate
        self._view = view
        self.setFixedHeight(delegate.height - GRID)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            # a scroll bar makes the rows narrower
            self._delegate.paint_header(
                painter, self.rect().adjusted(0, 0, self._view.viewport().width() - self.width(), 0)
            )


class ModelMenu(QFrame):
    """Open it with `open_at`. The keyboard stays in the search field; arrows move in the list, Enter chooses."""

    chosen = Signal(str, str)  # backend, model
    connections_requested = Signal()
    for_new_requested = Signal(str, str)  # backend, model: new threads are to begin with what answers now
    hidden = Signal()

    def __init__(
        self, theme: Theme, chosen: tuple[str, str] | None, parent: QWidget, *, connections: bool = True
    ) -> None:
        """`chosen`: the backend and model that answer now. `connections`: whether the way to others is offered."""
        super().__init__(parent, Qt.WindowType.Popup)
        self.setProperty("kind", "popover")
        Floating(self)
        self.setAccessibleName(self.tr("Choose a model"))
        self._theme = theme
        self._start_at = chosen
        self._anchor: QWidget | None = None
        self._at_end = False
        self.search = QLineEdit(self, placeholderText=self.tr("Search models"))
        self.search.setAccessibleName(self.tr("Search models"))
        make_clearable(self.search)
        self.search.textChanged.connect(self._search)
        self.search.installEventFilter(self)
        self.rows = ModelListModel(self)
        self.view = QListView(self)
        self._delegate = ModelDelegate(theme, chosen, self.view)
        self._make_view()
        self.header = _ColumnHeader(self._delegate, self.view, self)
        self.nothing = label_in(self, self.tr("No matching models"), tone="secondary")
        self.nothing.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        self.nothing.hide()
        above = in_row(self.search, margins=(GRID // 2, GRID // 2, GRID // 2, 0))
        self.anew = QLabel(self)
        self.anew.setFont(theme.small_font())
        self.anew.setContentsMargins(2 * GRID, 0, 2 * GRID, 0)
        self.anew.hide()
        column = in_column(
            above,
            self.header,
            self.nothing,
            self.view,
            Stretch(),
            self.anew,
            self._made_foot(theme, connections),
            of=self,
            spacing=GRID // 2,
            margins=GRID // 2,
        )
        self._column = column
        self.view.selectionModel().currentChanged.connect(lambda *_: self._tell_switch())

    def _make_view(self) -> None:
        set_up_list(self.view, self.rows, self._delegate, self.tr("Models"))
        # from the field the arrows move in it: as a stop of the Tab key it would look no different
        self.view.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.view.setFrameShape(QFrame.Shape.NoFrame)
        self.view.entered.connect(self.view.setCurrentIndex)
        self.view.clicked.connect(self._choose)
        self.view.installEventFilter(self)

    def _made_foot(self, theme: Theme, connections: bool) -> QHBoxLayout:
        self.connections = button_in(self, self.tr("Set up a connection…"), kind="quiet")
        self.connections.setFont(theme.small_font())
        self.connections.setVisible(connections)
        self.connections.clicked.connect(self.close)
        self.connections.clicked.connect(self.connections_requested)
        self.for_new = ElidedButton(theme, self)
        self.for_new.setProperty("kind", "quiet")
        self.for_new.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.for_new.setFont(theme.small_font())
        self.for_new.clicked.connect(lambda: self.for_new_requested.emit(*(self._start_at or ("", ""))))
        self.for_new.hide()
        below = GRID // 2 if connections else 0
        return in_row(self.connections, Stretch(), self.for_new, margins=(GRID, 0, GRID, below))

    def take_typed(self, backend: str) -> None:
        """Lets the ID of a model be written that is not in the list; it is one of `backend`."""
        self.rows.take_typed(backend)
        self.search.setPlaceholderText(self.tr("Search, or enter a model ID"))

    def show_choices(self, choices: Sequence[ModelChoice]) -> None:
        """Takes the choices, also later ones while it is open; what the keyboard or the pointer is on stays marked."""
        current = self.current
        marked = self._start_at if current is None else current.key
        self.rows.take(choices)
        self._delegate.measure(self.rows.rows)
        self.header.setVisible(self._delegate.has_columns)
        self.header.setAccessibleName(self._delegate.header_words())
        self.header.update()
        self._mark(self.rows.row_of(marked))
        # of the model that answers, as the pointer marks others on its way here
        here = next((one for one in choices if one.key == self._start_at and one.available), None)
        if here is not None:
            self.for_new.setText(self.tr("Use {model} for new threads").format(model=here.model_name))
        self.for_new.setVisible(here is not None and not here.for_new and self.connections.isVisibleTo(self))
        # its line keeps its room, so that nothing moves under the pointer
        self.anew.setVisible(any(choice.anew for choice in choices))
        self._tell_switch()
        self._fit()

    def _tell_switch(self) -> None:
        """Tell the cost of going on with the marked model."""
        current = self.current
        words = ""
        if current is not None and current.key == self._start_at and current.reach in ("connected", "asking"):
            words = self.tr("{model} answers now").format(model=current.model_name)
        elif current is not None and current.anew:
            words = f"{current.model_name} · {current.anew}"
        self.anew.setText(words)

    @property
    def current(self) -> ModelChoice | None:
        """The model that Enter would choose."""
        index = self.view.currentIndex()
        return self.rows.rows[index.row()].choice if index.isValid() else None

    def open_at(self, anchor: QWidget, *, end: bool = False) -> None:
        """Opens beside a control: above it where there is room, else below. `end`: at its right edge."""
        self._anchor = anchor
        self._at_end = end
        self._fit()
        self.show()
        self.search.setFocus()
        index = self.view.currentIndex()
        if index.isValid():
            self.view.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.hidden.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._press(watched, event)
        return False

    def _press(self, watched: QObject, event: QKeyEvent) -> bool:
        if (key := Qt.Key(event.key())) in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.view.currentIndex())
            return True
        if key in _STEPS:
            self._step(_STEPS[key])
            return True
        if key == Qt.Key.Key_Escape and self.search.text():
            self.search.clear()
            return True
        if watched is self.view and event.text().strip() and event.text().isprintable():
            self.search.setFocus()
            self.search.insert(event.text())
            return True
        return False

    def _step(self, by: int) -> None:
        rows, here = self.rows.rows, self.view.currentIndex().row()
        step = 1 if by > 0 else -1
        wanted = max(0, min(len(rows) - 1, here + by))
        found = self.rows.next_choice(wanted, step)
        self._mark(found if found is not None else self.rows.next_choice(wanted, -step))

    def _search(self, text: str) -> None:
        marked = self.current.key if self.current is not None else None
        self.rows.search(text)
        self._mark(self.rows.row_of(marked))
        none_left = not self.rows.rows and bool(text)
        self.nothing.setVisible(none_left)
        self.view.setVisible(not none_left)
        self.header.setVisible(not none_left and self._delegate.has_columns)

    def _mark(self, row: int | None) -> None:
        if row is None:
            row = self.rows.next_choice(0, 1)
        if row is not None:
            index = self.rows.index(row)
            self.view.setCurrentIndex(index)
            self.view.scrollTo(index)

    def _choose(self, index: QModelIndex) -> None:
        choice = self.rows.rows[index.row()].choice if index.isValid() else None
        if choice is not None:
            self.close()
            self.chosen.emit(choice.backend, choice.model)

    def _fit(self) -> None:
        """As high as its rows, whole ones, within the screen; its edge stays at the control's."""
        if (anchor := self._anchor) is None:
            return
        screen = anchor.screen().availableGeometry()
        top = anchor.mapToGlobal(QPoint(0, 0)).y()
        bottom = anchor.mapToGlobal(QPoint(0, anchor.height())).y()
        above, below = top - screen.top() - GRID, screen.bottom() - bottom - GRID
        around = room_around(anchor)
        width = min(self._theme.pixels(WIDTH), around.width())
        self._delegate.take_width(width)
        row = self._delegate.height
        self.view.setFixedHeight(row)
        self._column.activate()
        rest = self.sizeHint().height() - row
        rows = max(1, min(self.rows.rowCount(), MOST_ROWS, (max(above, below) - rest) // row))
        self.view.setFixedHeight(rows * row)
        self._column.activate()
        height = rest + rows * row
        left = anchor.mapToGlobal(QPoint(anchor.width() - width if self._at_end else 0, 0)).x()
        left = max(around.left(), min(left, around.right() - width + 1))
        self.setGeometry(left, top - height if above >= height or above >= below else bottom, width, height)
