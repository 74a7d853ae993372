"""Owns one thread that is kept in memory only, with all that a history file keeps of others. Knows no file.

Nothing here is ever written: what is not in memory any more is gone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from math import log

from desktop_app.core.context.content import opens_turn
from desktop_app.core.context.plan import ContextEvent
from desktop_app.core.errors import UserError
from desktop_app.core.history import RecallHit, StoredEvent, TurnRecord
from desktop_app.core.marks import Mark
from desktop_app.core.messages import JsonObject, Message, Part, Thread, ThreadSummary
from desktop_app.core.passage_ranking import ranked_passages
from desktop_app.core.phrases import phrase
from desktop_app.core.question_terms import Term, question_terms
from desktop_app.core.search_terms import terms_at
from desktop_app.core.searchable import recallable_text


class PrivateThread:
    """A thread, its messages in the order of writing, its requests and events, and the turn that is running in it."""

    def __init__(
        self, thread: Thread, messages: Iterable[Message] = (), marks: Mapping[str, Mark] | None = None
    ) -> None:
        self.thread = thread
        self.deleted = False
        self.attachments: tuple[Part, ...] = ()
        self.events: list[StoredEvent] = []
        self.marks = dict(marks or {})
        self._messages = {message.id: message for message in messages}
        self._requests: dict[str, JsonObject] = {}
        self._turns: dict[str, TurnRecord] = {}
        self._spent: list[tuple[str, float]] = []

    @property
    def messages(self) -> tuple[Message, ...]:
        return tuple(self._messages.values())

    @property
    def summary(self) -> ThreadSummary:
        tip = self._messages.get(self.thread.tip or "")
        new = tip is not None and tip.role == "assistant" and self.thread.tip != self.thread.seen
        failed = tip is not None and tip.failure is not None and tip.failure.code != "interrupted"
        ended = tip is not None and (failed or tip.state != "partial")
        return ThreadSummary(self.thread, len(self._messages), new and ended, new and failed)

    def message(self, message_id: str) -> Message | None:
        return self._messages.get(message_id)

    def request(self, answer_id: str) -> JsonObject | None:
        return self._requests.get(answer_id)

    def update(self, thread: Thread) -> None:
        """Takes all facts but tip, draft, times and what was seen."""
        kept = self.thread
        self.thread = replace(
            thread,
            tip=kept.tip,
            seen=kept.seen,
            draft=kept.draft,
            draft_count=kept.draft_count,
            created=kept.created,
            updated=kept.updated,
            private=True,
        )

    def mark(self, message_id: str, mark: Mark) -> None:
        """Keeps the mark of a message, an empty one removes it; `UserError("usage")` for an unknown message."""
        if message_id not in self._messages:
            raise UserError("usage", phrase("There is no message {message_id}.", message_id=message_id))
        if mark.empty:
            self.marks.pop(message_id, None)
        else:
            self.marks[message_id] = mark

    def move_tip(self, tip: str | None, expected: str | None) -> None:
        """Compare-and-set of the tip; `UserError("store")` if it is not `expected` any more."""
        if self.thread.tip != expected:
            raise UserError(
                "store", phrase("This thread was changed in the meantime. Look at it again, then try again.")
            )
        self.thread = replace(self.thread, tip=tip)

    def begin(
        self,
        turn: TurnRecord,
        *,
        new_messages: Sequence[Message],
        answer: Message,
        expected_tip: str | None,
        request: JsonObject,
        events: Sequence[ContextEvent],
    ) -> None:
        """What `History.begin_turn` does."""
        if self._turns:
            raise UserError("store", phrase("An answer is still coming in this thread. Stop it or wait for its end."))
        self.move_tip(answer.id, expected_tip)
        for message in (*new_messages, replace(answer, state="partial")):
            self._messages[message.id] = message
        self.thread = replace(self.thread, updated=max(self.thread.updated, turn.started))
        if any(opens_turn(message) and message.parent_id == expected_tip for message in new_messages):
            self.thread, self.attachments = replace(self.thread, draft="", draft_count=None), ()
        self._requests[answer.id] = request
        self._turns[turn.id] = turn
        self.happened(events, at=turn.started, turn=turn, cost_usd=turn.expected_usd)

    def turn(self, turn_id: str | None) -> TurnRecord | None:
        """The turn of that id while it is running."""
        return self._turns.get(turn_id or "")

    def save_request(self, turn: TurnRecord, request: JsonObject) -> None:
        """Takes what a turn sent in another form."""
        self._requests[turn.answer_id] = request

    def save_partial(self, answer: Message) -> None:
        """Takes the parts of the growing answer; `UserError("store")` where it has ended."""
        stored = self._messages.get(answer.id)
        if stored is None or not any(turn.answer_id == answer.id for turn in self._turns.values()):
            raise UserError("store", phrase("This answer has ended already, so it can't grow."), detail=answer.id)
        self._messages[answer.id] = replace(stored, parts=answer.parts)

    def end(self, turn_id: str, answer: Message) -> TurnRecord | None:
        """Takes the answer's last form; the turn that this ended, None where it had ended before."""
        self._messages[answer.id] = answer
        return self._turns.pop(turn_id, None)

    def happened(
        self, events: Iterable[ContextEvent], *, at: str, turn: TurnRecord | None, cost_usd: float | None
    ) -> None:
        """Keeps context events, of a turn or (None) of no request."""
        asked, answer = (turn.user_message_id, turn.answer_id) if turn is not None else (None, None)
        self.events.extend(StoredEvent(event, at, asked, answer, cost_usd) for event in events)

    def paid(self, at: str, usd: float) -> None:
        """Counts what a call that is billed in money has cost."""
        self._spent.append((at, usd))

    def spent(self, since: str) -> float:
        return sum(usd for at, usd in self._spent if at >= since)


def recalled(messages: Sequence[Message], question: str, among: Collection[str], limit: int) -> list[RecallHit]:
    """The messages with the ids `among` that say most of what is asked, best first, as the file's search ranks them.

    Reads every text: a millisecond or so for each page of it.
    """
    terms = question_terms(question)
    texts = {message.id: recallable_text(message) for message in messages if message.id in among}
    held = [{place.run for place in terms_at(text)} for text in texts.values()]
    return ranked_passages(texts, terms, [_weight(term, held) for term in terms])[:limit]


def _weight(term: Term, held: Sequence[set[str]]) -> float:
    """How telling a term is: the fewer texts have it, the more."""
    found = sum(1 for one in held if not one.isdisjoint(term.forms))
    return log(1 + (len(held) - found + 0.5) / (found + 0.5))
