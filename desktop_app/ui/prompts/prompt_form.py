"""A prompt's variables: coloured in its text, and asked for in a form with a preview before it is inserted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QInputMethodEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QShowEvent,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QPlainTextEdit, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop_app.core.prompts import PromptTemplate, Variable
from desktop_app.ui.theme.theme import GRID, Theme, flood
from desktop_app.ui.widgets.fitting import FlowRow
from desktop_app.ui.widgets.floating import Floating
from desktop_app.ui.widgets.list_parts import utf16_place
from desktop_app.ui.widgets.parts import (
    BoldChoice,
    Stretch,
    button_in,
    fill,
    frame_in,
    in_column,
    in_row,
    label_in,
    set_look,
)


def variable_format(theme: Theme) -> QTextCharFormat:
    look = QTextCharFormat()
    look.setForeground(theme.color("syntax-name"))
    look.setBackground(theme.color("code-header"))
    return look


class VariableHighlighter(QSyntaxHighlighter):
    """Colours the variables of a text while it is written; none goes over the end of a line."""

    def __init__(self, theme: Theme, document: QTextDocument) -> None:
        super().__init__(document)
        self._theme = theme
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        self._look = variable_format(self._theme)
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        if "{{" not in text:
            return
        for place in PromptTemplate(text).places:
            start, end = utf16_place(text, place.start), utf16_place(text, place.end)
            self.setFormat(start, end - start, self._look)


def show_filled(
    document: QTextDocument, template: PromptTemplate, values: Mapping[str, str], theme: Theme, most: int
) -> None:
    """Shows the filled text, what was filled in coloured; a variable that is left empty by its name, toned down.

    Of long texts the first `most` characters.
    """
    plain, filled, empty = QTextCharFormat(), QTextCharFormat(), QTextCharFormat()
    plain.setForeground(theme.color("text"))
    filled.setForeground(theme.color("accent"))
    empty.setForeground(theme.color("text-secondary"))
    empty.setFontItalic(True)
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    cursor.select(QTextCursor.SelectionType.Document)
    cursor.removeSelectedText()
    left = most
    for text, name in template.segments(values):
        shown, look = (text, filled if name else plain) if text else (name, empty)
        cursor.insertText(shown[:left] if len(shown) <= left else f"{shown[:left]}…", look)
        left -= len(shown)
        if left <= 0:
            break
    cursor.endEditBlock()


LINES: Final = 4
"""Lines of a field for many lines."""


class LineField(QLineEdit):
    """A value on one line."""

    changed = Signal()

    def __init__(self, theme: Theme, variable: Variable, value: str, parent: QWidget) -> None:
        super().__init__(value, parent)
        self.setAccessibleName(variable.name)
        self._composing = False
        self.textChanged.connect(self.changed)
        theme.set_font("body", self)

    def value(self) -> str:
        return self.text()

    def take(self, value: str) -> None:
        self.setText(value)

    def parts(self) -> list[QWidget]:
        return [self]

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        super().inputMethodEvent(event)
        self._composing = bool(event.preeditString())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            event.setAccepted(self._composing)
        else:
            super().keyPressEvent(event)


class LongField(QFrame):
    """A value on many lines, in which Enter begins a new one."""

    changed = Signal()

    def __init__(self, theme: Theme, variable: Variable, value: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("kind", "field")
        self.edit = _LongEdit(value, self)
        self.edit.setAccessibleName(variable.name)
        self.edit.textChanged.connect(self.changed)
        self.edit.installEventFilter(self)
        box = QVBoxLayout(self)
        # text begins where it does in a field of one line
        fill(box, self.edit, margins=(GRID + 2, GRID, GRID, GRID))
        theme.set_font("body", self.edit)
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        self.edit.setFixedHeight(LINES * self.edit.fontMetrics().lineSpacing() + GRID // 2)

    def value(self) -> str:
        return self.edit.toPlainText()

    def take(self, value: str) -> None:
        self.edit.setPlainText(value)

    def parts(self) -> list[QWidget]:
        return [self.edit]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            set_look(self, "focused", event.type() == QEvent.Type.FocusIn)
        return False


class _LongEdit(QPlainTextEdit):
    def __init__(self, value: str, parent: QWidget) -> None:
        super().__init__(value, parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self._composing = False

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        super().inputMethodEvent(event)
        self._composing = bool(event.preeditString())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if event.key() == Qt.Key.Key_Escape or (enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier):
            event.setAccepted(self._composing)
        else:
            super().keyPressEvent(event)


class _Choice(BoldChoice):
    """Enter is left to the form, which it settles; Space chooses."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()
        else:
            super().keyPressEvent(event)


class ChoiceField(QWidget):
    """One of some values, all in sight; arrow keys move between them."""

    changed = Signal()

    def __init__(self, theme: Theme, variable: Variable, value: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(variable.name)
        self.buttons: list[QPushButton] = []
        row = FlowRow(across=GRID // 2, down=GRID // 2)
        for choice in variable.choices:
            button = _Choice(choice.replace("&", "&&"), self)
            button.setProperty("kind", "choice")
            button.setCheckable(True)
            button.setAutoExclusive(True)
            button.setChecked(choice == value)
            button.setAccessibleName(f"{variable.name}: {choice}")
            button.toggled.connect(self._told)
            row.addWidget(button)
            self.buttons.append(button)
        self._choices = variable.choices
        self.setLayout(row)

    def value(self) -> str:
        down = (choice for choice, button in zip(self._choices, self.buttons, strict=True) if button.isChecked())
        return next(down, "")

    def take(self, value: str) -> None:
        for choice, button in zip(self._choices, self.buttons, strict=True):
            button.setChecked(choice == value)

    def parts(self) -> list[QWidget]:
        return [next((button for button in self.buttons if button.isChecked()), self.buttons[0])]

    def _told(self, down: bool) -> None:
        if down:
            self.changed.emit()


WIDTH: Final = 70 * GRID
VEIL: Final = 0.55
PREVIEW_LINES: Final = 6
PREVIEWED: Final = 20_000
"""Characters of a prompt that the preview shows at most, and renders again with each letter typed."""


class PromptForm(QWidget):
    """Lies over the window until it is settled: `confirmed(values)` or `cancelled`. The keyboard stays inside."""

    confirmed = Signal(object)  # dict: values by name
    cancelled = Signal()

    def __init__(
        self,
        theme: Theme,
        title: str,
        template: PromptTemplate,
        *,
        asked: Sequence[Variable],
        given: Mapping[str, str],
        window: QWidget,
    ) -> None:
        """`asked`: the variables with a field each; `given`: the values of those that fill themselves in."""
        super().__init__(window)
        self._theme = theme
        self._room = window
        self._template = template
        self._given = dict(given)
        self.frame = frame_in(self, "popover")
        Floating(self.frame)
        self.frame.setAccessibleName(title)
        self.setAccessibleName(title)
        self._title = title
        self.heading = label_in(self.frame, title)
        self.heading.setToolTip(title)
        self.heading.setMinimumWidth(1)
        self.fields: dict[str, LineField | LongField | ChoiceField] = {}
        self._labels: list[QLabel] = []
        self.scroller = QScrollArea(self.frame)
        inside = self._made_fields(asked)
        self.scroller.setWidget(inside)
        inside.setAutoFillBackground(False)
        self.scroller.viewport().setAutoFillBackground(False)
        self.scroller.setWidgetResizable(True)
        self.scroller.setFrameShape(QFrame.Shape.NoFrame)
        self.scroller.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroller.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.caption = label_in(self.frame, self.tr("What is inserted"), tone="secondary")
        self.preview = QPlainTextEdit(self.frame)
        self.box = self._around_preview()
        self.hint = label_in(self.frame, tone="secondary", wrap=True)
        self.insert_button = button_in(self.frame, self.tr("Insert"), self.confirm, kind="primary")
        self.cancel_button = button_in(self.frame, self.tr("Cancel"), self.cancel)
        self._lay_out()
        window.installEventFilter(self)
        theme.set_font("title", self.heading)
        theme.set_font("small", *self._labels, self.caption, self.hint)
        theme.set_font("body", self.preview)
        theme.follow(self._apply_theme)
        self._show_preview()

    def _made_fields(self, asked: Sequence[Variable]) -> QWidget:
        inside = QWidget()
        inside.setObjectName("fields")
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        for number, variable in enumerate(asked):
            kind = LongField if variable.long else ChoiceField if variable.choices else LineField
            field = kind(self._theme, variable, variable.default, inside)
            field.changed.connect(self._show_preview)
            label = label_in(inside, variable.name, tone="secondary")
            label.setBuddy(field.parts()[0])
            self._labels.append(label)
            if number:
                column.addSpacing(GRID // 2)
            fill(column, label, field)
            self.fields[variable.name] = field
        column.addStretch(1)
        return inside

    def _around_preview(self) -> QFrame:
        preview = self.preview
        preview.setReadOnly(True)
        preview.setProperty("kind", "reading")
        preview.setTabChangesFocus(True)
        preview.setAccessibleName(self.tr("What is inserted"))
        preview.document().setDocumentMargin(0)
        preview.setUndoRedoEnabled(False)
        box = frame_in(self.frame, "field")
        in_column(preview, of=box, margins=(GRID + 1, GRID, GRID, GRID))
        return box

    def _lay_out(self) -> None:
        in_column(
            self.heading,
            (self.scroller, 1),
            in_column(self.caption, self.box, spacing=GRID // 2),
            self.hint,
            in_row(self.insert_button, self.cancel_button, Stretch(), spacing=GRID),
            of=self.frame,
            spacing=GRID,
            margins=2 * GRID,
        )

    def _apply_theme(self) -> None:
        self.preview.setFixedHeight(PREVIEW_LINES * self.preview.fontMetrics().lineSpacing() + GRID // 2)
        self._show_preview()

    def open(self) -> None:
        """Shows the form and takes the keyboard."""
        self.show()
        self.raise_()
        first = next(iter(self.fields.values())).parts()[0]
        first.setFocus(Qt.FocusReason.OtherFocusReason)
        if isinstance(first, QLineEdit):
            first.selectAll()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # only now the fields have the height that the style gives them
        self.fit()

    def values(self) -> dict[str, str]:
        """All values as they stand now."""
        return self._given | {name: field.value() for name, field in self.fields.items()}

    def confirm(self) -> None:
        self.confirmed.emit(self.values())

    def cancel(self) -> None:
        self.cancelled.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.cancel()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.confirm()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """From field to field and on to the buttons, round the ends."""
        parts = [part for field in self.fields.values() for part in field.parts()]
        parts += [self.preview, self.insert_button, self.cancel_button]
        focused = self.focusWidget()
        here = next((at for at, part in enumerate(parts) if part is focused), -1)
        following = parts[(here + (1 if forward else -1)) % len(parts)]
        following.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
        self.scroller.ensureWidgetVisible(following, 0, 2 * GRID)
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.fit()
        return False

    def _show_preview(self) -> None:
        values = self.values()
        show_filled(self.preview.document(), self._template, values, self._theme, PREVIEWED)
        self.hint.setText(self._hint(empty=not all(values.values())))

    def _hint(self, *, empty: bool) -> str:
        hints = [self.tr("Empty fields are left out.")] if empty else []
        if any(isinstance(field, LongField) for field in self.fields.values()):
            hints.append(self.tr("Ctrl+Enter inserts."))
        return " ".join(hints)

    def fit(self) -> None:
        """As high as its fields, within the window."""
        room = self._room.rect()
        self.setGeometry(room)
        width = min(WIDTH, room.width() - 4 * GRID)
        column = self.frame.layout()
        inside = self.scroller.widget()
        if column is None or inside is None:
            return
        # Words wrap and choices go into further rows where the window is narrow.
        across = width - 4 * GRID - 2
        whole = self.heading.fontMetrics().elidedText(self._title, Qt.TextElideMode.ElideRight, across)
        self.heading.setText(whole)
        layout = inside.layout()
        wanted = layout.totalHeightForWidth(across) if layout is not None and layout.hasHeightForWidth() else 0
        fields = max(wanted, inside.sizeHint().height() if not wanted else 0)
        # The hint keeps its room while it comes and goes.
        words = QRect(0, 0, across, room.height())
        hint = self.hint.fontMetrics().boundingRect(words, Qt.TextFlag.TextWordWrap, self._hint(empty=True)).height()
        self.hint.setFixedHeight(hint)
        shown = (self.heading, self.caption, self.box, self.insert_button)
        rest = hint + sum(part.sizeHint().height() for part in shown) + 8 * GRID + GRID // 2 + 2
        height = min(fields + rest, room.height() - 4 * GRID)
        self.frame.setGeometry(QRect((room.width() - width) // 2, (room.height() - height) // 3, width, height))

    def sizeHint(self) -> QSize:
        return self._room.size()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            veil = QColor(self._theme.color("background"))
            veil.setAlphaF(VEIL)
            flood(painter, self.rect(), veil)
