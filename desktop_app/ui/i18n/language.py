"""The language that the window speaks: phrases, numbers, amounts, days and ages; an untitled thread's name."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QCoreApplication, QDate, QDateTime, QLocale, QObject, Qt, QTime, QTimeZone

from desktop_app.core.messages import Thread
from desktop_app.core.phrases import COUNT, Phrase
from desktop_app.resources import resource
from desktop_app.system.system_clock import local_day

if TYPE_CHECKING:
    from desktop_app.ui.i18n.recollection import Recollection

TITLES: Final[Mapping[str, str]] = {"en": "English", "de": "Deutsch", "zh_CN": "简体中文"}
"""Every language that the window speaks, in its own words; the ids are those of the setting."""
_NO_CONTEXT: Final = ""
"""Qt looks texts up by context; those that no widget's class has are kept under none."""
_TRANSLATOR: Final = "plimsoll-translator"
_END: Final = re.compile(r"\. |。")


def speak(choice: str) -> str:
    """Lets the application speak the language of the setting from now on; the one it is: `en`, `de`, ...

    To be called before a window is made: what is there already does not change. "system": the first of the system's
    languages that there is, else English.
    """
    if (app := QCoreApplication.instance()) is None:
        raise RuntimeError("there is no application to speak")
    language = choice if choice in TITLES else system_language(QLocale.system().uiLanguages())
    for before in app.findChildren(QObject, _TRANSLATOR):
        # destroyed with the last reference to it, which takes it out of the application
        before.setParent(None)
    QLocale.setDefault(_locale(language))
    if language != "en":
        _install(app, language)
    return language


def _install(app: QCoreApplication, language: str) -> None:
    # English pays nothing for these
    from PySide6.QtCore import QLibraryInfo, QTranslator

    qt_texts = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    for name, folder in ((f"qtbase_{language}", qt_texts), (f"plimsoll_{language}", str(resource("translations")))):
        translator = QTranslator(app)
        translator.setObjectName(_TRANSLATOR)
        if translator.load(name, folder):
            # the one installed last is asked first
            app.installTranslator(translator)
        else:
            translator.setParent(None)


def system_language(wished: Sequence[str]) -> str:
    """The first of the wished languages (BCP 47 names, best first) that the window speaks, else `en`."""
    for name in wished:
        parts = name.replace("_", "-").split("-")
        if parts[0] == "zh":
            # Who reads traditional characters is not given simplified ones unasked.
            if not {"Hant", "TW", "HK", "MO"} & set(parts):
                return "zh_CN"
        elif parts[0] in TITLES:
            return parts[0]
    return "en"


def tr(text: str) -> str:
    """A literal in the window's language, for code that stands in no widget's class: those have `self.tr`."""
    return QCoreApplication.translate(_NO_CONTEXT, text)


def translated(text: str) -> str:
    """A text of the core, the controller or a backend in the window's language; one of the user's as it is.

    A phrase that was kept as plain English is known again: a failure in the history, the note of an attachment.
    """
    if QLocale().language() in (QLocale.Language.English, QLocale.Language.C):
        return str(text)
    said = text if isinstance(text, Phrase) else _recollection().phrase_of(text)
    return _SPOKEN.vformat(_template(said), (), said.values) if isinstance(said, Phrase) else said


def parted(text: str) -> tuple[str, str]:
    """The translation as its first sentence without the full stop, and the rest, which may be empty.

    Where it ends is said by the words of ours: a full stop in a value, such as a path, ends no sentence.
    """
    said, ours = translated(text), _masked(text) if isinstance(text, Phrase) else text
    if (end := _END.search(translated(ours))) is None or end.end() >= len(said):
        return said.rstrip(".。"), ""
    return said[: end.start()], said[end.end() :]


def _masked(value: Any) -> Any:
    """A phrase with something as long in the place of each text in it that is none."""
    if isinstance(value, Phrase):
        return Phrase(value.template, {name: _masked(one) for name, one in value.values.items()}, value.one)
    return "x" * len(translated(value)) if isinstance(value, str) else value


def grouped(value: float, decimals: int = 0) -> str:
    """A number with the language's separators: `1,234`, `1.234`."""
    return _separated(f"{value:,.{decimals}f}")


def size_words(size: int) -> str:
    """Bytes for people: `1.5 MB`, and `12 KB` where that would be `0.0 MB`."""
    if size < 100_000:
        return tr("{size} KB").format(size=grouped(-(-size // 1_000)))
    return tr("{size} MB").format(size=grouped(size / 1_000_000, 1))


@cache
def _recollection() -> Recollection:
    from desktop_app.ui.i18n.recollection import read_recollection

    return read_recollection()


def editable(figures: str) -> str:
    """A number of Python's (`1,234.5`) for a field that people change: where a point is no decimal sign, ungrouped."""
    locale = QLocale()
    if locale.language() in (QLocale.Language.English, QLocale.Language.C):
        return figures
    return figures.replace(",", "").replace(".", locale.decimalPoint())


def _template(text: Phrase) -> str:
    count = text.values.get(COUNT)
    if not text.one or not isinstance(count, int):
        return tr(text.template)
    said = QCoreApplication.translate(_NO_CONTEXT, text.template, text.one, abs(count))
    return text.one if said == text.template and count == 1 else said


def _locale(language: str) -> QLocale:
    """The system's own where it is of this language, as it knows how the user's country writes dates."""
    system, wanted, short = QLocale.system(), QLocale(language), QLocale.FormatType.ShortFormat
    if system.dateFormat(short) == QLocale.c().dateFormat(short):
        # Qt's "2 10 2026" is no country's way to write; in English, 2026-10-02 is read the same everywhere
        return QLocale("en_CA") if language == "en" else wanted
    if system.language() == wanted.language() or (language == "en" and system.language() == QLocale.Language.C):
        return system
    return wanted


def _separated(figures: str) -> str:
    locale = QLocale()
    if locale.language() in (QLocale.Language.English, QLocale.Language.C):
        return figures
    signs = {",": locale.groupSeparator(), ".": locale.decimalPoint()}
    return "".join(signs.get(sign, sign) for sign in figures)


class _Spoken(string.Formatter):
    """Fills a template: phrases are said, numbers written as the language does."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, str):
            return format(translated(value), format_spec)
        return _separated(format(value, format_spec))


_SPOKEN: Final = _Spoken()


def title_of(thread: Thread) -> str:
    """Return the name of an open thread."""
    return thread.title or tr("New thread")


def public_title(thread: Thread) -> str:
    """Return the thread's name for other programs, as in the window's frame: no word of a private one."""
    return tr("Private thread") if thread.private else title_of(thread)


def listed_title(thread: Thread) -> str:
    """Return the thread's name for lists: one that has only a draft by its first words."""
    if thread.title or not thread.draft.strip():
        return title_of(thread)
    from desktop_app.core.titles import first_words  # only where there is a draft: a start has no time for it

    return tr("Draft: {words}").format(words=first_words(thread.draft))


def month_of_year(day: date) -> str:
    """`November 2026`."""
    return _written(day, tr("MMMM yyyy"))


def short_month_of_year(day: date) -> str:
    """`Nov 2026`."""
    return _written(day, tr("MMM yyyy"))


def short_day(day: date) -> str:
    """`Nov 18`, or `18 Nov` where the system writes the day first."""
    return _written(day, tr("MMM d") if _is_month_first() else tr("d MMM"))


def day_of_year(day: date) -> str:
    """`Nov 18, 2026`."""
    return _written(day, tr("MMM d, yyyy") if _is_month_first() else tr("d MMM yyyy"))


def minute_of_day(at: QDateTime, *, seconds: bool = False) -> str:
    """`Nov 18, 2:05 PM`, in the time zone of `at`: hours as the system has them, the year where it is another one."""
    there = date(at.date().year(), at.date().month(), at.date().day())
    told = short_day(there) if there.year == local_day().year else day_of_year(there)
    pattern = QLocale().timeFormat(SHORT)
    time = QLocale().toString(at.time(), pattern.replace("mm", "mm:ss") if seconds else pattern)
    return tr("{day}, {time}").format(day=told, time=time)


def _is_month_first() -> bool:
    pattern = QLocale().dateFormat(SHORT)
    return pattern.find("M") < pattern.find("d")


def _written(day: date, pattern: str) -> str:
    return QLocale().toString(QDate(day.year, day.month, day.day), pattern)


def time_of(created: str) -> str:
    """A message's time, `created`: ISO 8601, UTC."""
    return minute_of_day(QDateTime.fromString(created, Qt.DateFormat.ISODateWithMs).toLocalTime())


def hour_of(seconds: float) -> str:
    """`3:42 PM`, here, of a time in seconds since 1970."""
    when = QDateTime.fromSecsSinceEpoch(int(seconds))
    return QLocale().toString(when.time(), QLocale.FormatType.ShortFormat)


SHORT = QLocale.FormatType.ShortFormat


def ago(stamp: str, now: datetime) -> str:
    """`now`, `5 min`, `3 h`, a weekday within a week, else the date; empty where the time can't be read.

    `stamp` is ISO 8601 UTC, `now` has a zone.
    """
    if (then := _local(stamp)) is None:
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
    """The local date, its year where it is another than now; empty where the time can't be read."""
    if (then := _local(stamp)) is None:
        return ""
    return short_day(then.date()) if then.year == local_day().year else day_of_year(then.date())


def moment(stamp: str, *, seconds: bool = False) -> str:
    """Date and time; empty where they can't be read."""
    if (then := _local(stamp)) is None:
        return ""
    time = QTime(then.hour, then.minute, then.second)
    at = QDateTime(QDate(then.year, then.month, then.day), time, QTimeZone.systemTimeZone())
    return minute_of_day(at, seconds=seconds)


def _local(stamp: str) -> datetime | None:
    try:
        return datetime.fromisoformat(stamp).astimezone()
    except (ValueError, OverflowError):
        return None
