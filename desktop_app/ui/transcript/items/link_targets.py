"""The part of a link's target that is opened, and how the target is shown before."""

from __future__ import annotations

from PySide6.QtCore import QUrl, QUrlQuery

from desktop_app.core.markdown.safe_links import safe_target

#: Longer targets are cut in the middle when shown; the host always stays readable.
LONGEST_SHOWN = 160

#: What a mail link may fill in. Some mail programs take a path in `attach`, and would send that file along.
MAIL_FIELDS = frozenset({"to", "cc", "subject", "body"})


def checked_target(target: str) -> str | None:
    """The target as it will be opened, or None if it must not be: http, https and mailto only.

    Of a mail link only `MAIL_FIELDS` are left.
    """
    safe = safe_target(target)
    if safe is None:
        return None
    url = QUrl(safe, QUrl.ParsingMode.TolerantMode)
    if not url.isValid() or url.scheme().lower() not in {"http", "https", "mailto"}:
        return None
    return _without_attachments(safe, url) if url.scheme().lower() == "mailto" else safe


def shown_target(target: str) -> str:
    """The real target in ASCII: a host that only looks like another one is seen through.

    Where a user's name stands before the host, as in https://bank.example@evil.example, the host comes first.
    """
    url = QUrl(target)
    shown = _ascii(url)
    if len(shown) > LONGEST_SHOWN:
        shown = f"{shown[: LONGEST_SHOWN - 40]}…{shown[-39:]}"
    return f"{host_of(target)}: {shown}" if url.userInfo() and url.host() else shown


def host_of(target: str) -> str:
    """The host that an address leads to, in ASCII; "" for a mail link."""
    return QUrl(target).host(QUrl.ComponentFormattingOption.FullyEncoded)


def _without_attachments(target: str, url: QUrl) -> str:
    encoded = QUrl.ComponentFormattingOption.FullyEncoded
    fields = QUrlQuery(url).queryItems(encoded)
    kept = [(name, value) for name, value in fields if name.lower() in MAIL_FIELDS]
    if kept == fields:
        return target
    written = "&".join(f"{name}={value}" for name, value in kept)
    return target.partition("?")[0] + (f"?{written}" if written else "")


def _ascii(url: QUrl) -> str:
    return bytes(url.toEncoded().data()).decode("ascii", "replace")
