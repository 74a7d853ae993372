"""Reads the calls by which ChatGPT writes the documents of its canvas."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from desktop_app.controller.formats.export_reading import as_text, objects_in
from desktop_app.controller.formats.replayed_artifacts import NEWEST, ArtifactChange
from desktop_app.core.artifacts import ArtifactKind
from desktop_app.core.messages import ToolCallPart

CREATE: Final = "canmore.create_textdoc"
UPDATE: Final = "canmore.update_textdoc"
_KINDS: Final[Mapping[str, tuple[ArtifactKind, str]]] = {
    "document": ("markdown", ""),
    "code/html": ("html", ""),
    "code/react": ("code", "jsx"),
}
_WHOLE: Final = (".*", "(?s).*", "^.*$", "[\\s\\S]*")
"""Patterns by which the whole text is replaced."""


def read_canvas_call(call: ToolCallPart) -> ArtifactChange | None:
    """The change that a call makes; patterns of others are not run, only those that are plain text."""
    if call.name == CREATE:
        form = as_text(call.input.get("type"))
        kind, language = _KINDS.get(form, ("code" if form.startswith("code/") else "text", form.partition("/")[2]))
        text = as_text(call.input.get("content"))
        return ArtifactChange(NEWEST, as_text(call.input.get("name")), kind, language, text, creates=True)
    if call.name != UPDATE:
        return None
    updates = objects_in(call.input.get("updates"))
    last = updates[-1] if updates else {}
    if as_text(last.get("pattern")) in _WHOLE:
        return ArtifactChange(NEWEST, text=as_text(last.get("replacement")))
    edits = []
    for update in updates:
        pattern, new = as_text(update.get("pattern")), as_text(update.get("replacement"))
        old = re.sub(r"\\([^\w\s])", r"\1", pattern)
        if not old or update.get("multiple") is True or not _is_plain(pattern):
            return ArtifactChange(NEWEST)
        edits.append((old, new))
    return ArtifactChange(NEWEST, edits=tuple(edits))


def _is_plain(pattern: str) -> bool:
    """Return True if a pattern means exactly one text: every sign that would mean more is escaped."""
    return not re.search(r"(?<!\\)(?:\\\\)*[.^$*+?{}\[\]|()]|\\\w", pattern)
