"""The decoded pictures: made from their bytes off the GUI thread, kept as long as there is room."""

from __future__ import annotations

import threading
from binascii import Error, a2b_base64
from collections import OrderedDict, deque
from collections.abc import Callable

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QImageReader

from desktop_app.core.messages import ImagePart

MOST_BYTES = 96 * 1024 * 1024
"""Decoded pixels that are kept."""
LOOK_MS = 8
"""Milliseconds between two looks for a picture, while one is awaited."""
PIECE = 1 << 18
"""Characters of base64 that are decoded at a time: between two pieces the GUI thread gets its turn."""

Key = tuple[int, int, int]


class _Work:
    """The pictures to decode, and the decoded ones: between two threads, so nothing here goes with a window."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wanted: deque[tuple[Key, str, QSize]] = deque()
        self._working = False
        self.done: deque[tuple[Key, QImage]] = deque()

    def add(self, key: Key, data: str, box: QSize) -> None:
        """Decodes this soon; what came last is what is looked at now, and comes first."""
        with self._lock:
            self._wanted.append((key, data, box))
            idle, self._working = not self._working, True
        if idle:
            # a daemon, so that a picture never holds up the exit
            threading.Thread(target=self._run, name="pictures", daemon=True).start()

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._wanted:
                    self._working = False
                    return
                key, data, box = self._wanted.pop()
            self.done.append((key, decoded(data, box)))


class PictureCache(QObject):
    """Pictures of some size in pixels, decoded one after the other. `arrived` comes after each."""

    arrived = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # with the text that was decoded: as long as it is kept, nothing else has its identity
        self._kept: OrderedDict[Key, tuple[str, QImage]] = OrderedDict()
        self._bytes = 0
        self._waiting: dict[Key, tuple[str, list[Callable[[], None]]]] = {}
        self._work = _Work()
        self._look = QTimer(self, interval=LOOK_MS)
        self._look.timeout.connect(self._take)

    def picture(self, image: ImagePart, box: QSize, then: Callable[[], None]) -> QImage | None:
        """The picture scaled down to fit into a box of pixels, null where it can't be shown.

        None where it is not there yet: then `then` is called, on the GUI thread, when it is.
        """
        key = (id(image.data), box.width(), box.height())
        if (kept := self._kept.get(key)) is not None:
            self._kept.move_to_end(key)
            return kept[1]
        if key in self._waiting:
            self._waiting[key][1].append(then)
            return None
        self._waiting[key] = (image.data, [then])
        self._work.add(key, image.data, box)
        self._look.start()
        return None

    @property
    def busy(self) -> bool:
        """True while pictures are still to come."""
        return bool(self._waiting)

    def _take(self) -> None:
        while self._work.done:
            self._keep(*self._work.done.popleft())
        if not self._waiting:
            self._look.stop()

    def _keep(self, key: Key, picture: QImage) -> None:
        data, then = self._waiting.pop(key)
        self._kept[key] = (data, picture)
        self._bytes += picture.sizeInBytes()
        while self._bytes > MOST_BYTES and len(self._kept) > 1:
            _, (_, old) = self._kept.popitem(last=False)
            self._bytes -= old.sizeInBytes()
        for call in then:
            call()
        self.arrived.emit()


def decoded(data: str, box: QSize) -> QImage:
    """The picture of base64 `data`, turned upright and scaled down to fit into a box; null if it is none.

    May be called on any thread.
    """
    pieces = QByteArray()
    try:
        for start in range(0, len(data), PIECE):
            pieces.append(a2b_base64(data[start : start + PIECE]))
    except (Error, ValueError):
        return QImage()
    device = QBuffer(pieces)
    device.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(device)
    reader.setAutoTransform(True)
    size = reader.size()
    turned = bool(reader.transformation() & reader.transformation().TransformationRotate90)
    room = box.transposed() if turned else box
    if size.isValid() and (size.width() > room.width() or size.height() > room.height()):
        scaled = size.scaled(room, Qt.AspectRatioMode.KeepAspectRatio)
        reader.setScaledSize(scaled.expandedTo(QSize(1, 1)))
    return reader.read()
