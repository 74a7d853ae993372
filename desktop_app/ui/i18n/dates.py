"""The window's form of days and months in its language, where the system's own forms do not serve.

The patterns are translated as the words are, since languages differ in the order: `18 Nov`, `18. Nov`, `11月18日`.
"""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import QDate, QDateTime, QLocale, Qt

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
