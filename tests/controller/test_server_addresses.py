"""What an address says by itself, and whose key goes there."""

from __future__ import annotations

import pytest

from desktop_app.controller.server_keys import has_path, host_of, is_open_to_others, key_entry, usual_form


@pytest.mark.parametrize(
    ("typed", "usual"),
    [
        ("127.0.0.1:8080", "http://127.0.0.1:8080"),
        (" localhost:1234/v1/ ", "http://localhost:1234/v1"),
        ("192.168.1.7:11434/v1", "http://192.168.1.7:11434/v1"),
        ("[::1]:8080", "http://[::1]:8080"),
        ("openrouter.ai/api/v1", "https://openrouter.ai/api/v1"),
        ("93.184.216.34/v1", "https://93.184.216.34/v1"),
        ("http://example.com/v1/", "http://example.com/v1"),
        ("", ""),
    ],
)
def test_the_usual_form_of_what_people_type(typed: str, usual: str) -> None:
    assert usual_form(typed) == usual


@pytest.mark.parametrize(
    ("address", "is_open"),
    [
        ("http://192.168.1.7:8000/v1", True),
        ("http://example.com/v1", True),
        ("https://example.com/v1", False),
        ("http://127.0.0.1:8000/v1", False),
        ("http://localhost/v1", False),
        ("http://", False),
        ("http://[bad", False),
    ],
)
def test_what_is_sent_without_encryption_to_another_computer_can_be_read(address: str, is_open: bool) -> None:
    assert is_open_to_others(address) is is_open


def test_each_server_has_a_key_of_its_own() -> None:
    assert key_entry("openai", None) == "openai"
    assert key_entry("openai", "https://api.openai.com/v1") == "openai"
    entries = {
        key_entry("openai", address)
        for address in (
            "https://openrouter.ai/api/v1",
            "http://openrouter.ai/api/v1",
            "https://openrouter.ai:8443/api/v1",
            "http://127.0.0.1:8080",
            "http://api.openai.com/v1",
            "https://api.openai.com.example.com/v1",
        )
    }
    assert len(entries) == 6
    assert "openai" not in entries
    assert key_entry("openai", "https://me:secret@Example.com/v1") == key_entry("openai", "https://example.com/other")
    assert key_entry("anthropic", "https://api.anthropic.com") == "anthropic"
    assert key_entry("anthropic", "https://example.com") == "anthropic@https://example.com"


def test_an_address_that_is_none_breaks_nothing() -> None:
    assert (host_of("http://[bad"), has_path("http://[bad")) == ("", False)
    assert has_path("http://a/v1")
    assert not has_path("http://a/")
