"""An exported page shows what the window shows, and nothing in it runs or is loaded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.composition import FORMULA_WORKER
from desktop_app.controller.export_files import FormulaTypesetting
from desktop_app.controller.formats import html_export
from desktop_app.controller.formats.exported_thread import ExportContents, ExportedThread
from desktop_app.controller.formats.html_export import artifact_piece
from desktop_app.core.artifacts import Artifact, ArtifactKind
from desktop_app.core.context.context_choices import ContextChoices, Summary
from desktop_app.core.messages import TextPart, ToolResultPart
from desktop_app.resources import resource
from desktop_app.system.own_processes import TYPESET_FORMULAS, own_command
from tests.builders.exported_threads import ANSWER, HOSTILE, everything, hostile, talk

TAGS = {
    *("html", "head", "meta", "title", "style", "body", "main", "nav", "section", "header", "article", "h1", "h2"),
    *("h3", "h4", "h5", "h6", "p", "a", "ul", "ol", "li", "blockquote", "div", "pre", "code", "span", "table", "tr"),
    *("th", "td", "hr", "br", "strong", "em", "s", "i", "sup", "details", "summary", "figure", "img", "figcaption"),
    *("svg", "path", "text"),
}
ATTRIBUTES = {
    *("charset", "http-equiv", "content", "name", "id", "class", "dir", "href", "rel", "align", "title", "src", "alt"),
    *("role", "aria-label", "fill", "style", "viewbox", "d", "x", "y", "font-size", "start"),
}


class Page(HTMLParser):
    """What stands in a page: its tags with their attributes, and its text without styles."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in {"meta", "img", "hr", "br", "path"}:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.text += data


def loads_nothing(html: str) -> Page:
    """The page, in which every tag and attribute is one of ours, and no attribute can load or run anything."""
    page = Page(html)
    assert not page.open
    assert {tag for tag, _ in page.tags} <= TAGS
    for tag, attributes in page.tags:
        assert set(attributes) <= ATTRIBUTES
        assert ("src" in attributes) == (tag == "img")
        if tag == "img":
            assert attributes["src"].startswith("data:image/")
        if "href" in attributes:
            assert tag == "a"
            assert attributes["href"].startswith(("https://", "http://", "mailto:", "#"))
        assert "url(" not in attributes.get("style", "")
        assert tag == "meta" or "http-equiv" not in attributes
    styles = html[html.index("<style>") : html.index("</style>")]
    assert "url(" not in styles
    assert "@import" not in styles
    return page


@pytest.fixture(scope="module")
def formulas() -> Iterator[FormulaTypesetting]:
    typesetting = FormulaTypesetting(own_command(TYPESET_FORMULAS, FORMULA_WORKER))
    yield typesetting
    typesetting.close()


def page_of(
    *threads: ExportedThread, contents: ExportContents | None = None, formulas: FormulaTypesetting | None = None
) -> str:
    titles = [one.thread.title for one in threads]
    pieces = [html_export.write_beginning(titles)]
    for number, one in enumerate(threads, 1):
        typeset = formulas.typeset if formulas is not None else lambda _source, _display: None
        pieces += html_export.write_thread(one, contents or ExportContents(), typeset, number)
    return "".join([*pieces, html_export.END])


def test_a_page_shows_all_of_a_thread(formulas: FormulaTypesetting) -> None:
    html = page_of(everything(), formulas=formulas)
    page = loads_nothing(html)
    for words in (
        *("How it works", "Harbor", "Claude Sonnet 4.5", "2 messages", "3,090 tokens", "$0.02", "How deep?", "nested"),
        *("☑ done", "12.50", "def greet", "A chart", "世界", "The note itself.", "Thinking", "Used search", "The end."),
        *("three results", "chart.png", "Attached: report.pdf"),
    ):
        assert words in page.text
    assert "text of the report" not in page.text
    tags = [tag for tag, _ in page.tags]
    assert tags.count("svg") == 3
    assert tags.count("details") == 2
    assert tags.count("img") == 1
    assert '<ol><li><p dir="auto">One</p><ul><li><p dir="auto">nested</p></li>' in html
    assert '<td align="right">12.50</td>' in html
    assert '<span class="keyword">def</span>' in html
    assert "<strong>bold</strong>" in html
    assert 'href="https://example.org/a"' in html


def test_formulas_that_can_not_be_typeset_are_a_line_of_text() -> None:
    page = loads_nothing(page_of(everything()))
    assert "E = mc²" in page.text


def test_nothing_that_a_text_holds_becomes_markup(formulas: FormulaTypesetting) -> None:
    for contents in (ExportContents(), ExportContents(details=False, attached=True)):
        html = page_of(hostile(), contents=contents, formulas=formulas)
        page = loads_nothing(html)
        assert HOSTILE[0] in page.text
        assert [tag for tag, _ in page.tags].count("style") == 1
        assert html.count("data:image/svg") == 0


@given(st.lists(st.sampled_from([*HOSTILE, ANSWER, "`", "**", "> ", "- ", "1. ", "\n", "|a|\n|-|\n", "[^1]: "])))
def test_no_text_breaks_the_page(texts: list[str]) -> None:
    text = "".join(texts)
    loads_nothing(page_of(talk(("user", (TextPart(text),)), ("assistant", (TextPart(text),)))))


def test_a_policy_forbids_what_the_page_does_not_hold_anyway() -> None:
    page = loads_nothing(page_of(everything()))
    policy = next(attributes["content"] for tag, attributes in page.tags if "http-equiv" in attributes)
    assert "default-src 'none'" in policy
    assert "img-src data:" in policy
    assert "script-src 'none'" in policy


def test_details_and_attached_text_are_there_when_wanted() -> None:
    without = loads_nothing(page_of(everything(), contents=ExportContents(details=False, attached=True)))
    assert "Let me think." not in without.text
    assert "three results" not in without.text
    assert "Used search" in without.text
    assert "text of the report" in without.text


def test_both_themes_are_there_and_paper_is_light() -> None:
    html = page_of(everything())
    tokens = json.loads(resource("themes", "tokens.json").read_text("utf-8"))
    assert f"--background: {tokens['light']['background']};" in html
    dark = html[html.index("@media screen and (prefers-color-scheme: dark)") :]
    assert f"--background: {tokens['dark']['background']};" in dark


def test_several_threads_stand_on_one_page_below_their_contents() -> None:
    html = page_of(everything("First", "a"), everything("Second <b>", "b"))
    page = loads_nothing(html)
    assert [attributes["href"] for tag, attributes in page.tags if attributes.get("href", "").startswith("#")] == [
        *("#t1", "#t2")
    ]
    assert [attributes["id"] for tag, attributes in page.tags if tag == "section"] == ["t1", "t2"]
    assert "<title>2 threads</title>" in html


def test_sources_are_numbers_listed_below_their_answer() -> None:
    result = ToolResultPart(
        "c",
        "Berths are 9 m deep.",
        extra={
            "passage_ids": ["3f2a1b9c04-12"],
            "places": [{"document": "harbor.pdf", "place": "Depths", "page": 4, "start": 0, "end": 20}],
            "documents": ["harbor.pdf"],
        },
    )
    one = talk(
        ("user", (TextPart("How deep?"),)),
        ("user", (result,)),
        ("assistant", (TextPart("It is 9 m [3f2a1b9c04-12], not 8 [aaaaaaaaaa-1]."),)),
    )
    html = page_of(one)
    page = loads_nothing(html)
    assert "[3f2a1b9c04-12]" not in page.text
    assert '<sup class="cite" title="harbor.pdf' in html
    assert "1 harbor.pdf" in page.text
    unverified = "Unverified: no passage with the id aaaaaaaaaa-1 was sent to the model."
    assert f'<sup class="unsent" title="{unverified}">aaaaaaaaaa-1</sup>' in html
    assert html.count(unverified) == 2, "as in Markdown, it is said where it can be read, in a PDF too"


def test_a_summary_stands_folded_above_what_it_stands_for() -> None:
    one = everything()
    summary = Summary("s", ("t1-m0", "t1-m1"), "What was *decided*.", "m", "")
    choices = ContextChoices(summaries=(summary,))
    html = page_of(replace(one, thread=replace(one.thread, choices=choices, system="Be <brief>.")))
    page = loads_nothing(html)
    assert page.text.index("Be <brief>.") < page.text.index("Conversation summary by m.") < page.text.index("How deep?")
    assert "What was <em>decided</em>." in html


WRITTEN = """# Order

## Sizes

The rest is $r_1 = \\frac{a}{b}$.

| price | unit |
|---|---|
| 3 | cents |

```python
def total(): return 1
```
"""


def test_an_artifact_has_the_formulas_colors_and_tables_of_a_thread(formulas: FormulaTypesetting) -> None:
    order = Artifact("a", "t", "Order", "markdown")
    html = artifact_piece(order, WRITTEN, formulas.typeset, printed=False)["html"]
    page = loads_nothing(html)
    assert [tag for tag, _ in page.tags if tag in ("h1", "h2", "svg", "table")] == ["h1", "h2", "svg", "table"]
    assert '<span class="keyword">def</span>' in html
    printed = artifact_piece(order, WRITTEN, formulas.typeset, printed=True)
    assert len(printed["formulas"]) == 1
    assert '<span class="keyword">def</span>' in printed["html"]
    code = Artifact("a", "t", "Sum <b>", "code", "python")
    assert "<h1" in artifact_piece(code, "def f(): pass\n", formulas.typeset, printed=False)["html"]
    kinds: tuple[ArtifactKind, ...] = ("code", "html", "svg", "text", "mermaid")
    for kind in kinds:
        hostile_one = replace(code, kind=kind)
        for text in HOSTILE:
            loads_nothing(artifact_piece(hostile_one, text, formulas.typeset, printed=False)["html"])
