"""The tools that look into a project's documents: what they are told to be, what they answer, and that in a few words.

Two budgets bound what passages may cost: one for a call, one for a turn. No passage is sent twice in one request.

The hits with what stands beside them, in each document's order. What the request holds already is named, not repeated.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from desktop_app.core.attachment_facts import is_in_part
from desktop_app.core.citations import PassagePlace
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.project_context import document_tokens
from desktop_app.core.context.sent_content import DOCUMENTS_TOOL, HISTORY_TOOL, RECALL_TOOL, opens_turn
from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_estimator import TokenEstimator, left_out_mark, place_for
from desktop_app.core.messages import DocumentPart, Json, JsonObject, Message, ToolCallPart, ToolResultPart, ToolSpec
from desktop_app.core.projects import ID_DIGITS, PassageHit, ProjectDocument, passage_id

CALL_TOKENS: Final = 2_000
"""Tokens that one result may have."""

TURN_TOKENS: Final = 20_000
"""Tokens that all results of a turn may have together: an answer that needs more is better asked for in parts."""

SEARCH: Final = DOCUMENTS_TOOL
READ: Final = "read_document"
LIST: Final = "list_documents"
DOCUMENT_TOOLS: Final = (SEARCH, READ, LIST)


def _schema(required: Sequence[str], **properties: JsonObject) -> JsonObject:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _text(description: str) -> JsonObject:
    return {"type": "string", "description": description}


def _number(description: str) -> JsonObject:
    return {"type": "integer", "description": description}


SEARCH_DOCUMENTS: Final = ToolSpec(
    SEARCH,
    "Searches the documents of this project. Returns the best passages with their headings and pages. Every passage "
    "has an id; write it in square brackets right behind each statement that rests on the passage, such as "
    "[3f2a1b9c04-12]. Search before you answer about the documents, and again with other words where the answer is "
    "not among the passages.",
    _schema(
        ["query"],
        query=_text(
            "What to look for: a question, or words, names, numbers that the passage is likely to hold, in the "
            "language of the documents."
        ),
        document=_text("Only in the document with this name or id."),
        folder=_text("Only in documents whose path begins with this folder, such as `contracts/2024`."),
        since=_text("Only in documents that were changed at this date or later: YYYY, YYYY-MM or YYYY-MM-DD."),
        until=_text("Only in documents that were changed before this date, written in the same way."),
    ),
)
READ_DOCUMENT: Final = ToolSpec(
    READ,
    "Reads the passages of a document in their order: those around a passage that was found, or from one number to "
    "another.",
    _schema(
        ["id"],
        id=_text("A passage's id, such as 3f2a1b9c04-12, or a document's name or id."),
        **{
            "from": _number("The first passage's number, the last part of its id. Without it: around the passage."),
            "to": _number("The last passage's number."),
        },
        pages={"type": "boolean", "description": "`from` and `to` are numbers of pages instead."},
    ),
)
LIST_DOCUMENTS: Final = ToolSpec(
    LIST,
    "Lists the documents of this project with their ids, folders, lengths and dates.",
    _schema(
        [],
        folder=_text("Only those whose path begins with this folder."),
        **{"from": _number("The number of the first one, to list on where they are many.")},
    ),
)

QUERY_MISSING: Final = "The query is missing: say in `query` what to look for."
ID_MISSING: Final = "The id is missing: say in `id` which passage or document to read."
NO_PROJECT: Final = "This conversation is in no project any more, so that there are no documents to look into."
NOTHING_FOUND: Final = (
    "Nothing was found in the documents. Other words for the same thing may find it; otherwise they do not say it."
)
TURN_IS_FULL: Final = (
    f"The {TURN_TOKENS:,} tokens that passages of documents may have in one turn are used up. Answer with what you "
    "have, and say what is still to be looked up: the user can ask for it in the next turn."
)

_DATE: Final = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2}(?:T[\d:.]{2,12}Z?)?)?)?")


def is_date(text: str) -> bool:
    """Return True if a text is a date, or the beginning of one."""
    return len(text) <= len("2024-01-31T12:00:00.000Z") and _DATE.fullmatch(text) is not None


def turn_results(path: Sequence[Message]) -> Iterator[tuple[ToolCallPart, ToolResultPart]]:
    """The document tools' calls in the turn that a path ends with, newest first, with their results."""
    results: dict[str, ToolResultPart] = {}
    for message in reversed(path):
        for part in reversed(message.parts):
            if isinstance(part, ToolResultPart):
                results[part.call_id] = part
            elif isinstance(part, ToolCallPart) and part.name in DOCUMENT_TOOLS and part.id in results:
                yield part, results[part.id]
        if opens_turn(message):
            return


def spent_tokens(path: Sequence[Message], estimator: TokenEstimator) -> float:
    """Tokens of what the document tools wrote in the turn that a path ends with."""
    return sum(estimator.tokens(features(result.text)) for _, result in turn_results(path))


def passages_in_turn(path: Sequence[Message]) -> frozenset[str]:
    """The ids of the passages that the model has been sent in the turn that a path ends with."""
    return frozenset(one for _, result in turn_results(path) for one in passage_ids(result))


def passage_ids(result: ToolResultPart) -> Iterator[str]:
    """The ids of the passages whose text a result holds."""
    ids: Json = result.extra.get("passage_ids")
    if isinstance(ids, Sequence) and not isinstance(ids, str):
        yield from map(str, ids)


def documents_in_request(plan: ContextPlan) -> frozenset[str]:
    """The beginnings of passage ids of the documents that the request holds whole."""
    return frozenset(
        part.sha256[:ID_DIGITS]
        for message in plan.request.messages
        for part in message.blocks
        if isinstance(part, DocumentPart) and not is_in_part(part)
    )


HITS: Final = 10
"""Hits that one answer may hold; how many it does depends on their length."""

SHARE: Final = 350
"""Tokens of one hit with what stands beside it, unless the hit itself is longer."""

BESIDE: Final = 0.3
"""Share of the score of a neighbour that was found, too, that is added to that of a passage."""

LEAST: Final = 60
"""Tokens below which the beginning of a passage would say too little to be worth a place."""

LISTED: Final = 300
"""Documents that one list names at most."""

NO_FOLDER: Final = "(no folder)"
"""The name in a list for where documents stand that lie in no folder."""

CITE: Final = "Cite each passage that you use by its id in square brackets."
SEEN: Final = "(in view above)"


@dataclass(frozen=True, slots=True)
class WrittenPassage:
    """A passage in a result: characters `start` to `end` of the result's text are its own text."""

    hit: PassageHit
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class DocumentResult:
    """The text that the model reads, and the passages in it, in order: those in full, those only named."""

    text: str = ""
    passages: tuple[WrittenPassage, ...] = ()
    named: tuple[PassageHit, ...] = ()


def result_facts(result: DocumentResult) -> JsonObject:
    """The facts kept of a result beside its text: how many passages, of which documents, and the place of each."""
    hits = [*(one.hit for one in result.passages), *result.named]
    return {
        "passages": len(hits),
        "documents": list(dict.fromkeys(hit.document.name for hit in hits)),
        "passage_ids": [one.hit.id for one in result.passages],
        "named_ids": [hit.id for hit in result.named],
        "places": [
            {
                "document": one.hit.document.name,
                **PassagePlace.of(one.hit.passage).json,
                "start": one.start,
                "end": one.end,
            }
            for one in result.passages
        ],
    }


def ranked(hits: Sequence[PassageHit]) -> list[PassageHit]:
    """The best hits, best first: what stands beside another hit says more; what another one says whole is left out."""
    scores = {hit.id: hit.score for hit in hits}

    def score(hit: PassageHit) -> float:
        near = max((scores.get(one, 0.0) for one in neighbours(hit)), default=0.0)
        return hit.score + BESIDE * near

    chosen: list[PassageHit] = []
    said: list[str] = []
    for hit in sorted({hit.id: hit for hit in hits}.values(), key=score, reverse=True):
        words = " ".join(hit.text.split()).casefold()
        if not any(words in other for other in said):
            chosen.append(hit)
            said.append(words)
        if len(chosen) == HITS:
            break
    return chosen


def neighbours(hit: PassageHit) -> tuple[str, ...]:
    """The ids of the passages behind and before one, as far as there may be any."""
    number = hit.passage.number
    last = hit.document.passages or number + 1
    return tuple(passage_id(hit.document.sha256, one) for one in (number + 1, number - 1) if 0 < one <= last)


def search_result(
    hits: Sequence[PassageHit],
    beside: Mapping[str, PassageHit],
    budget: float,
    estimator: TokenEstimator,
    *,
    seen: Collection[str] = (),
    whole: Collection[str] = (),
) -> DocumentResult:
    """The best of `hits` with neighbours out of `beside`, in `budget` tokens; `seen` and `whole` are there already."""
    writer = _Writer(estimator, budget, seen, whole)
    for hit in hits:
        left = max(SHARE, writer.cost(hit)) - writer.cost(hit)
        if not writer.add(hit, cut=not writer.chosen):
            continue
        for one in neighbours(hit):
            near = beside.get(one)
            # a neighbour that is in view already is no reason to name it
            if near is not None and not writer.in_view(near) and (cost := writer.cost(near)) <= left:
                left -= cost if writer.add(near) else 0
    return writer.written()


def read_result(
    passages: Sequence[PassageHit],
    budget: float,
    estimator: TokenEstimator,
    *,
    seen: Collection[str] = (),
    whole: Collection[str] = (),
) -> DocumentResult:
    """Passages in their order, as far as `budget` tokens allow; the last line says where to read on."""
    writer = _Writer(estimator, budget - 30, seen, whole)
    for number, hit in enumerate(passages):
        if not writer.add(hit, cut=not writer.chosen):
            rest = passages[number:]
            result = writer.written()
            where = f"{hit.passage.number}" if len(rest) == 1 else f"{hit.passage.number}-{rest[-1].passage.number}"
            line = f"[... passages {where} left out: read on with from={hit.passage.number}]"
            return replace(result, text=f"{result.text}\n\n{line}")
    return writer.written()


@dataclass(slots=True)
class _Writer:
    """Chooses passages within a budget and writes them."""

    estimator: TokenEstimator
    budget: float
    seen: Collection[str]
    whole: Collection[str]
    chosen: dict[str, PassageHit] = field(default_factory=dict)
    order: dict[str, None] = field(default_factory=dict)  # documents, as they were first chosen
    texts: dict[str, str] = field(default_factory=dict)
    used: float = 0.0

    def __post_init__(self) -> None:
        self.used = self.tokens(CITE)

    def tokens(self, text: str) -> float:
        """Tokens of a block with the blank line that parts it from the next."""
        return self.estimator.tokens(features(text + "\n\n"))

    def in_view(self, hit: PassageHit) -> bool:
        return hit.id in self.seen or hit.id in self.chosen or hit.document.sha256[:ID_DIGITS] in self.whole

    def cost(self, hit: PassageHit) -> float:
        """Tokens that a passage takes at most, with its heading."""
        return self.tokens(self.entry(hit, hit.text))

    def entry(self, hit: PassageHit, text: str, before: PassageHit | None = None) -> str:
        """A passage as it is written; `before`: the one that stands right before it."""
        follows = before is not None and before.passage.number + 1 == hit.passage.number
        # what continues says its heading, page and table header only where they change
        same = follows and before is not None and _place(before) == _place(hit)
        head = f"[{hit.id}]" if same else f"[{hit.id}] {_place(hit)}".rstrip()
        table = hit.passage.table_head
        told = table in text or (follows and before is not None and before.passage.table_head == table)
        if table and not told:
            text = f"{table}\n{text}"
        return f"{head}\n{text}"

    def add(self, hit: PassageHit, *, cut: bool = False) -> bool:
        """Takes a passage in if there is room; `cut`: its beginning, where it is longer than the room."""
        if hit.id in self.chosen:
            return True
        named = self.in_view(hit)
        text = "" if named else hit.text.strip()
        heading = 0.0 if hit.document.id in self.order else self.tokens(_title(hit.document))
        cost = heading + self.tokens(f"[{hit.id}] {SEEN}" if named else self.entry(hit, text))
        if self.used + cost > self.budget:
            room = int(self.budget - self.used - heading - self.tokens(self.entry(hit, "")))
            if named or not cut or room < LEAST:
                return False
            at, left_out = place_for(text, room, self.estimator)
            if left_out:
                text = f"{text[:at].rstrip()}\n\n{left_out_mark(left_out)}"
            cost = heading + self.tokens(self.entry(hit, text))
        self.used += cost
        self.chosen[hit.id] = hit
        self.texts[hit.id] = text
        self.order[hit.document.id] = None
        return True

    def written(self) -> DocumentResult:
        """All that was chosen, the best document first."""
        pieces: list[str] = []
        length = 0
        full: list[WrittenPassage] = []
        named: list[PassageHit] = []

        def write(block: str) -> None:
            nonlocal length
            length += len(block) + (2 if pieces else 0)
            pieces.append(block)

        if any(self.texts.values()):
            write(CITE)
        for document_id in self.order:
            hits = sorted(
                (hit for hit in self.chosen.values() if hit.document.id == document_id),
                key=lambda hit: (hit.document.sha256, hit.passage.number),
            )
            write(_title(hits[0].document))
            before: PassageHit | None = None
            for hit in hits:
                text = self.texts[hit.id]
                write(self.entry(hit, text, before) if text else f"[{hit.id}] {SEEN}")
                if text:
                    full.append(WrittenPassage(hit, length - len(text), length))
                else:
                    named.append(hit)
                before = hit if text else None
        return DocumentResult("\n\n".join(pieces), tuple(full), tuple(named))


def _title(document: ProjectDocument) -> str:
    return f"# {document_path(document)}"


def _place(hit: PassageHit) -> str:
    """The way to a passage as the model reads it: `Pricing > Tiers, page 4`."""
    return str(PassagePlace.of(hit.passage).words)


def document_path(document: ProjectDocument) -> str:
    """Return a document's path in its followed folder, by which a folder is named; its name where it lies in none."""
    return document.path if document.folder_id is not None and document.path else document.name


def list_result(
    documents: Sequence[ProjectDocument],
    budget: float,
    estimator: TokenEstimator,
    first: int = 1,
    *,
    by_vocabulary: bool = False,
) -> str:
    """A line for each document, or for folders with their counts; of one folder ids and names from `number` on."""
    lines = _fitting((_listed(one, estimator, by_vocabulary) for one in documents[:LISTED]), budget, estimator)
    if len(lines) == len(documents) and first == 1:
        return "\n".join([f"{len(lines)} document{'' if len(lines) == 1 else 's'}:", *lines])
    folders = _folders(documents, budget, estimator) if first == 1 else ()
    if len(folders) > 1:
        return "\n".join([f"{len(documents):,} documents in these folders; name one in `folder`:", *folders])
    lines = _fitting((_listed(one) for one in documents[first - 1 :][:LISTED]), budget, estimator)
    if (last := first - 1 + len(lines)) < len(documents):
        lines.append(f"[... {len(documents) - last:,} more: list on with from={last + 1}]")
    return "\n".join([f"Documents {first:,} to {last:,} of {len(documents):,}:", *lines])


def _fitting(every: Iterable[str], budget: float, estimator: TokenEstimator) -> list[str]:
    """The first of the lines that fit, one at least."""
    lines: list[str] = []
    used = 60.0  # the first and the last line
    for line in every:
        used += estimator.tokens(features(line + "\n"))
        if used > budget and lines:
            break
        lines.append(line)
    return lines


def _listed(document: ProjectDocument, estimator: TokenEstimator | None = None, by_vocabulary: bool = False) -> str:
    """A document's line; without an estimator only what it can be asked for by."""
    facts = [
        f"{document.pages} page{'' if document.pages == 1 else 's'}" if document.pages and estimator else "",
        f"{document.passages} passage{'' if document.passages == 1 else 's'}"
        if document.passages and estimator
        else "",
        f"{document_tokens(document, estimator, by_vocabulary=by_vocabulary):,} tokens" if estimator else "",
        document.modified[:10] if estimator else "",
        {"failed": "could not be read", "waiting": "not read yet", "missing": "file is gone, text kept"}.get(
            document.state, ""
        ),
    ]
    known = f"[{document.sha256[:ID_DIGITS]}] " if document.sha256 else ""
    return f"{known}{document_path(document)}: {', '.join(filter(None, facts))}".removesuffix(": ")


def _folders(documents: Iterable[ProjectDocument], budget: float, estimator: TokenEstimator) -> list[str]:
    """The folders at the deepest level at which all of them fit, with their documents."""
    paths = [document_path(document).split("/")[:-1] for document in documents]
    best: list[str] = []
    for depth in range(1, 5):
        counts: dict[str, int] = {}
        for path in paths:
            name = "/".join(path[:depth]) or NO_FOLDER
            counts[name] = counts.get(name, 0) + 1
        lines = [f"{name}: {count:,} document{'' if count == 1 else 's'}" for name, count in sorted(counts.items())]
        if len(lines) > LISTED or estimator.tokens(features("\n".join(lines))) > budget - 60:
            break
        best = lines
    return best


def summary_of(call: ToolCallPart, result: ToolResultPart) -> str:
    """`looked up 3 earlier messages`, `searched documents "pricing": 5 passages from spec.pdf`; no line is broken."""
    name = str(call.extra.get("tool", call.name))
    if result.is_error:
        return " ".join(f"{name} failed: {result.text}".split())
    found, listed = result.extra.get("passages"), result.extra.get("listed")
    words = name
    if call.name == LIST and isinstance(listed, int):
        words = f"listed {_counted(listed, 'document')}"
    elif isinstance(found, int):
        match call.name:
            case name if name == RECALL_TOOL:
                words = f"looked up {_counted(found, 'earlier message')}"
                words = words if found else "found nothing in the earlier messages"
            case name if name == HISTORY_TOOL:
                threads = _names(result.extra.get("threads"))
                words = f"looked up {_counted(len(threads), 'thread')}: {', '.join(threads)}"
                words = words if found else "found nothing in the other threads"
            case name if name in (SEARCH, READ):
                asked = call.input.get("query") or call.input.get("id") or ""
                of = _names(result.extra.get("documents"))
                words = f'{"searched documents" if name == SEARCH else "read"} "{asked}": {_counted(found, "passage")}'
                words += f" from {', '.join(of)}" if of else ""
    return " ".join(words.split())


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _names(value: Json) -> Sequence[str]:
    return list(map(str, value)) if isinstance(value, Sequence) and not isinstance(value, str) else ()
