"""Forms of documents and images: whole at their first place, as a note elsewhere and later.

A document is whole where it is sent first; an image is whole until the next step (PRODUCT.md CTX-2).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from desktop_app.core.context.app_notes import document_note, image_note
from desktop_app.core.context.message_selection import MessageSelection
from desktop_app.core.context.sent_content import Content
from desktop_app.core.context.text_features import ZERO
from desktop_app.core.context.token_counting import Counted, count_message
from desktop_app.core.messages import DocumentPart, ImagePart, Part, TextPart
from desktop_app.core.model_catalog import TokenizerFamily

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
    ) -> None:
        """`always`: documents that stand first in every request, by the hash of their file."""
        self._counted, self._labels, self._family, self._always = counted, labels, family, always
        self._images: list[int] = []
        attached: dict[str, list[tuple[int, int]]] = {}
        for index, item in enumerate(counted):
            if item.has_images:
                self._images.append(index)
            if item.documents is not ZERO and any(item.documents):
                for block, part in enumerate(item.content.blocks):
                    if isinstance(part, DocumentPart):
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
        """Return what references to documents of the tail save at a step, for every place where it may begin.

        `forms` are those at a step with references only to what is always sent.
        """
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
        part = blocks[block]
        if isinstance(part, DocumentPart):
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
        return count_message(item.message, content, self._labels, self._family, running=item.running)


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
