"""The formulas in a run of text: typeset, being typeset or not to be had, each as a wide letter or the line for it."""

from __future__ import annotations

import math
import time
from bisect import bisect_left
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from PySide6.QtCore import QObject, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QTextCharFormat, QTextLayout

from desktop_app.core.markdown.blocks import inner_source, is_demanding
from desktop_app.core.markdown.formula_text import readable_formula
from desktop_app.core.markdown.inline_text import LINE_BREAK, Inline, Span
from desktop_app.ui.theme.theme import MeasuredFont
from desktop_app.ui.transcript.formulas import EM
from desktop_app.ui.transcript.formulas.formula_typesetter import Answer, FormulaTypesetter, Key
from desktop_app.ui.transcript.items.item import MarkKind, TextStyle, text_range, utf16_length

#: Height of an x in the formula font over its size. Formulas are set so that theirs is that of the text around them.
X_HEIGHT = 0.479


@dataclass(frozen=True, slots=True)
class FormulaDrawing:
    """Outlines in thousandths of the font size; `up` and `down` are measured from the baseline.

    `letters` (x, y, size, character) are drawn with the font of the text around the formula.
    """

    path: QPainterPath
    width: float
    up: float
    down: float
    letters: Sequence[tuple[float, float, float, str]] = ()

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> FormulaDrawing:
        """The drawing of an answer of the process that typesets."""
        letters = tuple((x, y, size, letter) for x, y, size, letter in facts["letters"])
        return cls(_path(facts["path"]), facts["width"], facts["up"], facts["down"], letters)

    @property
    def weight(self) -> int:
        """The room it takes, in points of its outline."""
        return self.path.elementCount() + len(self.letters)

    def paint(self, painter: QPainter, at: QPointF, size: float, ink: QColor, font: QFont) -> None:
        """Draws it from a point of its baseline on, in a font size in pixels; `font` is that of the text around."""
        painter.save()
        painter.translate(at)
        scale = size / EM
        if self.letters:
            painter.setPen(ink)
            letters = QFont(font)
            for left, y, height, letter in self.letters:
                letters.setPixelSize(max(1, round(height * scale)))
                painter.setFont(letters)
                painter.drawText(QPointF(left * scale, y * scale), letter)
        painter.scale(scale, scale)
        painter.fillPath(self.path, ink)
        painter.restore()


def _path(commands: Sequence[str | float]) -> QPainterPath:
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    at = 0
    while at < len(commands):
        match commands[at]:
            case "M":
                path.moveTo(*_numbers(commands, at, 2))
                at += 3
            case "L":
                path.lineTo(*_numbers(commands, at, 2))
                at += 3
            case "Q":
                path.quadTo(*_numbers(commands, at, 4))
                at += 5
            case "C":
                path.cubicTo(*_numbers(commands, at, 6))
                at += 7
            case _:
                path.closeSubpath()
                at += 1
    return path


def _numbers(commands: Sequence[Any], at: int, count: int) -> Sequence[Any]:
    return commands[at + 1 : at + 1 + count]


MOST_KEPT: Final = 4_000
"""Formulas that are remembered."""
MOST_POINTS: Final = 400_000
"""Points of all outlines that are kept: 10 MB, or about 800 formulas."""
MOST_WAITING: Final = 1_000
"""Formulas that may wait for being typeset; the others keep the line that stands for them."""
MOST_IN_VAIN: Final = 8
PERIOD_S: Final = 60.0
"""So many formulas may use up their time in vain in so many seconds; then only short ones are typeset for a while."""
SHORT: Final = 200
"""Characters of a formula that is typeset even then."""

HOLD_S: Final = 0.25
"""Seconds a growing text waits at most for the next formula; it takes 0.02 s where nothing else is done."""
COLD_HOLD_S: Final = 2.0
"""Seconds it waits at most for one that others come before, or for the start of the process, which takes 0.3 s."""
TOGETHER_MS: Final = 40
"""Milliseconds within which arriving formulas are shown together, so that the text around moves once."""
LOOK_MS: Final = 8
"""Milliseconds between two looks for a formula, while one is awaited."""


class _Typeset:
    """The formulas that have been typeset: between two threads, so nothing here goes with a window."""

    def __init__(self) -> None:
        self.done: deque[tuple[Key, FormulaDrawing | None]] = deque()
        self.in_vain: deque[float] = deque([-PERIOD_S] * MOST_IN_VAIN, MOST_IN_VAIN)

    def add(self, key: Key, answer: Answer | None) -> None:
        """Called in the thread of the press."""
        drawing = None
        if answer is not None and "failed" not in answer:
            drawing = FormulaDrawing.of(answer)
        elif answer is not None and answer["failed"] == "time":
            self.in_vain.append(time.monotonic())
        self.done.append((key, drawing))


class FormulaCache(QObject):
    """Asks for formulas when they are looked for; `arrived` comes when something has changed for those who wait."""

    arrived = Signal()

    def __init__(self, parent: QObject | None = None, *, press: type[FormulaTypesetter] = FormulaTypesetter) -> None:
        super().__init__(parent)
        self.kept: OrderedDict[Key, FormulaDrawing | None] = OrderedDict()
        self._asked: set[Key] = set()
        self._held = False
        self.weight = 0
        self._typeset = _Typeset()
        self.typesetter = press(self._typeset.add)
        self._poll = QTimer(self, interval=LOOK_MS)
        self._poll.timeout.connect(self.take_arrived)
        self._together = QTimer(self, singleShot=True)
        self._together.setTimerType(Qt.TimerType.PreciseTimer)  # a coarse one may come too early
        self._together.timeout.connect(self.announce)
        self.destroyed.connect(self.typesetter.close)

    @property
    def busy(self) -> bool:
        """True while formulas are being typeset."""
        return bool(self._asked) or self._together.isActive()

    def get_ready(self) -> None:
        """A formula is coming."""
        self.typesetter.get_ready()

    def close(self) -> None:
        """Ends the process; nothing arrives any more."""
        self.typesetter.close()
        self._asked.clear()
        self._poll.stop()
        self._together.stop()

    def find(self, source: str, *, display: bool) -> FormulaDrawing | None:
        """The formula, without its delimiters, as it is drawn; None: not yet, or never.

        `display`: it stands in a line of its own. One that is not known is asked for.
        """
        key = (source, display)
        if key in self.kept:
            self.kept.move_to_end(key)
            return self.kept[key]
        too_much = len(source) > SHORT and time.monotonic() - self._typeset.in_vain[0] < PERIOD_S
        if key not in self._asked and len(self._asked) < MOST_WAITING and not too_much and not is_demanding(source):
            self._asked.add(key)
            self.typesetter.ask(key)
            if not self._poll.isActive():
                self._poll.start()
        return None

    def waits(self, source: str, since: float, *, display: bool) -> bool:
        """True while it is worth to wait for a formula that was asked for; `arrived` comes when it no longer is.

        `since`: when the waiting began, on the clock that only goes on.
        """
        heard = self.typesetter.heard  # as long as others come that were waited for longer, it may come, too
        longest = since + COLD_HOLD_S
        left = (longest if heard is None else min(longest, max(since, heard) + HOLD_S)) - time.monotonic()
        if (source, display) not in self._asked or left <= 0:
            return False
        self.typesetter.hurry((source, display))
        self._held = True
        if not self._together.isActive() or self._together.remainingTime() > left * 1_000:
            self._together.start(int(left * 1_000) + 1)
        return True

    def is_late(self, source: str, *, display: bool) -> bool:
        """True for a formula that was asked for and has not come."""
        return (source, display) in self._asked

    def take_arrived(self) -> None:
        """Keeps what has been typeset since."""
        while self._typeset.done:
            self._keep(*self._typeset.done.popleft())
        if not self._asked:
            self._poll.stop()

    def _keep(self, key: Key, drawing: FormulaDrawing | None) -> None:
        self._asked.discard(key)
        self.kept[key] = drawing
        self.weight += drawing.weight if drawing is not None else 0
        while len(self.kept) > MOST_KEPT or self.weight > MOST_POINTS:
            _, old = self.kept.popitem(last=False)
            self.weight -= old.weight if old is not None else 0
        if self._held or not self._asked:
            self.announce()
        elif not self._together.isActive():
            self._together.start(TOGETHER_MS)

    def announce(self) -> None:
        """Says that formulas have arrived."""
        self._held = False
        self._together.stop()
        self.arrived.emit()


#: What is laid out in a formula's place: a letter, so that lines break around it as around a word. It is not seen.
STAND_IN: Final = "x"
#: Formulas of one run of text that are typeset; the others keep the line that stands for them.
MOST: Final = 100
#: Empty pixels on both sides of a formula.
PAD: Final = 1.0
#: So much smaller than the text's own size a formula is set, if need be, to fit in its line and in the column.
LOWEST: Final = 0.8
NARROWEST: Final = 0.65
#: How far, in pixels, a formula may reach over its line, into what is free beneath the letters of the line above.
OVER_ABOVE: Final = 1.0
#: How far it keeps away from the line below.
CLEAR_BELOW: Final = 1.0


@dataclass(slots=True)
class InlineFormula:
    """One formula: `start` to `end` in the text that is read, `shown` to `shown_end` in what is laid out (UTF-16).

    `size` is its font size in pixels, 0 where the line that stands for it is shown. `above` and `below` are the pixels
    that its line needs beyond its pitch.
    """

    start: int
    end: int
    shown: int
    shown_end: int
    drawing: FormulaDrawing | None = None
    size: float = 0.0
    above: int = 0
    below: int = 0
    form: QTextCharFormat | None = None

    @property
    def width(self) -> float:
        """In pixels."""
        return self.drawing.width * self.size / EM + 2 * PAD if self.drawing is not None else 0.0

    @property
    def reach(self) -> tuple[float, float]:
        """The distances that it reaches above and below the baseline, in pixels."""
        if self.drawing is None:
            return 0.0, 0.0
        return self.drawing.up * self.size / EM, self.drawing.down * self.size / EM

    def paint(self, painter: QPainter, left: float, baseline: float, ink: QColor, font: QFont) -> None:
        """Draws it from `left` on."""
        if self.drawing is not None:
            self.drawing.paint(painter, QPointF(left + PAD, baseline), self.size, ink, font)


@dataclass(slots=True)
class FormulaDecisions:
    """The decisions for the formulas of a text, by source. `steady`: painted text must not change.

    Without `steady` a formula takes the place of the line that stands for it as soon as it is typeset. `incomplete`:
    formulas are still being typeset that would change the text as it is laid out.
    """

    steady: bool = False
    incomplete: bool = False
    _made: dict[str, FormulaDrawing | None] = field(default_factory=dict)
    _since: dict[str, float] = field(default_factory=dict)

    def forget(self) -> None:
        """Formulas that were not there in time may take their places after all."""
        self._made = {source: drawing for source, drawing in self._made.items() if drawing is not None}

    def decide(
        self, formulas: FormulaCache, source: str, *, display: bool = False
    ) -> tuple[FormulaDrawing | None, bool]:
        """The drawing, and whether it is worth to wait for it instead of showing what stands for it."""
        if self._made.get(source) is not None or (self.steady and source in self._made):
            self.incomplete = self.incomplete or self._made[source] is None
            return self._made[source], False
        drawing = formulas.find(source, display=display)
        late = drawing is None and formulas.is_late(source, display=display)
        self.incomplete = self.incomplete or late
        if late and self.steady:
            since = self._since.setdefault(source, time.monotonic())
            if formulas.waits(source, since, display=display):
                return None, True
        self._made[source] = drawing
        return drawing, False

    def awaits(self, inline: Inline, formulas: FormulaCache) -> bool:
        """Return True if a formula of a text is being typeset and nothing stands for it yet."""
        return any(self.decide(formulas, inner_source(span.target))[1] for span in formula_spans(inline)[:MOST])


class TextWithFormulas:
    """The formulas of one text, laid out in a face at a width. `text` is what is to be laid out.

    `held` is the position in it from which on nothing is to be shown yet, None: all is shown.
    """

    def __init__(
        self,
        inline: Inline,
        to_qt: Callable[[int], int],
        style: TextStyle,
        face: MeasuredFont,
        *,
        width: int,
        formulas: FormulaCache | None,
        decisions: FormulaDecisions,
    ) -> None:
        self.places: list[InlineFormula] = []
        self.held: int | None = None
        self._style, self._face, self._width = style, face, width
        parts: list[str] = []
        read = shown = 0
        above = LINE_BREAK
        for number, span in enumerate(formula_spans(inline)):
            before = inline.text[read : span.start]
            parts.append(before)
            above = before or above
            shown += utf16_length(before)
            place = InlineFormula(to_qt(span.start), to_qt(span.end), shown, shown)
            source = inner_source(span.target)
            wait = False
            if formulas is not None and number < MOST:
                place.drawing, wait = decisions.decide(formulas, source)
            if wait and self.held is None:
                self.held = shown
            text = self._fitted(place, first=above.endswith(LINE_BREAK)) or _line(style, place, span)
            parts.append(text)
            above = text
            shown += utf16_length(text)
            place.shown_end = shown
            place.shown = shown - 1 if place.drawing is not None else place.shown
            self.places.append(place)
            read = span.end
        parts.append(inline.text[read:])
        self.text = "".join(parts)
        self._starts = [place.start for place in self.places]

    def _fitted(self, place: InlineFormula, *, first: bool) -> str:
        """Sizes a formula for its line; empty where it does not fit, and what stands for it is shown."""
        drawing, face = place.drawing, self._face
        if drawing is None:
            return ""
        size = formula_size(face.font)
        room_above, room_below = face.baseline + OVER_ABOVE, face.pitch - face.baseline - CLEAR_BELOW
        width = drawing.width * size / EM + 2 * PAD
        if (narrower := min(1.0, self._width / width)) < NARROWEST:
            place.drawing = None
            return ""
        size *= narrower
        up = drawing.up * size / EM
        if (lower := min(1.0, room_above / up if up > 0 else 1.0)) >= LOWEST:
            size *= lower
        else:
            place.above = math.ceil(up + 1 - room_above)
        place.below = max(0, math.ceil(drawing.down * size / EM - room_below))
        place.size = size
        place.form = self._wide(place.width)
        # what raises its line begins it: words that are painted in a line already must not move down
        return STAND_IN if first or not place.above else LINE_BREAK + STAND_IN

    def _wide(self, width: float) -> QTextCharFormat:
        form = QTextCharFormat()
        metrics = QFontMetricsF(self._face.font)
        form.setFont(self._face.font)
        form.setFontLetterSpacingType(QFont.SpacingType.AbsoluteSpacing)
        form.setFontLetterSpacing(width - metrics.horizontalAdvance(STAND_IN))
        form.setForeground(QColor(Qt.GlobalColor.transparent))
        return form

    def formats(self) -> list[QTextLayout.FormatRange]:
        """Return the formats by which the formulas differ from the text around them."""
        return [text_range(place.shown, place.shown_end - place.shown, place.form) for place in self.places]

    def make_room(self, layout: QTextLayout) -> Sequence[tuple[int, int]]:
        """Moves lines apart for formulas that need it; the tops of lines and of their text, and the end of the last.

        Empty where all lines are of the same height.
        """
        room: dict[int, tuple[int, int]] = {}
        for place in self.places:
            if place.above or place.below:
                number = layout.lineForTextPosition(place.shown).lineNumber()
                above, below = room.get(number, (0, 0))
                room[number] = (max(above, place.above), max(below, place.below))
        if not room:
            return ()
        tops, bottom = [], 0
        for number in range(layout.lineCount()):
            above, below = room.get(number, (0, 0))
            tops.append((bottom, bottom + above))
            line = layout.lineAt(number)
            line.setPosition(QPointF(0, bottom + above + self._face.baseline - line.ascent()))
            bottom += above + self._face.pitch + below
        return [*tops, (bottom, bottom)]

    def drawn(self, hidden: int | None) -> Iterator[InlineFormula]:
        """The formulas that are painted over their stand-ins; `hidden`: from there on nothing is seen."""
        return (p for p in self.places if p.drawing is not None and (hidden is None or p.shown < hidden))

    def marked(self, start: int, end: int, kind: MarkKind) -> Iterator[QTextLayout.FormatRange]:
        """A mark on the text that is read, for what is laid out; the stand-ins stay unseen."""
        at, end, form = self.to_shown(start), self.to_shown(end, end=True), self._style.marks[kind]
        for place in self.places:
            if place.drawing is not None and at < place.shown_end and place.shown < end:
                if place.shown > at:
                    yield text_range(at, place.shown - at, form)
                yield text_range(place.shown, place.shown_end - place.shown, self._style.unseen(kind))
                at = place.shown_end
        if end > at:
            yield text_range(at, end - at, form)

    # --- positions

    def to_shown(self, position: int, *, end: bool = False) -> int:
        """Return the laid-out position of a position in the text that is read; within a formula its start, or `end`."""
        number = bisect_left(self._starts, position)
        if number < len(self.places) and self.places[number].start == position:
            return self.places[number].shown
        if not number:
            return position
        place = self.places[number - 1]
        if position < place.end:
            return place.shown_end if end else place.shown
        return place.shown_end + position - place.end

    def to_read(self, position: int) -> int:
        """The position of the text that is read, for one of what is laid out; within a formula its nearer end."""
        read = shown = 0
        for place in self.places:
            if position <= place.shown:
                return min(place.start, read + position - shown)
            if position < place.shown_end:
                return place.start if 2 * position < place.shown + place.shown_end else place.end
            read, shown = place.end, place.shown_end
        return read + position - shown

    def around(self, position: int) -> tuple[int, int] | None:
        """The formula that a position of the text that is read lies in, from its start to before its end."""
        return next(((p.start, p.end) for p in self.places if p.start <= position < p.end), None)


def formula_size(font: QFont) -> float:
    """The font size, in pixels, in which a formula's small letters are as high as those of a text in `font`."""
    return QFontMetricsF(font).xHeight() / X_HEIGHT


def natural_width(inline: Inline, face: MeasuredFont, formulas: FormulaCache | None) -> float:
    """Return the width of a text in one line, with its formulas as they would be shown now."""
    metrics, size = QFontMetricsF(face.font), formula_size(face.font)
    width, read = 0.0, 0
    for span in formula_spans(inline):
        width += metrics.horizontalAdvance(inline.text[read : span.start])
        drawing = formulas.find(inner_source(span.target), display=False) if formulas is not None else None
        if drawing is not None:
            width += drawing.width * size / EM + 2 * PAD
        else:
            width += metrics.horizontalAdvance(readable_formula(span.target) or span.target)
        read = span.end
    return width + metrics.horizontalAdvance(inline.text[read:])


def formula_spans(inline: Inline) -> Sequence[Span]:
    return [span for span in inline.spans if span.kind == "formula"]


def _line(style: TextStyle, place: InlineFormula, span: Span) -> str:
    """The line of text that stands for a formula, else its source."""
    shown = readable_formula(span.target)
    place.form = style.format("formula" if shown is not None else "math")
    return (shown if shown is not None else span.target).replace("\n", LINE_BREAK)
