"""The pages that write threads to files and bring them in, and their flows: choices, progress, the report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QDesktopServices,
    QDragEnterEvent,
    QDropEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from desktop_app.controller.formats import ENDINGS, ExportFormat
from desktop_app.controller.thread_export import file_stem
from desktop_app.ui.i18n.language import grouped, title_of, tr
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.transfer.running_transfer import RunningTransfer
from desktop_app.ui.transfer.transfer_state import ExportScope, ExportWish, Kind, TransferState
from desktop_app.ui.transfer.transfer_work import found_words
from desktop_app.ui.widgets.dragging import local_paths
from desktop_app.ui.widgets.fitting import FlowRow
from desktop_app.ui.widgets.floating import asked_file_to_write, asked_files, asked_folder
from desktop_app.ui.widgets.page import PageFrame, Switch
from desktop_app.ui.widgets.parts import (
    Stretch,
    button_in,
    fill,
    frame_in,
    in_column,
    in_row,
    keep_height_for_width,
    label_in,
    say_in,
    set_look,
)

MOST_DETAILS = 100
"""Lines of a report; an archive of years may have thousands of reasons."""


class TransferProgress(QWidget):
    """A line of words, a bar with Cancel while it runs, and afterwards the report, with the folder to be shown."""

    cancel_wanted = Signal()
    folder_wanted = Signal(object)  # Path
    ended_under_keyboard = Signal()  # the button that had the keyboard is gone

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.words = label_in(self, wrap=True)
        self.bar = QProgressBar(self, textVisible=False)
        self.bar.setAccessibleName(self.tr("Progress"))
        self.cancel = button_in(self, self.tr("Cancel"), self.cancel_wanted, kind="quiet")
        self.details = label_in(self, tone="secondary", wrap=True)
        self.details.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.show_folder = button_in(self, self.tr("Show in folder"), lambda: self.folder_wanted.emit(self._folder))
        self._folder: Path | None = None
        in_column(
            self.words,
            in_row((self.bar, 1), self.cancel, spacing=2 * GRID),
            self.details,
            (self.show_folder, 0, Qt.AlignmentFlag.AlignLeft),
            of=self,
            spacing=GRID,
            margins=(0, GRID),
        )
        theme.set_font("small", self.details)
        self.hide()

    def show_state(self, state: TransferState | None) -> None:
        """Shows how far it is, or how it ended; None: nothing was begun."""
        self.setVisible(state is not None)
        if state is None:
            return
        running = state.phase == "running"
        had_focus = self.window().focusWidget() is self.cancel
        self.bar.setVisible(running)
        self.cancel.setVisible(running)
        self.bar.setRange(0, state.total or 1)
        self.bar.setValue(state.done if state.total else 0)
        changed = self.words.text() != state.words
        self.words.setText(state.words)
        tone = "danger" if state.phase == "failed" else ""
        if self.words.property("tone") != tone:
            set_look(self.words, "tone", tone)
        lines = list(state.details[:MOST_DETAILS])
        if len(state.details) > MOST_DETAILS:
            lines.append(self.tr("and {count} more").format(count=grouped(len(state.details) - MOST_DETAILS)))
        self.details.setText("\n".join(lines))
        self.details.setVisible(bool(lines))
        self._folder = state.folder
        self.show_folder.setVisible(state.folder is not None)
        if changed and not running:
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, state.words))
            if had_focus:
                self.ended_under_keyboard.emit()


INDENT = 3 * GRID + 3
"""Of the line below a format, in pixels: it stands below the words beside the button."""


class ChoiceButton(QRadioButton):
    """One of several choices. Where there is no room its words are elided, and its tooltip has them whole."""

    def __init__(self, words: str, parent: QWidget) -> None:
        super().__init__(words.replace("&", "&&"), parent)
        self.setAccessibleName(words)
        self.setMinimumWidth(1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._elide()

    def sizeHint(self) -> QSize:
        """As wide as all words, also while they are elided."""
        shown = self.fontMetrics().horizontalAdvance(self.text())
        whole = self.fontMetrics().horizontalAdvance(self.accessibleName())
        return super().sizeHint() + QSize(max(0, whole - shown), 0)

    def _elide(self) -> None:
        name, metrics = self.accessibleName(), self.fontMetrics()
        room = self.width() - (self.sizeHint().width() - metrics.horizontalAdvance(name))
        words = metrics.elidedText(name, Qt.TextElideMode.ElideRight, max(0, room))
        if words.replace("&", "&&") != self.text():
            self.setText(words.replace("&", "&&"))
            self.setToolTip("" if words == name else name)


class ExportPage(PageFrame):
    """`export_wanted(ExportWish)`: where to is asked next."""

    export_wanted = Signal(object)

    def __init__(self, theme: Theme, scopes: Sequence[ExportScope], parent: QWidget, *, private: bool = False) -> None:
        """`scopes`: at least one; the first is chosen, unless the open thread is `private`: who meant it chooses."""
        super().__init__(theme, self.tr("Export"), parent)
        self.scopes = tuple(scopes)
        self._lines: list[QLabel] = []
        formats: tuple[tuple[ExportFormat, str, str], ...] = (
            ("markdown", self.tr("Markdown"), self.tr("Plain text for editors and note apps")),
            ("html", self.tr("HTML"), self.tr("A web page that looks like this window")),
            ("pdf", self.tr("PDF"), self.tr("Pages to print or send")),
            ("json", self.tr("JSON"), self.tr("Everything, with all branches, to import again")),
        )
        self._formats = tuple(kind for kind, _, _ in formats)
        self.inside.addWidget(self.subheading(self.tr("Threads")))
        if private:
            words = self.tr("This thread is private and can't be exported. Select all in it, then copy as Markdown.")
            self.inside.addWidget(self.small(words))
        whole = self.tr("One zip to restore on another computer: also projects, documents and settings, but no keys")
        self.scope_buttons = self._choices(
            self.inside, [(scope.words, whole if scope.everything else "") for scope in scopes], chosen=not private
        )
        self._format_part = QWidget(self.column)
        part = in_column(
            self.subheading(self.tr("Format")), of=self._format_part, spacing=self.inside.spacing(), margins=(0, GRID)
        )
        self.format_buttons = self._choices(part, [(name, words) for _, name, words in formats])
        self.inside.addWidget(self._format_part)
        self.details, self._details_row = self._switch(self.tr("Thinking and tool results"), on=False)
        self._details_chosen = self._running = False
        self.details.clicked.connect(self._choose_details)
        self.attached, self._attached_row = self._switch(self.tr("Text of attached documents"), on=False)
        self.one_file, self._one_file_row = self._switch(self.tr("All in one file"), on=False)
        self.button = button_in(
            self.column, self.tr("Export…"), lambda: self.export_wanted.emit(self.wish()), kind="primary"
        )
        row = in_row(self.button, Stretch())
        self.progress = TransferProgress(theme, self.column)
        self.cancel_wanted = self.progress.cancel_wanted
        self.folder_wanted = self.progress.folder_wanted
        self.progress.ended_under_keyboard.connect(self.focus_first)
        fill(self.inside, GRID, row, self.progress, Stretch())
        for button in (*self.scope_buttons, *self.format_buttons):
            button.toggled.connect(self._show_options)
        self._show_options()
        theme.follow(self._indent_lines)

    def _indent_lines(self) -> None:
        for line in self._lines:
            line.setContentsMargins(self.theme.pixels(INDENT), 0, 0, 0)

    def focus_first(self) -> None:
        waits = self.progress.cancel if self._running else self.scope_buttons[0]
        first = self.button if self.button.isEnabled() else waits
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_state(self, state: TransferState | None) -> None:
        """Show how far an export is, or how the last one ended."""
        self._running = state is not None and state.phase == "running"
        self._show_options()
        self.progress.show_state(state)

    def wish(self) -> ExportWish:
        chosen = (one for one, button in zip(self.scopes, self.scope_buttons, strict=True) if button.isChecked())
        scope = next(chosen, self.scopes[0])
        kind = next(one for one, button in zip(self._formats, self.format_buttons, strict=True) if button.isChecked())
        return ExportWish(
            scope, kind, self.details.isChecked(), self.attached.isChecked(), one_file=self.one_file.isChecked()
        )

    def _choose_details(self) -> None:
        self._details_chosen = True

    def _show_options(self) -> None:
        """Only what has a say for what is chosen."""
        wish = self.wish()
        self.button.setEnabled(not self._running and any(button.isChecked() for button in self.scope_buttons))
        if not self._details_chosen:
            self.details.setChecked(wish.kind == "html")  # as in `details_by_default`: a page folds them
        to_read = wish.kind != "json" and not wish.scope.everything
        for row, wanted in (
            (self._format_part, not wish.scope.everything),
            (self._details_row, to_read),
            (self._attached_row, to_read),
            (self._one_file_row, to_read and wish.scope.several),
        ):
            row.setVisible(wanted)

    def _choices(
        self, into: QVBoxLayout, choices: Sequence[tuple[str, str]], *, chosen: bool = True
    ) -> list[ChoiceButton]:
        """Buttons of which one is chosen, each with a line below where there is one."""
        group, buttons = QButtonGroup(self), []
        for number, (name, words) in enumerate(choices):
            button = ChoiceButton(name, self.column)
            button.setChecked(chosen and number == 0)
            group.addButton(button)
            pair = in_column(button, spacing=0)
            if words:
                line = self.small(words)
                self._lines.append(line)
                button.setAccessibleDescription(words)
                pair.addWidget(line)
            into.addLayout(pair)
            buttons.append(button)
        return buttons

    def _switch(self, words: str, *, on: bool) -> tuple[Switch, QWidget]:
        """A switch with its words beside it, and the row that holds both."""
        row = QWidget(self.column)
        switch = Switch(self.theme, row)
        switch.setChecked(on)
        switch.setAccessibleName(words)
        label = label_in(row, words, wrap=True)
        in_row((label, 1), switch, of=row, spacing=GRID, margins=0)
        self.inside.addWidget(row)
        return switch, row


class ImportPage(PageFrame):
    """Wishes: files or a folder to be chosen, what was looked at imported or not, what was dropped attached."""

    files_wanted = Signal()
    folder_wanted = Signal()
    found_wanted = Signal()
    accepted = Signal(bool)  # with the settings
    declined = Signal()
    attach_wanted = Signal(object)  # tuple[Path, ...]
    dropped = Signal(object)  # tuple[Path, ...]

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, self.tr("Import"), parent)
        self.setAcceptDrops(True)
        self._offered: tuple[Path, ...] = ()
        lead = self.tr(
            "Choose a ChatGPT or Claude export (zip, folder or file), Claude Code sessions, llm's logs.db or a "
            "Plimsoll export. You'll see what's in it first, and nothing is added twice."
        )
        self.inside.addWidget(self.small(lead))
        self.found = self._button("", "")
        self.files = self._button(self.tr("Choose files…"), "")
        self.folder = self._button(self.tr("Choose a folder…"), "quiet")
        self.progress = TransferProgress(theme, self.column)
        self.settings = _SettingsLine(theme, self.column)
        self.accept = self._button("", "primary")
        self.attach = self._button(self.tr("Attach to the message"), "quiet")
        self.decline = self._button(self.tr("Cancel"), "quiet")
        self.cancel_wanted = self.progress.cancel_wanted
        self.progress.ended_under_keyboard.connect(self.focus_first)
        self.place = frame_in(self.column, "field")
        buttons = FlowRow(self.files, self.folder, self.found, across=GRID, down=GRID)
        in_column(self.small(self.tr("Drop files here")), buttons, of=self.place, spacing=GRID, margins=2 * GRID)
        keep_height_for_width(self.place)
        fill(
            self.inside,
            GRID,
            self.place,
            self.progress,
            self.settings,
            FlowRow(self.accept, self.attach, self.decline, across=GRID, down=GRID),
            Stretch(),
        )
        self.accept.clicked.connect(self._accept)
        self.attach.clicked.connect(self._attach)
        self.decline.clicked.connect(self._decline)
        self.files.clicked.connect(self.files_wanted)
        self.folder.clicked.connect(self.folder_wanted)
        self.found.clicked.connect(self.found_wanted)
        self.show_found("")
        self.show_state(None)

    def focus_first(self) -> None:
        parts = (self.accept, self.files, self.progress.cancel)
        first = next((part for part in parts if part.isEnabled() and not part.isHidden()), self.files)
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self.files.isEnabled() and local_paths(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.dropped.emit(local_paths(event.mimeData()))

    def offer_files(self, paths: Sequence[Path]) -> None:
        """Files that were dropped can be attached instead; none: nothing was."""
        self._offered = tuple(paths)
        self.attach.setVisible(bool(paths))

    def show_found(self, words: str) -> None:
        """Offers the chats that another program keeps on this computer; "": there are none."""
        say_in(self.found, words)

    def show_state(self, state: TransferState | None) -> None:
        """Show what would be imported, how far an import is, or how the last one ended."""
        running = state is not None and state.phase == "running"
        ready = state is not None and state.phase == "ready"
        focused = self.window().focusWidget()  # also while a file dialog is in front
        held = focused is not None and self.isAncestorOf(focused)
        for button in (self.files, self.folder, self.found):
            button.setEnabled(not running)
        if state is not None and ready:
            self.accept.setText(state.button)
        self.accept.setVisible(ready)
        self.decline.setVisible(ready)
        self.attach.setVisible(bool(self._offered) and not running)
        self.progress.show_state(state)
        self.settings.show_settings(state if ready else None)
        if held and (focused is None or not focused.isEnabled() or focused.isHidden() or ready):
            self.focus_first()

    def _accept(self) -> None:
        self.offer_files(())
        self.accepted.emit(self.settings.switch.isChecked())

    def _decline(self) -> None:
        self.offer_files(())
        self.declined.emit()

    def _attach(self) -> None:
        paths = self._offered
        self._decline()
        self.attach_wanted.emit(paths)

    def _button(self, words: str, kind: str) -> QPushButton:
        button = QPushButton(words, self.column)
        if kind:
            button.setProperty("kind", kind)
        return button


class _SettingsLine(QWidget):
    """One switch for the settings of an archive; what they are unfolds."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._lines: tuple[str, ...] = ()
        self.words = QLabel(self)
        self.switch = Switch(theme, self)
        self.unfold = button_in(self, "", lambda: self._show_list(self.shown.isHidden()), kind="quiet")
        self.shown = label_in(self, tone="secondary", wrap=True)
        theme.set_font("small", self.shown)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        for part in (self.switch, self.words, self.unfold):
            row.addWidget(part)
        row.addStretch(1)
        in_column(row, self.shown, of=self, margins=0)
        self.hide()

    def show_settings(self, state: TransferState | None) -> None:
        """Show the settings that would come; None: nothing waits to be imported."""
        lines = () if state is None else state.settings
        if state is not None and lines != self._lines:
            words = self.tr("Settings ({count})").format(count=grouped(state.taken))
            self.words.setText(words)
            self.switch.setAccessibleName(words)
            self.switch.setChecked(state.taken > 0)
            self.switch.setEnabled(state.taken > 0)
            self.shown.setText("\n".join(lines))
            self._show_list(False)
        self._lines = lines
        self.setVisible(bool(lines))

    def _show_list(self, shown: bool) -> None:
        self.shown.setVisible(shown)
        self.unfold.setText(self.tr("Hide") if shown else self.tr("Show"))
        self.unfold.setAccessibleName(f"{self.unfold.text()}: {self.words.text()}")


TITLE_SHOWN = 40
"""Characters of a title in a choice."""


def scopes(app_state: AppState, ids: Sequence[str]) -> list[ExportScope]:
    """Return the scopes of an export: chosen threads, the open one, all, and all there is. Private ones stay here."""
    found = []
    current = app_state.current
    if len(ids) > 1:
        found.append(ExportScope(tr("{count} selected threads").format(count=grouped(len(ids))), tuple(ids)))
    elif ids and (current is None or current.id != ids[0]):
        found.append(ExportScope(tr("The selected thread"), tuple(ids), "thread"))
    if current is not None and not current.private and (len(ids) != 1 or current.id == ids[0]):
        whole = title_of(current)
        title = whole if len(whole) <= TITLE_SHOWN else whole[:TITLE_SHOWN].rstrip() + "…"
        found.append(ExportScope(tr("This thread: {title}").format(title=title), (current.id,), whole))
    everything = ExportScope(tr("Everything"), None, "everything", everything=True)
    return [*found, ExportScope(tr("All threads"), None), everything]


class _Watching(QObject):
    """Keeps a page true to what is running, of its kind."""

    def __init__(self, transfers: RunningTransfer, page: ImportPage | ExportPage, kind: Kind, parent: QObject) -> None:
        super().__init__(parent)
        self._transfers, self._shown, self._kind = transfers, page, kind
        transfers.forget()
        transfers.watched = True
        transfers.changed.connect(self._show)
        self._show()

    def end(self) -> None:
        """The page is left; what is running goes on."""
        self._transfers.watched = False
        self._transfers.changed.disconnect(self._show)

    def _show(self) -> None:
        state = self._transfers.state
        self._shown.show_state(state if state is not None and state.kind == self._kind else None)


class ImportPresenter(QObject):
    """`attach_wanted(paths)`: what was dropped is to be attached after all."""

    attach_wanted = Signal(object)

    def __init__(self, app_state: AppState, page: ImportPage, transfers: RunningTransfer, parent: QObject) -> None:
        super().__init__(parent)
        self._app_state, self.page, self._transfers = app_state, page, transfers
        self._watching = _Watching(transfers, page, "import", self)
        page.files_wanted.connect(lambda: app_state.start(self._choose("files")))
        page.folder_wanted.connect(lambda: app_state.start(self._choose("folder")))
        page.found_wanted.connect(transfers.import_found)
        page.dropped.connect(self._take)
        page.accepted.connect(transfers.accept)
        page.declined.connect(transfers.decline)
        page.attach_wanted.connect(self.attach_wanted)
        page.cancel_wanted.connect(transfers.cancel)
        transfers.chats_found.connect(page.show_found)
        page.show_found(found_words(transfers.found))
        transfers.look_for_chats()

    def end(self) -> None:
        self._watching.end()
        self._transfers.chats_found.disconnect(self.page.show_found)

    def offer(self, paths: Sequence[Path]) -> None:
        """Shows what is in files that were dropped; they can be attached all the same."""
        self.page.offer_files(paths)
        self._transfers.preview(paths)

    async def _choose(self, what: Literal["files", "folder"]) -> None:
        title = self.tr("Import")
        if what == "files":
            paths = await asked_files(self.page, title)
        else:
            folder = await asked_folder(self.page, title)
            paths = () if folder is None else (folder,)
        if paths:
            self._take(paths)

    def _take(self, paths: Sequence[Path]) -> None:
        self.page.offer_files(())
        self._transfers.preview(paths)


class ExportPresenter(QObject):
    def __init__(self, app_state: AppState, page: ExportPage, transfers: RunningTransfer, parent: QObject) -> None:
        super().__init__(parent)
        self._app_state, self.page, self._transfers = app_state, page, transfers
        self._watching = _Watching(transfers, page, "export", self)
        page.export_wanted.connect(lambda wish: app_state.start(self._export(wish)))
        page.cancel_wanted.connect(transfers.cancel)
        page.folder_wanted.connect(lambda folder: QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))))

    def end(self) -> None:
        self._watching.end()

    async def _export(self, wish: ExportWish) -> None:
        place: Path | None
        if wish.scope.everything:
            place = await asked_file_to_write(self.page, self.tr("Export"), f"{wish.scope.name}.zip")
        elif wish.kind == "json" or wish.one_file or not wish.scope.several:
            name = f"{file_stem(wish.scope.name)}{ENDINGS[wish.kind]}"
            place = await asked_file_to_write(self.page, self.tr("Export"), name)
        else:
            place = await asked_folder(self.page, self.tr("Export to folder"))
        if place is not None:
            self._transfers.export(wish, place)
