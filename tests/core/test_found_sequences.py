"""Sequences that the machine of plans found once: each showed a fault, and none does now."""

from __future__ import annotations

import hashlib

from desktop_app.core.messages import DocumentPart
from tests.core.paths import words
from tests.core.test_context_machine import MODELS, MiddleModelMachine, ProjectMachine, ThreadMachine


def test_what_goes_with_a_waiting_question_is_no_message_of_its_own() -> None:
    machine = ProjectMachine()
    machine.begin(labels=True, factor=0.93, caps=(0, 0), idle_reset=0, first=0, system="")
    machine.enter(documents=[])
    for _ in range(7):
        machine.stop_and_try_again()
    machine.turns(sizes=[(6, 10), (1, 1), (1, 1)])
    machine.set_caps(caps=(10, 0))
    machine.stop_and_try_again()
    machine.stop_and_try_again()
    machine.write_artifact(kept=True, pinned=True, size=1)
    machine.stop_and_try_again()


def test_the_reason_is_that_of_the_step_and_not_of_another_draft() -> None:
    text = words(120)
    machine = ProjectMachine()
    machine.enter(documents=[DocumentPart("report 0.pdf", text, hashlib.sha256(text.encode()).hexdigest())])
    machine.begin(labels=False, system="", idle_reset=0, factor=1.0, first=0, caps=(0, 0))
    machine.turns(sizes=[(163, 670), (599, 700), (1, 200), (277, 76), (694, 368)])
    machine.wait(minutes=2.0)
    machine.set_caps(caps=(10, 0))
    machine.stop_and_try_again()
    machine.stop_and_try_again()


def test_a_step_never_ends_where_the_line_was_moved_to() -> None:
    machine = ThreadMachine()
    machine.begin(labels=True, factor=0.93, idle_reset=0, caps=(0, 0), system="", first=3)
    machine.move_load_line(place=0)
    machine.wait(minutes=2.0)
    machine.move_load_line(place=0)
    machine.use_tools(result=404, version=2)
    machine.a_count_is_wild(times=0.1)
    machine.turn(answered=266, asked=135)
    machine.a_count_is_wild(times=0.1)
    machine.switch_model(model=MODELS[1])
    machine.attach(asked=1, which=0)
    machine.wait(minutes=2.0)
    machine.move_load_line(place=0)
    machine.move_load_line(place=0)
    machine.wait(minutes=2.0)
    machine.attach(asked=1, which=0)
    machine.move_load_line(place=0)
    machine.attach(asked=8, which=0)
    machine.exclude(on=True, place=159)
    machine.switch_model(model=MODELS[0])
    machine.wait(minutes=2.0)
    machine.show_image(side=537)
    machine.a_count_is_wild(times=0.1)
    machine.switch_model(model=MODELS[0])
    machine.a_count_is_wild(times=0.1)
    machine.show_image(side=537)
    machine.move_load_line(place=753)
    machine.attach(asked=1, which=0)
    machine.a_count_is_wild(times=0.1)
    machine.use_tools(result=1, version=1)
    machine.a_count_is_wild(times=0.1)
    machine.set_limit(limit=1500)
    machine.exclude(on=False, place=0)
    machine.switch_model(model=MODELS[0])
    machine.use_tools(result=1, version=1)


def test_how_much_of_the_beginning_stays_above_a_moved_line_is_told_by_the_key() -> None:
    machine = ThreadMachine()
    machine.begin(labels=True, factor=0.93, caps=(0, 0), system="", first=3, idle_reset=0)
    machine.use_tools(result=1, version=1)
    for _ in range(30):
        machine.stop_and_try_again()
    machine.edit_or_branch(place=0)
    for _ in range(4):
        machine.stop_and_try_again()
    machine.undo_step()
    for _ in range(8):
        machine.stop_and_try_again()
    machine.undo_step()
    machine.set_caps(caps=(10, 0))
    machine.move_load_line(place=869)
    for _ in range(3):
        machine.stop_and_try_again()
    machine.set_caps(caps=(0, 0))
    machine.stop_and_try_again()


def test_a_document_that_was_counted_before_weighs_the_same_once_its_question_is_stored() -> None:
    machine = MiddleModelMachine()
    machine.begin(labels=False, caps=(0, 0), system="", first=0, idle_reset=0, factor=1.1)
    machine.wait(minutes=2.0)
    machine.move_load_line(place=0)
    machine.turns(sizes=[(1, 1), (1, 1)])
    machine.switch_model(model=MODELS[0])
    machine.turns(sizes=[(1, 1), (1, 1)])
    for _ in range(5):
        machine.a_count_is_wild(times=0.1)
    machine.switch_model(model=MODELS[0])
    machine.exclude(on=False, place=0)
    machine.a_count_is_wild(times=0.1)
    machine.turns(sizes=[(1, 512), (69, 128), (144, 213), (170, 320)])
    machine.attach(asked=1, which=0)
    machine.exclude(on=True, place=0)
    machine.turns(sizes=[(113, 144), (174, 312), (226, 257), (264, 1)])
    machine.provider_overflows(most=1512)
    machine.move_load_line(place=365)
    machine.turns(sizes=[(357, 20), (222, 307)])
    machine.exclude(on=True, place=666)
    machine.a_count_is_wild(times=10.0)
    machine.turns(sizes=[(699, 60), (97, 368), (599, 1), (200, 1)])
    machine.exclude(on=True, place=142)
    machine.turns(sizes=[(2, 196), (652, 199)])
    machine.use_tools(result=73, version=3)
    machine.exclude(on=False, place=247)
    machine.attach(asked=30, which=2)
    machine.switch_model(model=MODELS[1])
    machine.provider_overflows(most=2233)
    machine.exclude(on=False, place=292)
    machine.use_tools(result=513, version=2)
    machine.exclude(on=True, place=428)
    machine.a_count_is_wild(times=10.0)
    machine.switch_model(model=MODELS[1])
    machine.turns(sizes=[(51, 285), (218, 122), (194, 118), (373, 256)])
    machine.a_count_is_wild(times=0.1)
    machine.attach(asked=26, which=0)
    machine.turns(sizes=[(183, 176), (32, 138), (277, 268), (5, 412), (8, 257), (371, 93)])
    machine.turns(sizes=[(56, 112), (199, 118), (295, 233), (163, 109)])
    machine.attach(asked=21, which=2)


def test_a_request_that_begins_with_a_gap_needs_no_room_for_a_note() -> None:
    machine = MiddleModelMachine()
    machine.begin(labels=False, factor=1.1, caps=(0, 0), idle_reset=0, first=0, system="")
    machine.wait(minutes=2.0)
    machine.move_load_line(place=0)
    machine.turns(sizes=[(1, 1), (1, 1)])
    machine.switch_model(model=MODELS[0])
    machine.edit_or_branch(place=0)
    for _ in range(6):
        machine.move_load_line(place=0)
    machine.turns(sizes=[(1, 1), (1, 1), (1, 200), (584, 700)])
    machine.attach(asked=1, which=0)
    machine.exclude(on=True, place=0)
    machine.turns(sizes=[(1, 1), (1, 1), (86, 700), (700, 1)])


def test_a_reference_to_a_counted_document_weighs_the_same_once_its_question_is_stored() -> None:
    machine = ThreadMachine()
    machine.begin(labels=False, factor=0.93, caps=(0, 12), idle_reset=30, first=3, system="Be brief.")
    machine.attach(which=1, asked=31)
    machine.use_tools(result=16, version=1)
    machine.set_limit(limit=1500)
    machine.turns(sizes=[(73, 1), (473, 470)])
    machine.show_image(side=172)
    machine.attach(which=1, asked=24)
