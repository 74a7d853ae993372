"""Reads web pages and mails (.eml): what they say, who wrote them, which files they carry."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.message import EmailMessage, MIMEPart
from email.policy import default
from html.parser import HTMLParser
from typing import Final
from urllib.parse import quote

from desktop_app.core.document_structure import LONGEST_HEADING, fenced, heading_line
from desktop_app.documents.file_opening import (
    ATTACHED,
    DAMAGED,
    NO_TEXT,
    ExtractedText,
    MarkdownWriter,
    ReadingLimits,
    UnreadableError,
    display_name,
    of_markdown,
)

CHUNK: Final = 2**20

_SKIPPED: Final = frozenset(
    {"script", "style", "noscript", "template", "svg", "iframe", "object", "select"}
    | {"annotation", "annotation-xml"}  # of a formula, which say it a second time
)
_BLOCKS: Final = frozenset(
    {"p", "div", "section", "article", "header", "footer", "main", "aside", "nav", "ul", "ol", "dl", "dt", "dd", "form"}
    | {"figure", "figcaption", "blockquote", "address", "fieldset", "details", "summary", "hr", "body", "li"}
)
_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}


def html_text(html: str, limits: ReadingLimits) -> str:
    """Return a page's text, as Markdown; empty where it says nothing. Nothing that it refers to is looked at."""
    return _read(_HtmlReader(), html, limits)


def page_markdown(html: str) -> str:
    """Return a page as Markdown that looks like it: its lists, links, quotes and bold words, too.

    No sign of its words is markup. Empty where it says nothing; nothing that it refers to is looked at.
    """
    return _read(_PageReader(), html, ATTACHED)


def _read(reading: _HtmlReader, html: str, limits: ReadingLimits) -> str:
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
        if tag not in _SKIPPED and tag != "title":  # `<svg/>` holds nothing, nor does the `<title/>` of a book
            self.handle_starttag(tag, attrs)

    def parse_html_declaration(self, i: int) -> int:
        """Reads what begins with `<!`; the library raises at a `<![` whose word it does not know."""
        if not self.rawdata.startswith("<![", i):
            return super().parse_html_declaration(i)
        if not self.rawdata.startswith("<![CDATA[", i):
            return self.parse_bogus_comment(i)
        if (end := self.rawdata.find("]]>", i)) >= 0:
            self.handle_data(self.rawdata[i + len("<![CDATA[") : end])
        return end + len("]]>") if end >= 0 else -1

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
            self.title = f"{self.title} {self.plain(' '.join(data.split()))}".strip()[:LONGEST_HEADING]
            return
        if self._code:
            self.writer.say(data)
            return
        if not (said := " ".join(data.split())):
            self.writer.say(" " if self.writer.words else "")
            return
        before = " " if data[0].isspace() and self.writer.words else ""
        self.writer.say(f"{before}{self.plain(said)}{' ' if data[-1].isspace() else ''}")

    def plain(self, words: str) -> str:
        """The words as they are written."""
        return words

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


_MARKS: Final = {"b": "**", "strong": "**", "summary": "**", "dt": "**", "i": "*", "em": "*", "s": "~~", "del": "~~"}
_CODE: Final = ("code", "kbd", "samp", "tt")
_AROUND: Final = ("ul", "ol", "blockquote")
_MARKUP: Final = re.compile(r"[\\`*_{}\[\]<>#|~$&]|^[-+=]|^\d(?=\d*[.)])")
_LEADS: Final = ("http://", "https://", "mailto:")
_MOST_AROUND: Final = 12
"""Lists, quotes and marks within each other."""


class _PageReader(_HtmlReader):
    """Reads a page that is to be shown. Each run of words has the marks around it, so that none stays open."""

    def __init__(self) -> None:
        super().__init__()
        self._marks: list[tuple[str, str]] = []
        """Tags that mark words, and where a link leads."""
        self._around: list[tuple[str, str]] = []
        """The lists and quotes around a paragraph, and how its lines begin for each."""
        self._numbers: list[int] = []
        self._item = ""
        """The marker of a list's item that has no words yet."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given, writer = dict(attrs), self.writer
        if self._skipped:
            super().handle_starttag(tag, attrs)
            return
        if tag in ("dt", "dd"):
            self._marks = [mark for mark in self._marks if mark[0] != "dt"]  # its end is often left away
        if (tag in _MARKS or tag in _CODE or tag == "a") and len(self._marks) < _MOST_AROUND:
            self._marks.append((tag, (given.get("href") or "").strip()))
        if tag == "img":
            self.handle_data(given.get("alt") or "")
        elif writer.in_table or tag not in ("pre", "hr", "table", "li", *_AROUND):
            super().handle_starttag(tag, attrs)
        else:
            self.end_block()
            if tag in _AROUND and len(self._around) < _MOST_AROUND:
                self._around.append((tag, "> " if tag == "blockquote" else ""))
                first = given.get("start") or ""
                self._numbers.append(int(first) if first.isdecimal() and len(first) < 6 else 1)
            elif tag == "li" and self._around and self._around[-1][0] != "blockquote":
                self._item = f"{self._numbers[-1]}. " if self._around[-1][0] == "ol" else "- "
                self._numbers[-1] += 1
                self._around[-1] = (self._around[-1][0], " " * len(self._item))
            elif tag == "hr":
                self._write("---")
            elif tag == "table":
                writer.add_line("")
                writer.open_table()
            self._code = tag == "pre"

    def handle_endtag(self, tag: str) -> None:
        if not self._skipped:
            if found := [at for at, (name, _) in enumerate(self._marks) if name == tag]:
                del self._marks[found[-1]]
            if tag == "pre" and self._code:
                self._code = False
                self._write(fenced(self.writer.take().strip("\n")))
        super().handle_endtag(tag)
        if self._around and tag == self._around[-1][0] and not (self._skipped or self.writer.in_table):
            del self._around[-1], self._numbers[-1]
            self._item = ""

    def end_block(self) -> None:
        """Ends the paragraph that is open, in the lists and quotes around it."""
        if self.writer.in_table or not self.writer.words.strip():
            self.writer.end_paragraph()
            return
        prefix = self.writer.prefix
        self._write(prefix + "\\\n".join(" ".join(line.split()) for line in self.writer.take().strip().split("\n")))

    def plain(self, words: str) -> str:
        """The words with their marks, no sign of them markup."""
        tags = dict(self._marks)
        if tags.keys() & set(_CODE):
            ticks = "`" * (max((len(run) for run in re.findall("`+", words)), default=0) + 1)
            said = f"{ticks}{words}{ticks}" if "`" not in words else f"{ticks} {words} {ticks}"
        else:
            said = _MARKUP.sub(lambda sign: f"&#{ord(sign[0])};", words)
        for mark in dict.fromkeys(_MARKS[tag] for tag in tags if tag in _MARKS):
            said = f"{mark}{said}{mark}"
        target = quote(tags.get("a", ""), safe="%/:?#[]@!$&'()*+,;=~")
        return f"[{said}](<{target}>)" if target.startswith(_LEADS) else said

    def _write(self, text: str) -> None:
        """A block of its own, or the first of a list's item."""
        before, item = [begins for _, begins in self._around], self._item
        begins = "".join(before)
        if not item:
            self.writer.add_line("")
        first = f"{begins[: len(begins) - len(before[-1])]}{item}" if item else begins
        self.writer.add_line(first + text.replace("\n", f"\n{begins}"))
        if not item:
            self.writer.add_line("")
        self._item = ""


DEEPEST: Final = 20
"""Parts within each other."""

MOST_PARTS: Final = 2_000

_HEADERS: Final = ("From", "To", "Cc", "Date", "Subject")
_OTHER_THAN_TEXT: Final = ("application", "audio", "font", "image", "message", "model", "video")
_FIRST_LINES: Final = 16_384
_NAMED: Final = re.compile(rb"[!-9;-~]{1,76}:")
_ONLY_MAIL: Final = re.compile(
    rb"^(?:mime-version|message-id|received|x-mailer|return-path):", re.IGNORECASE | re.MULTILINE
)
_FROM: Final = re.compile(rb"^from:", re.IGNORECASE | re.MULTILINE)


_BROKEN_HEADERS: Final = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
"""Errors of the library: the last two for a year or hour that fits no number, and brackets within each other."""


def is_mail(data: bytes) -> bool:
    """True if a text begins with the headers of a mail that was sent, not only with words that look like some."""
    if not _NAMED.match(data):
        return False
    headers = re.split(rb"\r?\n\r?\n", data[:_FIRST_LINES], maxsplit=1)[0]
    lines = headers.splitlines()
    whole = lines[:-1] if len(headers) == _FIRST_LINES else lines
    return (
        all(line.startswith((b" ", b"\t")) or _NAMED.match(line) for line in whole)
        and _FROM.search(headers) is not None
        and _ONLY_MAIL.search(headers) is not None
    )


def mail_text(data: bytes, limits: ReadingLimits) -> ExtractedText:
    """A mail as Markdown, with the mails that it forwards; other files are named. Raises `UnreadableError`."""
    try:
        message = message_from_bytes(data, policy=default)
        assert isinstance(message, EmailMessage)
        text = "\n\n".join(_Mail(limits).blocks(message, 1)).strip()
    except (*_BROKEN_HEADERS, AssertionError) as error:
        raise UnreadableError(DAMAGED) from error
    if not text:
        raise UnreadableError(NO_TEXT)
    return of_markdown(text)


SAYS_LITTLE: Final = 400
"""Characters of a mail's plain form up to which another form may say more."""
MUCH_MORE: Final = 3
"""So many times as long is a form that says more, and not the same with other marks."""


class _Mail:
    """The contents read of one file, forwarded mails included."""

    def __init__(self, limits: ReadingLimits) -> None:
        self._limits = limits
        self._parts = self._size = 0

    def blocks(self, message: MIMEPart, level: int) -> Iterator[str]:
        """A mail's heading, headers, text and attachments."""
        yield heading_line(level, _header(message, "Subject") or "Mail")
        told = [f"{name}: {said}" for name in _HEADERS if (said := _header(message, name))]
        yield "\n".join(told)
        yield from self._bodies(message, level, 0)

    def _bodies(self, part: MIMEPart, level: int, depth: int) -> Iterator[str]:
        self._parts += 1
        if depth > DEEPEST or self._parts > MOST_PARTS or self._size > self._limits.characters:
            return
        if (kind := part.get_content_type()) == "message/rfc822":
            for inner in part.iter_parts():
                yield from self.blocks(inner, level + 1)
                self._parts += depth
        elif kind == "multipart/alternative":
            yield from self._best(list(part.iter_parts()), level, depth)
        elif part.is_multipart():
            for inner in part.iter_parts():
                yield from self._bodies(inner, level, depth + 1)
        elif _is_file(part):
            yield _named(part)
        elif kind.partition("/")[0] in _OTHER_THAN_TEXT:
            yield f"[Attachment: {kind}]"
        else:  # a kind that no one knows, as "text/x-note" or "/", is read rather than lost
            yield self._text(part, kind)

    def _best(self, parts: list[MIMEPart], level: int, depth: int) -> Iterator[str]:
        """One of several forms of the same text: the plain one, unless it says nothing (`View in a browser`)."""
        plain = next((one for one in parts if one.get_content_type() == "text/plain"), None)
        said = self._text(plain, "text/plain") if plain is not None else ""
        if said and len(said) <= SAYS_LITTLE:
            others = [text for one in parts if one is not plain for text in self._bodies(one, level, depth + 1)]
            if sum(len(text) for text in others if not text.startswith("[Attachment: ")) > MUCH_MORE * len(said):
                yield from others
                return
        if said:
            yield said
            # Apple's program puts what is attached into the form that is not read
            yield from (_named(one) for other in parts for one in other.walk() if one is not plain and _is_file(one))
            return
        for other in reversed([one for one in parts if one is not plain]):
            yield from self._bodies(other, level, depth + 1)
            return

    def _text(self, part: MIMEPart, kind: str) -> str:
        try:
            said = str(part.get_content(errors="replace"))
        except LookupError:  # an encoding or a kind that nobody knows
            payload = part.get_payload(decode=True)
            raw = payload if isinstance(payload, bytes) else b""
            try:
                said = raw.decode()
            except UnicodeDecodeError:
                said = raw.decode("latin-1")
        self._size += len(said)
        return (html_text(said, self._limits) if kind == "text/html" else said.replace("\r\n", "\n")).strip()


def _is_file(part: MIMEPart) -> bool:
    """Return True for what stands beside a mail; a text with a name is in it, unless it is said to be attached."""
    named = bool(part.get_filename()) and part.get_content_maintype() in _OTHER_THAN_TEXT
    return named or part.get_content_disposition() == "attachment"


def _named(part: MIMEPart) -> str:
    return f"[Attachment: {display_name(part.get_filename() or '', 'file')}]"


def _header(message: MIMEPart, name: str) -> str:
    try:
        said = str(message.get(name, ""))
    except _BROKEN_HEADERS:
        return ""
    return " ".join(said.split())[:1_000]
