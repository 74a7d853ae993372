"""What becomes of pictures: upright, small, without what the camera wrote, and no bomb."""

from __future__ import annotations

import base64
import io
import os
import struct
import zlib
from typing import Any

import pytest
from PIL import Image

from desktop_app.documents.file_opening import LONGEST_EDGE, MOST_IMAGE_BASE64, UnreadableError
from desktop_app.documents.text_extraction import FileFacts, facts_of
from tests.documents.files import PIXEL

RED = (200, 10, 10)


def written(image: Image.Image, form: str, **options: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, form, **options)
    return out.getvalue()


def opened(facts: FileFacts) -> Image.Image:
    image = Image.open(io.BytesIO(base64.b64decode(facts.data)))
    assert image.size == (facts.width, facts.height)
    assert Image.MIME[str(image.format)] == facts.media_type
    return image


@pytest.mark.parametrize(
    ("form", "media_type"),
    [
        ("PNG", "image/png"),
        ("JPEG", "image/jpeg"),
        ("WEBP", "image/png"),
        ("GIF", "image/png"),
        ("BMP", "image/png"),
        ("TIFF", "image/png"),
    ],
)
def test_every_usual_format_becomes_one_that_models_take(form: str, media_type: str) -> None:
    facts = facts_of(written(Image.new("RGB", (40, 30), RED), form), "a")

    image = opened(facts)
    assert facts.media_type == media_type
    assert image.size == (40, 30)
    red = image.convert("RGB").getpixel((5, 5))
    assert isinstance(red, tuple)
    assert max(abs(one - other) for one, other in zip(red, RED, strict=True)) < 8


def test_a_picture_is_turned_upright_and_loses_what_the_camera_wrote() -> None:
    photo = Image.new("RGB", (60, 40), (0, 0, 255))
    photo.paste(RED, (0, 0, 30, 40))
    facts_of_camera = Image.Exif()
    facts_of_camera[0x0112] = 6  # held with its right side up
    facts_of_camera[0x010F] = "SecretCamera"

    facts = facts_of(written(photo, "JPEG", exif=facts_of_camera, quality=95), "a.jpg")

    image = opened(facts)
    assert image.size == (40, 60)
    top = image.getpixel((20, 5))
    assert isinstance(top, tuple)
    assert top[0] > 150  # the red half, which was on the left, is on top
    assert not image.getexif()
    assert b"SecretCamera" not in base64.b64decode(facts.data)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I;16", "I", "F"])
def test_any_mode_is_read(mode: str) -> None:
    opened(facts_of(written(Image.new(mode, (20, 10)), "TIFF"), "a.tif"))


def test_what_shines_through_stays_so() -> None:
    image = opened(facts_of(written(Image.new("RGBA", (9, 9), (*RED, 40)), "PNG"), "a.png"))

    assert image.getpixel((1, 1)) == (*RED, 40)


def test_the_first_of_several_frames_is_taken_and_that_is_told() -> None:
    frames = [Image.new("RGB", (20, 20), (shade, 0, 0)) for shade in (10, 120, 250)]

    facts = facts_of(written(frames[0], "GIF", save_all=True, append_images=frames[1:]), "a.gif")

    assert facts.note == "It is the first of 3 frames or pages; the others are left out."


def test_a_large_picture_is_made_small_enough_for_every_model() -> None:
    noise = Image.frombytes("RGB", (2600, 1300), os.urandom(2600 * 1300 * 3))

    facts = facts_of(written(noise, "BMP"), "noise.bmp")

    assert max(facts.width, facts.height) <= LONGEST_EDGE
    assert facts.width == 2 * facts.height
    assert len(facts.data) <= MOST_IMAGE_BASE64
    opened(facts)


def bomb(edge: int) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", edge, edge, 8, 2, 0, 0, 0)
    body = zlib.compress(bytes(10_000_000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


@pytest.mark.parametrize("edge", [12_000, 60_000])
def test_a_picture_that_unpacks_to_gigabytes_is_refused(edge: int) -> None:
    with pytest.raises(UnreadableError) as refused:
        facts_of(bomb(edge), "bomb.png")

    assert "million pixels" in refused.value.sentence("bomb.png")


@pytest.mark.parametrize(
    "data", [PIXEL[:40], PIXEL[:20] + bytes(40), b"\xff\xd8\xff\xe0" + bytes(30), b"II*\0" + b"x" * 99]
)
def test_a_damaged_picture_is_refused(data: bytes) -> None:
    with pytest.raises(UnreadableError) as refused:
        facts_of(data, "a.png")

    assert "is damaged" in refused.value.sentence("a.png")
