"""The user's choices about one thread's context: pins, exclusions, deletions, fresh start, summaries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple


class Deletion(NamedTuple):
    """A message that is deleted on the branches through another one: both are message ids.

    `branch` was the last message of the branch when it was deleted there, or is the first of a branch that was begun
    where it was deleted already. Other branches that the message stands on keep it.
    """

    message: str
    branch: str


class Leaving(NamedTuple):
    """A message that the user lets go at the first step of a path after `since` (ISO 8601 UTC); "": at once."""

    message: str
    since: str


@dataclass(frozen=True, slots=True)
class Summary:
    """A visible, editable message `[Conversation Summary]` that stands for its sources.

    `sources` are message ids in path order, whole turns. `model` is who wrote it ("" where the user did), `created`
    ISO 8601 UTC, `cost_usd` None where it is not known. `at_step`: made for what a step leaves out, so it takes effect
    with that step and goes with its undoing; one that was asked for by hand counts at once.
    """

    id: str
    sources: tuple[str, ...]
    text: str
    model: str
    created: str
    edited: bool = False
    cost_usd: float | None = None
    at_step: bool = False


class SecretChoices(NamedTuple):
    """Keyed hashes of what looks like secrets: those that may leave, and those that the user has taken out."""

    sent: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()

    def decided(self, hashes: Iterable[str], *, send: bool) -> SecretChoices:
        """The same with a decision about these."""
        sent, removed = self
        return SecretChoices(sent.union(hashes), removed) if send else SecretChoices(sent, removed.union(hashes))


NO_SECRETS = SecretChoices()


@dataclass(frozen=True, slots=True)
class ContextChoices:
    """The user's decisions for one thread; stored with the thread, all of them undoable.

    `pinned` and `excluded` are message ids and act on whole turns. `deleted` has each message of
    a deleted turn. Everything up to and including the turn of
    `fresh_from` is left out; `keeps_start`: but not what always stays at the beginning, for the user moved the load
    line. `undone`: ids of the messages whose stored boundary the user took back. `summaries` are
    the active ones. `accepted_cliff`: the model's higher price above its cliff is accepted. `recall` False: the model
    is not offered the search of this thread. `return_from`: id of the message whose stored boundary is to come
    back with the next request. `leaving` act on whole turns, and can be looked up once they have left. `allowed_tools`:
    pins of tools of servers that may be called in this thread, and `reading SERVER` for those that only read.
    """

    pinned: frozenset[str] = frozenset()
    excluded: frozenset[str] = frozenset()
    fresh_from: str | None = None
    undone: frozenset[str] = frozenset()
    summaries: tuple[Summary, ...] = ()
    accepted_cliff: bool = False
    recall: bool = True
    return_from: str | None = None
    deleted: frozenset[Deletion] = frozenset()
    keeps_start: bool = False
    leaving: frozenset[Leaving] = frozenset()
    secrets: SecretChoices = NO_SECRETS
    allowed_tools: frozenset[str] = frozenset()


NO_CHOICES = ContextChoices()
