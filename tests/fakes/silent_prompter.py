"""Stands in for the program that asks for a keyring's password: notes that it was asked, and never answers.

Run under a session bus with the path of the file in which it notes; the file is there once it serves. With a second
argument it answers as one whose dialog is closed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from jeepney import (  # type: ignore[import-untyped]
    DBusAddress,
    HeaderFields,
    Message,
    MessageType,
    message_bus,
    new_method_call,
    new_method_return,
)
from jeepney.io.blocking import Proxy, open_dbus_connection  # type: ignore[import-untyped]

NAMES = ("org.gnome.keyring.SystemPrompter", "org.gnome.keyring.PrivatePrompter")


def main() -> None:
    """Serves until it is ended."""
    notes, closes = Path(sys.argv[1]), len(sys.argv) > 2
    with open_dbus_connection() as bus:
        for name in NAMES:
            Proxy(message_bus, bus).RequestName(name)
        notes.touch()
        while True:
            message = bus.receive()
            if message.header.message_type != MessageType.method_call:
                continue
            if not closes or message.header.fields[HeaderFields.member] == "PerformPrompt":
                with notes.open("a") as file:
                    file.write("asked\n")
            if closes:
                for answer in closed(message):
                    bus.send(answer)


def closed(message: Message) -> list[Message]:
    """The answers of a dialog that is closed as soon as it is shown (gcr's protocol of prompters)."""
    fields = message.header.fields
    caller = DBusAddress(message.body[0], fields[HeaderFields.sender], "org.gnome.keyring.internal.Prompter.Callback")
    said = {"BeginPrompting": "", "PerformPrompt": "no"}.get(fields[HeaderFields.member])
    if said is None:
        return [new_method_return(message), new_method_call(caller, "PromptDone")]
    return [new_method_return(message), new_method_call(caller, "PromptReady", "sa{sv}s", (said, {}, ""))]


if __name__ == "__main__":
    main()
