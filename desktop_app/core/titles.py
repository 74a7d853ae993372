"""Titles of threads: the first words of a question at once, then what a model is asked for."""

from __future__ import annotations

import re
from typing import Final

from desktop_app.core.context.sent_content import clean_text
from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_estimator import TokenEstimator, split_text
from desktop_app.core.markdown.plain_line import plain_line

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
        beginning = _beginning(text, most, estimator)
        if beginning:
            pieces.append(heading + beginning)
            left -= _tokens("\n\n" + pieces[-1], estimator)
    return "\n\n".join(pieces)


def title_of_answer(text: str) -> str:
    """The title in what a model answered; empty where it answered something else than a name."""
    lines = [line for line in (" ".join(line.split()) for line in clean_text(text).splitlines()) if line]
    if not lines:
        return ""
    title = _LABEL.sub("", lines[0].strip(_AROUND)).strip(_AROUND)
    return title if len(title) <= LONGEST and title.isprintable() else ""


def _beginning(text: str, most: int, estimator: TokenEstimator) -> str:
    text = " ".join(clean_text(text[:_MESSAGE_PART]).split())
    return split_text(text, most, estimator)[0].strip() if text and most > 0 else ""


def _tokens(text: str, estimator: TokenEstimator) -> float:
    return estimator.tokens(features(text))
