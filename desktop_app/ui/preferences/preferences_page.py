"""The page of preferences: the list of sections, search, problems of the file. Uses no file: it passes wishes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop_app.core.phrases import value_of
from desktop_app.core.settings import Settings
from desktop_app.ui.i18n.language import translated
from desktop_app.ui.preferences.setting_controls import ModelControl, PathControl, PopupButton, SpellingLanguagesControl
from desktop_app.ui.preferences.setting_list import (
    SECTION_NAMES,
    SECTIONS,
    GroupKind,
    Section,
    SettingGroup,
    found,
    groups_of,
    name_of,
    value_at,
)
from desktop_app.ui.preferences.setting_row import SPELL_LANGUAGES, SettingGroupView, SettingRow
from desktop_app.ui.theme.theme import GRID, WIDEST_COLUMN, Theme
from desktop_app.ui.widgets.page import PageFrame, rule_in
from desktop_app.ui.widgets.parts import Stretch, button_in, fill, in_column, in_row, label_in, make_clearable, say_in

if TYPE_CHECKING:
    from desktop_app.ui.spelling.speller import Dictionaries, Places


NAME = Qt.ItemDataRole.UserRole
WRONG = Qt.ItemDataRole.UserRole + 1
DOT = 3.0
"""Half the width of the dot that says that something is wrong in a section, in pixels."""
LEAST = 17 * GRID
"""Pixels of the list, however short the names."""
ROW = 4 * GRID
"""Pixels of a row at the usual text size."""


class _SectionDelegate(QStyledItemDelegate):
    """A row, with a dot at its end where something in its section is wrong."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        if not index.data(WRONG):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("danger"))
        rect = option.rect
        painter.drawEllipse(QPointF(rect.right() - GRID - DOT, rect.center().y() + 0.5), DOT, DOT)
        painter.restore()


class SectionList(QListWidget):
    """`section_chosen(name)`: by a click, or by an arrow key."""

    section_chosen = Signal(object)

    def __init__(self, theme: Theme, names: Mapping[Section, str], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._quiet = False
        self.setProperty("kind", "sections")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(self.tr("Sections"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setItemDelegate(_SectionDelegate(theme, self))
        for section, name in names.items():
            item = QListWidgetItem(name, self)
            item.setData(NAME, section)
        self.currentItemChanged.connect(self._choose)
        self.itemClicked.connect(self._choose)
        theme.follow(self._apply_theme)

    def show_section(self, section: Section | None) -> None:
        """Which one is shown; None: none alone."""
        self._quiet = True
        rows = (row for row in range(self.count()) if self.item(row).data(NAME) == section)
        if (row := next(rows, -1)) != self.currentRow() or section is None:
            self.setCurrentRow(row)
        self._quiet = False

    def mark(self, wrong: Mapping[Section, str]) -> None:
        """In which sections something is wrong, and in what words."""
        for row in range(self.count()):
            item = self.item(row)
            words = wrong.get(item.data(NAME), "")
            item.setData(WRONG, words)
            item.setToolTip(words)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{item.text()}, {words}" if words else item.text())

    def wanted_width(self) -> int:
        """Pixels that the longest name takes, with the space at its sides."""
        names = (self.item(row).text() for row in range(self.count()))
        longest = max(map(self.fontMetrics().horizontalAdvance, names))
        return max(self._theme.pixels(LEAST), longest + 2 * self._theme.pixels(GRID) + 3 * GRID)

    def wanted_size(self) -> QSize:
        """Pixels of the whole list."""
        return QSize(self.wanted_width(), self.count() * self._theme.pixels(ROW))

    def _apply_theme(self) -> None:
        for row in range(self.count()):
            self.item(row).setSizeHint(QSize(0, self._theme.pixels(ROW)))

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None and not self._quiet:
            self.section_chosen.emit(item.data(NAME))


GAP = 4 * GRID
"""Pixels between the sections and the rows."""
ROWS = 52
"""Letters (of a grid's width at least) that the rows have beside the sections, or these become a chooser above."""
LEVELS = 4
"""Layouts within layouts, from the column to what stands in a row."""


class LinkRow(QWidget):
    """A row that leads elsewhere: a name, a line about it, a button."""

    wanted = Signal()

    def __init__(
        self, section: Section, name: QLabel, about: QLabel, *, words: str, table: str, parent: QWidget
    ) -> None:
        """`table`: what it is called in settings.toml, which the search finds as well."""
        super().__init__(parent)
        self.section = section
        self._texts = (translated(SECTION_NAMES[section]), name.text(), about.text(), table)
        self.button = button_in(self, words, self.wanted, name=f"{name.text()}: {words}")
        self.button.setAccessibleDescription(about.text())
        name.setWordWrap(True)
        self._body = in_row((in_column(name, about, spacing=2), 1), self.button, spacing=2 * GRID)
        in_column(
            rule_in(self),
            self._body,
            of=self,
            spacing=GRID + GRID // 4,
            margins=(0, 0, 0, GRID + GRID // 4),
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the button beneath the words when it takes more than half of the row."""
        super().resizeEvent(event)
        beside, stacked = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        roomy = 2 * self.button.sizeHint().width() <= event.size().width()
        self._body.setDirection(beside if roomy else stacked)
        self._body.setAlignment(self.button, Qt.AlignmentFlag.AlignVCenter if roomy else Qt.AlignmentFlag.AlignRight)

    def narrow_to(self, query: str, section: Section) -> int:
        """Shows itself in its section, or where the query finds it; 1 where that is so."""
        hit = found(query, *self._texts) if query else section == self.section
        self.setVisible(hit)
        return int(hit)


@dataclass(frozen=True, slots=True)
class PreferencesView:
    """The content of the page. `titles`: the names of the connections, in order, by backend name.

    `at_start`: what counts until a restart for settings that are read at the start.
    """

    settings: Settings
    problems: tuple[str, ...]
    titles: Mapping[str, str]
    at_start: Settings


class PreferencesPage(PageFrame):
    """One section at a time, or what a search finds in all.

    Wishes: a value (dotted key; None: the default), to take a change back, to see the file.
    """

    value_chosen = Signal(str, object)
    section_chosen = Signal(str)  # is shown from now on
    undo_requested = Signal()
    redo_requested = Signal()
    restart_requested = Signal()
    models_requested = Signal(object)  # the ModelControl that shows them
    path_requested = Signal(object, str)  # the PathControl that takes it, and its setting's name

    _beside_from = 0
    """Pixels of the column from which on the sections stand beside the rows."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, "", parent)
        self.set_title(self.tr("Preferences"))
        self._view: PreferencesView | None = None
        self._wanted = ""  # the key of the row to be revealed
        self._asked_models: list[str] = []
        self._query = ""
        self._sections_of: dict[str, Section] = {}
        self._dictionaries: tuple[Dictionaries, Places] | None = None
        self.section: Section = SECTIONS[0]
        self.complete = False
        """True where all rows are there: groups are made one after the other, so that the window goes on meanwhile."""
        self.groups: dict[tuple[Section, GroupKind, str], SettingGroupView] = {}
        names = {section: translated(SECTION_NAMES[section]) for section in SECTIONS}
        self.sections = SectionList(theme, names, self)
        self.chooser = PopupButton(theme, names, self)
        self.search = QLineEdit(self, placeholderText=self.tr("Search"))
        self.search.setAccessibleName(self.tr("Search the preferences"))
        make_clearable(self.search)
        self.hits = self.small()
        self.hits.hide()
        self.problems = label_in(self.column, tone="danger", wrap=True)
        self.problems.hide()
        self.shortcuts = LinkRow(
            "general",
            QLabel(self.tr("Keyboard shortcuts"), self.column),
            self.small(self.tr("All shortcuts can be changed.")),
            words=self.tr("Change keys"),
            table="shortcuts.",
            parent=self.column,
        )
        self.sync = LinkRow(
            "sync",
            QLabel(self.tr("Other devices"), self.column),
            self.small(self.tr("Your threads on every machine you own. Nothing is synced until it is set up.")),
            words=self.tr("Open Sync"),
            table="sync",
            parent=self.column,
        )
        self.file = LinkRow(
            "advanced",
            QLabel(self.tr("Settings file"), self.column),
            self.small(self.tr("All preferences as text.")),
            words=self.tr("Open settings.toml"),
            table="settings.toml",
            parent=self.column,
        )
        self.models = QWidget(self.column)
        self.model = QLineEdit(self.models)
        self.add_model = button_in(self.models, self.tr("Add"), self._add_model)
        self.model_problem = self.small(tone="danger")
        self._list = QVBoxLayout()
        self._lay_out()
        self.choose_section(self.section)
        self.sections.section_chosen.connect(self._leave_search_for)
        self.chooser.chosen.connect(self._leave_search_for)
        self.search.textChanged.connect(self._search)
        self.model.returnPressed.connect(self._add_model)
        self.model.textEdited.connect(lambda _text: self._tell_model(""))
        self.on_keys(QKeySequence.StandardKey.Undo, self.undo_requested.emit)
        self.on_keys(QKeySequence.StandardKey.Redo, self.redo_requested.emit)
        self.on_keys(QKeySequence.StandardKey.Find, self.focus_first)
        theme.follow(self._place_sections)
        self.column.installEventFilter(self)

    def focus_first(self) -> None:
        self.search.setFocus(Qt.FocusReason.OtherFocusReason)
        self.search.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc takes the search away first."""
        if event.key() == Qt.Key.Key_Escape and self.search.text():
            self.focus_first()
            self.search.clear()
        else:
            super().keyPressEvent(event)

    @property
    def rows(self) -> dict[str, SettingRow]:
        """Every row by its dotted key."""
        return {dotted: row for group in self.groups.values() for dotted, row in group.rows.items()}

    def show_preferences(self, view: PreferencesView) -> None:
        """Shows other values; what is being written stays."""
        self._view = view
        self._show_groups(view)
        for dotted, row in self.rows.items():
            wrong = next((told for told in view.problems if value_of(told, "setting") == dotted), "")
            value = value_at(view.settings, row.setting.path)
            row.show_value(value, wrong=translated(wrong))
            row.offer_restart(value != value_at(view.at_start, row.setting.path))
        self._tell_dictionaries()
        self._narrow()
        self._settle()
        if self._wanted:
            self.reveal(self._wanted)

    def show_dictionaries(self, dictionaries: Dictionaries, places: Places) -> None:
        """Which languages the spell check has dictionaries for, and what is to be said of them."""
        self._dictionaries = (dictionaries, places)
        self._tell_dictionaries()
        self._settle()

    def show_problem(self, dotted: str, words: str) -> None:
        """Why a value could not be written; its row shows what counts."""
        if (row := self.rows.get(dotted)) is not None and self._view is not None:
            row.show_value(value_at(self._view.settings, row.setting.path), anyway=True)
            row.show_problem(words)

    def open_at(self, name: str) -> None:
        """Shows the section of that name, where there is one."""
        section = next((one for one in SECTIONS if one == name), self.section)
        self.choose_section(section)

    def choose_section(self, section: Section) -> None:
        """Shows that section, from its beginning."""
        self.section = section
        self.section_chosen.emit(section)
        self._narrow()
        self.scroller.verticalScrollBar().setValue(0)

    @property
    def widest(self) -> int:
        """With larger text the rows take more room, and the sections beside them."""
        return max(WIDEST_COLUMN, self.theme.pixels(WIDEST_COLUMN))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_sections()

    def showEvent(self, event: QShowEvent) -> None:
        """Lay out again: changes while it was hidden may not have reached its parts."""
        super().showEvent(event)
        self.whole.invalidate()
        self._stand_on_edges()
        self._place_sections()

    def reveal(self, dotted: str) -> None:
        """Brings a row into view and the keyboard to it; where the rows are still to come, when they have."""
        row = self.rows.get(dotted)
        self._wanted = dotted if row is None and not self.complete else ""
        if row is None:
            return
        if not row.isVisibleTo(self):
            self.search.clear()
            self.choose_section(row.section)
        row.control.focus()
        # When the layout has found its place.
        QTimer.singleShot(0, row, lambda: self.scroller.ensureWidgetVisible(row, 0, 2 * GRID))

    # --- inside

    def _show_problems(self) -> None:
        """Those of one setting stand in its row, and its section is marked; above them those of the file as a whole.

        Without the list that could be marked, those of the other sections as well.
        """
        problems = self._view.problems if self._view is not None else ()
        wrong: dict[Section, list[str]] = {}
        above = []
        for told in problems:
            if (section := self._sections_of.get(value_of(told, "setting"))) is not None:
                wrong.setdefault(section, []).append(translated(told))
            if section is None or (not self._query and self.chooser.isVisibleTo(self) and section != self.section):
                above.append(translated(told))
        self.sections.mark({section: "\n".join(words) for section, words in wrong.items()})
        self.problems.setText("\n".join(above))
        self.problems.setVisible(bool(above))

    def _settle(self) -> None:
        """Rows get their heights before they are painted: what one level finds out the next one is told by an event."""
        for _ in range(LEVELS):
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)

    def _tell_dictionaries(self) -> None:
        row = self.rows.get(SPELL_LANGUAGES)
        if self._dictionaries is not None and row is not None and isinstance(row.control, SpellingLanguagesControl):
            row.control.show_dictionaries(*self._dictionaries)

    def _leave_search_for(self, section: Section) -> None:
        self.search.clear()
        self.choose_section(section)

    def _place_sections(self) -> None:
        """The sections stand beside the rows where both have room."""
        letter = max(GRID, self.fontMetrics().averageCharWidth())
        width = self.sections.wanted_width()
        if (needs := width + GAP + ROWS * letter) != self._beside_from:
            self._beside_from = needs
            self._stand_on_edges()
        beside = self.room >= needs
        if self.sections.isHidden() == beside or self.chooser.isHidden() != beside:
            self.sections.setVisible(beside)
            self.chooser.setVisible(not beside)
            self._show_problems()
        margin = width + GAP if beside else 0
        if self._body.contentsMargins().left() != margin:
            self._body.setContentsMargins(margin, 0, 0, 0)
            self._settle()  # the column is as wide as its rows need now, not as they needed beside the sections
        self._place_list()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The column may move later than the page changes its size."""
        if watched is self.column and event.type() == QEvent.Type.Move:
            self._place_list()
        return super().eventFilter(watched, event)

    def _place_list(self) -> None:
        corner = self.column.mapTo(self, QPoint(0, 0)) + QPoint(0, self.scroller.verticalScrollBar().value())
        self.sections.setGeometry(QRect(corner, self.sections.wanted_size()))
        self.sections.raise_()

    def _lay_out(self) -> None:
        row = in_row(self.chooser, (self.search, 1), spacing=GRID)
        self.pinned.addLayout(row)
        self.chooser.setAccessibleName(self.tr("Section"))
        for before, after in pairwise((self.back, self.chooser, self.search, self.sections)):
            self.setTabOrder(before, after)
        self._body = QVBoxLayout()
        self._body.setSpacing(GRID)
        for part in (self.hits, self.problems):
            self._body.addWidget(part)
        self._list.setSpacing(0)
        fill(self._body, self._list, Stretch())
        self.inside.addLayout(self._body)
        self._lay_out_models()

    def _lay_out_models(self) -> None:
        about = self.small(
            self.tr("Plimsoll knows the limits of most models. Add a model here if its limits are wrong or missing.")
        )
        self.model.setPlaceholderText(self.tr("Model ID"))
        self.model.setAccessibleName(self.tr("ID of a model"))
        self.add_model.setAccessibleName(self.tr("Add the model"))
        self.model_problem.hide()
        in_column(
            self.subheading(self.tr("Model limits")),
            rule_in(self.models),
            about,
            in_row((self.model, 1), self.add_model, spacing=GRID),
            self.model_problem,
            of=self.models,
            spacing=GRID,
            margins=(0, 2 * GRID, 0, 0),
        )
        self._about_models = about
        for part in (self.shortcuts, self.sync, self.file, self.models):
            part.hide()
            self._list.addWidget(part)

    def _show_groups(self, view: PreferencesView) -> None:
        """Brings the groups into their order, and makes the next one that is missing."""
        groups = groups_of(view.settings, view.titles, self._asked_models)
        wanted = {group.place: group for group in groups}
        self._sections_of = {setting.dotted: group.section for group in groups for setting in group.settings}
        self.complete = [made.group for made in self.groups.values()] == list(groups)
        if self.complete:
            return
        for place in [place for place, made in self.groups.items() if wanted.get(place) != made.group]:
            gone = self.groups.pop(place)
            self._list.removeWidget(gone)
            gone.deleteLater()
        missing = [place for place in wanted if place not in self.groups]
        # what is looked at first
        missing.sort(key=lambda place: place[0] != self.section)
        if missing:
            self.groups[missing[0]] = self._made_group(wanted[missing[0]], view)
        self.groups = {place: self.groups[place] for place in wanted if place in self.groups}
        self.complete = len(missing) <= 1
        if not self.complete:
            QTimer.singleShot(0, self, self._go_on)
        self._order_groups()
        self._order_tabs()

    def _go_on(self) -> None:
        if self._view is not None and not self.complete:
            self.show_preferences(self._view)

    def _order_groups(self) -> None:
        for number, part in enumerate(self._parts()):
            if self._list.indexOf(part) != number:
                self._list.insertWidget(number, part)

    def _parts(self) -> list[QWidget]:
        """Groups and what stands among them, in order: each of these comes before the first of its followers."""
        parts: list[QWidget] = []
        further: dict[QWidget, tuple[Section, GroupKind]] = {
            self.shortcuts: ("general", "backups"),
            self.sync: ("sync", "plain"),
            self.file: ("advanced", "connection"),
            self.models: ("advanced", "model"),
        }
        for (section, kind, _), made in self.groups.items():
            at = SECTIONS.index(section)
            for part, (its, before) in list(further.items()):
                if at > SECTIONS.index(its) or (section, kind) == (its, before):
                    parts.append(part)
                    del further[part]
            parts.append(made)
        return [*parts, *further]

    def _made_group(self, group: SettingGroup, view: PreferencesView) -> SettingGroupView:
        made = SettingGroupView(self.theme, group, view.titles, self.column)
        made.value_chosen.connect(self.value_chosen)
        made.restart_requested.connect(self.restart_requested)
        for row in made.rows.values():
            if isinstance(control := row.control, ModelControl):
                control.models_requested.connect(partial(self.models_requested.emit, control))
            elif isinstance(control, PathControl):
                name = name_of(row.setting, view.titles)
                control.path_requested.connect(partial(self.path_requested.emit, control, name))
        return made

    def _order_tabs(self) -> None:
        chain: list[QWidget] = [self.sections]
        for part in self._parts():
            if isinstance(part, SettingGroupView):
                for row in part.rows.values():
                    chain += [row.default, *row.control.parts]
            else:
                chain += [part.button] if isinstance(part, LinkRow) else [self.model, self.add_model]
        for before, after in pairwise(chain):
            self.setTabOrder(before, after)

    def _search(self, text: str) -> None:
        self._query = text
        self._narrow()
        self.scroller.verticalScrollBar().setValue(0)

    def _narrow(self) -> None:
        query, section = self._query.strip(), self.section
        shown = 0
        for made in self.groups.values():
            shown += made.narrow_to(query, here=bool(query) or made.group.section == section)
        for link in (self.shortcuts, self.sync, self.file):
            shown += link.narrow_to(query, section)
        self.models.setVisible(
            found(query, self.tr("Model limits"), self._about_models.text(), "models.")
            if query
            else section == "advanced"
        )
        self.sections.show_section(None if query else section)
        # Tab leads from a search to what it found
        self.sections.setFocusPolicy(Qt.FocusPolicy.NoFocus if query else Qt.FocusPolicy.StrongFocus)
        self.chooser.show_value(None if query else section, self.tr("All"))
        self._show_problems()
        self.hits.setVisible(bool(query))
        if not query:
            return
        if shown == 1:
            self.hits.setText(self.tr("1 setting"))
        elif shown:
            self.hits.setText(self.tr("{count} settings").format(count=shown))
        else:
            self.hits.setText(self.tr("No settings match “{query}”.").format(query=query))

    def _add_model(self) -> None:
        if not (name := self.model.text().strip()) or self._view is None:
            return
        if any(sign in '"\\' or not sign.isprintable() for sign in name):
            self._tell_model(self.tr("A model ID has no quotation marks or backslashes."))
            return
        if name not in self._asked_models:
            self._asked_models.append(name)
        self.model.clear()
        self.search.clear()
        self.show_preferences(self._view)
        while not self.complete:
            self.show_preferences(self._view)
        self.reveal(next(iter(self.groups["advanced", "model", name].rows)))

    def _tell_model(self, words: str) -> None:
        say_in(self.model_problem, words)
