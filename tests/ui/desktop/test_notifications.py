"""Notices over a real bus: what the desktop portal is asked, and what a click there does."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.patience import PATIENCE_S

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the portal is Linux's"),
    pytest.mark.skipif(shutil.which("dbus-daemon") is None, reason="needs dbus-daemon"),
]

DESKTOP = """
import sys
from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusVirtualObject
PATH, NOTICES = "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Notification"
class Portal(QDBusVirtualObject):
    def introspect(self, path):
        return ""
    def handleMessage(self, message, bus):
        if message.member() != "AddNotification":
            return False
        print(message.signature(), message.arguments()[0], flush=True)
        bus.send(message.createReply())
        click = QDBusMessage.createSignal(PATH, NOTICES, "ActionInvoked")
        click.setArguments([message.arguments()[0], "open", []])
        bus.send(click)
        return True
app = QCoreApplication([])
bus = QDBusConnection.connectToBus(sys.argv[1], "desktop")
portal = Portal()
assert bus.registerVirtualObject(PATH, portal)
assert bus.registerService("org.freedesktop.portal.Desktop")
print("ready", flush=True)
app.exec()
"""


CLIENT = """
import sys
from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtDBus import QDBusConnection
from desktop_app.ui.desktop.notifications import PortalNotices
app = QCoreApplication([])
notices = PortalNotices(QDBusConnection.connectToBus(sys.argv[1], "client"))
def over(*words):
    print(*words, flush=True)
    QTimer.singleShot(0, app.quit)
notices.chosen.connect(lambda key: over("chosen", key))
notices.refused.connect(lambda *notice: over("refused", *notice))
QTimer.singleShot(0, lambda: notices.tell("abc123", "Headline", "Title"))
QTimer.singleShot(5000, lambda: over("nothing"))
app.exec()
"""
"""The window's side, in a process of its own: QtDBus keeps one connection per process and name."""


@pytest.fixture
def bus_address() -> Iterator[str]:
    """A session bus of this test only."""
    command = ["dbus-daemon", "--session", "--nosyslog", "--fork", "--print-address=1", "--print-pid=1"]
    started = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    address, process = started.stdout.split()
    yield address
    os.kill(int(process), signal.SIGTERM)


def told_to(bus_address: str) -> str:
    """What becomes of a notice on that bus."""
    run = subprocess.run(
        [sys.executable, "-c", CLIENT, bus_address], capture_output=True, text=True, timeout=PATIENCE_S, check=True
    )
    return run.stdout.strip()


def test_the_portal_is_asked_and_a_click_names_the_thread(bus_address: str) -> None:
    desktop = subprocess.Popen([sys.executable, "-c", DESKTOP, bus_address], stdout=subprocess.PIPE, text=True)
    try:
        assert desktop.stdout is not None
        assert desktop.stdout.readline() == "ready\n"
        assert told_to(bus_address) == "chosen abc123"
        assert desktop.stdout.readline() == "sa{sv} abc123\n"
    finally:
        desktop.terminate()
        desktop.communicate(timeout=PATIENCE_S)


def test_without_a_portal_it_is_handed_on(bus_address: str) -> None:
    assert told_to(bus_address) == "refused abc123 Headline Title"


def test_without_a_bus_it_is_handed_on() -> None:
    assert told_to("unix:path=/nonexistent") == "refused abc123 Headline Title"
