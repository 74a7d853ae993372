"""The tools by which a model makes artifacts and changes them: their descriptions, what they say."""

from __future__ import annotations

from typing import Final, get_args

from desktop_app.core.artifacts import ArtifactKind
from desktop_app.core.context.sent_content import ARTIFACT_TOOLS
from desktop_app.core.messages import JsonObject
from desktop_app.core.tool_spec import ToolSpec

KINDS: Final[tuple[str, ...]] = get_args(ArtifactKind)

_CREATE: Final[JsonObject] = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "description": "A short title, in the language of the conversation."},
        "kind": {"type": "string", "enum": list(KINDS)},
        "language": {"type": "string", "description": "Of code: its language, as after a Markdown fence."},
        "text": {"type": "string", "description": "The whole text, without a fence around it."},
    },
    "required": ["title", "kind", "text"],
    "additionalProperties": False,
}
_UPDATE: Final[JsonObject] = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "description": "The artifact's id, or its title."},
        "edits": {
            "type": "array",
            "description": "Made one after the other. Each `old` must stand in the text exactly once, copied exactly.",
            "items": {
                "type": "object",
                "properties": {"old": {"type": "string"}, "new": {"type": "string"}},
                "required": ["old", "new"],
                "additionalProperties": False,
            },
        },
        "text": {"type": "string", "description": "The whole new text, where most of it changes."},
    },
    "required": ["id"],
    "additionalProperties": False,
}

CREATE: Final = ToolSpec(
    ARTIFACT_TOOLS[0],
    "Keeps a document, diagram or piece of code that the user will read on its own, revise or export as an artifact "
    "beside the conversation. Use it for such texts of more than some twenty lines in place of writing them into the "
    "answer, and never repeat the text there. Use update_artifact to change one.",
    _CREATE,
)
UPDATE: Final = ToolSpec(
    ARTIFACT_TOOLS[1],
    "Makes a new version of an artifact: by edits, which is cheaper and keeps all else as it is, or by its whole text. "
    "With neither it changes nothing and returns the newest version, to read it where it is not in view.",
    _UPDATE,
)
