"""Owns one way to send a prepared path: which messages, in which form, with which of the app's notes between them.

Knows no draft and no limits. Building the request costs its length and is done only for the view that is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from weakref import ref

from desktop_app.core.context.message_selection import Gap
from desktop_app.core.context.path_tokens import RequestShape, RequestWeight, TailTotals
from desktop_app.core.context.placed_messages import PlacedMessages
from desktop_app.core.context.plan import PlacedMessage, PlacedState, PlannedMessage
from desktop_app.core.context.roles import merge, note, opened_by_user
from desktop_app.core.context.token_counting import Counted
from desktop_app.core.messages import BoundaryState
from desktop_app.core.phrases import phrase

BEFORE_START = phrase("left out: the thread was started fresh after it")
KEPT = phrase("always sent: the beginning of the thread")
PINNED = phrase("pinned: always sent")
EXCLUDED = phrase("left out: you excluded it")
DELETED = phrase("deleted: not sent and not searched")
SUMMARISED = phrase("a summary stands for it")
IMAGE_GONE = phrase("its image is older than the last step and is named only")
DOCUMENT_ABOVE = phrase("its document is sent further up")


@dataclass(slots=True)
class PathView:
    """A request without its draft, for one place where the tail begins.

    `noted`: the system prompt tells of notes; `due` remembers which messages a summary may stand for.
    """

    shape: RequestShape
    state: BoundaryState
    system: str
    gaps: Sequence[Gap]
    totals: TailTotals
    weight: RequestWeight
    noted: bool = False
    due: tuple[str, ...] | None = None
    _request: tuple[PlannedMessage, ...] | None = field(default=None)
    # held by plans: a strong one, which knows this view until it is looked at, would never end by itself
    _placed: ref[PlacedMessages] | None = field(default=None)
    _newly: tuple[PathView, int] | None = field(default=None)

    @property
    def left_out(self) -> int:
        """How many questions and answers are neither sent nor stood for by a summary, nor excluded by the user."""
        selection = self.shape.selection
        missing = sum(selection.spoken_in(gap.first, gap.end) for gap in self.gaps)
        gone = (i for i in selection.decided.excluded | selection.covered if not self.sends(i))
        return missing - sum(selection.spoken_in(index, index + 1) for index in gone)

    def left_out_since(self, now: PathView) -> int:
        """How many questions and answers that `now` sends are neither sent nor stood for by a summary here."""
        if self._newly is None or self._newly[0] is not now:
            passed = range(now.shape.start, self.shape.start)
            here = self.shape.selection
            kept = {index for index in here.stays if index in passed} - here.out
            known = kept | {index for index in here.covered | now.shape.selection.out if index in passed}
            spoken = here.spoken_in(passed.start, passed.stop) if passed else 0
            self._newly = now, spoken - sum(here.spoken_in(index, index + 1) for index in known)
        return self._newly[1]

    @property
    def spoken(self) -> int:
        """How many questions and answers it sends."""
        return self.totals.sent(self.shape.start)

    def sends(self, index: int) -> bool:
        """Whether the message at this place of the path is in the request."""
        return self.shape.selection.is_sent(index, self.shape.start)

    def request(self, counted: Sequence[Counted]) -> tuple[PlannedMessage, ...]:
        """The messages of the request."""
        if self._request is None:
            self._request = opened_by_user(merge(self._pieces(counted)))
        return self._request

    def _pieces(self, counted: Sequence[Counted]) -> Iterator[PlannedMessage]:
        forms = self.shape.forms
        gaps = iter(self.gaps)
        gap = next(gaps, None)
        for index in self.shape.selection.sent(self.shape.start):
            while gap is not None and gap.first < index:
                if gap.block is not None:
                    yield note("assistant", gap.block)
                gap = next(gaps, None)
            item = forms.get(index)
            yield (counted[index] if item is None else item).planned
        while gap is not None:
            if gap.block is not None:
                yield note("assistant", gap.block)
            gap = next(gaps, None)

    def placed(
        self,
        counted: Sequence[Counted],
        plain: Callable[[], Sequence[PlacedMessage]],
        left: Callable[[], Sequence[PlacedMessage]],
    ) -> PlacedMessages:
        """What became of every message of the path; `plain` and `left` if everything went whole, or nothing."""
        placed = self._placed() if self._placed is not None else None
        if placed is None:
            placed = PlacedMessages(len(counted), lambda: self._placing(counted, plain(), left()))
            self._placed = ref(placed)
        return placed

    def _placing(
        self, counted: Sequence[Counted], plain: Sequence[PlacedMessage], left: Sequence[PlacedMessage]
    ) -> Sequence[PlacedMessage]:
        selection, start = self.shape.selection, self.shape.start
        decided = selection.decided
        placed = list(plain)
        for gap in self.gaps:
            placed[gap.first : gap.end] = left[gap.first : gap.end]
        for index in (*range(decided.base), *decided.excluded, *selection.covered):
            if not selection.is_sent(index, start):
                state: PlacedState = "left_out"
                reason = BEFORE_START
                if index in decided.excluded:
                    state, reason = "excluded", EXCLUDED
                elif index in selection.covered:
                    state, reason = "summarised", SUMMARISED
                placed[index] = replace(left[index], state=state, reason=reason)
        for index, form in self.shape.forms.items():
            if selection.is_sent(index, start) and has_note(form, counted[index]):
                reason = IMAGE_GONE if counted[index].has_images and not form.has_images else DOCUMENT_ABOVE
                placed[index] = replace(
                    placed[index], state="annotated", tokens=self.totals.of_message(index), reason=reason
                )
            elif selection.is_sent(index, start):
                placed[index] = replace(placed[index], tokens=self.totals.of_message(index))
        for index in selection.stays if start else sorted(decided.pinned):
            if index in decided.pinned:
                placed[index] = replace(placed[index], state="pinned", reason=PINNED)
            elif index < start:
                placed[index] = replace(placed[index], reason=KEPT)
        for index in decided.deleted:
            placed[index] = replace(left[index], state="excluded", reason=DELETED, whole=0, deleted=True)
        return placed


def changed_forms(forms: Mapping[int, Counted], counted: Sequence[Counted]) -> bool:
    """Whether any message goes in a form with a note of the app in it."""
    return any(has_note(form, counted[index]) for index, form in forms.items())


def has_note(form: Counted, whole: Counted) -> bool:
    """Whether a note of the app stands for an image or document: an answer whose thinking stays away has none."""
    return form is not whole and (whole.has_images or any(whole.documents))
