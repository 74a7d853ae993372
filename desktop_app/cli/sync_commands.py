"""Runs `sync ...`: sets it up, exchanges, tells its state, removes a device; in the window where one is open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from desktop_app.cli.command_process import DONE, Output
from desktop_app.cli.options import SyncOptions
from desktop_app.core.errors import UserError
from desktop_app.core.messages import FailureCode, Json
from desktop_app.core.sync import SyncExchange, SyncRefused, SyncStatus

if TYPE_CHECKING:
    from desktop_app.controller.history_sync import Sync

LONGEST_PASSPHRASE: Final = 10_000
"""Bytes of its file."""
CODES: Final[Mapping[str, FailureCode]] = {"config": "config", "network": "network"}
"""Failures by the kind of trouble; the others are the store's."""
SECOND_LINE: Final = "Without a keyring, write the current passphrase on the second line of the file."
NOT_SET_UP: Final = "Sync is not set up here. Run `plimsoll sync setup PLACE --passphrase-file FILE`."


def read_passphrase(path: str | None) -> str:
    """The passphrase in a file, without the end of its line; "" where no file is named."""
    if path is None:
        return ""
    try:
        with Path(path).open("rb") as file:
            text = file.read(LONGEST_PASSPHRASE + 1).decode().rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UserError("usage", f"{path} can't be read: {reason}.") from None
    if not text or len(text) > LONGEST_PASSPHRASE:
        raise UserError("usage", f"{path} holds no passphrase. Write it on the first line.")
    return text


def from_anywhere(options: SyncOptions) -> SyncOptions:
    """The options as they mean the same from another working folder."""
    folder = options.place and "://" not in options.place
    return replace(options, place=str(Path(options.place).expanduser().absolute())) if folder else options


async def run_sync(sync: Sync, options: SyncOptions, passphrase: str, output: Output) -> int:
    """Does what the options name; the exit status. Raises `UserError` where the engine refuses."""
    try:
        if options.act not in ("setup", "status") and not sync.status().place:
            raise UserError("config", NOT_SET_UP)
        return await _carry_out(sync, options, passphrase, output)
    except SyncRefused as refused:
        trouble = refused.trouble
        message = trouble.message
        if options.act == "revoke" and trouble.kind == "config" and len(passphrase.splitlines()) == 1:
            message = f"{message} {SECOND_LINE}"
        raise UserError(CODES.get(trouble.kind, "store"), message, detail=trouble.detail) from refused


async def _carry_out(sync: Sync, options: SyncOptions, passphrase: str, output: Output) -> int:
    match options.act:
        case "setup":
            key = await sync.setup(options.place, passphrase, options.device, accept_store=options.accept_store)
            _print_setup(sync.status(), key, output, json=options.json)
        case "now":
            if options.accept_store:
                await sync.accept_store()
            _print_exchange(await sync.now(passphrase or None), output, json=options.json)
        case "status" if options.json:
            output.json(status_shape(await sync.read_status()))
        case "status":
            _print_status(await sync.read_status(), output)
        case "pause":
            await sync.pause()
            output.tell("Sync is paused. `plimsoll sync resume` goes on.")
        case "resume":
            await sync.resume()
            output.tell("Sync goes on.")
        case "leave":
            await sync.leave()
            output.tell("Sync is off here. Your threads stay on this computer, and in the place as they are.")
        case "revoke":
            new, *current = passphrase.splitlines()
            key = await sync.revoke(options.device, new, *current[:1])
            output.tell("Removed. It keeps what it had. Change the credentials of the place yourself.")
            _print_key(key, output)
    return DONE


def status_shape(status: SyncStatus) -> dict[str, Json]:
    """The shape of `sync status --json`."""
    return {
        "place": status.place,
        "device": status.device,
        "devices": [
            {"id": one.id, "name": one.name, "last": one.last or None} for one in status.devices if not one.revoked
        ],
        "waiting": status.waiting,
        "paused": status.paused,
    }


def _print_setup(status: SyncStatus, key: str, output: Output, *, json: bool) -> None:
    if json:
        output.json({**status_shape(status), "recovery_key": key})
        return
    output.line(f"Syncing with {status.place} as {status.device}")
    _print_key(key, output)


def _print_exchange(done: SyncExchange, output: Output, *, json: bool) -> None:
    if json:
        output.json({"sent": done.sent, "received": done.received, "threads": done.threads, "bytes": done.bytes})
        return
    size = f"{done.bytes / 1e6:,.1f} MB"
    output.line(f"Sent {done.sent:,}, received {done.received:,} · {done.threads:,} threads · {size}")


def _print_key(key: str, output: Output) -> None:
    if key:
        output.line(f"Recovery key: {key}")
        output.tell("Print it or write it down. It opens your threads if you forget the passphrase.")


def _print_status(status: SyncStatus, output: Output) -> None:
    if not status.place:
        output.tell(NOT_SET_UP)
        return
    output.line(f"{status.place}  ({'paused' if status.paused else f'{status.waiting:,} waiting'})")
    for one in status.devices:
        said = "this device" if one.here else "removed" if one.revoked else ""
        seen = f"last {one.last[:16].replace('T', ' ')} UTC" if one.last else "never synced"
        output.line(f"  {one.id}  {one.name}  ({' · '.join(filter(None, (said, seen)))})")
    if status.still_on:
        output.line(f"Deleted for good here, still on {', '.join(status.still_on)}")
    if status.trouble is not None:
        output.tell(status.trouble.message)
