"""A draft as it would be sent: cleaned, weighed, its repeated documents as references.

Weighing costs what changed since the last draft, so that it can follow every keystroke (PRODUCT.md CTX-12).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from desktop_app.core.attachment_facts import is_in_part, whole_document
from desktop_app.core.context.path_tokens import SHARE_DOUBT, PathTokens
from desktop_app.core.context.plan import BigItem
from desktop_app.core.context.prepared_path import FIRST_OF_ALL, AttachmentForms
from desktop_app.core.context.sent_content import clean_part
from desktop_app.core.context.text_features import CONSTANT, ZERO, Features, features, plus
from desktop_app.core.context.token_counting import BY_CLASSES, TextCounter, image_tokens, image_variance, key_of
from desktop_app.core.context.token_estimator import TokenEstimator, first_tokens
from desktop_app.core.messages import DocumentPart, Part, TextPart
from desktop_app.core.model_catalog import TokenizerFamily

Sent = Callable[[int], bool]

_LABEL = "[USER]: \n\n"

MOST_KEPT = 256
"""Counts of attachments that are kept: more than two drafts may have."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A document of the draft that is `note` where any of `places` (path indexes) is sent; `saved` tokens then."""

    block: int
    note: TextPart
    saved: int
    places: tuple[int, ...]

    def holds(self, sent: Sent) -> bool:
        """Return True if the document stands further up."""
        return any(place == FIRST_OF_ALL or sent(place) for place in self.places)


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft, cleaned and weighed with every document whole.

    `doubtful` is what is only estimated of it, `variance` that of documents that a provider has counted before. The
    last `of_turn` blocks go with this turn only, which its prefix key tells by `key`.
    """

    blocks: tuple[Part, ...]
    doubtful: Features
    text_tokens: int
    document_tokens: int
    variance: float = 0.0
    documents: tuple[BigItem, ...] = ()
    references: tuple[Reference, ...] = ()
    of_turn: int = 0
    key: str = ""

    @property
    def in_part(self) -> bool:
        """True if a document goes along in part: the rest can be looked up."""
        return bool(self.documents) and any(map(is_in_part, self.blocks))

    def saved(self, sent: Sent) -> int:
        """Tokens saved by references in a request that sends these path indexes."""
        return sum(reference.saved for reference in self.references if reference.holds(sent))

    def tokens(self, sent: Sent) -> int:
        return self.text_tokens + self.document_tokens - self.saved(sent)

    def sent_documents(self, sent: Sent) -> tuple[BigItem, ...]:
        """The documents with their tokens in that request."""
        saved = {reference.block: reference.saved for reference in self.references if reference.holds(sent)}
        places = (number for number, block in enumerate(self.blocks) if isinstance(block, DocumentPart))
        return tuple(
            replace(item, tokens=item.tokens - saved.get(number, 0))
            for number, item in zip(places, self.documents, strict=True)
        )

    def sent_blocks(self, sent: Sent) -> tuple[Part, ...]:
        notes = {reference.block: reference.note for reference in self.references if reference.holds(sent)}
        if not notes:
            return self.blocks
        return tuple(notes.get(number, part) for number, part in enumerate(self.blocks))


class DraftScale:
    """Weighs the drafts of one prepared path. `before`: that of an earlier path, whose attachments are counted."""

    def __init__(
        self,
        estimator: TokenEstimator,
        family: TokenizerFamily,
        forms: AttachmentForms,
        *,
        ledger: PathTokens,
        labels: bool,
        before: DraftScale | None = None,
        counter: TextCounter = BY_CLASSES,
    ) -> None:
        self._ledger = ledger
        self._measured: dict[int, tuple[Part, int | None]] = {}
        self._estimator, self._family, self._forms, self._labels = estimator, family, forms, labels
        self._counter, self._count_draft = counter, counter.draft()
        before = before if before is not None and before._counter == counter else None
        # by identity, with the part so that it stays the same: to compare two books costs more than a keystroke may
        self._attached: dict[int, tuple[Part, Features]] = {} if before is None else before._attached
        # what is sent of an attachment where that is not the attachment itself: made once, so that it is counted once
        self._made: dict[int, tuple[Part, Part | None]] = {} if before is None else before._made

    def tokens_of(self, part: Part) -> int:
        """Tokens of one attachment by itself, 0 if nothing of it is sent. May be called from any thread."""
        if (cleaned := self._cleaned(part)) is None:
            return 0
        if (measured := self._measured_tokens(cleaned)) is not None:
            return measured
        return round(self._estimator.tokens(self._count_attachment(cleaned))) + image_tokens(part, self._family)

    def first_tokens(self, part: DocumentPart, most: int, weighs: int | None = None) -> DocumentPart:
        """The document of which the first `most` tokens are sent. May be called from any thread."""
        whole = whole_document(part)
        if not (weighs := weighs or self._measured_tokens(whole)) and self._counter.vocabulary is not None:
            weighs = self.tokens_of(whole)
        return first_tokens(part, most, self._estimator, weighs)

    def weigh(self, parts: Sequence[Part], of_turn: Sequence[DocumentPart] = ()) -> Draft:
        """The draft made of these parts; empty ones are dropped. `of_turn`: what goes along with this turn only."""
        blocks = tuple(part for part in map(self._cleaned, (*parts, *of_turn)) if part is not None)
        if not blocks:
            return Draft((), ZERO, 0, 0)
        doubtful, texts = CONSTANT, 0
        document_tokens, images, variance, known = 0, 0, 0.0, 0
        sizes: dict[int, int] = {}
        for number, block in enumerate(blocks):
            if (measured := self._measured_tokens(block)) is not None:
                sizes[number], known = measured, known + measured
                document_tokens += measured
                variance += (SHARE_DOUBT * measured) ** 2
                continue
            own = self._count_block(block, first_text=texts == 0)
            texts += isinstance(block, TextPart)
            doubtful = plus(doubtful, own)
            images += image_tokens(block, self._family)
            if isinstance(block, DocumentPart):
                sizes[number] = round(self._estimator.tokens(own)) + image_tokens(block, self._family)
                document_tokens += sizes[number]
        whole = max(1, round(self._estimator.tokens(doubtful)) + images) + known
        variance += image_variance(images, self._family)
        return Draft(
            blocks,
            doubtful,
            max(0, whole - document_tokens),
            document_tokens,
            variance,
            tuple(BigItem(block.name, sizes[n]) for n, block in enumerate(blocks) if isinstance(block, DocumentPart)),
            self._references(blocks, sizes) if sizes else (),
            len(of_turn),
            key_of(of_turn),
        )

    def _measured_tokens(self, part: Part) -> int | None:
        """Return the tokens that a provider counted for this document where the thread has it already, else None."""
        if not isinstance(part, DocumentPart):
            return None
        if (kept := self._measured.get(id(part))) is None or kept[0] is not part:
            if len(self._measured) >= MOST_KEPT:
                self._measured.clear()
            kept = self._measured[id(part)] = (
                part,
                self._ledger.counted_document(part, reversed(self._forms.places_of(part))),
            )
        return kept[1]

    def _references(self, blocks: Sequence[Part], sizes: dict[int, int]) -> tuple[Reference, ...]:
        found = []
        for number, places in self._forms.draft_references(blocks):
            if isinstance(part := blocks[number], DocumentPart):
                note = self._forms.reference_to(part)
                tokens = round(self._estimator.tokens(self._count_block(note, first_text=False)))
                found.append(Reference(number, note, max(0, sizes[number] - tokens), places))
        return tuple(found)

    def _count_block(self, block: Part, *, first_text: bool) -> Features:
        if not isinstance(block, TextPart):
            return self._count_attachment(block)
        own = self._count_draft(block.text) if first_text else self._counter.part(block)
        return plus(own, features(_LABEL)) if self._labels else own

    def _cleaned(self, part: Part) -> Part | None:
        # what is counted is clean: to look through a book once more costs more than a keystroke may
        if id(part) in self._attached:
            return part
        if (kept := self._made.get(id(part))) is None or kept[0] is not part:
            if (cleaned := clean_part(part)) is part or isinstance(part, TextPart):
                return cleaned
            if len(self._made) >= MOST_KEPT:
                self._made.clear()
            kept = self._made[id(part)] = part, cleaned
        return kept[1]

    def _count_attachment(self, part: Part) -> Features:
        """A megabyte of text takes 35 ms to count, and stays as it is while the user types beside it."""
        if (kept := self._attached.get(id(part))) is not None:
            return kept[1]
        if len(self._attached) >= MOST_KEPT:
            self._attached.clear()
        counted = self._counter.part(part)
        self._attached[id(part)] = (part, counted)
        return counted
