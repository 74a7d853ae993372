"""Lists the formats that conversations can be imported from. A format is its module's `IMPORTER` and one entry here."""

from __future__ import annotations

from typing import Final

from desktop_app.controller.formats import chatgpt_export, plimsoll_json
from desktop_app.controller.formats.export_reading import Importer, UnreadableExportError
from desktop_app.core.messages import Json
from desktop_app.core.phrases import phrase

IMPORTERS: Final = (plimsoll_json.IMPORTER, chatgpt_export.IMPORTER)
"""Asked in this order whether they recognize what a file holds."""

EXPECTED: Final = phrase(
    "expected ChatGPT's conversations.json (or the zip or folder it came in) or an export of Plimsoll"
)
"""Names every format of `IMPORTERS`."""


def importer_of(data: Json) -> Importer:
    """The importer of parsed JSON; `UnreadableExportError` says what was expected where there is none."""
    for importer in IMPORTERS:
        if importer.recognizes(data):
            return importer
    first = data[0] if isinstance(data, list) and data else data
    if isinstance(first, dict) and "chat_messages" in first:
        raise UnreadableExportError(
            phrase("this is an export of Claude.ai, which this version does not read; {expected}", expected=EXPECTED)
        )
    raise UnreadableExportError(EXPECTED)


def is_conversations_file(name: str) -> bool:
    """Whether a file in an archive or folder is named as some format names its conversations."""
    return any(one.file_names is not None and one.file_names.fullmatch(name) for one in IMPORTERS)


def begins_as_export(beginning: bytes) -> bool:
    """Whether these first bytes of a file are those of some format."""
    return any(one.beginning.match(beginning) for one in IMPORTERS)
