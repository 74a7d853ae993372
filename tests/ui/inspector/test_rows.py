"""The rows of the Messages tab: they add up to the gauge's total, and change as little as the plan does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from desktop_app.core.context.context_choices import ContextChoices, Summary
from desktop_app.core.context.plan import ContextPlan, Overhead, PlacedMessage
from desktop_app.core.messages import DocumentPart, Message, Part, TextPart
from desktop_app.core.recall import RECALL
from desktop_app.ui.i18n.content_words import excerpt
from desktop_app.ui.inspector.message_rows import (
    EXCERPT_ROLE,
    GROUP_OF,
    FixedRow,
    GroupName,
    MessageGroupRow,
    MessageRowModel,
    Row,
    fixed_name,
)
from tests.core.paths import MODEL_200K, message, prepare, small_model, talk, words
from tests.counted_calls import CountedCalls

DOCUMENT = DocumentPart("report.pdf", words(300), "cd" * 32)
PATH = (
    message(0, "user", DOCUMENT, "What does it say?"),
    *(message(i, "user" if i % 2 == 0 else "assistant", words(40)) for i in range(1, 40)),
)
IDS = [one.id for one in PATH]
SUMMARY = Summary("s1", tuple(IDS[2:14]), "It was about words.", "m", "2026-01-01T00:00:00Z", edited=True)

CHOICES = st.builds(
    ContextChoices,
    pinned=st.frozensets(st.sampled_from(IDS), max_size=4),
    excluded=st.frozensets(st.sampled_from(IDS), max_size=4),
    fresh_from=st.none() | st.sampled_from(IDS),
    summaries=st.sampled_from([(), (SUMMARY,)]),
)
DRAFTS: st.SearchStrategy[Sequence[Part]] = st.sampled_from(
    [(), (TextPart("next"),), (TextPart(words(900)),), (DOCUMENT, TextPart("again")), (TextPart(words(30_000)),)]
)
PLANS = st.builds(
    lambda choices, draft, small, system, tools: prepare(
        PATH,
        choices=choices,
        model=small_model(4_000) if small else MODEL_200K,
        system=system,
        tools=tools,
        overhead=Overhead(tokens=40, cache_marks=4),
    ).plan(draft),
    CHOICES,
    DRAFTS,
    st.booleans(),
    st.sampled_from(["", "Be brief."]),
    st.sampled_from([(), (RECALL,)]),
)
FOLDS = st.sets(st.sampled_from(["fixed", "sent", "left_out", "pinned"]))


def by_id(path: Sequence[Message]) -> dict[str, Message]:
    return {one.id: one for one in path}


@given(PLANS)
def test_the_rows_add_up_to_the_total_of_the_plan(plan: ContextPlan) -> None:
    model = MessageRowModel()
    model.show_plan(plan, by_id(PATH))
    assert model.total() == plan.tokens.total
    assert sum(row.tokens for row in model.rows() if not isinstance(row, MessageGroupRow)) == plan.tokens.total
    assert sum(row.tokens for row in model.rows() if isinstance(row, MessageGroupRow)) == plan.tokens.total
    assert all(row.tokens > 0 for row in model.rows() if isinstance(row, FixedRow))
    left: dict[GroupName, int] = {}
    for row in model.rows():
        if isinstance(row, MessageGroupRow):
            group = row.group
        left[group] = left.get(group, 0) + (row.tokens if isinstance(row, MessageGroupRow) else -row.tokens)
    assert not any(left.values()), "each heading is the sum of its rows"


@given(PLANS)
def test_every_message_has_one_row_in_the_group_of_its_state(plan: ContextPlan) -> None:
    model = MessageRowModel()
    model.show_plan(plan, by_id(PATH))
    group: GroupName | None = None
    seen: list[str] = []
    left = 0
    for row in model.rows():
        if isinstance(row, MessageGroupRow):
            assert left == 0
            group, left = row.group, row.count
            continue
        left -= 1
        if isinstance(row, PlacedMessage):
            above = (
                row.id
                in IDS[: next((IDS.index(one.id) for one in plan.placement.messages if one.state == "left_out"), 0)]
            )
            assert ("beginning" if above and GROUP_OF[row.state] == "sent" else GROUP_OF[row.state]) == group
            seen.append(row.id)
    assert sorted(seen) == sorted(IDS)


def test_an_answer_without_a_word_is_neither_counted_nor_listed(qapp: QApplication) -> None:
    path = (*PATH[:5], replace(PATH[5], parts=(), state="error"), *PATH[6:])
    model = MessageRowModel()
    model.show_plan(prepare(path, choices=ContextChoices(fresh_from=IDS[20])).plan(()), by_id(path))
    place = model.index_of_group("left_out").row()
    heading = model.rows()[place]
    assert isinstance(heading, MessageGroupRow)
    listed = [row for row in model.rows() if isinstance(row, PlacedMessage) and row.state == "left_out"]
    assert heading.count == len(listed) > 5
    assert not model.index_of(path[5].id).isValid()


class Follower:
    """Keeps a copy of the rows by what the model announces, as a view does."""

    def __init__(self, model: MessageRowModel) -> None:
        self.model = model
        self.rows: list[Row] = list(model.rows())
        model.rowsRemoved.connect(lambda _, first, last: self.rows.__delitem__(slice(first, last + 1)))
        model.rowsInserted.connect(self._put_in)
        model.dataChanged.connect(lambda first, last, *_: self._renew(first.row(), last.row()))

    def _put_in(self, _: object, first: int, last: int) -> None:
        self.rows[first:first] = self.model.rows()[first : last + 1]

    def _renew(self, first: int, last: int) -> None:
        self.rows[first : last + 1] = self.model.rows()[first : last + 1]


@given(st.lists(st.tuples(PLANS, FOLDS), min_size=2, max_size=4))
def test_what_is_announced_leads_to_the_same_rows(steps: list[tuple[ContextPlan, set[GroupName]]]) -> None:
    model = MessageRowModel()
    follower = Follower(model)
    for plan, folds in steps:
        for group in ("fixed", "sent", "left_out", "pinned"):
            model.fold(group, group in folds)
        model.show_plan(plan, by_id(PATH))
        fresh = MessageRowModel()
        for group in folds:
            fresh.fold(group, True)
        fresh.show_plan(plan, by_id(PATH))
        assert list(model.rows()) == list(fresh.rows())
        assert follower.rows == list(fresh.rows())
        for place, row in enumerate(model.rows()):
            if isinstance(row, PlacedMessage):
                assert model.index_of(row.id).row() == place


def test_each_file_of_the_draft_has_a_row_with_its_tokens(qapp: QApplication) -> None:
    model = MessageRowModel()
    other = replace(DOCUMENT, name="log.txt", text=words(70))
    plan = prepare(()).plan([DOCUMENT, other, TextPart("Compare them")])
    model.show_plan(plan, {})
    fixed = [row for row in model.rows() if isinstance(row, FixedRow)]
    drafted = [(fixed_name(row), row.tokens) for row in fixed if row.kind in ("draft", "attached")]
    (_, own), *files = drafted
    assert [name for name, _ in drafted] == ["Draft", "Draft: report.pdf", "Draft: log.txt"]
    assert [tokens for _, tokens in files] == [item.tokens for item in plan.placement.attached]
    assert 0 < own < files[1][1] < files[0][1]


def test_a_keystroke_changes_the_drafts_row_alone(qapp: QApplication) -> None:
    prepared = prepare(PATH)
    model = MessageRowModel()
    model.show_plan(prepared.plan([TextPart("a")]), by_id(PATH))
    changed: list[tuple[int, int]] = []
    replaced: list[bool] = []
    model.dataChanged.connect(lambda first, last, *_: changed.append((first.row(), last.row())))
    model.rows_replaced.connect(lambda: replaced.append(True))
    model.show_plan(prepared.plan([TextPart("a longer one than before")]), by_id(PATH))
    draft = next(n for n, row in enumerate(model.rows()) if isinstance(row, FixedRow) and row.kind == "draft")
    assert changed == [(0, 0), (draft, draft)]
    assert replaced == []
    model.show_plan(None, {})
    assert model.rowCount() == 0


def test_ten_thousand_rows_follow_the_keyboard(qapp: QApplication) -> None:
    path = talk(*[f"message {number} {words(30)}" for number in range(10_000)])
    prepared = prepare(path, soft_limit=10**9)
    model = MessageRowModel()
    messages = by_id(path)
    model.show_plan(prepared.plan([TextPart("x")]), messages)
    took: list[int] = []
    for number in range(20):
        plan = prepared.plan([TextPart("x" * (number + 2))])
        with CountedCalls() as work:
            model.show_plan(plan, messages)
        took.append(work.calls)
    assert max(took) < 150
    # the worst that typing can do: the plan leaves most of the thread out, and takes it back
    far = prepared.plan([TextPart(words(250_000))])
    assert far.placement.left_out > 0
    with CountedCalls() as work:
        model.show_plan(far, messages)
    assert work.calls < 180_000


def test_a_screen_reader_hears_speaker_state_weight_words_and_reason(qapp: QApplication) -> None:
    plan = prepare(PATH, choices=ContextChoices(excluded=frozenset({"m3"}))).plan([TextPart("next")])
    model = MessageRowModel()
    model.show_plan(plan, by_id(PATH))

    def told(one: str, role: int = Qt.ItemDataRole.AccessibleTextRole) -> str:
        return str(model.data(model.index_of(one), role))

    whole = next(placed.whole for placed in plan.placement.messages if placed.id == "m3")
    assert told("m3") == f"Assistant, excluded, {whole} tokens: {words(40).strip()[:160]}. Left out: you excluded it"
    assert told("m0").startswith("User, sent, ")
    assert "report.pdf · What does it say?" in told("m0")
    assert told("m3", Qt.ItemDataRole.ToolTipRole) == f"Left out: you excluded it\n{whole} tokens if it were sent"
    heading = model.index_of_group("excluded")
    assert str(model.data(heading, Qt.ItemDataRole.AccessibleTextRole)) == "Excluded 2, 0 tokens"
    assert told("m0", EXCERPT_ROLE) == "report.pdf · What does it say?"


@pytest.mark.parametrize("length", [10, 10**6])
def test_an_excerpt_is_one_short_line_of_a_message_of_any_length(length: int) -> None:
    told = excerpt(message(0, "user", "  a\n\tb " * length))
    assert told.startswith("a b a b")
    assert "\n" not in told
    assert len(told) <= 160


def test_an_excerpt_has_plain_words() -> None:
    assert (
        excerpt(message(0, "user", "# The load line\nA **Plimsoll line** shows"))
        == "The load line A Plimsoll line shows"
    )
