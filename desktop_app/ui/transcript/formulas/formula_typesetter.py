"""Has formulas typeset by a process, those that are waited for first, else the newest: both ends of it.

Never imports Qt. It runs apart because the library works in Python alone, 5-40 ms for a formula, which would hold up
the window, and because formulas are untrusted: it holds itself to limits of time and memory, and may write no file."""

from __future__ import annotations

import math
import re
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any, Final
from xml.etree.ElementTree import Element

from desktop_app.system.own_processes import TYPESET_FORMULAS, own_command
from desktop_app.system.worker_loop import serve
from desktop_app.system.worker_process import WorkerChild
from desktop_app.ui.transcript.formulas import EM, NotTypesetError
from desktop_app.ui.transcript.formulas.plain_latex import with_marks, without_chemistry, without_quantities

LARGEST: Final = 200 * EM
"""A formula that is wider or higher is nothing that anybody could read."""
MOST_NUMBERS: Final = 150_000
"""Numbers in an outline: a page full of signs has 40,000."""

_ARGUMENT = r"\s*\{((?:[^{}]|\{[^{}]*\})*)\}"
# Definitions would outlive their formula; what opens or fetches something has no meaning here.
_REFUSED = re.compile(
    r"\\(?:[gex]?def|let|futurelet|(?:re)?newcommand|providecommand|DeclareMathOperator|newenvironment|csname|catcode"
    r"|input|include|includegraphics|write|openin|openout|read|loop|special|require|usepackage|url|verb|html[A-Z]\w*"
    r"|unicode)(?![A-Za-z])"
)
_LEFT_OUT = re.compile(rf"\\label{_ARGUMENT}|\\(?:notag|nonumber|mathop|mathstrut|allowbreak|nobreak)(?![A-Za-z])")
# A formula has the color of the text around it: one of its own would not be readable in both themes.
_COLOUR = re.compile(rf"\\(?:textcolor|color|href){_ARGUMENT}")
_BOX_COLOUR = re.compile(rf"\\(?:colorbox|fcolorbox{_ARGUMENT}){_ARGUMENT}")
_TAG = re.compile(rf"\\tag(\*?){_ARGUMENT}")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*(?:\n|$)")
_STRUCTURE = re.compile(r"\\begin\{|\\end\{|\\\\|\\.|[{}&]", re.DOTALL)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?|[MLQCZ]")


@dataclass(slots=True)
class FormulaOutline:
    """The outline to draw: `path` as commands (M, L, Q, C, Z), each with its numbers; `letters` as (x, y, size,
    character).

    `up` and `down` are how far it reaches above and below the baseline.
    """

    width: float
    up: float
    down: float
    path: list[str | float] = field(default_factory=list)
    letters: list[tuple[float, float, float, str]] = field(default_factory=list)


def outline(source: str, *, display: bool) -> FormulaOutline:
    """The outlines of a formula without its delimiters. Raises `NotTypesetError`."""
    from desktop_app.ui.transcript.formulas.ziamath_adapter import drawn

    picture, bounds = drawn(prepared(source), size=EM, display=display)
    left, right, bottom, top = bounds
    if not all(map(math.isfinite, bounds)) or not 0 < right - left <= LARGEST or not 0 < top - bottom <= LARGEST:
        raise NotTypesetError("no size")
    made = FormulaOutline(round(right - left, 1), round(top, 1), round(-bottom, 1))
    for element in picture.iter():
        _add(made, element, -left)
        if len(made.path) > MOST_NUMBERS:
            raise NotTypesetError("too much of it")
    if not made.path and not made.letters:
        raise NotTypesetError("nothing to see")
    if any(not isinstance(number, str) and abs(number) > 2 * LARGEST for number in made.path):
        raise NotTypesetError("a part that is far away")
    return made


def prepared(source: str) -> str:
    """The source in the library's dialect. Raises `NotTypesetError` where it holds what is refused."""
    if _REFUSED.search(source):
        raise NotTypesetError("refused")
    text = _COMMENT.sub("", source)
    text = _LEFT_OUT.sub("", without_quantities(without_chemistry(text)))
    text = _BOX_COLOUR.sub(r"\\text", _COLOUR.sub("", text))
    text = _TAG.sub(lambda tag: rf"\qquad\text{{{tag[2]}}}" if tag[1] else rf"\qquad\text{{({tag[2]})}}", text)
    # a line break outside of any environment would get lost
    breaks, aligned = _at_the_top(text)
    if breaks:
        name = "aligned" if aligned else "gathered"
        text = rf"\begin{{{name}}}{text}\end{{{name}}}"
    return with_marks(text)


def _at_the_top(text: str) -> tuple[bool, bool]:
    """Return whether a line break, and whether an alignment mark, stands outside of environments and braces."""
    depth, breaks, aligned = 0, False, False
    for mark in _STRUCTURE.findall(text):
        if mark in {"\\begin{", "\\end{"}:
            # the brace that closes the environment's name takes one level off again
            depth += 2 if mark == "\\begin{" else 0
        elif mark in {"{", "}"}:
            depth += 1 if mark == "{" else -1
        elif depth == 0:
            breaks, aligned = breaks or mark == "\\\\", aligned or mark == "&"
    return breaks, aligned


def _add(made: FormulaOutline, element: Element, shift: float) -> None:
    match element.tag:
        case "path" if element.get("stroke") is None:
            _add_curves(made, element.get("d", ""), shift)
        case "path":
            _add_stroke(made, element, shift)
        case "rect":
            _add_box(made, element, shift)
        case "text":
            x, y, size = (float(element.get(name, "0")) for name in ("x", "y", "size"))
            made.letters.append((round(x + shift, 1), round(y, 1), round(size, 1), element.text or ""))
        case "svg" | "g":
            pass
        case _:
            raise NotTypesetError("a shape that can't be drawn")


def _add_curves(made: FormulaOutline, source: str, shift: float) -> None:
    across = True
    for token in _NUMBER.findall(source):
        if token in "MLQCZ":
            made.path.append(token)
            across = True
        else:
            made.path.append(round(float(token) + (shift if across else 0), 1))
            across = not across


def _add_polygon(made: FormulaOutline, *corners: tuple[float, float]) -> None:
    for number, (x, y) in enumerate(corners):
        made.path += ["L" if number else "M", round(x, 1), round(y, 1)]
    made.path.append("Z")


def _add_box(made: FormulaOutline, element: Element, shift: float) -> None:
    x, y, width, height = (_number(element, name) for name in ("x", "y", "width", "height"))
    x += shift
    if element.get("stroke") is None:
        _add_polygon(made, (x, y), (x + width, y), (x + width, y + height), (x, y + height))
        return
    if element.get("fill", "none") != "none":
        raise NotTypesetError("a filled box")
    # a frame: its inner edge runs the other way round
    for out, around in ((_number(element, "stroke-width") / 2, 1), (-_number(element, "stroke-width") / 2, -1)):
        corners = [(x - out, y - out), (x + width + out, y - out), (x + width + out, y + height + out),
                   (x - out, y + height + out)]  # fmt: skip
        _add_polygon(made, *corners[::around])


def _add_stroke(made: FormulaOutline, element: Element, shift: float) -> None:
    """A straight line from corner to corner."""
    numbers: list[Any] = [float(token) for token in _NUMBER.findall(element.get("d", "")) if token not in "MLQCZ"]
    if len(numbers) != 4 or element.get("marker-end"):
        raise NotTypesetError("a line that can't be drawn")
    x0, y0, x1, y1 = numbers
    length, half = math.hypot(x1 - x0, y1 - y0) or 1.0, _number(element, "stroke-width") / 2
    dx, dy = -(y1 - y0) / length * half, (x1 - x0) / length * half
    x0, x1 = x0 + shift, x1 + shift
    _add_polygon(made, (x0 + dx, y0 + dy), (x1 + dx, y1 + dy), (x1 - dx, y1 - dy), (x0 - dx, y0 - dy))


def _number(element: Element, name: str) -> float:
    return float(element.get(name, "0"))


IDLE_S: Final = 120.0
"""Seconds that thread and process are kept for a next formula."""
LONGEST_S: Final = 5.0
"""After so many seconds without an answer the process is ended; it ends its work by itself long before."""
MOST_FAILURES: Final = 4
"""A process that ends so often without an answer is not started again."""

#: The formula without its delimiters, and whether it stands in a line of its own.
Key = tuple[str, bool]
Answer = Mapping[str, Any]


class FormulaTypesetter:
    """At most one thread with one process. `answered(key, answer)` is called in that thread; None: it has no answer.

    All methods return at once and may be called from any thread.
    """

    def __init__(
        self,
        answered: Callable[[Key, Answer | None], None],
        *,
        command: Sequence[str] = (),
        idle_s: float = IDLE_S,
    ) -> None:
        self._answered, self._command, self._idle_s = answered, list(command), idle_s
        self._orders: list[Key | None] = []  # None: to get ready
        self._hurried: deque[Key] = deque()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._child: WorkerChild | None = None
        self.failures = 0
        self._closed = False
        #: when the process answered last, on the clock that only goes on; None: there is none that has
        self.heard: float | None = None

    def ask(self, key: Key) -> None:
        """Has a formula typeset soon."""
        self._put(key)

    def hurry(self, key: Key) -> None:
        """A formula that was asked for is waited for: it comes behind those that are waited for longer."""
        with self._changed:
            if key in self._orders:
                self._orders.remove(key)
                self._hurried.append(key)

    def get_ready(self) -> None:
        """Starts the process, where there is none, for a formula that is coming."""
        if self._thread is None:
            self._put(None)

    def close(self, *_: object) -> None:
        """Ends thread and process; nothing is answered any more."""
        with self._changed:
            self._closed = True
            child = self._child
            self._changed.notify()
        if child is not None:
            child.kill()

    def _put(self, order: Key | None) -> None:
        with self._changed:
            if self._closed:
                return
            self._orders.append(order)
            if self._thread is None:
                # a daemon, so that it never holds up the exit
                self._thread = threading.Thread(target=self._work, name="formulas", daemon=True)
                self._thread.start()
            self._changed.notify()

    def _next(self) -> tuple[bool, Key | None]:
        """Return whether there is an order, and the order; none after a rest, which ends the thread."""
        with self._changed:
            self._changed.wait_for(lambda: self._hurried or self._orders or self._closed, self._idle_s)
            if self._closed or not (self._hurried or self._orders):
                self._thread = self.heard = None
                return False, None
            return True, self._hurried.popleft() if self._hurried else self._orders.pop()

    def _work(self) -> None:
        while True:
            going, order = self._next()
            if not going:
                break
            answer = self._carry_out(order)
            if order is not None and not self._closed:
                self._answered(order, answer)
        child, self._child = self._child, None
        if child is not None:
            child.end()

    def _carry_out(self, order: Key | None) -> Answer | None:
        if self.failures >= MOST_FAILURES:
            return None

        try:
            child = self._child = self._child or WorkerChild(self._command or worker_command())
        except OSError:
            self.failures += 1
            return None
        too_late = threading.Timer(LONGEST_S, child.kill)
        too_late.daemon = True
        too_late.start()
        try:
            answer = child.ask({} if order is None else {"tex": order[0], "display": order[1]})
        finally:
            too_late.cancel()
        self.heard = None if answer is None else time.monotonic()
        if answer is None:
            self._child = None
            self.failures += 1
        return answer


CPU_LIMIT_S: Final = 0.4
"""Seconds of processor time that one formula may take; a matrix of 10 x 10 takes 0.1 s."""
MEMORY_LIMIT: Final = 512 * 2**20
"""Address space in bytes; at work it has 60 MB of it."""


def worker_command() -> list[str]:
    """The command that runs `main`."""
    return own_command(TYPESET_FORMULAS, __name__)


def main(argv: Sequence[str] = ()) -> int:
    """Answers orders until standard input ends. `argv` is not used."""
    del argv
    return serve(answer_to, memory=MEMORY_LIMIT, nice=5)  # the window comes first


def answer_to(order: dict[str, Any]) -> dict[str, Any]:
    """The outlines of the formula in `tex`, or `failed`: what was in the way. Without `tex` it only gets ready."""
    from desktop_app.ui.transcript.formulas import ziamath_adapter as library

    if "tex" not in order:
        library.drawn("x", size=EM, display=True)
        return {"failed": "nothing asked"}
    try:
        with _limited_time(CPU_LIMIT_S):
            return asdict(outline(order["tex"], display=order["display"]))
    except (NotTypesetError, MemoryError, RecursionError) as error:
        return {"failed": str(error) or type(error).__name__}
    except _TooLongError:
        return {"failed": "time"}


class _TooLongError(BaseException):
    """The formula has used up its time; no library takes it for an error of its own."""


@contextmanager
def _limited_time(seconds: float) -> Iterator[None]:
    """Raises `_TooLongError` after so much time of the processor, where the system can tell."""
    if sys.platform == "win32":
        yield
    else:

        def stop(*_: object) -> None:
            raise _TooLongError

        signal.signal(signal.SIGPROF, stop)
        # again and again: where it is raised first it may get lost, as in a finaliser
        signal.setitimer(signal.ITIMER_PROF, seconds, seconds / 8)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
