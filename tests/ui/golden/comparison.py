"""Owns how two pictures are compared and how their difference is shown. Knows no window."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from PIL import Image, ImageChops

Color: TypeAlias = tuple[int, int, int]

TOLERANCE = 24
"""Of 255 per channel: what antialiasing may do, and what few colours in a stored picture cost."""
GAP = 8
"""Pixels between pictures that are shown side by side."""
COLOURS = 256
LOSS = 16
"""Of 255 per channel: more than this no colour of a stored picture may be away from what was drawn."""


@dataclass(frozen=True, slots=True)
class Difference:
    """So many pixels differ, all within `box` (left, top, right, bottom); sizes that differ are told instead."""

    pixels: int
    box: tuple[int, int, int, int]
    sizes: str = ""

    def __str__(self) -> str:
        if self.sizes:
            return self.sizes
        left, top, right, bottom = self.box
        return f"{self.pixels:,} pixels differ, from ({left}, {top}) to ({right}, {bottom})"


def difference(expected: Path, actual: Path) -> Difference | None:
    """What differs by more than the tolerance; None: nothing."""
    one, other = _opened(expected), _opened(actual)
    if one.size != other.size:
        sizes = " × ".join(map(str, one.size)), " × ".join(map(str, other.size))
        return Difference(0, (0, 0, 0, 0), f"the size was {sizes[0]} and is {sizes[1]}")
    differing = _differing(one, other)
    return None if (box := differing.getbbox()) is None else Difference(differing.histogram()[255], box)


def save_difference(expected: Path, actual: Path, folder: Path) -> None:
    """Writes one picture to look at: as it was, as it is, and the latter paled with what differs in red, side by side.

    Expected and actual are written by themselves, too. Pictures of different sizes have nothing marked.
    """
    folder.mkdir(parents=True, exist_ok=True)
    one, other = _opened(expected), _opened(actual)
    one.save(folder / f"{expected.stem}-expected.png")
    other.save(folder / f"{expected.stem}-actual.png")
    shown = [one, other]
    if one.size == other.size:
        paled = Image.blend(other, Image.new("RGB", other.size, "grey"), 0.7)
        paled.paste("red", mask=_differing(one, other))
        shown.append(paled)
    size = sum(each.width + GAP for each in shown) - GAP, max(each.height for each in shown)
    beside, left = Image.new("RGB", size, "magenta"), 0
    for each in shown:
        beside.paste(each, (left, 0))
        left += each.width + GAP
    beside.save(folder / f"{expected.stem}-difference.png")


def store(drawn: Path, kept: Path) -> None:
    """Keeps a drawn picture in as few bytes as it can: with few colours where that changes none of them visibly."""
    picture = _opened(drawn)
    channels = iter(picture.tobytes())
    pixels: list[Color] = list(zip(channels, channels, channels, strict=True))
    places, palette, worst = _few_colours(pixels)
    if worst <= LOSS:
        few = Image.frombytes("P", picture.size, bytes(places[pixel] for pixel in pixels))
        few.putpalette([channel for color in palette for channel in color])
        few.save(kept, optimize=True)
    else:
        picture.save(kept, optimize=True)


def _few_colours(pixels: Sequence[Color]) -> tuple[dict[Color, int], list[Color], int]:
    """Each colour's place in a palette, the palette, and how far a colour is from its own at most.

    Half of the palette are the most frequent colours, that is areas and strokes, exactly as they are; the others are
    chosen so that none is far away.
    """
    colors = [color for color, _ in Counter(pixels).most_common()]
    palette, rare = colors[: COLOURS // 2], colors[COLOURS // 2 :]
    places = {color: place for place, color in enumerate(palette)}
    nearest = [(*min((_distance(color, one), place) for place, one in enumerate(palette)), color) for color in rare]
    while nearest and len(palette) < COLOURS:
        # the colour that is farthest from all of the palette joins it
        _, _, color = max(nearest)
        place = len(palette)
        palette.append(color)
        nearest = [min((off, at, one), (_distance(one, color), place, one)) for off, at, one in nearest]
    places |= {one: at for _, at, one in nearest}
    return places, palette, max((off for off, _, _ in nearest), default=0)


def _distance(one: Color, other: Color) -> int:
    """In the channel that is farthest."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]), abs(one[2] - other[2]))


def _opened(path: Path) -> Image.Image:
    with Image.open(path) as picture:
        return picture.convert("RGB")


def _differing(one: Image.Image, other: Image.Image) -> Image.Image:
    """White where a channel differs by more than the tolerance, else black."""
    channels = ImageChops.difference(one, other).split()
    most = channels[0]
    for channel in channels[1:]:
        most = ImageChops.lighter(most, channel)
    return most.point(lambda value: 255 if value > TOLERANCE else 0)
