"""Owns how a link's target is shown before it is opened. Knows nothing of who opens it."""

from __future__ import annotations

from PySide6.QtCore import QUrl

from desktop_app.core.markdown.targets import safe_target

#: Longer targets are cut in the middle when shown; the host always stays readable.
LONGEST_SHOWN = 160


def checked_target(target: str) -> str | None:
    """The target as it will be opened, or None if it must not be: http, https and mailto only."""
    safe = safe_target(target)
    if safe is None:
        return None
    url = QUrl(safe, QUrl.ParsingMode.TolerantMode)
    return safe if url.isValid() and url.scheme().lower() in {"http", "https", "mailto"} else None


def shown_target(target: str) -> str:
    """The real target in ASCII: a host that only looks like another one is seen through."""
    shown = bytes(QUrl(target).toEncoded().data()).decode("ascii", "replace")
    if len(shown) <= LONGEST_SHOWN:
        return shown
    return f"{shown[: LONGEST_SHOWN - 40]}…{shown[-39:]}"
