"""One row of the page: name, help, control, the way back to the default, and its problem.

Knows no file: it shows a value and passes wishes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QLabel, QWidget

from desktop_app.core.backend_descriptors import NOT_OFFERED
from desktop_app.ui.i18n.language import translated
from desktop_app.ui.preferences.setting_controls import (
    ChoiceControl,
    Control,
    FieldControl,
    ModelControl,
    PathControl,
    PopupControl,
    PresetControl,
    SpellingLanguagesControl,
    SwitchControl,
    TextControl,
)
from desktop_app.ui.preferences.setting_list import (
    DEFAULT_MODEL,
    SECTION_NAMES,
    Setting,
    SettingGroup,
    choice_words,
    default_words,
    found,
    heading_of,
    name_of,
    search_words,
    value_words,
    written,
)
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.page import rule_in
from desktop_app.ui.widgets.parts import button_in, fill, in_column, in_row, label_in, say_in

IN_SIGHT = 3
"""So many values of a choice all stand in the row; more of them in a menu."""


class SettingGroupView(QWidget):
    """`value_chosen(dotted key, value)`: None for the default."""

    value_chosen = Signal(str, object)
    restart_requested = Signal()

    def __init__(self, theme: Theme, group: SettingGroup, titles: Mapping[str, str], parent: QWidget) -> None:
        super().__init__(parent)
        self.group = group
        own = heading_of(group, titles)
        self._headings = own, " · ".join(filter(None, (translated(SECTION_NAMES[group.section]), own)))
        self.heading = _label(own, self)
        self._rules: dict[str, QFrame] = {}
        self.rows: dict[str, SettingRow] = {}
        # in a layout: a label's own margins are lost where the style changes before it has its place
        self._around = in_row(self.heading, margins=0)
        column = in_column(self._around, of=self, spacing=0, margins=0)
        for setting in group.settings:
            rule = rule_in(self)
            row = SettingRow(theme, group, setting, titles, self)
            row.value_chosen.connect(self.value_chosen)
            row.restart_requested.connect(self.restart_requested)
            fill(column, rule, row)
            self._rules[setting.dotted], self.rows[setting.dotted] = rule, row
        theme.set_font("title", self.heading)
        self.narrow_to("")

    def narrow_to(self, query: str, *, here: bool = True) -> int:
        """Shows only the rows that the query finds, under their section's name, and says how many these are.

        Not `here`: the whole group is hidden.
        """
        words = self._headings[bool(query)]
        say_in(self.heading, words)
        self._around.setContentsMargins(0, 2 * GRID * bool(words), 0, GRID * bool(words))
        shown = 0
        for dotted, row in self.rows.items():
            hit = found(query, *row.searched)
            row.setVisible(hit)
            self._rules[dotted].setVisible(hit and (shown > 0 or bool(words)))
            shown += hit
        self.setVisible(here and shown > 0)
        return shown


BESIDE_FROM = 52
"""Row width in letters (of a grid's width at least) from which a control stands beside its words."""
WORDS_FROM = 18
"""Letters that the words keep beside a control."""
SPELL_LANGUAGES = "composer.spell_languages"
"""The setting with a control of its own: what it offers are the dictionaries of this computer."""


class SettingRow(QWidget):
    """`value_chosen(dotted key, value)`: None for the default."""

    value_chosen = Signal(str, object)
    restart_requested = Signal()

    def __init__(
        self, theme: Theme, group: SettingGroup, setting: Setting, titles: Mapping[str, str], parent: QWidget
    ) -> None:
        """`titles`: what connections are called, by backend name."""
        super().__init__(parent)
        self.setting = setting
        self._theme = theme
        self._titles = titles
        self._heading = heading_of(group, titles)
        self.section = group.section
        self._section_name = translated(SECTION_NAMES[group.section])
        self._wrong = self._problem = ""
        self._placed_for = (0, 0)
        self.changed = False
        """True where the value is another than the default, which a dot says."""
        self.name = _label("", self)
        self.name.setTextFormat(Qt.TextFormat.RichText)
        self.meaning = _label(self._meaning(), self, tone="secondary")
        self.problem = _label("", self, tone="danger")
        self.problem.hide()
        self.control = self._make_control(theme)
        self.default = button_in(self, self.tr("Reset"), self._take_default, kind="quiet")
        self.restart = button_in(self, self.tr("Restart now"), self.restart_requested)
        self.restart.hide()
        self._lay_out()
        self.name.setBuddy(self.control.parts[0])
        for label in (self.name, self.meaning):
            label.setToolTip(setting.dotted)
        self._name_control()
        self.control.chosen.connect(lambda value: self.value_chosen.emit(setting.dotted, value))
        self.control.refused.connect(self.show_problem)
        theme.set_font("small", self.meaning, self.problem, self.default)
        self.meaning.setVisible(bool(self.meaning.text()))
        theme.follow(self._show_name)

    def _show_name(self) -> None:
        words = escape(name_of(self.setting, self._titles))
        dot = f' <span style="color:{self._theme.css_color("accent")}">•</span>' if self.changed else ""
        self.name.setText(words + dot)

    @property
    def searched(self) -> tuple[str, ...]:
        """The texts that a search looks at."""
        key = self.setting.key
        names = self._section_name, self._heading, name_of(self.setting, self._titles), translated(key.label)
        numbers = (value_words(key, value) for value in key.presets)
        shown = (*names, self.meaning.text(), self.setting.dotted, *self._choices().values(), *numbers)
        return (*shown, *search_words(key))

    def show_value(self, value: object, *, wrong: str = "", anyway: bool = False) -> None:
        """Shows the value that counts; `wrong`: what is wrong with the one in the file."""
        self.control.show_value(value, anyway=anyway)
        self._wrong = wrong
        if not self.control.writing:
            self._problem = ""
        self.changed = value != self.setting.key.default or bool(wrong)
        self._show_name()
        self._tell()
        if not self.changed and self.default.hasFocus():
            self.control.focus()
        self.default.setVisible(self.changed)

    def offer_restart(self, changed: bool) -> None:
        """`changed`: the value is another than at the start, and may count only from the next."""
        self.restart.setVisible(changed and self.setting.key.read_at_start)

    def show_problem(self, words: str) -> None:
        """Why a value was not taken; empty takes it away."""
        self._problem = words
        self._tell()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        letter = max(GRID, self.fontMetrics().averageCharWidth())
        width = event.size().width()
        if (width, letter) == self._placed_for:
            return  # another height is no reason: where the control stands changes what it asks for
        self._placed_for = (width, letter)
        roomy = width >= BESIDE_FROM * letter
        if roomy and not self.control.across:
            self.control.set_beside(True)  # what it asks for there
            rest = width - self.control.sizeHint().width() - self.default.sizeHint().width() - 2 * GRID
            roomy = rest >= WORDS_FROM * letter
            self.control.set_beside(roomy)
        beside = self.control.narrow or (roomy and not self.control.across)
        self._stand(beside=beside)
        self._place_default(roomy=not self.control.across and (roomy or not beside))

    # --- inside

    def _stand(self, *, beside: bool) -> None:
        wanted = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        if self._body.direction() == wanted:
            return
        self._body.setDirection(wanted)
        self.control.set_beside(beside)
        # beside a control its room stays while it is hidden: nothing moves when a value changes
        kept = self.default.sizePolicy()
        kept.setRetainSizeWhenHidden(beside)
        self.default.setSizePolicy(kept)

    def _place_default(self, *, roomy: bool) -> None:
        """Beside the control; where that would take the words' room, beneath these."""
        wanted, other = (self._control_row, self._texts) if roomy else (self._texts, self._control_row)
        if other.indexOf(self.default) < 0:
            return
        other.removeWidget(self.default)
        if roomy:
            wanted.insertWidget(0, self.default, 0, Qt.AlignmentFlag.AlignVCenter)
        else:
            wanted.addWidget(self.default, 0, Qt.AlignmentFlag.AlignLeft)
        kept = self.default.sizePolicy()
        kept.setRetainSizeWhenHidden(roomy and self._body.direction() == QBoxLayout.Direction.LeftToRight)
        self.default.setSizePolicy(kept)

    def _make_control(self, theme: Theme) -> Control:
        setting, rule = self.setting, self.setting.key.rule
        if rule.kind == "switch":
            return SwitchControl(theme, self)
        if rule.kind == "choice":
            choices = self._choices()
            return (ChoiceControl if len(choices) <= IN_SIGHT else PopupControl)(theme, choices, self)
        if setting.field == SPELL_LANGUAGES:
            return SpellingLanguagesControl(theme, self)
        if setting.key.holds == "model":
            return ModelControl(theme, setting.path[1] if setting.field == DEFAULT_MODEL else "", self)
        if setting.key.holds:
            lines = setting.key.holds == "lines"
            return TextControl(theme, self) if lines else PathControl(theme, setting.key, self)
        field = FieldControl(theme, rule, translated(setting.key.unit), self)
        default = setting.key.default
        field.set_placeholder(written(default) if default is not None else self.tr("Default"))
        return PresetControl(theme, setting.key, field, self) if setting.key.presets else field

    def _choices(self) -> dict[str | None, str]:
        rule = self.setting.key.rule
        words: dict[str | None, str] = {}
        if rule.kind == "choice" and self.setting.key.default is None:
            words[None] = self.tr("Automatic")
        for value in dict.fromkeys((*rule.choices, *(self._titles if rule.others else ()))):
            if value not in NOT_OFFERED:  # shown where the file has it
                words[value] = choice_words(self.setting, value, self._titles)
        return words

    def _meaning(self) -> str:
        if self.setting.field == DEFAULT_MODEL:
            return ""  # its heading says so
        meaning = "" if self.setting.key.says_itself else translated(self.setting.key.meaning)
        if not self.setting.key.read_at_start:
            return meaning
        return self.tr("{meaning} Restart Plimsoll to apply a change.").format(meaning=meaning).strip()

    def _name_control(self) -> None:
        name = name_of(self.setting, self._titles)
        name = f"{self._heading}, {name}" if "*" in self.setting.field else name
        told = self._problem or self._wrong
        self.control.set_name(name, f"{told} {self.meaning.text()}".strip())
        self.default.setAccessibleName(self.tr("Reset {name}").format(name=name))
        default = self.setting.key.default
        self.default.setToolTip(default_words(self.setting.key, self._shown(default)))

    def _shown(self, value: object) -> str:
        if isinstance(value, bool):
            return self.tr("on") if value else self.tr("off")
        if isinstance(value, str):
            return choice_words(self.setting, value, self._titles)
        return value_words(self.setting.key, value) if isinstance(value, int | float) else written(value)

    def _take_default(self) -> None:
        self.show_problem("")
        self.control.reset()
        self.value_chosen.emit(self.setting.dotted, None)

    def _tell(self) -> None:
        told = self._problem or self._wrong
        if told == self.problem.text():
            return
        say_in(self.problem, told)
        self._name_control()

    def _lay_out(self) -> None:
        texts = in_column(self.name, self.meaning, spacing=2)
        self._texts = in_column(texts, (self.restart, 0, Qt.AlignmentFlag.AlignLeft), spacing=GRID)
        self._control_row = in_row(
            (self.default, 0, Qt.AlignmentFlag.AlignVCenter),
            (self.control, 1, Qt.AlignmentFlag.AlignVCenter),
            spacing=GRID,
        )
        self._body = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        fill(self._body, (self._texts, 1), self._control_row, spacing=GRID)
        in_column(self._body, self.problem, of=self, spacing=GRID // 2, margins=(0, GRID + GRID // 4))


def _label(words: str, parent: QWidget, *, tone: str = "") -> QLabel:
    label = label_in(parent, words, wrap=True)
    label.setMinimumWidth(1)
    if tone:
        label.setProperty("tone", tone)
    return label
