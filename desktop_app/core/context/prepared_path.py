"""A path before any draft: its turns, the user's choices on it, its boundaries, the forms of its attachments.

A document is whole where it is sent first; an image is whole until the next step (PRODUCT.md CTX-2).

Newer models refuse thinking behind anything but what it came behind (PRODUCT.md CTX-15): a boundary that moved, a
system prompt or a choice that changed while tools ran. The answers' prefix keys tell.

A place of the load line is named by the message that it stands above; above the first message of the path nothing is
left out.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, takewhile
from operator import is_
from typing import Final, assert_never

from desktop_app.core.context.boundaries import Boundary, boundary_history
from desktop_app.core.context.context_choices import NO_CHOICES, ContextChoices
from desktop_app.core.context.message_selection import (
    IsSent,
    MessageSelection,
    PathChoices,
    TurnSpans,
    path_choices,
    summaries_in_force,
)
from desktop_app.core.context.sent_content import (
    Content,
    Sight,
    decoded_path,
    document_note,
    image_note,
    opens_turn,
    running_turn_start,
)
from desktop_app.core.context.text_features import ZERO
from desktop_app.core.context.token_counting import (
    BY_CLASSES,
    Counted,
    TextCounter,
    count_message,
    count_path,
    spoken_before,
)
from desktop_app.core.conversation import deleted_on
from desktop_app.core.messages import (
    BoundaryState,
    DocumentPart,
    ImagePart,
    Message,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)
from desktop_app.core.model_catalog import TokenizerFamily
from desktop_app.core.settings import ContextSettings


def is_bound(part: Part) -> bool:
    """Return True if a part is thinking that its provider takes back only as it came, where it came."""
    match part:
        case ThinkingPart(signature=signature):
            return bool(signature)
        case UnknownPart(raw):
            return raw.get("type") == "redacted_thinking"
        case TextPart() | ToolCallPart() | ToolResultPart() | ImagePart() | DocumentPart():
            return False
        case _:
            assert_never(part)


def unbound_answers(
    counted: Sequence[Counted], running: int, *, labels: bool, family: TokenizerFamily, counter: TextCounter
) -> dict[int, Counted]:
    """The answers of the turn that runs from place `running` on, as they go behind another prefix than their own.

    What an answer without a key came behind is not known: the provider says, and what it refuses goes again without.
    """
    found = {}
    for index in range(running, len(counted)):
        item = counted[index]
        kept = tuple(block for block in item.content.blocks if not is_bound(block))
        if item.message.role == "assistant" and item.message.prefix_key and len(kept) < len(item.content.blocks):
            content = Content(kept, item.content.annotated)
            found[index] = count_message(item.message, content, labels, family, running=True, counter=counter)
    return found


Weigh = Callable[[Counted], float]

FIRST_OF_ALL: Final = -1
"""The place of a document that is sent before it whatever the path is."""

NOTHING: Final[Mapping[str, DocumentPart]] = {}


@dataclass(frozen=True, slots=True)
class _RepeatedDocument:
    """A further attachment of a document: its path index and block, and the path indexes of those before."""

    index: int
    block: int
    before: tuple[int, ...]


class AttachmentForms:
    """Made once for a path. Only the few messages with images or repeated documents ever have another form."""

    def __init__(
        self,
        counted: Sequence[Counted],
        *,
        labels: bool,
        family: TokenizerFamily,
        always: Mapping[str, DocumentPart] = NOTHING,
        counter: TextCounter = BY_CLASSES,
    ) -> None:
        """`always`: documents that stand first in every request, by the hash of their file."""
        self._counted, self._labels, self._family, self._always = counted, labels, family, always
        self._counter = counter
        self._images: list[int] = []
        self._names: dict[str, str] = {}
        attached: dict[str, list[tuple[int, int]]] = {}
        for index, item in enumerate(counted):
            if item.has_images:
                self._images.append(index)
            if item.documents is not ZERO and any(item.documents):
                for block, part in enumerate(item.content.blocks):
                    if isinstance(part, DocumentPart):
                        self._names.setdefault(part.sha256, part.name)
                        attached.setdefault(part.sha256, []).append((index, block))
        self._attached = attached
        self._repeated = [
            _RepeatedDocument(index, block, (*first, *(earlier for earlier, _ in places[:number])))
            for sha256, places in attached.items()
            for first in ((FIRST_OF_ALL,) if sha256 in always else (),)
            for number, (index, block) in enumerate(places)
            if number or first
        ]
        self._made: dict[tuple[int, bool, frozenset[int]], Counted] = {}

    @property
    def is_plain(self) -> bool:
        """True where every message has one form only."""
        return not self._images and not self._repeated

    @property
    def repeated(self) -> frozenset[int]:
        """The messages with a further attachment of a document: whole, or as a reference."""
        return frozenset(place.index for place in self._repeated)

    def under(self, sent: Callable[[int], bool], images_from: int) -> dict[int, Counted]:
        """Every message that has more than one form, as it is in a request; `images_from`: older images are notes."""
        references: dict[int, set[int]] = {place.index: set() for place in self._repeated}
        for place in self._repeated:
            if any(earlier in (place.index, FIRST_OF_ALL) or sent(earlier) for earlier in place.before):
                references[place.index].add(place.block)
        gone = frozenset(self._images[: bisect_left(self._images, images_from)])
        return {
            index: self._form(index, without_images=index in gone, references=frozenset(references.get(index, ())))
            for index in {*references, *self._images}
        }

    def savings(self, selection: MessageSelection, weigh: Weigh, forms: Mapping[int, Counted]) -> ReferenceSavings:
        """Return what references to the tail's documents save at a step, for each place; `forms`: with those only."""
        pairs: list[tuple[int, float]] = []
        for place in self._repeated:
            earlier = [index for index in place.before if index not in selection.out]
            if not earlier or place.index in selection.out or {place.index, FIRST_OF_ALL} & {*place.before}:
                continue
            if not any(selection.always(index) for index in earlier):
                item = forms.get(place.index, self._counted[place.index])
                pairs.append((earlier[-1], weigh(item) - weigh(self._with_reference(item, place.block))))
        return ReferenceSavings.of(pairs)

    def places_of(self, part: DocumentPart) -> tuple[int, ...]:
        """The path indexes of the messages that this document was attached to."""
        return tuple(index for index, _ in self._attached.get(part.sha256, ()))

    def leaving(
        self, now: Callable[[int], bool], then: Callable[[int], bool], draft: Sequence[Part]
    ) -> tuple[str, ...]:
        """The names of the documents that are sent now, and neither then nor in the draft."""
        stay = {*self._always, *(part.sha256 for part in draft if isinstance(part, DocumentPart))}
        return tuple(
            self._names[sha256]
            for sha256, places in self._attached.items()
            if sha256 not in stay and any(now(at) for at, _ in places) and not any(then(at) for at, _ in places)
        )

    def draft_references(self, blocks: Sequence[Part]) -> list[tuple[int, tuple[int, ...]]]:
        """Blocks of a draft that may be references: block index, and where on the path the document is.

        `FIRST_OF_ALL`: it is sent whatever the path is, in the draft itself or as one of the project's.
        """
        seen: set[str] = set()
        found = []
        for number, part in enumerate(blocks):
            if isinstance(part, DocumentPart):
                places = self.places_of(part)
                if part.sha256 in seen or part.sha256 in self._always:
                    places += (FIRST_OF_ALL,)
                seen.add(part.sha256)
                if places:
                    found.append((number, places))
        return found

    def reference_to(self, part: DocumentPart) -> TextPart:
        """Return the reference to a document that is sent further up, by the name that it has there."""
        return document_note(self._always.get(part.sha256, part))

    def _with_reference(self, item: Counted, block: int) -> Counted:
        blocks = list(item.content.blocks)
        if isinstance(part := blocks[block], DocumentPart):
            blocks[block] = self.reference_to(part)
        return self._count(item, blocks)

    def _form(self, index: int, *, without_images: bool, references: frozenset[int]) -> Counted:
        if not without_images and not references:
            return self._counted[index]
        key = (index, without_images, references)
        if key not in self._made:
            item = self._counted[index]
            blocks = [
                image_note(part)
                if without_images and isinstance(part, ImagePart)
                else self.reference_to(part)
                if number in references and isinstance(part, DocumentPart)
                else part
                for number, part in enumerate(item.content.blocks)
            ]
            self._made[key] = self._count(item, blocks)
        return self._made[key]

    def _count(self, item: Counted, blocks: Iterable[Part]) -> Counted:
        content = Content(tuple(blocks), item.content.annotated)
        running, counter = item.running, self._counter
        return count_message(item.message, content, self._labels, self._family, running=running, counter=counter)


@dataclass(frozen=True, slots=True)
class ReferenceSavings:
    """Tokens saved by references to places that are in the tail."""

    places: tuple[int, ...] = ()
    sums: tuple[float, ...] = (0.0,)

    @classmethod
    def of(cls, pairs: Iterable[tuple[int, float]]) -> ReferenceSavings:
        """From (place before, saved)."""
        ordered = sorted(pairs)
        return cls(tuple(place for place, _ in ordered), tuple(accumulate((s for _, s in ordered), initial=0.0)))

    def from_tail(self, start: int) -> float:
        """Saved where the tail begins at `start`."""
        return self.sums[-1] - self.sums[bisect_left(self.places, start)]


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
        counter: TextCounter = BY_CLASSES,
    ) -> None:
        self.backend, self.labels, self.family, self.sight = backend, labels, family, sight
        self.of_turn, self.counter = of_turn, counter
        self._settings, self.choices = settings, choices
        self._emptied: Mapping[str, tuple[Message, Message]] = {}
        if deleted := deleted_on(path, choices):
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
            counter=counter,
        )
        last = next((item.message.role for item in reversed(self.counted) if item.content.blocks), None)
        self.spoken: Sequence[int] = spoken_before(self.counted, (0,) if turns is None else turns.spoken[: settled + 1])
        self.waiting = last == "user"
        running = running_turn_start(self.messages)
        self.in_loop = running < len(path)
        self._unbound = unbound_answers(self.counted, running, labels=labels, family=family, counter=counter)
        starts = () if turns is None else turns.turns.starts[: bisect_left(turns.turns.starts, settled)]
        self.turns: TurnSpans = TurnSpans(self._find_starts(starts, settled), len(path), self.waiting)
        self._deleted = frozenset(index for index, message in enumerate(path) if message.id in deleted)
        self.decided = path_choices(self.messages, self.turns, choices, settings, self._deleted)
        self.steps = boundary_history(self.messages, choices.undone)
        self.boundaries = self.boundaries_under(self.decided)
        self.boundary = self.boundaries[-1]
        self.now = self.arranged(self.boundary)
        stepped = MessageSelection.of(self.decided.stepped(AFTER_ALL), self.spoken, self.decided.summaries)
        self.stepped = self.now if stepped == self.now else stepped
        self.back = self.returned(0)
        self.forms = AttachmentForms(self.counted, labels=labels, family=family, always=always, counter=counter)

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
                if (earlier := known.get(message.id)) is None or earlier[0] is not message:
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
        return self.backend, self.labels, self.family, self.sight, self.counter

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
            *(replace(choices, leaving=choices.leaving - {one}) for one in sorted(choices.leaving) if not one.since),
            *((replace(choices, fresh_from=None),) if choices.fresh_from else ()),
        )
        if one_less:
            for before in (NO_CHOICES, *one_less[:MOST_GUESSES]):
                yield path_choices(self.messages, self.turns, before, self._settings, self._deleted)

    def arranged(self, boundary: Boundary, decided: PathChoices | None = None) -> MessageSelection:
        """Return how the path is sent under a boundary, and the user's decisions (None: those of now)."""
        decided = decided or self.decided
        carried = self.messages[boundary.carrier].created if boundary.carrier >= 0 else None
        in_force = summaries_in_force(decided, boundary, carried)
        return MessageSelection.of(decided.stepped(carried or ""), self.spoken, in_force)

    def returned(self, start: int) -> MessageSelection:
        """Return how the path is sent after the boundary came back to `start`."""
        boundary = Boundary(start, BoundaryState(cause="returned"))
        in_force = summaries_in_force(self.decided, boundary, AFTER_ALL)
        return MessageSelection.of(self.decided.stepped(AFTER_ALL), self.spoken, in_force)

    def images_from(self, boundary: Boundary) -> int:
        """From this index on images go whole under a boundary."""
        if boundary.carrier < 0 or boundary.state.cause == "returned":
            return 0
        return self.turns.span(boundary.carrier).start

    @property
    def documents_left(self) -> tuple[str, ...]:
        """The names of the documents that the newest boundary left out and nothing sends any more."""
        if len(self.boundaries) < 2:
            return ()
        before, now = (IsSent(self.arranged(one), one.start) for one in self.boundaries[-2:])
        return self.forms.leaving(before, now, ())

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
        """Return where a tail may begin: at a user's words after the assistant had spoken; `known` before `settled`."""
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
    """Return where the last turn begins that does so before `end`; everything earlier is of ended turns."""
    return next((index for index in range(min(end, len(path)) - 1, -1, -1) if opens_turn(path[index])), 0)


def line_places(ready: PreparedPath) -> Sequence[str]:
    """The ids of the messages that the line can stand above, in order; none where there is only one place.

    What always stays at the beginning is above the second one, and the newest turn beneath the last one.
    """
    starts = [start for start in ready.turns.starts if start > ready.undecided.head.stop]
    return [ready.messages[place].id for place in (0, *starts)] if starts else []


def choices_with_line(ready: PreparedPath, message_id: str) -> ContextChoices:
    """Return the choices that the user makes by putting the line above a message.

    Steps that begin behind it are taken back. Where none that is left begins there, everything before it is left out,
    but for what always stays at the beginning. A message of another path decides nothing.
    """
    place = next((index for index, message in enumerate(ready.messages) if message.id == message_id), None)
    if place is None:
        return ready.choices
    steps = ready.boundaries_under(ready.undecided)
    later = frozenset(ready.messages[one.carrier].id for one in steps if one.start > place)
    is_step = [one.start for one in steps if one.start <= place][-1] == place
    return replace(
        ready.choices,
        fresh_from=None if is_step else ready.messages[place - 1].id,
        keeps_start=not is_step,
        undone=ready.choices.undone | later,
        return_from=None,
    )
