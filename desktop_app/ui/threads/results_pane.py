"""The pane with the messages that a search found: its filters, the rows and how they are painted. Uses no history."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final, Literal, TypeAlias, cast

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QResizeEvent,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListView,
    QPushButton,
    QStyle,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop_app.core.history_records import FoundItem, SearchHit, SearchPage
from desktop_app.core.messages import Role, Thread
from desktop_app.system.system_clock import local_day, utc_now
from desktop_app.ui.i18n.language import ago, moment, tr
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.threads.thread_rows import start_of
from desktop_app.ui.widgets import KEEPS_FOCUS
from desktop_app.ui.widgets.floating import Menu
from desktop_app.ui.widgets.list_parts import ROW_ROLE, Index, ListRows, RowDelegate, set_up_list
from desktop_app.ui.widgets.parts import button_in, in_column, label_in, say_in

LINES: Final = 2
"""Lines of the passage."""
BEFORE_MARK: Final = 24
"""Characters of the passage before its first mark: in a narrow list the mark has to be in view."""


FEW: Final = 3
"""Documents, and artifacts, that are listed before more of them are asked for: they stand above the messages."""


@dataclass(frozen=True, slots=True)
class GroupHeading:
    """The line above some of the results; `kind`: of which there are more than are listed."""

    words: str
    kind: str = ""


Result: TypeAlias = SearchHit | FoundItem | GroupHeading


class HitsModel(ListRows[Result]):
    """The hits of one search, page after page."""

    def add(self, rows: Sequence[Result]) -> None:
        """Takes these for the rows, of which the last are new, and a heading may say more."""
        if len(rows) > len(self.rows):
            self.beginInsertRows(QModelIndex(), len(self.rows), len(rows) - 1)
            self.rows = rows
            self.endInsertRows()
        self.rows = rows

    def flags(self, index: Index) -> Qt.ItemFlag:
        row = self.at(index)
        still = isinstance(row, GroupHeading) and not row.kind
        return Qt.ItemFlag.NoItemFlags if still else super().flags(index)

    def words(self, row: Result) -> str:
        return row.words if isinstance(row, GroupHeading) else row.snippet

    def sentence(self, row: Result) -> str:
        if isinstance(row, GroupHeading):
            return ", ".join((row.words, tr("Show all"))) if row.kind else row.words
        return f"{title_of_hit(row)}, {facts_of(row)}: {row.snippet}"

    def tip(self, row: Result) -> str | None:
        return None if isinstance(row, GroupHeading) else f"{title_of_hit(row)}\n{facts_of(row)}"


def by_thread(hits: Iterable[SearchHit]) -> list[SearchHit]:
    """The hits of one thread where its first stands; of tools that show the same words the first."""
    threads: dict[str, dict[str, SearchHit]] = {}
    for hit in hits:
        threads.setdefault(hit.thread_id, {}).setdefault(hit.snippet if hit.tool else hit.message_id, hit)
    return [hit for shown in threads.values() for hit in shown.values()]


def title_of_hit(hit: SearchHit | FoundItem) -> str:
    return hit.title or tr("Untitled thread")


def facts_of(hit: SearchHit | FoundItem) -> str:
    """Who said it when, or the project or thread that has it."""
    if isinstance(hit, FoundItem):
        return hit.place or tr("Untitled thread")
    return f"{who(hit)}, {moment(hit.created)}"


def who(hit: SearchHit) -> str:
    """Who said it, or whose document or tool it stands in; or that it is the user's own note."""
    if hit.noted:
        return tr("Your note")
    if hit.tool:
        return tr("Tool")
    said = tr("You") if hit.role == "user" else tr("Assistant")
    return tr("{who}, attached").format(who=said) if hit.attached else said


class HitDelegate(RowDelegate):
    """Paints a hit in three lines and a bit: title and time, then the passage; rows are equally high."""

    GROUND = (GRID, 1, -GRID, -1)

    def measured_height(self) -> int:
        self._title = self.theme.body_font()
        self._title.setPointSizeF(self.theme.points("row"))
        self.title_metrics = QFontMetricsF(self._title)
        lines = self.title_metrics.height() + LINES * self.small_metrics.lineSpacing()
        return round(lines) + 2 * GRID + 2

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        heading = isinstance(index.data(ROW_ROLE), GroupHeading)
        return QSize(0, round(self.small_metrics.height()) + 2 * GRID if heading else self.height)

    def standing(self, option: QStyleOptionViewItem, index: Index) -> tuple[bool, bool]:
        by_key = QStyle.StateFlag.State_HasFocus | QStyle.StateFlag.State_KeyboardFocusChange
        return bool(option.state & QStyle.StateFlag.State_Selected), option.state & by_key == by_key

    def paint_row(self, painter: QPainter, rect: QRectF, index: Index) -> None:
        hit = cast("Result", index.data(ROW_ROLE))
        room = rect.adjusted(2 * GRID, GRID // 2 + 2, -2 * GRID, -GRID // 2 - 1)
        if isinstance(hit, GroupHeading):
            self._paint_group(painter, room, hit)
            return
        above = index.sibling(index.row() - 1, 0).data(ROW_ROLE)
        same = isinstance(hit, SearchHit) and isinstance(above, SearchHit) and above.thread_id == hit.thread_id
        self._paint_heading(painter, room, hit, titled=not same)
        room.setTop(room.top() + self.title_metrics.height() + 2)
        self._paint_passage(painter, room, hit)

    def _paint_group(self, painter: QPainter, room: QRectF, heading: GroupHeading) -> None:
        painter.setFont(self.small)
        painter.setPen(self.theme.color("text-secondary"))
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, heading.words)
        if heading.kind:
            painter.setPen(self.theme.color("accent"))
            painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, tr("Show all"))

    def _paint_heading(self, painter: QPainter, room: QRectF, hit: SearchHit | FoundItem, *, titled: bool) -> None:
        """The thread's title once for the hits that follow one another there, and who said it when."""
        line = QRectF(room.left(), room.top(), room.width(), self.title_metrics.height())
        title, facts = self.heading(hit, line.width(), titled=titled)
        painter.setFont(self.small)
        painter.setPen(self.theme.color("text-secondary"))
        side = Qt.AlignmentFlag.AlignRight if titled else Qt.AlignmentFlag.AlignLeft
        painter.drawText(line, side | Qt.AlignmentFlag.AlignVCenter, facts)
        if not titled:
            return
        painter.setFont(self._title)
        painter.setPen(self.theme.color("text" if hit.title else "text-secondary"))
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, title)

    def heading(self, hit: SearchHit | FoundItem, width: float, *, titled: bool) -> tuple[str, str]:
        """The title as it is shown, and the facts beside it: a title that needs the room takes that of the time."""
        if isinstance(hit, FoundItem):
            facts = said = self.small_metrics.elidedText(facts_of(hit), Qt.TextElideMode.ElideRight, width / 2)
        else:
            said = who(hit)
            facts = f"{said} · {ago(hit.created, utc_now())}"
        title = title_of_hit(hit)
        if not titled:
            return "", facts

        def room() -> float:
            return width - self.small_metrics.horizontalAdvance(facts) - GRID

        if self.title_metrics.horizontalAdvance(title) > room():
            facts = said
        return self.title_metrics.elidedText(title, Qt.TextElideMode.ElideRight, room()), facts

    def _paint_passage(self, painter: QPainter, room: QRectF, hit: SearchHit | FoundItem) -> None:
        text, marks = _from_first_mark(hit)
        layout = QTextLayout(text, self.small)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.setFormats([self._marked(start, end) for start, end in marks])
        layout.beginLayout()
        for number in range(LINES):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(room.width())
            line.setPosition(QPointF(0, number * self.small_metrics.lineSpacing()))
        layout.endLayout()
        painter.setPen(self.theme.color("text-secondary"))
        layout.draw(painter, room.topLeft())

    def _marked(self, start: int, end: int) -> QTextLayout.FormatRange:
        """Darker, on a ground of its own, and underlined: not by colour alone."""
        shown = QTextCharFormat()
        shown.setForeground(self.theme.color("text"))
        shown.setBackground(self.theme.color("selection"))
        shown.setFontUnderline(True)
        part = QTextLayout.FormatRange()
        part.start, part.length, part.format = start, end - start, shown
        return part


def _from_first_mark(hit: SearchHit | FoundItem) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The passage with its first mark near its beginning. Places are moved to Qt's UTF-16 units."""
    first = hit.marks[0][0] if hit.marks else 0
    if start := max(0, first - BEFORE_MARK):
        blank = hit.snippet.find(" ", start, first)
        start = blank + 1 if blank >= 0 else start
    text = ("…" if start else "") + hit.snippet[start:]
    shift = len("…") if start else 0

    def place(at: int) -> int:
        before = text[: at - start + shift]
        return len(before.encode("utf-16-le", "surrogatepass")) // 2

    return text, tuple((place(begin), place(end)) for begin, end in hit.marks if begin >= start)


Span: TypeAlias = Literal["any", "today", "week", "month", "year"]
Marked: TypeAlias = Literal["up", "down", "note"]

DAYS: Final[dict[Span, int]] = {"today": 1, "week": 7, "month": 30, "year": 365}
"""Days of each span, today included."""
QWIDGETSIZE_MAX: Final = 16_777_215
"""Qt's word for a height without a limit."""
NEAR_END: Final = 200
"""Pixels from the end of the list at which further hits are asked for."""
IN_A_ROW: Final = 2
"""Chips side by side."""
CHIP_FRAME: Final = 16
"""Pixels of a chip beside its words."""


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """The filters of a search: who said it, since when, which model, what the user marked it with."""

    role: Role | None = None
    span: Span = "any"
    model: str | None = None
    marked: Marked | None = None

    def bounds(self, today: date | None = None) -> tuple[str | None, str | None]:
        """The first moment (ISO 8601 UTC) of the span by the local calendar, and None: spans end now."""
        if self.span == "any":
            return None, None
        first = (today or local_day()) - timedelta(days=DAYS[self.span] - 1)
        return start_of(first), None


class HitsView(QListView):
    """The hits: Enter or a click leads to the message, Esc leaves the search."""

    chosen = Signal(object)
    left = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.verticalScrollBar().setSingleStep(3 * GRID)
        self.clicked.connect(self._choose)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._choose(self.currentIndex())
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _choose(self, index: QModelIndex) -> None:
        self.chosen.emit(index.data(ROW_ROLE))


class ResultsPane(QWidget):
    """The results of a search: the number of messages found, chips that narrow the search, and the hits page by
    page.
    """

    chosen = Signal(object)  # SearchHit | FoundItem
    thread_chosen = Signal(str)
    first_requested = Signal()  # the first hit of what is searched for now is to be opened
    more_requested = Signal()
    filter_changed = Signal()
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty(KEEPS_FOCUS, True)
        self.setAccessibleName(self.tr("Messages found"))
        self.filter = SearchFilter()
        self.models: list[str] = []
        self._more = False
        self._hits: list[SearchHit] = []
        self._items: Sequence[FoundItem] = ()
        self._whole = set[str]()  # the kinds of which all are listed
        self.heading = label_in(self, self.tr("Messages"), tone="secondary", wrap=True)
        self.role_chip = self._chip(self.tr("Author"), self._role_menu)
        self.span_chip = self._chip(self.tr("When"), self._span_menu)
        self.model_chip = self._chip(self.tr("Model"), self._model_menu)
        self.mark_chip = self._chip(self.tr("Your marks"), self._mark_menu)
        self.chips = (self.role_chip, self.span_chip, self.model_chip, self.mark_chip)
        self.hits = HitsModel(self)
        self.view = HitsView(self)
        self._delegate = HitDelegate(theme, self.view)
        set_up_list(self.view, self.hits, self._delegate, self.tr("Messages found"))
        self.leave_button = button_in(self, self.tr("Clear search"), self.left)
        self.leave_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.leave_button.hide()
        chips = QVBoxLayout()
        chips.setSpacing(GRID // 2)
        for pair in (self.chips[:2], self.chips[2:]):
            row = QHBoxLayout()
            row.setSpacing(GRID // 2)
            for chip in pair:
                row.addWidget(chip)
            row.addStretch(1)
            chips.addLayout(row)
        head = in_column(
            self.heading,
            chips,
            (self.leave_button, 0, Qt.AlignmentFlag.AlignLeft),
            spacing=GRID // 2,
            margins=(2 * GRID, 0, GRID, 0),
        )
        in_column(head, (self.view, 1), of=self, spacing=GRID // 2, margins=0)
        self.view.chosen.connect(self._choose)
        self.view.left.connect(self.left)
        self.view.verticalScrollBar().valueChanged.connect(self._look_at_end)
        for chip in self.chips:
            chip.installEventFilter(self)
        self._theme = theme
        theme.set_font("small", self.heading, self.leave_button, *self.chips)
        theme.follow(self.view.doItemsLayout)
        self._show_filter()

    @property
    def narrowed(self) -> bool:
        """True where a chip narrows the search: then there is something to list without words, too."""
        return self.filter != SearchFilter()

    def know_models(self, names: Iterable[str | None]) -> None:
        """Models that answered somewhere: they are offered to narrow the search."""
        self.models = list(dict.fromkeys((*self.models, *filter(None, names))))

    def show_hits(self, shown: bool) -> None:
        """Without its hits the pane takes no more room than its chips."""
        self.view.setVisible(shown)
        self.setMaximumHeight(QWIDGETSIZE_MAX if shown else self.sizeHint().height())

    def show_page(self, page: SearchPage, items: Sequence[FoundItem] = (), *, first: bool) -> None:
        """Shows the first page of a search, with the documents and artifacts found, or adds a further one."""
        self._more = page.more
        if first:
            self._hits, self._items, self._whole = by_thread(page.hits), items, set()
            self.view.setUniformItemSizes(not items)
            self.hits.show(self._rows())
            self.view.scrollToTop()
        else:
            self._hits += by_thread(page.hits)
            self.hits.add(self._rows())
        self.know_models(hit.model for hit in page.hits)
        waiting = self.tr("Still indexing {n:,} messages").format(n=page.waiting) if page.waiting else ""
        say_in(self.heading, "\n".join(filter(None, ("" if self._items else self._told(), waiting))))
        self.leave_button.setVisible(not self.hits.rowCount() and not page.waiting)
        self.view.doItemsLayout()  # now, not in a moment: whether the end is in view is asked next
        self.view.updateGeometries()
        self._look_at_end()

    def clear(self) -> None:
        """Nothing is searched for."""
        self._hits, self._items = [], ()
        self.hits.show(())
        self.heading.setText(self.tr("Messages"))
        self.heading.show()
        self.leave_button.hide()
        self._more = False

    def forget_filter(self) -> None:
        """The search is left, and what narrowed it with it; nobody is told."""
        self.filter = SearchFilter()
        self._show_filter()

    def focus_first(self) -> bool:
        """Gives the keyboard to the first hit; False where there is none."""
        if (first := self.first_hit) is None:
            return False
        self.view.setFocus(Qt.FocusReason.TabFocusReason)
        self.view.setCurrentIndex(self.hits.index(list(self.hits.rows).index(first)))
        return True

    @property
    def first_hit(self) -> SearchHit | FoundItem | None:
        return next((row for row in self.hits.rows if not isinstance(row, GroupHeading)), None)

    def open_first(self, title: Thread | None) -> None:
        """Opens the thread whose title is found first, else wishes for the first hit."""
        if title is not None:
            self.thread_chosen.emit(title.id)
        else:
            self.first_requested.emit()

    def set_filter(self, chosen: SearchFilter) -> None:
        """Narrows the search."""
        if chosen != self.filter:
            self.filter = chosen
            self._show_filter()
            self.filter_changed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_filter()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Esc leaves the search from the chips as well."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return True
        return False

    def _told(self) -> str:
        if not (count := len(self._hits)):
            return self.tr("No messages found")
        words = self.tr("Messages · more than {n:,}") if self._more else self.tr("Messages · {n:,}")
        return words.format(n=count)

    def _rows(self) -> list[Result]:
        """Documents and artifacts above the messages, each below its heading; messages alone need none."""
        rows: list[Result] = []
        for kind, words in (("document", self.tr("Documents · {n:,}")), ("artifact", self.tr("Artifacts · {n:,}"))):
            if some := [one for one in self._items if one.kind == kind]:
                few = len(some) > FEW and kind not in self._whole
                rows += [GroupHeading(words.format(n=len(some)), kind if few else ""), *some[: FEW if few else None]]
        return [*rows, *([GroupHeading(self._told())] if rows else ()), *self._hits]

    def _choose(self, row: Result) -> None:
        if not isinstance(row, GroupHeading):
            self.chosen.emit(row)
        elif row.kind:
            place = self.view.currentIndex().row()
            self._whole.add(row.kind)
            self.hits.show(self._rows())
            self.view.setCurrentIndex(self.hits.index(place + 1))

    def _look_at_end(self) -> None:
        bar = self.view.verticalScrollBar()
        if self._more and bar.value() >= bar.maximum() - NEAR_END:
            self._more = False  # asked for once; the page says whether there is more
            self.more_requested.emit()

    # --- chips

    def _chip(self, name: str, fill: Callable[[Menu], None]) -> QPushButton:
        chip = button_in(self, kind="chip")
        chip.setCheckable(True)
        chip.setAccessibleDescription(name)
        chip.clicked.connect(lambda: self._open_menu(chip, fill))
        return chip

    def _open_menu(self, chip: QPushButton, fill: Callable[[Menu], None]) -> None:
        self._show_filter()  # a click must not change how the chip looks
        menu = Menu(chip, chip.accessibleName() or chip.text(), once=True)
        fill(menu)
        menu.open_at(chip)

    def _role_menu(self, menu: Menu) -> None:
        choices = [(None, self.tr("Anyone")), ("user", self.tr("You")), ("assistant", self.tr("Assistant"))]
        self._offer(menu, choices, self.filter.role, lambda role: replace(self.filter, role=cast("Role | None", role)))

    def _span_menu(self, menu: Menu) -> None:
        choices = [(span, self._span_words(span)) for span in ("any", *DAYS)]
        self._offer(menu, choices, self.filter.span, lambda span: replace(self.filter, span=cast("Span", span)))

    def _model_menu(self, menu: Menu) -> None:
        choices = [(None, self.tr("Any model")), *((name, name) for name in sorted(self.models))]
        self._offer(menu, choices, self.filter.model, lambda model: replace(self.filter, model=model))

    def _mark_menu(self, menu: Menu) -> None:
        choices = [(mark, self._mark_words(mark)) for mark in (None, "up", "down", "note")]
        self._offer(
            menu, choices, self.filter.marked, lambda mark: replace(self.filter, marked=cast("Marked | None", mark))
        )

    def _mark_words(self, mark: str | None) -> str:
        if mark is None:
            return self.tr("Any mark")
        return {"up": self.tr("Rated up"), "down": self.tr("Rated down"), "note": self.tr("With a note")}[mark]

    def _offer(
        self,
        menu: Menu,
        choices: Sequence[tuple[str | None, str]],
        now: str | None,
        chosen: Callable[[str | None], SearchFilter],
    ) -> None:
        group = QActionGroup(menu)
        for value, words in choices:
            action = QAction(words.replace("&", "&&"), group, checkable=True, checked=value == now)
            action.triggered.connect(self._setting(chosen(value)))
            menu.addAction(action)

    def _setting(self, chosen: SearchFilter) -> Callable[[], None]:
        return lambda: self.set_filter(chosen)

    def _span_words(self, span: str) -> str:
        return {
            "any": self.tr("Any time"),
            "today": self.tr("Today"),
            "week": self.tr("Last 7 days"),
            "month": self.tr("Last 30 days"),
            "year": self.tr("Last year"),
        }[span]

    def _show_filter(self) -> None:
        """Show the words of the chips: all of them where there is room, else each in its share."""
        role = {None: self.tr("Anyone"), "user": self.tr("You"), "assistant": self.tr("Assistant")}[self.filter.role]
        chips = (
            (self.role_chip, role, self.filter.role is not None),
            (self.span_chip, self._span_words(self.filter.span), self.filter.span != "any"),
            (self.model_chip, self.filter.model or self.tr("Any model"), self.filter.model is not None),
            (self.mark_chip, self._mark_words(self.filter.marked), self.filter.marked is not None),
        )
        room = self.width() - 4 * GRID - IN_A_ROW * CHIP_FRAME
        for number, (chip, words, narrowed) in enumerate(chips):
            pair = chips[number - number % IN_A_ROW :][:IN_A_ROW]
            fits = sum(each.fontMetrics().horizontalAdvance(said) for each, said, _ in pair) <= room
            most = max(4 * GRID, room // IN_A_ROW)
            shown = words if fits else chip.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, most)
            chip.setText(shown.replace("&", "&&"))
            chip.setToolTip(words if shown != words else "")
            chip.setAccessibleName(words)
            chip.setChecked(narrowed)
