"""The place of formulas in a run of text: as one wide letter each, or as the line that stands for them.

The text that is laid out is not the text that is read (a formula reads as its LaTeX), so positions are translated both
ways. Knows nothing of blocks, rows or processes.
"""

from __future__ import annotations

import math
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextCharFormat, QTextLayout

from desktop_app.core.markdown.blocks import inner_source
from desktop_app.core.markdown.formula_text import readable_formula
from desktop_app.core.markdown.inline_text import LINE_BREAK, Inline, Span
from desktop_app.ui.transcript.formulas import EM
from desktop_app.ui.transcript.formulas.formula_cache import X_HEIGHT, FormulaDrawing
from desktop_app.ui.transcript.items.item import MarkKind, text_range, utf16_length

if TYPE_CHECKING:
    from desktop_app.ui.theme.theme import MeasuredFont
    from desktop_app.ui.transcript.canvas.text_style import TextStyle
    from desktop_app.ui.transcript.formulas.formula_cache import FormulaCache

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
        narrower = min(1.0, self._width / width)
        if narrower < NARROWEST:
            place.drawing = None
            return ""
        size *= narrower
        up = drawing.up * size / EM
        lower = min(1.0, room_above / up if up > 0 else 1.0)
        if lower >= LOWEST:
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
