"""Stands in for the program that asks for a keyring's password: notes that it was asked, and never answers.

Run under a session bus with the path of the file in which it notes; the file is there once it serves.
"""

from __future__ import annotations

import sys
from pathlib import Path

from jeepney import MessageType, message_bus  # type: ignore[import-untyped]
from jeepney.io.blocking import Proxy, open_dbus_connection  # type: ignore[import-untyped]

NAMES = ("org.gnome.keyring.SystemPrompter", "org.gnome.keyring.PrivatePrompter")


def main() -> None:
    """Serves until it is ended."""
    notes = Path(sys.argv[1])
    with open_dbus_connection() as bus:
        for name in NAMES:
            Proxy(message_bus, bus).RequestName(name)
        notes.touch()
        while True:
            if bus.receive().header.message_type == MessageType.method_call:
                with notes.open("a") as file:
                    file.write("asked\n")


if __name__ == "__main__":
    main()
