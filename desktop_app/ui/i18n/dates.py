"""The window's form of days, months and ages in its language, where the system's own forms do not serve."""

from __future__ import annotations

from datetime import date, datetime

from PySide6.QtCore import QDate, QDateTime, QLocale, Qt, QTime, QTimeZone

from desktop_app.ui.i18n.language import tr


def month_of_year(day: date) -> str:
    """`November 2026`."""
    return _written(day, tr("MMMM yyyy"))


def short_month_of_year(day: date) -> str:
    """`Nov 2026`."""
    return _written(day, tr("MMM yyyy"))


def short_day(day: date) -> str:
    """`18 Nov`."""
    return _written(day, tr("d MMM"))


def day_of_year(day: date) -> str:
    """`18 Nov 2026`."""
    return _written(day, tr("d MMM yyyy"))


def minute_of_day(at: QDateTime) -> str:
    """`18 Nov 2026, 14:05`, in the time zone of `at`."""
    return QLocale().toString(at, tr("d MMM yyyy, hh:mm"))


def _written(day: date, pattern: str) -> str:
    return QLocale().toString(QDate(day.year, day.month, day.day), pattern)


def time_of(created: str) -> str:
    """A message's time as this place of the world writes it; `created`: ISO 8601, UTC."""
    when = QDateTime.fromString(created, Qt.DateFormat.ISODateWithMs).toLocalTime()
    return QLocale().toString(when, QLocale.FormatType.ShortFormat)


def hour_of(seconds: float) -> str:
    """`3:42 PM`, here, of a time in seconds since 1970."""
    when = QDateTime.fromSecsSinceEpoch(int(seconds))
    return QLocale().toString(when.time(), QLocale.FormatType.ShortFormat)


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
