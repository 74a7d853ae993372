"""The tables as SQLModel rows: what the migrations have to end in, and what the window writes through.

Importing this module imports SQLModel (0.45 s): nothing does at a start, nor for a command; see `sqlite_connection`.
The tables `block` (`block_store`), `message_text` and `unindexed` (`message_store`), `spending` (`turn_store`),
`draft_attachments` and `prompt` (`thread_store`) and `mark` (`message_store`) have no row class.
"""

from __future__ import annotations

from typing import ClassVar

from sqlmodel import Field, SQLModel


class ThreadRow(SQLModel, table=True):
    """A thread: the only mutable row besides running turns. `message_count` spares the list a count per thread.

    `choices` and `parameters` are JSON, empty where the user decided nothing; `draft_count` is JSON or NULL.
    """

    __tablename__: ClassVar[str] = "thread"

    key: int | None = Field(default=None, primary_key=True)
    id: str
    title: str
    created: str
    updated: str
    backend: str | None = None
    model: str | None = None
    tip: str | None = None
    seen: str | None = None
    system: str = ""
    project: str | None = None
    pinned: bool = False
    archived: bool = False
    soft_limit: int | None = None
    draft: str = ""
    draft_count: str | None = None
    choices: str = ""
    parameters: str = ""
    message_count: int = 0
    deleted: str | None = None


class MessageRow(SQLModel, table=True):
    """A message. `depth` is its number on its path from 1; `parts` packed JSON; usage, window, failure plain JSON."""

    __tablename__: ClassVar[str] = "message"

    key: int | None = Field(default=None, primary_key=True)
    id: str
    thread_key: int = Field(foreign_key="thread.key")
    parent_key: int | None = Field(default=None, foreign_key="message.key")
    depth: int
    role: str
    state: str
    created: str
    parts: bytes
    backend: str | None = None
    model: str | None = None
    usage: str | None = None
    stop_reason: str | None = None
    prefix_key: str | None = None
    window: str | None = None
    failure: str | None = None


class _ModelCall(SQLModel):
    """The part that the row of every model call has: who was asked and why, since when, and what was used."""

    key: int | None = Field(default=None, primary_key=True)
    id: str
    purpose: str
    backend: str
    model: str
    started: str
    failure_code: str | None = None
    input: int | None = None
    cache_read: int | None = None
    cache_write: int | None = None
    output: int | None = None
    thinking: int | None = None
    cost_usd: float | None = None


class TurnRow(_ModelCall, table=True):
    """The call of a turn. `state` is running, complete, partial or error; the owner is the process that runs it."""

    __tablename__: ClassVar[str] = "turn"

    thread_key: int = Field(foreign_key="thread.key")
    user_key: int | None = Field(default=None, foreign_key="message.key")
    answer_key: int = Field(foreign_key="message.key")
    state: str
    ended: str | None = None
    owner_pid: int
    owner_started: str
    owner_boot: str
    model_served: str | None = None
    stop_reason: str | None = None
    cost_kind: str = "money"


class CallRow(_ModelCall, table=True):
    """A finished model call that is no turn. `thread_key` NULL: of no thread, or of a private one."""

    __tablename__: ClassVar[str] = "model_call"

    thread_key: int | None = Field(default=None, foreign_key="thread.key")
    cost_kind: str
    ended: str


class RequestRow(SQLModel, table=True):
    """The manifest of the request of one turn; see `requests` for `base_key`, `kept` and `body`."""

    __tablename__: ClassVar[str] = "request"

    key: int | None = Field(default=None, primary_key=True)
    turn_key: int = Field(foreign_key="turn.key")
    thread_key: int = Field(foreign_key="thread.key")
    base_key: int | None = Field(default=None, foreign_key="request.key")
    kept: int = 0
    chain: int = 0
    body: bytes


class ContextEventRow(SQLModel, table=True):
    """Something a plan or the user did to a thread's context; `before` and `after` in tokens.

    `turn_key` NULL: no request left (a refusal, an undo); `thread_key` NULL: of a private thread.
    """

    __tablename__: ClassVar[str] = "context_event"

    key: int | None = Field(default=None, primary_key=True)
    thread_key: int | None = Field(default=None, foreign_key="thread.key")
    turn_key: int | None = Field(default=None, foreign_key="turn.key")
    at: str
    kind: str
    before: int
    after: int
    messages: int
    model: str
    cost_usd: float | None = None


class CalibrationRow(SQLModel, table=True):
    """The token estimator's learned weights of one model, as JSON."""

    __tablename__: ClassVar[str] = "calibration"

    backend: str = Field(primary_key=True)
    model: str = Field(primary_key=True)
    weights: str


class LearnedWindowRow(SQLModel, table=True):
    """A model's real window in tokens, as an overflow taught it."""

    __tablename__: ClassVar[str] = "learned_window"

    backend: str = Field(primary_key=True)
    model: str = Field(primary_key=True)
    window: int


class ImportRow(SQLModel, table=True):
    """The origin of an imported thread, so that it is known when it comes again."""

    __tablename__: ClassVar[str] = "import_origin"

    origin: str = Field(primary_key=True)
    thread_key: int = Field(foreign_key="thread.key")
