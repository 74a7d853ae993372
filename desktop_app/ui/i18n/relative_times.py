"""The age of something, in few words and the system's language. Reads no clock: the caller says when it is.

Months come from the locale, as the words of the window do from its translation.
"""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QDate, QDateTime, QLocale, QTime, QTimeZone

from desktop_app.ui.i18n.language import tr

SHORT = QLocale.FormatType.ShortFormat


def ago(stamp: str, now: datetime) -> str:
    """`now`, `5 min`, `3 h`, a weekday within a week, else the date; empty where the time can't be read.

    `stamp` is ISO 8601 UTC, `now` has a zone.
    """
    then = _local(stamp)
    if then is None:
        return ""
    minutes = int((now - then).total_seconds() // 60)
    local = now.astimezone()
    if minutes < 1:
        return tr("now")
    if minutes < 60:
        return tr("{n} min").format(n=minutes)
    if minutes < 24 * 60:
        return tr("{n} h").format(n=minutes // 60)
    if (local.date() - then.date()).days < 7:
        return QLocale().standaloneDayName(then.isoweekday(), SHORT)
    return day(stamp)


def day(stamp: str) -> str:
    """The local date in the locale's short form; empty where the time can't be read."""
    then = _local(stamp)
    return "" if then is None else QLocale().toString(QDate(then.year, then.month, then.day), SHORT)


def moment(stamp: str) -> str:
    """Date and time, for a tooltip."""
    then = _local(stamp)
    if then is None:
        return ""
    at = QDateTime(QDate(then.year, then.month, then.day), QTime(then.hour, then.minute), QTimeZone.systemTimeZone())
    return QLocale().toString(at, SHORT)


def _local(stamp: str) -> datetime | None:
    try:
        return datetime.fromisoformat(stamp).astimezone()
    except (ValueError, OverflowError):
        return None
