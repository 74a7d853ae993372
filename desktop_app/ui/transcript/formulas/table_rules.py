"""The rules of tables in formulas: `\\hline` and the bars of an array become marks in the table's cells.

The converter that comes next loses where they stand; a mark in a cell keeps its place. Knows nothing of what is drawn.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from desktop_app.ui.transcript.formulas import NotTypesetError

RULE: Final = "\ue000"
"""In the first cell of a row: a line above it. A row of nothing else stands for the line beneath the last."""
BAR: Final = "\ue100"
"""This and the characters after it, in the very first cell: a line left of the column of that number, from 0 on."""
MOST_COLUMNS: Final = 64

_TOKEN = re.compile(
    r"\\begin\s*\{array\}\s*(?:\[[tbc]\]\s*)?\{(?P<columns>[lcr|\s]*)\}|(?P<matrix>\\begin\s*\{[pbBvV]?matrix\})"
    r"|(?P<begin>\\begin\s*\{)|(?P<end>\\end\s*\{)"
    r"|\\\\\*?(?:\s*\[[^\]\n]*\])?|\\[A-Za-z]+|\\.|[{}]|\s+|.",
    re.DOTALL,
)
_LOST = {r"\hdashline", r"\cline", r"\toprule", r"\midrule", r"\bottomrule"}


@dataclass(slots=True)
class _TableLevel:
    """A brace or an environment; `at_row`: nothing of a row of a table has come yet."""

    of_table: bool = False
    at_row: bool = False


@dataclass(slots=True)
class _RuleMarking:
    levels: list[_TableLevel] = field(default_factory=lambda: [_TableLevel()])
    out: list[str] = field(default_factory=list)

    def take(self, token: re.Match[str]) -> None:
        text, here = token.group(), self.levels[-1]
        if token["columns"] is not None:
            columns = "".join(token["columns"].split())
            self.out.append(rf"\begin{{array}}{{{columns.replace('|', '')}}}{_bars(columns)}")
        if token["columns"] is not None or token["matrix"]:
            if token["matrix"]:
                self.out.append(text)
            here.at_row = False
            self.levels.append(_TableLevel(of_table=True, at_row=True))
            return
        if text == r"\hline":
            if not here.at_row:
                raise NotTypesetError("a rule that stands nowhere")
            self.out.append(rf"\text{{{RULE}}}")
            return
        self.out.append(text)
        if text in _LOST:
            raise NotTypesetError("a rule of another kind")
        if text == "{" or token["begin"]:
            here.at_row = False
            self.levels.append(_TableLevel())
        elif (text == "}" or token["end"]) and len(self.levels) > 1:
            self.levels.pop()
        elif not text.isspace():
            here.at_row = here.of_table and text.startswith("\\\\")
        if token["begin"] or token["end"]:
            self.levels.append(_TableLevel())  # for the brace of its name


def with_marks(source: str) -> str:
    """The source with marks for rules and bars. Raises `NotTypesetError` for those that would get lost."""
    if any(RULE <= character <= "\uf8ff" for character in source):
        raise NotTypesetError("a sign that nobody knows")
    if "line" not in source and "rule" not in source and "|" not in source:
        return source
    marking = _RuleMarking()
    for token in _TOKEN.finditer(source):
        marking.take(token)
    return "".join(marking.out)


def _bars(columns: str) -> str:
    """The marks for the bars of a specification of columns such as `|c|cc|`."""
    count, marks = 0, ""
    for column in columns:
        if column == "|":
            marks += chr(ord(BAR) + count)
        else:
            count += 1
    if count > MOST_COLUMNS:
        raise NotTypesetError("too many columns")
    return rf"\text{{{marks}}}" if marks else ""
