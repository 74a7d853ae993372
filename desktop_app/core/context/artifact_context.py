"""The artifacts made earlier in its thread that a request holds: the newest version, in the new turn only.

It stands behind what the user wrote and is gone with the next turn, as what tools return: elsewhere an artifact is its
note, so that a document of twelve versions is not sent twelve times with every question.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.messages import DocumentPart, Message

ROOM_SHARE: Final = (3, 10)
"""All artifacts in full together have at most this share of the soft limit; the others can be read by a call."""

SHORTEST_NAMED: Final = 3
"""Characters of a title from which on a message can name it: shorter ones stand in other words."""

_ID: Final = "artifact/"

MARK: Final = "+"
"""Stands in the prefix key of a request between the key of its path and what went with its turn only."""


@dataclass(frozen=True, slots=True)
class ArtifactContext:
    """The newest version of an artifact. `pinned`: its text goes with every new message, not only where it is named."""

    id: str
    title: str
    version: int
    text: str
    pinned: bool = False


class TurnArtifacts:
    """The artifacts of a thread, ready to go with a turn. `soft`: the soft limit in tokens."""

    def __init__(self, artifacts: Sequence[ArtifactContext], soft: int, estimator: TokenEstimator) -> None:
        self._room = soft * ROOM_SHARE[0] // ROOM_SHARE[1]
        self._known = [(one, _as_document(one), _name(one.title)) for one in artifacts if one.text.strip()]
        self._sizes = [estimator.tokens(features(one.text)) for one, _, _ in self._known]

    def for_turn(self, said: str) -> tuple[DocumentPart, ...]:
        """Return the documents that go with a turn in which the user said this: those named get room first, then the
        pinned ones.
        """
        if not self._known or not said.strip():
            return ()
        named = [name is not None and name.search(said) is not None for _, _, name in self._known]
        wanted = [place for place in reversed(range(len(named))) if named[place]]
        wanted += [place for place, (one, _, _) in enumerate(self._known) if one.pinned and not named[place]]
        left, chosen = float(self._room), []
        for place in wanted:
            if self._sizes[place] <= left:
                left -= self._sizes[place]
                chosen.append(place)
        return tuple(self._known[place][1] for place in sorted(chosen))


def key_of(documents: Sequence[DocumentPart]) -> str:
    """Return the text added to the prefix key of a request that holds these for its turn only; "" for none."""
    if not documents:
        return ""
    return MARK + hashlib.sha256("\n".join(part.sha256 for part in documents).encode()).hexdigest()[:8]


def path_key(prefix_key: str) -> str:
    """The part of a prefix key that names what is sent of the path."""
    return prefix_key.partition(MARK)[0]


def is_of_turn(message: Message) -> bool:
    """Return True if an answer's request held something that went with its turn only, so that its count is not its
    path's.
    """
    return MARK in (message.prefix_key or "")


def is_of_artifact(part: DocumentPart) -> bool:
    """Return True if a document is an artifact in full, which is on no path."""
    return part.sha256.startswith(_ID)


def _as_document(artifact: ArtifactContext) -> DocumentPart:
    return DocumentPart(
        f"{artifact.title} v{artifact.version}",
        artifact.text,
        f"{_ID}{artifact.id}/{artifact.version}",
        "text/markdown",
    )


def _name(title: str) -> re.Pattern[str] | None:
    """Finds a title in what a user says, whatever its case and white space."""
    words = title.split()
    if len("".join(words)) < SHORTEST_NAMED:
        return None
    written = r"\s+".join(map(re.escape, words))
    return re.compile(rf"(?<!\w){written}(?!\w)", re.IGNORECASE)
