"""Makes a picture one that every model takes, and recognizes its text by the `tesseract` program, if there is one."""

from __future__ import annotations

import base64
import io
import os
import re
import shutil
import subprocess
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from desktop_app.core.phrases import phrase
from desktop_app.documents.file_opening import (
    DAMAGED_IMAGE,
    IMAGE_TOO_HEAVY,
    LONGEST_EDGE,
    MOST_IMAGE_BASE64,
    MOST_PIXELS,
    RECOGNITION_LANGUAGE,
    TOO_MANY_PIXELS,
    UnreadableError,
)

if TYPE_CHECKING:
    from PIL.Image import Image


FORMATS: Final = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "AVIF")
"""The formats that are opened; Pillow's readers of rarer formats are not needed and little used."""

SMALLER: Final = 0.75
SMALLEST_EDGE: Final = 200
_ORIENTATION: Final = 0x0112
_TURNS: Final = {2: 0, 3: 3, 4: 1, 5: 5, 6: 4, 7: 6, 8: 2}
"""The camera's values of how it was held, and the `Image.Transpose` that turns the picture upright."""

_PHOTOS: Final = ("JPEG", "MPO", "AVIF")


@dataclass(frozen=True, slots=True)
class ReadImage:
    """A picture as it is sent: base64 of the media type, size in pixels; `note` if it is one of several frames."""

    media_type: str
    data: str
    width: int
    height: int
    note: str = ""


def read_image(data: bytes) -> ReadImage:
    """The picture in the bytes of a file. Raises `UnreadableError` for what is damaged or too large."""
    from PIL import Image, UnidentifiedImageError

    Image.MAX_IMAGE_PIXELS = MOST_PIXELS
    try:
        Image.init()
        able = tuple(form for form in FORMATS if form in Image.OPEN)
        # what Pillow only doubts is held to our own limit here
        with warnings.catch_warnings(action="ignore"), Image.open(io.BytesIO(data), formats=able) as opened:
            if opened.width * opened.height > MOST_PIXELS:
                raise _too_large(opened.width * opened.height)
            source, frames = opened.format or "", getattr(opened, "n_frames", 1)
            opened.draft("RGB", (LONGEST_EDGE, LONGEST_EDGE))  # a JPEG is unpacked at half its size or less
            opened.load()
            turned = _TURNS.get(opened.getexif().get(_ORIENTATION, 1))
            picture = _in_colours(opened)
            picture.thumbnail((LONGEST_EDGE, LONGEST_EDGE), Image.Resampling.LANCZOS)
            picture = picture if turned is None else picture.transpose(Image.Transpose(turned))
    except UnreadableError:
        raise
    except (Image.DecompressionBombError, UnidentifiedImageError) as error:
        bomb = isinstance(error, Image.DecompressionBombError)
        raise (_too_large(2 * MOST_PIXELS) if bomb else UnreadableError(DAMAGED_IMAGE)) from None
    except MemoryError:
        raise
    except Exception as error:  # a damaged file breaks Pillow anywhere
        raise UnreadableError(DAMAGED_IMAGE) from error
    note = (
        phrase("It is the first of {frames:,} frames or pages; the others are left out.", frames=frames)
        if frames > 1
        else ""
    )
    return _encoded(picture, photo=source in _PHOTOS, note=note)


def as_png(data: bytes) -> bytes:
    """The picture in the bytes of a file, as PNG. Raises `UnreadableError`."""
    from PIL import Image

    read = base64.b64decode(read_image(data).data)
    with Image.open(io.BytesIO(read)) as opened:
        return _written(opened.convert("RGB"), "PNG", optimize=False)


def _too_large(pixels: int) -> UnreadableError:
    return UnreadableError(TOO_MANY_PIXELS, size=f"{pixels / 1_000_000:,.0f}", most=MOST_PIXELS // 1_000_000)


def _in_colours(image: Image) -> Image:
    """In grey or full colour with eight bits a channel, which every format here can hold."""
    if image.mode.startswith(("I", "F")):
        # 16 bits a pixel come down to 8; for more there is no such rule, so that darkest is black and brightest white
        deep = image.convert("F")
        low, high = (0.0, 65_535.0) if image.mode.startswith("I;16") else cast("tuple[float, float]", deep.getextrema())
        scale = 255.0 / (high - low) if high > low else 0.0
        offset = -low * scale
        return deep.point(lambda value: value * scale + offset).convert("L")
    if "transparency" in image.info or image.mode in ("LA", "La", "PA", "RGBa"):
        return image.convert("RGBA")
    if image.mode in ("L", "RGB", "RGBA"):
        return image
    return image.convert("L" if image.mode == "1" else "RGB")


def _encoded(picture: Image, *, photo: bool, note: str) -> ReadImage:
    """In a form without loss where that is small enough and the picture is no photo, else in ever fewer bytes."""
    from PIL import Image

    while True:
        for media_type, written in _forms(picture, photo=photo):
            if len(data := base64.b64encode(written).decode()) <= MOST_IMAGE_BASE64:
                return ReadImage(media_type, data, picture.width, picture.height, note)
        if max(picture.size) < SMALLEST_EDGE:
            raise UnreadableError(IMAGE_TOO_HEAVY)
        size = max(1, round(picture.width * SMALLER)), max(1, round(picture.height * SMALLER))
        picture = picture.resize(size, Image.Resampling.LANCZOS)


def _forms(picture: Image, *, photo: bool) -> Iterator[tuple[str, bytes]]:
    if not photo:
        yield "image/png", _written(picture, "PNG", optimize=False)
    if picture.mode == "RGBA":
        yield "image/webp", _written(picture, "WEBP", quality=90)
        return
    yield "image/jpeg", _written(picture, "JPEG", quality=90)
    yield "image/jpeg", _written(picture, "JPEG", quality=75)


def _written(picture: Image, form: str, **options: int | bool) -> bytes:
    """A new file, with nothing in it but the picture."""
    picture.info = {}
    target = io.BytesIO()
    picture.save(target, form, **options)
    return target.getvalue()


PROGRAM: Final = "tesseract"

PAGE_TIME_S: Final = 60.0
"""Seconds that one page may take; a dense page at 300 dpi takes about five."""

DPI: Final = 300
"""Dots per inch, as the program's makers ask for."""

RECOGNIZED_EDGE: Final = 5_000
"""Pixels of a page's longer side: A4 at 300 dpi has 3,508, a poster has more than memory."""

_LANGUAGES: Final = re.compile(r"[A-Za-z][\w/+-]{1,99}")
"""Names of the program's languages, several with `+`: deu+eng."""


def found() -> str | None:
    """Return the path of the program; None where it is not installed."""
    return shutil.which(PROGRAM)


def recognized(png: bytes, language: str, program: str) -> str | None:
    """The text in a picture; None where the program has failed, or took too long."""
    command = [program, "stdin", "stdout", "--dpi", str(DPI), "-l", _named(language)]
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    try:
        done = subprocess.run(command, input=png, capture_output=True, timeout=PAGE_TIME_S, check=True, env=environment)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode("utf-8", "replace").replace("\f", "").strip()


def _named(language: str) -> str:
    return language if _LANGUAGES.fullmatch(language) else RECOGNITION_LANGUAGE
