"""What the environment of this process holds for somebody else is not handed on to parts of the app."""

from __future__ import annotations

import pytest

from desktop_app.history_opening import SECRET_VARIABLES
from desktop_app.system.own_processes import bare_environment
from desktop_app.ui.spelling.speller import _environment

OTHERS = ("AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "DATABASE_URL", "SSH_AUTH_SOCK", "HTTPS_PROXY")
SECRET = "harbor-7731"


@pytest.fixture
def secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*SECRET_VARIABLES, *OTHERS):
        monkeypatch.setenv(name, SECRET)
    monkeypatch.setenv("LANG", "C.UTF-8")


@pytest.mark.usefixtures("secrets")
def test_only_what_is_needed_is_handed_on() -> None:
    environment = bare_environment()
    assert SECRET not in environment.values()
    assert environment["LANG"] == "C.UTF-8"


@pytest.mark.usefixtures("secrets")
def test_spelling_gets_no_more() -> None:
    given = _environment().toStringList()
    assert [one for one in given if one.startswith("LANG=")]
    assert not [one for one in given if SECRET in one]
