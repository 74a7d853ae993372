"""Drawings of a model: shapes and text come through, nothing that runs or refers to anything."""

from __future__ import annotations

import pytest

from desktop_app.core.svg_sanitizing import MOST_ELEMENTS, UnsafeDrawingError, safe_svg

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">'


def drawn(inside: str) -> str:
    return safe_svg(f"{HEAD}{inside}</svg>")


def test_shapes_text_and_gradients_come_through() -> None:
    made = drawn(
        '<defs><linearGradient id="g"><stop offset="0" stop-color="#fff"/></linearGradient></defs>'
        '<g transform="scale(2)"><rect width="3" height="4" fill="url(#g)"/><text x="1">A &amp; B</text></g>'
    )
    for kept in ('fill="url(#g)"', "A &amp; B", 'transform="scale(2)"', "linearGradient", 'viewBox="0 0 9 9"'):
        assert kept in made


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        '<image href="http://127.0.0.1/a.png"/>',
        '<image xlink:href="file:///etc/passwd"/>',
        '<use href="#a"/><use xlink:href="http://127.0.0.1/b.svg#c"/>',
        "<foreignObject><p>127.0.0.1</p></foreignObject>",
        '<rect onclick="alert(1)" width="1"/>',
        '<rect style="fill:url(http://127.0.0.1/)"/>',
        "<style>@import url(http://127.0.0.1/)</style>",
        '<rect fill="url(http://127.0.0.1/#a)"/>',
        '<rect fill=" u r l (#a) url(http://127.0.0.1)"/>',
        '<animate attributeName="href" to="javascript:alert(1)"/>',
        '<a href="http://127.0.0.1"><text>x</text></a>',
        '<filter><feImage href="http://127.0.0.1"/></filter>',
        '<line stroke-dasharray="0.000001" x2="9"/>',
    ],
)
def test_nothing_runs_and_nothing_is_referred_to(hostile: str) -> None:
    made = drawn(hostile)
    for gone in ("alert", "127.0.0.1", "href", "script", "style", "0.000001", "passwd"):
        assert gone not in made


@pytest.mark.parametrize(
    "source",
    [
        "no drawing",
        "<html/>",
        '<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>',
        f"{HEAD}{'<g/>' * (MOST_ELEMENTS + 1)}</svg>",
        f"{HEAD}{'<g>' * 100}{'</g>' * 100}</svg>",
        f"<svg>{' ' * 600_000}</svg>",
        '<svg width="1000000"/>',
        f"{HEAD}<rect",
    ],
)
def test_what_can_not_be_shown_is_refused(source: str) -> None:
    with pytest.raises(UnsafeDrawingError):
        safe_svg(source)
