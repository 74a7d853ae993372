"""Reads the text of HTML: headings, paragraphs, lists, tables, code."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Final

from desktop_app.core.document_structure import LONGEST_HEADING, heading_line
from desktop_app.documents.file_opening import MarkdownWriter, ReadingLimits

CHUNK: Final = 2**20

_SKIPPED: Final = frozenset({"script", "style", "noscript", "template", "svg", "math", "iframe", "object", "select"})
_BLOCKS: Final = frozenset(
    {"p", "div", "section", "article", "header", "footer", "main", "aside", "nav", "ul", "ol", "dl", "dt", "dd", "form"}
    | {"figure", "figcaption", "blockquote", "address", "fieldset", "details", "summary", "hr", "body", "li"}
)
_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}


def html_text(html: str, limits: ReadingLimits) -> str:
    """Return a page's text, as Markdown; empty where it says nothing. Nothing that it refers to is looked at."""
    reading = _HtmlReader()
    for at in range(0, len(html), CHUNK):
        reading.feed(html[at : at + CHUNK])
        if reading.writer.size > limits.characters:
            break
    else:
        reading.close()
    reading.end_block()
    text = reading.writer.text()
    return f"{heading_line(1, reading.title)}\n\n{text}" if reading.title and text and not reading.headed else text


class _HtmlReader(HTMLParser):
    """The parser's place in the page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.writer = MarkdownWriter()
        self._skipped = ""
        self._deep = 0
        self._code = self._in_title = False
        self.title = ""
        self.headed = False
        """True if the page has headings, so that its title need not be one."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        writer = self.writer
        if self._skipped:
            self._deep += tag == self._skipped
        elif tag in _SKIPPED:
            self._skipped, self._deep = tag, 1
        elif tag == "title":
            self._in_title = not self.title
        elif level := _HEADINGS.get(tag):
            self.headed = True
            self.end_block()
            if not writer.in_table:
                writer.prefix = heading_line(level, "x").removesuffix("x")
        elif tag == "pre" and not writer.in_table:
            self.end_block()
            writer.add_line("```")
            self._code = True
        elif tag == "br":
            writer.say(" " if writer.in_table or writer.prefix.startswith("#") else "\n")
        elif tag in ("table", "tr", "td", "th"):
            self._open_table_part(tag)
        elif tag in _BLOCKS:
            self.end_block()
            if tag == "li" and not writer.in_table:
                writer.prefix = "- "

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _SKIPPED:  # `<svg/>` holds nothing
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        writer = self.writer
        if self._skipped:
            self._deep -= tag == self._skipped
            if not self._deep:
                self._skipped = ""
        elif tag == "title":
            self._in_title = False
        elif tag == "pre" and self._code:
            writer.end_paragraph()
            writer.add_line("```")
            writer.add_line("")
            self._code = False
        elif tag in ("td", "th"):
            writer.close_cell()
        elif tag == "table":
            writer.close_table()
        elif tag in _HEADINGS or tag in _BLOCKS:
            self.end_block()

    def handle_data(self, data: str) -> None:
        if self._skipped:
            return
        if self._in_title:
            self.title = f"{self.title} {' '.join(data.split())}".strip()[:LONGEST_HEADING]
            return
        if self._code:
            self.writer.say(data)
            return
        said = " ".join(data.split())
        if not said:
            self.writer.say(" " if self.writer.words else "")
            return
        before = " " if data[0].isspace() and self.writer.words else ""
        self.writer.say(f"{before}{said}{' ' if data[-1].isspace() else ''}")

    def end_block(self) -> None:
        """Ends the paragraph that is open, with an empty line after it unless it is an item of a list."""
        item = self.writer.prefix == "- "
        if self.writer.in_table:
            self.writer.end_paragraph()
        elif self.writer.words.strip():
            self.writer.end_paragraph()
            if not item:
                self.writer.add_line("")
        else:
            self.writer.end_paragraph()

    def _open_table_part(self, tag: str) -> None:
        if tag == "table":
            if not self.writer.in_table:
                self.end_block()
            self.writer.open_table()
        elif tag == "tr":
            self.writer.open_row()
        else:
            self.writer.open_cell()
