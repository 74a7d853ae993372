"""Keeps what was written on artifacts and is no version yet, until its editor opens again. Stores nothing itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject, Signal

from desktop_app.core.events import ThreadDeleted

ABOUT: Final = "\0artifact/"
"""Stands before the id of an artifact where otherwise the id of a thread's summary stands."""


@dataclass(frozen=True, slots=True)
class UnsavedArtifact:
    """A text in progress. `private`: it must never be on disk. `begun`: the version that was the newest then, or 0."""

    thread_id: str
    artifact_id: str
    text: str
    private: bool = False
    begun: int = 0


class UnsavedArtifacts(QObject):
    """Those of one window. `editing` tells what is written right now; who shows an editor sets it."""

    changed = Signal()  # what `lasting_texts` tells may be something else
    left = Signal(str, str)  # thread's id, artifact's id: a text waits there, and the way back is to be offered

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.editing: Callable[[], UnsavedArtifact | None] = lambda: None
        self._kept: dict[str, UnsavedArtifact] = {}

    def keep(self, unsaved: UnsavedArtifact) -> None:
        """Its editor goes, and nobody was asked."""
        self._kept[unsaved.artifact_id] = unsaved
        self.changed.emit()
        self.left.emit(unsaved.thread_id, unsaved.artifact_id)

    def hand_over(self, to: UnsavedArtifacts, thread_id: str | None = None) -> None:
        """Another window shows a thread that was left here, or this one closes (None): what is unsaved waits there."""
        now = self.editing()
        for unsaved in [*self._kept.values(), *([now] if now is not None else [])]:
            if thread_id in (None, unsaved.thread_id):
                self._kept.pop(unsaved.artifact_id, None)
                to.keep(unsaved)

    def has(self, artifact_id: str) -> bool:
        """Return True if a text waits for the artifact's editor."""
        return artifact_id in self._kept

    def take(self, artifact_id: str) -> UnsavedArtifact | None:
        """The text that waits; from now on the editor has it."""
        return self._kept.pop(artifact_id, None)

    def lasting_texts(self) -> dict[tuple[str, str], str]:
        """Those that may outlive the window, by thread and `ABOUT` with the artifact's id."""
        now = self.editing()
        texts = [*self._kept.values(), *([now] if now is not None else [])]
        return {(one.thread_id, f"{ABOUT}{one.artifact_id}\0{one.begun}"): one.text for one in texts if not one.private}

    def give_back(self, texts: Mapping[tuple[str, str], str]) -> None:
        """Give back the texts that the window before was ended with; the first is offered."""
        found = []
        for (thread_id, about), text in texts.items():
            artifact_id, _, begun = about.removeprefix(ABOUT).partition("\0")
            found.append(UnsavedArtifact(thread_id, artifact_id, text, begun=int(begun) if begun.isdecimal() else 0))
        self._kept = {**{one.artifact_id: one for one in found}, **self._kept}
        if found:
            self.left.emit(found[0].thread_id, found[0].artifact_id)

    def forget_thread(self, deleted: ThreadDeleted) -> None:
        """Forget all texts that were kept for the deleted thread."""
        self._kept = {key: one for key, one in self._kept.items() if one.thread_id != deleted.thread_id}
        self.changed.emit()
