"""What looks like an API key is seen in a text, and what does not is not."""

from __future__ import annotations

import pytest

from desktop_app.core.redaction import holds_api_key

BODY = "a1B2c3D4e5F6g7H8i9J0"


@pytest.mark.parametrize("start", ["sk-ant-api03-", "sk-proj-", "sk-", "AIza"])
@pytest.mark.parametrize("text", ["{}", "my key is {}, keep it", "KEY='{}'\nnext"])
def test_a_key_is_seen_alone_and_in_a_sentence(start: str, text: str) -> None:
    assert holds_api_key(text.format(start + BODY))


@pytest.mark.parametrize(
    "text", ["", "sk-", "sk-1234", "task-" + BODY, "sk-estimator-doc-link-fitted", "AIza is a prefix", BODY]
)
def test_what_is_short_or_words_is_none(text: str) -> None:
    assert not holds_api_key(text)
