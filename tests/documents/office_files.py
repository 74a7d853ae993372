"""Makes small files of offices, books and mail for tests. Knows no reader of ours."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape

from tests.documents.files import zipped

OFFICE = "http://schemas.openxmlformats.org"
OASIS = "urn:oasis:names:tc:opendocument:xmlns"
REFERENCES = f"{OFFICE}/package/2006/relationships"
TO_OTHERS = f"{OFFICE}/officeDocument/2006/relationships"


def references(kind: str = "x", **targets: str) -> str:
    """The list of what an entry of an Office file refers to, all of one kind."""
    listed = "".join(
        f'<Relationship Id="{key}" Type="{TO_OTHERS}/{kind}" Target="{to}"/>' for key, to in targets.items()
    )
    return f'<Relationships xmlns="{REFERENCES}">{listed}</Relationships>'


def xlsx(**sheets: Sequence[Sequence[str | float]]) -> bytes:
    """A workbook with these sheets."""
    names = list(sheets)
    listed = "".join(f'<sheet name="{name}" sheetId="{at}" r:id="r{at}"/>' for at, name in enumerate(names, 1))
    entries = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        "_rels/.rels": references("officeDocument", r1="xl/workbook.xml"),
        "xl/workbook.xml": f'<workbook xmlns="{OFFICE}/spreadsheetml/2006/main" xmlns:r="{TO_OTHERS}">'
        f"<sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": references(
            "worksheet", **{f"r{at}": f"worksheets/sheet{at}.xml" for at in range(1, len(names) + 1)}
        ),
    }
    for at, name in enumerate(names, 1):
        rows = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in sheets[name])
        head = f'<worksheet xmlns="{OFFICE}/spreadsheetml/2006/main"><sheetData>'
        entries[f"xl/worksheets/sheet{at}.xml"] = f"{head}{rows}</sheetData></worksheet>"
    return zipped(entries)


def _cell(value: str | float) -> str:
    if isinstance(value, str):
        return f'<c t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f"<c><v>{value}</v></c>"


def pptx(*slides: tuple[str, str], notes: str = "") -> bytes:
    """Slides of a title and a body in DrawingML; the first has notes where there are some."""
    space = f'xmlns:p="{OFFICE}/presentationml/2006/main" xmlns:a="{OFFICE}/drawingml/2006/main" xmlns:r="{TO_OTHERS}"'
    order = "".join(f'<p:sldId id="{255 + at}" r:id="r{at}"/>' for at in range(1, len(slides) + 1))
    entries = {
        "ppt/presentation.xml": f"<p:presentation {space}><p:sldIdLst>{order}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": references(
            # the files are numbered from the end: the order is the presentation's
            **{f"r{at}": f"slides/slide{len(slides) - at + 1}.xml" for at in range(1, len(slides) + 1)}
        ),
    }
    for at, (title, body) in enumerate(slides, 1):
        shapes = slide_shape(f"<a:p><a:r><a:t>{title}</a:t></a:r></a:p>", "title") + slide_shape(body, "body")
        entries[f"ppt/slides/slide{len(slides) - at + 1}.xml"] = f"<p:sld {space}>{shapes}</p:sld>"
    if notes:
        entries[f"ppt/slides/_rels/slide{len(slides)}.xml.rels"] = references(n="../notesSlides/notesSlide1.xml")
        said = slide_shape(f"<a:p><a:r><a:t>{notes}</a:t></a:r></a:p>", "body")
        entries["ppt/notesSlides/notesSlide1.xml"] = f"<p:notes {space}>{said}</p:notes>"
    return zipped(entries)


def slide_shape(body: str, place: str) -> str:
    """A shape of a slide, for a placeholder."""
    return f'<p:sp><p:nvSpPr><p:nvPr><p:ph type="{place}"/></p:nvPr></p:nvSpPr><p:txBody>{body}</p:txBody></p:sp>'


def open_document(kind: str, body: str, **others: str) -> bytes:
    """An OpenDocument file (`text`, `presentation`, `spreadsheet`) with this XML in its body."""
    names = ("office", "text", "table", "draw", "style", "presentation", "drawing")
    spaces = " ".join(f'xmlns:{name}="{OASIS}:{name}:1.0"' for name in names)
    content = f"<office:document-content {spaces}><office:body><office:{kind}>{body}</office:{kind}></office:body>"
    return zipped(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": f"{content}</office:document-content>",
            "META-INF/manifest.xml": others.get("manifest", "<manifest/>"),
        }
    )


def epub(*chapters: str, encryption: str = "") -> bytes:
    """A book with these chapters in HTML; the files are listed from the last to the first."""
    items = [
        f'<item id="c{at}" href="c%20{at}.xhtml" media-type="application/xhtml+xml"/>' for at in range(len(chapters))
    ]
    spine = "".join(f'<itemref idref="c{at}"/>' for at in range(len(chapters)))
    entries = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
        "OEBPS/book.opf": '<package xmlns="http://www.idpf.org/2007/opf">'
        f"<manifest>{''.join(reversed(items))}</manifest><spine>{spine}</spine></package>",
    }
    for at, chapter in enumerate(chapters):
        entries[f"OEBPS/c {at}.xhtml"] = f"<html><head><title>x</title></head><body>{chapter}</body></html>"
    if encryption:
        entries["META-INF/encryption.xml"] = f'<encryption><CipherReference URI="{encryption}"/></encryption>'
    return zipped(entries)
