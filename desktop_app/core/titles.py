"""Titles of threads: a question's first words on one line without marks at once, then what a model is asked for."""

from __future__ import annotations

import re
from typing import Final

from desktop_app.core.context.sent_content import clean_text
from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_estimator import TokenEstimator, split_text
from desktop_app.core.projects import CITATION

_FENCE: Final = re.compile(r"\s{0,3}(?:`{3,}[^`]*|~{3,}.*)")
_RULE: Final = re.compile(r"\s*(?:([-*_])(?:\s*\1){2,}|=+|(?=.*\|)[\s|:-]+)\s*")
"""A line between parts, beneath a heading, or beneath a table's head."""
_LINE_MARK: Final = re.compile(r"\s*(?:#{1,6}(?=\s)|>|[-*+](?=\s)(?:\s+\[[ xX]\](?=\s))?)\s*")
_HEADING_END: Final = re.compile(r"\s#+\s*$")
_CELL_END: Final = re.compile(r"\s*\|\s*")
_CODE: Final = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_LINK: Final = re.compile(
    r"(?<![0-9A-Za-z)\]])!?\[([^\[\]]*)\](?:\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+\"[^\"]*\")?\)|\[[^\[\]]*\])"
)
_ADDRESS: Final = re.compile(r"<((?:https?|mailto):[^<>\s]+)>")
# Where letters or digits touch a mark on its outer side it is a sum, a name or a pattern: 2*3*4, snake_case, __init__.
_EMPHASIS: Final = tuple(
    re.compile(source)
    for source in (
        r"(?<![0-9A-Za-z*\\])\*{3}(?=[^\s*])(.+?)(?<=[^\s*])\*{3}(?![0-9A-Za-z*])",
        r"(?<![0-9A-Za-z*\\])\*{2}(?=[^\s*])(.+?)(?<=[^\s*])\*{2}(?![0-9A-Za-z*])",
        r"(?<![0-9A-Za-z*\\])\*(?=[^\s*])([^*]+?)(?<=[^\s*])\*(?![0-9A-Za-z*])",
        r"(?<![\w\\])__(?!\w+__)(?=[^\s_])(.+?)(?<=[^\s_])__(?!\w)",
        r"(?<![\w\\])_(?=[^\s_])([^_]+?)(?<=[^\s_])_(?!\w)",
        r"(?<![~\\])~~(?=[^\s~])(.+?)(?<=[^\s~])~~(?!~)",
    )
)
_CITED: Final = re.compile(rf"\s*{CITATION}")
_ESCAPED: Final = re.compile(r"\\([*_`~#])")
_HELD: Final = "\0"
"""Stands where code is, whose signs are its own."""


def plain_line(text: str) -> str:
    """The text on one line, as it would read where Markdown is shown."""
    code: list[str] = []

    def hold(found: re.Match[str]) -> str:
        code.append(found.group(2))
        return _HELD

    lines = [
        line for line in text.replace(_HELD, "").splitlines() if not (_RULE.fullmatch(line) or _FENCE.fullmatch(line))
    ]
    words = _CODE.sub(hold, " ".join(" ".join(map(_without_line_marks, lines)).split()))
    words = _ADDRESS.sub(r"\1", _LINK.sub(r"\1", _CITED.sub("", words)))
    for mark in (*_EMPHASIS, *_EMPHASIS):  # one may stand within another
        words = mark.sub(r"\1", words)
    words = _ESCAPED.sub(r"\1", words)
    pieces = zip(words.split(_HELD), [*code, ""], strict=False)
    return " ".join("".join(piece + inner for piece, inner in pieces).split())


def _without_line_marks(line: str) -> str:
    """Without what makes a line a heading, a quote, an item of a list or a row of a table."""
    while found := _LINE_MARK.match(line):
        line = line[found.end() :]
        if "#" in found.group():
            return _HEADING_END.sub("", line)
    bare = line.strip()
    return _CELL_END.sub(" ", bare) if bare.startswith("|") and bare.endswith("|") else line


LONGEST: Final = 60
"""Characters of a title."""

_LOOKED_AT: Final = 20 * LONGEST
"""Characters of a question in which its first words are looked for: marks may stand before them."""


def first_words(text: str) -> str:
    """The first words of a question on one line, without the marks of Markdown, at most `LONGEST` characters.

    Cut between words where there are spaces; empty only where the text is.
    """
    beginning = text[:_LOOKED_AT]
    line = plain_line(beginning) or " ".join(beginning.split())
    if len(line) <= LONGEST:
        return line
    cut = line.rfind(" ", LONGEST // 2, LONGEST)
    return (line[:cut] if cut > 0 else line[: LONGEST - 1]).rstrip(" ,;:.") + "…"


MOST_INPUT: Final = 150
"""Tokens of input that a title may cost (PRODUCT.md WIN-1)."""

MOST_OUTPUT: Final = 40
"""Tokens of output: six words of any language, and the marks around them."""

_ASKED: Final = "Name this conversation in two to six words, in its own language. Write nothing but the name."
_ROOM: Final = 0.8
"""Share of the tokens that are used by estimate, so that the provider's count stays below as well."""
_MESSAGE_PART: Final = 1_200
"""Characters of each text that are looked at: more never fit."""

_LABEL: Final = re.compile(r"^(?:title|name|titel|titre|título|titolo|标题|タイトル)\s*[:\uff1a]\s*", re.IGNORECASE)
_AROUND: Final = " \t#*_`\"'“”„‚‘’«»‹›「」『』《》<>.。"


def title_prompt(question: str, answer: str, estimator: TokenEstimator) -> str:
    """Return the text sent to the model: the wish, and the beginnings of the question and of its answer that fit."""
    left = MOST_INPUT * _ROOM - _tokens(_ASKED, estimator)
    pieces = [_ASKED]
    for who, text, share in (("User", question, 0.7), ("Assistant", answer, 1.0)):
        heading = f"{who}: "
        most = int(left * share - _tokens("\n\n" + heading, estimator))
        if beginning := _beginning(text, most, estimator):
            pieces.append(heading + beginning)
            left -= _tokens("\n\n" + pieces[-1], estimator)
    return "\n\n".join(pieces)


def title_of_answer(text: str) -> str:
    """The title in what a model answered; empty where it answered something else than a name."""
    lines = [line for line in (plain_line(line) for line in clean_text(text).splitlines()) if line]
    if not lines:
        return ""
    title = _LABEL.sub("", lines[0].strip(_AROUND)).strip(_AROUND)
    return title if len(title) <= LONGEST and title.isprintable() else ""


def _beginning(text: str, most: int, estimator: TokenEstimator) -> str:
    text = " ".join(clean_text(text[:_MESSAGE_PART]).split())
    return split_text(text, most, estimator)[0].strip() if text and most > 0 else ""


def _tokens(text: str, estimator: TokenEstimator) -> float:
    return estimator.tokens(features(text))
