"""A desktop of its own for one test: an X screen, a session bus, the accessibility bus, and a reader on it.

Needs Xvfb, dbus-daemon and at-spi2-core (Debian: xvfb, dbus, at-spi2-core) and the package jeepney.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import struct
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jeepney import (  # type: ignore[import-untyped]
    DBusAddress,
    HeaderFields,
    MatchRule,
    MessageType,
    message_bus,
    new_method_call,
)
from jeepney.io.blocking import DBusConnection, open_dbus_connection  # type: ignore[import-untyped]

from tests.patience import PATIENCE_S

ATSPI = "org.a11y.atspi"
Window = ctypes.c_ulong
LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")
PAUSE_S = 0.05
ACTIVE, FOCUSED, SHOWING = 1, 12, 25
"""Bits of the state: a window or a thing in it has the keyboard; a thing can be seen (AtspiStateType)."""
VIEWABLE, SIZE_AT, MAP_STATE_AT, ATTRIBUTES = 2, 8, 92, 256
"""A window's state on the screen, and where Xlib writes it and the size, in bytes (XWindowAttributes, 64 bits)."""


def missing() -> str:
    """The Debian packages that this machine lacks, in words; empty: it has all."""
    absent = [
        package
        for package, there in (
            ("xvfb", shutil.which("Xvfb")),
            ("dbus", shutil.which("dbus-daemon")),
            ("at-spi2-core", any(Path(path).exists() for path in LAUNCHERS)),
        )
        if not there
    ]
    return f"needs {', '.join(absent)}" if absent else ""


@dataclass(frozen=True, slots=True)
class Announced:
    """What a program said on the bus of the object `path`: "Announcement", "TextCaretMoved", ... with its arguments."""

    member: str
    path: str
    arguments: tuple[Any, ...]


class GoneError(LookupError):
    """What was listed a moment ago has ended."""


class Reader:
    """Reads programs as a screen reader does."""

    def __init__(self, address: str) -> None:
        self._bus = open_dbus_connection(address)
        self._events: DBusConnection = open_dbus_connection(address)
        self._events.send_and_get_reply(message_bus.AddMatch(MatchRule(type="signal")), timeout=PATIENCE_S)
        registry = DBusAddress(f"/{ATSPI.replace('.', '/')}/registry", f"{ATSPI}.Registry", f"{ATSPI}.Registry")
        for kind in ("object:", "window:"):
            ask = new_method_call(registry, "RegisterEvent", "sass", (kind, [], ""))
            self._events.send_and_get_reply(ask, timeout=PATIENCE_S)

    def close(self) -> None:
        self._bus.close()
        self._events.close()

    def call(self, thing: Thing, interface: str, method: str, signature: str = "", body: tuple[Any, ...] = ()) -> Any:
        """What a method answers; `LookupError` where it refuses, `GoneError` where the thing is not there any more."""
        address = DBusAddress(thing.path, thing.program, interface)
        reply = self._bus.send_and_get_reply(
            new_method_call(address, method, signature or None, body), timeout=PATIENCE_S
        )
        if reply.header.message_type is MessageType.error:
            gone = "No such object path" in str(reply.body)
            raise (GoneError if gone else LookupError)(f"{interface}.{method}: {reply.body}")
        return reply.body[0] if len(reply.body) == 1 else reply.body

    def programs(self) -> list[Thing]:
        """The programs that can be read."""
        return Thing(self, f"{ATSPI}.Registry", "/org/a11y/atspi/accessible/root").children

    def program(self) -> Thing:
        """The first program that can be read, once there is one."""
        found = self.until(self.programs, "a program on the accessibility bus")[0]
        assert isinstance(found, Thing)
        return found

    def type_key(self, symbol: int, *held: int) -> None:
        """Presses a key as a person does. `symbol`: X's name for it as a number; `held`: key codes of others."""
        path = f"/{ATSPI.replace('.', '/')}/registry/deviceeventcontroller"
        keys = DBusAddress(path, f"{ATSPI}.Registry", f"{ATSPI}.DeviceEventController")
        down, up, stroke = 0, 1, 3
        for number, kind in (*((code, down) for code in held), (symbol, stroke), *((code, up) for code in held)):
            call = new_method_call(keys, "GenerateKeyboardEvent", "isu", (number, "", kind))
            self._bus.send_and_get_reply(call, timeout=PATIENCE_S)

    def heard(self) -> list[Announced]:
        """What has been said since the last time that was asked."""
        found: list[Announced] = []
        while True:
            try:
                message = self._events.receive(timeout=PAUSE_S)
            except TimeoutError:
                return found
            fields = message.header.fields
            member, path = fields.get(HeaderFields.member, ""), fields.get(HeaderFields.path, "")
            found.append(Announced(member, path, message.body))

    def until(self, look: Callable[[], Any], what: str) -> Any:
        """The first answer that is true; where something ends while it is looked at, it is looked at again."""

        def looked() -> Any:
            try:
                return look()
            except GoneError:
                return None

        deadline = time.monotonic() + PATIENCE_S
        while not (found := looked()):
            assert time.monotonic() < deadline, f"never came: {what}"
            # a screen reader hears of it; looking again is simpler, and as slow as a person
            time.sleep(PAUSE_S)
        return found


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing that can be read; every answer is asked for anew."""

    reader: Reader
    program: str
    path: str

    def _property(self, name: str, interface: str = "Accessible") -> Any:
        asked = (f"{ATSPI}.{interface}", name)
        return self.reader.call(self, "org.freedesktop.DBus.Properties", "Get", "ss", asked)[1]

    def ask(self, interface: str, method: str, signature: str = "", *body: Any) -> Any:
        return self.reader.call(self, f"{ATSPI}.{interface}", method, signature, body)

    @property
    def name(self) -> str:
        return str(self._property("Name"))

    @property
    def description(self) -> str:
        return str(self._property("Description"))

    @property
    def parent(self) -> Thing:
        return Thing(self.reader, *self._property("Parent"))

    @property
    def role(self) -> str:
        return str(self.ask("Accessible", "GetRoleName"))

    @property
    def children(self) -> list[Thing]:
        return [Thing(self.reader, *each) for each in self.ask("Accessible", "GetChildren")]

    @property
    def interfaces(self) -> set[str]:
        return {name.removeprefix(f"{ATSPI}.") for name in self.ask("Accessible", "GetInterfaces")}

    @property
    def place(self) -> tuple[int, int, int, int]:
        """Left, top, width and height on the screen."""
        left, top, width, height = self.ask("Component", "GetExtents", "u", 0)
        return left, top, width, height

    @property
    def text(self) -> str:
        return str(self.ask("Text", "GetText", "ii", 0, -1))

    @property
    def caret(self) -> int:
        return int(self._property("CaretOffset", "Text"))

    @property
    def value(self) -> float:
        return float(self._property("CurrentValue", "Value"))

    def has(self, state: int) -> bool:
        low, high = self.ask("Accessible", "GetState")
        return bool((low | high << 32) >> state & 1)

    def press(self) -> None:
        """Does what a click does."""
        assert self.ask("Action", "DoAction", "i", 0)

    def all(self) -> Iterator[Thing]:
        """This thing and all beneath it."""
        yield self
        for child in self.children:
            yield from child.all()

    def find(self, role: str, name: str) -> Thing:
        """The first shown thing of that role and name, once there is one."""

        def look() -> Thing | None:
            return next((one for one in self.all() if one.role == role and one.name == name and one.has(SHOWING)), None)

        found = self.reader.until(look, f"{role} {name!r}")
        assert isinstance(found, Thing)
        return found


@dataclass(frozen=True, slots=True)
class Desktop:
    """`environ`: for programs that are to appear there."""

    reader: Reader
    environ: dict[str, str]


@contextmanager
def desktop(folder: Path) -> Iterator[Desktop]:
    """A desktop until the block ends. `folder`: an empty one with a short path, for sockets."""
    with ExitStack() as until_the_end:
        display = until_the_end.enter_context(_screen())
        around = {**os.environ, "DISPLAY": display, "XDG_RUNTIME_DIR": str(folder), "HOME": str(folder)}
        command = ["dbus-daemon", "--session", "--nofork", "--nosyslog", "--print-address=1"]
        # the programs that a bus starts end with it
        bus = until_the_end.enter_context(_running(command, stdout=subprocess.PIPE, env=around))
        assert bus.stdout is not None
        address = bus.stdout.readline().decode().strip()
        session = open_dbus_connection(address)
        until_the_end.callback(session.close)
        accessibility = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus")
        read_at = session.send_and_get_reply(new_method_call(accessibility, "GetAddress"), timeout=PATIENCE_S).body[0]
        switch = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.freedesktop.DBus.Properties")
        on = ("org.a11y.Status", "IsEnabled", ("b", True))
        session.send_and_get_reply(new_method_call(switch, "Set", "ssv", on), timeout=PATIENCE_S)
        reader = Reader(read_at)
        until_the_end.callback(reader.close)
        yield Desktop(
            reader,
            {
                **around,
                "DBUS_SESSION_BUS_ADDRESS": address,
                "QT_QPA_PLATFORM": "xcb",
                "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
            },
        )


def give_keyboard(display: str) -> None:
    """Gives the widest window of a screen the keyboard, which without a window manager none has."""
    x = ctypes.CDLL("libX11.so.6")
    x.XOpenDisplay.restype = ctypes.c_void_p
    x.XDefaultRootWindow.restype = Window
    screen = ctypes.c_void_p(x.XOpenDisplay(display.encode()))
    found, count, other = ctypes.POINTER(Window)(), ctypes.c_uint(), Window()
    root = Window(x.XDefaultRootWindow(screen))
    x.XQueryTree(screen, root, *(ctypes.byref(one) for one in (other, other, found, count)))
    widest, width = 0, 0
    for window in found[: count.value]:
        attributes = ctypes.create_string_buffer(ATTRIBUTES)
        x.XGetWindowAttributes(screen, Window(window), attributes)
        (wide,) = struct.unpack_from("i", attributes, SIZE_AT)
        if struct.unpack_from("i", attributes, MAP_STATE_AT)[0] == VIEWABLE and wide > width:
            widest, width = window, wide
    x.XSetInputFocus(screen, Window(widest), 1, Window(0))
    x.XCloseDisplay(screen)


@contextmanager
def _screen() -> Iterator[str]:
    """The name of an X display of its own."""
    heard, said = os.pipe()
    # -noreset: else the screen would begin anew when the first program leaves it, while the next one comes
    command = ["Xvfb", "-displayfd", str(said), "-screen", "0", "1280x1024x24", "-noreset", "-nolisten", "tcp"]
    with _running(command, pass_fds=[said], stderr=subprocess.DEVNULL):
        os.close(said)
        with os.fdopen(heard) as told:
            yield f":{told.readline().strip()}"


@contextmanager
def _running(command: list[str], **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(command, **{"stderr": subprocess.DEVNULL, **options})
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE_S)
