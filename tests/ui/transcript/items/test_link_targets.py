from __future__ import annotations

import pytest

from desktop_app.ui.transcript.message.links import checked_target, host_of, shown_target


@pytest.mark.parametrize(
    ("target", "opened"),
    [
        ("mailto:a@b.org?subject=Hi&attach=/etc/passwd", "mailto:a@b.org?subject=Hi"),
        ("mailto:a@b.org?Attachment=%2Fetc%2Fpasswd", "mailto:a@b.org"),
        ("MAILTO:a@b.org?attach=x&ATTACH=y&cc=c@d.org", "MAILTO:a@b.org?cc=c@d.org"),
        ("mailto:a@b.org?subject=A%26attach=x", "mailto:a@b.org?subject=A%26attach=x"),
        ("mailto:a@b.org", "mailto:a@b.org"),
        ("https://e.org/?attach=x", "https://e.org/?attach=x"),
        ("javascript:alert(1)", None),
        ("file:///etc/passwd", None),
    ],
)
def test_a_mail_link_attaches_nothing(target: str, opened: str | None) -> None:
    assert checked_target(target) == opened


def test_the_real_host_comes_first_where_a_name_stands_before_it() -> None:
    assert shown_target("https://bank.example@evil.example/login").startswith("evil.example: https://bank.example@")
    assert shown_target("https://bank.example:pw@evil.example").startswith("evil.example: ")
    assert shown_target("https://e.org/a@b") == "https://e.org/a@b"
    assert host_of("https://bank.example@evil.example/login") == "evil.example"
    assert host_of("https://b\u00fccher.example/") == "xn--bcher-kva.example"
    assert host_of("mailto:a@b.org") == ""


def test_a_long_name_does_not_hide_the_host() -> None:
    shown = shown_target("https://" + "bank.example" * 40 + "@evil.example/" + "x" * 300)
    assert shown.startswith("evil.example: ")
    assert len(shown) < 200
