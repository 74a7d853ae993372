"""The contents that a project adds to the requests of its threads, with its always included documents.

Documents are counted once, and as many as may stand first in every request. They are no messages: no step leaves them
out, and they are the same bytes for as long as the project has them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from desktop_app.core.attachment_facts import scanned_pdf
from desktop_app.core.context.plan import PlacedDocument
from desktop_app.core.context.plan_text import thousands
from desktop_app.core.context.sent_content import PlannedMessage, Sight, clean_part
from desktop_app.core.context.text_features import CLASSES, ZERO, Features, features_of_document, tokens_in_pieces
from desktop_app.core.context.token_counting import BY_CLASSES, TextCounter, block_text, image_tokens
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.messages import DocumentPart
from desktop_app.core.model_catalog import TokenizerFamily
from desktop_app.core.phrases import phrase
from desktop_app.core.projects import ProjectDocument


@dataclass(frozen=True, slots=True)
class ProjectContext:
    """`instructions` join the system prompt; `documents` are the always included ones, in order, sent whole.

    `searchable`: how many documents the tools can find. `searches_threads`: the model may look into other threads.
    `listed`: every document of the project, for gauge and inspector. One value for as long as nothing of it changes:
    what is made ready of it is kept by identity.
    """

    id: str
    name: str
    instructions: str = ""
    documents: tuple[DocumentPart, ...] = ()
    searchable: int = 0
    searches_threads: bool = True
    listed: tuple[ProjectDocument, ...] = ()


ALWAYS_SHARE: Final = (3, 10)
"""All always included documents together have at most this share of the soft limit (PRODUCT.md DOC-2)."""

PROJECTS_KEPT: Final = 4
"""Projects whose counts are kept: threads are switched between them."""

ALWAYS: Final = phrase("always included: first in every request")
SEARCHED: Final = phrase("searched when needed")
_DIGITS: Final = 15
"""Of a count that is believed: in an archive of anybody's it may be any text."""
NOT_READ: Final = phrase("not read yet")
EMPTY: Final = phrase("it has no text")


def always_room(soft: int) -> int:
    """Tokens that all always included documents have together, under a soft limit."""
    return soft * ALWAYS_SHARE[0] // ALWAYS_SHARE[1]


def no_room(soft: int) -> str:
    """Return why a document does not stand first in every request although that was chosen."""
    room = thousands(always_room(soft))
    return phrase("searched instead: always included documents share {room} tokens", room=room)


def fitting(documents: Sequence[ProjectDocument], soft: int, family: TokenizerFamily) -> list[ProjectDocument]:
    """Those searched now that have room among the always included ones, the smallest first: so most of them fit."""
    seed = TokenEstimator.seeded(family)
    usable = {one: document_tokens(one, seed) for one in documents if one.state in ("ready", "missing") and one.tokens}
    left, files = always_room(soft), set()
    for one in sorted((one for one in usable if one.mode == "always"), key=order_in_requests):
        if usable[one] <= left and one.sha256 not in files:
            left -= usable[one]
            files.add(one.sha256)
    found = []
    for one in sorted((one for one in usable if one.mode != "always"), key=lambda one: (usable[one], one.name)):
        if usable[one] > left:
            break
        if one.sha256 not in files:
            left -= usable[one]
            files.add(one.sha256)
            found.append(one)
    return found


def order_in_requests(document: ProjectDocument) -> tuple[str, str, str, str]:
    """Sorts always included documents: what is added later comes behind, and what stands before it stays cached.

    By nothing that differs between the user's machines, as whole paths do.
    """
    return document.added, document.path if document.folder_id else "", document.name, document.id


@dataclass(frozen=True, slots=True)
class CountedDocument:
    """A document as it is sent (`part`; None: nothing is left of it). `whole` is the project's own, `pages` tokens."""

    whole: DocumentPart
    part: DocumentPart | None
    counted: Features
    pages: int
    digest: str

    @classmethod
    def of(
        cls, whole: DocumentPart, sight: Sight, counter: TextCounter = BY_CLASSES, *, exact: bool = False
    ) -> CountedDocument:
        """Counted by classes unless what is kept with it is `exact`, too: one figure wherever it is shown."""
        seen = whole if sight.pages or scanned_pdf(whole) is None else replace(whole, extra={})
        part = clean_part(seen)
        sent = part if isinstance(part, DocumentPart) else None
        text = "" if sent is None else block_text(sent)
        # a scan's bytes are known by the hash of its file
        digest = hashlib.sha256(f"{whole.sha256}\n{text}".encode(errors="replace")).hexdigest()
        count = counter.text if exact else features_of_document
        counted = ZERO if sent is None else count(block_text(counter.masked(sent)))
        return cls(whole, sent, counted, 0 if sent is None else image_tokens(sent, "unknown"), digest)

    def tokens(self, estimator: TokenEstimator) -> float:
        """Return its weight by an estimator."""
        return estimator.tokens(self.counted) + self.pages


def counted_text(document: DocumentPart, vocabulary: Callable[[str], int] | None = None) -> str:
    """The features of a document as it goes whole, to be kept with it, and what the `vocabulary` counts."""
    text = block_text(document)
    exact = () if vocabulary is None else (tokens_in_pieces(text, vocabulary),)
    return " ".join(map(str, (*features_of_document(text)[:CLASSES], *exact)))


def is_exact(document: ProjectDocument) -> bool:
    """True where a vocabulary, too, has counted the document when it was read."""
    return document.counted.count(" ") == CLASSES


def document_tokens(document: ProjectDocument, estimator: TokenEstimator, *, by_vocabulary: bool = False) -> int:
    """The weight of a document that goes whole: one figure, in whichever way it gets to the model."""
    counts = document.counted.split()
    if len(counts) not in (CLASSES, CLASSES + 1) or not all(one.isdecimal() and len(one) < _DIGITS for one in counts):
        return document.tokens
    if by_vocabulary and is_exact(document):
        return round(estimator.tokens((*ZERO[:CLASSES], int(counts[-1]))))
    return round(estimator.tokens((*map(int, counts[:CLASSES]), 0)))


class DocumentCounts:
    """The counts of the last projects: a megabyte of text takes 35 ms to count.

    A document is known by being the same value; its memory is an economy, results do not depend on it.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[object, ...], tuple[tuple[DocumentPart, ...], tuple[CountedDocument, ...]]] = {}

    def knows(self, project: ProjectContext) -> bool:
        """Return True if nothing of this project has to be counted any more."""
        return not project.documents or any(
            key[0] == project.id and kept[0] is project.documents for key, kept in list(self._kept.items())
        )

    def of(
        self, project: ProjectContext, sight: Sight, counter: TextCounter = BY_CLASSES
    ) -> tuple[CountedDocument, ...]:
        """The always included documents of a project, counted. May be called from any thread."""
        listed = () if counter.vocabulary is None else project.listed
        exact = frozenset(one.sha256 for one in listed if is_exact(one))
        key = (project.id, sight, counter.scan, counter.secrets, exact)
        kept = self._kept.pop(key, ((), ()))
        if kept[0] is not project.documents:
            known = {item.whole.name: item for item in kept[1]}
            made = []
            for whole in project.documents:
                earlier = known.get(whole.name)
                made.append(
                    earlier
                    if earlier and earlier.whole == whole
                    else CountedDocument.of(whole, sight, counter, exact=whole.sha256 in exact)
                )
            kept = project.documents, tuple(made)
        self._kept[key] = kept
        for oldest in list(self._kept)[:-PROJECTS_KEPT]:
            self._kept.pop(oldest, None)
        return kept[1]


@dataclass(frozen=True, slots=True)
class AlwaysIncluded:
    """The documents first in every request, in order; `reasons` (by place) why others are not; `room` in tokens."""

    counted: tuple[CountedDocument, ...] = ()
    reasons: Mapping[int, str] = field(default_factory=dict)
    room: int = 0
    project: ProjectContext | None = None
    by_vocabulary: bool = False

    @classmethod
    def of(
        cls,
        project: ProjectContext | None,
        soft: int,
        family: TokenizerFamily,
        sight: Sight,
        counts: DocumentCounts,
        *,
        counter: TextCounter = BY_CLASSES,
    ) -> AlwaysIncluded:
        """Those that fit into their share of the soft limit, each in its turn; one that does not leaves its room.

        Weighed by the seed of the tokenizer's family, which never learns: a document that went with one request and not
        with the next would cost the whole cache.
        """
        if project is None:
            return NO_DOCUMENTS
        counted, seed = counts.of(project, sight, counter), TokenEstimator.seeded(family)
        room = always_room(soft)
        reasons: dict[int, str] = {}
        files: dict[str, str] = {}
        left = float(room)
        for place, item in enumerate(counted):
            tokens = item.tokens(seed)
            if item.part is None:
                reasons[place] = EMPTY
            elif item.whole.sha256 in files:
                reasons[place] = phrase("the same file as {name}", name=files[item.whole.sha256])
            elif tokens > left:
                reasons[place] = no_room(soft)
            else:
                files[item.whole.sha256] = item.whole.name
                left -= tokens
        return cls(counted, reasons, room, project, counter.vocabulary is not None)

    @property
    def sent(self) -> tuple[CountedDocument, ...]:
        """Those that are sent."""
        if not self.reasons:
            return self.counted
        return tuple(item for place, item in enumerate(self.counted) if place not in self.reasons)

    @property
    def searched(self) -> int:
        """The number of documents that have no room, so that the model has to search them."""
        files = self.files
        return sum(
            self.counted[place].part is not None and self.counted[place].whole.sha256 not in files
            for place in self.reasons
        )

    @property
    def message(self) -> PlannedMessage | None:
        """The documents as the beginning of the first message; None where there are none."""
        blocks = tuple(item.part for item in self.sent if item.part is not None)
        return PlannedMessage("user", blocks, (None,) * len(blocks)) if blocks else None

    @property
    def files(self) -> Mapping[str, DocumentPart]:
        """The documents that are sent, by the hash of their file."""
        return {item.whole.sha256: item.whole for item in self.sent}

    @property
    def key_facts(self) -> tuple[object, ...]:
        """The facts that the bytes of the request depend on; empty where nothing is sent."""
        return tuple((item.whole.name, item.digest) for item in self.sent)

    def placed(
        self, tokens: Sequence[int], prices: Sequence[float | None], estimator: TokenEstimator
    ) -> Iterator[PlacedDocument]:
        """Every document of the project: the always included ones first, with what each has in the request."""
        listed = () if self.project is None else self.project.listed
        by_file: dict[str, list[ProjectDocument]] = {}
        for document in listed:
            if document.mode == "always":
                by_file.setdefault(document.sha256, []).append(document)
        shares = iter(zip(tokens, prices, strict=True))
        told = set()
        for place, item in enumerate(self.counted):
            known = by_file.get(item.whole.sha256) or []
            document_id = known.pop(0).id if known else ""
            told.add(document_id)
            if place in self.reasons:
                reason, whole = self.reasons[place], round(item.tokens(estimator))
                yield PlacedDocument(document_id, item.whole.name, "always", "searched", 0, reason, whole=whole)
            else:
                share, price = next(shares)
                yield PlacedDocument(
                    document_id, item.whole.name, "always", "whole", share, ALWAYS, whole=share, cost_usd=price
                )
        for document in listed:
            if document.id not in told:
                ready = document.state in ("ready", "missing")
                reason = SEARCHED if ready else document.error or NOT_READ
                yield PlacedDocument(
                    document.id,
                    document.name,
                    document.mode,
                    "searched" if ready else "left_out",
                    0,
                    reason,
                    whole=document_tokens(document, estimator, by_vocabulary=self.by_vocabulary),
                )


NO_DOCUMENTS: Final = AlwaysIncluded()
