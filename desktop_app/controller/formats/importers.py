"""Lists the formats that conversations can be imported from. A format is its module's `IMPORTER` and one entry here."""

from __future__ import annotations

from typing import Final

from desktop_app.controller.formats import (
    chatgpt_export,
    claude_code_sessions,
    claude_export,
    llm_logs,
    plimsoll_json,
)
from desktop_app.controller.formats.export_reading import ExportSource, Importer
from desktop_app.core.phrases import phrase

IMPORTERS: Final = (
    plimsoll_json.IMPORTER,
    chatgpt_export.IMPORTER,
    claude_export.IMPORTER,
    claude_code_sessions.IMPORTER,
    llm_logs.IMPORTER,
)
"""Asked in this order whether they recognize what is in a source."""

EXPECTED: Final = phrase(
    "expected a ChatGPT or Claude export (conversations.json, or the zip or folder it came in), Claude Code sessions, "
    "llm's logs.db or a Plimsoll export"
)
"""Names every format of `IMPORTERS`."""


def importer_of(source: ExportSource) -> Importer | None:
    """The importer of what is in a source, None if no format recognizes it."""
    return next((one for one in IMPORTERS if one.recognizes(source)), None)
