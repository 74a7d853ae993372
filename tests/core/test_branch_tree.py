"""The tree of a thread's branches as rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.context.context_choices import NO_CHOICES, ContextChoices, Deletion
from desktop_app.core.conversation import BranchRow, BranchTree, Conversation, open_line
from desktop_app.core.messages import Message, Part, Role, TextPart, ToolCallPart, ToolResultPart


def said(name: str, parent: str | None, role: Role = "user", *parts: Part) -> Message:
    return Message(name, "t", parent, role, parts or (TextPart(name),), "2026-01-01T00:00:00Z")


def chain(*names: str, onto: str | None = None) -> list[Message]:
    return [said(name, before) for before, name in zip([onto, *names], names, strict=False)]


def tree_of(messages: Sequence[Message], tip: str, choices: ContextChoices = NO_CHOICES) -> BranchTree:
    conversation = Conversation(messages)
    return BranchTree(conversation, [message.id for message in conversation.path(tip)], choices)


def drawn(rows: Sequence[BranchRow]) -> list[str]:
    """Each row as it would be written down: its indent, its messages, what it is."""
    lines = []
    for row in rows:
        names = f"({row.count})" if row.kind == "folded" else "".join("".join(group) for group in row.groups) or "v"
        version = f" {row.version}/{row.versions}" if row.version else ""
        lines.append(f"{'  ' * row.depth}{names}{version}{' *' if row.is_tip else ''}")
    return lines


def test_what_lies_between_the_ends_of_a_stretch_is_folded_and_unfolds_on_demand() -> None:
    tree = tree_of(chain(*"abcdef"), "f")
    assert drawn(tree.rows()) == ["a", "(4)", "f *"]
    assert drawn(tree.rows(unfolded=["b"])) == ["a", "v", "b", "c", "d", "e", "f *"]
    assert [row.kind for row in tree.rows(unfolded=["b"])][1] == "unfolded"
    assert tree.branches == 1
    assert tree.messages == 6


def test_a_single_message_between_the_ends_is_shown_itself() -> None:
    assert drawn(tree_of(chain(*"abc"), "c").rows()) == ["a", "b", "c *"]


def test_branches_stand_beneath_their_fork_the_newest_without_an_indent() -> None:
    messages = [*chain(*"ab"), *chain(*"cd", onto="b"), *chain(*"ef", onto="b"), *chain(*"gh", onto="b")]
    assert drawn(tree_of(messages, "f").rows()) == [
        *("a", "b"),
        *("  c 1/3", "  d"),
        *("  e 2/3", "  f *"),
        *("g 3/3", "h"),
    ]


def test_a_thread_may_begin_in_several_ways() -> None:
    tree = tree_of([*chain(*"ab"), *chain(*"cd")], "b")
    assert drawn(tree.rows()) == ["  a 1/2", "  b *", "c 2/2", "d"]
    assert tree.branches == 2


def test_many_forks_one_behind_the_other_stay_flat_where_the_thread_went_on_with_the_newest() -> None:
    messages, parent = chain("q"), "q"
    for turn in range(40):
        messages += [said(f"{turn}old", parent, "assistant"), said(f"{turn}new", parent, "assistant")]
        messages.append(said(f"{turn}next", f"{turn}new"))
        parent = f"{turn}next"
    assert max(row.depth for row in tree_of(messages, parent).rows()) == 1


def test_the_end_of_the_open_branch_is_in_no_fold_though_the_thread_goes_on_there() -> None:
    tree = tree_of(chain(*"abcdefghi"), "e")
    assert drawn(tree.rows()) == ["a", "(3)", "e *", "(3)", "i"]
    assert drawn(tree.rows(kept=["c"])) == ["a", "b", "c", "d", "e *", "(3)", "i"]
    assert [row.on_path for row in tree.rows()] == [True, True, True, False, False]


def test_the_rounds_of_tools_are_one_answer() -> None:
    call = ToolCallPart("1", "recall", {})
    messages = [
        said("q", None),
        said("call", "q", "assistant", call),
        said("result", "call", "user", ToolResultPart("1", "found")),
        said("answer", "result", "assistant"),
        said("r", "answer"),
    ]
    rows = tree_of(messages, "r").rows()
    assert [row.groups for row in rows] == [(("q",),), (("call", "result", "answer"),), (("r",),)]


def test_what_is_deleted_everywhere_and_answers_of_which_nothing_came_are_no_branches() -> None:
    messages = [said("q", None), said("a", "q", "assistant"), said("b", "q", "assistant")]
    empty = Message("c", "t", "q", "assistant", (), "2026-01-01T00:00:00Z", state="error")
    assert tree_of([*messages[:2], empty], "a").branches == 1
    gone = ContextChoices(deleted=frozenset({Deletion("b", "b")}))
    assert tree_of(messages, "a", gone).branches == 1
    assert tree_of(messages, "a").branches == 2


def test_an_open_branch_whose_end_is_deleted_is_a_branch_beside_the_others() -> None:
    messages = [*chain(*"ab"), *chain(*"cd", onto="b"), *chain(*"ef", onto="b")]
    conversation = Conversation(messages)
    gone = ContextChoices(deleted=frozenset({Deletion("c", "d"), Deletion("d", "d")}))
    tree = BranchTree(conversation, ["a", "b"], gone)
    assert tree.branches == 2
    assert drawn(tree.rows()) == ["a", "b *", "e", "f"]
    assert BranchTree(Conversation(), [], NO_CHOICES).branches == 0


def test_the_open_branch_is_one_line_from_its_beginning_to_its_end() -> None:
    messages = [*chain(*"ab"), *chain(*"cd", onto="b"), *chain(*"ef", onto="b"), *chain(*"gh", onto="b")]
    assert open_line(tree_of(messages, "f").rows()) == [0, 0, 0, 0, 1, -1, -1, -1]
    assert open_line(tree_of(messages, "h").rows()) == [0, 0, 0, 0, 0, 0, 0, -1]


@st.composite
def forests(draw: st.DrawFn, *, circles: bool = True) -> tuple[Conversation, str]:
    """Trees, several roots, links to nowhere and circles among them."""
    count = draw(st.integers(1, 40))
    wild = st.integers(-1, count + 2) if circles else st.sampled_from([-1, count])
    parents = [draw(st.one_of(st.integers(0, n - 1), wild) if n else wild) for n in range(count)]
    conversation = Conversation(said(str(n), str(parent) if parent >= 0 else None) for n, parent in enumerate(parents))
    return conversation, str(draw(st.integers(0, count - 1)))


@given(forests(), st.data())
def test_every_message_is_in_exactly_one_row_whatever_is_unfolded(
    forest: tuple[Conversation, str], data: st.DataObject
) -> None:
    conversation, tip = forest
    tree = BranchTree(conversation, [message.id for message in conversation.path(tip)], NO_CHOICES)
    rows = tree.rows()
    for _ in range(2):
        held = [message_id for row in rows for group in row.groups for message_id in group]
        assert held == [message_id for row in tree.each() for message_id in row.groups[0]]
        assert sorted(held) == sorted(message.id for message in conversation)
        keys = [row.key for row in rows if row.kind != "message"]
        rows = tree.rows(unfolded=data.draw(st.lists(st.sampled_from(keys)) if keys else st.just([])))


@given(forests())
def test_every_branch_ends_in_a_row_of_its_own_and_so_does_the_open_one(forest: tuple[Conversation, str]) -> None:
    conversation, tip = forest
    rows = BranchTree(conversation, [message.id for message in conversation.path(tip)], NO_CHOICES).rows()
    alone = {row.groups[0][0] for row in rows if row.kind == "message"}
    assert set(conversation.leaves) <= alone
    assert tip in alone
    assert sum(row.is_tip for row in rows) == 1


@given(forests())
def test_rows_are_no_deeper_than_the_forks_above_them_and_only_a_fork_indents(forest: tuple[Conversation, str]) -> None:
    conversation, tip = forest
    rows = BranchTree(conversation, [message.id for message in conversation.path(tip)], NO_CHOICES).rows()
    ends = sum(not row.below for row in rows)
    assert all(row.depth < ends for row in rows)
    for above, row in pairwise(rows):
        assert row.depth <= above.depth + 1
        assert row.depth <= above.depth or row.version > 0


@given(forests(circles=False))
def test_versions_come_in_the_order_of_time_and_above_what_follows_them(forest: tuple[Conversation, str]) -> None:
    conversation, tip = forest
    rows = BranchTree(conversation, [message.id for message in conversation.path(tip)], NO_CHOICES).rows()
    place = {message_id: number for number, row in enumerate(rows) for group in row.groups for message_id in group}
    for message in conversation:
        beside = list(conversation.children(message.id))
        assert all(place[one] >= place[message.id] for one in beside)
        assert beside == sorted(beside, key=place.__getitem__)


@given(forests(circles=False))
def test_the_open_branch_is_in_order_and_its_line_is_unbroken(forest: tuple[Conversation, str]) -> None:
    conversation, tip = forest
    path = [message.id for message in conversation.path(tip)]
    rows = BranchTree(conversation, path, NO_CHOICES).rows()
    shown = [message_id for row in rows if row.on_path for group in row.groups for message_id in group]
    assert shown == path
    last = max(number for number, row in enumerate(rows) if row.on_path)
    columns = open_line(rows)
    assert all((column >= 0) == (number < last) for number, column in enumerate(columns))
    assert all(column == row.depth for row, column in zip(rows[:last], columns, strict=False) if row.on_path)
