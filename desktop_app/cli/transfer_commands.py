"""Runs `import` and `export`: their report in words or JSON."""

from __future__ import annotations

from pathlib import Path

from desktop_app.cli.exit_codes import DONE
from desktop_app.cli.options import ExportOptions, ImportOptions
from desktop_app.cli.output import Output
from desktop_app.controller.formats.exported_thread import ExportContents
from desktop_app.controller.ports import History
from desktop_app.controller.thread_export import ThreadExport
from desktop_app.controller.transfer import Transfer


async def bring_in(transfer: Transfer, options: ImportOptions, output: Output) -> int:
    """Imports the files together and prints the report."""
    report = await transfer.import_files([Path(name) for name in options.files])
    if options.json:
        skipped = [{"what": skip.what, "why": skip.why} for skip in report.skipped]
        output.json(
            {"threads": report.threads, "messages": report.messages, "skipped": skipped, "already": report.already}
        )
        return DONE
    output.line(f"{_count(report.threads, 'new thread')}, {_count(report.messages, 'new message')}.")
    if report.already:
        output.line(f"{_count(report.already, 'thread')} had been imported before.")
    for skip in report.skipped:
        output.line(f"Left out: {skip.what}: {skip.why}.")
    return DONE


async def write_out(history: History, export: ThreadExport, options: ExportOptions, output: Output) -> int:
    """Writes the threads and prints the paths of the files."""
    chosen = None if options.threads is None else [(await history.find_thread(one)).id for one in options.threads]
    contents = ExportContents(details=options.details, attached=options.attached)
    for path in await export.export(chosen, options.format, Path(options.output), contents):
        output.line(str(path))
    return DONE


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
