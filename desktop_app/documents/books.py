"""Reads books in EPUB: the chapters in their order."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import unquote

from desktop_app.documents.archives import Archive, attribute, opened_archive
from desktop_app.documents.extracted_text import ExtractedText, of_markdown
from desktop_app.documents.file_kinds import BOOK_CONTAINER
from desktop_app.documents.reading_errors import COPY_PROTECTED, DAMAGED, NO_TEXT, ReadingLimits, UnreadableError
from desktop_app.documents.text_encoding import decoded
from desktop_app.documents.web_pages import html_text

ENCRYPTION: Final = "META-INF/encryption.xml"
_FONTS: Final = (".otf", ".ttf", ".woff", ".woff2")
_PAGES: Final = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml")


def book_text(data: bytes, limits: ReadingLimits) -> ExtractedText:
    """The chapters of a book, one after the other. Raises `UnreadableError`."""
    with opened_archive(data, limits) as archive:
        package = _place_of_package(archive)
        contents = _Contents()
        archive.parse(package, contents)
        folder = posixpath.dirname(package)
        chapters = [
            posixpath.normpath(posixpath.join(folder, unquote(contents.pages[key])))
            for key in dict.fromkeys(contents.order)
            if key in contents.pages
        ]
        if _protected(archive, chapters):
            raise UnreadableError(COPY_PROTECTED)
        texts: list[str] = []
        size = 0
        for chapter in chapters:
            if chapter in archive.names and size <= limits.characters:
                texts.append(html_text(decoded(archive.bytes_of(chapter))[0], limits))
                size += len(texts[-1])
    text = "\n\n".join(filter(None, texts))
    if not text:
        raise UnreadableError(NO_TEXT)
    return of_markdown(text)


def _place_of_package(archive: Archive) -> str:
    found = _Contents()
    archive.parse(BOOK_CONTAINER, found)
    if found.package not in archive.names:
        raise UnreadableError(DAMAGED)
    return found.package


def _protected(archive: Archive, chapters: list[str]) -> bool:
    """Return True if chapters are encrypted; fonts often are, which does no harm."""
    if ENCRYPTION not in archive.names:
        return False
    found = _Contents()
    archive.parse(ENCRYPTION, found)
    return any(unquote(name) in chapters for name in found.encrypted if not name.lower().endswith(_FONTS))


class _Contents:
    """The place of the list of a book's contents, the pages it names, the order they are read in, and the encrypted
    ones.
    """

    size = 0

    def __init__(self) -> None:
        self.package = ""
        self.pages: dict[str, str] = {}
        self.order: list[str] = []
        self.encrypted: list[str] = []

    def opened(self, name: str, attributes: Mapping[str, Any]) -> None:
        match name.rpartition(" ")[2]:
            case "rootfile":
                self.package = self.package or attribute(attributes, "full-path")
            case "item" if attribute(attributes, "media-type") in _PAGES:
                self.pages[attribute(attributes, "id")] = attribute(attributes, "href")
            case "itemref":
                self.order.append(attribute(attributes, "idref"))
            case "CipherReference":
                self.encrypted.append(attribute(attributes, "URI"))

    def closed(self, name: str) -> None:
        pass

    def said(self, text: str) -> None:
        pass
