"""What is written in a field is read as people mean it, or not at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.setting_fields import SettingRule
from desktop_app.ui.preferences.setting_list import WRONG, SettingText, read_entry, written

WHOLE = SettingRule("whole", 1_000, 10_000_000)
OR_ZERO = SettingRule("whole", 2, 100_000, or_zero=True)
NUMBER = SettingRule("number", 0, 1_000_000)
TEXT = SettingRule("text")
ADDRESS = SettingRule("address")


@pytest.mark.parametrize(
    "text", ["150000", "150,000", "150 000", "150.000", "150'000", "150_000", " 150000 ", "150K", "150 k", "0.15M"]
)
def test_a_whole_number_is_written_in_many_ways(text: str) -> None:
    assert read_entry(WHOLE, text) == SettingText(150_000)


@pytest.mark.parametrize(
    "text",
    [
        "999",
        "15,00",
        "1.5",
        "1,50",
        "-5",
        "many",
        "10,000,001",
        "1,000.000",
        "1e5",
        "9" * 99,
        "K",
        "99M",
        "9" * 39 + "K",
    ],
)
def test_what_is_no_whole_number_within_the_limits_is_not_taken(text: str) -> None:
    assert read_entry(WHOLE, text) == WRONG


def test_nothing_is_the_default_and_zero_turns_off() -> None:
    assert read_entry(WHOLE, "  ") == SettingText(None)
    assert read_entry(OR_ZERO, "0") == SettingText(0)
    assert read_entry(OR_ZERO, "1") == WRONG


@pytest.mark.parametrize(
    ("text", "value"),
    [("2.5", 2.5), ("2,5", 2.5), ("$2.50", 2.5), ("1,000", 1000.0), ("1,234.5", 1234.5), ("0.125", 0.125), (".5", 0.5)],
)
def test_a_number_is_written_in_many_ways(text: str, value: float) -> None:
    assert read_entry(NUMBER, text) == SettingText(value)


@pytest.mark.parametrize("text", ["nan", "inf", "1e3", "-1", "2.5.5", "1,00,000", "five", "1000001"])
def test_what_is_no_number_is_not_taken(text: str) -> None:
    assert read_entry(NUMBER, text) == WRONG


def test_texts_and_addresses_are_taken_without_the_space_around_them() -> None:
    assert read_entry(TEXT, " claude-opus-5-5 ") == SettingText("claude-opus-5-5")
    assert read_entry(ADDRESS, "http://127.0.0.1:1234/v1 ") == SettingText("http://127.0.0.1:1234/v1")
    assert read_entry(ADDRESS, "127.0.0.1:1234") == WRONG


@given(st.integers(1_000, 10_000_000))
def test_a_whole_number_as_it_is_shown_is_read_as_itself(value: int) -> None:
    assert read_entry(WHOLE, written(value)) == SettingText(value)


@given(st.integers(0, 100_000_000).map(lambda cents: cents / 100))
def test_an_amount_as_it_is_shown_is_read_as_itself(value: float) -> None:
    assert read_entry(NUMBER, written(value)) == SettingText(value)


@given(st.text(max_size=60))
def test_no_text_makes_a_field_fail(text: str) -> None:
    for rule in (WHOLE, OR_ZERO, NUMBER, TEXT, ADDRESS):
        entry = read_entry(rule, text)
        assert entry.value is None or rule.accepts(entry.value)
