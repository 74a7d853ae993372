"""The forms in which a thread leaves its history: its `ContextChoices` as JSON, and its copy under new ids."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from desktop_app.core.context.context_choices import (
    NO_CHOICES,
    ContextChoices,
    Deletion,
    Leaving,
    SecretChoices,
    Summary,
)
from desktop_app.core.context.sent_content import ARTIFACT
from desktop_app.core.messages import Json, JsonObject, Message, TextPart, Thread, ToolResultPart


def choices_to_json(choices: ContextChoices) -> dict[str, Json]:
    """Return the decisions as JSON, in a stable order; a fact without a decision is left out."""
    value: dict[str, Json] = {
        "pinned": sorted(choices.pinned),
        "excluded": sorted(choices.excluded),
        "deleted": [list(deletion) for deletion in sorted(choices.deleted)],
        "leaving": [list(leaving) for leaving in sorted(choices.leaving)],
        "fresh_from": choices.fresh_from,
        "keeps_start": choices.keeps_start,
        "undone": sorted(choices.undone),
        "summaries": [_summary_to_json(summary) for summary in choices.summaries],
        "return_from": choices.return_from,
        "accepted_cliff": choices.accepted_cliff,
        "recall": choices.recall,
        "secrets_sent": sorted(choices.secrets.sent),
        "secrets_removed": sorted(choices.secrets.removed),
        "allowed_tools": sorted(choices.allowed_tools),
    }
    undecided = {"fresh_from": None, "return_from": None, "accepted_cliff": False, "recall": True, "keeps_start": False}
    return {name: field for name, field in value.items() if field != undecided.get(name, [])}


def choices_from_json(value: Json) -> ContextChoices:
    """The choices of `choices_to_json`; missing keys are undecided, newer ones left. `ValueError` names the key."""
    fields = _object(value, "choices")
    summaries = _items(fields.get("summaries", []), "summaries")
    return ContextChoices(
        pinned=frozenset(_texts(fields.get("pinned", []), "pinned")),
        excluded=frozenset(_texts(fields.get("excluded", []), "excluded")),
        deleted=frozenset(Deletion(*pair) for pair in _pairs(fields, "deleted")),
        leaving=frozenset(Leaving(*pair) for pair in _pairs(fields, "leaving")),
        fresh_from=None if fields.get("fresh_from") is None else _text(fields["fresh_from"], "fresh_from"),
        keeps_start=_flag(fields.get("keeps_start", False), "keeps_start"),
        undone=frozenset(_texts(fields.get("undone", []), "undone")),
        summaries=tuple(_summary_from_json(item, f"summaries[{index}]") for index, item in enumerate(summaries)),
        return_from=None if fields.get("return_from") is None else _text(fields["return_from"], "return_from"),
        accepted_cliff=_flag(fields.get("accepted_cliff", False), "accepted_cliff"),
        recall=_flag(fields.get("recall", True), "recall"),
        secrets=SecretChoices(
            *(frozenset(_texts(fields.get(name, []), name)) for name in ("secrets_sent", "secrets_removed"))
        ),
        allowed_tools=frozenset(_texts(fields.get("allowed_tools", []), "allowed_tools")),
    )


def choices_renamed(choices: ContextChoices, names: Mapping[str, str]) -> ContextChoices:
    """The same choices where messages go by other ids; an id that `names` does not have stays."""
    if choices == NO_CHOICES:
        return choices

    def renamed(ids: Iterable[str]) -> Iterable[str]:
        return (names.get(one, one) for one in ids)

    return replace(
        choices,
        pinned=frozenset(renamed(choices.pinned)),
        excluded=frozenset(renamed(choices.excluded)),
        deleted=frozenset(Deletion(*renamed(deletion)) for deletion in choices.deleted),
        leaving=frozenset(Leaving(names.get(one.message, one.message), one.since) for one in choices.leaving),
        fresh_from=None if choices.fresh_from is None else names.get(choices.fresh_from, choices.fresh_from),
        undone=frozenset(renamed(choices.undone)),
        return_from=None if choices.return_from is None else names.get(choices.return_from, choices.return_from),
        summaries=tuple(replace(one, sources=tuple(renamed(one.sources))) for one in choices.summaries),
    )


def _pairs(fields: JsonObject, name: str) -> Iterator[tuple[str, str]]:
    for index, item in enumerate(_items(fields.get(name, []), name)):
        if len(texts := _texts(item, f"{name}[{index}]")) != 2:
            raise ValueError(f"{name}[{index}]: expected two texts")
        yield texts[0], texts[1]


def _summary_to_json(summary: Summary) -> dict[str, Json]:
    value: dict[str, Json] = {
        "id": summary.id,
        "sources": list(summary.sources),
        "text": summary.text,
        "model": summary.model,
        "created": summary.created,
        "edited": summary.edited,
        "cost_usd": summary.cost_usd,
    }
    return value | {"at_step": True} if summary.at_step else value


def _summary_from_json(value: Json, where: str) -> Summary:
    fields = _object(value, where)
    cost_usd = fields.get("cost_usd")
    if cost_usd is not None and (isinstance(cost_usd, bool) or not isinstance(cost_usd, int | float)):
        raise ValueError(f"{where}.cost_usd: expected a number")
    return Summary(
        id=_text(fields.get("id"), f"{where}.id"),
        sources=tuple(_texts(fields.get("sources"), f"{where}.sources")),
        text=_text(fields.get("text"), f"{where}.text"),
        model=_text(fields.get("model"), f"{where}.model"),
        created=_text(fields.get("created"), f"{where}.created"),
        edited=_flag(fields.get("edited", False), f"{where}.edited"),
        cost_usd=cost_usd,
        at_step=_flag(fields.get("at_step", False), f"{where}.at_step"),
    )


def _object(value: Json, where: str) -> JsonObject:
    if not isinstance(value, Mapping):
        raise ValueError(f"{where}: expected an object")
    return value


def _items(value: Json, where: str) -> Sequence[Json]:
    if not isinstance(value, list):
        raise ValueError(f"{where}: expected an array")
    return value


def _texts(value: Json, where: str) -> list[str]:
    return [_text(item, f"{where}[{index}]") for index, item in enumerate(_items(value, where))]


def _text(value: Json, where: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{where}: expected a string")
    return value


def _flag(value: Json, where: str) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{where}: expected true or false")
    return value


NO_ARTIFACTS: Final[Mapping[str, str]] = MappingProxyType({})


def copied(
    thread: Thread,
    messages: Sequence[Message],
    new_id: Callable[[], str],
    *,
    title: str,
    at: str,
    artifacts: Mapping[str, str] = NO_ARTIFACTS,
) -> tuple[Thread, tuple[Message, ...]]:
    """The thread with all its branches, choices and draft once more, made `at` (ISO 8601 UTC), called `title`.

    The copy is neither pinned nor archived. An answer that is still coming stands in it as far as it came. Messages
    keep their times and what they used: they were paid for once, and the ledger counts calls, not messages.
    `artifacts`: the ids of the copies of its artifacts, by those of the originals.
    """
    thread_id = new_id()
    names = {**artifacts, **{message.id: new_id() for message in messages}}
    copy = replace(
        thread,
        id=thread_id,
        title=title,
        created=at,
        updated=at,
        tip=names.get(thread.tip or ""),
        seen=names.get(thread.seen or ""),
        pinned=False,
        archived=False,
        choices=choices_renamed(thread.choices, names),
    )
    return copy, tuple(_copied(message, thread_id, names) for message in messages)


def without_consent(thread: Thread) -> Thread:
    """The thread without what its user agreed to: a higher price, the search of the web, secrets that leave, tools."""
    choices, parameters = thread.choices, thread.parameters
    if not (choices.accepted_cliff or parameters.web_search or choices.secrets.sent or choices.allowed_tools):
        return thread
    secrets = choices.secrets._replace(sent=frozenset())
    choices = replace(choices, accepted_cliff=False, secrets=secrets, allowed_tools=frozenset())
    return replace(thread, choices=choices, parameters=replace(parameters, web_search=False))


def _copied(message: Message, thread_id: str, names: dict[str, str]) -> Message:
    if (window := message.window) is not None and window.first_kept is not None:
        window = replace(window, first_kept=names.get(window.first_kept, window.first_kept))
    return replace(
        message,
        id=names[message.id],
        thread_id=thread_id,
        parent_id=names.get(message.parent_id or ""),
        window=window,
        parts=tuple(
            replace(part, extra=_led_back(part, names))
            if isinstance(part, (TextPart, ToolResultPart)) and part.extra
            else part
            for part in message.parts
        ),
    )


def _led_back(part: TextPart | ToolResultPart, names: dict[str, str]) -> dict[str, Json]:
    """The part's facts, with those looked up in the thread itself, and its artifacts, to be found in the copy."""
    extra = dict(part.extra)
    found, artifact = extra.get("messages"), extra.get(ARTIFACT)
    if isinstance(found, (list, tuple)):
        extra["messages"] = [names.get(one, one) if isinstance(one, str) else one for one in found]
    if isinstance(artifact, Mapping):
        kept = artifact.get("id")
        extra[ARTIFACT] = {**artifact, "id": names.get(kept, kept) if isinstance(kept, str) else kept}
    return extra
