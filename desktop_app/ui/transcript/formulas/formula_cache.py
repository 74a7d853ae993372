"""The formulas that are typeset, being typeset or can't be, and how each is drawn: in any size and color."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from PySide6.QtCore import QObject, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath

from desktop_app.core.markdown.blocks import is_demanding
from desktop_app.ui.transcript.formulas import EM
from desktop_app.ui.transcript.formulas.formula_typesetter import Answer, FormulaTypesetter, Key

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
        self._poll = QTimer(self)
        self._poll.setInterval(LOOK_MS)
        self._poll.timeout.connect(self.take_arrived)
        self._together = QTimer(self)
        self._together.setSingleShot(True)
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
