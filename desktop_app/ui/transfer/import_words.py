"""Says what an import would do, and what it did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from desktop_app.ui.i18n.dates import day_of_year
from desktop_app.ui.i18n.language import grouped, spoken, tr

if TYPE_CHECKING:  # the controller is loaded after the first paint
    from desktop_app.controller.formats.export_reading import Skipped
    from desktop_app.controller.found_chats import FoundChats
    from desktop_app.controller.import_reading import PreviewedFile
    from desktop_app.controller.transfer import ImportPreview, ImportReport


@dataclass(frozen=True, slots=True)
class ImportWords:
    """A line, the lines below it, and for a preview what its button says ("": there is nothing to import)."""

    line: str
    details: tuple[str, ...]
    button: str = ""


def preview_words(preview: ImportPreview) -> ImportWords:
    """What importing would do."""
    if preview.threads:
        line = _new_threads(preview.threads, preview.messages)
    elif preview.messages:
        line = tr("{count} new messages in threads that are already here").format(count=grouped(preview.messages))
        if preview.messages == 1:
            line = tr("1 new message in a thread that is already here")
    elif preview.everything:
        line = tr("No new threads")
    else:
        line = tr("Nothing can be imported") if preview.broken and not preview.already else tr("Nothing new to import")
    details = []
    if preview.earliest is not None and preview.latest is not None:
        first, last = _day(preview.earliest), _day(preview.latest)
        details.append(tr("From {first} to {last}").format(first=first, last=last) if first != last else first)
    if preview.already:
        words = tr("1 thread is already here") if preview.already == 1 else tr("{count} threads are already here")
        details.append(words.format(count=grouped(preview.already)))
    if preview.everything:
        details.append(tr("Includes projects, documents, artifacts and prompts"))
    elif len(preview.files) > 1:
        details += [_file(file) for file in preview.files if file.product]
    elif preview.files and preview.files[0].product:
        details.append(tr("{product} export").format(product=preview.files[0].product))
    details += [
        tr("Can't be imported: {what} ({why})").format(what=spoken(one.what), why=spoken(one.why))
        for one in preview.broken
    ]
    details += _skipped(preview.skipped)
    return ImportWords(line, tuple(details), _button(preview))


def report_words(report: ImportReport) -> ImportWords:
    """What an import did."""
    threads, messages = grouped(report.threads), grouped(report.messages)
    if report.threads == 1:
        line = tr("1 thread imported, with {messages} messages").format(messages=messages)
    elif report.threads:
        line = tr("{threads} threads imported, with {messages} messages").format(threads=threads, messages=messages)
    elif report.messages:
        line = tr("{messages} messages imported").format(messages=messages)
        line = tr("1 message imported") if report.messages == 1 else line
    else:
        line = tr("Nothing new to import")
    details = []
    if report.already == 1:
        details.append(tr("1 thread was already here"))
    elif report.already:
        details.append(tr("{count} threads were already here").format(count=grouped(report.already)))
    return ImportWords(line, (*details, *_skipped(report.skipped)))


def found_words(found: FoundChats | None) -> str:
    """What a button says that imports the chats of another program; "" where there are none."""
    if found is None:
        return ""
    words = tr("Import 1 chat from {product}") if found.count == 1 else tr("Import {count} chats from {product}")
    if not found.count:
        words = tr("Import new chats from {product}")
    return words.format(count=grouped(found.count), product=found.product)


def _new_threads(threads: int, messages: int) -> str:
    said = tr("1 message") if messages == 1 else tr("{count} messages").format(count=grouped(messages))
    if threads == 1:
        return tr("1 new thread, with {messages}").format(messages=said)
    return tr("{count} new threads, with {messages}").format(count=grouped(threads), messages=said)


def _button(preview: ImportPreview) -> str:
    good = preview.threads
    if preview.broken and good:
        return (
            tr("Import the good one") if good == 1 else tr("Import the {count} good ones").format(count=grouped(good))
        )
    if good:
        return tr("Import 1 thread") if good == 1 else tr("Import {count} threads").format(count=grouped(good))
    count = preview.messages
    if count:
        return tr("Import 1 message") if count == 1 else tr("Import {count} messages").format(count=grouped(count))
    return tr("Import") if preview.everything else ""


def _file(file: PreviewedFile) -> str:
    words = tr("{name} ({product}): 1 thread") if file.threads == 1 else tr("{name} ({product}): {count} threads")
    return words.format(name=file.name, product=file.product, count=grouped(file.threads))


def _skipped(skipped: Sequence[Skipped]) -> list[str]:
    return [tr("Skipped: {what} ({why})").format(what=spoken(one.what), why=spoken(one.why)) for one in skipped]


def _day(stamp: str) -> str:
    try:
        return day_of_year(date.fromisoformat(stamp[:10]))
    except ValueError:  # a time that an export made up
        return stamp[:10]
