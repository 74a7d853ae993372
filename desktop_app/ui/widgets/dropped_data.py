"""The content of a clipboard or a drag: files, a picture, or text. Uses no widget and attaches nothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QImage

PICTURES = ("image/png", "image/jpeg", "image/webp", "image/gif")
"""Kinds of pictures that are taken as they come; any other is handed over as pixels."""
MOST_HTML = 300_000
"""Characters of a text with a look that are read: 30 ms. What is longer comes with its plain text beside it."""


@dataclass(frozen=True, slots=True)
class DroppedFiles:
    """Files and folders of this computer."""

    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class DroppedPicture:
    """A picture, in the bytes that it came in or as pixels."""

    content: bytes | QImage


Incoming: TypeAlias = DroppedFiles | DroppedPicture


def has_incoming(source: QMimeData) -> bool:
    """Return True if there is anything but text; reads no picture."""
    return bool(_paths(source)) or _is_picture(source)


def incoming(source: QMimeData) -> Incoming | None:
    """Return the content to attach; None where it is text, or nothing.

    Files win over the text of their names that file managers send along, and over the picture in them. Text wins over
    a picture of itself, as word processors and spreadsheets send it along.
    """
    paths = _paths(source)
    if paths:
        return DroppedFiles(paths)
    if not _is_picture(source):
        return None
    for kind in PICTURES:
        if source.hasFormat(kind):
            return DroppedPicture(bytes(source.data(kind).data()))
    image = source.imageData()
    return DroppedPicture(image) if isinstance(image, QImage) and not image.isNull() else None


def plain_text(source: QMimeData) -> str:
    """The text that is pasted. Of one that has only a look (HTML), its words; nothing that it names is loaded."""
    if source.hasText():
        return source.text().replace("\0", "")
    if not source.hasHtml():
        return ""
    from PySide6.QtGui import QTextDocumentFragment

    return QTextDocumentFragment.fromHtml(source.html()[:MOST_HTML]).toPlainText().replace("\0", "")


def _paths(source: QMimeData) -> tuple[Path, ...]:
    local = (url.toLocalFile() for url in source.urls() if url.isLocalFile())
    return tuple(dict.fromkeys(Path(path) for path in local if path))


def _is_picture(source: QMimeData) -> bool:
    pictured = source.hasImage() or any(source.hasFormat(kind) for kind in PICTURES)
    # an address is what a browser sends along with a picture that is dragged out of it
    return pictured and (source.hasUrls() or not source.text().strip())
