"""A `history.db` that is a link and leads nowhere, or to itself: every command says so, `doctor` too."""

from __future__ import annotations

import pytest

from tests.cli.command import Plimsoll
from tests.cli.conftest import Here


@pytest.mark.parametrize("target", ["elsewhere.db", "history.db"], ids=["nowhere", "itself"])
@pytest.mark.parametrize("command", [("threads",), ("ask", "hi"), ("doctor",)], ids=lambda one: one[0])
def test_it_is_said(here: Here, plimsoll: Plimsoll, target: str, command: tuple[str, ...]) -> None:
    (plimsoll.folder / "history.db").symlink_to(plimsoll.folder / target)
    ended = here(*command)
    assert ended.status != 0
    assert "is a link to a file that can't be found" in ended.out + ended.err
    assert not (plimsoll.folder / "elsewhere.db").exists()
