"""Owns the making of small PDF, Word and image files for tests. Knows no reader of ours."""

from __future__ import annotations

import base64
import io
import zipfile
import zlib
from collections.abc import Mapping, Sequence

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
"""A PNG of one pixel."""


def pdf(*pages: str, scanned: bool = False) -> bytes:
    """A PDF with a line of text on each page, or a grey box in place of the text where it is `scanned`."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, text in enumerate(pages):
        said = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        lines = " T* ".join(f"({line}) Tj" for line in said.split("\n"))
        drawn = "0.5 g 50 50 400 600 re f" if scanned else f"BT /F1 12 Tf 14 TL 50 700 Td {lines} ET"
        content = zlib.compress(drawn.encode("cp1252"))
        resources = "/MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >>"
        page = f"<< /Type /Page /Parent 2 0 R {resources} /Contents {5 + 2 * number} 0 R >>"
        objects.append(page.encode())
        head = f"<< /Length {len(content)} /Filter /FlateDecode >>\nstream\n".encode()
        objects.append(head + content + b"\nendstream")
    return _pdf_of(objects)


def _pdf_of(objects: Sequence[bytes]) -> bytes:
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    end = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    return out + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}".encode() + end.encode()


def pdf_bomb(size: int) -> bytes:
    """A PDF whose one page unpacks to `size` bytes."""
    content = zlib.compress(b"BT /F1 9 Tf (x) Tj ET " * (size // 22))
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    resources = b"/MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >>"
    page = b"<< /Type /Page /Parent 2 0 R " + resources + b" /Contents 4 0 R >>"
    stream = f"<< /Length {len(content)} /Filter /FlateDecode >>\nstream\n".encode() + content + b"\nendstream"
    pages = b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>"
    return _pdf_of([b"<< /Type /Catalog /Pages 2 0 R >>", pages, page, stream, font])


def zipped(entries: Mapping[str, str | bytes]) -> bytes:
    """A zip archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return out.getvalue()


def docx(body: str, **others: str) -> bytes:
    """A Word document with this XML in its body; further entries by name (`footnotes`: their XML)."""
    entries = {"word/document.xml": f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'}
    for name, inner in others.items():
        entries[f"word/{name}.xml"] = f'<w:{name} xmlns:w="{WORD}">{inner}</w:{name}>'
    return zipped(entries)


def paragraph(text: str, properties: str = "") -> str:
    """One paragraph of a Word document."""
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def table(*rows: Sequence[str]) -> str:
    """A table of a Word document."""
    made = ("".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in made)}</w:tbl>"
