"""The plain LaTeX form of chemical formulas in the notation of mhchem (`\\ce{...}`). Uses no fonts.

Only what is certain is rewritten: elements, counts, charges, isotopes, states, bonds, sums and arrows.
"""

from __future__ import annotations

import re

from desktop_app.ui.transcript.formulas import NotTypesetError

_CE = re.compile(r"\\ce\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_ARROWS = {"->": "rightarrow", "<-": "leftarrow", "<->": "leftrightarrow", "<=>": "rightleftharpoons"}
_ARROW = re.compile(r"(<=>|<->|->|<-)(?:\[([^\[\]]*)\])?")
_WORD = re.compile(r"(?P<arrow>(?:<=>|<->|->|<-)(?:\[[^\[\]]*\])?)|(?P<species>\S+)|\s+")
_COEFFICIENT = re.compile(r"(?:(\d+)/(\d+)|(\d+(?:\.\d+)?))(?=[A-Z(\[^e])")
_ISOTOPE = re.compile(r"\^\{?(\d+)\}?_\{?(-?\d+)\}?(?=[A-Zen])|\^\{?(\d+)\}?(?=[A-Z])")
_PART = re.compile(
    r"(?P<element>[A-Z][a-z]?)|(?P<count>\d+)|(?P<state>\((?:s|l|g|aq|cr|am)\))|(?P<bracket>[()\[\]])"
    r"|\^\{(?P<raised>\d*[+-]?|[IVX]+)\}|\^(?P<charge>\d*[+-])|_\{(?P<lowered>[0-9a-z+-]+)\}|_(?P<letter>[0-9a-z])"
    r"|(?P<electron>e)(?=\^?-)|(?P<dot>[.*])(?P<times>\d*)(?=[A-Z(])|(?P<bond>[-=#])(?=[A-Z(\[])|(?P<sign>[+-])$"
)
_BONDS = {"-": "{-}", "=": "{=}", "#": r"{\equiv}"}
_ALONE = {"+": " + ", "v": r"\,\downarrow ", "^": r"\,\uparrow ", "=": " = "}


def without_chemistry(source: str) -> str:
    """The source with all of `\\ce{...}` in plain LaTeX. Raises `NotTypesetError` where that is not certain."""
    return _CE.sub(lambda found: "{" + _reaction(found[1]) + "}", source)


def _reaction(text: str) -> str:
    made = ""
    for word in _WORD.finditer(text.strip()):
        if word["arrow"]:
            made += _arrow(word["arrow"])
        elif word["species"] in _ALONE:
            made += _ALONE[word["species"]]
        elif word["species"]:
            # what stands beside each other without a sign is apart: a coefficient and its substance, a state
            made += (r"\," if made and not made.endswith(" ") else "") + _species(word["species"])
    return made


def _arrow(arrow: str) -> str:
    found = _ARROW.fullmatch(arrow)
    if found is None or found[1] not in _ARROWS:
        raise NotTypesetError("an arrow that nobody knows")
    if not found[2]:
        return rf"\;\{_ARROWS[found[1]]}\; "
    if found[1] not in {"->", "<-"}:
        raise NotTypesetError("an arrow with words that can't be set")
    words = found[2].strip()
    label = words if re.fullmatch(r"\\[A-Za-z]+", words) else _reaction(words)
    return rf"\;\x{_ARROWS[found[1]]}{{{label}}}\; "


def _species(text: str) -> str:
    if re.fullmatch(r"\d+(?:\.\d+)?", text):
        return text
    made, position = "", 0
    if (coefficient := _COEFFICIENT.match(text)) is not None:
        above, below, whole = coefficient.groups()
        made = rf"\frac{{{above}}}{{{below}}}\," if below else rf"{whole}\,"
        position = coefficient.end()
    if (isotope := _ISOTOPE.match(text, position)) is not None:
        mass, number, mass_alone = isotope.groups()
        made += f"{{}}^{{{mass}}}_{{{number}}}" if mass else f"{{}}^{{{mass_alone}}}"
        position = isotope.end()
        if text[position : position + 1] in {"e", "n"}:
            made += rf"\mathrm{{{text[position]}}}"
            position += 1
    while position < len(text):
        part = _PART.match(text, position)
        if part is None:
            raise NotTypesetError("chemistry that nobody knows")
        made += _part(part, after=made)
        position = part.end()
    return made


def _part(part: re.Match[str], *, after: str) -> str:
    text = part.group()
    charge = part["raised"] or part["charge"] or part["sign"]
    lowered = part["count"] or part["lowered"] or part["letter"]
    if (charge or lowered) and not after.endswith(("}", ")", "]")):
        raise NotTypesetError("a number or charge of nothing")
    if part["element"] or part["electron"] or part["state"]:
        return rf"\mathrm{{{text}}}"
    if charge:
        return rf"^{{\mathrm{{{charge}}}}}" if charge[-1] in "IVX" else f"^{{{charge}}}"
    if lowered:
        return f"_{{{lowered}}}"
    if part["dot"]:
        return r"\cdot " + (rf"{part['times']}\," if part["times"] else "")
    return _BONDS.get(text, text)
