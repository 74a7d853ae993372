"""The rule that lines of a script that is not in the bundled font are as high as that script needs.

Qt makes a line as high as the highest font in it. Beside labels in Latin letters those in Chinese characters, which
come from a font of the system, would be higher and stand lower. Where most labels are such, the bundled font gets the
room beforehand: then all lines are of one height, and all letters on one baseline. Knows no widget and no text.
"""

from __future__ import annotations

import struct
from typing import Final

from PySide6.QtGui import QFontDatabase

from desktop_app.resources import resource
from desktop_app.ui.theme.theme import BODY_FAMILY

ASCENT: Final = 1.17
DESCENT: Final = 0.37
"""Room above and below the baseline as shares of the font's size.

Noto Sans CJK has 1.16 and 0.29, PingFang and Microsoft YaHei 1.06 and 0.34 at most. With as much as this below,
characters (from -0.08 to 0.84) and capitals (from 0 to 0.73) stand in the middle of their line.
"""
_UNITS: Final = (b"head", 18)
_METRICS_OF: Final = {b"hhea": (4, "hh"), b"OS/2": (68, "hhhHH")}
"""The place of the units per em in a font, and the tables with its metrics (OpenType 1.9)."""


def give_room() -> None:
    """Load the bundled fonts again, with more room for lines. To be called before a window is made."""
    QFontDatabase.removeAllApplicationFonts()
    for path in sorted(resource("fonts").glob("*.[ot]tf")):
        data = path.read_bytes()
        if path.name.startswith(BODY_FAMILY):
            data = with_room(data)
        if QFontDatabase.addApplicationFontFromData(data) < 0:
            raise FileNotFoundError(f"The font {path.name} that belongs to Plimsoll can't be read")


def with_room(data: bytes) -> bytes:
    """A font (OpenType) with the metrics of lines above; its letters stay."""
    made = bytearray(data)
    (count,) = struct.unpack_from(">H", data, 4)
    places: dict[bytes, int] = {}
    for number in range(count):
        tag, _, offset, _ = struct.unpack_from(">4sIII", data, 12 + 16 * number)
        places[tag] = offset
    (units,) = struct.unpack_from(">H", data, places[_UNITS[0]] + _UNITS[1])
    above, below = round(ASCENT * units), round(DESCENT * units)
    for tag, (at, kind) in _METRICS_OF.items():
        values = (above, -below) if kind == "hh" else (above, -below, 0, above, below)
        struct.pack_into(f">{kind}", made, places[tag] + at, *values)
    return bytes(made)
