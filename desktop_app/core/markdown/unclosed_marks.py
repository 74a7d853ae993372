"""Reads the last, still growing paragraph as if its open marks were closed.

Without it `**important` would show two stars until the closing ones come, and everything behind them would move.
What cannot be guessed (a link whose target is still being written) is held back instead.
"""

from __future__ import annotations

import re

_CODE_RUN = re.compile(r"`+")
_DELIMITERS = re.compile(r"\\.|\*+|~~", re.DOTALL)
_LINK_START = re.compile(
    r"!?\[(?:[^\[\]\n]{0,300})(?:\](?:\((?:[^()\s]|\([^()\s]*\)){0,2000}(?:\s+\"[^\"\n]*\"?)?)?)?$"
)
# A formula that is not closed yet, rather than a price: it begins with a letter, a command or a bracket, or holds
# what no sentence does; a number waits for what comes next, and for longer where that could belong to a formula.
_DOLLAR_START = re.compile(
    r"(?<![\\$\w])\${1,2}(?:(?=[A-Za-z\\({|]|$)[^$\n]{0,120}|[^\s$][^$\n]{0,120}?[\\^_{][^$\n]{0,900})\$?$"
)
_NUMBER_START = re.compile(r"(?<![\\$\w])\$-?\d[\d.,]*[A-Za-z]{0,2} ?(?:[+\-*/=<>(^_\\][^$\n]{0,160})?\$?$")
_MATH_START = re.compile(r"\\[(\[][^\n]{0,1000}$")
#: So much of the end of a text is looked at for each of these; it is more than any of them matches (characters).
_REACHES = ((_LINK_START, 2_900), (_MATH_START, 1_004), (_DOLLAR_START, 1_030), (_NUMBER_START, 200))

_GROWING_WORD = re.compile(r"[^\s\u2e80-\uffdc]{1,60}$")


def growing_word(text: str) -> int | None:
    """Return where the text's last word, which may grow, begins; None if there is none, as in Chinese."""
    return None if (word := _GROWING_WORD.search(text, max(0, len(text) - 61))) is None else word.start()


def healed(source: str) -> str:
    """Inline source that reads like the beginning of what `source` will most likely become."""
    source, opener = _without_open_code(source)
    if opener:
        return source + opener
    for unfinished, reach in _REACHES:
        if (found := unfinished.search(source, max(0, len(source) - reach))) is not None:
            source = source[: found.start()]
    source = source.rstrip("\\")
    return _closed(source)


def _without_open_code(source: str) -> tuple[str, str]:
    """The source, without a code mark that has nothing behind it, and the mark that closes the open code span."""
    position = 0
    while (run := _CODE_RUN.search(source, position)) is not None:
        mark = run.group()
        position = run.end()
        while (other := _CODE_RUN.search(source, position)) is not None and other.group() != mark:
            position = other.end()
        if other is not None:
            position = other.end()
        elif run.end() == len(source):
            return source[: run.start()], ""
        elif source[run.end() :].strip():
            return source.rstrip("`"), mark
        else:
            return source[: run.start()], ""
    return source, ""


def _closed(source: str) -> str:
    if source.endswith(("*", "~")) and source[-2:-1] != source[-1]:
        whole = source[:-1]
        if (stack := _open_marks(whole)) and len(stack[-1]) == 2 and stack[-1][0] == source[-1]:
            return whole.rstrip() + "".join(reversed(stack))  # half of the closing mark has come
    stack = _open_marks(source)
    if (bare := source.rstrip("*~")) != source and (not bare or bare[-1].isspace()):
        source = bare  # a mark with nothing behind it yet
        stack = _open_marks(source)
    return source.rstrip() + "".join(reversed(stack)) if stack else source


def _open_marks(source: str) -> list[str]:
    """The marks that are opened in `source` and not closed, outermost first."""
    stack: list[str] = []
    for found in _DELIMITERS.finditer(_masked(source)):
        mark = found.group()
        before = source[found.start() - 1 : found.start()]
        after = source[found.end() : found.end() + 1]
        left = bool(after) and not after.isspace()
        right = bool(before) and not before.isspace()
        if mark[0] == "\\":
            continue
        if right and stack and stack[-1][0] == mark[0]:
            mark = _close(stack, mark)
        if mark and left:
            stack.append(mark)
    return stack


def _close(stack: list[str], mark: str) -> str:
    while mark and stack and stack[-1][0] == mark[0]:
        taken = min(len(mark), len(stack[-1]))
        mark = mark[taken:]
        stack[-1] = stack[-1][taken:]
        if not stack[-1]:
            stack.pop()
    return mark


def _masked(source: str) -> str:
    """The source with the insides of its code spans blanked, offsets kept."""
    parts = []
    position = 0
    while (run := _CODE_RUN.search(source, position)) is not None:
        end = re.compile(rf"(?<!`){run.group()}(?!`)").search(source, run.end())
        stop = end.end() if end is not None else run.end()
        parts += [source[position : run.start()], "x" * (stop - run.start())]
        position = stop
    return "".join([*parts, source[position:]])
