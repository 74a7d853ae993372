"""Syncing a history between the user's machines: what is told of it, and the pure rules by which two states merge.

A fact is a register: a value with the time at which it was written, by a hybrid logical clock and the device's id. The
later one shows, whichever comes first; so the order of arrival does not matter.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Final, Literal, NamedTuple, TypeAlias

from desktop_app.core.messages import Json
from desktop_app.core.phrases import phrase

TroubleKind: TypeAlias = Literal["config", "network", "store", "newer", "clock", "quota", "cloned", "removed"]

EXIT_CODES: Final[Mapping[str, int]] = {"config": 3, "removed": 3, "network": 5}
"""Of commands; all other troubles are the store's: 6."""

MARKER: Final = "sync.json"
"""Beside the history: where it is not, nothing of syncing is loaded."""
FORMAT: Final = 1
"""Of what lies in the store. A newer one is told and left alone."""


@dataclass(frozen=True, slots=True)
class SyncDevice:
    """A machine of the space; `last`: when something of it was seen last, ISO 8601 UTC; "": never."""

    id: str
    name: str
    last: str
    here: bool
    revoked: bool


@dataclass(frozen=True, slots=True)
class SyncTrouble:
    """Why nothing is exchanged; nothing here is ever deleted for it."""

    kind: TroubleKind
    message: str
    detail: str = ""

    @property
    def exit_code(self) -> int:
        """Of a command that ends with it."""
        return EXIT_CODES.get(self.kind, 6)


REMOVED: Final = SyncTrouble(
    "removed",
    phrase("This device was removed from sync on another of your devices. Nothing here is lost."),
    phrase("Leave sync, then join again with the new passphrase. It counts as a new device."),
)


class SyncRefused(Exception):  # noqa: N818  named for what happened
    """Something can't be done, for `trouble`."""

    def __init__(self, trouble: SyncTrouble) -> None:
        super().__init__(trouble.message)
        self.trouble = trouble

    @classmethod
    def of(cls, kind: TroubleKind, message: str, detail: str = "") -> SyncRefused:
        """The refusal for such trouble."""
        return cls(SyncTrouble(kind, message, detail))


@dataclass(frozen=True, slots=True)
class SyncExchange:
    """One exchange: objects sent and received, the threads that changed here, and bytes both ways."""

    sent: int = 0
    received: int = 0
    threads: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class SyncApart:
    """A thread, project, prompt or artifact that was changed apart on two devices; `fields`: what does not show of it,
    as text where it is one."""

    kind: str
    id: str
    name: str
    fields: tuple[tuple[str, str], ...]

    @property
    def words(self) -> str:
        """Says which fields, as a phrase."""
        names = dict.fromkeys(FIELD_WORDS.get(name, FIELD_WORDS["choices"]) for name, _ in self.fields)
        return phrase("{fields} changed on two devices", fields=reduce(_and, names))


def _and(first: str, second: str) -> str:
    return phrase("{first}, {second}", first=first, second=second)


FIELD_WORDS: Final[Mapping[str, str]] = {
    **{"title": phrase("Title"), "name": phrase("Name"), "text": phrase("Text"), "model": phrase("Model")},
    **{"backend": phrase("Model"), "system": phrase("System prompt"), "instructions": phrase("Instructions")},
    **{"project": phrase("Project"), "soft_limit": phrase("Soft limit"), "parameters": phrase("Parameters")},
    **{"pinned": phrase("Pinned"), "archived": phrase("Archived"), "mark": phrase("Rating")},
    **{"summaries": phrase("Summary"), "choices": phrase("Context")},
}
"""The names of fields for people; of all others that of the choices."""


class SyncLine(NamedTuple):
    """A phrase that stands in a thread; `tip`: the end of the branch that it tells of, "" where of none."""

    thread_id: str
    words: str
    tip: str = ""


LATE_S: Final = 3_600.0
"""Seconds: a change that waited so long is told even where nothing failed."""


@dataclass(frozen=True, slots=True)
class SyncStatus:
    """The state of syncing; `place` "": it is not set up. `progress`: objects read of those that are there.

    `since`: when something was exchanged last while something waits, ISO 8601 UTC. `still_on`: the devices that have
    not yet read what was deleted for good here. `elsewhere`: the branches on which threads went on at other devices.
    """

    place: str = ""
    device: str = ""
    devices: tuple[SyncDevice, ...] = ()
    waiting: int = 0
    waiting_threads: frozenset[str] = frozenset()
    paused: bool = False
    trouble: SyncTrouble | None = None
    since: str = ""
    progress: tuple[int, int] | None = None
    bytes_sent: int = 0
    bytes_received: int = 0
    apart: tuple[SyncApart, ...] = ()
    elsewhere: tuple[SyncLine, ...] = ()
    still_on: tuple[str, ...] = ()

    def late_in_s(self, waited_s: float) -> float | None:
        """Seconds until it is told that something is wrong, after waiting that long; 0: now, None: nothing is."""
        if not self.place or self.paused or (self.trouble is None and not (self.waiting_threads and self.since)):
            return None
        return 0.0 if self.trouble is not None else max(0.0, LATE_S - waited_s)


Stamp: TypeAlias = tuple[int, str]
"""A time of the hybrid logical clock and the device that wrote then; no two writes of a fact have the same one."""

NEVER: Final[Stamp] = (0, "")

_COUNTER_BITS: Final = 16


MOST_AHEAD_MS: Final = 3_600_000
"""A clock that is further ahead of this one is told: an hour."""
MOST_TIME: Final = 2**62
"""No clock has come so far."""


def next_time(now_ms: int, *seen: int) -> int:
    """A time that is later than all those `seen`, and not before the wall clock's."""
    return max(time_at(now_ms), *(one + 1 for one in seen))


def time_at(ms: int) -> int:
    """The time of a moment of the wall clock, in milliseconds."""
    return ms << _COUNTER_BITS


def milliseconds(time: int) -> int:
    """The wall clock's part of a time."""
    return time >> _COUNTER_BITS


@dataclass(frozen=True, slots=True)
class SyncFact:
    """A value of one field, with the stamp of its write and that of the value which this write replaced."""

    value: Json
    stamp: Stamp
    saw: Stamp = NEVER


_LARGEST: Final = frozenset({"updated"})
_SMALLEST: Final = frozenset({"created"})
_NOT_DECIDED: Final = frozenset({"seen", "deleted"})
"""They follow from what was said and read; a thread that is back tells so."""


def merged(field: str, here: SyncFact | None, coming: SyncFact) -> tuple[SyncFact, SyncFact | None]:
    """The fact that shows, and the one that was written apart from it and does not.

    When a thread was begun and went on last is no decision of anybody's: there the value itself counts.
    """
    if here is None or here.stamp == coming.stamp:
        return coming if here is None else here, None
    if field in _LARGEST | _SMALLEST:
        pick = max if field in _LARGEST else min
        return pick((here, coming), key=lambda one: (str(one.value), one.stamp)), None
    shown, other = (here, coming) if here.stamp > coming.stamp else (coming, here)
    apart = field not in _NOT_DECIDED and shown.saw < other.stamp and shown.value != other.value
    return shown, other if apart else None


def follows(here: SyncFact, coming: SyncFact, *, grown: bool, shown: bool) -> bool:
    """Return True if the place of a thread on this device becomes that of another, whose branch goes on from it or not.

    It does where the branch has `grown` from here, and where a thread that is not `shown` here was turned to another
    branch by who knew this place. Otherwise each device stays on its own.
    """
    return coming.stamp > here.stamp and (grown or (coming.saw == here.stamp and not shown))


_SEPARATOR: Final = "\x1f"
TIP_ON: Final = "tip" + _SEPARATOR
"""Followed by another device: the field of its place in a thread, as long as it is not that of this one."""
CHOICES: Final = "choices"
_BY_ELEMENT: Final = ("pinned", "excluded", "deleted", "leaving", "undone", "secrets_sent", "secrets_removed")
_HERE_ONLY: Final = frozenset({"allowed_tools"})
"""The consents to tools count on the machine where they were given."""


def choices_apart(choices: Mapping[str, Json]) -> dict[str, Json]:
    """The decisions of a thread, each element a field of its own; `choices` as `choices_to_json` writes them."""
    found: dict[str, Json] = {}
    for name, value in choices.items():
        if name in _BY_ELEMENT and isinstance(value, list):
            for element in value:
                found[_field(name, json.dumps(element, ensure_ascii=False))] = True
        elif name == "summaries" and isinstance(value, list):
            for summary in value:
                if isinstance(summary, dict):
                    found[_field(name, str(summary.get("id")))] = summary
        elif name not in _HERE_ONLY:
            found[_field(name)] = value
    return found


def choices_together(fields: Mapping[str, Json], here: Mapping[str, Json]) -> dict[str, Json]:
    """The choices of such fields; None: not decided. What counts on this machine only is taken from `here`."""
    found: dict[str, Json] = {name: here[name] for name in _HERE_ONLY if name in here}
    lists: dict[str, list[Json]] = {}
    for key in sorted(fields):
        kind, _, rest = key.partition(_SEPARATOR)
        name, _, element = rest.partition(_SEPARATOR)
        if kind != CHOICES or fields[key] is None or name in _HERE_ONLY:
            continue
        if name in _BY_ELEMENT:
            try:
                lists.setdefault(name, []).append(json.loads(element))
            except ValueError:
                continue
        elif name == "summaries":
            lists.setdefault(name, []).append(fields[key])
        else:
            found[name] = fields[key]
    if "summaries" in lists:
        lists["summaries"].sort(key=_made)
    return found | lists


_TEXTS: Final = frozenset({"title", "model", "system", "name", "instructions", "text"})


def apart_text(field: str, value: Json) -> tuple[str, str]:
    """The name of a field, which is `summaries` for one of them, and its value if that is a text to read."""
    kind, _, name = field.partition(_SEPARATOR)
    name = name.partition(_SEPARATOR)[0]
    if isinstance(value, dict) and name == "summaries":
        return name, str(value.get("text", ""))
    return name if name == "summaries" else kind, value if kind in _TEXTS and isinstance(value, str) else ""


def is_choice(field: str) -> bool:
    """True for a field of `choices_apart`."""
    return field.startswith(CHOICES + _SEPARATOR)


def _field(*names: str) -> str:
    return _SEPARATOR.join((CHOICES, *names))


def _made(summary: Json) -> tuple[str, str]:
    return (str(summary.get("created")), str(summary.get("id"))) if isinstance(summary, dict) else ("", "")


def went_on(parents: Mapping[str, str | None], seen: Iterable[str]) -> bool:
    """Return True if there are messages that whoever deleted the thread had not seen; `seen`: the ends of its branches.

    Such a thread comes back: what was said elsewhere meanwhile is not lost.
    """
    known: set[str] = set()
    for end in seen:
        above: str | None = end
        while above is not None and above not in known:
            known.add(above)
            above = parents.get(above)
    return any(one not in known for one in parents)


def ends_of(parents: Mapping[str, str | None]) -> list[str]:
    """The messages that nothing stands below of."""
    return sorted(parents.keys() - set(parents.values()))


@dataclass(slots=True)
class Arrived:
    """The changes that a merge made here: threads with their messages, and lines that tell what was decided.


    Where something was deleted for good, a thread has None.
    """

    threads: dict[str, list[str] | None] = field(default_factory=dict)
    lines: list[SyncLine] = field(default_factory=list)
    documents: bool = False
    """Some are to be read."""
    others: bool = False
    """Projects or prompts came."""
    all: set[str] = field(default_factory=set)
    """The threads, those that were taken, too."""

    def add(self, thread_id: str, *messages: str) -> None:
        """Something of a thread is otherwise now."""
        self.all.add(thread_id)
        if (known := self.threads.setdefault(thread_id, [])) is not None:
            known += messages

    def taken(self) -> Arrived:
        """Everything that came since this was asked last."""
        some = replace(self)
        self.threads, self.lines, self.documents, self.others = {}, [], False, False
        return some


@dataclass(slots=True)
class Exchanged:
    """The sum of an exchange."""

    sent: int = 0
    received: int = 0
    bytes: int = 0
