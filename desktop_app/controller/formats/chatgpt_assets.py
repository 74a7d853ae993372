"""Finds the files that a ChatGPT conversation points to in its export: pictures and texts become parts of messages."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping
from typing import Final

from desktop_app.controller.formats.export_reading import (
    ExportSource,
    Skipped,
    UnreadableExportError,
    as_text,
    objects_in,
)
from desktop_app.core.messages import DocumentPart, ImagePart, Json, JsonObject, Part, UnknownPart
from desktop_app.core.phrases import phrase
from desktop_app.core.stream_validation import count_of, valid_json

MOST_OF_FILE: Final = 20 * 1024**2
"""Bytes of one picture or text."""

MOST_OF_CONVERSATION: Final = 64 * 1024**2
"""Bytes of all files of one conversation, which is in memory as a whole."""

_TEXTS: Final = ("text/", "application/json", "application/xml", "application/x-yaml", "application/javascript")
_BEGINNINGS: Final[Mapping[bytes, str]] = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}


class Assets:
    """The files of an export, by the ids that conversations name them with. Counts what is not taken from it."""

    def __init__(self, source: ExportSource | None) -> None:
        self._source = source
        self._left = MOST_OF_CONVERSATION
        self._names: Mapping[str, str] = {}
        self.recordings = 0
        """Recordings whose words were taken in their place."""
        self._missing = 0
        self._too_big = 0

    def begin(self) -> None:
        """Another conversation begins."""
        self._left = MOST_OF_CONVERSATION

    def named(self, metadata: JsonObject) -> Assets:
        """The same, with the names that a message's attachments have."""
        attachments = objects_in(metadata.get("attachments"))
        self._names = {as_text(one.get("id")): as_text(one.get("name")) for one in attachments}
        return self

    def image(self, pointer: JsonObject) -> Part:
        """The picture that a pointer names, else the pointer as it is."""
        name = asset_id(pointer.get("asset_pointer"))
        data = self._content(name)
        media_type = None if data is None else _image_type(data)
        if data is None or media_type is None:
            return unknown("part", pointer)
        width, height = (max(0, count_of(pointer.get(one))) for one in ("width", "height"))
        return ImagePart(self._names.get(name) or name, media_type, _base64(data), width, height)

    def attachment(self, attachment: JsonObject) -> Part:
        """A picture or text that was attached, else what is known of the file."""
        name = as_text(attachment.get("name"))
        media_type = as_text(attachment.get("mime_type")) or as_text(attachment.get("mimeType"))
        data = self._content(as_text(attachment.get("id")))
        if data is None:
            return unknown("attachment", attachment)
        kind = _image_type(data)
        if kind is not None:
            return ImagePart(name or "image", kind, _base64(data))
        text = _text(data) if media_type.startswith(_TEXTS) else ""
        if not text.strip():
            return unknown("attachment", attachment)
        return DocumentPart(name or "document.txt", text, hashlib.sha256(data).hexdigest())

    def skipped(self) -> Iterator[Skipped]:
        """Yield the assets that were not taken, and why."""
        if self._missing:
            yield Skipped(phrase("{count:,} files", "1 file", count=self._missing), phrase("not in the export"))
        if self._too_big:
            yield Skipped(
                phrase("{count:,} files", "1 file", count=self._too_big), phrase("too large to keep in a thread")
            )
        if self.recordings:
            yield Skipped(
                phrase("{count:,} recordings", "1 recording", count=self.recordings), phrase("imported as text")
            )

    def _content(self, name: str) -> bytes | None:
        if self._source is None or not name:
            return None
        member = self._source.asset(name)
        if member is None:
            self._missing += 1
            return None
        try:
            data = self._source.content(member, min(self._left, MOST_OF_FILE))
        except UnreadableExportError as error:
            self._source.refuse(member, error.why)
            return None
        if data is None:
            self._too_big += 1
        else:
            self._left -= len(data)
        return data


def asset_id(pointer: Json) -> str:
    """The id in `file-service://file-ID` and `sediment://file_ID`; what a page adds behind it is left away."""
    return as_text(pointer).rpartition("://")[2].partition("#")[0].partition("?")[0]


def unknown(kind: str, content: Json, name: str | None = None) -> UnknownPart:
    """Content of a kind that has no part of its own, whole; `name`: of the tool that it comes from."""
    named = {} if name is None else {"name": name}
    return UnknownPart({"type": f"chatgpt.{kind}", **named, "content": valid_json(content)})


def _image_type(data: bytes) -> str | None:
    """By its first bytes: exports call their files as they like."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for beginning, kind in _BEGINNINGS.items() if data.startswith(beginning)), None)


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return ""
