"""The open thread's messages as a reader sees them, without a window."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_app.core.messages import Message
from desktop_app.ui.conversation.shown_messages import ShownMessages
from tests.ui.tool_scenes import message, two_rounds


@dataclass
class OpenBranch:
    path: tuple[Message, ...]
    running: bool = False


def test_an_answer_with_tools_is_one_message() -> None:
    shown = ShownMessages(OpenBranch(tuple(two_rounds())))
    assert [one.id for one in shown.all] == ["t0", "t1", "t6", "t7"]
    found = shown.find("t4")
    assert found is not None
    assert (found.id, shown.id_of("t4"), shown.members(found)) == ("t1", "t1", ("t1", "t2", "t3", "t4", "t5"))
    assert shown.find("elsewhere") is None


def test_they_follow_the_path() -> None:
    branch = OpenBranch((message(0, "user", "x"),))
    shown = ShownMessages(branch)
    assert shown.find("t1") is None
    branch.path = (*branch.path, message(1, "assistant", "y"))
    assert shown.find("t1") is branch.path[-1]
    branch.path = ()
    assert shown.find("t1") is None
    assert not shown.all


def test_only_the_last_message_grows_and_only_while_an_answer_comes() -> None:
    branch = OpenBranch((message(0, "user", "x"), message(1, "assistant", "")))
    shown = ShownMessages(branch)
    assert not shown.is_growing(branch.path[1])
    branch.running = True
    assert [shown.is_growing(one) for one in branch.path] == [False, True]
