"""What looks like a secret is found in any text, and what does not is not."""

from __future__ import annotations

import base64
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.core.redaction import FORMATS, REDACTED, found_secrets, is_among, keyed_hash, without_secrets
from tests.builders.secret_samples import identifiers, secrets_of_formats, text_of_repository

BODY = "a1B2c3D4e5F6g7H8i9J0"


@pytest.mark.parametrize("start", ["sk-ant-api03-", "sk-proj-", "sk-", "AIza"])
@pytest.mark.parametrize(
    "text", ["{}", "my key is {}, keep it", "KEY='{}'\nnext", '"line\\n{}\\n"', "?key%3D{}&x", "密钥{}。"]
)
def test_a_key_is_seen_alone_and_in_a_sentence(start: str, text: str) -> None:
    (found,) = found_secrets(text.format(start + BODY))
    assert found.text == start + BODY
    assert without_secrets(text.format(start + BODY), [found]) == text.format(REDACTED)
    assert start + BODY not in repr(found)


@pytest.mark.parametrize(
    "text",
    [
        *("", "sk-", "sk-1234", "task-" + BODY, "sk-estimator-doc-link-fitted", "AIza is a prefix", BODY),
        *("sk-toggleable__content-1abcdef", "AKIA", "NAKIA" + "A2" * 8, "AKIA" + "A2" * 9, "ghp_short", "hf_transfer"),
        *(
            "-----BEGIN PRIVATE KEY-----",
            "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
            "xai-org/grok-1",
        ),
        "-----BEGIN PUBLIC KEY-----\n" + "A" * 64 + "\n-----END PUBLIC KEY-----",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 of the secret key",
    ],
)
def test_what_is_short_or_words_is_none(text: str) -> None:
    assert found_secrets(text) == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("sk-ant-api03-" + BODY, "an Anthropic key"),
        ("AKIA" + "A2" * 8, "an AWS key"),
        ("ghp_" + "a1" * 18, "a GitHub token"),
        ("npm_" + "a1" * 18, "an npm token"),
        ("-----BEGIN EC PRIVATE KEY-----\n" + "A" * 64, "a private key"),
    ],
)
def test_a_secret_is_named_without_a_letter_of_it(text: str, words: str) -> None:
    (found,) = found_secrets(text)
    assert found.words == words


SURROUNDINGS = st.text(max_size=200)
CUTS = st.sampled_from([" ", "\n", "=", '"', "'", ": ", "`", "\\n", "%3D", "(", "/", "@", "。", "\t"])


@settings(max_examples=400)
@given(
    st.tuples(SURROUNDINGS, CUTS),
    st.sampled_from(range(len(secrets_of_formats(random.Random(0))))),
    st.tuples(CUTS.filter(lambda cut: cut != "/"), SURROUNDINGS),
    st.integers(),
)
def test_every_secret_is_found_and_nothing_of_it_is_left(
    before: tuple[str, str], number: int, after: tuple[str, str], seed: int
) -> None:
    secret, parts = secrets_of_formats(random.Random(seed))[number]
    text = "".join((*before, secret, *after))
    found = found_secrets(text)
    clean = without_secrets(text, found)
    for part in parts:
        assert part in secret
        for at in range(len(part) - 7):
            assert part[at : at + 8] not in clean
    assert found_secrets(clean) == () or len(found_secrets(clean)) < len(found)
    assert clean.count(REDACTED) >= 1


def test_every_format_has_a_generated_secret() -> None:
    made = [secret for secret, _ in secrets_of_formats(random.Random(1))]
    for kind in FORMATS:
        for begins in kind.begins:
            assert any(secret.startswith(begins) for secret in made), begins


def test_a_key_is_found_where_a_passage_cuts_its_block() -> None:
    lines = [base64.b64encode(random.Random(n).randbytes(48)).decode() for n in range(26)]
    block = "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *lines, "-----END RSA PRIVATE KEY-----"])
    for cut in (200, 700, 1_500):
        for passage in ("Words.\n" + block[:cut], block[cut:] + "\nWords."):
            clean = without_secrets(passage, found_secrets(passage))
            assert clean.replace("\n", " ").strip() in (f"Words. {REDACTED}", f"{REDACTED} Words.")


def test_what_is_remembered_is_no_secret_and_differs_with_its_key() -> None:
    remembered = keyed_hash("sk-ant-" + BODY, "one")
    assert BODY not in remembered
    assert remembered != keyed_hash("sk-ant-" + BODY, "two")
    assert is_among("sk-ant-" + BODY, ["x", keyed_hash("other", "two"), remembered])
    assert not is_among("sk-ant-" + BODY, ["x", keyed_hash("other", "two")])


def test_there_is_at_most_one_false_alarm_in_a_thousand_messages() -> None:
    """`./dev bench secrets` measures more texts."""
    own = list(text_of_repository())
    messages = [*own, *identifiers(random.Random(7))]
    alarms = [message for message in messages if found_secrets(message)]
    assert len(own) > 3_000
    assert len(alarms) * 1_000 <= len(messages), alarms
