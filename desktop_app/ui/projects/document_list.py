"""The list of a project's documents: the Qt model, its words, how a row is painted, its keys and clicks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, cast

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    QStringListModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QPushButton, QStyle, QStyleOptionViewItem, QToolTip, QWidget

from desktop_app.core.projects import FolderChange, ProjectDocument
from desktop_app.ui.i18n.content_words import about
from desktop_app.ui.i18n.language import grouped, tr, translated
from desktop_app.ui.theme.theme import GRID, Theme, frame, radius, stroke
from desktop_app.ui.widgets.list_parts import RowDelegate, set_up_list

LONGEST_KIND = 8
"""Characters of the end of a name that is shown as a kind."""


def kind_of(document: ProjectDocument) -> str:
    """`PDF`, `DOCX`: the end of its name, as file managers show it."""
    stem, _, end = document.name.rpartition(".")
    return end.upper() if stem and end.isalnum() and len(end) <= LONGEST_KIND else tr("Text")


def facts_of(document: ProjectDocument) -> str:
    """`PDF · 12 pages · ≈ 3.4K tokens`, or what is the matter with it."""
    if document.state == "failed":
        return translated(document.error) or tr("This file could not be read.")
    facts = [kind_of(document)]
    if document.state == "waiting":
        facts.append(tr("Waiting to be read"))
    else:
        if document.pages:
            facts.append(
                tr("1 page") if document.pages == 1 else tr("{count} pages").format(count=grouped(document.pages))
            )
        facts.append(tr("{tokens} tokens").format(tokens=about(document.tokens)))
    if document.state == "missing":
        facts.append(tr("File missing, text kept") if document.passages else tr("File missing"))
    elif document.note:
        facts.append(translated(document.note))
    return " · ".join(facts)


def mode_of(document: ProjectDocument, *, short: bool = False) -> str:
    """Return the way it gets to the model, in words; `short`: in one word."""
    return words_of(document.mode, short=short)


def words_of(mode: str, *, short: bool) -> str:
    """A mode's own words."""
    if short:
        return tr("Always") if mode == "always" else tr("Searched")
    return always_included() if mode == "always" else searched()


def always_included() -> str:
    return tr("Always included")


def searched() -> str:
    return tr("Searched when needed")


def changes_in_short(changes: Sequence[FolderChange]) -> str:
    """`3 new, 1 changed, 1 removed`."""
    counts: Counter[str] = Counter(one.kind for one in changes)
    words = {
        "new": tr("{count} new"),
        "changed": tr("{count} changed"),
        "renamed": tr("{count} renamed"),
        "removed": tr("{count} removed"),
    }
    return ", ".join(said.format(count=grouped(counts[kind])) for kind, said in words.items() if counts[kind])


def change_in_words(change: FolderChange) -> str:
    """`New: old/notes.txt`."""
    words = {
        "new": tr("New: {path}"),
        "changed": tr("Changed: {path}"),
        "renamed": tr("Renamed: {path}"),
        "removed": tr("Removed: {path}"),
    }
    return words[change.kind].format(path=change.path)


def in_total(documents: Sequence[ProjectDocument]) -> str:
    """`124 documents, ≈ 1.2M tokens`."""
    count = sum(document.state != "failed" for document in documents)
    words = tr("1 document") if count == 1 else tr("{count} documents").format(count=grouped(count))
    tokens = sum(document.tokens for document in documents)
    return f"{words} · " + tr("{tokens} tokens").format(tokens=about(tokens)) if tokens else words


DOCUMENT_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""The `ProjectDocument`."""
NARROW: Final = 48 * GRID
"""Pixels of the list below which a mode stands in one word."""
SINGLE_ROWS: Final = 100
"""So many changed rows are told one by one: of a range the view goes through every row."""

Index = QModelIndex | QPersistentModelIndex
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class DocumentRows(QStringListModel):
    """The documents that a search leaves; rows keep their places where only facts changed.

    Qt keeps their names, this class what stands for each: a view that lays out 10,000 rows asks how many there are once
    for each of them.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.rows: Sequence[ProjectDocument] = ()
        self._named: Counter[str] = Counter()
        self._first_with: dict[str, ProjectDocument] = {}

    def show(self, documents: Sequence[ProjectDocument], text: str = "", *, failed_only: bool = False) -> None:
        """Shows the documents whose path holds every word of `text`; of these the ones that can't be read alone."""
        self._named = Counter(one.name for one in documents)
        self._first_with = {one.sha256: one for one in reversed(documents) if one.sha256}
        if (words := text.casefold().split()) or failed_only:
            documents = [one for one in documents if _is_wanted(one, words, failed_only=failed_only)]
        before, self.rows = self.rows, documents
        if [(one.id, one.name) for one in documents] != [(one.id, one.name) for one in before]:
            self.setStringList([one.name for one in documents])
            return
        pairs = enumerate(zip(before, documents, strict=True))
        changed = [row for row, (old, new) in pairs if old is not new and old != new]
        if len(changed) <= SINGLE_ROWS:
            for row in changed:
                self.dataChanged.emit(self.index(row), self.index(row))
        else:
            self.dataChanged.emit(self.index(changed[0]), self.index(changed[-1]))

    def title(self, document: ProjectDocument) -> str:
        """Its name, with the folder where others are named so, too."""
        folder = "/".join(document.path.replace("\\", "/").split("/")[:-1][-2:]).strip("/")
        return f"{document.name} · {folder}" if self._named[document.name] > 1 and folder else document.name

    def facts(self, document: ProjectDocument) -> str:
        """Its facts, and that another document is the same file."""
        first = self._first_with.get(document.sha256, document)
        if first.id == document.id:
            return facts_of(document)
        return f"{facts_of(document)} · " + tr("Same file as “{name}”").format(name=self.title(first))

    def place_of(self, document_id: str) -> int:
        """The row of a document; -1 where it is not shown."""
        return next((row for row, one in enumerate(self.rows) if one.id == document_id), -1)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        document = self.rows[index.row()]
        match role:
            case _ if role == DOCUMENT_ROLE:
                return document
            case Qt.ItemDataRole.AccessibleTextRole:
                return ", ".join((self.title(document), self.facts(document), mode_of(document)))
            case Qt.ItemDataRole.ToolTipRole:
                return "\n".join((document.path or document.name, self.facts(document)))
        return super().data(index, role)


def _is_wanted(document: ProjectDocument, words: Sequence[str], *, failed_only: bool) -> bool:
    if failed_only and document.state != "failed":
        return False
    path = f"{document.path} {document.name}".casefold()
    return all(word in path for word in words)


class DocumentDelegate(RowDelegate):
    """Two lines: the name; what it is, or why it can't be read. At the right how it gets to the model."""

    GROUND = (0, 1, 0, -1)

    def __init__(self, theme: Theme, view: QListView) -> None:
        self._view = view
        super().__init__(theme, view)

    def measured_height(self) -> int:
        return round(self.metrics.height() + self.small_metrics.height()) + 2 * GRID

    def take_theme(self) -> None:
        self._chip, self._short_chip = (self._room(short=short) for short in (False, True))

    def _room(self, *, short: bool) -> QSize:
        """Return the room that the words of every mode need."""
        words = (words_of(mode, short=short) for mode in ("always", "search"))
        width = max(map(self.small_metrics.horizontalAdvance, words)) + 2 * GRID
        return QSize(round(width), round(self.small_metrics.height()) + GRID)

    def chip(self, rect: QRect) -> QRect:
        """Return the place in a row of the mode, which a click changes."""
        width = (self._short_chip if rect.width() < NARROW else self._chip).width()
        left, top = rect.right() - GRID - width, rect.center().y() - self._chip.height() // 2
        return QRect(left, top, width, self._chip.height())

    def standing(self, option: QStyleOptionViewItem, index: Index) -> tuple[bool, bool]:
        current = super().standing(option, index)[0]
        grounded = current or bool(option.state & QStyle.StateFlag.State_MouseOver)
        return current, grounded and self._view.hasFocus() and index.row() == self._view.currentIndex().row()

    def paint_row(self, painter: QPainter, rect: QRectF, index: Index) -> None:
        document = cast("ProjectDocument", index.data(DOCUMENT_ROLE))
        failed = document.state == "failed"
        chip = self.chip(rect.toRect())
        box = rect.adjusted(GRID, GRID, -GRID, -GRID)
        beside = box if failed else box.adjusted(0, 0, -(chip.width() + GRID), 0)
        first, second = QRectF(beside), QRectF(beside)
        first.setHeight(self.metrics.height())
        second.setTop(box.bottom() - self.small_metrics.height())
        rows = cast("DocumentRows", index.model())
        self._write(painter, first, rows.title(document), self.font, "text")
        self._write(painter, second, rows.facts(document), self.small, "danger" if failed else "text-secondary")
        if not failed:
            self._paint_mode(painter, chip, document)

    def _write(self, painter: QPainter, box: QRectF, words: str, font: QFont, tone: str) -> None:
        metrics = self.metrics if font is self.font else self.small_metrics
        mode = Qt.TextElideMode.ElideMiddle if font is self.font else Qt.TextElideMode.ElideRight
        painter.setFont(font)
        painter.setPen(self.theme.color(tone))
        painter.drawText(box, _LEFT, metrics.elidedText(words, mode, box.width()))

    def _paint_mode(self, painter: QPainter, place: QRect, document: ProjectDocument) -> None:
        theme, always = self.theme, document.mode == "always"
        # the accent's frame is that of what has the keyboard
        painter.setPen(QPen(theme.color("hairline"), stroke("hair")))
        painter.setBrush(theme.color("hairline") if always else Qt.BrushStyle.NoBrush)
        corner = radius("control")
        painter.drawRoundedRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5), corner, corner)
        painter.setFont(self.small)
        painter.setPen(theme.color("text" if always else "text-secondary"))
        words = mode_of(document, short=place.width() < self._chip.width())
        painter.drawText(place.adjusted(GRID, 0, -GRID, 0), Qt.AlignmentFlag.AlignCenter, words)


class ModeButton(QPushButton):
    """The mode of the row that the keyboard is on, as a part of its own for the keyboard and for screen readers.

    The row paints it; clicks of the pointer are the list's.
    """

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.hasFocus():
            frame(QPainter(self), self.rect(), self._theme.color("focus"))


class DocumentList(QListView):
    """Wishes, with the documents that are meant: all chosen ones where the one that was clicked is among them."""

    open_requested = Signal(object)  # ProjectDocument
    mode_requested = Signal(object, str)  # Sequence[ProjectDocument], DocumentMode
    remove_requested = Signal(object)
    menu_requested = Signal(object, QPoint)  # Sequence[ProjectDocument], place on the screen

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows = DocumentRows(self)
        self.delegate = DocumentDelegate(theme, self)
        set_up_list(self, self.rows, self.delegate, self.tr("Documents"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._ask_menu)
        self.mode = ModeButton(theme, self.viewport())
        self.mode.clicked.connect(self._change_current)
        self.selectionModel().currentChanged.connect(self._place_mode)
        self.verticalScrollBar().valueChanged.connect(self._place_mode)
        for changed in (self.rows.modelReset, self.rows.dataChanged, self.rows.layoutChanged):
            changed.connect(self._place_mode)

    def chosen(self) -> list[ProjectDocument]:
        """The documents that are marked, in the list's order."""
        rows = sorted(index.row() for index in self.selectionModel().selectedIndexes())
        return [self.rows.rows[row] for row in rows]

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        place = event.position().toPoint()
        index = self.indexAt(place)
        if (
            index.isValid()
            and event.button() == Qt.MouseButton.LeftButton
            and event.modifiers() == Qt.KeyboardModifier.NoModifier
            and self._is_chip(index, place)
        ):
            self._change_mode([self.rows.rows[index.row()]])

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(event)
        place = event.position().toPoint()
        index = self.indexAt(place)
        if index.isValid() and not self._is_chip(index, place):
            self.open_requested.emit(self.rows.rows[index.row()])

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            index = self.indexAt(event.pos())
            if index.isValid() and self._is_chip(index, event.pos()):
                place = self.delegate.chip(self.visualRect(index))
                QToolTip.showText(event.globalPos(), f"{searched()} / {always_included()}", self.viewport(), place)
                return True
        return super().viewportEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        place = event.position().toPoint()
        index = self.indexAt(place)
        over = index.isValid() and self._is_chip(index, place)
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not (chosen := self.chosen()):
            super().keyPressEvent(event)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.open_requested.emit(chosen[0])
        elif event.key() == Qt.Key.Key_Space:
            self._change_mode(chosen)
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.remove_requested.emit(chosen)
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_mode()

    def _place_mode(self, *_: object) -> None:
        index = self.currentIndex()
        document = self.rows.rows[index.row()] if index.isValid() else None
        usable = document is not None and document.state != "failed"
        if document is not None and usable:
            self.mode.setAccessibleName(f"{document.name}: {mode_of(document)}")
            self.mode.setGeometry(self.delegate.chip(self.visualRect(index)))
        self.mode.setVisible(usable)

    def _change_current(self) -> None:
        index = self.currentIndex()
        if index.isValid():
            self._change_mode([self.rows.rows[index.row()]])

    def _is_chip(self, index: QModelIndex, place: QPoint) -> bool:
        return self.delegate.chip(self.visualRect(index)).contains(place)

    def _change_mode(self, documents: Sequence[ProjectDocument]) -> None:
        usable = [one for one in documents if one.state != "failed"]
        if usable:
            always = all(one.mode == "always" for one in usable)
            self.mode_requested.emit(usable, "search" if always else "always")

    def _ask_menu(self, place: QPoint) -> None:
        if chosen := self.chosen():
            self.menu_requested.emit(chosen, self.viewport().mapToGlobal(place))
