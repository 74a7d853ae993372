"""The work of an import or export while it runs, and the words for what it would do and did."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TypeAlias

from desktop_app.controller.everything import ImportedSetting, ImportReport
from desktop_app.controller.formats.export_reading import Skipped
from desktop_app.controller.formats.exported_thread import ExportContents
from desktop_app.controller.transfer import FoundChats, ImportPreview, PreviewedFile, find_chats, find_new_chats
from desktop_app.core.history_records import ImportChange
from desktop_app.core.settings import find_key
from desktop_app.ui.i18n.language import day_of_year, grouped, tr, translated
from desktop_app.ui.state.services import WindowServices
from desktop_app.ui.transfer.transfer_state import ExportWish, Phase, TransferState


@dataclass(frozen=True, slots=True)
class ImportWords:
    """A line, the lines below it, and for a preview what its button says ("": there is nothing to import)."""

    line: str
    details: tuple[str, ...]
    button: str = ""


MOST_NAMED = 5
"""Threads with new messages that are named."""


def preview_words(preview: ImportPreview) -> ImportWords:
    """Return the words on what importing would do."""
    if preview.threads:
        line = _new_threads(preview.threads, preview.messages)
    elif preview.messages:
        line = tr("{count} new messages in threads that are already here").format(count=grouped(preview.messages))
        if preview.messages == 1:
            line = tr("1 new message in a thread that is already here")
    elif preview.everything or _documents(preview.changes):
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
    threads, messages = grouped(report.threads), grouped(report.messages)
    if report.threads == 1:
        line = tr("1 thread imported, with {messages} messages").format(messages=messages)
    elif report.threads:
        line = tr("{threads} threads imported, with {messages} messages").format(threads=threads, messages=messages)
    elif report.messages:
        line = tr("{messages} messages imported").format(messages=messages)
        line = tr("1 message imported") if report.messages == 1 else line
    else:
        line = tr("No new threads") if _documents(report.changes) else tr("Nothing new to import")
    details = []
    if report.already == 1:
        details.append(tr("1 thread was already here"))
    elif report.already:
        details.append(tr("{count} threads were already here").format(count=grouped(report.already)))
    details += [*_changes(report.changes), *setting_lines(report.settings), *_skipped(report.skipped)]
    return ImportWords(line, tuple(details))


def setting_lines(settings: Sequence[ImportedSetting]) -> list[str]:
    """Return the settings that are set, by their names in preferences, and those that are not, and why."""
    lines: dict[str, None] = {}  # each once
    for setting in settings:
        table, *names = setting.key.split(".")
        if table == "tool_servers" and not setting.taken:
            server = ".".join(names[:-1]).strip('"')
            lines[tr("Not taken: tool server {name} (set it up here)").format(name=server)] = None
            continue
        key = find_key((table, *names))
        name = translated(key.label) if key is not None and key.label else setting.key
        if isinstance(value := setting.value, bool):
            value = tr("On") if value else tr("Off")
        elif key is not None and key.choices.get(str(value)):
            value = translated(key.choices[str(value)])
        shown = ", ".join(map(str, value)) if isinstance(value, list) else value
        words = tr("{name}: {value}") if setting.taken else tr("Not taken: {name} ({why})")
        lines[words.format(name=name, value=shown, why=translated(setting.why))] = None
    return list(lines)


def _changes(changes: Sequence[ImportChange]) -> list[str]:
    """Return the changes that come besides new threads: those that grew and projects by their names."""
    grown = [one for one in changes if (one.kind, one.change) == ("thread", "more")]
    lines = [_grown(one) for one in grown[:MOST_NAMED]]
    if len(grown) > MOST_NAMED:
        lines.append(tr("New messages in {count} more threads").format(count=grouped(len(grown) - MOST_NAMED)))
    lines += [_project(one) for one in changes if one.kind == "project"]
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


def _documents(changes: Sequence[ImportChange]) -> int:
    return sum(one.counts.get("documents", 0) for one in changes)


def _grown(change: ImportChange) -> str:
    count = change.counts["messages"]
    words = tr("“{title}”: 1 new message") if count == 1 else tr("“{title}”: {count} new messages")
    return words.format(title=change.name, count=grouped(count))


def _project(change: ImportChange) -> str:
    told = {
        "threads": tr("Threads: {count}"),
        "documents": tr("Documents: {count}"),
        "folders": tr("Folders to choose: {count}"),
    }
    counts = [words.format(count=grouped(count)) for what, words in told.items() if (count := change.counts.get(what))]
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
    if count := preview.messages:
        return tr("Import 1 message") if count == 1 else tr("Import {count} messages").format(count=grouped(count))
    return tr("Import") if preview.everything or _documents(preview.changes) else ""


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


SHARES = 1_000
"""Steps of a bar where the number of threads is not known."""

Show: TypeAlias = Callable[[TransferState], None]
Previewed: TypeAlias = tuple[tuple[Path, ...], int, bool]
"""The files looked at, how many good threads are in them, and whether anything is broken."""


async def preview_files(services: WindowServices, paths: Sequence[Path], show: Show) -> tuple[TransferState, Previewed]:
    """Looks at what an import would do."""
    preview = await services.transfer.preview(paths, lambda done, share: show(_share(done, share)))
    words = preview_words(preview)
    phase: Phase = "ready" if words.button else "failed" if preview.broken else "done"
    lines, taken = tuple(setting_lines(preview.settings)), sum(one.taken for one in preview.settings)
    state = TransferState(
        "import", phase, words.line, details=words.details, button=words.button, settings=lines, taken=taken
    )
    return state, (tuple(paths), preview.threads + preview.already, bool(preview.broken))


async def import_files(
    services: WindowServices,
    paths: Sequence[Path],
    expected: int,
    show: Show,
    *,
    partial: bool,
    with_settings: bool = True,
) -> TransferState:
    """Imports; `expected` as in `RunningTransfer.import_files`."""

    def progress(done: int, share: float) -> None:
        if not expected:
            show(_share(done, share))
            return
        words = tr("Importing {done} of {total} threads").format(done=grouped(done), total=grouped(expected))
        show(TransferState("import", "running", words, min(done, expected), expected))

    done = await services.transfer.import_files(paths, progress, partial=partial, with_settings=with_settings)
    words = report_words(done)
    return TransferState("import", "done", words.line, details=words.details)


async def look_for_chats(services: WindowServices, *, new: bool) -> tuple[FoundChats | None, str]:
    """The chats that another program keeps on this computer, and what a button says that imports them."""
    found = await (find_new_chats(services.transfer) if new else find_chats())
    return found, found_words(found)


async def export_threads(services: WindowServices, wish: ExportWish, output: Path, show: Show) -> TransferState:
    """Writes threads to a file or folder."""
    ids = wish.scope.ids
    count = len(await services.library.threads()) if ids is None else len(ids)

    def progress(done: int, total: int) -> None:
        if total == 1:
            return  # what is said already holds until the end
        words = tr("Exporting {done} of {total} threads").format(done=grouped(done), total=grouped(total))
        show(TransferState("export", "running", words, done, total))

    contents = ExportContents(details=wish.details, attached=wish.attached)
    files = await services.thread_export.export(ids, wish.kind, output, contents, progress)
    words = tr("1 thread exported") if count == 1 else tr("{count} threads exported")
    where = tr("To {place}").format(place=files[0] if len(files) == 1 else output)
    folder = files[0].parent if files else None
    return TransferState("export", "done", words.format(count=grouped(count)), details=(where,), folder=folder)


async def export_everything(services: WindowServices, output: Path, show: Show) -> TransferState:
    """Writes the archive of all there is."""

    def progress(share: float) -> None:
        show(TransferState("export", "running", tr("Exporting everything"), round(share * SHARES), SHARES))

    file = await services.everything.write(output, progress)
    where = tr("To {place}").format(place=file)
    return TransferState("export", "done", tr("Everything exported"), details=(where,), folder=file.parent)


def _share(done: int, share: float) -> TransferState:
    words = tr("{count} threads so far").format(count=grouped(done))
    return TransferState("import", "running", words, round(share * SHARES), SHARES)
