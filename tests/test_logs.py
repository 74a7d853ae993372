"""The log: rotated, private, without keys or message text; reports of bugs stay in its folder."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_app.logs import described, open_log, redacted, report_loop_errors, write_crash_report

log = logging.getLogger("desktop_app.test")

KEY = "-".join(("sk", "ant", "api03", "secretsecret"))  # whole, it would be struck out of this file by some tools


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Path]:
    before = sys.excepthook
    sys.excepthook = lambda *_: None
    close = open_log(tmp_path / "plimsoll.log")
    yield tmp_path / "plimsoll.log"
    close()
    sys.excepthook = before


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (f"key {KEY} used", "secretsecret"),
        ("Authorization: Bearer abc.def-ghi", "abc.def"),
        ("{'x-api-key': 'hush-hush-hush'}", "hush"),
        ("api_key=verysecret&x=1", "verysecret"),
        ("proxy http://me:word@proxy.example:80/", "word"),
        ("sent Bearer abcdefghijkl", "abcdefghijkl"),
    ],
)
def test_secrets_are_struck_out(text: str, secret: str) -> None:
    assert secret not in redacted(text)
    assert "struck out" in redacted(text)


def test_plain_words_stay() -> None:
    words = "a turn through anthropic failed after 3 tokens of 200"
    assert redacted(words) == words


def test_the_file_is_private_and_has_the_record_without_the_key(opened: Path) -> None:
    log.info("asked with %s", KEY)
    log.debug("not written")
    written = opened.read_text()
    assert "INFO desktop_app.test asked with" in written
    assert "secretsecret" not in written
    assert "not written" not in written
    assert opened.stat().st_mode & 0o777 == 0o600


def test_an_exception_is_placed_but_its_words_stay_out(opened: Path) -> None:
    try:
        try:
            raise ValueError("the user's private letter")
        except ValueError as error:
            raise FileNotFoundError(2, "No such file", "history.db") from error
    except FileNotFoundError:
        log.exception("a turn failed")
    written = opened.read_text()
    assert "private letter" not in written
    assert "builtins.ValueError" in written
    assert "history.db" in written
    assert "test_logs.py" in written
    (report,) = opened.parent.glob("crash-*.txt")
    assert "private letter" not in report.read_text()


def test_an_unexpected_error_leaves_a_report(opened: Path) -> None:
    error = RuntimeError("holds a letter and sk-ant-REDACTED")
    sys.excepthook(RuntimeError, error, None)
    (report,) = opened.parent.glob("crash-*.txt")
    assert "builtins.RuntimeError" in report.read_text()
    assert "letter and" not in report.read_text()
    assert report.stat().st_mode & 0o777 == 0o600


async def test_a_task_nobody_looks_at_gets_into_the_log(opened: Path) -> None:
    async def fail() -> None:
        raise KeyError("a letter")

    loop = asyncio.get_running_loop()
    report_loop_errors(loop, opened.parent)
    task = asyncio.ensure_future(fail())
    await asyncio.wait({task})
    loop.call_exception_handler({"message": "nobody looked", "exception": task.exception()})
    assert "builtins.KeyError" in opened.read_text()
    assert "a letter" not in opened.read_text()


def test_where_nothing_can_be_written_the_app_goes_on(tmp_path: Path) -> None:
    missing = tmp_path / "missing" / "plimsoll.log"
    close = open_log(missing)
    log.info("goes nowhere")
    close()
    assert write_crash_report(missing.parent, ValueError()) is None


def test_a_cycle_of_causes_ends() -> None:
    first, second = ValueError(), KeyError()
    first.__cause__, second.__cause__ = second, first
    assert described(first).count("caused by") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_log_that_can_not_be_written_says_so_in_one_line_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "plimsoll.log").symlink_to("/dev/full")
    close = open_log(tmp_path / "plimsoll.log")
    for number in range(3):
        logging.getLogger("desktop_app").warning("number %s", number)
    close()
    assert capsys.readouterr().err == "The log can't be written: No space left on device.\n"
