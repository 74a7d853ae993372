"""Says what an import would do, and what it did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from desktop_app.core.settings import find_key
from desktop_app.ui.i18n.dates import day_of_year
from desktop_app.ui.i18n.language import grouped, tr, translated

if TYPE_CHECKING:  # the controller is loaded after the first paint
    from desktop_app.controller.everything import ImportedSetting, ImportReport
    from desktop_app.controller.formats.export_reading import Skipped
    from desktop_app.controller.transfer import FoundChats, ImportPreview, PreviewedFile
    from desktop_app.core.history_records import ImportChange


@dataclass(frozen=True, slots=True)
class ImportWords:
    """A line, the lines below it, and for a preview what its button says ("": there is nothing to import)."""

    line: str
    details: tuple[str, ...]
    button: str = ""


def preview_words(preview: ImportPreview) -> ImportWords:
    """Return the words on what importing would do."""
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
    details += _changes(preview.changes)
    if not preview.everything and len(preview.files) > 1:
        details += [_file(file) for file in preview.files if file.product]
    elif not preview.everything and preview.files and preview.files[0].product:
        details.append(tr("{product} export").format(product=preview.files[0].product))
    details += [
        tr("Can't be imported: {what} ({why})").format(what=translated(one.what), why=translated(one.why))
        for one in preview.broken
    ]
    details += _skipped(preview.skipped)
    return ImportWords(line, tuple(details), _button(preview))


def report_words(report: ImportReport) -> ImportWords:
    """Return the words on what an import did."""
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
    details += [*_changes(report.changes), *setting_lines(report.settings), *_skipped(report.skipped)]
    return ImportWords(line, tuple(details))


def setting_lines(settings: Sequence[ImportedSetting]) -> list[str]:
    """Return the settings that are set, by their names in preferences, and those that are not, and why."""
    lines = []
    for setting in settings:
        key = find_key(tuple(setting.key.split(".")))
        name = translated(key.label) if key is not None and key.label else setting.key
        value = setting.value
        if isinstance(value, bool):
            value = tr("On") if value else tr("Off")
        elif key is not None and key.choices.get(str(value)):
            value = translated(key.choices[str(value)])
        shown = ", ".join(map(str, value)) if isinstance(value, list) else value
        words = tr("{name}: {value}") if setting.taken else tr("Not taken: {name} ({why})")
        lines.append(words.format(name=name, value=shown, why=translated(setting.why)))
    return lines


def _changes(changes: Sequence[ImportChange]) -> list[str]:
    """Return the changes that come besides threads, projects by their names."""
    lines = [_project(one) for one in changes if one.kind == "project"]
    trash = sum(one.kind == "thread" and one.change == "trash" for one in changes)
    sums = {
        tr("Prompts: {count}"): sum(one.kind == "prompt" for one in changes),
        tr("Threads in the trash: {count}"): trash,
        tr("Words for the spell check: {count}"): _sum(changes, "words", "words"),
        tr("Requests in Usage: {count}"): _sum(changes, "usage", "calls"),
        tr("Files of documents: {count} MB"): -(-_sum(changes, "files", "bytes") // 10**6),
    }
    return [*lines, *(words.format(count=grouped(count)) for words, count in sums.items() if count)]


def _sum(changes: Sequence[ImportChange], kind: str, what: str) -> int:
    return sum(one.counts[what] for one in changes if one.kind == kind)


def _project(change: ImportChange) -> str:
    counts = [
        tr("Threads: {count}").format(count=grouped(change.counts.get("threads", 0))),
        tr("Documents: {count}").format(count=grouped(change.counts.get("documents", 0))),
        tr("Folders to choose: {count}").format(count=grouped(change.counts.get("folders", 0))),
    ]
    words = {
        "new": tr("New project “{name}”"),
        "trash": tr("Project “{name}” in the trash"),
        "more": tr("Added to your project “{name}”"),
    }[change.change if change.change != "back" else "more"]
    return " · ".join((words.format(name=change.name), *counts))


def found_words(found: FoundChats | None) -> str:
    """Return the words of a button that imports the chats of another program; "" where there are none."""
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
    return [tr("Skipped: {what} ({why})").format(what=translated(one.what), why=translated(one.why)) for one in skipped]


def _day(stamp: str) -> str:
    try:
        return day_of_year(date.fromisoformat(stamp[:10]))
    except ValueError:  # a time that an export made up
        return stamp[:10]
