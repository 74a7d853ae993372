"""Writes Markdown as a Word document, with Word's own headings, lists, tables and links."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Any, Final

from docx import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor
from docx.styles.style import ParagraphStyle
from docx.text.paragraph import Paragraph
from markdown_it.token import Token

from desktop_app.core.markdown.footnotes import NUMBERS, number_in, shown_note
from desktop_app.core.markdown.inline_text import safe_target
from desktop_app.core.markdown.markdown_dialect import whole_parser
from desktop_app.system.system_clock import utc_now

CODE: Final = "Code"
MONOSPACED: Final = "Courier New"
LINK: Final = RGBColor(0x1A, 0x56, 0xB0)
SHADE: Final = "F4F4F4"
SIDES: Final = {"right": WD_ALIGN_PARAGRAPH.RIGHT, "center": WD_ALIGN_PARAGRAPH.CENTER}
DEEPEST: Final = 3
"""Levels of lists that Word's own styles know; what lies deeper stands with them."""
_UNWRITABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""The characters that no XML may hold."""


def docx_of(markdown: str, title: str) -> bytes:
    """The bytes of the document. Pictures and formulas are written as their source."""
    writer = _DocxWriter(title)
    parser = whole_parser()
    parser.disable("image")
    notes: dict[str, Any] = {}
    writer.write(parser.parse(_writable(markdown), notes), notes.get(NUMBERS, {}))
    return writer.bytes()


def docx_of_lines(text: str, title: str) -> bytes:
    """The bytes of a document that has a paragraph for each line of a plain text."""
    writer = _DocxWriter(title)
    for line in _writable(text).splitlines():
        writer.document.add_paragraph(line)
    return writer.bytes()


def _writable(text: str) -> str:
    return _UNWRITABLE.sub("\ufffd", text)


class _DocxWriter:
    """Goes through the blocks; a list, a quotation or a note is where the next paragraph stands."""

    def __init__(self, title: str) -> None:
        self.document: Any = Document()
        properties = self.document.core_properties
        properties.title, properties.author, properties.comments = _writable(title)[:255], "", ""
        # the library's template was made in 2013; the format counts whole seconds of UTC, without saying so
        properties.created = properties.modified = utc_now().replace(microsecond=0, tzinfo=None)
        self._lists: list[tuple[str, int]] = []  # style and numbering of each list that is open
        self._styles: dict[str, str] = {}  # their ids by their names
        self._quoted = 0
        self._in_item = False  # the next paragraph begins an item
        self._note = ""  # what stands before the next paragraph
        self._numbers: dict[str, int] = {}
        self._make_code_style()

    def bytes(self) -> bytes:
        """The whole file."""
        held = io.BytesIO()
        self.document.save(held)
        return held.getvalue()

    def write(self, tokens: Sequence[Token], numbers: dict[str, int]) -> None:
        """All blocks; `numbers`: of the notes, by their labels."""
        self._numbers = numbers
        left = iter(tokens)
        for token in left:
            if token.type == "table_open":
                self._write_table(list(takewhile(lambda one: one.type != "table_close", left)))
            elif token.type == "heading_open":
                self._write_inline(self._add(f"Heading {token.tag[1:]}"), next(left))
            elif token.type == "inline":
                self._write_inline(self._paragraph(), token)
            else:
                self._write_block(token)

    def _write_block(self, token: Token) -> None:
        match token.type:
            case "bullet_list_open":
                self._open_list("List Bullet", None)
            case "ordered_list_open":
                self._open_list("List Number", int(token.attrs.get("start", 1)))
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
                self._in_item = False
            case "list_item_open":
                self._in_item = True
            case "blockquote_open":
                self._quoted += 1
            case "blockquote_close":
                self._quoted -= 1
            case "note_open":
                label = str(token.meta["label"])
                self._note = f"{shown_note(label, self._numbers.get(label, 0))} "
            case "fence" | "code_block":
                self._add(CODE).add_run(token.content.removesuffix("\n"))
            case "math_block":
                self.document.add_paragraph(token.content.strip())
            case "hr":
                self._rule(self.document.add_paragraph())

    def _paragraph(self) -> Paragraph:
        """An empty paragraph, in the style of where it stands."""
        if self._lists and self._in_item:
            style, numbering = self._lists[-1]
            made = self._add(style)
            numbered = made._p.get_or_add_pPr().get_or_add_numPr()
            numbered.get_or_add_numId().val = numbering
            numbered.get_or_add_ilvl().val = 0
        elif self._lists:
            made = self._add(f"List Continue{self._deepness()}")
        else:
            made = self._add("Quote" if self._quoted else "Normal")
        self._in_item = False
        if self._note:
            made.add_run(self._note)
            self._note = ""
        return made

    def _add(self, style: str) -> Paragraph:
        """An empty paragraph at the end, in a style."""
        made: Paragraph = self.document.add_paragraph()
        if style not in self._styles:  # the library goes through all styles for each paragraph
            self._styles[style] = self.document.styles[style].style_id
        made._p.style = self._styles[style]
        return made

    def _open_list(self, style: str, start: int | None) -> None:
        """Open a list within those that are open; a numbered one begins again."""
        self._lists.append(("", 0))
        style += self._deepness()
        numbering: int = self.document.styles[style].element.pPr.numPr.numId.val
        if start is not None:
            numberings: Any = self.document.part.numbering_part.element
            made = numberings.add_num(numberings.num_having_numId(numbering).abstractNumId.val)
            made.add_lvlOverride(ilvl=0).add_startOverride(start)
            numbering = int(made.numId)
        self._lists[-1] = style, numbering

    def _deepness(self) -> str:
        depth = min(len(self._lists), DEEPEST)
        return f" {depth}" if depth > 1 else ""

    def _write_table(self, tokens: Sequence[Token]) -> None:
        rows: list[list[tuple[Token, Token]]] = []
        for number, token in enumerate(tokens):
            if token.type == "tr_open":
                rows.append([])
            elif token.type in ("th_open", "td_open"):
                rows[-1].append((token, tokens[number + 1]))
        table = self.document.add_table(len(rows), max(map(len, rows)))
        table.style = "Table Grid"
        for row, written in zip(table._tbl.tr_lst, rows, strict=True):
            for cell, (opening, inline) in zip(row.tc_lst, written, strict=False):
                paragraph = Paragraph(cell.p_lst[0], table)
                self._write_inline(paragraph, inline, bold=opening.type == "th_open")
                if (side := str(opening.attrs.get("style", "")).rpartition(":")[2]) in SIDES:
                    paragraph.alignment = SIDES[side]
        self.document.add_paragraph()  # two tables in a row would be one

    def _write_inline(self, paragraph: Paragraph, inline: Token, *, bold: bool = False) -> None:
        on = {"strong": bold, "em": False, "s": False}
        link: Any = None
        for token in inline.children or ():
            kind, _, end = token.type.rpartition("_")
            if kind in on:
                on[kind] = end == "open" or (kind == "strong" and bold)
            elif token.type == "link_open":
                link = self._link(paragraph, str(token.attrs.get("href", "")))
            elif token.type == "link_close":
                link = None
            elif words := self._words(token):
                run = paragraph.add_run(words)
                run.bold, run.italic, run.font.strike = on["strong"] or None, on["em"] or None, on["s"] or None
                if token.type == "code_inline":
                    run.font.name = MONOSPACED
                if link is not None:
                    run.font.color.rgb = LINK
                    run.font.underline = True
                    link.append(run._r)

    def _words(self, token: Token) -> str:
        match token.type:
            case "softbreak":
                return " "
            case "hardbreak":
                return "\n"
            case "note":
                return shown_note(token.content, number_in(token))
        return token.content

    def _link(self, paragraph: Paragraph, address: str) -> Any:
        """A link for the runs to come; None where the address is none that is opened."""
        if safe_target(address) is None:
            return None
        made = OxmlElement("w:hyperlink")
        made.set(qn("r:id"), paragraph.part.relate_to(address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
        paragraph._p.append(made)
        return made

    def _rule(self, paragraph: Paragraph) -> None:
        """A line beneath a paragraph, from edge to edge."""
        borders, line = OxmlElement("w:pBdr"), OxmlElement("w:bottom")
        for name, value in (("val", "single"), ("sz", "6"), ("space", "1"), ("color", "auto")):
            line.set(qn(f"w:{name}"), value)
        borders.append(line)
        paragraph._p.get_or_add_pPr().append(borders)

    def _make_code_style(self) -> None:
        style = self.document.styles.add_style(CODE, WD_STYLE_TYPE.PARAGRAPH)
        assert isinstance(style, ParagraphStyle)
        style.font.name, style.font.size = MONOSPACED, Pt(9)
        shade = OxmlElement("w:shd")
        shade.set(qn("w:val"), "clear")
        shade.set(qn("w:fill"), SHADE)
        style.element.get_or_add_pPr().append(shade)
