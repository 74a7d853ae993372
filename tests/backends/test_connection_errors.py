"""Where an address leads, and the pause that a server asks for."""

from __future__ import annotations

import pytest

from desktop_app.backends.connection_errors import host_of, is_on_this_computer, retry_after, without_keys


@pytest.mark.parametrize(
    ("address", "host", "here"),
    [
        ("http://localhost:11434/v1", "localhost", True),
        ("http://me.localhost", "me.localhost", True),
        ("http://127.3.2.1", "127.3.2.1", True),
        ("http://[::1]:8080", "::1", True),
        ("http://0.0.0.0:8080", "0.0.0.0", True),
        ("http://10.0.0.2:8080", "10.0.0.2", False),
        ("https://127.0.0.1.example.com", "127.0.0.1.example.com", False),
        ("nonsense", "The server", False),
        ("http://[::1", "The server", False),
    ],
)
def test_where_an_address_leads(address: str, host: str, here: bool) -> None:
    assert (host_of(address), is_on_this_computer(address)) == (host, here)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "4"}, 4.0),
        ({"retry-after-ms": "250", "retry-after": "4"}, 0.25),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}, None),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT", "date": "Wed, 21 Oct 2026 07:27:40 GMT"}, 20.0),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT", "date": "Wed, 21 Oct 2026 07:29:00 GMT"}, None),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:00", "date": "Wed, 21 Oct 2026 07:29:00 GMT"}, None),
        ({"retry-after": "soon", "date": "Wed, 21 Oct 2026 07:29:00 GMT"}, None),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "nan"}, None),
    ],
)
def test_the_pause_a_server_asks_for(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_keys_are_not_repeated() -> None:
    assert without_keys("bad key sk-proj-abcd_1234 given") == "bad key sk-… given"
