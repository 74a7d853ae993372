"""The pane of artifacts as it looks: head, ways to look at a text, a drawing made safe, the editor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, Literal, TypeAlias

from pygments.lexer import Lexer
from PySide6.QtCore import QByteArray, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QTextBlock, QTextCursor
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QTabBar,
    QToolButton,
    QWidget,
)

from desktop_app.core.code_lexing import LineLexer
from desktop_app.core.messages import Message, TextPart
from desktop_app.ui.theme.theme import GRID, Theme, set_icon
from desktop_app.ui.transcript.items.item import format_ranges, utf16_length
from desktop_app.ui.transcript.view import TranscriptView
from desktop_app.ui.widgets import KEEPS_FOCUS
from desktop_app.ui.widgets.fitting import Caption, FlowRow
from desktop_app.ui.widgets.floating import Menu
from desktop_app.ui.widgets.parts import (
    ElidedButton,
    button_in,
    frame_in,
    in_column,
    in_row,
    single_shot,
    tool_in,
)
from desktop_app.ui.widgets.text_lines import LinesView, TextLine

COLORED_MS: Final = 120
"""Milliseconds without a change after which what is written is colored."""


class EditorColors(QObject):
    """Colors the code in a field as the transcript does: the same highlighter, in the same slices."""

    def __init__(self, field: QPlainTextEdit, reader: TranscriptView) -> None:
        super().__init__(field)
        self.language = ""
        self._field, self._reader = field, reader
        self._rest = single_shot(self, self._color, COLORED_MS)
        field.document().contentsChange.connect(lambda *_: self._rest.start())
        reader.style_changed.connect(self._rest.start)

    def begin(self, language: str) -> None:
        """Another text is in the field."""
        self.language = language
        self._color()

    def highlight(self, lexer: Lexer) -> Iterator[object]:
        """Colors line after line; a line that looks as before is left alone."""
        lines, block = LineLexer(lexer), self._field.document().begin()
        revision, text = self._field.document().revision(), written_in(self._field)
        for last in lines.run(text):
            if self._field.document().revision() != revision:
                return  # it is begun anew after a rest
            while block.isValid() and block.blockNumber() < last:
                self._color_line(block, lines.lines[block.blockNumber()])
                block = block.next()
            yield None
        while block.isValid():
            number = block.blockNumber()
            self._color_line(block, lines.lines[number] if number < len(lines.lines) else ())
            block = block.next()
            yield None

    def give_up_highlighting(self) -> None:
        """No more of this text is colored; what is stays so."""
        self.language = ""

    def _color(self) -> None:
        if self.language and self._field.isVisible():
            self._reader.highlighter.add(self)

    def _color_line(self, block: QTextBlock, tokens: Sequence[tuple[int, int, str]]) -> None:
        text, syntax = block.text(), self._reader.text_style.syntax
        if not text.isascii():
            tokens = [(utf16_length(text[:at]), utf16_length(text[at : at + size]), role) for at, size, role in tokens]
        ranges = format_ranges([(start, length, syntax[role]) for start, length, role in tokens])
        if block.layout().formats() != ranges:
            block.layout().setFormats(ranges)
            self._field.document().markContentsDirty(block.position(), block.length())


class ArtifactEditor(QWidget):
    """The text, and beneath it the wish for a selection and the ways out."""

    save_wanted = Signal()
    newer_wanted = Signal()
    change_wanted = Signal(str)
    stop_wanted = Signal()
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.text = QPlainTextEdit(self)
        self.text.setAccessibleName(self.tr("Text of the artifact"))
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.document().setDocumentMargin(2 * GRID)
        self.text.setMinimumHeight(GRID)  # in a low window with large text the buttons come first
        self.newer_words = Caption(theme, self)
        self.take_newer = self._button("")
        self.newer = LinesView(theme, self)
        self.newer.setAccessibleName(self.tr("Differences"))
        self.wish = QLineEdit(self, placeholderText=self.tr("Select text, then say what to change"))
        self.wish.setAccessibleName(self.tr("What to change in the selection"))
        self.wish.setToolTip(self.wish.placeholderText())
        self.change = self._button(self.tr("Change only this selection"))
        self.stop = self._button(self.tr("Stop"))
        self.cancel = self._button(self.tr("Cancel"))
        self.save = self._button(self.tr("Save version"), kind="primary")
        self.save.setToolTip(self.tr("Save (Ctrl+S or Ctrl+Enter)"))
        below = in_column(
            self.wish,
            FlowRow(self.change, self.stop, self.cancel, self.save, across=GRID, down=GRID, at_end=True),
            spacing=GRID,
            margins=(2 * GRID, GRID),
        )
        rule = frame_in(self, "rule")
        rule.setFixedHeight(1)
        in_column((self.text, 3), self._told(), (self.newer, 2), rule, below, of=self, spacing=0, margins=0)
        self.setFocusProxy(self.text)
        self.save.clicked.connect(self.save_wanted)
        self.cancel.clicked.connect(self.left)
        self.take_newer.clicked.connect(self.newer_wanted)
        self.stop.clicked.connect(self.stop_wanted)
        self.wish.returnPressed.connect(self._want_change)
        self.change.clicked.connect(self._want_change)
        self.text.selectionChanged.connect(self._look_at_selection)
        theme.set_font("small", self.take_newer, self.wish, self.change, self.stop, self.cancel, self.save)
        theme.set_font("code", self.text)
        self.set_changing(False)

    def show_text(self, text: str) -> None:
        """Begins with a text."""
        self.show_newer(0)
        self.text.setPlainText(text)
        self.text.moveCursor(QTextCursor.MoveOperation.Start)
        self._look_at_selection()

    def show_newer(self, number: int, lines: Sequence[TextLine] = ()) -> None:
        """Another version came while this one is being written: what it changed, beneath the text; 0: none did."""
        words = self.tr("v{number} was made meanwhile. Save makes v{next} of your text.")
        self.newer_words.say(words.format(number=number, next=number + 1) if number else "")
        self.take_newer.setText(self.tr("Use v{number}").format(number=number))
        self.take_newer.setAccessibleName(self.take_newer.text())
        self.newer.show_lines(lines, code=True)
        for part in (self.take_newer, self.newer):
            part.setVisible(bool(number))

    def replace_text(self, text: str) -> None:
        """Another text in the place of what is written, which undo brings back."""
        self.show_newer(0)
        cursor = self.text.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)

    def set_changing(self, changing: bool) -> None:
        """A model writes a selection's new text: it can be stopped, and no more."""
        self.text.setReadOnly(changing)
        self.wish.setReadOnly(changing)
        self.save.setDisabled(changing)
        self.cancel.setDisabled(changing)
        self.change.setVisible(not changing)
        self.stop.setVisible(changing)

    @property
    def changing(self) -> bool:
        """True while a model is changing the text."""
        return not self.stop.isHidden()

    @property
    def written(self) -> str:
        """The text in the editor."""
        return written_in(self.text)

    @property
    def selected(self) -> tuple[int, int]:
        """From where to where the selection goes, in characters."""
        cursor, text = self.text.textCursor(), self.written
        start, end = cursor.selectionStart(), cursor.selectionEnd()
        return (start, end) if text.isascii() else (_characters(text, start), _characters(text, end))

    def _told(self) -> QHBoxLayout:
        return in_row((self.newer_words, 1), self.take_newer)

    def _want_change(self) -> None:
        if not self.changing:
            self.change_wanted.emit(self.wish.text())

    def _look_at_selection(self) -> None:
        self.change.setEnabled(self.text.textCursor().hasSelection())

    def _button(self, words: str, *, kind: str = "quiet") -> QPushButton:
        return button_in(self, words, kind=kind, name=words)


def written_in(field: QPlainTextEdit) -> str:
    """The text in a field. Qt's plain text would make common spaces of those that do not break."""
    return field.document().toRawText().replace("\u2029", "\n")


def _characters(text: str, units: int) -> int:
    """Qt counts a sign outside the first plane as two."""
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "replace"))


MOST_PIXELS: Final = 2_400
"""Of a side of the picture that is painted."""


def painted_drawing(source: str, width: int) -> QImage | None:
    """The picture of a safe drawing, so many pixels wide; None where there is nothing to see. For a worker thread."""
    renderer = QSvgRenderer(QByteArray(source.encode()))
    box: QSize = renderer.defaultSize()
    if not renderer.isValid() or box.width() <= 0 or box.height() <= 0:
        return None
    scale = min(MOST_PIXELS / box.width(), MOST_PIXELS / box.height(), max(1.0, width / box.width()))
    image = QImage(
        max(1, round(box.width() * scale)),
        max(1, round(box.height() * scale)),
        QImage.Format.Format_ARGB32_Premultiplied,
    )
    image.fill(Qt.GlobalColor.white)  # drawings count on paper
    with QPainter(image) as painter:
        renderer.render(painter, QRectF(0, 0, image.width(), image.height()))
    return image


class DrawingView(QScrollArea):
    """The picture, as wide as there is room."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._picture = _Picture(self)
        self.setWidget(self._picture)
        theme.follow(self._picture.update)

    def show_picture(self, image: QImage, name: str) -> None:
        """Shows a picture; `name` is what screen readers call it."""
        self._picture.image = image
        self._picture.setAccessibleName(name)
        self.setAccessibleName(name)
        self._picture.fit()


class _Picture(QWidget):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.image = QImage()

    def fit(self) -> None:
        """Takes the height that the picture has at this width."""
        if not self.image.isNull():
            room = max(1, self.width() - 4 * GRID)
            size = self.image.deviceIndependentSize()
            self.setMinimumHeight(round(size.height() * min(1.0, room / size.width())) + 4 * GRID)
            self.update()

    def resizeEvent(self, event: object) -> None:
        self.fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.image.isNull():
            return
        size = self.image.deviceIndependentSize()
        shown = min(max(1, self.width() - 4 * GRID), size.width())
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            box = QRectF((self.width() - shown) / 2, 2 * GRID, shown, size.height() * shown / size.width())
            painter.drawImage(box, self.image)


PaneMode: TypeAlias = Literal["reading", "diff", "editing"]
READING: Final = "artifact"
IN_LIST: Final = 24
"""Characters of a title in the list: a long one leaves the others their room."""
EDGE: Final = 2 * GRID
"""Pixels at the left of the head: its words stand above those of the text."""


class ArtifactPane(QWidget):
    """One artifact. Wishes are signals; what the user writes is read by whoever hears them."""

    artifact_chosen = Signal(int)  # place among those of the thread
    version_wanted = Signal(int)  # a step: -1 or 1; 0: the same in another look
    compared_wanted = Signal(int)  # number of the version that the shown one is compared with
    mode_wanted = Signal(str)
    rename_wanted = Signal(str)
    copy_wanted = Signal()
    export_wanted = Signal(str)
    pin_wanted = Signal()
    restore_wanted = Signal()  # the shown version is to be the newest again
    delete_wanted = Signal()
    browser_wanted = Signal()
    run_wanted = Signal()
    close_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty(KEEPS_FOCUS, True)
        self.theme = theme
        self.formats: Sequence[tuple[str, str]] = ()
        self.opens_in_browser = False
        self.run = self._quiet(self.tr("Run in browser"))
        self.run.setToolTip(self.tr("Scripts run in your browser, without network"))
        self.run.hide()
        self.others: Sequence[int] = ()
        self.tabs = QTabBar(self, drawBase=False, expanding=False, usesScrollButtons=True)
        self.tabs.setElideMode(Qt.TextElideMode.ElideRight)
        self.tabs.setAccessibleName(self.tr("Artifacts of this thread"))
        self.title = ElidedButton(theme, self)
        self.title.setProperty("kind", "heading")
        self.title.setMinimumWidth(1)
        self.title_field = QLineEdit(self)
        self.title_field.setAccessibleName(self.tr("Title"))
        self.title_field.hide()
        self.pin = self._tool("pin", self.tr("Keep in context"))
        self.pin.setCheckable(True)
        self.pin.setProperty("kind", "switch")
        self.more = self._tool("more", self.tr("More"))
        self.close_button = self._tool("close", self.tr("Close artifacts"))
        self.older = self._step("‹", self.tr("Previous version"))
        self.number = button_in(self, kind="quiet")
        self.newer = self._step("›", self.tr("Next version"))
        self.source = self._switch(self.tr("Source code"))
        self.source.hide()
        self.diff = self._switch(self.tr("Diff"))
        self.diff.setToolTip(self.tr("Compare with the version before"))
        self.edit = self._switch(self.tr("Edit"))
        self.copy = self._quiet(self.tr("Copy"))
        self.export = self._quiet(self.tr("Export"))
        self.reader = TranscriptView(theme, self)
        self.reader.offers_latest = False
        self.reader.row_layout.from_top = True
        self.lines = LinesView(theme, self)
        self.lines.setAccessibleName(self.tr("Differences"))
        self.drawing = DrawingView(theme, self)
        self.editor = ArtifactEditor(theme, self)
        self._colors = EditorColors(self.editor.text, self.reader)
        self.note = Caption(theme, self)
        self._stack = QStackedWidget(self)
        for view in (self.reader, self.lines, self.drawing, self.editor):
            self._stack.addWidget(view)
        self._lay_out()
        self._connect()
        theme.set_font("small", self.tabs, self.number, self.run, self.source, self.diff, self.edit)
        theme.set_font("small", self.older, self.newer, self.copy, self.export)
        theme.changed.connect(self._show_theme)
        theme.follow(self._apply_theme)

    # --- what is shown

    def show_list(self, titles: Sequence[str], current: int) -> None:
        """The artifacts of the thread; a single one needs no list."""
        self.tabs.blockSignals(True)
        while self.tabs.count() > len(titles):
            self.tabs.removeTab(self.tabs.count() - 1)
        for place, words in enumerate(titles):
            if place >= self.tabs.count():
                self.tabs.addTab("")
            short = words if len(words) <= IN_LIST else f"{words[: IN_LIST - 1].rstrip()}…"
            self.tabs.setTabText(place, short.replace("&", "&&"))
            self.tabs.setTabToolTip(place, words)
        if 0 <= current < len(titles):
            self.tabs.setCurrentIndex(current)
        self.tabs.blockSignals(False)
        self.tabs.setVisible(len(titles) > 1)

    def show_head(self, title: str, *, number: int, count: int, pinned: bool) -> None:
        """Title, and which version of how many is shown."""
        self.title.setText(title.replace("&", "&&"))
        self.title.setAccessibleName(self.tr("Rename: {title}").format(title=title))
        self.title.setToolTip(self.title.accessibleName())
        self.title.setProperty("whole", title)
        self.number.setText(self.tr("v{number} of {count}").format(number=number, count=count))
        self.number.setAccessibleName(self.tr("Version {number} of {count}").format(number=number, count=count))
        self.older.setEnabled(number > 1)
        self.newer.setEnabled(number < count)
        self.diff.setEnabled(count > 1)
        self.pin.setChecked(pinned)
        self.others = [other for other in range(1, count + 1) if other != number]

    def show_text(self, markdown: str, name: str) -> None:
        """A text as the transcript shows answers."""
        message = Message(READING, READING, None, "assistant", (TextPart(markdown),), "")
        self.reader.setAccessibleName(name)
        self.reader.show_path((message,), total=1)
        self.reader.navigation.scroll_to_message(READING)
        self._show(self.reader, "reading")

    def show_drawing(self, picture: QImage, name: str) -> None:
        self.drawing.show_picture(picture, name)
        self._show(self.drawing, "reading")

    def show_differences(self, lines: Sequence[TextLine]) -> None:
        """Show the differences between two versions."""
        self.lines.show_lines(lines, code=True)
        self._show(self.lines, "diff")

    def show_editor(self, text: str, language: str = "") -> None:
        """The text to be written on, with the keyboard in it."""
        self.editor.show_text(text)
        self._show(self.editor, "editing")
        self._colors.begin(language)
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def say(self, words: str, *, troubled: bool = False) -> None:
        """A line beneath the head, such as what went wrong; "" takes it away."""
        self.note.say(words, tone="danger" if troubled else "secondary")

    def set_changing(self, changing: bool) -> None:
        """A model writes a selection's new text: nothing else can be done meanwhile but stop it."""
        for one in (self.tabs, self.older, self.newer, self.source, self.diff, self.edit, self.more):
            one.setDisabled(changing)
        self.editor.set_changing(changing)

    @property
    def mode(self) -> PaneMode:
        """The mode in which the text is looked at."""
        shown = self._stack.currentWidget()
        return "editing" if shown is self.editor else "diff" if shown is self.lines else "reading"

    def begin_rename(self) -> None:
        """A field in the title's place."""
        self.title.hide()
        self.title_field.setText(str(self.title.property("whole") or ""))
        self.title_field.show()
        self.title_field.selectAll()
        self.title_field.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_inside(self) -> None:
        """Gives the keyboard to what is shown."""
        if (shown := self._stack.currentWidget()) is not None:
            shown.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # --- keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+S and Ctrl+Enter save; Esc leaves what is innermost: the title's field, editor, comparison, pane."""
        sends = (
            event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and event.modifiers() & Qt.KeyboardModifier.ControlModifier
        )
        if (sends or event.matches(QKeySequence.StandardKey.Save)) and self.mode == "editing":
            self.editor.save.click()
        elif event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.title_field.isVisible():
            self._end_rename()
        elif self.editor.changing:
            self.editor.stop_wanted.emit()
        elif self.mode != "reading":
            self.mode_wanted.emit("reading")
        else:
            self.close_requested.emit()

    # --- parts

    def _lay_out(self) -> None:
        head = in_row(
            (self.title, 1, Qt.AlignmentFlag.AlignLeft), (self.title_field, 1), margins=(EDGE, GRID // 2, GRID, 0)
        )
        for tool in (self.pin, self.more, self.close_button):
            head.addWidget(tool)
        versions = QWidget(self)
        steps = QHBoxLayout(versions)
        steps.setContentsMargins(0, 0, 0, 0)
        steps.setSpacing(0)
        for part in (self.older, self.number, self.newer):
            steps.addWidget(part)
        tools = QWidget(self)
        tools.setLayout(
            FlowRow(versions, self.run, self.source, self.diff, self.edit, self.copy, self.export, across=0, down=0)
        )
        in_column(
            in_row(self.tabs, margins=(EDGE, GRID // 2, GRID, 0)),
            head,
            in_row(tools, margins=(EDGE, 0, GRID, GRID // 2)),
            self._rule(),
            self.note,
            (self._stack, 1),
            of=self,
            spacing=0,
            margins=0,
        )

    def _rule(self) -> QFrame:
        rule = frame_in(self, "rule")
        rule.setFixedHeight(1)
        return rule

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(self.artifact_chosen)
        self.title.clicked.connect(self.begin_rename)
        self.title_field.returnPressed.connect(self._rename)
        self.title_field.editingFinished.connect(self._end_rename)
        self.older.clicked.connect(lambda: self.version_wanted.emit(-1))
        self.newer.clicked.connect(lambda: self.version_wanted.emit(1))
        self.number.clicked.connect(self._offer_versions)
        self.run.clicked.connect(self.run_wanted)
        self.source.clicked.connect(lambda on: self.mode_wanted.emit("source" if on else "reading"))
        self.diff.clicked.connect(lambda on: self.mode_wanted.emit("diff" if on else "reading"))
        self.edit.clicked.connect(lambda on: self.mode_wanted.emit("editing" if on else "reading"))
        self.copy.clicked.connect(self.copy_wanted)
        self.export.clicked.connect(self._offer_formats)
        self.pin.clicked.connect(self.pin_wanted)
        self.more.clicked.connect(self._offer_more)
        self.close_button.clicked.connect(self.close_requested)
        self.editor.left.connect(lambda: self.mode_wanted.emit("reading"))

    def _rename(self) -> None:
        self.rename_wanted.emit(self.title_field.text())
        self._end_rename()

    def _end_rename(self) -> None:
        if self.title_field.isVisible():
            self.title_field.hide()
            self.title.show()

    def _offer_versions(self) -> None:
        """The versions that the shown one can be compared with."""
        if not self.others:
            return
        menu = self._menu(self.number)
        self._add_comparisons(menu)
        self._pop(menu, self.number)

    def _add_comparisons(self, menu: Menu) -> None:
        for other in reversed(self.others):
            words = self.tr("Compare with v{number}").format(number=other)
            menu.addAction(words, partial(self.compared_wanted.emit, other))

    def _offer_formats(self) -> None:
        menu = self._menu(self.export)
        for form, words in self.formats:
            menu.addAction(words, partial(self.export_wanted.emit, form))
        self._pop(menu, self.export)

    def _offer_more(self) -> None:
        menu = self._menu(self.more)
        menu.addAction(self.tr("Rename"), self.begin_rename)
        if not self.run.isHidden():
            menu.addAction(self.run.text(), self.run_wanted.emit)
        if self.opens_in_browser:
            menu.addAction(self.tr("Open in browser"), self.browser_wanted.emit)
        if self.newer.isEnabled():
            menu.addAction(self.tr("Restore this version"), self.restore_wanted.emit)
        if self.others:
            self._add_comparisons(menu.add_submenu(self.tr("Compare with another version")))
        menu.addSeparator()
        menu.addAction(self.tr("Delete"), self.delete_wanted.emit)
        self._pop(menu, self.more)

    def _menu(self, button: QWidget) -> Menu:
        return Menu(self, button.accessibleName(), once=True)

    def _pop(self, menu: Menu, button: QWidget) -> None:
        menu.open_at(button)

    def _show(self, view: QWidget, mode: PaneMode) -> None:
        self._stack.setCurrentWidget(view)
        self.diff.setChecked(mode == "diff")
        self.edit.setChecked(mode == "editing")
        self.source.setChecked(self.source.isChecked() and mode == "reading")

    def _tool(self, drawing: str, words: str) -> QToolButton:
        button = tool_in(self, name=words)
        set_icon(button, drawing, self.theme)
        return button

    def _step(self, sign: str, words: str) -> QPushButton:
        return button_in(self, sign, kind="quiet", name=words, tip=words)

    def _quiet(self, words: str) -> QPushButton:
        return button_in(self, words, kind="quiet", name=words)

    def _switch(self, words: str) -> QPushButton:
        button = self._quiet(words)
        button.setCheckable(True)
        return button

    def _apply_theme(self) -> None:
        self.title.setFont(self.theme.title_font())

    def _show_theme(self) -> None:
        self.reader.set_theme(self.theme)
        if not self.drawing.isHidden():
            self.version_wanted.emit(0)
