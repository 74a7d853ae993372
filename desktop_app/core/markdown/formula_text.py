"""Reads a formula in LaTeX as one line of text: `e^{i\\pi}` becomes `e^(iπ)`, `x_1^2` becomes `x₁²`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from desktop_app.core.markdown.blocks import LONGEST, inner_source

#: Deeper nesting than this can't be said in a line.
DEEPEST = 12

# Compiled by `re` with the first formula, which takes time that a start need not pay.
_TOKEN = r"(?s)\\[A-Za-z]+\*?|\\.|[{}^_&~]|\s+|."

_SUPER = str.maketrans("0123456789+-=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWαβγδεθιφχ−",
                       "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵅᵝᵞᵟᵋᶿᶥᶲᵡ⁻")  # fmt: skip
_SUB = str.maketrans("0123456789+-=()aehijklmnoprstuvxβγρφχ−", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ₋")

_GREEK: Final = (
    " alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi "
    "chi psi omega "
)
_WORDS: Final = (
    " sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln lg exp lim limsup liminf max min sup inf arg "
    "argmax argmin det dim ker gcd deg Pr mod "
)
_SIGNS: Mapping[str, str] = {
    "times": "×", "cdot": "·", "div": "÷", "pm": "±", "mp": "∓", "ast": "∗", "star": "⋆", "circ": "∘", "bullet": "∙",
    "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠", "approx": "≈", "equiv": "≡", "sim": "∼",
    "simeq": "≃", "cong": "≅", "propto": "∝", "ll": "≪", "gg": "≫", "to": "→", "rightarrow": "→", "leftarrow": "←",
    "Rightarrow": "⇒", "Leftarrow": "⇐", "leftrightarrow": "↔", "Leftrightarrow": "⇔", "iff": "⇔", "implies": "⇒",
    "mapsto": "↦", "longrightarrow": "⟶", "uparrow": "↑", "downarrow": "↓", "in": "∈", "notin": "∉", "ni": "∋",
    "subset": "⊂", "subseteq": "⊆", "supset": "⊃", "supseteq": "⊇", "cup": "∪", "cap": "∩", "setminus": "∖",
    "emptyset": "∅", "varnothing": "∅", "forall": "∀", "exists": "∃", "nexists": "∄", "neg": "¬", "lnot": "¬",
    "land": "∧", "wedge": "∧", "lor": "∨", "vee": "∨", "oplus": "⊕", "otimes": "⊗", "perp": "⊥", "parallel": "∥",
    "mid": "∣", "angle": "∠", "sum": "∑", "prod": "∏", "int": "∫", "iint": "∬", "oint": "∮", "partial": "∂",
    "nabla": "∇", "infty": "∞", "hbar": "ℏ", "ell": "ℓ", "Re": "ℜ", "Im": "ℑ", "aleph": "ℵ", "prime": "′",
    "dots": "…", "ldots": "…", "cdots": "⋯", "vdots": "⋮", "ddots": "⋱", "langle": "⟨", "rangle": "⟩", "lfloor": "⌊",
    "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "vert": "|", "Vert": "‖", "lvert": "|", "rvert": "|", "therefore": "∴",
    "because": "∵", "degree": "°", "dagger": "†", "top": "⊤", "bot": "⊥", "models": "⊨", "vdash": "⊢", "square": "□",
    "varepsilon": "ε", "vartheta": "ϑ", "varphi": "φ", "varrho": "ϱ", "varsigma": "ς", "varpi": "ϖ", "quad": "  ",
    "qquad": "    ", "colon": ":", ",": " ", ";": " ", ":": " ", " ": " ", ">": " ", "!": "", "\\": "\n",
    "lbrace": "{", "rbrace": "}", "backslash": "\\",
}  # fmt: skip
_SPACED = set("=<>≤≥≠≈≡∼≃≅∝≪≫→←⇒⇐↔⇔↦⟶∈∉⊂⊆⊃⊇×÷±∓∪∩∧∨⊕⊗+−")
_ACCENTS = {
    "hat": "\u0302", "widehat": "\u0302", "bar": "\u0304", "overline": "\u0305", "vec": "\u20d7", "dot": "\u0307",
    "ddot": "\u0308", "tilde": "\u0303", "widetilde": "\u0303", "underline": "\u0332",
}  # fmt: skip
_PLAIN = {
    "text", "textrm", "textit", "textbf", "mathrm", "mathit", "mathbf", "mathsf", "mathtt", "operatorname", "mathcal",
    "boldsymbol", "mbox", "bm", "operatorname*",
}  # fmt: skip
_IGNORED = {"left", "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "displaystyle", "textstyle", "limits",
            "nolimits", "mathstrut"}  # fmt: skip
_DOUBLE = {"R": "ℝ", "N": "ℕ", "Z": "ℤ", "Q": "ℚ", "C": "ℂ", "P": "ℙ", "E": "𝔼", "F": "𝔽", "1": "𝟙"}


class _TooHardError(ValueError):
    """The formula cannot be said in a line."""


@lru_cache(maxsize=2_000)
def readable_formula(source: str) -> str | None:
    """The formula, its delimiters left off, as one line for each of its lines; None where only the source will do."""
    inner = inner_source(source) or source.strip()
    if len(inner) > LONGEST:
        return None
    try:
        text = _FormulaReader(re.findall(_TOKEN, inner)).group(closed=False, depth=0)
    except _TooHardError:
        return None
    lines = [" ".join(line.split(" ")).strip() for line in text.split("\n")]
    return "\n".join(re.sub(r"(?<=\S) {3,}", "  ", line) for line in lines if line) or None


class _FormulaReader:
    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0

    def group(self, *, closed: bool, depth: int) -> str:
        """Return the text up to the closing brace, or to the end."""
        if depth > DEEPEST:
            raise _TooHardError
        out = ""
        while self._at < len(self._tokens):
            if (token := self._tokens[self._at]) == "}":
                if not closed:
                    raise _TooHardError
                self._at += 1
                return _tidied(out)
            if token in {"^", "_"}:
                self._at += 1
                out = out.rstrip(" ") + _raised(self._argument(depth), token)
            elif token.isspace():
                self._at += 1
                out += " " if out and not out.endswith((" ", "\n")) else ""
            else:
                out += self._one(depth)
        if closed:
            raise _TooHardError
        return _tidied(out)

    def _argument(self, depth: int) -> str:
        while self._at < len(self._tokens) and self._tokens[self._at].isspace():
            self._at += 1
        if self._at >= len(self._tokens) or self._tokens[self._at] in {"}", "^", "_", "&"}:
            raise _TooHardError
        return self._one(depth)

    def _one(self, depth: int) -> str:
        token = self._tokens[self._at]
        self._at += 1
        if token == "{":
            return self.group(closed=True, depth=depth + 1)
        if token[0] == "\\":
            if depth > DEEPEST:
                raise _TooHardError
            return self._command(token[1:], depth + 1)
        return {"&": " ", "~": " ", "-": "−", "'": "′"}.get(token, token)

    def _command(self, name: str, depth: int) -> str:
        if name in {"frac", "dfrac", "tfrac", "cfrac"}:
            above, below = self._argument(depth), self._argument(depth)
            return f"{_bracketed(above)}/{_bracketed(below)}"
        if name == "sqrt":
            return self._root(depth)
        if name in _PLAIN:
            return self._argument(depth)
        if name == "mathbb" or name in _ACCENTS:
            mark = _ACCENTS.get(name, "")
            return "".join(letter + mark if mark else _DOUBLE.get(letter, letter) for letter in self._argument(depth))
        return _sign(name)

    def _root(self, depth: int) -> str:
        index = ""
        if self._at < len(self._tokens) and self._tokens[self._at] == "[":
            end = next((n for n in range(self._at, len(self._tokens)) if self._tokens[n] == "]"), None)
            if end is None:
                raise _TooHardError
            index = _raised("".join(self._tokens[self._at + 1 : end]), "^")
            self._at = end + 1
        return f"{index}√{_bracketed(self._argument(depth))}"


def _sign(name: str) -> str:
    if name in _IGNORED:
        return ""
    if name in _SIGNS:
        return _SIGNS[name]
    if f" {name} " in _WORDS:
        return f" {name} "
    if f" {name.lower()} " in _GREEK and name[1:] == name[1:].lower():
        size = "SMALL" if name[0].islower() else "CAPITAL"
        return unicodedata.lookup(f"GREEK {size} LETTER {name.upper().replace('LAMBDA', 'LAMDA')}")
    if len(name) == 1 and not name.isalpha():
        return name
    raise _TooHardError


def _raised(text: str, mark: str) -> str:
    table, text = (_SUPER if mark == "^" else _SUB), text.strip()
    if text in {"′", "∘", "∗", "†"}:
        return "°" if text == "∘" else text
    if (packed := text.replace(" ", "")) and all(ord(character) in table for character in packed):
        return packed.translate(table)
    return mark + (text if len(text) == 1 else f"({text})")


def _bracketed(text: str) -> str:
    text = text.strip()
    bare = "".join(c for c in text if unicodedata.category(c) not in {"Lm", "No", "Mn"} and c not in "∞′")
    simple = bare.replace(".", "").isdecimal() or bare.isalpha() or not bare
    return text if simple or (text[:1] == "(" and text[-1:] == ")" and text.count("(") == 1) else f"({text})"


def _tidied(text: str) -> str:
    """With a space on both sides of relations and of operators that stand between two things."""
    out = ""
    for character in text:
        if character in _SPACED and out.strip() and out.rstrip()[-1] not in _SPACED | set("([{,/|^_⟨\n"):
            out = f"{out.rstrip(' ')} {character} "
        elif character == " " and out.endswith(" "):
            continue
        else:
            out += character
    return out
