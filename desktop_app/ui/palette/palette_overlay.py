"""The palette over the window: one field, the list below it with its rows and their painting, the keyboard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
)
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QLineEdit, QListView, QStyleOptionViewItem, QWidget
from shiboken6 import isValid

from desktop_app.core.matching import marks
from desktop_app.system.system_clock import utc_now
from desktop_app.ui.i18n.language import ago, tr
from desktop_app.ui.palette.palette_entries import PREFIXES, PaletteEntry, PaletteOffer, PaletteRow
from desktop_app.ui.theme.theme import GRID, Theme, icon_pixmap
from desktop_app.ui.widgets.floating import Floating
from desktop_app.ui.widgets.list_parts import (
    ROW_ROLE,
    Index,
    ListRows,
    RowDelegate,
    marked_line,
    match_format,
    set_up_list,
)
from desktop_app.ui.widgets.parts import in_column, label_in
from desktop_app.ui.widgets.splitter import ValueInterface, install

LOWEST: Final = 4 * GRID + GRID // 2
"""Pixels of a row at least."""
ICON: Final = 16
ABOUT_SHARE: Final = 0.45
"""The share of a row that the words at its right may take."""
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class PaletteRows(ListRows[PaletteRow]):
    """The rows left by the typed letters."""

    def words(self, row: PaletteRow) -> str:
        return row.entry.name

    tip = words

    def sentence(self, row: PaletteRow) -> str:
        return spoken(row.entry)

    def beside(self, row: int, step: int) -> int:
        """The row with which the next group begins (`step` 1) or the one before (-1), round the ends."""
        begins = [place for place, each in enumerate(self.rows) if each.first]
        if not begins:
            return row
        here = max((n for n, place in enumerate(begins) if place <= row), default=0)
        return begins[(here + step) % len(begins)]


def kind_words(entry: PaletteEntry) -> str:
    return {
        "action": tr("Action"),
        "thread": tr("Thread"),
        "project": tr("Project"),
        "model": tr("Model"),
        "prompt": tr("Prompt"),
        "message": tr("Message"),
        "passage": tr("Document"),
        "search": "",
    }[entry.kind]


def about(entry: PaletteEntry) -> str:
    """Return the words at the right of an entry: its kind, and where it belongs."""
    return " · ".join(words for words in (_belongs(entry), kind_words(entry)) if words)


def spoken(entry: PaletteEntry) -> str:
    """A row for screen readers."""
    chosen = tr("chosen") if entry.chosen else ""
    return ", ".join(part for part in (entry.name, kind_words(entry), _belongs(entry), chosen, entry.shortcut) if part)


def _belongs(entry: PaletteEntry) -> str:
    """Reckoned only for rows that are seen: it takes longer than everything else of an entry."""
    return entry.about or (ago(entry.updated, utc_now()) if entry.updated else "")


class PaletteDelegate(RowDelegate):
    """Icon, name with its marked letters, what it is, keys. A hairline begins each group but the first."""

    GROUND = (GRID // 2, 2, -GRID // 2, -1)

    def measured_height(self) -> int:
        return max(LOWEST, super().measured_height())

    def take_theme(self) -> None:
        self._icons: dict[tuple[str, float], QPixmap] = {}
        self.icon = self.theme.pixels(ICON)
        self._mark = match_format(self.theme)

    def standing(self, option: QStyleOptionViewItem, index: Index) -> tuple[bool, bool]:
        return super().standing(option, index)[0], False

    def paint_row(self, painter: QPainter, rect: QRectF, index: Index) -> None:
        if (row := cast("PaletteRow", index.data(ROW_ROLE))).first and index.row():
            line = QRectF(rect.left() + 2 * GRID, rect.top(), rect.width() - 4 * GRID, 1)
            painter.fillRect(line, self.theme.color("hairline"))
        box = rect.adjusted(2 * GRID, 1, -2 * GRID, 0)
        if row.entry.icon:
            place = QPointF(box.left(), round(box.center().y() - self.icon / 2))
            painter.drawPixmap(place, self._icon(row.entry.icon, painter.device().devicePixelRatioF()))
        box.setLeft(box.left() + self.icon + GRID + GRID // 2)
        taken = self._paint_right(painter, box, row.entry)
        box.setRight(box.right() - taken)
        self._paint_name(painter, box, row)

    def _icon(self, name: str, scale: float) -> QPixmap:
        if (drawn := self._icons.get((name, scale))) is None:
            drawn = self._icons[name, scale] = icon_pixmap(name, self.theme, "text-secondary", self.icon, scale)
        return drawn

    def _paint_right(self, painter: QPainter, box: QRectF, entry: PaletteEntry) -> float:
        """Paints what stands at the right; the pixels that it takes."""
        metrics, theme = self.small_metrics, self.theme
        painter.setFont(self.small)
        keys = 0.0
        if entry.shortcut:
            painter.setPen(theme.color("text"))
            painter.drawText(box, _RIGHT, entry.shortcut)
            keys = metrics.horizontalAdvance(entry.shortcut) + 2 * GRID
        words = f"● {about(entry)}" if entry.chosen else about(entry)
        room = box.width() * ABOUT_SHARE - keys
        if metrics.horizontalAdvance(words) > room:  # of what kind it is its icon says, too
            words, _, _ = words.partition(" · ")
        if keys and metrics.horizontalAdvance(words) > room:
            words = "●" if entry.chosen else ""
        words = metrics.elidedText(words, Qt.TextElideMode.ElideRight, room)
        painter.setPen(theme.color("text-secondary"))
        painter.drawText(box.adjusted(0, 0, -keys, 0), _RIGHT, words)
        return keys + metrics.horizontalAdvance(words) + 2 * GRID

    def _paint_name(self, painter: QPainter, box: QRectF, row: PaletteRow) -> None:
        text, spans = self._visible(row, box.width())
        layout = marked_line(text, self.font, spans, self._mark)
        painter.setPen(self.theme.color("text"))
        painter.setClipRect(box)
        layout.draw(painter, QPointF(box.left(), box.center().y() - layout.lineAt(0).height() / 2))

    def _visible(self, row: PaletteRow, room: float) -> tuple[str, list[tuple[int, int]]]:
        """As much of the name as there is room for, its first mark within."""
        if row.entry.spans:
            name, spans = row.entry.name, list(row.entry.spans)
        else:
            name = " ".join(row.entry.name.split())
            spans = marks(row.typed, name) if row.typed else []
        bold = sum(end - start for start, end in spans)
        start = 0
        if spans and self.metrics.horizontalAdvance(name[: spans[-1][1]]) + bold > room:
            start = self._start(name, spans, room - bold)
        shown = ("…" if start else "") + name[start:]
        shown = self.metrics.elidedText(shown, Qt.TextElideMode.ElideRight, room - bold)
        shift = (1 if start else 0) - start
        last = len(shown) - 1 if shown.endswith("…") and not name.endswith("…") else len(shown)
        moved = ((max(0, begin + shift), min(last, end + shift)) for begin, end in spans)
        return shown, [(begin, end) for begin, end in moved if begin < end]

    def _start(self, name: str, spans: Sequence[tuple[int, int]], room: float) -> int:
        """Return the start of a name at which its marks are seen, as far to the left as there is room; the first is."""
        first, last = 0, spans[0][0]
        while first < last:
            middle = (first + last) // 2
            if self.metrics.horizontalAdvance("…" + name[middle : spans[-1][1]] + "…") > room:
                first = middle + 1
            else:
                last = middle
        return first


WIDTH: Final = 560
TOP: Final = 9 * GRID
"""Pixels between the window's upper edge and the palette, where there is room."""
SHOWN: Final = 10
"""Rows that are seen at once at most; the half row below them says that there are more."""
VEIL: Final = 0.55
GAP: Final = " " * 5
"""Between the pairs of the line at the foot."""
_STEPS: Final = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_PAGES: Final = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}


class PaletteView(QListView):
    """The list. It paints its own ground, so that Qt need not paint what lies below it with every letter typed."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), self._theme.color("raised"))
        super().paintEvent(event)


class PaletteFrame(QFrame):
    """The box around field and list: to screen readers a combo box whose value is what Enter would choose."""

    def __init__(self, parent: Palette) -> None:
        super().__init__(parent)
        self._palette = parent
        self.setProperty("kind", "popover")
        Floating(self)
        install(PaletteFrame)

    def sentence(self) -> str:
        current = self._palette.current
        return spoken(current) if current is not None else ""

    def interface(self) -> ValueInterface:
        """Return a new interface of the palette for screen readers."""
        return ValueInterface(self, self, QAccessible.Role.ComboBox)


class Palette(QWidget):
    """Lies over the whole window while it is open: a click beside it, Esc, or the keyboard going elsewhere close it.

    The keyboard stays in the field; arrows move in the list, Tab from group to group, Enter chooses.
    """

    chosen = Signal(object)  # Entry
    closed = Signal()
    asked = Signal(str)  # the words that messages and documents are to be searched for; "" for none

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._room = window
        self._before: QWidget | None = None
        self.offer = PaletteOffer()
        self._page = 1
        self.frame = PaletteFrame(self)
        self.field = QLineEdit(self.frame)
        self.field.setPlaceholderText(self.tr("Find threads, messages, documents and actions"))
        self.field.setToolTip(self.field.placeholderText())
        self.field.setAccessibleName(self.tr("Find threads, messages, documents and actions"))
        self.field.textChanged.connect(self._edited)
        self.rows = PaletteRows(self)
        self.view = PaletteView(theme, self.frame)
        # told to screen readers at once, who ask in return what Enter would choose
        self.frame.setAccessibleName(self.tr("Command palette"))
        self.delegate = PaletteDelegate(theme, self.view)
        set_up_list(self.view, self.rows, self.delegate, self.tr("Results"))
        self.view.setResizeMode(QListView.ResizeMode.Adjust)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.clicked.connect(self._choose)
        self.nothing = label_in(self.frame, tone="secondary", wrap=True)
        self.nothing.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        self.nothing.hide()
        self.hint = QLabel(self._prefixes(), self.frame, wordWrap=True)
        self.hint.setProperty("tone", "secondary")
        self.hint.setContentsMargins(2 * GRID, GRID // 2, 2 * GRID, GRID // 2)
        in_column(
            in_column(self.field, margins=(GRID // 2, 0)),
            self.nothing,
            (self.view, 1),
            self.hint,
            of=self.frame,
            spacing=GRID // 2,
            margins=(GRID // 2, GRID, GRID // 2, GRID // 2),
        )
        for watched in (self.field, window):
            watched.installEventFilter(self)
        self._theme = theme
        theme.set_font("body", self.field, self.nothing)
        theme.set_font("small", self.hint)
        self.hide()

    # --- open and closed

    def open(self, offer: PaletteOffer) -> None:
        """Shows what is on offer, with nothing typed, and takes the keyboard."""
        self._before = self.window().focusWidget()
        self.offer = offer
        self.field.clear()
        self._search()
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def offer_changed(self) -> None:
        """There is more on offer than before: the list follows; what the keyboard is on stays marked."""
        current = self.current
        self._search(keep=current.id if current is not None else "")

    def show_found(self, words: str, entries: Sequence[PaletteEntry]) -> None:
        """Messages and documents were found for some words; they stand below what is called so."""
        self.offer.set_found(words, entries)
        self.offer_changed()

    def leave(self) -> None:
        """Closes; the keyboard goes back to where it was."""
        before, self._before = self._before, None
        # a page that was left meanwhile took its controls with it
        if self._close() and before is not None and isValid(before) and before.isVisible():
            before.setFocus(Qt.FocusReason.OtherFocusReason)

    def _close(self) -> bool:
        if self.isHidden():
            return False
        self.hide()
        self.asked.emit("")
        self.offer = PaletteOffer()
        self.rows.show(())
        self.closed.emit()
        return True

    @property
    def current(self) -> PaletteEntry | None:
        """The entry that Enter would choose."""
        index = self.view.currentIndex()
        return self.rows.rows[index.row()].entry if index.isValid() else None

    # --- what is found

    def _edited(self, typed: str) -> None:
        self._search()
        self.asked.emit(self.offer.asked(typed))

    def _search(self, *, keep: str = "") -> None:
        typed = self.field.text()
        found = self.offer.rows(typed)
        rows = found or self._ways_on(typed)
        self.rows.show(rows)
        kept = (place for place, row in enumerate(rows) if row.entry.id == keep)
        self.go_to(next(kept, 0))
        self.view.setHidden(not rows)
        self.nothing.setHidden(bool(found))
        if not found:
            words = self.tr("No results") if self.offer.answered(typed) else self.tr("Searching…")
            self.nothing.setText(words)
            self._say(words)
        self._fit()

    def _ways_on(self, typed: str) -> list[PaletteRow]:
        """Return the rows for when nothing is found: the search of all messages, with the same words."""
        if not (words := self.offer.words(typed)) or not self.offer.answered(typed):
            return []
        told = self.tr("Search messages for “{words}”").format(words=words)
        return [PaletteRow(PaletteEntry("search", words, told, icon="search"))]

    def go_to(self, row: int) -> None:
        index = self.rows.index(row)
        if index.isValid():
            self.view.setCurrentIndex(index)
            self.view.scrollTo(index)
            self._say(spoken(self.rows.rows[row].entry))

    def _say(self, words: str) -> None:
        """For screen readers: the keyboard stays in the field, so the row can't be told by its focus."""
        if self.isVisible() and QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.field, words))

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            entry = self.rows.rows[index.row()].entry
            # first, so that what is chosen can put the keyboard elsewhere
            self.leave()
            self.chosen.emit(entry)

    def _prefixes(self) -> str:
        words = {
            "action": self.tr("actions"),
            "thread": self.tr("threads"),
            "prompt": self.tr("prompts"),
            "model": self.tr("models"),
        }
        told = GAP.join(f"{sign}  {words[kind]}" for sign, kind in PREFIXES.items())
        pairs = self.tr("{prefixes}     Tab  next group").format(prefixes=told).split(GAP)
        return GAP.join(pair.replace(" ", "\u00a0") for pair in pairs)  # a line ends between pairs only

    # --- keyboard and pointer

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field:
            if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
                return self._press(event)
            if event.type() == QEvent.Type.FocusOut:
                self._look_where_the_keyboard_is()
        elif event.type() == QEvent.Type.Resize and self.isVisible():
            self._fit()
        return False

    def _press(self, event: QKeyEvent) -> bool:
        key, count, here = Qt.Key(event.key()), self.rows.rowCount(), self.view.currentIndex().row()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.view.currentIndex())
        elif key == Qt.Key.Key_Escape:
            self.leave()
        elif key in _STEPS:
            self.go_to((here + _STEPS[key]) % max(1, count))
        elif key in _PAGES:
            self.go_to(max(0, min(count - 1, here + self._page * _PAGES[key])))
        elif key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            back = key == Qt.Key.Key_Backtab or event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self.go_to(self.rows.beside(here, -1 if back else 1))
        else:
            return False
        return True

    def focusNextPrevChild(self, forward: bool) -> bool:
        """The keyboard stays here while it is shown."""
        return True

    def _look_where_the_keyboard_is(self) -> None:
        """Something else in the window has taken it, such as another shortcut: the palette is in the way."""
        focused = QApplication.focusWidget()
        if focused is not None and focused.window() is self.window() and not self.isAncestorOf(focused):
            self._close()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self.frame.geometry().contains(event.position().toPoint()):
            self.leave()

    # --- geometry and painting

    def _fit(self) -> None:
        """As high as its rows, within the window."""
        room = self._room.rect()
        self.setGeometry(room)
        width = min(self._theme.pixels(WIDTH), room.width() - 4 * GRID)
        top = TOP if room.height() > 6 * TOP else 2 * GRID
        rows = min(self.rows.rowCount(), SHOWN) * self.delegate.height
        if self.rows.rowCount() > SHOWN:
            rows += self.delegate.height // 2
        shown = [part for part in (self.field, self.hint, self.nothing) if not part.isHidden()]
        margins = self.frame.contentsMargins()
        inside = width - GRID - margins.left() - margins.right()
        rest = sum(_height(part, inside) for part in shown) + 3 * GRID
        rest += margins.top() + margins.bottom()
        height = min(rest + rows, room.height() - top - 2 * GRID)
        self._page = max(1, (height - rest) // self.delegate.height - 1)
        self.frame.setGeometry(QRect((room.width() - width) // 2, top, width, height))

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            veil = QColor(self._theme.color("background"))
            veil.setAlphaF(VEIL)
            painter.fillRect(self.rect(), veil)


def _height(part: QWidget, width: int) -> int:
    """As high as its words need at that width."""
    return part.heightForWidth(width) if part.hasHeightForWidth() else part.sizeHint().height()
