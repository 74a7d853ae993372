"""Makes artifacts of the calls by which other programs made theirs: each is a version, and the call one of our own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from desktop_app.controller.formats.export_reading import stable_id
from desktop_app.core.artifacts import CREATE, UPDATE, Artifact, ArtifactKind, ArtifactVersion
from desktop_app.core.context.sent_content import ARTIFACT
from desktop_app.core.history_records import ImportedArtifact
from desktop_app.core.messages import Json, JsonObject, Part, ToolCallPart, ToolResultPart

NEWEST: Final = ""
"""In place of a name: the artifact that was made or changed last."""


@dataclass(frozen=True, slots=True)
class ArtifactChange:
    """The change that a call makes to the artifact of that name: a whole new `text`, or edits that each replace an
    `old` text.

    `edits` None and `text` None: a change that can't be followed.
    """

    name: str
    title: str = ""
    kind: ArtifactKind = "text"
    language: str = ""
    text: str | None = None
    edits: tuple[tuple[str, str], ...] | None = None
    creates: bool = False


@dataclass(slots=True)
class ReplayedArtifacts:
    """Follows the artifacts of one thread through its messages, each branch on its own.

    `read` gives the change that a call makes, None for one that makes none.
    """

    thread_id: str
    read: Callable[[ToolCallPart], ArtifactChange | None]
    _made: dict[str, Artifact] = field(default_factory=dict)
    _versions: dict[str, list[ArtifactVersion]] = field(default_factory=dict)
    _texts: dict[str | None, Mapping[str, str | None]] = field(default_factory=dict)
    """Each artifact's text behind each message (None: unknown), the newest last, by message id."""

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
            change = self.read(part) if isinstance(part, ToolCallPart) else None
            if change is not None and isinstance(part, ToolCallPart):
                call, result, texts = self._follow(part, change, texts, message_id, created)
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
        """Yield the artifacts that were made, with all versions."""
        for artifact_id, artifact in self._made.items():
            versions = tuple(self._versions[artifact_id])
            yield ImportedArtifact(replace(artifact, versions=len(versions), updated=versions[-1].created), versions)

    def _follow(
        self, call: ToolCallPart, change: ArtifactChange, texts: Mapping[str, str | None], message_id: str, created: str
    ) -> tuple[ToolCallPart, ToolResultPart | None, Mapping[str, str | None]]:
        artifact_id = self._id(call, change, texts)
        before = texts.get(artifact_id)
        text = _changed(change, before)
        if text is None or not text.strip() or (change.text is None and artifact_id not in self._made):
            unknown = change.text is None and change.edits is None and artifact_id in texts
            return call, None, {**texts, artifact_id: None} if unknown else texts
        known = self._made.get(artifact_id)
        title = " ".join(change.title.split()) or change.name or "Untitled"
        artifact = known or Artifact(
            artifact_id,
            self.thread_id,
            title,
            change.kind,
            change.language if change.kind == "code" else "",
            created=created,
        )
        self._made[artifact_id] = artifact
        versions = self._versions.setdefault(artifact_id, [])
        if not versions or versions[-1].text != text:
            versions.append(ArtifactVersion(artifact_id, len(versions) + 1, text, "model", created, message_id))
        facts: JsonObject = {
            "id": artifact_id, "title": artifact.title, "version": len(versions), "kind": artifact.kind,
        }  # fmt: skip
        told = f"Artifact {artifact_id} has version {len(versions)} now."
        own = _own_call(call, artifact, change, first=known is None)
        after = {name: one for name, one in texts.items() if name != artifact_id} | {artifact_id: text}
        return own, ToolResultPart(call.id, told, extra={ARTIFACT: facts}), after

    def _id(self, call: ToolCallPart, change: ArtifactChange, texts: Mapping[str, str | None]) -> str:
        if change.name == NEWEST and not change.creates and texts:
            return next(reversed(list(texts)))
        return stable_id(ARTIFACT, f"{self.thread_id}/{change.name or call.id}")


def _changed(change: ArtifactChange, before: str | None) -> str | None:
    """The text after a change; None where it can't be told."""
    text = change.text
    if text is None and before is not None and change.edits is not None:
        text = before
        for old, new in change.edits:
            if not old or old not in text:
                return None
            text = text.replace(old, new, 1)
    return text


def _own_call(call: ToolCallPart, artifact: Artifact, change: ArtifactChange, *, first: bool) -> ToolCallPart:
    """The call as one of our own tools', so that it looks and is sent as those do."""
    if first:
        language = {"language": artifact.language} if artifact.language else {}
        made = {"title": artifact.title, "kind": artifact.kind, **language, "text": change.text}
        return replace(call, name=CREATE.name, input=made)
    edits: list[Json] = [{"old": old, "new": new} for old, new in change.edits or ()]
    given: JsonObject = {"text": change.text} if change.text is not None else {"edits": edits}
    return replace(call, name=UPDATE.name, input={"id": artifact.id, **given})
