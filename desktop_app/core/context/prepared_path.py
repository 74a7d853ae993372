"""A path before any draft: its turns, the user's choices on it, its boundaries, its forms."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property
from itertools import takewhile
from operator import is_
from typing import Final

from desktop_app.core.context.attachment_forms import NOTHING, AttachmentForms
from desktop_app.core.context.boundaries import Boundary, boundary_history
from desktop_app.core.context.context_choices import NO_CHOICES, ContextChoices
from desktop_app.core.context.context_settings import ContextSettings
from desktop_app.core.context.json_content_blocks import decoded_path
from desktop_app.core.context.message_selection import (
    MessageSelection,
    PathChoices,
    TurnSpans,
    path_choices,
    summaries_in_force,
)
from desktop_app.core.context.sent_content import Sight, opens_turn, running_turn_start
from desktop_app.core.context.signed_thinking import unbound_answers
from desktop_app.core.context.token_counting import Counted, count_path, spoken_before
from desktop_app.core.deletions import deleted_on
from desktop_app.core.messages import BoundaryState, DocumentPart, Message
from desktop_app.core.model_catalog import TokenizerFamily

AFTER_ALL: Final = "~"
"""Later than any time that is stored."""

MOST_GUESSES: Final = 8
"""The number of choices that are tried one by one where an earlier request was sent under others than now."""


class PreparedPath:
    """A path read once. `before`, an earlier one of the same thread, saves reading again what is still on the path.

    `spoken`: how many questions and answers stand before each place. `in_loop`: tools' results wait for the model.
    `boundaries` are those that the path has had, oldest first, each at a place where a tail may begin; `boundary` is
    the one in force, `now` how the path is sent under it, `stepped` how after the next step, when every summary is in
    force, `back` how after a return to the beginning. `always`: see `AttachmentForms`.
    `of_turn`: what the prefix key of the turn whose tools run has more, for what goes with that turn only.
    """

    def __init__(
        self,
        path: tuple[Message, ...],
        *,
        backend: str,
        labels: bool,
        family: TokenizerFamily,
        sight: Sight,
        settings: ContextSettings,
        choices: ContextChoices,
        before: PreparedPath | None,
        always: Mapping[str, DocumentPart] = NOTHING,
        of_turn: str = "",
    ) -> None:
        self.backend, self.labels, self.family, self.sight = backend, labels, family, sight
        self.of_turn = of_turn
        self._settings, self.choices = settings, choices
        self._emptied: Mapping[str, tuple[Message, Message]] = {}
        deleted = deleted_on(path, choices)
        if deleted:
            path = self._without(path, deleted, {} if before is None else before._emptied)
        self._raw = path
        known: Mapping[str, tuple[Message, Message]] = {} if before is None else before._decoded
        alike = 0 if before is None else _alike(before._raw, path)
        # how a message is read depends on the one behind it
        begun: Sequence[Message] = () if before is None else before.messages[: max(0, alike - 1)]
        self.messages: tuple[Message, ...] = decoded_path(path, known, begun)
        self._decoded: Mapping[str, tuple[Message, Message]] = {
            read.id: (raw, read)
            for raw, read in zip(path, self.messages, strict=True)
            if raw is not read  # the same object for nearly all
        }
        grows = before is not None and alike == len(before._raw)
        self._places: dict[str, int] = before._places if before is not None and grows else {}
        turns = before if before is not None and before._kind == self._kind else None
        settled = 0 if turns is None else _last_turn(self.messages, max(0, alike - 1))
        self.counted: Sequence[Counted] = count_path(
            self.messages,
            backend=backend,
            labels=labels,
            family=family,
            sight=sight,
            before=() if turns is None else turns.counted[:settled],
        )
        last = next((item.message.role for item in reversed(self.counted) if item.content.blocks), None)
        self.spoken: Sequence[int] = spoken_before(self.counted, (0,) if turns is None else turns.spoken[: settled + 1])
        self.waiting = last == "user"
        running = running_turn_start(self.messages)
        self.in_loop = running < len(path)
        self._unbound = unbound_answers(self.counted, running, labels=labels, family=family)
        starts = () if turns is None else turns.turns.starts[: bisect_left(turns.turns.starts, settled)]
        self.turns: TurnSpans = TurnSpans(self._find_starts(starts, settled), len(path), self.waiting)
        self._deleted = frozenset(index for index, message in enumerate(path) if message.id in deleted)
        self.decided = path_choices(self.messages, self.turns, choices, settings, self._deleted)
        self.steps = boundary_history(self.messages, choices.undone)
        self.boundaries = self.boundaries_under(self.decided)
        self.boundary = self.boundaries[-1]
        self.now = self.arranged(self.boundary)
        stepped = MessageSelection.of(self.decided, self.spoken, self.decided.summaries)
        self.stepped = self.now if stepped == self.now else stepped
        self.back = self.returned(0)
        self.forms = AttachmentForms(self.counted, labels=labels, family=family, always=always)

    @cached_property
    def undecided(self) -> PathChoices:
        """The path where the user has chosen nothing but deletions."""
        return path_choices(self.messages, self.turns, NO_CHOICES, self._settings, self._deleted)

    def _without(
        self, path: tuple[Message, ...], deleted: Set[str], known: Mapping[str, tuple[Message, Message]]
    ) -> tuple[Message, ...]:
        """The path with nothing in the messages that are deleted: steps that stand on them or begin with them stay."""
        for message in path:
            if message.id in deleted:
                earlier = known.get(message.id)
                if earlier is None or earlier[0] is not message:
                    earlier = message, replace(message, parts=(), usage=None, prefix_key=None)
                self._emptied = {**self._emptied, message.id: earlier}
        return tuple(self._emptied[message.id][1] if message.id in deleted else message for message in path)

    def place_of(self, message_id: str) -> int | None:
        """The index of a message on the path; None: it is not on it."""
        # one that only grows shares them with the path before: ids never change their place then
        for index in range(len(self._places), len(self._raw)):
            self._places[self._raw[index].id] = index
        place = self._places.get(message_id)
        return place if place is not None and place < len(self._raw) else None

    @property
    def _kind(self) -> tuple[object, ...]:
        return self.backend, self.labels, self.family, self.sight

    def spoken_in(self, rows: range) -> int:
        """Return the number of questions and answers in these rows."""
        return self.spoken[rows.stop] - self.spoken[rows.start]

    @property
    def before_choices(self) -> Iterator[PathChoices]:
        """The choices that may have been made when earlier requests were sent: none, or all of them but one."""
        choices = self.choices
        one_less = (
            *(replace(choices, excluded=choices.excluded - {name}) for name in sorted(choices.excluded)),
            *(replace(choices, pinned=choices.pinned - {name}) for name in sorted(choices.pinned)),
            *(replace(choices, summaries=choices.summaries[:number]) for number in range(len(choices.summaries))),
            *((replace(choices, fresh_from=None),) if choices.fresh_from else ()),
        )
        if one_less:
            for before in (NO_CHOICES, *one_less[:MOST_GUESSES]):
                yield path_choices(self.messages, self.turns, before, self._settings, self._deleted)

    def arranged(self, boundary: Boundary, decided: PathChoices | None = None) -> MessageSelection:
        """Return how the path is sent under a boundary, and the user's decisions (None: those of now)."""
        decided = decided or self.decided
        carried = self.messages[boundary.carrier].created if boundary.carrier >= 0 else None
        return MessageSelection.of(decided, self.spoken, summaries_in_force(decided, boundary, carried))

    def returned(self, start: int) -> MessageSelection:
        """Return how the path is sent after the boundary came back to `start`."""
        boundary = Boundary(start, BoundaryState(cause="returned"))
        return MessageSelection.of(self.decided, self.spoken, summaries_in_force(self.decided, boundary, AFTER_ALL))

    def images_from(self, boundary: Boundary) -> int:
        """From this index on images go whole under a boundary."""
        if boundary.carrier < 0 or boundary.state.cause == "returned":
            return 0
        return self.turns.span(boundary.carrier).start

    def forms_for(self, sent: Callable[[int], bool], images_from: int) -> dict[int, Counted]:
        """The form of every message that has more than one."""
        return {} if self.forms.is_plain else self.forms.under(sent, images_from)

    def unbound(self, key: str) -> dict[int, Counted]:
        """The answers of the running turn as they go behind the prefix of this key, where that is not their own."""
        return {
            index: form
            for index, form in self._unbound.items()
            if self.messages[index].prefix_key != key + self.of_turn
        }

    def _find_starts(self, known: Sequence[int], settled: int) -> list[int]:
        """Return the places where a tail may begin: at what a user wrote after the assistant had spoken; `known`
        before `settled`.
        """
        starts = list(known)
        role = next((i.message.role for i in reversed(self.counted[:settled]) if i.content.blocks), None)
        running = running_turn_start(self.messages)
        for index in range(settled, len(self.counted)):
            item = self.counted[index]
            if item.content.blocks and item.message.role != role:
                role = item.message.role
                if opens_turn(item.message) and index <= running:
                    starts.append(index)
        return starts

    def boundaries_under(self, decided: PathChoices) -> list[Boundary]:
        """The boundaries at places where a tail may begin; one that leaves nothing out stands at 0."""
        first = max(decided.head.stop, decided.base)
        return [
            replace(boundary, start=0 if boundary.start <= first else self.turns.at_or_after(boundary.start))
            for boundary in self.steps.boundaries
        ]


def _alike(before: Sequence[Message], path: Sequence[Message]) -> int:
    """Return how many of the first messages are the very same."""
    return sum(takewhile(bool, map(is_, before, path)))


def _last_turn(path: Sequence[Message], end: int) -> int:
    """Return the place where the last turn begins that does so before `end`; everything earlier belongs to turns
    that have ended.
    """
    return next((index for index in range(min(end, len(path)) - 1, -1, -1) if opens_turn(path[index])), 0)
