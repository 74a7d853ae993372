"""The form for a server by its address: service, address, key, free test, model. Asks no server itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QSizePolicy, QWidget

from desktop_app.ui.i18n.language import grouped
from desktop_app.ui.models.model_choice import ModelChoice
from desktop_app.ui.theme.theme import GRID, Theme, set_icon
from desktop_app.ui.widgets.floating import Menu
from desktop_app.ui.widgets.parts import Stretch, button_in, in_column, in_row, label_in

if TYPE_CHECKING:  # imported with the first click
    from desktop_app.ui.models.model_menu import ModelMenu

NAME_SHOWN = 34
"""Characters of a model's name that its button shows; the rest is in the tooltip."""


@dataclass(frozen=True, slots=True)
class ServiceOffer:
    """One service to choose. `address` "": the user types it. `needs_key`: nothing works there without one."""

    name: str
    address: str
    needs_key: bool
    here: bool


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """The content of the form: an address and a key, both without spaces around them."""

    address: str
    key: str = field(repr=False)


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
        self._services: Sequence[ServiceOffer] = ()
        self._service: ServiceOffer | None = None
        self._models: Sequence[ModelChoice] = ()
        self._model = ""
        self._menu: ModelMenu | None = None
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
        for part in (self.service, self.address, self.key, self.model, self.model_name):
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
            self.keyring,
            self.warning,
            trying,
            in_row(self.model, (self.model_name, 1), self.use, Stretch(0), spacing=GRID),
            in_row(self.unlock, Stretch(0)),
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
        """The content of the fields; a key only where its field is shown."""
        key = self.key.text().strip() if not self.key.isHidden() else ""
        return ServerEntry(self.address.text().strip(), key)

    @property
    def services(self) -> Sequence[ServiceOffer]:
        """The services to choose from."""
        return self._services

    @property
    def menu_shown(self) -> ModelMenu | None:
        """The open list of models."""
        return self._menu

    @property
    def chosen_model(self) -> str:
        """The id of the model that `Use` would take."""
        return self.model_name.text().strip() if not self.model_name.isHidden() else self._model

    def set_services(self, services: Sequence[ServiceOffer], address: str, *, own: bool = False) -> None:
        """The services to choose from. `address`: what is set now; fields that were touched stay as they are.

        `own`: a server of an address that is still to be typed.
        """
        first = not self._services
        self._services = tuple(services)
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
        self.keyring.setVisible(bool(self.keyring.text()) and wanted and not self.key.isHidden())
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
        words = self.tr("Works: 1 model") if len(models) == 1 else self.tr("Works: {count} models")
        self._say(words.format(count=grouped(len(models))), "secondary")
        self._take_model("", model)
        self.model.show()
        self.use.show()
        self.use.setEnabled(True)
        self.use.setFocus()

    def show_problem(self, words: str, *, wants_key: bool = False, may_name_model: bool = False) -> None:
        """Why the server can't be used as it stands there, and what to do.

        `wants_key`: the field for one is shown. `may_name_model`: it may answer all the same, to a model named by hand.
        """
        self._forget_test()
        self._say(words, "danger")
        if wants_key:
            self.key.show()
            self._place_keyring()
            self.key.setFocus()
            self.key.selectAll()
        self.model_name.setVisible(may_name_model)
        self.use.setVisible(may_name_model)
        self.use.setEnabled(may_name_model and bool(self.model_name.text().strip()))

    def show_not_used(self, words: str) -> None:
        """Why the server is not used; what was chosen for it stays, and can be used once more."""
        self._say(words, "danger")

    def clear_key(self) -> None:
        """The key is stored; nobody needs it here any more."""
        self.key.clear()
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
        for service in self._services:
            action = menu.addAction(service.name if service.address else self.tr("Another address"))
            action.setCheckable(True)
            action.setChecked(service is self._service)
            action.triggered.connect(partial(self.choose_service, service.name))
            group.addAction(action)
        menu.open_at(self.service)

    def choose_service(self, name: str) -> None:
        """Takes a service by its name, as a click in the menu does."""
        if (service := next(one for one in self._services if one.name == name)) is not self._service:
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
        if self._services:
            address = self.address.text().strip().rstrip("/")
            at = next((one for one in self._services if one.address.rstrip("/") == address), self._services[-1])
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
        self.key.setVisible(not service.here or bool(self.key.text()))
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
        from desktop_app.ui.models.model_menu import ModelMenu

        chosen = next((one.key for one in self._models if one.model == self._model), None)
        menu = self._menu = ModelMenu(self._theme, chosen, self, connections=False)
        menu.hidden.connect(self._forget_menu)
        menu.chosen.connect(self._take_model)
        menu.show_choices(self._models)
        menu.open_at(self.model)

    def _forget_menu(self) -> None:
        if self._menu is not None:
            self._menu.deleteLater()
            self._menu = None

    def _take_model(self, _backend: str, model: str) -> None:
        self._model = model
        name = next((one.model_name for one in self._models if one.model == model), model)
        self.model.setText(elided_middle(name, NAME_SHOWN))
        self.model.setToolTip(name)
        self.model.setAccessibleName(self.tr("Model: {name}").format(name=name))


def elided_middle(words: str, most: int) -> str:
    """At most so many characters: names of models differ at their ends."""
    if len(words) <= most:
        return words
    half = (most - 1) // 2
    return f"{words[: most - 1 - half]}…{words[-half:]}"
