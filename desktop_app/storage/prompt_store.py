"""Reads and writes the prompt library."""

from __future__ import annotations

from desktop_app.core.errors import UserError
from desktop_app.core.phrases import phrase
from desktop_app.core.prompts import Prompt
from desktop_app.storage.row_mapping import storable_text
from desktop_app.storage.sqlite_connection import Transactions
from desktop_app.storage.thread_store import now

_WRITE = """
    INSERT INTO prompt (id, title, text, created, updated) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET
        title = excluded.title, text = excluded.text, created = excluded.created, updated = excluded.updated,
        deleted = NULL
"""


class PromptStore:
    """The prompts of the history file."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def all(self) -> tuple[Prompt, ...]:
        """By title, whatever the case of its letters."""
        with self._transactions.read_plain() as connection:
            rows = connection.execute(
                "SELECT id, title, text, created, updated FROM prompt WHERE deleted IS NULL"
            ).fetchall()
        prompts = (Prompt(*row) for row in rows)
        return tuple(sorted(prompts, key=lambda one: (one.title.casefold(), one.title, one.id)))

    def save(self, prompts: tuple[Prompt, ...]) -> None:
        """Writes them all or none; one with an id that is there takes its place."""
        with self._transactions.write_plain() as connection:
            for one in prompts:
                values = (one.id, one.title, one.text, one.created, one.updated)
                connection.execute(_WRITE, tuple(storable_text(value) for value in values))

    def delete(self, prompt_id: str) -> None:
        """Marks the prompt as deleted; one that is not there is gone already."""
        with self._transactions.write_plain() as connection:
            connection.execute("UPDATE prompt SET deleted = ? WHERE id = ? AND deleted IS NULL", (now(), prompt_id))

    def restore(self, prompt_id: str) -> None:
        """Brings a deleted prompt back; `UserError("usage")` for one that is gone for good."""
        with self._transactions.write_plain() as connection:
            if connection.execute("UPDATE prompt SET deleted = NULL WHERE id = ?", (prompt_id,)).rowcount == 0:
                raise UserError("usage", phrase("This prompt no longer exists."))
