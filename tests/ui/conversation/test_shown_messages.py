"""The open thread's messages as a reader sees them, without a window."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hypothesis import example, given
from hypothesis import strategies as st

from desktop_app.core.messages import Message, Part, Role, TextPart, ToolCallPart, ToolResultPart
from desktop_app.ui.conversation.navigation import ShownMessages
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


KINDS: dict[str, tuple[Role, tuple[Part, ...]]] = {
    "question": ("user", (TextPart("words"),)),
    "answer": ("assistant", (TextPart("words"),)),
    "calls": ("assistant", (ToolCallPart("c", "search", {}),)),
    "results": ("user", (ToolResultPart("c", "found"),)),
}


@example([("answer", False), ("question", True), ("question", False), ("gone", False), ("results", True)])
@given(st.lists(st.tuples(st.sampled_from([*KINDS, "changed", "gone"]), st.booleans()), max_size=30))
def test_a_path_that_grows_reads_like_one_that_is_opened(acts: list[tuple[str, bool]]) -> None:
    branch = OpenBranch(())
    shown = ShownMessages(branch)
    for number, (act, looked_at) in enumerate(acts):
        path = branch.path
        if act == "changed":
            branch.path = (*path[:-1], *(replace(one, state="partial") for one in path[-1:]))
        elif act == "gone":
            branch.path = path[:-2]
        else:
            role, parts = KINDS[act]
            branch.path = (
                *path,
                Message(f"m{number}", "t", None, "user" if role == "user" else "assistant", parts, ""),
            )
        if looked_at:
            afresh = ShownMessages(OpenBranch(branch.path))
            assert list(shown.all) == list(afresh.all)
            for one in branch.path:
                assert shown.find(one.id) == afresh.find(one.id)
            assert [shown.members(one) for one in shown.all] == [afresh.members(one) for one in afresh.all]
