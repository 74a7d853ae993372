"""The plain LaTeX form of what formulas use beyond it: chemistry (mhchem), quantities (siunitx), rules of tables.

Uses no fonts. Only what is certain is rewritten."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

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
    if (found := _ARROW.fullmatch(arrow)) is None or found[1] not in _ARROWS:
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
        if (part := _PART.match(text, position)) is None:
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


_ARGUMENT = r"\s*\{((?:[^{}]|\{[^{}]*\})*)\}"
_COMMAND = re.compile(rf"\\(?:(SI|qty){_ARGUMENT}{_ARGUMENT}|(si|unit|num|ang){_ARGUMENT})")
_NUMBER = re.compile(
    r"(?P<sign>[+-]?)(?P<whole>\d+)(?:\.(?P<fraction>\d+))?(?:\s*(?:\+-|\\pm)\s*(?P<error>\d+(?:\.\d+)?))?"
    r"(?:[eE](?P<power>[+-]?\d+))?"
)
_PLAIN_UNIT = re.compile(r"[A-Za-zµμΩ°%]+(?:\^(?:\{-?\d+\}|-?\d))?(?:[./~\s]+[A-Za-zµμΩ°%]+(?:\^(?:\{-?\d+\}|-?\d))?)*")
_STEP = re.compile(r"\\([A-Za-z]+)\s*(?:\{(-?\d+)\})?\s*")

_PREFIXES = {
    "quecto": "q", "ronto": "r", "yocto": "y", "zepto": "z", "atto": "a", "femto": "f", "pico": "p", "nano": "n",
    "micro": "µ", "milli": "m", "centi": "c", "deci": "d", "deca": "da", "hecto": "h", "kilo": "k", "mega": "M",
    "giga": "G", "tera": "T", "peta": "P", "exa": "E", "zetta": "Z", "yotta": "Y",
}  # fmt: skip
_UNITS = {
    "metre": "m", "meter": "m", "gram": "g", "second": "s", "ampere": "A", "kelvin": "K", "mole": "mol",
    "candela": "cd", "kilogram": "kg", "becquerel": "Bq", "celsius": "°C", "degreeCelsius": "°C", "coulomb": "C",
    "farad": "F", "gray": "Gy", "hertz": "Hz", "henry": "H", "joule": "J", "katal": "kat", "lumen": "lm", "lux": "lx",
    "newton": "N", "ohm": "Ω", "pascal": "Pa", "radian": "rad", "siemens": "S", "sievert": "Sv", "steradian": "sr",
    "tesla": "T", "volt": "V", "watt": "W", "weber": "Wb", "day": "d", "hour": "h", "minute": "min", "litre": "L",
    "liter": "L", "tonne": "t", "hectare": "ha", "dalton": "Da", "electronvolt": "eV", "bar": "bar", "decibel": "dB",
    "degree": "°", "percent": "%", "bit": "bit", "byte": "B",
    "m": "m", "km": "km", "cm": "cm", "mm": "mm", "um": "µm", "nm": "nm", "kg": "kg", "g": "g", "mg": "mg", "s": "s",
    "ms": "ms", "us": "µs", "ns": "ns", "A": "A", "mA": "mA", "K": "K", "mol": "mol", "Hz": "Hz", "kHz": "kHz",
    "MHz": "MHz", "GHz": "GHz", "N": "N", "kN": "kN", "Pa": "Pa", "kPa": "kPa", "J": "J", "kJ": "kJ", "W": "W",
    "kW": "kW", "V": "V", "mV": "mV", "kV": "kV", "C": "C", "F": "F", "T": "T", "eV": "eV", "keV": "keV", "MeV": "MeV",
    "L": "L", "l": "l", "mL": "mL", "ml": "ml",
}  # fmt: skip
_POWERS = {"squared": "2", "cubed": "3"}
_POWERS_BEFORE = {"square": "2", "cubic": "3"}


def without_quantities(source: str) -> str:
    """The source with numbers and units in plain LaTeX. Raises `NotTypesetError` where that is not certain."""
    return _COMMAND.sub(_rewritten, source)


def _rewritten(found: re.Match[str]) -> str:
    both, number, unit, one, argument = found.groups()
    if both:
        name = _unit(unit.strip())
        apart = "" if name in {r"\mathrm{°}"} else r"\,"
        return f"{{{_number(number, of_unit=True)}{apart}{name}}}"
    if one == "num":
        return f"{{{_number(argument)}}}"
    if one == "ang":
        if ";" in argument:
            raise NotTypesetError("minutes of an angle")
        return rf"{{{_number(argument)}\mathrm{{°}}}}"
    return f"{{{_unit(argument.strip())}}}"


def _number(text: str, *, of_unit: bool = False) -> str:
    if (found := _NUMBER.fullmatch(text.strip())) is None:
        raise NotTypesetError("a number that nobody knows")
    made = found["sign"] + _grouped(found["whole"], len(found["whole"]) % 3)
    if found["fraction"]:
        made += "." + _grouped(found["fraction"], 0)
    if found["error"]:
        made += rf" \pm {found['error']}"
        made = f"({made})" if found["power"] or of_unit else made
    return made + (rf"\times 10^{{{int(found['power'])}}}" if found["power"] else "")


def _grouped(digits: str, first: int) -> str:
    """Long runs of digits in groups of three; the first group may be shorter."""
    if len(digits) < 5:
        return digits
    starts = range(first, len(digits), 3)
    return r"\,".join([*([digits[:first]] if first else []), *(digits[start : start + 3] for start in starts)])


def _unit(text: str) -> str:
    if _PLAIN_UNIT.fullmatch(text):
        words = re.sub(r"[A-Za-zµμΩ°%]+", lambda word: _upright(word.group()), text)
        words = re.sub(r"\^(-\d|\d)", r"^{\1}", words)
        return re.sub(r"\s*[.~]\s*|\s+", r"\\,", words)
    units: list[tuple[str, str]] = []
    prefix, sign, before, position = "", "", "", 0
    while position < len(text):
        if (step := _STEP.match(text, position)) is None:
            raise NotTypesetError("a unit that nobody knows")
        name, power, position = step[1], step[2], step.end()
        if name == "per" and not power:
            sign = "-"
        elif name in _PREFIXES and not power:
            prefix = _PREFIXES[name]
        elif name in _POWERS_BEFORE and not power:
            before = _POWERS_BEFORE[name]
        elif name in _UNITS and not power:
            units.append((prefix + _UNITS[name], (sign + (before or "1")) if sign or before else ""))
            prefix = sign = before = ""
        elif (name in _POWERS or (name in {"tothe", "raiseto"} and power)) and units and not prefix:
            minus = "-" if units[-1][1].startswith("-") else ""
            units[-1] = units[-1][0], minus + (_POWERS.get(name) or power)
        else:
            raise NotTypesetError("a unit that nobody knows")
    if not units or prefix or sign or before:
        raise NotTypesetError("half a unit")
    return r"\,".join(_upright(name) + (f"^{{{power}}}" if power else "") for name, power in units)


def _upright(name: str) -> str:
    return rf"\mathrm{{{name}}}".replace("%", r"\%")


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
