"""The pages of the user guide and of the version, licenses and findings of `doctor`."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from functools import partial
from typing import Final

from PySide6.QtCore import QLocale, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPixmap
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from desktop_app import __version__
from desktop_app.core.messages import Message, TextPart
from desktop_app.resources import resource, user_guide
from desktop_app.ui.i18n.language import translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.services import CheckedPart, InstallationReport
from desktop_app.ui.theme.theme import GRID, Theme, motion
from desktop_app.ui.transcript.view import TranscriptView
from desktop_app.ui.widgets.floating import Menu
from desktop_app.ui.widgets.live_page import LivePage
from desktop_app.ui.widgets.parts import Stretch, button_in, fill, frame_in, in_column, in_row, label_in, single_shot

LOWEST = 30 * GRID
_TITLE = re.compile(r"\A# User guide\n+")
_PICTURE = re.compile(r"^!\[[^\]]*\]\([^)]*\)\n?", re.MULTILINE)
_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_NEIGHBOUR = re.compile(r"\[([^\[\]]+)\]\((?!https?:)[^)]*\)")


class GuidePage(LivePage):
    """The guide to read, select and copy. `link_wanted(address)`: a link was clicked."""

    link_wanted = Signal(str)

    def __init__(self, theme: Theme, app_state: AppState, parent: QWidget) -> None:
        super().__init__(theme, self.tr("User guide"), parent)
        if QLocale().language() not in (QLocale.Language.English, QLocale.Language.C):
            self.set_title(self.tr("User guide (English)"))
        self.view = TranscriptView(theme, self)
        theme.changed.connect(self._show_theme)
        self.view.setAccessibleName(self.windowTitle())
        self.view.setMinimumHeight(LOWEST)
        self.view.offers_latest = False
        self.view.row_layout.from_top = True
        self.view.row_actions.link_activated.connect(self.link_wanted)
        self.view.bars_closed.connect(self.focus_first)
        self.contents = Menu(self, self.tr("Contents"))
        self.contents_button = button_in(self.top, self.tr("Contents"), self._show_contents)
        fill(self.header_row, self.contents_button)
        # it has the column and the scroll bar of the transcript itself
        self.scroller.hide()
        self.whole.addWidget(self.view, 1)
        app_state.look(self.read_again())

    async def read_again(self) -> None:
        try:
            text = await asyncio.to_thread(lambda: user_guide().read_text("utf-8"))
        except OSError:
            text = self.tr("The user guide is missing. Install Plimsoll again.")
        if not self.ended:
            self.show_guide(text)

    def _show_theme(self) -> None:
        self.view.set_theme(self.theme)

    def show_guide(self, markdown: str) -> None:
        """Shows the guide without its title, which the page has, and its pictures; links beside it are plain words."""
        text = _NEIGHBOUR.sub(r"\1", _PICTURE.sub("", _TITLE.sub("", markdown)))
        guide = Message("guide", "guide", None, "assistant", (TextPart(text),), "")
        self.view.show_path((guide,), total=1)
        self.view.navigation.scroll_to_message(guide.id)
        self.contents.clear()
        find = self.contents.addAction(self.tr("Find in the guide"), self._find)
        find.setShortcut(QKeySequence.StandardKey.Find)
        find.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)  # told here; on the page keyPressEvent hears it
        self.contents.addSeparator()
        for place, title in enumerate(_SECTION.findall(text)):
            self.contents.addAction(title.replace("&", "&&"), partial(self._go_to_section, place))

    def _show_contents(self) -> None:
        button = self.contents_button
        left = button.width() - self.contents.sizeHint().width()  # within the window: the button stands at its end
        self.contents.popup(button.mapToGlobal(QPoint(left, button.height())))

    def _find(self) -> None:
        self.view.bars.open_find()
        field = self.view.find_in_thread.bar.field
        field.setPlaceholderText(self.tr("Find in the guide"))
        field.setToolTip(field.placeholderText())
        field.setAccessibleName(field.placeholderText())

    def _go_to_section(self, place: int) -> None:
        layout = self.view.row_layout.message_layout(0)
        layout.open_all()
        rows = [row for row in layout.rows if row.leaf is not None and row.leaf.level == 2]
        layout.lay_out(rows[place])
        self.view.row_layout.place_row(0, rows[place], GRID)
        self.view.refresh()
        self.view.start_rest()
        self.focus_first()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Find):
            self._find()
        else:
            super().keyPressEvent(event)

    def focus_first(self) -> None:
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)


MARK: Final = 64
BACKEND: Final = "backend "
"""The names of the checks of backends begin so."""


class AboutPage(LivePage):
    """The page whose text can be selected; `copy` takes version and diagnosis as text."""

    def __init__(self, theme: Theme, app_state: AppState, parent: QWidget) -> None:
        super().__init__(theme, self.tr("About Plimsoll"), parent)
        self._app_state = app_state
        self._version = self._report = ""
        self.version = label_in(self.column)
        self.summary = self.small(self.tr("Checking this installation"))
        self.copy = button_in(self.column, self.tr("Copy diagnosis"), self._copy)
        self.copy.setEnabled(False)
        self.licenses = self.small()
        for label in (self.version, self.licenses):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.checks = frame_in(self.column, "field")
        self.checks.hide()
        self._rows = QGridLayout(self.checks)
        self._rows.setContentsMargins(2 * GRID, GRID + GRID // 2, 2 * GRID, GRID + GRID // 2)
        self._rows.setHorizontalSpacing(2 * GRID)
        self._rows.setVerticalSpacing(GRID // 4)
        self._rows.setColumnStretch(0, 1)
        self._lay_out()
        self._said = single_shot(self, lambda: self.copy.setText(self.tr("Copy diagnosis")), motion("said"))
        app_state.look(self.read_again())

    async def read_again(self) -> None:
        def listed() -> dict[str, str]:
            return dict(json.loads(resource("third-party.json").read_text("utf-8")))

        self.show_version(__version__, await asyncio.to_thread(listed))
        services = await self._app_state.services()
        found = await services.diagnose()
        if not self.ended:
            self.show_diagnosis(found)

    def _lay_out(self) -> None:
        mark = QLabel(self.column)
        scale = self.devicePixelRatioF()
        drawing = QPixmap(str(resource("icons", "plimsoll-128.png"))).scaledToWidth(
            round(MARK * scale), Qt.TransformationMode.SmoothTransformation
        )
        drawing.setDevicePixelRatio(scale)
        mark.setPixmap(drawing)
        words = in_column(
            self.subheading("Plimsoll"),
            self.version,
            self.small(self.tr("MIT License. Copyright 2026 The Plimsoll authors.")),
            spacing=GRID // 2,
        )
        fill(
            self.inside,
            in_row((mark, 0, Qt.AlignmentFlag.AlignTop), (words, 1), spacing=2 * GRID),
            2 * GRID,
            in_row((self.subheading(self.tr("Diagnosis")), 1), self.copy),
            self.summary,
            self.checks,
            2 * GRID,
            self.subheading(self.tr("Third-party licenses")),
            self.licenses,
            Stretch(),
        )

    def focus_first(self) -> None:
        (self.copy if self.copy.isEnabled() else self.back).setFocus(Qt.FocusReason.OtherFocusReason)

    def show_version(self, version: str, licenses: Mapping[str, str]) -> None:
        """Show the version, and the parts made by others, each with its license."""
        self._version = version
        self.version.setText(self.tr("Version {version}").format(version=version))
        self.licenses.setText("\n".join(f"{name}: {words}" for name, words in licenses.items()))

    def show_diagnosis(self, found: InstallationReport) -> None:
        """Show the things that work here and those that do not, one row each; it can be copied from now on."""
        self._report = found.report
        self.summary.setText(self.tr("No problems found") if found.usable else self.tr("Problems found"))
        for number, check in enumerate(found.checks):
            self._add(3 * number, check)
        self.checks.show()
        self.copy.setEnabled(True)

    def _add(self, row: int, check: CheckedPart) -> None:
        of_backend = check.name.startswith(BACKEND)
        name = QLabel(self._name(check.name), self.checks)
        state = self.small(self._state(check, of_backend=of_backend))
        if not check.ok and not of_backend:
            state.setProperty("tone", "danger")
        detail = self.small(translated(check.detail))
        detail.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        for label in (name, detail):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setMinimumWidth(1)  # a long path shall not widen the page
        if row:
            self._rows.setRowMinimumHeight(row - 1, GRID)
        self._rows.addWidget(name, row, 0)
        self._rows.addWidget(state, row, 1, Qt.AlignmentFlag.AlignRight)
        self._rows.addWidget(detail, row + 1, 0, 1, 2)

    def _state(self, check: CheckedPart, *, of_backend: bool) -> str:
        if check.ok:
            return self.tr("OK")
        return self.tr("Not set up") if of_backend else self.tr("Problem")

    def _name(self, name: str) -> str:
        names = {
            "python": "Python",
            "data folder": self.tr("Data folder"),
            "history": self.tr("History"),
            "settings": self.tr("Settings"),
            "keyring": self.tr("Keyring"),
            "resources": self.tr("Fonts and themes"),
            "backend anthropic": self.tr("Anthropic API"),
            "backend claude-cli": "Claude Code",
            "backend openai": self.tr("OpenAI-compatible server"),
            "backend local": self.tr("Local model"),
        }
        return names.get(name, name)

    def _copy(self) -> None:
        title = self.tr("Plimsoll {version}").format(version=self._version)
        QGuiApplication.clipboard().setText("\n".join((title, self._report, "")))
        self.copy.setText(self.tr("Copied"))
        self._said.start()
