"""What a reader sees of a leaf: marks become spans, targets are safe, nothing is HTML; open marks are healed."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it.rules_inline import StateInline, image, link

from desktop_app.core.markdown import inline_text as reading
from desktop_app.core.markdown.block_building import plain_blocks
from desktop_app.core.markdown.inline_text import Inline, end_of_marks, parse_inline, plain_inline, safe_target
from desktop_app.core.markdown.markdown_dialect import inline_parser
from desktop_app.core.markdown.unclosed_marks import healed
from tests.counted_calls import CountedCalls

PARSER = inline_parser()


def read(source: str) -> Inline:
    return parse_inline(PARSER, source)


def marks(source: str) -> list[tuple[str, str, str]]:
    inline = read(source)
    return [(span.kind, inline.text[span.start : span.end], span.target) for span in inline.spans]


def test_marks_become_spans() -> None:
    assert read("a **b *c*** `d` ~~e~~").text == "a b c d e"
    assert marks("a **b *c*** `d` ~~e~~") == [
        ("em", "c", ""),
        ("strong", "b c", ""),
        ("code", "d", ""),
        ("strike", "e", ""),
    ]


def test_links_and_bare_addresses() -> None:
    assert marks("[x](https://e.org) see https://e.org/a_(b).") == [
        ("link", "x", "https://e.org"),
        ("link", "https://e.org/a_(b)", "https://e.org/a_(b)"),
    ]
    assert marks("![a picture](https://e.org/p.png)") == [("link", "a picture", "https://e.org/p.png")]
    assert read("![](https://e.org/p.png)").text == "https://e.org/p.png"


@pytest.mark.parametrize(
    "target",
    ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "file:///etc/passwd", "data:text/html,x", "vbscript:x", "ftp://e.org",
     "//e.org", "/etc/passwd", "http://", "https:///x", "mailto:", "http://e.org/\u202egnp.exe", "https://e.org\\@evil.org",
     "plimsoll:x", " https://e.org", "https://e.org\n", "about:blank"],
)  # fmt: skip
def test_unsafe_targets_are_no_links(target: str) -> None:
    assert safe_target(target) is None
    assert all(span.kind != "link" or safe_target(span.target) for span in read(f"[click](<{target}>)").spans)


@pytest.mark.parametrize("target", ["https://e.org", "http://e.org:80/a?b#c", "HTTPS://E.ORG", "mailto:a@b.org"])
def test_web_and_mail_targets_are_links(target: str) -> None:
    assert safe_target(target) == target


def test_html_stays_text() -> None:
    assert read("<b>x</b> <img src=http://e.org/x onerror=y> &lt;").text.startswith("<b>x</b> <img src=")


def test_formulas_read_as_their_latex_and_stay_as_written_where_they_are_too_long() -> None:
    long = "$$" + "x+" * 1_000 + "y$$"
    made = read(rf"\(a_1 * b * c\) and $ e^{{i\pi}}*2*x$ but $e^{{i\pi}}*2*x$, $5 or $6, {long}")
    assert made.text == rf"a_1 * b * c and $ e^{{i\pi}}2x$ but e^{{i\pi}}*2*x, $5 or $6, {long}"
    assert [(span.kind, span.target) for span in made.spans if span.kind != "em"] == [
        ("formula", r"\(a_1 * b * c\)"),
        ("formula", r"$e^{i\pi}*2*x$"),
        ("math", ""),
    ]


@pytest.mark.parametrize(
    ("growing", "read_as"),
    [
        ("a **bol", "a bol"),
        ("a **b *c", "a b c"),
        ("a `co", "a co"),
        ("a **", "a "),
        ("**bold**", "bold"),
        ("**bold*", "bold"),
        ("see [te", "see "),
        ("see [te](http://a", "see "),
        ("x * y", "x * y"),
        ("[1] ok", "[1] ok"),
        (r"so \(x", "so "),
        (r"so $\frac{a}" + "{b+" * 60, "so "),
        ("so $$x + ", "so "),
        ("so $2x", "so "),
        ("so $2x + ", "so "),
        ("so $10^", "so "),
        ("costs $5", "costs "),
        ("costs $5k a", "costs $5k a"),
        ("costs $5 or", "costs $5 or"),
        ("costs $5.", "costs "),
        ("costs $5. So", "costs $5. So"),
        ("US$10", "US$10"),
        ("a word[^1", "a word"),
    ],
)
def test_open_marks_read_as_if_they_were_closed(growing: str, read_as: str) -> None:
    assert read(healed(growing)).text.rstrip("*") == read_as


FORMULAS = r"It costs $5, or $2x + 1$ of \(a*b\), $\frac{a}{b}$ and $x$, $10^{-3}$, **$y_1$**; so $$z$$ it ends."


@given(st.integers(1, len(FORMULAS)))
@settings(max_examples=len(FORMULAS), deadline=None)
def test_a_formula_is_not_shown_before_it_is_whole(length: int) -> None:
    whole, beginning = read(FORMULAS), read(healed(FORMULAS[:length]))
    assert whole.text.startswith(beginning.text.rstrip())
    formulas = [span.target for span in beginning.spans if span.kind == "formula"]
    assert formulas == [span.target for span in whole.spans if span.kind == "formula"][: len(formulas)]


PROSE = "Some **bold words** and *more* of `code` with a [link](https://example.org/x) and ~~gone~~, then 2 * 3 end."


@given(st.integers(1, len(PROSE)))
@settings(max_examples=len(PROSE), deadline=None)
def test_a_healed_beginning_reads_like_the_beginning(length: int) -> None:
    whole = read(PROSE).text
    assert whole.startswith(read(healed(PROSE[:length])).text.rstrip())


@given(st.text(alphabet="ab *_`~[]()!<>\\$\n", max_size=60))
@settings(max_examples=300, deadline=None)
def test_spans_lie_in_the_text(source: str) -> None:
    for inline in (read(source), read(healed(source)), plain_inline(source)):
        assert all(0 <= span.start < span.end <= len(inline.text) for span in inline.spans)


@contextmanager
def no_collection() -> Iterator[None]:
    """Python looks through the objects of all tests at once, at any moment: that takes longer than what is measured."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@pytest.mark.parametrize(
    "evil",
    [
        "[",
        "*a **a ",
        "`",
        "![[",
        "<",
        "$a ",
        "$a$",
        "$$a ",
        "$1 ",
        "\\(",
        "\\[ ",
        "\\(a\\",
        "[^1]",
        "[a](<b",
        "&",
        "a*",
        "[[]",
        "**_",
        "[\\(",
        "[*",
        "](",
    ],
)
def test_hostile_text_is_bounded_in_time(evil: str) -> None:
    source = (evil * 16_000)[:16_000]
    with no_collection():
        with CountedCalls() as work:
            made = read(source)
        assert work.calls < 8 * len(source)
    with CountedCalls() as work:
        healed(source)
    assert work.calls < 20 * len(source)
    letters = [character for character in source if character.isalnum()]
    assert [character for character in made.text if character.isalnum()] == letters, "no text is lost"


@pytest.mark.parametrize(
    "evil", ["[" * 8_000 + "](x)" * 2_000, "[" * 8_000 + "]" * 8_000, "![a" * 3_000 + "](b)" * 2_000]
)
def test_nested_brackets_are_bounded_in_time(evil: str) -> None:
    with no_collection():
        with CountedCalls() as work:
            made = parse_inline(PARSER, evil, {"A": {"href": "http://e.org", "title": ""}})
        assert work.calls < 50_000
    assert made.text.count("[") > 7_000 or made.text.count("a") == 3_000


def test_brackets_that_can_open_no_link_are_not_looked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    own, labels = inline_parser(), list[str]()

    def parse_label(state: StateInline, start: int, *_: bool) -> int:
        labels.append(state.src[start:])
        return -1

    monkeypatch.setattr(own.helpers, "parseLinkLabel", parse_label)
    parse_inline(own, "[[1, 2], [3, 4]] and ![x]", {"\0^1": {}})
    assert not labels
    parse_inline(own, "[x](y) [z]")
    assert labels == ["[x](y) [z]"]


def test_what_stands_behind_very_many_marks_is_shown_as_it_is() -> None:
    start = "**b** " * 200
    assert read(start + "`c`").text.endswith("b c")
    many = "**b** " * 400
    made = read(many + "*last*\nline")
    assert made.text.endswith("*last* line")
    assert read(many).text == made.text[: len(read(many).text)], "what was read before stays"
    assert end_of_marks("$a_1*b$ " * 900) == len("$a_1*b$ " * 900), "a formula is one mark"


@given(
    st.lists(st.sampled_from(["[", "]", "(", ")", "!", "a", " ", "`", "*", "\\", "<u>", "http://e.org", '"t"', "[^1]"]))
)
@settings(max_examples=400)
def test_links_are_those_of_the_parser_itself(pieces: list[str]) -> None:
    own = inline_parser()
    own.inline.ruler.at("link", link)
    own.inline.ruler.at("image", image)
    note: dict[str, dict[str, str]] = {"\0^1": {}}
    for known in ({"A": {"href": "http://e.org/a", "title": ""}, **note}, {}, note):
        assert parse_inline(PARSER, "".join(pieces), known) == parse_inline(own, "".join(pieces), known)


@given(
    st.text(alphabet="ab. ,:/h\n\t\u3000#-=+|\"(){}1@'^&$<", max_size=40).map(
        lambda text: text.replace("h:", "http://a")
    )
)
@settings(max_examples=400)
def test_prose_without_marks_reads_as_the_parser_reads_it(source: str) -> None:
    source = source.strip()
    read = parse_inline(PARSER, source)
    with patch.object(reading, "reads_as_written", lambda _source: False):
        assert parse_inline(PARSER, source) == read


def test_typed_text_is_verbatim_but_for_fences() -> None:
    blocks = plain_blocks("# no heading\n  * no list\n\n```py\nx = 1\n```\nend\n")
    assert [(leaf.kind, leaf.text) for block in blocks for leaf in block.leaves] == [
        ("plain", "# no heading\n  * no list"),
        ("code", "x = 1\n"),
        ("plain", "end"),
    ]
    assert plain_blocks("```\nnever closed")[0].leaves[0].kind == "plain"
