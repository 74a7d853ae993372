"""Runs `backup now|list|restore`."""

from __future__ import annotations

from desktop_app.cli.exit_codes import DONE
from desktop_app.cli.json_shapes import backup_shape, restore_shape
from desktop_app.cli.options import BackupOptions
from desktop_app.cli.output import Output
from desktop_app.controller.backups import Backups
from desktop_app.core.backups import Backup

MEGABYTE = 1_000_000


async def run_backup(backups: Backups, options: BackupOptions, output: Output) -> int:
    """Makes one, lists them, or restores from one."""
    match options.act:
        case "now":
            made = await backups.make()
            if options.json:
                output.json(backup_shape(made))
            else:
                output.line(_line(made))
        case "list":
            every = await backups.all()
            if options.json:
                output.json([backup_shape(one) for one in every])
            elif not every:
                output.tell("There are no backups yet.")
            else:
                for one in every:
                    output.line(_line(one))
        case "restore":
            done = await backups.restore(options.backup, options.thread)
            if options.json:
                output.json(restore_shape(done))
            else:
                output.line(
                    f"Back from {done.backup}: threads {done.threads}, messages {done.messages}; "
                    f"threads that were here already: {done.already}"
                )
                output.tell(f"What was here before is in the backup {done.before}.")
    return DONE


def _line(one: Backup) -> str:
    day, _, time = one.at.partition("T")
    state = "verified" if one.verified else "damaged "
    return (
        f"{one.id}  {day} {time[:5]}  {state}  {one.threads:>6} threads  {one.messages:>8} messages  "
        f"{one.bytes / MEGABYTE:.1f} MB"
    )
