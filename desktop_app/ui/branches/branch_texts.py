"""The texts of the rows of the tree of branches: first words, model, time, tokens. Uses no widget."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime

from desktop_app.core.branch_tree import BranchRow, Group
from desktop_app.core.conversation import Conversation
from desktop_app.core.messages import Message, TextPart
from desktop_app.ui.i18n.amounts import thousands
from desktop_app.ui.i18n.content_words import excerpt
from desktop_app.ui.i18n.dates import ago, moment
from desktop_app.ui.i18n.language import grouped, tr
from desktop_app.ui.transcript.message.action_bar import branch_words
from desktop_app.ui.transcript.message.merged_answers import joined


class BranchTexts:
    """The words of a conversation's rows, read when they are asked for. `tokens`: by message id, as far as known."""

    def __init__(self, conversation: Conversation, now: datetime, name_of: Callable[[str, str], str]) -> None:
        """`now` has a zone; `name_of`: what a backend calls a model, by the ids of both."""
        self._conversation = conversation
        self._now = now
        self._name_of = name_of
        self._messages: dict[str, Message] = {}
        self._models: dict[tuple[str, str], str] = {}
        self._titles: dict[str, str] = {}
        self.tokens: Mapping[str, int] = {}

    def title(self, row: BranchRow) -> str:
        """The first words of a message, or how many messages a fold stands for."""
        if row.kind != "message":
            return tr("{count} messages").format(count=grouped(row.count))
        group = row.groups[0]
        found = self._titles.get(group[0])
        if found is None:
            found = self._titles[group[0]] = excerpt(_told(self._message(group)))
        return found

    def is_question(self, row: BranchRow) -> bool:
        """Return True if the user said it."""
        return row.kind == "message" and self._message(row.groups[0]).role == "user"

    def model(self, row: BranchRow) -> str:
        """The name of the model that answered; "" for anything else."""
        message = self._message(row.groups[0]) if row.kind == "message" else None
        if message is None or not message.model:
            return ""
        key = message.backend or "", message.model
        if key not in self._models:
            self._models[key] = self._name_of(*key)
        return self._models[key]

    def version(self, row: BranchRow) -> str:
        """`2 / 3`, as the arrows beneath the message have it."""
        return f"{row.version} / {row.versions}" if row.version else ""

    def time(self, row: BranchRow) -> str:
        """Return how long ago it was said, in words."""
        return ago(self._message(row.groups[0]).created, self._now) if row.kind == "message" else ""

    def weight(self, row: BranchRow) -> str:
        """Its tokens; "" while they are not known."""
        ids = [message_id for group in row.groups for message_id in group]
        known = [self.tokens[one] for one in ids if one in self.tokens]
        return thousands(sum(known)) if known else ""

    def sentence(self, row: BranchRow) -> str:
        """All of a row, for screen readers and the pointer."""
        parts = [self.title(row)]
        if row.kind == "message":
            question = self.is_question(row)
            who = tr("Question") if question else tr("Answer")
            if row.version:
                who = branch_words(row.version, row.versions, question=question)
            parts = [who, parts[0], self.model(row), moment(self._message(row.groups[0]).created)]
        else:
            parts.append(tr("collapsed") if row.kind == "folded" else tr("expanded"))
        tokens = self.weight(row)
        parts += [
            tr("{tokens} tokens").format(tokens=tokens) if tokens else "",
            tr("open branch") if row.on_path else "",
            tr("level {level}").format(level=grouped(row.depth + 1)) if row.depth else "",
        ]
        return ", ".join(words for words in parts if words)

    def _message(self, group: Group) -> Message:
        found = self._messages.get(group[0])
        if found is None:
            found = self._messages[group[0]] = joined([self._conversation[one] for one in group])
        return found


def _told(message: Message) -> Message:
    """An answer without what its tools did, where it says anything."""
    texts = tuple(part for part in message.parts if isinstance(part, TextPart))
    return replace(message, parts=texts) if message.role == "assistant" and texts else message
