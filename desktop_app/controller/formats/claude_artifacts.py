"""Makes artifacts of Claude.ai's calls: each create, rewrite or update is a version, and the call one of our own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from desktop_app.controller.formats.export_reading import as_text
from desktop_app.controller.formats.message_tree import stable_id
from desktop_app.core.artifact_tool_specs import CREATE, UPDATE
from desktop_app.core.artifacts import Artifact, ArtifactKind, ArtifactVersion
from desktop_app.core.context.app_notes import ARTIFACT
from desktop_app.core.history_records import ImportedArtifact
from desktop_app.core.messages import JsonObject, Part, ToolCallPart, ToolResultPart

TOOL: Final = "artifacts"
KINDS: Final[Mapping[str, ArtifactKind]] = {
    "text/markdown": "markdown",
    "text/html": "html",
    "image/svg+xml": "svg",
    "application/vnd.ant.mermaid": "mermaid",
    "application/vnd.ant.code": "code",
    "application/vnd.ant.react": "code",
}
"""By the media types of Claude.ai; all else is text."""


@dataclass(slots=True)
class ArtifactHistory:
    """Follows the artifacts of one thread through its messages, each branch on its own."""

    thread_id: str
    _made: dict[str, Artifact] = field(default_factory=dict)
    _versions: dict[str, list[ArtifactVersion]] = field(default_factory=dict)
    _texts: dict[str | None, Mapping[str, str]] = field(default_factory=dict)
    """What each artifact's text was behind each message, by message id."""

    def replaced(
        self, parts: tuple[Part, ...], message_id: str, parent_id: str | None, created: str
    ) -> tuple[Part, ...]:
        """The parts of a message, with calls that changed an artifact as calls of our own and their results.

        Asked for parents first; `parent_id` is the message that this one stands behind. A call that can't be followed,
        as an update of a text that is not there, stays as it came.
        """
        texts = self._texts.get(parent_id, {})
        made: list[Part] = []
        answered: dict[str, ToolResultPart] = {}
        for part in parts:
            if isinstance(part, ToolCallPart) and part.name == TOOL:
                call, result, texts = self._follow(part, texts, message_id, created)
                made.append(call)
                if result is not None:
                    answered[call.id] = result
            elif isinstance(part, ToolResultPart) and part.call_id in answered:
                made.append(answered.pop(part.call_id))
            else:
                made.append(part)
        self._texts[message_id] = texts
        return (*made, *answered.values())

    def artifacts(self) -> Iterator[ImportedArtifact]:
        """What was made, with all versions."""
        for artifact_id, artifact in self._made.items():
            versions = tuple(self._versions[artifact_id])
            yield ImportedArtifact(replace(artifact, versions=len(versions), updated=versions[-1].created), versions)

    def _follow(
        self, call: ToolCallPart, texts: Mapping[str, str], message_id: str, created: str
    ) -> tuple[ToolCallPart, ToolResultPart | None, Mapping[str, str]]:
        given = call.input
        name = as_text(given.get("id"))
        artifact_id = stable_id(TOOL, f"{self.thread_id}/{name}")
        text = _changed(given, texts.get(artifact_id))
        if text is None or not text.strip():
            return call, None, texts
        known = self._made.get(artifact_id)
        artifact = known or _artifact(artifact_id, self.thread_id, given, created)
        self._made[artifact_id] = artifact
        versions = self._versions.setdefault(artifact_id, [])
        if not versions or versions[-1].text != text:
            versions.append(ArtifactVersion(artifact_id, len(versions) + 1, text, "model", created, message_id))
        facts: JsonObject = {
            "id": artifact_id,
            "title": artifact.title,
            "version": len(versions),
            "kind": artifact.kind,
        }
        told = f"Artifact {artifact_id} has version {len(versions)} now."
        own = _own_call(call, artifact, text, first=known is None)
        return own, ToolResultPart(call.id, told, extra={ARTIFACT: facts}), {**texts, artifact_id: text}


def _changed(given: JsonObject, before: str | None) -> str | None:
    """The text after a call; None where there is none."""
    if as_text(given.get("command")) != "update":
        return as_text(given.get("content"))
    old, new = given.get("old_str"), given.get("new_str")
    if before is None or not isinstance(old, str) or not isinstance(new, str) or not old or old not in before:
        return None
    return before.replace(old, new, 1)


def _artifact(artifact_id: str, thread_id: str, given: JsonObject, created: str) -> Artifact:
    media_type = as_text(given.get("type"))
    kind = KINDS.get(media_type, "text")
    language = as_text(given.get("language")) or ("jsx" if media_type.endswith(".react") else "")
    title = " ".join(as_text(given.get("title")).split()) or as_text(given.get("id")) or "Untitled"
    return Artifact(artifact_id, thread_id, title, kind, language if kind == "code" else "", created=created)


def _own_call(call: ToolCallPart, artifact: Artifact, text: str, *, first: bool) -> ToolCallPart:
    """The call as one of our own tools', so that it looks and is sent as those do."""
    if first:
        language = {"language": artifact.language} if artifact.language else {}
        made = {"title": artifact.title, "kind": artifact.kind, **language, "text": text}
        return replace(call, name=CREATE.name, input=made)
    edit = {"old": as_text(call.input.get("old_str")), "new": as_text(call.input.get("new_str"))}
    change: JsonObject = {"edits": [edit]} if as_text(call.input.get("command")) == "update" else {"text": text}
    return replace(call, name=UPDATE.name, input={"id": artifact.id, **change})
