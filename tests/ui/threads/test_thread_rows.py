"""The rows of the thread list: whatever changes, they are what a list made anew would hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from desktop_app.core.messages import Thread, ThreadSummary
from desktop_app.ui.i18n.language import ago, day
from desktop_app.ui.threads.thread_list_model import PAGE, TITLES_AT_ONCE, ThreadListModel
from desktop_app.ui.threads.thread_rows import GROUP_ROLE, THREAD_ROLE, ThreadGroupRow, group_threads
from desktop_app.ui.threads.title_search import SLICE
from tests.counted_calls import CountedCalls
from tests.set_time import NOW, days_ago


def thread(name: str, days: float = 0.0, **facts: object) -> Thread:
    return replace(Thread(name, name, days_ago(days), days_ago(days)), **facts)  # type: ignore[arg-type]


def rows(model: ThreadListModel) -> list[str]:
    return [str(model.index(row).data()) for row in range(model.rowCount())]


def filled(*threads: Thread) -> ThreadListModel:
    model = ThreadListModel()
    model.set_threads([ThreadSummary(one, 1) for one in threads])
    return model


def test_projects_stand_by_name_between_pinned_and_days() -> None:
    model = filled(
        thread("old", 400, project="beta"),
        thread("pinned", 3, pinned=True, project="Alpha"),
        thread("a", 2, project="Alpha"),
        thread("today", 0),
        thread("archived", 0, archived=True, project="gamma"),
    )
    assert rows(model) == ["Pinned", "pinned", "Alpha", "a", "beta", "old", "Today", "today"]
    model.show_archived(True)
    assert rows(model) == ["Today", "archived"]


@given(
    st.lists(st.sampled_from([*"abc", "", "2026-13-99", "zzz", days_ago(0), days_ago(40), "2026-01-01T00:30:00+09:00"]))
)
def test_damaged_times_never_lose_a_thread(times: list[str]) -> None:
    summaries = [ThreadSummary(Thread(str(n), str(n), "", updated), 0) for n, updated in enumerate(times)]
    groups = group_threads(summaries, NOW.date())
    assert sorted(each.thread.id for group in groups for each in group.threads) == sorted(
        each.thread.id for each in summaries
    )
    assert len({group.key for group in groups}) == len(groups)


CHANGES: tuple[Callable[[Thread], Thread], ...] = (
    lambda one: replace(one, updated=days_ago(0)),
    lambda one: replace(one, updated=days_ago(33)),
    lambda one: replace(one, pinned=not one.pinned),
    lambda one: replace(one, archived=not one.archived),
    lambda one: replace(one, project=None if one.project else "Harbour"),
    lambda one: replace(one, title=one.title + " x"),
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 11), st.one_of(st.integers(0, len(CHANGES) - 1), st.sampled_from(["gone", "fold", "hold"]))
        ),
        max_size=25,
    )
)
def test_single_steps_end_where_a_list_made_anew_does(steps: list[tuple[int, int | str]]) -> None:
    kept = {str(n): thread(str(n), n * 3.3) for n in range(12)}
    model = filled(*kept.values())
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    folded: set[str] = set()
    for number, what in steps:
        name = str(number)
        if what == "fold":
            key = ("today", "week", "pinned")[number % 3]
            folded ^= {key}
            model.set_collapsed(key, key in folded)
        elif what == "gone":
            kept.pop(name, None)
            model.remove_thread(name)
        elif what == "hold":
            model.hold(bool(number % 2))
        else:
            kept[name] = CHANGES[int(what)](kept.get(name) or thread(name))
            model.put_thread(kept[name])
    model.hold(False)
    fresh = filled(*model_order(model, kept))
    for key in folded:
        fresh.set_collapsed(key, True)
    assert sorted(rows(model)) == sorted(rows(fresh))
    assert [row for row in rows(model) if row in HEADINGS] == [row for row in rows(fresh) if row in HEADINGS]
    for name, last in kept.items():
        index = model.index_of(name)
        assert not index.isValid() or index.data(THREAD_ROLE) == last
    del tester


HEADINGS = ("Pinned", "Harbour", "Today", "Yesterday", "Previous 7 days")


def model_order(model: ThreadListModel, kept: dict[str, Thread]) -> list[Thread]:
    return [summary.thread for summary in model.threads() if summary.thread.id in kept]


def test_a_thread_that_comes_up_moves_alone(qapp: object) -> None:
    model = filled(*(thread(str(n), 1 + n) for n in range(40)))
    kept = QPersistentModelIndex(model.index_of("30"))
    mover = QPersistentModelIndex(model.index_of("20"))
    resets: list[None] = []
    model.modelReset.connect(lambda: resets.append(None))
    model.put_thread(thread("20", 0.0))
    assert rows(model)[:2] == ["Today", "20"]
    assert resets == []
    assert kept.data(THREAD_ROLE).id == "30"
    assert mover.row() == 1


def test_while_held_nothing_moves_but_what_the_user_does() -> None:
    model = filled(thread("a", 0.001), thread("b", 0.002), thread("c", 0.003))
    model.hold(True)
    model.put_thread(thread("c", 0.0, title="c, new"))
    assert rows(model) == ["Today", "a", "b", "c, new"]
    model.put_thread(thread("b", 0.002, pinned=True))
    assert rows(model)[:2] == ["Pinned", "b"]
    model.hold(False)
    assert rows(model) == ["Pinned", "b", "Today", "c, new", "a"]


def test_a_closed_group_says_how_many_it_hides_and_a_filter_opens_it() -> None:
    model = filled(thread("one", 0), thread("two", 0))
    model.set_collapsed("today", True)
    (heading,) = [model.index(row) for row in range(model.rowCount())]
    group = heading.data(GROUP_ROLE)
    assert isinstance(group, ThreadGroupRow)
    assert (group.count, group.collapsed) == (2, True)
    assert heading.data(Qt.ItemDataRole.AccessibleTextRole) == "Today, collapsed, 2 threads"
    model.set_filter("two")
    assert rows(model) == ["Threads", "two"]
    model.set_filter("")
    assert rows(model) == ["Today"]


def test_what_is_found_stands_under_one_heading() -> None:
    model = filled(
        thread("knot one", 400, project="beta"),
        thread("knot two", 3, pinned=True),
        thread("knot three", 40),
        thread("sail", 0),
        thread("knot four", 0, archived=True),
    )
    model.set_filter("knot")
    assert rows(model) == ["Threads", "knot two", "knot three", "knot one"]
    heading = model.index(0).data(GROUP_ROLE)
    assert not heading.folds
    model.set_filter("nothing like it")
    assert rows(model) == []


def test_a_mistyped_title_is_found_behind_those_that_are_typed_right() -> None:
    model = filled(
        thread("harbour works", 400), thread("Habrour plan", 3), thread("harbor", 2), thread("old harbours", 50)
    )
    model.set_filter("harbour")
    assert rows(model) == ["Threads", "old harbours", "harbour works", "harbor", "Habrour plan"]
    model.set_filter("habrour plam")
    assert rows(model) == ["Threads", "Habrour plan"]
    model.put_thread(thread("Harbour plant", 1))
    model.set_filter("harbour plsn")
    assert rows(model) == ["Threads", "Habrour plan"]
    model.set_filter("harbour plsnt")
    assert rows(model) == ["Threads", "Harbour plant"], "a title that came meanwhile"
    model.set_filter("hbr")
    assert rows(model) == []


def test_marks_are_said_as_well_as_painted() -> None:
    model = filled(thread("a", private=True))
    index = model.index_of("a")
    for mark, words in (("unread", "new answer"), ("failed", "answer failed"), ("running", "answering")):
        model.set_mark("a", mark, True)  # type: ignore[arg-type]
        assert index.data(Qt.ItemDataRole.AccessibleTextRole) == f"a, private, {words}"


def test_the_work_of_a_change_does_not_grow_with_the_list() -> None:
    def work_of(count: int) -> list[int]:
        threads = [thread(f"Thread {number}", 0.1 + number / 30) for number in range(count)]
        model = filled(thread("new", 0.01), *threads)
        changes: tuple[Callable[[], object], ...] = (
            lambda: model.put_thread(replace(threads[count // 2], updated=days_ago(-1e-6))),
            lambda: model.put_thread(thread("other", 0.0)),
            lambda: model.remove_thread("other"),
            lambda: model.set_blank("new"),
            lambda: model.set_filter("thread"),
            lambda: model.set_filter("thread 7"),
        )
        calls = []
        for change in changes:
            with CountedCalls() as work:
                change()
            calls.append(work.calls)
        return calls

    few, many = work_of(TITLES_AT_ONCE + 1), work_of(20_000)
    assert [more for less, more in zip(few, many, strict=True) if more > 1.2 * less + 200] == []


STEPS = ("up", "pin", "archive", "project", "gone", "blank", "fold")


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 40), st.sampled_from(STEPS))))
def test_one_thread_that_changes_is_put_where_a_list_made_anew_has_it(steps: list[tuple[int, str]]) -> None:
    model, step = filled(*(thread(str(n), n * 1.3) for n in range(40))), 0
    model.set_projects({"p": "Harbour"})
    for number, what in steps:
        name, step = str(number), step + 1
        before = model.thread_of(name) or thread(name, 70)
        if what == "fold":
            model.set_collapsed(("today", "week", "project:p")[number % 3], bool(number % 2))
        elif what == "blank":
            model.set_blank(name if number % 2 else None)
        elif what == "gone":
            model.remove_thread(name)
        elif what == "up":
            model.put_thread(replace(before, updated=days_ago((number % 9) - step / 1e4)))
        else:
            facts = {"pin": "pinned", "archive": "archived", "project": "project"}[what]
            value = ("" if before.project else "p") or None if what == "project" else not getattr(before, facts)
            model.put_thread(replace(before, **{facts: value}))  # type: ignore[arg-type]
        kept, counts = rows(model), [heading.count for heading in headings(model)]
        assert model.archived_count() == sum(one.thread.archived for one in model.threads())
        assert [model.index_of(one).row() for one in kept if model.index_of(one).isValid()] == [
            row for row, one in enumerate(kept) if model.index(row).data(THREAD_ROLE)
        ]
        model.show_archived(False)  # makes all rows anew
        assert (rows(model), [heading.count for heading in headings(model)]) == (kept, counts)


def headings(model: ThreadListModel) -> list[ThreadGroupRow]:
    every = (model.index(row).data(GROUP_ROLE) for row in range(model.rowCount()))
    return [one for one in every if one is not None]


def test_many_titles_are_looked_at_in_turns_and_shown_by_pages(qtbot: QtBot) -> None:
    count = TITLES_AT_ONCE + 3 * SLICE
    threads = [thread(f"knot {number}", number / 50) for number in range(count)]
    model = filled(*threads, thread("sail", 400), thread("sial", 401))
    whole = rows(model)
    model.set_filter("knot")
    assert rows(model) == ["Threads", *(one.title for one in threads[:PAGE])]
    qtbot.waitUntil(lambda: model.index(0).data(GROUP_ROLE).count == count)
    model.fetchMore(QModelIndex())
    assert rows(model)[-1] == threads[2 * PAGE - 1].title
    assert model.index_of(threads[PAGE + 3].id).row() == PAGE + 4
    model.fetch_all()
    assert len(model.threads_between(0, model.rowCount())) == count
    model.set_filter("sail")
    model.finish_search()
    assert rows(model) == ["Threads", "sail", "sial"]
    model.set_filter("")
    assert rows(model) == whole
    model.set_filter("sail")
    qtbot.waitUntil(lambda: rows(model) == ["Threads", "sail", "sial"])
    model.put_thread(thread("sail", 0.0))
    model.set_filter("")
    assert rows(model)[1] == "sail"


@pytest.mark.parametrize(
    ("age", "words"),
    [(timedelta(seconds=5), "now"), (timedelta(minutes=7), "7 min"), (timedelta(hours=3), "3 h")],
)
def test_how_long_ago_is_said_in_few_words(age: timedelta, words: str) -> None:
    assert ago((NOW - age).isoformat(), NOW) == words


def test_older_times_are_a_weekday_then_a_date() -> None:
    assert ago((NOW - timedelta(days=3)).isoformat(), NOW).isalpha()
    old = (NOW - timedelta(days=90)).isoformat()
    assert ago(old, NOW) == day(old) != ""
    assert ago("no time", NOW) == ""


def test_a_thread_that_has_only_a_draft_is_called_by_its_first_words() -> None:
    drafted = thread("a", 0, title="", draft="**The quick** brown fox")
    model = filled(drafted, thread("b", 1, title=""), thread("c", 2, draft="more to say"))
    assert rows(model)[1::2] == ["Draft: The quick brown fox", "New thread", "c"]
    index = model.index_of("a")
    assert index.data(Qt.ItemDataRole.EditRole) == "New thread", "its first words are no title yet"
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "Draft: The quick brown fox"
    model.set_draft("a", "A dog")
    assert index.data() == "Draft: A dog"
    model.set_draft("a", "")
    assert index.data() == "New thread"
    model.set_draft("c", "what else?")
    assert model.index_of("c").data() == "c", "a title stays"
    model.set_filter("brown")
    assert model.rowCount() == 0


def test_a_project_without_threads_is_closed_until_it_has_one() -> None:
    model = filled(thread("a", 0))
    model.set_projects({"p": "Ordering portal"})
    heading = model.index(0).data(GROUP_ROLE)
    assert isinstance(heading, ThreadGroupRow)
    assert (heading.collapsed, heading.count) == (True, 0)
    assert "collapsed, 0 threads" in model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    model.put_thread(thread("b", 0, project="p"))
    assert rows(model)[:2] == ["Ordering portal", "b"], "it opens by itself"
