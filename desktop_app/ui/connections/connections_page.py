"""The connections page: each connection with its state and key field, those that can be added, and the server form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TypeAlias

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from desktop_app.ui.connections.server_form import ServerForm
from desktop_app.ui.theme.theme import GRID, Theme, set_icon
from desktop_app.ui.widgets.fitting import FlowRow
from desktop_app.ui.widgets.page import PageFrame
from desktop_app.ui.widgets.parts import ElidedButton, Stretch, button_in, fill, in_row, label_in

ConnectionId: TypeAlias = tuple[str, str]
"""Backend, and the address of a server ("" for the others)."""


@dataclass(frozen=True, slots=True)
class ConnectionView:
    """The content of a row. Each empty label of a button: it is not there.

    `state`: facts in one line, after "Ready" where it is. `note`: one sentence below, such as what to do; `trouble`:
    that says what is wrong.
    `use`, `file`, `key`, `remove`: the words on these buttons. `unsaved`: no keyring takes a key for it. `locked`: the
    button `test` unlocks the keyring. `needs_key`: it is used, and lacks a key.
    """

    id: ConnectionId
    icon: str
    title: str
    state: str
    ready: bool = False
    note: str = ""
    trouble: bool = False
    unsaved: bool = False
    locked: bool = False
    needs_key: bool = False
    default: bool = False
    connect: str = ""
    use: str = ""
    test: str = ""
    key: str = ""
    remove: str = ""
    file: str = ""


class ConnectionRow(QFrame):
    """The row of one connection; `view` is its content. Text that was typed stays in its field until it is stored."""

    connect_requested = Signal()
    use_requested = Signal()
    test_requested = Signal()
    key_entered = Signal(str)
    remove_requested = Signal()
    file_requested = Signal()

    def __init__(self, theme: Theme, view: ConnectionView, parent: QWidget) -> None:
        super().__init__(parent)
        self.view = view
        self.warned = self.unsaved = False
        self._theme = theme
        self._busy = False
        self.setProperty("kind", "field")
        self._mark = QLabel(self)
        self.title = self._line("")
        self.state = self._line("secondary")
        self.default = self._line("")
        self.note = self._line("secondary")
        self.result = self._line("secondary")
        self.problem = self._line("danger")
        self.connect_button = button_in(self, "", self.connect_requested)
        self.connect_button.setMinimumWidth(1)
        self.use, self.test, self.replace_key, self.file, self.remove = (self._button() for _ in range(5))
        for button, wish in (
            (self.connect_button, self.connect_requested.emit),
            (self.use, self.use_requested.emit),
            (self.test, self.test_requested.emit),
            (self.replace_key, self.edit_key),
            (self.file, self.file_requested.emit),
            (self.remove, self.remove_requested.emit),
        ):
            button.clicked.connect(partial(self._act, wish))
        self.key = KeyField(self)
        self.key.setMinimumWidth(1)
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key.setPlaceholderText(self.tr("Paste your key"))
        self.save = button_in(self, self.tr("Save key"), self._enter, kind="primary")
        self.key.textChanged.connect(self._edited)
        self.key.returnPressed.connect(self._enter)
        self.key.escaped.connect(self.close_key)
        self._lay_out()
        # before a line is first shown, or it keeps the font it had then
        theme.set_font("title", self.title)
        theme.set_font("small", self.state, self.default, self.note, self.result, self.problem)
        self.result.hide()
        self.show_view(view)
        self.close_key()
        set_icon(self._mark, view.icon, theme, size=20)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.title, 1)  # what stretches makes the words as wide as there is room
        words = QVBoxLayout()
        fill(
            words,
            head,
            self.default,
            self.state,
            self.note,
            GRID // 2,
            FlowRow(*self._buttons, across=GRID, down=GRID),
            spacing=GRID // 2,
        )
        # below the buttons, which stay where the mouse is when these come
        fill(words, in_row((self.key, 1), self.save, spacing=GRID), self.result, self.problem)
        in_row(
            (self._mark, 0, Qt.AlignmentFlag.AlignTop),
            (words, 1),
            of=self,
            spacing=2 * GRID,
            margins=(2 * GRID, GRID + GRID // 2),
        )

    @property
    def _buttons(self) -> tuple[QPushButton, ...]:
        return self.connect_button, self.use, self.test, self.replace_key, self.file, self.remove

    @property
    def stops(self) -> tuple[QWidget, ...]:
        """The widgets that Tab leads to, in order."""
        return *self._buttons, self.key, self.save

    def show_view(self, view: ConnectionView) -> None:
        """Show the facts known now; the field for a key and the words of a test stay as they are."""
        self.view = view
        self.offer_unsaved(view.unsaved or (self.unsaved and bool(self.key.text())))
        self.title.setText(view.title)
        self._show_state()
        self._say(self.default, self.tr("Used for new threads") if view.default else "")
        self._say(self.note, view.note)
        _set_tone(self.note, "danger" if view.trouble else "secondary")
        words = view.connect, view.use, view.test, view.key, view.file, view.remove
        for button, label in zip(self._buttons, words, strict=True):
            button.setText(label)
            button.setAccessibleName(f"{label}: {view.title}")
            button.setVisible(bool(label))
        self._place_key_button()
        self.key.setAccessibleName(self.tr("API key: {title}").format(title=view.title))
        self.save.setAccessibleName(f"{self.save.text()}: {view.title}")
        self.setAccessibleName(view.title)

    def _place_key_button(self) -> None:
        """Beside the open field its button would say nothing; it stays where others would move."""
        view = self.view
        self.replace_key.setVisible(bool(view.key) and (self.key.isHidden() or bool(view.file or view.remove)))

    def _show_state(self) -> None:
        """Show the facts; nothing is called ready beside what says that its key is not accepted."""
        ready = [self.tr("Ready")] if self.view.ready and not self.problem.text() else []
        self._say(self.state, " · ".join([*ready, *filter(None, [self.view.state])]))

    def offer_unsaved(self, offered: bool) -> None:
        """Set whether a key may be used without being saved, as no keyring takes it."""
        self.unsaved = offered
        if not self.warned:
            self.save.setText(self._save_label)

    @property
    def _save_label(self) -> str:
        return self.tr("Use without saving") if self.unsaved else self.tr("Save key")

    def edit_key(self) -> None:
        """Shows the field for a key, with the keyboard in it and what was typed selected."""
        self.key.show()
        self.save.show()
        self.save.setEnabled(bool(self.key.text().strip()))
        self.key.setFocus()
        self.key.selectAll()
        self._place_key_button()

    def close_key(self) -> None:
        """Hides the field for a key; the keyboard goes back to the button that showed it."""
        had = self.key.hasFocus() or self.save.hasFocus()
        self.key.hide()
        self.save.hide()
        self._place_key_button()
        self.show_problem("")
        if had and self.replace_key.isVisible():
            self.replace_key.setFocus()

    def show_busy(self, words: str) -> None:
        """Show the action under way on the connection; empty: none. Meanwhile no other key can be typed."""
        self._busy = bool(words)
        self.key.setReadOnly(self._busy)
        for button in (*self._buttons, self.save):
            button.setEnabled(not words or button.hasFocus())  # a button that is disabled loses the keyboard
        if words:
            self.show_problem("")
            self._say(self.result, words)
        else:
            self._say(self.result, "")
            self.save.setEnabled(bool(self.key.text().strip()))

    def show_result(self, words: str) -> None:
        """Show the result of a test or a change."""
        self.show_problem("")
        self._say(self.result, words)

    def show_problem(self, words: str, *, button: str = "") -> None:
        """Why it did not work, and what to do. `button`: saves the key all the same, until it is edited."""
        if words:
            self._say(self.result, "")
        self._say(self.problem, words)
        self._show_state()
        self.warned = bool(button)
        self.save.setText(button or self._save_label)

    def _act(self, wish: Callable[[], None]) -> None:
        if not self._busy:
            wish()

    def _enter(self) -> None:
        if not self._busy and self.key.text().strip():
            self.key.setFocus()  # the button can't keep the keyboard while the key is tested
            self.key_entered.emit(self.key.text().strip())

    def _edited(self, text: str) -> None:
        self.show_problem("")
        self.save.setEnabled(bool(text.strip()) and not self._busy)

    def _button(self) -> QPushButton:
        button = ElidedButton(self._theme, self)  # in a narrow window a button is cut rather than its card
        button.setMinimumWidth(1)
        return button

    def _line(self, tone: str) -> QLabel:
        line = label_in(self)
        if tone:
            line.setProperty("tone", tone)
        line.setWordWrap(True)
        line.setMinimumWidth(1)  # one long word shall not widen the page
        return line

    @staticmethod
    def _say(label: QLabel, words: str) -> None:
        label.setText(words)
        label.setVisible(bool(words))


class KeyField(QLineEdit):
    """A field whose Esc closes it alone, not the page around it."""

    escaped = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)


def _set_tone(label: QLabel, tone: str) -> None:
    if label.property("tone") != tone:
        label.setProperty("tone", tone)
        label.style().unpolish(label)
        label.style().polish(label)


class ConnectionsPage(PageFrame):
    """Wishes carry the id of their connection; those of `server` stand there."""

    connect_requested = Signal(object)
    use_requested = Signal(object)
    test_requested = Signal(object)
    key_entered = Signal(object, str)
    remove_requested = Signal(object)
    file_requested = Signal(object)
    tools_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, "", parent)
        self.set_title(self.tr("Connections"))
        self.tools = button_in(self.top, self.tr("Tools"), self.tools_requested)
        self.header_row.addWidget(self.tools)
        self.rows: list[ConnectionRow] = []
        self.looking = self.small(self.tr("Looking for connections…"))
        self._further_head = self.subheading(self.tr("Add a connection"))
        self._ready, self._further = QVBoxLayout(), QVBoxLayout()
        for ways in (self._ready, self._further):
            ways.setSpacing(GRID)
        self.server = ServerForm(theme, self.column)
        fill(self.inside, self.looking, self._ready, GRID, self._further_head, self._further, self.server, Stretch())

    def show_connections(self, ready: Sequence[ConnectionView], further: Sequence[ConnectionView]) -> None:
        """Show the connections that are set up, and others found here. A row that stays keeps what was typed in it."""
        self.looking.hide()
        kept = {row.view.id: row for row in self.rows}
        self.rows = []
        for layout, views in ((self._ready, ready), (self._further, further)):
            for place, view in enumerate(views):
                if (row := kept.pop(view.id, None)) is None:
                    row = self._made_row(view)
                else:
                    row.show_view(view)
                self._ready.removeWidget(row)
                self._further.removeWidget(row)
                layout.insertWidget(place, row)
                self.rows.append(row)
        for row in kept.values():
            if (focused := QApplication.focusWidget()) is not None and row.isAncestorOf(focused):
                self.back.setFocus()
            self._ready.removeWidget(row)
            self._further.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._order_tabs()

    def row(self, connection: ConnectionId) -> ConnectionRow | None:
        """The row of a connection."""
        return next((row for row in self.rows if row.view.id == connection), None)

    def lead_to_key(self) -> None:
        """Puts the keyboard on the button that adds the key which is needed, where nobody has moved it yet."""
        row = next((row for row in self.rows if row.view.needs_key), None)
        if row is not None and self.back.hasFocus():
            row.replace_key.setFocus(Qt.FocusReason.OtherFocusReason)

    def bring(self, part: QWidget) -> None:
        """Scrolls a part of the page into view."""
        self.scroller.ensureWidgetVisible(part, 0, 6 * GRID)

    def _made_row(self, view: ConnectionView) -> ConnectionRow:
        row, name = ConnectionRow(self.theme, view, self.column), view.id
        row.connect_requested.connect(lambda: self.connect_requested.emit(name))
        row.use_requested.connect(lambda: self.use_requested.emit(name))
        row.test_requested.connect(lambda: self.test_requested.emit(name))
        row.key_entered.connect(lambda key: self.key_entered.emit(name, key))
        row.remove_requested.connect(lambda: self.remove_requested.emit(name))
        row.file_requested.connect(lambda: self.file_requested.emit(name))
        return row

    def _order_tabs(self) -> None:
        """Tab goes down the page, though its rows came at different times."""
        form = self.server
        parts = [self.back, self.tools, *(part for row in self.rows for part in row.stops)]
        parts += [form.service, form.address, form.key, form.test, form.model, form.model_name, form.use, form.unlock]
        for before, after in pairwise(parts):
            QWidget.setTabOrder(before, after)
