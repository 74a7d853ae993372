"""Texts of a project's documents with their structure, in this process: each format, sound and hostile."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pypdf
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from desktop_app.core.projects import DocumentText
from desktop_app.documents.file_opening import PROJECT, ReadingLimits, UnreadableError
from desktop_app.documents.mail_and_pages import is_mail, page_markdown
from desktop_app.documents.text_extraction import Recognition, document_text
from tests.documents.files import PIXEL, WORD, docx, paragraph, pdf, table, zipped
from tests.documents.office_files import OFFICE, epub, open_document, pptx, references, xlsx

NO_RECOGNITION = Recognition(None, "eng")
SMALL = ReadingLimits(file_bytes=100_000, characters=2_000, pages=3, unpacked=200_000, time_s=60)
SENTENCE = "Plimsoll's line shows how deep a ship may be loaded."


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., DocumentText]:
    def reading(name: str, data: bytes | str, limits: ReadingLimits = PROJECT) -> DocumentText:
        path = tmp_path / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return document_text(path, limits, NO_RECOGNITION)

    return reading


Read = Callable[..., DocumentText]


def said(text: DocumentText) -> list[tuple[str, str, int, str]]:
    """Kind, heading, page and words of each passage."""
    return [(one.kind, one.heading, one.page, text.text[one.start : one.end]) for one in text.passages]


def test_markdown_is_read_by_its_headings(read: Read) -> None:
    text = read("a.md", "# Prices\n\n## Rope\n\nThree euros.\n")

    assert said(text) == [("text", "Prices > Rope", 0, "# Prices\n\n## Rope\n\nThree euros.")]
    assert text.media_type == "text/markdown"


def test_a_program_is_read_by_its_definitions_and_a_letter_is_not(read: Read) -> None:
    source = (
        "def load():\n    return 1\n" + "    # more\n" * 200 + "\n\ndef unload():\n    return 2\n" + "    # x\n" * 300
    )

    assert {(kind, heading) for kind, heading, *_ in said(read("ship.py", source))} == {
        ("code", "def load()"),
        ("code", "def unload()"),
    }
    assert {kind for kind, *_ in said(read("letter.txt", source))} == {"text"}


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_rows_of_a_table_keep_their_header(read: Read, separator: str) -> None:
    rows = [["Name", "Price"], ['"Rope\nlong"', "3 | 4"], *[[f"Part {at}", str(at)] for at in range(300)]]

    text = read("parts.csv", "\n".join(separator.join(row) for row in rows))

    assert {one.kind for one in text.passages} == {"table"}
    assert {one.table_head for one in text.passages} == {"| Name | Price |"}
    assert "| Rope long | 3 \\| 4 |" in text.text
    assert len(text.passages) > 2


def test_lines_without_columns_are_no_table(read: Read) -> None:
    assert said(read("words.csv", "rope\nanchor\n")) == [("text", "", 0, "rope\nanchor")]


def test_json_in_one_line_is_indented_and_read_by_its_members(read: Read) -> None:
    text = read("data.json", json.dumps({"name": "Größe", "parts": list(range(2_000)), "end": 1}))

    assert '"name": "Größe"' in text.text
    assert {one.heading for one in text.passages} == {"name", "parts", "end"}


def test_a_page_is_what_it_says(read: Read) -> None:
    html = (
        "<!doctype html><title>Ropes</title><style>p{}</style><script>alert('<p>no</p>')</script>"
        "<h1>Prices</h1><p>Three&nbsp;<b>euros</b>\n each.</p><ul><li>thin</li><li>thick</li></ul>"
        "<table><tr><th>Name</th><th>Price</th></tr><tr><td>Rope<br>long</td><td>3</td></tr></table><h2>Care</h2>Dry."
    )

    text = read("page.html", html)

    assert said(text) == [
        ("text", "Prices", 0, "# Prices\n\nThree euros each.\n\n- thin\n- thick"),
        ("table", "Prices", 0, "| Name | Price |\n| --- | --- |\n| Rope long | 3 |"),
        ("text", "Prices > Care", 0, "## Care\n\nDry."),
    ]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from(
            ["p", "div", "table", "tr", "td", "th", "caption", "h1", "li", "ul", "pre", "br", "dl", "dt", "math", "mi"]
        ).flatmap(lambda tag: st.sampled_from([f"<{tag}>", f"</{tag}>"]))
        | st.sampled_from(["<title/>", "<svg/>", "<![x>", "<![endif]>", "<!x>", "<![CDATA[<]]>"])
        | st.integers(0, 99).map(lambda number: f"word{number}end")
    )
)
@example(
    ["<table>", "<caption>", "word1end", "<tr>", "<td>", "word2end", "<td>", "word3end", "<tr>", "<td>", "word4end"]
)
@example(["<pre>", "word1end", "</table>"])
def test_no_word_of_a_page_is_dropped_however_its_elements_stand(read: Read, page: list[str]) -> None:
    words = [one for one in page if "<" not in one]
    assume(words)

    for text in (read("page.html", "".join(page)).text, page_markdown("".join(page))):
        assert [one for one in words if one not in text] == []


def test_a_page_is_shown_with_its_marks_and_no_sign_of_its_words_is_one() -> None:
    html = (
        "<!doctype html><title>Tides</title><style>p{}</style><script>alert(1)</script><h1>June <em>tides</em></h1>"
        "<p>High at <b>6:40</b>, <a href='https://t.example/a?b=(1)'>the table</a>.<br>Costs $5, `x`, *no* [a](b)."
        "<a href='javascript:alert(1)'>bad</a><img src='http://t.example/x.png' alt='A boat'></p><ul><li>One<ul><li>In"
        "<p>More</ul><li>Two</ul><p>- no list<p>1. none<ol start=3><li>three<li>four"
        "<pre>def f():\n  return `1`</pre></ol>"
        "<blockquote>Said</blockquote><hr><dl><dt>Term<dd>What</dl><table><tr><th>Fruit<tr><td>a|<b>$5</b></table>"
    )

    assert page_markdown(html).split("\n") == [
        "# June *tides*",
        "",
        "High at **6:40**, [the table](<https://t.example/a?b=(1)>).\\",
        "Costs &#36;5, &#96;x&#96;, &#42;no&#42; &#91;a&#93;(b).badA boat",
        "",
        "- One",
        "  - In",
        "",
        "    More",
        "",
        "- Two",
        "",
        "&#45; no list",
        "",
        "&#49;. none",
        "",
        "3. three",
        "4. four",
        "",
        "   ```",
        "   def f():",
        "     return `1`",
        "   ```",
        "",
        "> Said",
        "",
        "---",
        "",
        "**Term**",
        "",
        "What",
        "",
        "| Fruit |",
        "| --- |",
        "| a&#124;**&#36;5** |",
    ]


def test_a_formula_is_said_once_and_raw_text_as_it_stands(read: Read) -> None:
    formula = "<math><mi>x</mi><mo>=</mo><mn>2</mn><annotation>x=2</annotation></math>"
    text = read("page.html", f"<title/><p>So {formula} holds, <![CDATA[a < b]]> too.</p>")

    assert text.text == "So x=2 holds, a < b too."


def test_a_table_that_is_cut_keeps_its_rows(read: Read) -> None:
    text = read("a.docx", docx(table(*[[f"Rope {at}", "3 euros"] for at in range(500)])), SMALL)

    assert "| Rope 0 | 3 euros |" in text.text
    assert text.note == "It is too long; its end is left out."


def test_pages_of_a_pdf_are_passages_of_their_own(read: Read) -> None:
    text = read("a.pdf", pdf(f"First page.\n{SENTENCE}", SENTENCE))

    assert said(text) == [("text", "", 1, f"First page.\n{SENTENCE}"), ("text", "", 2, SENTENCE)]
    assert text.pages == 2


def test_the_bookmarks_of_a_pdf_are_its_headings(read: Read) -> None:
    writer = pypdf.PdfWriter(
        clone_from=io.BytesIO(pdf(f"Start\n{SENTENCE}", f"Ropes\n{SENTENCE}\nAnchors\n{SENTENCE}"))
    )
    part = writer.add_outline_item(title="Goods", page_number=1)
    writer.add_outline_item(title="Ropes", page_number=1, parent=part)
    writer.add_outline_item(title="Anchors", page_number=1, parent=part)
    out = io.BytesIO()
    writer.write(out)

    text = read("a.pdf", out.getvalue())

    assert [(heading, page, words.partition("\n")[0]) for _, heading, page, words in said(text)] == [
        ("", 1, "Start"),
        ("Goods > Ropes", 2, "Ropes"),
        ("Goods > Anchors", 2, "Anchors"),
    ]


def test_a_word_document_is_read_by_its_headings_and_tables(read: Read) -> None:
    heading = paragraph("Prices", '<w:pStyle w:val="Heading1"/>')
    body = heading + paragraph("As of May.") + table(["Name", "Price"], ["Rope", "3"])

    assert said(read("a.docx", docx(body))) == [
        ("text", "Prices", 0, "# Prices\nAs of May."),
        ("table", "Prices", 0, "| Name | Price |\n| --- | --- |\n| Rope | 3 |"),
    ]


def test_sheets_are_tables_under_their_names(read: Read) -> None:
    text = read("a.xlsx", xlsx(Ropes=[["Name", "Price"], ["thin", 3], ["thick", 4.5], ["", ""]], Empty=[]))

    assert said(text) == [
        ("sheet", "Ropes", 0, "# Ropes\n| Name | Price |\n| --- | --- |\n| thin | 3 |\n| thick | 4.5 |")
    ]
    assert text.passages[0].table_head == "| Name | Price |"


@pytest.mark.parametrize("far", ["XFD1048576", "ZZ900000"])
def test_a_cell_far_from_all_others_is_left_out_and_named(read: Read, far: str) -> None:
    """The library makes the whole rectangle around all cells: 17 billion of them, before their number can be asked."""
    ref = '<c r="{}" t="inlineStr"><is><t>{}</t></is></c>'.format
    rows = f"<row>{ref('A1', 'Name')}{ref('B1', 'Price')}</row><row>{ref('A2', 'Rope')}{ref('B2', '3')}</row>"
    sheet = f"{rows}<row>{ref('A3', 'Oar')}<c r='XFD3' s='1'/>{ref(far, 'lost')}</row><row>{ref('A4', 'Sail')}</row>"
    data = with_sheet(xlsx(Ropes=[["x"]]), sheet)
    text = read("a.xlsx", data)
    assert [line for line in text.text.splitlines() if line][1:] == [
        "| Name | Price |", "| --- | --- |", "| Rope | 3 |", "| Oar |", "| Sail |",
    ]  # fmt: skip
    assert text.note == "Cells very far from the others are left out."
    assert not read("a.xlsx", with_sheet(xlsx(Ropes=[["x"]]), rows)).note


def test_a_formula_stands_where_a_workbook_has_no_value_for_it(read: Read) -> None:
    rows = (
        '<row><c r="A1" t="inlineStr"><is><t>Price</t></is></c><c r="B1" t="inlineStr"><is><t>Sum</t></is></c></row>'
        '<row><c r="A2"><v>3</v></c><c r="B2"><f>A2*12</f><v></v></c></row>'
        '<row><c r="A3"><v>4</v></c><c r="B3" t="n" s="0"><f ca="1">IF(A3&gt;2,A3,"")</f></c></row>'
        '<row><c r="A4"><v>5</v></c><c r="B4"><f>A4*12</f><v>60</v></c></row>'
    )
    text = read("a.xlsx", with_sheet(xlsx(Ropes=[["x"]]), rows))
    assert [line for line in text.text.splitlines() if line][1:] == [
        "| Price | Sum |", "| --- | --- |", "| 3 | =A2*12 |", '| 4 | =IF(A3>2,A3,"") |', "| 5 | 60 |",
    ]  # fmt: skip
    assert not text.note


def with_sheet(book: bytes, rows: str) -> bytes:
    """A workbook whose only sheet has these rows."""
    with zipfile.ZipFile(io.BytesIO(book)) as whole:
        entries = {name: whole.read(name) for name in whole.namelist()}
    head = f'<worksheet xmlns="{OFFICE}/spreadsheetml/2006/main"><sheetData>'
    return zipped(entries | {"xl/worksheets/sheet1.xml": f"{head}{rows}</sheetData></worksheet>".encode()})


def test_an_open_document_sheet_is_read_too(read: Read) -> None:
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'.format
    rows = "".join(
        f"<table:table-row>{cell(a)}{cell(b)}</table:table-row>" for a, b in [("Name", "Price"), ("Rope", "3")]
    )
    data = open_document("spreadsheet", f'<table:table table:name="Ropes">{rows}</table:table>')

    assert "| Rope | 3 |" in read("a.ods", data).text


def test_slides_are_read_in_their_order_with_their_notes(read: Read) -> None:
    body = "<a:p><a:r><a:t>Three ropes</a:t></a:r></a:p>"
    text = read("a.pptx", pptx(("Start", body), ("End", "<a:p/>"), notes="Say hello."))

    assert said(text) == [
        ("slide", "Slide 1: Start", 1, "# Slide 1: Start\nThree ropes\n\nNotes: Say hello."),
        ("slide", "Slide 2: End", 2, "# Slide 2: End"),
    ]
    assert text.pages == 2


def test_the_words_of_a_drawn_process_are_part_of_their_slide(read: Read) -> None:
    spaces = f'xmlns:d="{OFFICE}/drawingml/2006/diagram" xmlns:a="{OFFICE}/drawingml/2006/main"'
    points = "".join(f"<d:pt><d:t><a:p><a:r><a:t>{one}</a:t></a:r></a:p></d:t></d:pt>" for one in ("Measure", "Cut"))
    slides = pptx(("Start", "<a:p/>"), notes="Twice.")
    drawn = zipped(
        {name: archive.read(name) for archive in [zipfile.ZipFile(io.BytesIO(slides))] for name in archive.namelist()}
        | {
            "ppt/slides/_rels/slide1.xml.rels": references(d="../diagrams/data1.xml"),
            "ppt/diagrams/data1.xml": f"<d:dataModel {spaces}><d:ptLst>{points}</d:ptLst></d:dataModel>",
        }
    )

    assert read("a.pptx", drawn).text == "# Slide 1: Start\nMeasure\nCut\n\n"


def test_an_open_document_text_keeps_headings_lists_tables_and_notes(read: Read) -> None:
    body = "<text:note-body><text:p>See B.</text:p></text:note-body>"
    note = f"<text:note><text:note-citation>1</text:note-citation>{body}</text:note>"
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>".format
    rows = "".join(
        f"<table:table-row>{cell(a)}{cell(b)}</table:table-row>" for a, b in [("Name", "Price"), ("Rope", "3")]
    )
    body = (
        '<text:h text:outline-level="2">Prices</text:h>'
        f'<text:p>As<text:s text:c="2"/>of{note} May.</text:p>'
        "<text:list><text:list-item><text:p>thin</text:p></text:list-item></text:list>"
        f"<table:table>{rows}</table:table><office:annotation><text:p>secret</text:p></office:annotation>"
    )

    assert said(read("a.odt", open_document("text", body))) == [
        ("text", "Prices", 0, "## Prices\nAs  of [See B. ] May.\n- thin"),
        ("table", "Prices", 0, "| Name | Price |\n| --- | --- |\n| Rope | 3 |"),
    ]


def test_open_document_slides_are_slides(read: Read) -> None:
    frame = '<draw:frame presentation:class="{}"><draw:text-box><text:p>{}</text:p></draw:text-box></draw:frame>'.format
    body = f"<draw:page>{frame('title', 'Start')}{frame('outline', 'Three ropes')}</draw:page>"

    assert said(read("a.odp", open_document("presentation", body))) == [
        ("slide", "Slide 1: Start", 1, "# Slide 1: Start\nThree ropes")
    ]


def test_the_chapters_of_a_book_are_in_reading_order(read: Read) -> None:
    text = read("a.epub", epub("<h1>One</h1><p>It began.</p>", "<h1>Two</h1><p>It ended.</p>"))

    assert [(heading, words.partition("\n\n")[2]) for _, heading, _, words in said(text)] == [
        ("One", "It began."),
        ("Two", "It ended."),
    ]


def test_rich_text_is_its_words(read: Read) -> None:
    said = rb"Gr\'fc\'dfe \u19990?\u30028? \u-10179?\u-8704?\par Second{\footnote (1970)}."
    data = rb"{\rtf1\ansi{\fonttbl\f0 Arial;}\f0 " + said + b"}"

    assert read("a.rtf", data).text == "Grüße 世界 😀\nSecond  (1970)."


def test_a_mail_is_who_wrote_what_with_the_names_of_its_files(read: Read) -> None:
    inner = EmailMessage()
    inner["From"], inner["Subject"], inner["Message-ID"] = "c@x.org", "Before", "<1@x>"
    inner.set_content("The old words.")
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "Änne <a@x.org>", "b@x.org", "Grüße"
    mail["Message-ID"] = "<2@x>"
    mail.set_content("Plain words.")
    mail.add_alternative("<p>Rich words.</p>", subtype="html")
    mail.add_attachment(b"%PDF-1.4 not read", maintype="application", subtype="pdf", filename="offer.pdf")
    mail.add_attachment(inner)

    text = read("a.eml", mail.as_bytes())

    assert [heading for _, heading, *_ in said(text)] == ["Grüße", "Grüße > Before"]
    assert "From: Änne <a@x.org>\nTo: b@x.org" in text.text
    assert "Plain words." in text.text
    assert "Rich words." not in text.text
    assert "[Attachment: offer.pdf]" in text.text
    assert "The old words." in text.text
    assert text.media_type == "message/rfc822"


def test_a_mail_whose_plain_form_says_nothing_is_read_from_its_other_form(read: Read) -> None:
    mail = EmailMessage()
    mail["From"], mail["Message-ID"] = "a@x.org", "<2@x>"
    mail.set_content("View this mail in a browser: https://x.org/1")
    mail.add_alternative("<p>The invoice of May is due on Friday.</p>" * 9, subtype="html")

    text = read("a.eml", mail.as_bytes()).text

    assert "The invoice of May is due on Friday." in text
    assert "in a browser" not in text


HEADER_VALUES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=30) | st.from_regex(
    r"(Mon, )?[0-9]{1,25} (Jan|Foo) -?[0-9]{1,25} [0-9]{1,12}:[0-9]{2}:[0-9]{2} [+-]?[0-9]{1,25}", fullmatch=True
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(("Date", "Subject", "Cc", "Content-Type", "MIME-Version")), HEADER_VALUES)))
@example([("Date", "Mon, 1 Jan 99999999999999999999 10:00:00 +0000")])
@example([("Cc", "(" * 3000)])
@example([("Content-Type", "/")])
@example([("Content-Type", "text/x-note")])
@example([("Content-Type", "application/x-note")])
def test_a_mail_with_any_headers_is_read_or_said_to_be_damaged(read: Read, headers: list[tuple[str, str]]) -> None:
    lines = ["From: a@x.org", "Message-ID: <1@x>", *(f"{name}: {value}" for name, value in headers)]
    data = ("\r\n".join(lines) + "\r\n\r\nThe words.").encode()
    try:
        text = read("a.eml", data).text
        assert "The words." in text or "[Attachment: application/" in text
    except UnreadableError:
        assert any(name == "Content-Type" for name, _ in headers)


def test_files_in_the_form_of_a_mail_that_is_not_read_are_named(read: Read) -> None:
    mail = EmailMessage()
    mail["From"], mail["Message-ID"] = "a@x.org", "<2@x>"
    mail.set_content("Plain words.")
    mail.add_alternative("<p>Rich words.</p>", subtype="html")
    rich = list(mail.iter_parts())[1]
    assert isinstance(rich, EmailMessage)
    rich.add_attachment(b"%PDF-1.4 not read", maintype="application", subtype="pdf", filename="offer.pdf")

    assert read("a.eml", mail.as_bytes()).text.endswith("Plain words.\n\n[Attachment: offer.pdf]")


@pytest.mark.parametrize("place", ["", "Content-Disposition: inline; filename=words.txt\n"])
def test_a_text_that_has_a_name_is_read_unless_it_is_attached(read: Read, place: str) -> None:
    head = "From: a@x.org\nMessage-ID: <1@x>\nMIME-Version: 1.0\n"
    named = 'Content-Type: text/plain; name="words.txt"\n'

    assert read("a.eml", f"{head}{named}{place}\nThe words.").text.endswith("The words.")
    attached = read("a.eml", f"{head}{named}Content-Disposition: attachment\n\nThe words.").text
    assert attached.endswith("[Attachment: words.txt]")


def test_a_mail_in_html_only_is_read(read: Read) -> None:
    headers = b"From: a@x.org\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=nobody-knows\r\n\r\n"
    data = headers + b"<p>Hello <b>you</b></p>"

    assert read("a.eml", data).text.endswith("Hello you")


@pytest.mark.parametrize(
    "text",
    [
        b"From: me\nDate: today\n\nDear all",
        b"Note: the header\nFrom: here\n",
        b"from typing import Any\n",
        b"key: value\n",
    ],
)
def test_what_only_looks_like_a_mail_is_a_text(text: bytes) -> None:
    assert not is_mail(text)


BOMB = zipped({"content.xml": b"<a>" + b" " * 300_000, "mimetype": "application/vnd.oasis.opendocument.text"})
LAUGHS = '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><x>&b;</x>'


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.odt", BOMB, "far more"),
        ("a.xlsx", zipped({"xl/workbook.xml": "x" * 300_000}), "far more"),
        ("a.odt", open_document("text", "").replace(b"xx", b""), "no text"),
        ("a.odt", open_document("text", "<text:p>x</text:p>", manifest="<encryption-data/>"), "password"),
        ("a.odt", zipped({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": LAUGHS}), "is damaged"),
        ("a.odt", zipped({"mimetype": "application/vnd.oasis.opendocument.text"}), "is damaged"),
        ("a.odg", zipped({"mimetype": "application/vnd.oasis.opendocument.graphics"}), "OpenDocument"),
        ("a.pptx", zipped({"ppt/presentation.xml": LAUGHS}), "is damaged"),
        ("a.pptx", zipped({"ppt/presentation.xml": "<p/>"}), "no text"),
        ("a.pptx", pptx(("x", "<a:p>" * 3_000)), "is damaged"),
        ("a.xlsx", zipped({"xl/workbook.xml": LAUGHS}), "is damaged"),
        ("a.xlsx", xlsx(Empty=[]), "no text"),
        ("a.epub", epub("<p>x</p>", encryption="OEBPS/c%200.xhtml"), "protected against copying"),
        ("a.epub", epub(), "no text"),
        ("a.epub", zipped({"META-INF/container.xml": LAUGHS}), "is damaged"),
        ("a.rtf", b"{\\rtf1}", "no text"),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "old Office file"),
        ("a.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "Workbook".encode("utf-16-le"), "is damaged"),
        ("a.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "password"),
        ("a.pdf", pdf("", "", scanned=True), "is a scan without text. Install Tesseract"),
        ("a.pdf", pdf(*[SENTENCE] * 4), "has 4 pages; the limit is 3"),
        ("a.pdf", pdf(SENTENCE)[:300], "is damaged"),
        ("a.png", PIXEL, "is an image without text"),
        ("a.txt", "x" * 100_001, "the limit is"),
        ("a.txt", " \n", "is empty"),
        ("a.zip", zipped({"a.txt": "x"}), "is an archive"),
    ],
)
def test_what_is_not_read_is_named_with_what_to_do(read: Read, name: str, data: bytes, words: str) -> None:
    with pytest.raises(UnreadableError) as refused:
        read(name, data, SMALL)

    assert f"“{name}”" in refused.value.sentence(name)
    assert words in refused.value.sentence(name)


def test_a_wrong_ending_does_not_matter(read: Read) -> None:
    assert read("slides.txt", docx(paragraph(SENTENCE))).text == SENTENCE
    assert read("table.pdf", xlsx(A=[["x", "y"]])).passages[0].kind == "sheet"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.txt", f"{SENTENCE}\n" * 100),
        ("a.csv", "a,b\n" + "1,2\n" * 1_000),
        ("a.docx", docx(paragraph(SENTENCE) * 100)),
        ("a.xlsx", xlsx(A=[[SENTENCE, "x"]] * 100)),
        ("a.epub", epub(f"<p>{SENTENCE}</p>" * 100)),
    ],
)
def test_what_is_too_long_loses_its_end_and_says_so(read: Read, name: str, data: bytes | str) -> None:
    text = read(name, data, SMALL)

    assert len(text.text) <= SMALL.characters + 200
    assert "too long" in text.note
    assert text.passages[-1].end <= len(text.text)


def test_mails_within_mails_end_somewhere(read: Read) -> None:
    mail = EmailMessage()
    mail["From"], mail["Subject"], mail["Message-ID"] = "a@x.org", "Inner", "<1@x>"
    mail.set_content("words")
    for depth in range(30):
        outer = EmailMessage()
        outer["From"], outer["Subject"], outer["Message-ID"] = "a@x.org", f"Level {depth}", "<1@x>"
        outer.set_content("around")
        outer.add_attachment(mail)
        mail = outer

    assert "Level 29" in read("a.eml", mail.as_bytes()).text


def test_cells_that_stand_there_a_million_times_do_not(read: Read) -> None:
    cell = '<table:table-cell table:number-columns-repeated="1000000"><text:p>x</text:p></table:table-cell>'
    body = f"<table:table><table:table-row>{cell}</table:table-row></table:table>"

    assert len(read("a.odt", open_document("text", body)).text) < 20_000


def test_pages_without_text_are_recognized_where_the_program_is_there(tmp_path: Path, tesseract: str) -> None:
    (tmp_path / "scan.pdf").write_bytes(pdf("", "", scanned=True))
    (tmp_path / "photo.png").write_bytes(PIXEL)

    scan = document_text(tmp_path / "scan.pdf", PROJECT, Recognition(tesseract, "deu+eng"))
    photo = document_text(tmp_path / "photo.png", PROJECT, Recognition(tesseract, "--oops"))

    assert [(page, words) for _, _, page, words in said(scan)] == [
        (1, "Recognized words of a page in deu+eng"),
        (2, "Recognized words of a page in deu+eng"),
    ]
    assert "2 pages was recognized by Tesseract" in scan.note
    assert photo.text == "Recognized words of a page in eng"


def test_a_program_that_fails_leaves_a_scan_a_scan(tmp_path: Path) -> None:
    (tmp_path / "scan.pdf").write_bytes(pdf("", scanned=True))

    with pytest.raises(UnreadableError):
        document_text(tmp_path / "scan.pdf", PROJECT, Recognition("/bin/false", "eng"))


SOUND = (
    ("a.docx", docx(paragraph("Title", '<w:pStyle w:val="Heading1"/>') + table(["a", "b"], ["1", "2"]))),
    ("a.pptx", pptx(("Start", "<a:p><a:r><a:t>Three</a:t></a:r></a:p>"))),
    ("a.xlsx", xlsx(A=[["a", "b"], ["c", 1]])),
    ("a.odt", open_document("text", "<text:h>x</text:h><text:p>y</text:p>")),
    ("a.epub", epub("<h1>One</h1><table><tr><td>x</td></tr></table>")),
    ("a.rtf", rb"{\rtf1\ansi{\fonttbl\f0\fcharset0 Arial;}\f0 Gr\'fc\u19990? {\field{\*\fldinst HYPERLINK x}}\par}"),
    ("a.eml", b"From: a@x.org\nMessage-ID: <1@x>\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b--\n"),
    ("a.html", b"<h1>x</h1><table><tr><td>y</td></tr></table><ul><li>z</ul><pre>code</pre>"),
    ("a.csv", b'a,b\n"1\n",2\n'),
    ("a.pdf", pdf(SENTENCE)),
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(SOUND), st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.binary(max_size=3)), max_size=6)
)
def test_a_damaged_file_is_read_or_refused_in_words(
    read: Read, sound: tuple[str, bytes], changes: list[tuple[float, bytes]]
) -> None:
    name, data = sound
    damaged = bytearray(data)
    for place, change in changes:
        start = int(place * len(damaged))
        damaged[start : start + 2] = change
    try:
        text = read(name, bytes(damaged))
    except UnreadableError:
        assume(changes)
        return
    assert text.passages
    assert text.passages[-1].end <= len(text.text)


def test_the_word_of_an_alien_namespace_is_nothing(read: Read) -> None:
    body = f'<w:p xmlns:w="{WORD}"><w:r><w:t>kept</w:t></w:r><x:t xmlns:x="urn:x">left</x:t></w:p>'

    assert read("a.docx", docx(body)).text == "kept"
