"""What becomes of the bytes of a file, in this process: kinds, texts, PDF, Word."""

from __future__ import annotations

import base64
import hashlib
import io
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st
from PIL import Image

from desktop_app.documents import text_extraction as module
from desktop_app.documents.file_opening import ATTACHED, MOST_CHARACTERS, MOST_SCANNED_PAGES, UnreadableError
from desktop_app.documents.text_extraction import FileFacts, facts_of, facts_of_text
from tests.documents.files import WORD, docx, paragraph, pdf, table, zipped
from tests.documents.office_files import OFFICE, epub, open_document, pptx, xlsx

SENTENCE = "Plimsoll's line shows how deep a ship may be loaded."


def refusal(data: bytes, name: str = "file.x") -> str:
    with pytest.raises(UnreadableError) as refused:
        facts_of(data, name)
    return refused.value.sentence(name)


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("notes.txt", "text/plain"),
        ("README.md", "text/markdown"),
        ("table.CSV", "text/csv"),
        ("data.json", "application/json"),
        ("page.html", "text/html"),
        ("main.py", "text/plain"),
        ("Makefile", "text/plain"),
    ],
)
def test_a_text_is_read_as_it_stands(name: str, media_type: str) -> None:
    data = b"<p>one</p>\r\ntwo\n"

    assert facts_of(data, name) == FileFacts(
        media_type, text="<p>one</p>\ntwo\n", sha256=hashlib.sha256(data).hexdigest()
    )


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_unicode_is_no_guess(encoding: str) -> None:
    text = "Grüße, 世界, привет 🌊\n"

    facts = facts_of(text.encode(encoding), "a.txt")

    assert (facts.text, facts.note) == (text, "")


@pytest.mark.parametrize(
    ("text", "encoding", "said"),
    [
        ("Sehr geehrte Frau Müller, die Größe der Straße überrascht. Das kostet 3 €.\n", "cp1252", "Windows-1252"),
        ("Name;Straße\nMüller;Hauptstraße 3\n", "cp1252", "Windows-1252"),
        ("Добрый день. Прошу прислать отчёт о продажах за третий квартал.\n", "cp1251", "Windows-1251"),
        ("Добрый день. Прошу прислать отчёт о продажах за третий квартал.\n", "koi8-r", "KOI8-R"),
        ("これは日本語の文書です。次の会議は金曜日に行われます。\n", "shift_jis", "CP932"),
        ("これは日本語の文書です。次の会議は金曜日に行われます。\n", "iso2022_jp", "ISO-2022-JP"),
        ("这是一个中文文件，下次会议在星期五举行。请准备好报告。\n", "gb18030", "GB18030"),
        ("Hallo Welt, grüß dich\n", "utf-16-le", "UTF-16-LE"),
        ("Hallo Welt, grüß dich\n", "utf-16-be", "UTF-16-BE"),
    ],
)
def test_a_guessed_encoding_is_named(text: str, encoding: str, said: str) -> None:
    facts = facts_of(text.encode(encoding), "a.txt")

    assert facts.text == text
    assert said in facts.note
    assert "guess" in facts.note


@pytest.mark.parametrize(
    "text",
    [
        '<?xml version="1.0" encoding="ISO-8859-2"?><a>Łódź</a>',
        '<meta charset="iso-8859-2"><p>Łódź</p>',
        "# coding: iso-8859-2\n'Łódź'\n",
    ],
)
def test_a_declared_encoding_is_no_guess(text: str) -> None:
    facts = facts_of(text.encode("iso-8859-2"), "a")

    assert (facts.text, facts.note) == (text, "")


def test_the_colours_of_a_terminal_are_no_encoding() -> None:
    text = "\x1b[31mfailed\x1b(B\x1b[m: Größe\n"

    facts = facts_of(text.encode(), "build.log")

    assert (facts.text, facts.note) == (text, "")


def test_zeros_between_fields_are_no_utf16() -> None:
    with pytest.raises(UnreadableError) as refused:
        facts_of(b"eleven sign\0" * 8, "a.txt")
    assert "can't be read as text" in refused.value.sentence("a.txt")


def test_a_log_with_a_stray_byte_is_still_utf8() -> None:
    facts = facts_of(("Grüße 世界 " * 400).encode() + b"\xff end", "a.log")

    assert facts.text.count("\ufffd") == 1
    assert "世界" in facts.text
    assert "not valid UTF-8" in facts.note


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused_in_words(data: bytes) -> None:
    try:
        facts = facts_of(data, "any.bin")
    except UnreadableError as refused:
        event(refused.sentence("any.bin"))
        return
    assert facts.data or facts.text.strip()
    facts.text.encode()
    assert "\0" not in facts.text


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(str.strip))
def test_a_pasted_text_comes_back_whole(text: str) -> None:
    assert facts_of_text(text, "paste.txt").text == text


def test_a_text_that_no_model_takes_is_cut_where_a_paragraph_ends() -> None:
    data = (f"{SENTENCE}\n\n" * (MOST_CHARACTERS // len(SENTENCE))).encode()

    facts = facts_of(data, "long.txt")

    kept, _, mark = facts.text.rpartition("\n\n")
    assert kept.endswith(SENTENCE)
    assert len(kept) <= MOST_CHARACTERS
    assert mark.startswith("[... ")
    assert mark.endswith(" tokens left out]")
    assert "left out" in facts.note


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty"),
        (b" \n\t", "is empty"),
        (bytes(range(256)) * 8, "can't be read as text, document or image"),
        (b"\x7fELF" + bytes(400), "can't be read as text, document or image"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "old Office file"),
        (b"\x1f\x8b\x08" + bytes(40), "is an archive"),
        (b"\0\0\0\x18ftypheic" + bytes(40), "HEIC"),
        (b"\0\0\0\x18ftypisom" + bytes(40), "can't be read as text, document or image"),
        (zipped({"xl/workbook.xml": ""}), "is damaged"),
        (zipped({"ppt/presentation.xml": ""}), "is damaged"),
        (zipped({"mimetype": "application/vnd.oasis.opendocument.graphics"}), "OpenDocument"),
        (zipped({"a.txt": "x"}), "is an archive"),
        (b"PK\x03\x04 no archive at all", "is damaged"),
    ],
)
def test_what_is_not_read_is_refused_with_what_to_do(data: bytes, words: str) -> None:
    sentence = refusal(data, "file.pdf")

    assert "“file.pdf”" in sentence
    assert words in sentence


def test_a_pdf_is_text_page_by_page() -> None:
    data = pdf(f"First page (one).\n{SENTENCE}", f"Zweite Seite mit Größen. {SENTENCE}")

    facts = facts_of(data, "report.pdf")

    assert facts.text == (f"[Page 1]\nFirst page (one).\n{SENTENCE}\n\n[Page 2]\nZweite Seite mit Größen. {SENTENCE}")
    assert (facts.media_type, facts.pages, facts.data, facts.note) == ("application/pdf", 2, "", "")
    assert facts.sha256 == hashlib.sha256(data).hexdigest()


def test_what_was_typed_into_a_pdf_is_read() -> None:
    field = "/Subtype /Widget /FT /Tx /Rect [9 9 99 99]"
    objects = (
        f"90 0 obj << {field} /T (f1_02) /TU (Applicant) /V (Ada Lovelace) >> endobj "
        f"91 0 obj << {field} /T (f1_03) >> endobj "
        "92 0 obj << /Subtype /FreeText /Rect [9 9 99 99] /Contents (on a picture) >> endobj "
        "93 0 obj << /Subtype /Text /Rect [9 9 99 99] /Contents (a comment) >> endobj\n"
    )
    data = pdf(f"Name: {SENTENCE}", "")
    for before, after in (
        (b"/Type /Catalog", b"/Type /Catalog /AcroForm << /Fields [90 0 R 91 0 R] >>"),
        (b"/Contents 5 0 R", b"/Contents 5 0 R /Annots [90 0 R 91 0 R]"),
        (b"/Contents 7 0 R", b"/Contents 7 0 R /Annots [92 0 R 93 0 R]"),
        (b"xref\n", objects.encode() + b"xref\n"),
    ):
        data = data.replace(before, after, 1)

    facts = facts_of(data, "form.pdf")

    assert facts.text == f"[Page 1]\nName: {SENTENCE}\nApplicant: Ada Lovelace\n\n[Page 2]\non a picture"


def test_pages_without_text_are_told() -> None:
    facts = facts_of(pdf(SENTENCE, "", SENTENCE), "report.pdf")

    assert "[Page 2: no text]" in facts.text
    assert facts.note == "1 of 3 page holds no text; pictures are left out."


@pytest.mark.parametrize("limit", ["characters", "time_s"])
def test_pages_beyond_the_limits_are_told(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ATTACHED", replace(ATTACHED, **{limit: -1}))

    facts = facts_of(pdf(*[SENTENCE] * 5), "long.pdf")

    assert facts.text.endswith("[Pages 2 to 5 left out]")
    assert facts.note == "The first 1 of 5 pages were read; the others are left out."


def test_a_scan_keeps_its_bytes() -> None:
    data = pdf("", "", scanned=True)

    facts = facts_of(data, "scan.pdf")

    assert base64.b64decode(facts.data) == data
    assert (facts.text, facts.pages) == ("[A scan of 2 pages without text]", 2)
    assert "scan without text" in facts.note


def test_a_scan_of_too_many_pages_is_refused() -> None:
    sentence = refusal(pdf(*[""] * (MOST_SCANNED_PAGES + 1), scanned=True), "scan.pdf")

    assert "101 pages" in sentence
    assert "100 pages" in sentence


def encrypted(password: str, algorithm: str) -> bytes:
    import pypdf

    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf(SENTENCE)))
    writer.encrypt(password, "owner", algorithm=algorithm)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


@pytest.mark.parametrize("algorithm", ["AES-256", "RC4-128"])
def test_a_pdf_that_anyone_may_open_is_read_and_a_locked_one_named(algorithm: str) -> None:
    assert SENTENCE in facts_of(encrypted("", algorithm), "a.pdf").text
    assert "protected by a password" in refusal(encrypted("secret", algorithm), "a.pdf")


@pytest.mark.parametrize("kept", [8, 100, 300, 500])
def test_a_damaged_pdf_is_refused(kept: int) -> None:
    assert "is damaged" in refusal(pdf(SENTENCE)[:kept], "a.pdf")


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        (
            "a.xlsx",
            xlsx(Ropes=[["Name", "Price"], ["thin", 3]]),
            "# Ropes\n| Name | Price |\n| --- | --- |\n| thin | 3 |",
        ),
        ("a.pptx", pptx(("Start", "<a:p><a:r><a:t>Ropes</a:t></a:r></a:p>")), "# Slide 1: Start\nRopes"),
        ("a.odt", open_document("text", "<text:p>Ropes</text:p>"), "Ropes"),
        ("a.epub", epub("<h1>One</h1>Ropes"), "# One\n\nRopes"),
        ("a.rtf", b"{\\rtf1\\ansi Ropes}", "Ropes"),
        (
            "a.eml",
            b"From: a@x.org\nMessage-ID: <1>\nSubject: Ropes\n\nthin",
            "# Ropes\n\nFrom: a@x.org\nSubject: Ropes\n\nthin",
        ),
    ],
)
def test_what_programs_for_offices_books_and_mail_write_is_text(name: str, data: bytes, words: str) -> None:
    assert facts_of(data, name).text.strip() == words


def test_a_word_document_keeps_its_outline() -> None:
    body = (
        paragraph("Report", '<w:pStyle w:val="Heading1"/>')
        + paragraph("Prices &amp; terms")
        + paragraph("first", "<w:numPr/><w:tabs><w:tab/></w:tabs>")
        + table(["Item", "Price"], ["Rope | line", "3 €"])
        + f'<w:p><m:oMath xmlns:m="{OFFICE}/officeDocument/2006/math"><m:r><m:t>E=m</m:t></m:r></m:oMath></w:p>'
        + "<w:p><w:r><w:t>after</w:t><w:br/><w:t>it</w:t><w:delText>gone</w:delText></w:r></w:p>"
    )
    data = docx(body, footnotes=f'<w:footnote w:id="1">{paragraph("A note.")}</w:footnote>')

    facts = facts_of(data, "report.docx")

    assert facts.text == (
        "# Report\nPrices & terms\n- first\n| Item | Price |\n| --- | --- |\n| Rope \\| line | 3 € |\n\n"
        "E=m\nafter\nit\n\n[Footnote 1]\nA note."
    )
    assert facts.media_type.endswith("wordprocessingml.document")


def test_comments_headers_and_footers_of_a_word_document_are_read() -> None:
    comment = f'<w:comment w:id="1" w:author="Anna">{paragraph("Too dear.")}</w:comment>'
    letterhead = paragraph("Rope Ltd.")
    data = docx(
        paragraph("Offer"), comments=comment, header1=letterhead, header2=letterhead, footer1=paragraph("Confidential")
    )
    assert facts_of(data, "offer.docx").text == (
        "Offer\n\n[Comment 1, Anna]\nToo dear.\n\n[Footer]\nConfidential\n\n[Header]\nRope Ltd."
    )


def test_a_text_box_is_read_once_and_does_not_swallow_its_paragraph() -> None:
    box = f"<w:txbxContent>{paragraph('boxed')}</w:txbxContent>"
    compatible = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    choice = f'<c:AlternateContent xmlns:c="{compatible}"><c:Choice>{box}</c:Choice><c:Fallback>{box}</c:Fallback>'
    body = f"<w:p><w:r><w:t>before</w:t>{choice}</c:AlternateContent><w:t>after</w:t></w:r></w:p>"

    assert facts_of(docx(body), "a.docx").text == "before\nboxed\nafter"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (lambda: zipped({"word/document.xml": b"<a>" + b"x" * 120_000_000}), "far more"),
        (
            lambda: zipped({"word/document.xml": f'<!DOCTYPE l [<!ENTITY a "b">]><w:p xmlns:w="{WORD}">&a;</w:p>'}),
            "is damaged",
        ),
        (lambda: docx("<w:x>" * 3000 + "</w:x>" * 3000), "is damaged"),
        (lambda: zipped({"word/document.xml": "<unclosed>"}), "is damaged"),
        (lambda: docx(""), "no text"),
    ],
    ids=["bomb", "entity", "deep", "unclosed", "empty"],
)
def test_a_hostile_word_document_is_refused(data: Callable[[], bytes], words: str) -> None:
    assert words in refusal(data(), "a.docx")


@pytest.mark.parametrize("name", ["a.docx", "A.PDF", "table.xlsx"])
def test_a_name_that_no_text_has_is_damaged_where_its_bytes_are_none_of_it(name: str) -> None:
    assert "is damaged" in refusal(b"PK not really", name)


def picture(form: str) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (60, 40), (9, 99, 200)).save(out, form)
    return out.getvalue()


SOUND = (
    pdf("Some words on a page.", "And on another."),
    docx(paragraph("Title", '<w:pStyle w:val="Heading1"/>') + table(["a", "b"], ["1", "2"])),
    *map(picture, ("PNG", "JPEG", "GIF", "TIFF", "WEBP", "BMP")),
)


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(SOUND), st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.binary(max_size=3)), max_size=6)
)
def test_a_damaged_file_is_read_or_refused_in_words(sound: bytes, changes: list[tuple[float, bytes]]) -> None:
    damaged = bytearray(sound)
    for place, change in changes:
        start = int(place * len(damaged))
        damaged[start : start + 2] = change
    try:
        facts = facts_of(bytes(damaged), "any.bin")
    except UnreadableError as refused:
        assume(changes)
        event(refused.sentence("any.bin"))
        return
    assert facts.data or facts.text.strip()
