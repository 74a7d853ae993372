"""The connections page: each connection with its state and key field, those that can be added, and the server form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TypeAlias

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QActionGroup, QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop_app.core.titles import elided_middle
from desktop_app.ui.connections.available_models import LeftKey, ServerEntry
from desktop_app.ui.i18n.language import grouped, tr
from desktop_app.ui.models.model_choice import ModelChoice
from desktop_app.ui.models.model_menu import ModelMenu
from desktop_app.ui.theme.theme import GRID, Theme, set_icon
from desktop_app.ui.widgets.fitting import FlowRow
from desktop_app.ui.widgets.floating import Menu
from desktop_app.ui.widgets.page import PageFrame
from desktop_app.ui.widgets.parts import ElidedButton, Stretch, button_in, fill, in_column, in_row, label_in

NAME_SHOWN = 34
"""Characters of a model's name that its button shows; the rest is in the tooltip."""


def found_words(count: int) -> str:
    """Return the words on a test that only listed the models."""
    return (tr("Found 1 model") if count == 1 else tr("Found {count} models")).format(count=grouped(count))


@dataclass(frozen=True, slots=True)
class ServiceOffer:
    """One service to choose. `address` "": the user types it. `needs_key`: nothing works there without one."""

    name: str
    address: str
    needs_key: bool
    here: bool


class ServerForm(QFrame):
    """Nothing that was typed is lost when a test fails; a change of address or key asks for another test."""

    test_requested = Signal(object)  # Entry
    use_requested = Signal(object, str)  # Entry, model id
    unlock_requested = Signal()
    edited = Signal(object)  # Entry

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("kind", "field")
        self._theme = theme
        self.services: Sequence[ServiceOffer] = ()
        self._service: ServiceOffer | None = None
        self._models: Sequence[ModelChoice] = ()
        self._model = ""
        self.menu_shown: ModelMenu | None = None
        self._mark = QLabel(self)
        self._title = self._line(self.tr("OpenAI-compatible server"), "")
        self.detail = self._line(
            self.tr("The test only lists its models, which costs nothing."),
            "secondary",
        )
        self.service = button_in(self, "", self._open_services, name=self.tr("Service"))
        self.address = QLineEdit(self, placeholderText="http://127.0.0.1:8080/v1")
        self.address.setAccessibleName(self.tr("Address of the server"))
        self.key = QLineEdit(self, echoMode=QLineEdit.EchoMode.Password)
        self.key.setAccessibleName(self.tr("Key for this server"))
        self.name = QLineEdit(self, placeholderText=self.tr("Name (optional)"))
        self.name.setAccessibleName(self.tr("Name of the connection"))
        self.name.setToolTip(self.tr("Two connections of one address need different names."))
        self.warning = self._line("", "danger")
        self.keyring = self._line("", "secondary")
        self.unsaved = False
        self.test = button_in(self, self.tr("Test"), name=self.tr("Test this server"))
        self.status = self._line("", "secondary")
        self.model = button_in(self, name=self.tr("Model"))
        self.model_name = QLineEdit(self, placeholderText=self.tr("Name of the model"))
        self.model_name.setAccessibleName(self.tr("Name of the model"))
        self.use = button_in(self, self.tr("Use"), kind="primary", name=self.tr("Use this server"))
        self.unlock = button_in(self, self.tr("Unlock keyring"), self.unlock_requested)
        self.test.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.test.setAutoDefault(True)
        self.use.setAutoDefault(True)
        for part in (self.service, self.address, self.key, self.name, self.model, self.model_name):
            part.setMinimumWidth(1)  # in a narrow window a field is cut rather than its card
        self._lay_out()
        self._connect()
        for button in (self.service, self.model):
            set_icon(button, "chevron", theme)
            button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        theme.set_font("title", self._title)
        theme.set_font("small", self.detail, self.keyring, self.warning, self.status)
        set_icon(self._mark, "globe", theme, size=20)
        self._forget_test()

    def _connect(self) -> None:
        self.address.textEdited.connect(self._name_service)
        for line in (self.address, self.key):
            line.textEdited.connect(self._edited)
            line.returnPressed.connect(self.go_on)
        self.name.returnPressed.connect(self.go_on)
        self.model_name.textChanged.connect(lambda text: self.use.setEnabled(bool(text.strip())))
        self.model_name.returnPressed.connect(self._use)
        self.model.clicked.connect(self._open_models)
        self.test.clicked.connect(self._test)
        self.use.clicked.connect(self._use)

    def _lay_out(self) -> None:
        heading = in_column(self._title, self.detail, spacing=GRID // 2)
        where = in_row(self.service, (self.address, 1), spacing=GRID)
        trying = QHBoxLayout()
        trying.setSpacing(GRID + GRID // 2)
        trying.addWidget(self.test, 0, Qt.AlignmentFlag.AlignTop)
        trying.addWidget(self.status, 1)
        trying.addStretch(0)  # while the status is hidden the button stands at the left
        words = in_column(
            heading,
            where,
            self.key,
            self.name,
            trying,
            # below the fields, which stay where they are while one types
            self.keyring,
            self.warning,
            in_row(self.model, (self.model_name, 1), self.use, Stretch(0), spacing=GRID),
            in_row(self.unlock, Stretch(0)),
            Stretch(),  # room that a line left is no one's until the page is laid out
            spacing=GRID,
        )
        in_row(
            (self._mark, 0, Qt.AlignmentFlag.AlignTop),
            (words, 1),
            of=self,
            spacing=2 * GRID,
            margins=(2 * GRID, GRID + GRID // 2),
        )
        for each in (self.keyring, self.warning, self.status, self.model_name):
            each.hide()

    @property
    def entry(self) -> ServerEntry:
        """The content of the fields."""
        return ServerEntry(self.address.text().strip(), self.key.text().strip(), self.name.text().strip())

    @property
    def chosen_model(self) -> str:
        """The id of the model that `Use` would take."""
        return self.model_name.text().strip() if not self.model_name.isHidden() else self._model

    def set_services(self, services: Sequence[ServiceOffer], address: str, *, own: bool = False) -> None:
        """The services to choose from. `address`: what is set now; fields that were touched stay as they are.

        `own`: a server of an address that is still to be typed.
        """
        first = not self.services
        self.services = tuple(services)
        if first and services:
            known = next((one for one in services if address and one.address == address), None)
            if address:
                self.address.setText(address)
                self.address.setCursorPosition(0)
            self._take_service(known or (services[-1] if address or own else services[0]))
            if self.address.hasFocus():
                self.address.selectAll()  # the keyboard was here before the address was

    def focus_first(self) -> None:
        """Puts the keyboard into the address, selected until somebody types."""
        self.address.setFocus(Qt.FocusReason.OtherFocusReason)
        self.address.selectAll()

    def take_key(self, key: str) -> None:
        """Puts back a key that was typed before."""
        self.key.setText(key)
        self._edited()

    def show_warning(self, words: str) -> None:
        """Show the warning about this address and key; empty removes it."""
        self.warning.setText(words)
        self.warning.setVisible(bool(words))

    def show_keyring(self, words: str, reason: str) -> None:
        """Show how long a key lasts where no keyring takes it, and why none does; both "": one would.

        It is said beside a key alone: a server that needs none has nothing to save.
        """
        self.unsaved = bool(words)
        self.keyring.setText(words)
        self.keyring.setToolTip(reason)
        self._place_keyring()

    def _place_keyring(self) -> None:
        wanted = bool(self.key.text()) or (self._service is not None and self._service.needs_key)
        self.keyring.setVisible(bool(self.keyring.text()) and wanted)
        self.use.setText(self.tr("Use without saving") if self.unsaved and self.entry.key else self.tr("Use"))

    def show_testing(self) -> None:
        if self.test.hasFocus() or self.unlock.hasFocus():
            self.address.setFocus()  # a button that can't be used would give the keyboard to anything
        self._forget_test()
        self.test.setEnabled(False)
        self.test.setText(self.tr("Testing…"))

    def show_works(self, address: str, models: Sequence[ModelChoice], model: str) -> None:
        """The server at `address` listed `models`, of which `model` is the one to begin with."""
        self._forget_test()
        self.address.setText(address)
        self.address.setCursorPosition(0)
        self._name_service()
        self._models = tuple(models)
        said = [found_words(len(models))]
        if not self.entry.key and self._service is not None and not self._service.address:
            said.append(self.tr("a question may need a key"))  # the list of an unknown server may be open to all
        self._say(" · ".join(said), "secondary")
        self._take_model("", model)
        self.model.show()
        self.use.show()
        self.use.setEnabled(True)
        self.use.setFocus()

    def show_problem(self, words: str, *, wants_key: bool = False, may_name_model: bool = False) -> None:
        """Why the server can't be used as it stands there, and what to do.

        `wants_key`: the keyboard goes to the field for one. `may_name_model`: it may answer all the same, to a model
        named by hand.
        """
        self._forget_test()
        self._say(words, "danger")
        if wants_key:
            self.key.setFocus()
            self.key.selectAll()
        self.model_name.setVisible(may_name_model)
        self.use.setVisible(may_name_model)
        self.use.setEnabled(may_name_model and bool(self.model_name.text().strip()))

    def show_not_used(self, words: str) -> None:
        """Why the server is not used; what was chosen for it stays, and can be used once more."""
        self._say(words, "danger")

    def clear(self) -> None:
        """The server is set up; the form is as at first, for another."""
        for line in (self.address, self.key, self.name):
            line.clear()
        self._take_service(self.services[0])
        self._forget_test()

    def _line(self, text: str, tone: str) -> QLabel:
        line = label_in(self, text, tone=tone, wrap=True)
        line.setMinimumWidth(1)  # one long word shall not widen the pane
        return line

    def _say(self, words: str, tone: str) -> None:
        self.status.setText(words)
        self.status.setProperty("tone", tone)
        self.status.style().unpolish(self.status)
        self.status.style().polish(self.status)
        self.status.show()

    def _forget_test(self) -> None:
        self._models = ()
        self.status.hide()
        self.model.hide()
        self.model_name.hide()
        self.use.hide()
        self.unlock.hide()
        self.test.setText(self.tr("Test"))
        self.test.setEnabled(bool(self.address.text().strip()))

    def _edited(self) -> None:
        self._forget_test()
        self._place_keyring()
        self.edited.emit(self.entry)

    def _open_services(self) -> None:
        menu = Menu(self)
        menu.setAccessibleName(self.service.accessibleName())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        group = QActionGroup(menu)
        for service in self.services:
            action = menu.addAction(service.name if service.address else self.tr("Another address"))
            action.setCheckable(True)
            action.setChecked(service is self._service)
            action.triggered.connect(partial(self.choose_service, service.name))
            group.addAction(action)
        menu.open_at(self.service)

    def choose_service(self, name: str) -> None:
        """Takes a service by its name, as a click in the menu does."""
        if (service := next(one for one in self.services if one.name == name)) is not self._service:
            self.key.clear()  # a key is for one service only
        self._take_service(service)
        self.address.setText(service.address)
        self.address.setCursorPosition(0)
        if service.address and service.needs_key:
            self.key.setFocus()
        else:
            self.address.setFocus()
        self._edited()

    def _name_service(self) -> None:
        """The button names whose address stands there, whoever wrote it."""
        if self.services:
            address = self.address.text().strip().rstrip("/")
            at = next((one for one in self.services if one.address.rstrip("/") == address), self.services[-1])
            if at is not self._service:
                self._take_service(at)

    def _take_service(self, service: ServiceOffer) -> None:
        self._service = service
        if not self.address.text():
            self.address.setText(service.address)
            self.address.setCursorPosition(0)
        name = service.name if service.address else self.tr("Another address")
        self.service.setText(name)
        self.service.setAccessibleName(self.tr("Service: {name}").format(name=name))
        words = self.tr("Paste your key") if service.needs_key else self.tr("Key, if the server needs one")
        self.key.setPlaceholderText(words)
        self.test.setEnabled(bool(self.address.text().strip()))
        self._place_keyring()

    def go_on(self) -> None:
        """Does what comes next: uses what was tested, else tests it."""
        if self.use.isVisible() and self.use.isEnabled():
            self._use()
        else:
            self._test()

    def _test(self) -> None:
        if self.test.isEnabled() and self.entry.address:
            self.test_requested.emit(self.entry)

    def _use(self) -> None:
        if self.use.isEnabled():
            self.use_requested.emit(self.entry, self.chosen_model)

    def _open_models(self) -> None:
        chosen = next((one.key for one in self._models if one.model == self._model), None)
        menu = self.menu_shown = ModelMenu(self._theme, chosen, self, connections=False)
        menu.hidden.connect(self._forget_menu)
        menu.chosen.connect(self._take_model)
        menu.show_choices(self._models)
        menu.open_at(self.model)

    def _forget_menu(self) -> None:
        if self.menu_shown is not None:
            self.menu_shown.deleteLater()
            self.menu_shown = None

    def _take_model(self, _backend: str, model: str) -> None:
        self._model = model
        name = next((one.model_name for one in self._models if one.model == model), model)
        self.model.setText(elided_middle(name, NAME_SHOWN))
        self.model.setToolTip(name)
        self.model.setAccessibleName(self.tr("Model: {name}").format(name=name))


ConnectionId: TypeAlias = tuple[str, str]
"""Backend, and the address of a server ("" for the others)."""


@dataclass(frozen=True, slots=True)
class ConnectionView:
    """The content of a row. Each empty label of a button: it is not there.

    `state`: facts in one line, after "Ready" where it is. `note`: one sentence below, such as what to do; `trouble`:
    that says what is wrong.
    `use`, `file`, `key`, `edit`, `remove`: the words on these buttons. `unsaved`: no keyring takes a key for it.
    `locked`: the button `test` unlocks the keyring. `needs_key`: it is used, and lacks a key.
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
    edit: str = ""
    remove: str = ""
    file: str = ""


class ConnectionRow(QFrame):
    """The row of one connection; `view` is its content. Text that was typed stays in its field until it is stored."""

    connect_requested = Signal()
    use_requested = Signal()
    test_requested = Signal()
    key_entered = Signal(str)
    edited = Signal(object)  # Entry
    remove_requested = Signal()
    file_requested = Signal()

    def __init__(self, theme: Theme, view: ConnectionView, parent: QWidget) -> None:
        super().__init__(parent)
        self.view = view
        self.warned = self.unsaved = False
        self._theme = theme
        self._busy = False
        self._left: LeftKey | None = None
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
        self.use, self.test, self.replace_key, self.edit, self.file, self.remove = (self._button() for _ in range(6))
        for button, wish in (
            (self.connect_button, self.connect_requested.emit),
            (self.use, self.use_requested.emit),
            (self.test, self.test_requested.emit),
            (self.replace_key, self.edit_key),
            (self.edit, self.edit_all),
            (self.file, self.file_requested.emit),
            (self.remove, self.remove_requested.emit),
        ):
            button.clicked.connect(partial(self._act, wish))
        self.name, self.address, self.key = self._fields = tuple(CardField(self) for _ in range(3))
        self.name.setPlaceholderText(self.tr("Name (optional)"))
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.save = button_in(self, self.tr("Save key"), self._enter, kind="primary")
        for field_ in self._fields:
            field_.setMinimumWidth(1)
            field_.textChanged.connect(self._edited)
            field_.returnPressed.connect(self._enter)
            field_.escaped.connect(self.close_key)
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
        fill(words, self.name, self.address, in_row((self.key, 1), self.save, spacing=GRID), self.result, self.problem)
        in_row(
            (self._mark, 0, Qt.AlignmentFlag.AlignTop),
            (words, 1),
            of=self,
            spacing=2 * GRID,
            margins=(2 * GRID, GRID + GRID // 2),
        )

    @property
    def _buttons(self) -> tuple[QPushButton, ...]:
        return self.connect_button, self.use, self.test, self.replace_key, self.edit, self.file, self.remove

    @property
    def stops(self) -> tuple[QWidget, ...]:
        """The widgets that Tab leads to, in order."""
        return *self._buttons, *self._fields, self.save

    @property
    def editing(self) -> bool:
        """Return True while the fields for name and address are open, too."""
        return not self.address.isHidden()

    def show_view(self, view: ConnectionView) -> None:
        """Show the facts known now; the field for a key and the words of a test stay as they are."""
        self.view = view
        self.offer_unsaved(view.unsaved or (self.unsaved and bool(self.key.text())))
        self.title.setText(view.title)
        self._show_state()
        self._say(self.default, self.tr("Used for new threads") if view.default else "")
        self._say(self.note, view.note)
        _set_tone(self.note, "danger" if view.trouble else "secondary")
        words = view.connect, view.use, view.test, view.key, view.edit, view.file, view.remove
        for button, label in zip(self._buttons, words, strict=True):
            button.setText(label)
            button.setAccessibleName(f"{label}: {view.title}")
            button.setVisible(bool(label))
        self._place_key_button()
        self.name.setAccessibleName(self.tr("Name: {title}").format(title=view.title))
        self.address.setAccessibleName(self.tr("Address: {title}").format(title=view.title))
        self.key.setAccessibleName(self.tr("API key: {title}").format(title=view.title))
        self.save.setAccessibleName(f"{self.save.text()}: {view.title}")
        self.setAccessibleName(view.title)

    def _place_key_button(self) -> None:
        """Beside the open field its button would say nothing; it stays where others would move."""
        view = self.view
        others = bool(view.edit or view.file or view.remove)
        self.replace_key.setVisible(bool(view.key) and (self.key.isHidden() or others))

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
        if self.unsaved and (self.key.text() or not self.editing):
            return self.tr("Use without saving")
        return self.tr("Save") if self.editing else self.tr("Save key")

    def edit_key(self) -> None:
        """Shows the field for a key, with the keyboard in it and what was typed selected."""
        self._show_fields(self.key)

    @property
    def left_key(self) -> LeftKey | None:
        """The key that stands in the field, with what is said of it; None where there is none."""
        if self.key.isHidden() or not self.key.text().strip():
            return None
        return LeftKey(self.key.text().strip(), self.problem.text(), self.save.text() if self.warned else "")

    def take_left(self, left: LeftKey | None) -> None:
        """Shows a key that was left, once, where no other is typed; None: it is used now. The keyboard stays."""
        before, self._left = self._left, left
        if left is None and before is not None:
            self.key.clear()
            self.close_key()
        elif left is not None and left is not before and self.left_key is None:
            self.key.setText(left.key)
            self._show_fields(self.key, focus=False)
            self.show_problem(left.words, button=left.button)

    def edit_all(self) -> None:
        """Shows the fields for name, address and key; an empty one for the key leaves that as it is."""
        if not self.editing:
            self.name.setText(self.view.title)
            self.address.setText(self.view.id[1])
        self._show_fields(*self._fields)

    def _show_fields(self, *fields: QLineEdit, focus: bool = True) -> None:
        for each in self._fields:
            each.setVisible(each in fields)
        self.key.setPlaceholderText(self.tr("New key (optional)") if self.editing else self.tr("Paste your key"))
        self.save.show()
        self.offer_unsaved(self.unsaved)
        self.save.setEnabled(self._is_entered)
        if focus:
            fields[0].setFocus()
            fields[0].selectAll()
        self._place_key_button()

    def close_key(self) -> None:
        """Hides the fields; the keyboard goes back to the button that showed them."""
        had, button = self._has_keyboard, self.edit if self.editing else self.replace_key
        for each in self._fields:
            each.hide()
        self.save.hide()
        self._place_key_button()
        self.show_problem("")
        if had and button.isVisible():
            button.setFocus()

    @property
    def _has_keyboard(self) -> bool:
        return any(each.hasFocus() for each in (*self._fields, self.save))

    @property
    def _is_entered(self) -> bool:
        return bool((self.address if self.editing else self.key).text().strip())

    def show_busy(self, words: str) -> None:
        """Show the action under way on the connection; empty: none. Meanwhile no other key can be typed."""
        self._busy = bool(words)
        for each in self._fields:
            each.setReadOnly(self._busy)
        for button in (*self._buttons, self.save):
            button.setEnabled(not words or button.hasFocus())  # a button that is disabled loses the keyboard
        if words:
            self.show_problem("")
            self._say(self.result, words)
        else:
            self._say(self.result, "")
            self.save.setEnabled(self._is_entered)

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
        if self._busy or not self._is_entered:
            return
        if self.save.hasFocus():
            self.key.setFocus()  # the button can't keep the keyboard while the key is tested
        key = self.key.text().strip()
        if self.editing:
            self.edited.emit(ServerEntry(self.address.text().strip(), key, self.name.text().strip()))
        else:
            self.key_entered.emit(key)

    def _edited(self) -> None:
        self.show_problem("")
        self.save.setEnabled(self._is_entered and not self._busy)

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


class CardField(QLineEdit):
    """A field whose Esc closes the fields of its card alone, not the page around it."""

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
    edited = Signal(object, object)  # Entry
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

    def show_connections(
        self,
        ready: Sequence[ConnectionView],
        further: Sequence[ConnectionView],
        left_keys: Mapping[ConnectionId, LeftKey] | None = None,
    ) -> None:
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
                row.take_left((left_keys or {}).get(view.id))
        for row in kept.values():
            if (focused := QApplication.focusWidget()) is not None and row.isAncestorOf(focused):
                self.back.setFocus()
            self._ready.removeWidget(row)
            self._further.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._order_tabs()

    def row(self, connection: ConnectionId) -> ConnectionRow | None:
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
        row.edited.connect(lambda entry: self.edited.emit(name, entry))
        row.remove_requested.connect(lambda: self.remove_requested.emit(name))
        row.file_requested.connect(lambda: self.file_requested.emit(name))
        return row

    def _order_tabs(self) -> None:
        """Tab goes down the page, though its rows came at different times."""
        form = self.server
        parts = [self.back, self.tools, *(part for row in self.rows for part in row.stops)]
        parts += [form.service, form.address, form.key, form.name]
        parts += [form.test, form.model, form.model_name, form.use, form.unlock]
        for before, after in pairwise(parts):
            QWidget.setTabOrder(before, after)
