"""Step 10 of the history's format: a trash for everything, and what was deleted for good. As a step, never changed."""

from __future__ import annotations

from desktop_app.storage.migration import Migration

ERASURE = Migration(
    10,
    "when prompts and messages were deleted, as they stay in the trash for 30 days; what was deleted for good",
    (
        "ALTER TABLE prompt ADD COLUMN deleted TEXT",
        "ALTER TABLE deleted_message ADD COLUMN deleted TEXT",
        "UPDATE deleted_message SET deleted = strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')",
        # The ids of what was deleted for good, with what is still to be done for each; see `erasure_store`. A merge of
        # another history must not bring these back.
        """
        CREATE TABLE erasure (
            id TEXT NOT NULL PRIMARY KEY,
            kind TEXT NOT NULL,
            at TEXT NOT NULL,
            stage INTEGER NOT NULL,
            device TEXT NOT NULL,
            clock INTEGER NOT NULL
        ) WITHOUT ROWID
        """,
        # What was deleted before there was a trash has its 30 days, too: nobody was told of an end.
        *(
            f"UPDATE {table} SET deleted = strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now') WHERE deleted IS NOT NULL"
            for table in ("thread", "project", "project_document", "artifact")
        ),
    ),
)
