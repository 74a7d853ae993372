"""The facts that the window remembers between starts: place, panes, the open thread, and where in it somebody reads."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QByteArray, QSettings, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget


class ReadingPosition(NamedTuple):
    """The place where somebody reads, to be found again when the thread is laid out again.

    `message`: id of the message whose row stands `top` pixels below the view's top; negative: it begins above.
    `slot`: the row's number in its message, -1: the message's first row. `held`: a message id and the pixels that
    there is room for from its top on. `text`: a position in the row's text; the line it is in stands at `top` then.
    """

    message: str
    top: int
    slot: int = -1
    held: tuple[str, int] | None = None
    text: int = 0


class LeftPlace(NamedTuple):
    """The place where a thread was left above its end. `last`: id of the message that it ended with then."""

    last: str
    place: ReadingPosition
    private: bool = False


MOST_LEFT = 50
"""Threads of which it is remembered where they were left: the latest."""

FIRST_SIZE = QSize(1120, 760)
"""The window's size at its first start, in device-independent pixels."""

FRAME = QSize(0, 40)
"""The part of the screen that a title bar takes, at most: its height is known only once the window is there."""


class WindowState:
    """The `window.ini` of a data folder, as one window sees it.

    `settings`: the file, for what pages remember. `slot`: the window's number: 0 is painted at the start, others later.
    """

    def __init__(self, path: Path, slot: int = 0) -> None:
        self._path = str(path)
        self.settings = QSettings(self._path, QSettings.Format.IniFormat)
        self.slot = slot
        self.left_at = self._read_left_at()

    def _read_left_at(self) -> dict[str, LeftPlace]:
        """Return where threads were left, by their ids, the latest last."""
        kept: dict[str, LeftPlace] = {}
        try:
            for thread_id, last, place in json.loads(str(self.settings.value(self._key("left_at"), "[]"))):
                if (read := _read(place)) is not None:
                    kept[str(thread_id)] = LeftPlace(str(last), read)
        except (ValueError, TypeError):
            return {}
        return kept

    def keep_place(self, thread_id: str, left: LeftPlace) -> None:
        """Remember where a thread was left; what is known of too many goes, of the earliest first."""
        self.left_at.pop(thread_id, None)
        self.left_at[thread_id] = left
        for earliest in tuple(self.left_at)[:-MOST_LEFT]:
            del self.left_at[earliest]

    def _left_at_told(self) -> str:
        lasting = [(of, left.last, _told(left.place)) for of, left in tuple(self.left_at.items()) if not left.private]
        return json.dumps(lasting)

    @property
    def others(self) -> int:
        """The number of windows beside the first."""
        kept = str(self.settings.value("others", ""))
        return int(kept) if kept.isdecimal() else 0

    @others.setter
    def others(self, count: int) -> None:
        for gone in range(count + 1, self.others + 1):
            self.settings.remove(f"window{gone}")
        self.settings.setValue("others", count)
        self.settings.sync()

    @property
    def open_in_others(self) -> frozenset[str]:
        """The threads that the windows beside the first showed."""
        return frozenset(str(self.settings.value(f"window{n}/open_thread")) for n in range(1, self.others + 1))

    def _key(self, name: str) -> str:
        return f"window{self.slot}/{name}" if self.slot else name

    def reset(self) -> None:
        """Forgets the layout and the other windows; the open thread stays known."""
        if self.others:
            self.others = 0
        for key in ("geometry", "list_width", "list_hidden", "closed_groups", "inspector_shown", "inspector_width"):
            self.settings.remove(key)

    @property
    def open_thread(self) -> str | None:
        value = self.settings.value(self._key("open_thread"))
        return str(value) if value else None

    @open_thread.setter
    def open_thread(self, thread_id: str | None) -> None:
        self.settings.setValue(self._key("open_thread"), thread_id or "")

    def write_open_thread(self, thread_id: str | None, place: ReadingPosition | None) -> None:
        """Writes at once which thread is open and where it is read; waits for the disk. For any Python thread."""
        # of its own, as these may not be shared between threads; what they hold is
        settings = QSettings(self._path, QSettings.Format.IniFormat)
        settings.setValue(self._key("open_thread"), thread_id or "")
        settings.setValue(self._key("reading_place"), _told(place))
        settings.setValue(self._key("left_at"), self._left_at_told())
        settings.sync()

    @property
    def reading_place(self) -> ReadingPosition | None:
        """The place where the open thread was read, as `TranscriptView.whereabouts` tells it; None: at its end."""
        return _read(str(self.settings.value(self._key("reading_place"), "")))

    @reading_place.setter
    def reading_place(self, place: ReadingPosition | None) -> None:
        self.settings.setValue(self._key("reading_place"), _told(place))

    @property
    def closed_groups(self) -> tuple[str, ...]:
        """The groups of the thread list whose threads are not shown."""
        return tuple(str(self.settings.value(self._key("closed_groups"), "")).split())

    @closed_groups.setter
    def closed_groups(self, keys: Iterable[str]) -> None:
        self.settings.setValue(self._key("closed_groups"), " ".join(sorted(keys)))

    @property
    def quick_draft(self) -> str:
        """The unsent text in the quick line."""
        return str(self.settings.value("quick_draft", ""))

    @quick_draft.setter
    def quick_draft(self, text: str) -> None:
        if text != self.quick_draft:
            self.settings.setValue("quick_draft", text)
            self.settings.sync()

    @property
    def told_of_tray(self) -> bool:
        """True where it has been said that closing the window leaves Plimsoll in the tray."""
        return str(self.settings.value("told_of_tray", "false")) == "true"

    @told_of_tray.setter
    def told_of_tray(self, told: bool) -> None:
        self.settings.setValue("told_of_tray", "true" if told else "false")

    @property
    def palette_recent(self) -> tuple[str, ...]:
        """The entries chosen last in the command palette, the newest first."""
        return tuple(str(self.settings.value("palette_recent", "")).splitlines())

    def remember_in_palette(self, entry: str, most: int) -> None:
        """Puts an entry before all others; only the first `most` are kept."""
        others = (other for other in self.palette_recent if other != entry)
        self.settings.setValue("palette_recent", "\n".join([entry, *others][:most]))

    def restore(self, window: QWidget) -> None:
        """Puts the window where it was (Qt moves it into view where that screen is gone), else in the middle."""
        geometry = self.settings.value(self._key("geometry"))
        if not (isinstance(geometry, QByteArray) and window.restoreGeometry(geometry)):
            window.resize(FIRST_SIZE)
            if (screen := QGuiApplication.primaryScreen()) is not None:
                room = screen.availableGeometry()
                window.resize(FIRST_SIZE.boundedTo(room.size() - FRAME))
                window.move(room.center() - window.rect().center())

    def pane(self, flag: str, width: str) -> tuple[bool, int | None]:
        """The state of list or inspector, by its keys: the flag, and its width in pixels; None where none is stored."""
        kept = str(self.settings.value(self._key(width), ""))
        return str(self.settings.value(self._key(flag), "false")) == "true", int(kept) if kept.isdecimal() else None

    @property
    def artifact(self) -> str:
        """The id of the artifact that was shown beside the open thread; "" where none was."""
        return str(self.settings.value(self._key("artifact"), ""))

    def layout(
        self, window: QWidget, *, thread_list: tuple[bool, int], inspector: tuple[bool, int], artifact: str
    ) -> Mapping[str, object]:
        """The window's place and panes, as the file has them; of a pane: if it is shown, and its width."""
        shown = ["true" if one else "false" for one in (not thread_list[0], inspector[0])]
        values = (window.saveGeometry(), thread_list[1], *shown, inspector[1], artifact)
        names = ("geometry", "list_width", "list_hidden", "inspector_shown", "inspector_width", "artifact")
        return dict(zip(map(self._key, names), values, strict=True))

    def write_layout(self, layout: Mapping[str, object]) -> None:
        """Writes a layout at once; waits for the disk. For any Python thread."""
        settings = QSettings(self._path, QSettings.Format.IniFormat)
        for name, value in layout.items():
            settings.setValue(name, value)
        settings.sync()

    def save(self, layout: Mapping[str, object]) -> None:
        for name, value in layout.items():
            self.settings.setValue(name, value)
        self.settings.setValue(self._key("left_at"), self._left_at_told())
        self.settings.sync()


def _told(place: ReadingPosition | None) -> str:
    return json.dumps([*place[:3], *(place.held or ("", 0)), place.text]) if place is not None else ""


def _read(told: str) -> ReadingPosition | None:
    """Return the place that `_told` wrote; None where it is none."""
    try:
        of, top, slot, held, room, *text = json.loads(told)
        return ReadingPosition(str(of), int(top), int(slot), (str(held), int(room)) if held else None, *map(int, text))
    except (ValueError, TypeError):
        return None
