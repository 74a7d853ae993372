"""The plain LaTeX form of numbers and units in siunitx's notation (`\\SI{3}{\\metre}`). Uses no fonts.

Only what is certain is rewritten, as siunitx does it by default: powers for `\\per`, thin spaces in long numbers.
"""

from __future__ import annotations

import re

from desktop_app.ui.transcript.formulas import NotTypesetError

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
    found = _NUMBER.fullmatch(text.strip())
    if found is None:
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
        step = _STEP.match(text, position)
        if step is None:
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
