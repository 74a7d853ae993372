"""The marks of one text field: the words that are checked, the waves, the menu of a wrong word with its suggestions."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, cast

from PySide6.QtCore import QObject, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QContextMenuEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QTextBlock,
    QTextCursor,
)
from PySide6.QtWidgets import QMenu

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.spelling.speller import Speller
from desktop_app.ui.widgets.floating import Floating
from desktop_app.ui.widgets.message_field import CheckedEdit
from desktop_app.ui.widgets.parts import single_shot

LONGEST_WORD: Final = 60
"""Characters; what is longer is no word that somebody wrote. Hunspell itself gives up at 100 bytes."""
KEPT_CHUNKS: Final = 4_096
"""Pieces between spaces whose words are remembered."""
LONGEST_LINE: Final = 20_000
"""Characters of a line (a paragraph) from which on it is left alone: it is data, not writing."""

# Python's \w knows no combining marks, which stand inside of words in many scripts; ZWNJ and ZWJ do, too
_MARKS: Final = "\u00ad\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0df4\u200c\u200d"
_LETTERS: Final = rf"[^\W\d_](?:[^\W\d_]|[{_MARKS}])*"
_WORD: Final = re.compile(rf"{_LETTERS}(?:['’]{_LETTERS})*")
_CHUNK: Final = re.compile(r"\S+")
_SPAN: Final = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_DOLLARS: Final = re.compile(r"(?<![\w$\\])\$[^\s$](?:[^$]*[^\s$])?\$(?![\w$])")
# With what closes each: behind the last of these none is looked for, so that each character is looked at once.
_MATHS: Final = (
    (re.compile(r"\$\$.+?\$\$"), "$$"),
    (re.compile(r"\\\(.+?\\\)"), "\\)"),
    (re.compile(r"\\\[.+?\\\]"), "\\]"),
)
_FENCE: Final = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_LIST_ITEM: Final = re.compile(r"[-*+•]\s|\d+[.)]\s")
# scripts written without spaces between words, and those of the Chinese family
_NO_SPACES: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
    "\uff66-\uffdc\U00020000-\U0003ffff]"
)
# addresses, e-mail, names of people and topics, options, paths, file names and what has an underscore
_CODE_LIKE: Final = re.compile(
    r"://|^www\.|^mailto:|@|^[#/~]|^\.{1,2}/|\\|[^\W_]_+[^\W_]|__|^[(\[\"'“‘«]*--?[^\W\d_]|/.*/|\w=|=\w|::|->"
    r"|[^\W\d_]\.[^\W\d_]|\w\(\w|\w\(\)|[<>{}|]"
)


@dataclass(frozen=True, slots=True)
class CheckedWord:
    """A word in a line: where it begins and how many characters it has, counted as Python does, and its letters."""

    start: int
    length: int
    text: str


def words_of(line: str) -> tuple[CheckedWord, ...]:
    """The words of a line that a dictionary may be asked about.

    Not: code spans, formulas, addresses, paths, names with signs or digits in them, mixed case (`iPhone`), all
    capitals, single letters, and scripts that put no space between words.
    """
    if len(line) > LONGEST_LINE or not line:
        return ()
    plain = _blanked(line) if "`" in line or "$" in line or "\\" in line else line
    return tuple(
        CheckedWord(chunk.start() + word.start, word.length, word.text)
        for chunk in _CHUNK.finditer(plain)
        for word in _in_chunk(chunk[0])
    )


def code_lines(lines: Sequence[str]) -> frozenset[int]:
    """The numbers of the lines that are code: fenced with ``` or ~~~ (the fences, too), or indented after an empty one.

    An unclosed fence reaches to the end, as it does in what the answer's reader sees.
    """
    found: set[int] = set()
    fence = ""
    indented = after_empty = True
    for number, line in enumerate(lines):
        sign = _FENCE.match(line)
        if fence:
            found.add(number)
            closes = sign is not None and sign[1].startswith(fence) and not line[sign.end() :].strip(" \t`~")
            fence = "" if closes else fence
            indented, after_empty = False, True
            continue
        if sign is not None:
            found.add(number)
            fence = sign[1]
            continue
        stripped = line.lstrip()
        deep = line.startswith(("    ", "\t")) and bool(stripped) and not _LIST_ITEM.match(stripped)
        indented = deep and (after_empty or indented)
        if indented:
            found.add(number)
        after_empty = not stripped
    return frozenset(found)


# A key changes one word of a line, and the whole line is read anew: this is most of what the key would cost.
@lru_cache(KEPT_CHUNKS)
def _in_chunk(chunk: str) -> tuple[CheckedWord, ...]:
    return () if _CODE_LIKE.search(chunk) else tuple(_checked_words(chunk))


def _checked_words(chunk: str) -> Iterator[CheckedWord]:
    for found in _WORD.finditer(chunk):
        text = found[0]
        before, after = chunk[: found.start()][-1:], chunk[found.end() :][:1]
        if before.isdigit() or after.isdigit() or not _is_checked(text):
            continue
        yield CheckedWord(found.start(), len(text), text)


def _is_checked(text: str) -> bool:
    if not 1 < len(text) <= LONGEST_WORD or _NO_SPACES.search(text):
        return False
    # capitals inside make a name or an abbreviation; what follows an apostrophe begins anew, as in O'Neill
    return all(part[1:] == part[1:].lower() for part in re.split("['’]", text))


def _blanked(line: str) -> str:
    """The line with spaces in the place of code spans and formulas; every character keeps its place."""
    line = _SPAN.sub(lambda span: " " * len(span[0]), line)
    for maths, closer in _MATHS:
        end = line.rfind(closer) + len(closer) if closer in line else 0
        line = maths.sub(lambda span: " " * len(span[0]), line[:end]) + line[end:]
    return _DOLLARS.sub(lambda span: " " * len(span[0]), line)


class Suggestions(QObject):
    """Lives with its menu, at whose top it stands. `chosen(suggestion)`."""

    chosen = Signal(str)

    def __init__(self, menu: QMenu, speller: Speller, word: str) -> None:
        super().__init__(menu)
        self._menu = menu
        self._speller = speller
        self._word = word
        self._shown: list[QAction] = []
        if (known := speller.suggestions(word)) is None:
            self._show([self._told(tr("Looking for suggestions…"))])
            speller.suggested.connect(self._come)
            speller.suggest(word)
        else:
            self._show(self._known(known))

    def _come(self, word: str) -> None:
        """Show the words that came in the open menu; all entries below keep their place under the pointer."""
        if word != self._word:
            return
        self._speller.suggested.disconnect(self._come)
        known = self._speller.suggestions(word)
        before = self._menu.sizeHint()
        self._show(
            self._known(known)
            if known is not None
            else [self._told(tr("Suggestions could not be looked up"))]  # its process ended over them
        )
        if self._menu.isVisible():
            size, area = self._menu.sizeHint(), self._menu.screen().availableGeometry()
            place = self._menu.pos()
            top = max(area.top(), place.y() + before.height() - size.height())
            left = max(area.left(), min(place.x(), area.right() + 1 - size.width()))
            self._menu.setGeometry(left, top, size.width(), size.height())

    def _known(self, suggestions: tuple[str, ...]) -> list[QAction]:
        actions = []
        for suggestion in suggestions:
            action = QAction(suggestion.replace("&", "&&"), self._menu)
            font = action.font()
            font.setBold(True)
            action.setFont(font)
            action.triggered.connect(lambda _down=False, text=suggestion: self.chosen.emit(text))
            actions.append(action)
        return actions or [self._told(tr("No suggestions"))]

    def _told(self, words: str) -> QAction:
        return QAction(words, self._menu, enabled=False)

    def _show(self, actions: list[QAction]) -> None:
        below = self._menu.actions()
        if (first := next((action for action in below if action not in self._shown), None)) is None:
            self._menu.addActions(actions)
        else:
            self._menu.insertActions(first, actions)
        for action in self._shown:
            self._menu.removeAction(action)
            action.deleteLater()
        self._shown = actions


REST_MS = 200
"""Words are looked up when typing has rested this long; those known already are marked at once."""
LONGEST_TEXT = 100_000
"""Characters. A longer text is a document, not something that is being written: it is left alone."""
MOST_SHOWN_LINES = 200
LOOKED_AHEAD = 12
"""Wrong words in view for which suggestions are looked for before anybody asks."""
WAVE = 2.0
"""Height of a wave in pixels; it is four times as long."""
LINE = 1.2
"""Its thickness in pixels."""


class FieldSpelling(QObject):
    """Lives with its field."""

    def __init__(self, field: CheckedEdit, speller: Speller, color: QColor) -> None:
        super().__init__(field)
        self._field = field
        self._speller = speller
        self._color = color
        self._words: dict[str, tuple[CheckedWord, ...]] = {}
        self._code: frozenset[int] = frozenset()
        self._revision = -1
        self._wave: tuple[tuple[int, float], QPixmap] | None = None
        self._typing = False
        self._changing = False
        self._rest = single_shot(self, self._look_up, REST_MS)
        field.marks = self
        field.document().contentsChange.connect(self._text_changed)
        field.cursorPositionChanged.connect(self._cursor_moved)
        field.verticalScrollBar().valueChanged.connect(self._rest.start)
        field.verticalScrollBar().rangeChanged.connect(self._rest.start)
        speller.verdicts_changed.connect(self._verdicts_changed)
        self._look_up()

    def set_color(self, color: QColor) -> None:
        self._color = color
        self._field.viewport().update()

    def end(self) -> None:
        """The field is not checked any more."""
        self._field.marks = None
        self._field.viewport().update()
        self.deleteLater()

    # --- what is marked

    def marked(self) -> list[tuple[QTextBlock, CheckedWord]]:
        """The wrong words in view, each with its line."""
        return [
            (block, word)
            for block, _, _, words in self._shown_words()
            for word in words
            if self._is_marked(block, word)
        ]

    def paint(self, event: QPaintEvent) -> None:
        rect = QRectF(event.rect())
        areas = [
            placed
            for block, left, top, words in self._shown_words(rect.top(), rect.bottom())
            for word in words
            if self._is_marked(block, word)
            for area in wave_areas(block, word)
            if rect.intersects(placed := area.translated(left, top))
        ]
        if areas:
            wave = self._tile()
            painter = QPainter(self._field.viewport())
            for area in areas:
                painter.drawTiledPixmap(area.toRect(), wave)
            painter.end()

    def _tile(self) -> QPixmap:
        """One wave, in the pixels of the screen that the field is on."""
        look = (self._color.rgba(), self._field.devicePixelRatioF())
        if self._wave is None or self._wave[0] != look:
            self._wave = (look, _wave(self._color, look[1]))
        return self._wave[1]

    def _shown_words(
        self, above: float = -math.inf, below: float = math.inf
    ) -> Iterator[tuple[QTextBlock, float, float, tuple[CheckedWord, ...]]]:
        """Each line in view with its place and its words; only what stands between two heights."""
        document = self._field.document()
        if document.characterCount() > LONGEST_TEXT or self._field.isReadOnly():
            return
        if document.revision() != self._revision:
            self._revision = document.revision()
            self._code = code_lines(self._field.toPlainText().split("\n"))
        for block, area in self._field.shown_blocks()[:MOST_SHOWN_LINES]:
            if area.bottom() < above or area.top() > below or block.blockNumber() in self._code:
                continue
            text = block.text()
            if (words := self._words.get(text)) is None:
                if len(self._words) > 4 * MOST_SHOWN_LINES:
                    self._words.clear()
                words = self._words[text] = words_of(text)
            if words:
                yield block, area.left(), area.top(), words

    def _is_marked(self, block: QTextBlock, word: CheckedWord) -> bool:
        return self._speller.is_wrong(word.text) and not (self._typing and self._touches_cursor(block, word))

    def _touches_cursor(self, block: QTextBlock, word: CheckedWord) -> bool:
        at = self._field.textCursor().position() - block.position()
        return _units(block, word.start) <= at <= _units(block, word.start + word.length)

    # --- looking up

    def _text_changed(self, at: int, removed: int, added: int) -> None:
        if not removed and not added:
            return
        # a draft that is shown was typed before
        shown = at == 0 and added > 2 and added >= self._field.document().characterCount() - 1
        self._typing, self._changing = not shown, True
        self._rest.start()

    def _cursor_moved(self) -> None:
        if self._changing:
            self._changing = False  # it moved along with the text
        elif self._typing:
            self._typing = False
            self._field.viewport().update()

    def _verdicts_changed(self) -> None:
        self._field.viewport().update()
        self._rest.start()

    def _look_up(self) -> None:
        if not self._field.isVisible():
            return
        self._changing = False
        shown = [word.text for _, _, _, words in self._shown_words() for word in words]
        self._speller.look_up(dict.fromkeys(shown))
        for text in list(dict.fromkeys(word.text for _, word in self.marked()))[:LOOKED_AHEAD]:
            self._speller.suggest(text, soon=False)

    def come_into_view(self) -> None:
        """Look up the text that came while a page lay over the field."""
        self._rest.start()

    # --- the menu

    def open_menu(self, event: QContextMenuEvent) -> bool:
        """Suggestions above the usual menu, where there is a wrong word under the pointer or at the cursor."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        cursor = self._field.textCursor() if by_key else self._field.cursorForPosition(event.pos())
        place = self._field.cursorRect().bottomLeft() if by_key else event.pos()
        if (found := self._wrong_at(cursor)) is None:
            return False
        word, range_ = found
        at = self._field.viewport().mapToGlobal(place) if by_key else event.globalPos()
        self._show_menu(word, range_, place, at)
        return True

    def _wrong_at(self, cursor: QTextCursor) -> tuple[str, QTextCursor] | None:
        block = cursor.block()
        at = cursor.position() - block.position()
        for shown, _, _, words in self._shown_words():
            if shown != block:
                continue
            for word in words:
                start, end = _units(block, word.start), _units(block, word.start + word.length)
                if start <= at <= end and self._speller.is_wrong(word.text):
                    range_ = QTextCursor(block)
                    range_.setPosition(block.position() + start)
                    range_.setPosition(block.position() + end, QTextCursor.MoveMode.KeepAnchor)
                    return word.text, range_
        return None

    def _show_menu(self, word: str, range_: QTextCursor, place: QPoint, at: QPoint) -> None:
        menu = self._field.createStandardContextMenu(place)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        Floating(menu)
        menu.setAccessibleName(tr("Spelling of “{word}”").format(word=word))
        usual = menu.actions()
        learn = QAction(tr("Add “{word}” to the dictionary").format(word=word), menu)
        learn.triggered.connect(lambda: self._speller.learn(word))
        ignore = QAction(tr("Ignore “{word}”").format(word=word), menu, toolTip=tr("Until Plimsoll closes"))
        ignore.triggered.connect(lambda: self._speller.ignore(word))
        menu.insertActions(usual[0], [_separator(menu), learn, ignore, _separator(menu)])
        suggestions = Suggestions(menu, self._speller, word)
        suggestions.chosen.connect(lambda text: self._replace(range_, word, text))
        menu.popup(at)

    def _replace(self, range_: QTextCursor, word: str, suggestion: str) -> None:
        """As one step that Ctrl+Z takes back; only where the word still stands there."""
        if range_.selectedText() == word and not self._field.isReadOnly():
            range_.insertText(suggestion)
            self._typing = False


def _separator(menu: QMenu) -> QAction:
    action = QAction(menu)
    action.setSeparator(True)
    return action


def _units(block: QTextBlock, characters: int) -> int:
    """Qt's places count UTF-16 units: what is outside of the basic plane has two."""
    before = block.text()[:characters]
    return characters if before.isascii() else characters + sum(sign > "\uffff" for sign in before)


def wave_areas(block: QTextBlock, word: CheckedWord) -> Iterator[QRectF]:
    """Yield the areas of the wave under a word, in its paragraph: one, or several where the word is broken over
    lines.
    """
    layout = block.layout()
    start, end = _units(block, word.start), _units(block, word.start + word.length)
    at, composed = layout.preeditAreaPosition(), len(layout.preeditAreaText().encode("utf-16-le")) // 2
    if composed:
        # what is being composed stands in the layout, though not in the text
        start += composed if start >= at else 0
        end += composed if end > at else 0
    while start < end:
        line = layout.lineForTextPosition(start)
        until = min(end, line.textStart() + line.textLength()) if line.isValid() else start
        if until <= start:
            return
        # stubs know nothing of the pair that comes back
        left, right = (cast("tuple[float, int]", line.cursorToX(place))[0] for place in (start, until))
        yield QRectF(min(left, right), line.y() + line.ascent() + 1.0, abs(right - left), WAVE + LINE)
        start = until


def _wave(color: QColor, ratio: float) -> QPixmap:
    """A wave to be put side by side; `ratio`: pixels of the screen to one of the window's."""
    length, height = 4 * WAVE, WAVE + LINE
    picture = QPixmap(round(length * ratio), math.ceil(height * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    path = QPainterPath(QPointF(-WAVE, LINE / 2))
    for step in range(3):
        for place, y in ((step * length + WAVE, LINE / 2 + WAVE), (step * length + 3 * WAVE, LINE / 2)):
            path.lineTo(place, y)
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(color, LINE))
        painter.drawPath(path)
    return picture
