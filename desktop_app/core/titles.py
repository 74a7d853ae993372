"""Titles: of threads from a question's first words, then from a model; of artifacts from what they are or hold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape
from typing import Final

from desktop_app.core.artifacts import normalized
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
    """A question's first words on one line without Markdown's marks, `LONGEST` at most, cut between words."""
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


LONGEST_TITLE: Final = 120
"""Characters of an artifact's title."""


def one_line_title(title: str) -> str:
    """The title on one line, not longer than titles are."""
    return " ".join(normalized(title).split())[:LONGEST_TITLE].rstrip()


_TAG: Final = re.compile(r"<[^>]*>")
_HEADINGS: Final = tuple(
    re.compile(rf"<({name})\b[^>]{{0,400}}>(.{{1,400}}?)</\1>", re.IGNORECASE | re.DOTALL)
    for name in ("title", "h[1-6]")
)


def titled(text: str) -> str:
    """A title for a text: that of a page, its first heading, or the first words of what is no page; empty for none."""
    if text.lstrip().startswith("<"):
        there = (found[2] for element in _HEADINGS for found in element.finditer(text[:40_000]))
        return next(filter(None, (one_line_title(unescape(_TAG.sub("", words))) for words in there)), "")
    lines = (line.strip() for line in text[:4_000].split("\n"))
    heading = next((line.lstrip("#").strip() for line in lines if line.startswith("#") and line.strip("# ")), "")
    return one_line_title(first_words(heading or text))


LONGEST_LINE: Final = 400
"""Characters of a line in which the name of a file is looked for."""
_ENDINGS: Final = (
    "bash|bat|c|cc|cfg|clj|cmake|conf|cpp|cs|css|csv|dart|env|ex|exs|go|gradle|graphql|h|hpp|hs|html?|ini|ipynb|java|jl|"
    "jsx?|json|kt|lua|mjs|mk|ml|php|pl|properties|proto|ps1|py|rb|rs|scss|service|sh|sql|svelte|swift|tex|tf|toml|tsx?|"
    "txt|vue|xml|ya?ml|zsh"
)
_FILE: Final = rf"(?:[\w.@-]+/)*([\w@-][\w.@-]*\.(?:{_ENDINGS})|Dockerfile|Makefile|CMakeLists\.txt)(?![\w/.-])"
_IN_FENCE: Final = re.compile(rf"(?<![\w./-]){_FILE}", re.IGNORECASE)
_IN_COMMENT: Final = re.compile(
    rf"(?:#|//|--|/\*|<!--|;|%|\W\W\W)\s{{0,8}}(?:file(?:name)?:\s{{0,8}})?{_FILE}\W{{0,8}}", re.IGNORECASE
)
_IN_TEXT: Final = re.compile(rf"(?:`|\*\*){_FILE}(?:`|\*\*)", re.IGNORECASE)
_BEFORE: Final = (
    r"^(?:(?:export|default|public|private|protected|internal|abstract|final|sealed|static|open|data|partial|async|"
    r"unsafe|pub(?:\([\w ]+\))?)\s+)*"
)
_DEFINED: Final = (
    re.compile(_BEFORE + r"(?:class|interface|struct|enum|trait|record|protocol)\s+([^\W\d]\w*)", re.MULTILINE),
    re.compile(r"^type\s+([^\W\d]\w*)\s+struct\b", re.MULTILINE),
    re.compile(
        _BEFORE + r"(?:def|func|function\*?|fn|fun)\s+(?:\([^()\n]*\)\s*)?([^\W\d]\w*)"
        r"|"
        + _BEFORE
        + r"(?:const|let|var)\s+([^\W\d]\w*)\s*=\s*(?:async\s*)?(?:function\b|\w+\s*=>|\([^()\n]*\)\s*=>)",
        re.MULTILINE,
    ),
    re.compile(
        r"^create\s+(?:or\s+replace\s+)?(?:table|view|function|procedure)\s+(?:if\s+not\s+exists\s+)?[\"`]?(\w+)",
        re.MULTILINE | re.IGNORECASE,
    ),
)


def code_title(code: str, fence: str = "", above: str = "") -> str:
    """A title for code: the file that its fence, its first line or the line above it names, or what it defines.

    Empty where nothing says it: several files are named, or nothing but `main` is defined.
    """
    first = code.lstrip().partition("\n")[0].strip()[:LONGEST_LINE]
    named = [
        _IN_FENCE.findall(fence[:LONGEST_LINE]),
        [found[1]] if (found := _IN_COMMENT.fullmatch(first)) else [],
        _IN_TEXT.findall(above[:LONGEST_LINE]),
    ]
    if file := next((names[0] for names in named if len(names) == 1), ""):
        return one_line_title(file)
    for definition in _DEFINED:
        names = ["".join(found.groups("")) for found in definition.finditer(code[:400_000])]
        if names := [name for name in dict.fromkeys(names) if name not in ("main", "_")]:
            return _first_two(names)
    return ""


_OWN_TITLE: Final = re.compile(
    r"^[ \t]*(?:pie[ \t]+(?:showData[ \t]+)?)?title:?[ \t]+[\"']?(\w.{0,400}?)[\"']?[ \t]*$", re.MULTILINE
)
_NODE: Final = re.compile(r"\w[\[({]{1,3}[/\\]?(?:\"`?([^\"`\n]{1,400})`?\"|([^\[\](){}\"|\n]{1,400}))[\])}]")
_DECLARED: Final = re.compile(
    r"^[ \t]*(?:participant|actor|class|section)[ \t]+(?:\w+[ \t]+as[ \t]+)?([^\W\d][^\n{:~]{0,400})", re.MULTILINE
)
_BEFORE_ARROW: Final = re.compile(r"^[ \t]*([^\W\d]\w*)[ \t]*[-=|}<.*][-=|}<>.*o)]", re.MULTILINE)


def diagram_title(text: str) -> str:
    """A title for a diagram of Mermaid: its own, or its first labels or parts; empty where none has a name."""
    text = text[:40_000]
    if found := _OWN_TITLE.search(text):
        return one_line_title(found[1])
    boxes = re.search(r"^\s*(?:flowchart|graph|mindmap)\b", text, re.MULTILINE) is not None
    for names_of in (_NODE if boxes else _DECLARED, _BEFORE_ARROW):
        words = (one_line_title(_TAG.sub(" ", "".join(found.groups("")))) for found in names_of.finditer(text))
        if names := [name.rstrip("/\\") for name in dict.fromkeys(words) if name]:
            return _first_two(names)
    return ""


def _first_two(names: Sequence[str]) -> str:
    return one_line_title(", ".join(names[:2]) + ("…" if names[2:] else ""))


def elided_middle(words: str, most: int) -> str:
    """At most so many characters: names of models and files differ at their ends."""
    if len(words) <= most:
        return words
    half = (most - 1) // 2
    return f"{words[: most - 1 - half]}…{words[-half:]}"
