"""Texts that a model, a server or a file may send to make a reader slow: each can be made at any length."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

Make = Callable[[int], str]


@dataclass(frozen=True, slots=True)
class Text:
    """One kind of text; `make(size)` has about `size` characters."""

    name: str
    make: Make


def repeated(unit: str, before: str = "", after: str = "") -> Make:
    """`before`, the unit as often as fits, `after`."""
    return lambda size: before + unit * max(1, (size - len(before) - len(after)) // len(unit)) + after


def _nested(opening: str, inner: str, closing: str) -> Make:
    def make(size: int) -> str:
        depth = max(1, size // (len(opening) + len(closing)))
        return opening * depth + inner + closing * depth

    return make


def _growing_runs(sign: str, between: str) -> Make:
    """Runs of one sign, each longer than the one before: no two of them match."""

    def make(size: int) -> str:
        pieces, length, count = [], 0, 1
        while length < size:
            pieces.append(sign * count + between)
            length += count + len(between)
            count += 1
        return "".join(pieces)

    return make


def _table(size: int) -> str:
    columns = max(1, size // 8)
    return "|a" * columns + "|\n" + "|-" * columns + "|\n" + "|b" * columns + "|\n"


def _numbered(unit: str) -> Make:
    """The unit with a running number in each."""

    def make(size: int) -> str:
        count = max(1, size // (len(unit) + 4))
        return "".join(unit.replace("#", str(number)) for number in range(count))

    return make


def _quoted(size: int) -> str:
    return "\n".join(">" * (number % 30) + " a" for number in range(max(1, size // 17)))


def _steps(unit: str) -> Make:
    """Lines of which each is indented further than the one before."""

    def make(size: int) -> str:
        lines: list[str] = []
        length = 0
        while length < size:
            lines.append("  " * len(lines) + unit)
            length += len(lines[-1]) + 1
        return "\n".join(lines)

    return make


#: What is repeated, on one line or on lines of its own.
_UNITS = (
    *(
        "`",
        "``",
        "```",
        "` ",
        "`a",
        "``a`",
        "*",
        "**",
        "***",
        "* ",
        "*a",
        "**a",
        "*a **b ",
        "a*",
        "a**b",
        "*a_",
        "_",
        "__",
    ),
    *(
        "_a",
        "__a_",
        "~",
        "~~",
        "~~a",
        "[",
        "]",
        "[]",
        "[a",
        "[a]",
        "[a](",
        "[a](b",
        "[a](b)",
        "[](",
        "![",
        "![a",
        "![a](",
    ),
    *(
        "![a](b)",
        "[a][",
        "[^",
        "[^1]",
        "[^a",
        "[^1",
        "(",
        ")",
        "()",
        "<",
        ">",
        "<a",
        "<a ",
        "</",
        "<!--",
        "<![CDATA[",
        "<?",
    ),
    *(
        "<http://a",
        "<a@b",
        "&",
        "&a",
        "&amp;",
        "&#1",
        "\\",
        "\\\\",
        "\\(",
        "\\(a",
        "\\)",
        "\\[",
        "\\[a",
        "$",
        "$$",
        "$a",
    ),
    *(
        "$a ",
        "$1",
        "$a$",
        "$a$ ",
        "$$a",
        "$\\",
        "${",
        "{",
        "}",
        "{{",
        "{{a",
        "{{a}}",
        "{{a:",
        "{{a=",
        "{{ ",
        "\\{{a}}",
        "|",
    ),
    *(
        "|a",
        "||",
        "-",
        "--",
        "- ",
        "=",
        "#",
        "# ",
        "+",
        "http://",
        "http://a",
        "http://a ",
        "http://a(",
        "http://a)",
        "://",
    ),
    *(
        "www.",
        "a@",
        "a@b",
        "mailto:",
        "a",
        "1",
        "1.",
        "1,",
        "1,000,",
        "1 ",
        "9",
        "ab ",
        " ",
        "  ",
        "\t",
        "\u3000",
        "\u2028",
    ),
    *(
        "\0",
        "\r",
        "\x1b[31m",
        "é",
        "e\u0301",
        "\u0301",
        "中",
        "あ",
        "ไ",
        "ß",
        "ﬁ",
        "İ",
        "😀",
        "👨‍👩‍👧",
        "\u202e",
        "\ufeff",
        "\u00ad",
    ),
    *('"', "'", "“", "''", "<antArtifact", "<antArtifact ", "<antArtifact>", '<antArtifact a="', "</antArtifact>"),
    *(
        "[searched documents]",
        "[USER]:",
        "sk-",
        "token=",
        "bearer ",
        "://a:",
        "a.",
        "a. ",
        "a/",
        "a-",
        "a=",
        "a::",
        "->",
    ),
    *(
        "\\frac{",
        "\\frac{a}{",
        "x^",
        "x_",
        "x^{",
        "\\left(",
        "\\begin{a}",
        "\\ce{",
        "\\text{",
        "\\sqrt[",
        "1e9",
        "context ",
    ),
    *(
        "tokens ",
        "1 tokens ",
        "maximum ",
        "maximum context length is ",
        "1 + ",
        "prompt 1",
        "prompt ",
        "a\\",
        "A1",
        "aA",
    ),
)

_LINES = (
    *(
        "```\n",
        "~~~\n",
        "```a\n\n",
        "````\n```\n",
        "> ",
        "> a\n",
        ">>",
        "- a\n",
        "- [ ] a\n",
        "- [x] \n",
        "* \n",
        "1. a\n",
    ),
    *(
        "1) \n",
        "# a\n",
        "a\n",
        "\n",
        "a\n\n",
        "a  \n",
        " a\n",
        "    a\n",
        "\ta\n",
        "---\n",
        "===\n",
        "a\n---\n",
        "***\n",
    ),
    *("| a\n", "|\n", "|a|\n", "|-|\n", "|a|b|\n|-|-|\n", "[a]: b\n", "[a]: b\n\n", "[a]:\n", "[^a]: b\n", "[^a]:\n\n"),
    *("[^1]: a\n    b\n", "$$\n", "$$\na\n", "\\[\n", "\\[\na\n", "> $$\n", "- $$\n", "- ```\n", "> ```\n", "<div>\n"),
    *("{{a}}\n", "[USER]: a\n", "{\n", "[\n", "def a():\n", "a: b\n", "\r\n", "\r", "a\r", "* *\n", "+\n", "> - a\n"),
    *(
        "\n[searched documents] a",
        "\u2029",
        " \n",
        "\t\n",
        "\\\n",
        "a|b\n",
        "-\n",
        "`\n",
        "``\na",
        "*a\n",
        "[a\n",
        "![a\n",
    ),
    *(
        "[a](\n",
        "<a\n",
        "$a\n",
        "http://a\n",
        "#\n",
        "a\n-\n",
        "- a\n\n  b\n",
        "1. a\n\n2. b\n",
        "```\na\n```\n",
        "&\n",
    ),
)

_SHAPED: dict[str, Make] = {
    "table of many columns": _table,
    "table of many rows": repeated("|a|b|\n", "|a|b|\n|-|-|\n"),
    "table, columns and rows": repeated("|b" * 100 + "|\n", "|a" * 100 + "|\n" + "|-" * 100 + "|\n"),
    "table, rows of bars": lambda size: "|a|b|\n|-|-|\n" + "|" * size,
    "runs of backticks that grow": _growing_runs("`", " "),
    "lines of backticks that grow": _growing_runs("`", "\n"),
    "runs of stars that grow": _growing_runs("*", " a"),
    "runs of tildes that grow": _growing_runs("~", "\n"),
    "open fence": repeated("a b c\n", "```\n"),
    "open fence, one line": repeated("a", "```\n"),
    "open fence of tildes in a quote": repeated("> a\n", "> ~~~\n"),
    "open fence in a list": repeated("  a\n", "- ```\n"),
    "open fence, backticks": repeated("`", "```\n"),
    "open fence, blank lines": repeated("\n", "```\n"),
    "fence with a long info": repeated("a ", "```"),
    "fence with backticks in its info": repeated("`a", "```"),
    "fences that do not close": repeated("```a\nb\n````\n"),
    "brackets in each other": _nested("[", "a", "]"),
    "links in each other": _nested("[", "a", "](b)"),
    "pictures in each other": _nested("![", "a", "](b)"),
    "parentheses in a target": _nested("(", "a", ")"),
    "target of parentheses": lambda size: "[a](" + "(" * (size // 2) + ")" * (size // 2) + ")",
    "braces in each other": _nested("{", "a", "}"),
    "formula of braces": lambda size: "$" + "{" * (size // 2) + "}" * (size // 2) + "$",
    "JSON arrays in each other": lambda size: '[{"type":"text","text":' + "[" * (size // 2) + "]" * (size // 2) + "}]",
    "JSON of a long number": lambda size: '[{"type":"text","a":' + "1" * size + "}]",
    "JSON of many blocks": repeated('{"type":"text","text":"a"},', "[", '{"type":"text","text":"a"}]'),
    "quotes, deep": repeated(">"),
    "quotes of many depths": _quoted,
    "list that steps in": _steps("- a"),
    "numbered list that steps in": _steps("1. a"),
    "quote that steps in": _steps("> a"),
    "many definitions": _numbered("[a#]: b\n"),
    "many definitions, used": lambda size: _numbered("[a#]: b\n\n")(size // 2) + _numbered("[a#] ")(size // 2),
    "many notes": _numbered("[^#]: b\n\n"),
    "many notes, used": lambda size: _numbered("[^#] ")(size // 2) + "\n\n" + _numbered("[^#]: b\n\n")(size // 2),
    "notes in notes": repeated("[^a]: "),
    "definition with a long title": repeated("a\n", '[a]: b "'),
    "definition that never ends": repeated("\\a", "["),
    "definition in a label": repeated("[a\n", "[b]: c\n"),
    "emphasis of both kinds": repeated("*a _b ** c__ "),
    "emphasis in each other": _nested("*a ", "b", "*"),
    "strong in each other": _nested("**a ", "b", "**"),
    "openers, then closers": lambda size: "*a " * (size // 6) + "b* " * (size // 6),
    "openers of three lengths": repeated("a**b*c***d "),
    "strike openers": repeated("~~a ~b "),
    "prices": repeated("it costs $5 "),
    "prices and a dollar": repeated("$5", "", " $"),
    "formulas that do not close": repeated("\\(a \\[b $c $$d "),
    "formula of many lines": repeated("a\n", "$$\n"),
    "formula of many lines, brackets": repeated("a\n", "\\[\n"),
    "paragraph of one word": repeated("a"),
    "paragraph of lines": repeated("some words of a line\n"),
    "address, long": repeated("a", "http://"),
    "address of closing signs": repeated(")", "http://a"),
    "address of brackets": repeated("]", "http://a["),
    "address of dots": repeated(".", "http://a"),
    "address of at signs": repeated("@", "http://a"),
    "artifact that does not close": repeated("a", "<antArtifact"),
    "artifact of attributes": repeated(' a="b"', "<antArtifact", ">"),
    "artifact of letters": repeated("a", "<antArtifact ", ">"),
    "artifacts": repeated('<antArtifact title="a">b</antArtifact>'),
    "artifacts, open": repeated('<antArtifact title="a">b'),
    "digits": repeated("1"),
    "digits, grouped": repeated(",000", "1"),
    "digits before tokens": repeated("1", "", " tokens > 1"),
    "digits, both": lambda size: "1" * (size // 2) + " tokens > " + "1" * (size // 2) + " maximum",
    "maximum context": repeated("a", "maximum context length is "),
    "minified JavaScript": repeated("function a(b,c){return b?c:d[e]}var f='g',h=/i/g;"),
    "Python on one line": repeated("x = f(1, 'a') if b else [c for c in d]; "),
    "Python, open string": repeated("a ", 'x = "'),
    "Python, open triple string": repeated("a\n", 'x = """'),
    "Python, f-string": repeated("{a}", 'f"'),
    "JSON on one line": repeated('{"a":[1,2,{"b":null}]},', "[", "{}]"),
    "HTML of open tags": repeated("<a b='"),
    "HTML in each other": _nested("<b>", "a", "</b>"),
    "spaces, then a letter": repeated(" ", "", "a"),
    "spaces between letters": repeated(" ", "a", "a"),
    "lines of spaces": repeated("   \n", "a", "a"),
    "surrogate": repeated("a\ud800"),
    "words of an identifier": repeated("parseHTMLPage24"),
    "one long word of capitals": repeated("A"),
    "base64": repeated("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo"),
    "base64 in lines": repeated("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoQUJDREVGR0hJSktMTU5PUFFSU1\n"),
    "one word, accents": repeated("e\u0301\u0302\u0303"),
    "zero width joiners": repeated("a\u200d"),
    "rule of signs": repeated("─"),
    "variables": _numbered("{{a#}} "),
    "variable of blanks": repeated(" ", "{{a", "}}"),
    "variable of choices": repeated("|b", "{{a:", "}}"),
    "backslashes before a variable": repeated("\\", "", "{{a}}"),
    "arguments": repeated('{"a": "b"},'),
    "label of dashes": repeated("-", "title"),
}  # fmt: skip


def texts() -> Iterator[Text]:
    """Every kind, those found by attacks first."""
    for name, make in _SHAPED.items():
        yield Text(name, make)
    for unit in _UNITS:
        yield Text(f"{unit!r} repeated", repeated(unit))
    for unit in _LINES:
        yield Text(f"lines of {unit!r}", repeated(unit))


#: In each of these languages some kinds are tried as code.
_LANGUAGES = ("python", "javascript", "c", "html", "bash", "sql", "yaml", "php", "java", "ruby")
_AS_CODE = (
    *("Python, open triple string", "Python, open string", "Python, f-string", "minified JavaScript"),
    *("HTML of open tags", "spaces between letters", "paragraph of lines"),
)


def fenced() -> Iterator[Text]:
    """Kinds as code in languages that have a lexer."""
    for language, name in product(_LANGUAGES, _AS_CODE):
        made = _SHAPED[name]
        yield Text(f"{language}: {name}", lambda size, made=made, language=language: f"```{language}\n{made(size)}")  # type: ignore[misc]


def generated(count: int, seed: int = 12) -> Iterator[Text]:
    """So many kinds made by chance: units of a few pieces of syntax, with something before and behind."""
    rnd = random.Random(seed)
    pieces = [*_UNITS, *_LINES]
    for _ in range(count):
        unit = "".join(rnd.choices(pieces, k=rnd.randint(1, 4)))
        before = rnd.choice(["", "", *pieces])
        after = rnd.choice(["", "", "\n", "a", *pieces])
        yield Text(f"{before!r} + {unit!r}... + {after!r}", repeated(unit, before, after))


def pairs() -> Iterator[Text]:
    """Openers, then as many of what may close them."""
    signs = ("`", "*", "_", "~~", "[", "](", "(", "$", "\\(", "\\[", "<", "{{", "|", "\n", " ", "&", "\\")
    for first, second in product(signs, repeat=2):
        if first != second:
            yield Text(f"{first!r} repeated, then {second!r}", _one_then(f"{first}x", f"{second}y"))


def _one_then(first: str, second: str) -> Make:
    return lambda size: first * (size // 2 // len(first)) + second * (size // 2 // len(second))
