"""Runs one turn on the command line: its files and thread, its output as it comes, the sources it cites, its end."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from time import monotonic

from desktop_app.cli.command_process import CAPPED, DONE, EXIT_STATUS, Interruption, Output
from desktop_app.cli.json_shapes import error_shape, usage_shape
from desktop_app.cli.options import TurnOptions
from desktop_app.cli.plan_shapes import context_shape, refusal_shape, sent_shape, ways_out
from desktop_app.cli.project_commands import known_project
from desktop_app.composition import AppServices
from desktop_app.controller.attachments import Attachments
from desktop_app.controller.running_turn import INTERRUPTED, TurnOutcome
from desktop_app.controller.turn_notices import TURN_CAP, AtCap, served_by
from desktop_app.core import events
from desktop_app.core.attachment_facts import left_out_of, name_of, note_of
from desktop_app.core.citations import SentPassages, citations_in
from desktop_app.core.context.plan import ContextPlan, PlacedMessage, PlacedPath
from desktop_app.core.context.plan_text import crossing_question
from desktop_app.core.context.planner import Preparation
from desktop_app.core.document_search import summary_of
from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.events import QUIET_S
from desktop_app.core.messages import (
    DocumentPart,
    Failure,
    Json,
    Message,
    Part,
    TextPart,
    Thread,
    ToolCallPart,
    ToolResultPart,
    are_one_text,
    is_cited,
)


async def tell_sources(services: AppServices, thread_id: str, answer: str, output: Output) -> None:
    """One line for each: document and place, or that no such passage was sent. Nothing where none was."""
    if "[" not in answer:
        return

    with suppress(PlimsollError):  # the answer is there without
        sent = SentPassages((await services.chat.open_thread(thread_id)).path)
        titles = {one.id: sent.title_of(one.id) for one in citations_in(answer, sent)} if sent else {}
        for passage_id, title in titles.items():
            output.tell(f"[{passage_id}] {title or 'unverified: no such passage was sent'}")


async def attached(
    attachments: Attachments, files: Sequence[str], interruption: Interruption, output: Output, *, json: bool
) -> tuple[Part, ...] | None:
    """The files as attachments, in order; folders stand for the files in them. None: somebody wished to stop.

    Of a folder goes what can be read, and the rest is told. Raises `UserError("usage")` that names every file which
    can't be attached where one of them was asked for by its name, or none can: then nothing is sent.
    """
    if not files:
        return ()
    reading = asyncio.ensure_future(attachments.read_files([Path(file) for file in files]))
    waiting = asyncio.ensure_future(interruption.until_wished())
    try:
        await asyncio.wait({reading, waiting}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiting.cancel()
        if not reading.done():
            reading.cancel()
            await asyncio.wait({reading})
    if reading.cancelled():
        return None
    parts, failures, of_folders = reading.result()
    if failures and not of_folders:
        raise UserError("usage", " ".join(failure.message for failure in failures))
    for failure in failures:
        tell_notice("not_attached", failure.message, output, json=json)
    return parts


def tell_notice(code: str, message: str, output: Output, *, json: bool) -> None:
    """Says something beside the answer: as a line of JSON, or on standard error."""
    if json:
        output.json({"type": "notice", "code": code, "message": message})
    else:
        output.tell(message)


async def in_part(parts: Sequence[Part], first_tokens: int, prepared: Preparation) -> tuple[Part, ...]:
    """The attachments with each longer document cut, so that its first tokens are sent."""

    async def cut(part: Part) -> Part:
        if not isinstance(part, DocumentPart):
            return part
        return await asyncio.to_thread(prepared.first_tokens, part, first_tokens)

    return tuple([await cut(part) for part in parts])


class UnsavedAnswers:
    """Hears of answers whose end is saved late, up to the close of the services."""

    def __init__(self, output: Output, *, json: bool) -> None:
        self._output = output
        self._json = json
        self._failed: list[tuple[int, str | None]] = []
        self._saved: set[str] = set()
        self.turn_runs = False
        """True while the text printed belongs to another turn."""

    def failed(self, status: int, answer_id: str | None) -> None:
        """A turn ended with this exit status; `answer_id` is what came of it."""
        self._failed.append((status, answer_id))

    def hear(self, announcement: events.Announcement) -> None:
        if not isinstance(announcement, events.AnswerSaved):
            return
        answer = announcement.message
        self._saved.add(answer.id)
        words = "The answer that was not saved is saved now."
        if not self._json:
            self._output.tell(words)
        elif self.turn_runs:
            self._output.json({"type": "notice", "code": "saved", "message": words})
        else:
            done = {"thread": answer.thread_id, "message": answer.id, "stop_reason": answer.stop_reason}
            self._output.json({"type": "done", **done, "context": None})

    def status(self, ended: int) -> int:
        """The command's exit status, where `ended` is the one that it ended with: a failure that was mended is none."""
        if not self._failed or ended != self._failed[-1][0]:
            return ended
        left = [status for status, answer_id in self._failed if answer_id not in self._saved]
        return left[-1] if left else DONE


async def thread_for(services: AppServices, options: TurnOptions) -> Thread:
    """The thread that the options name, with their wishes written to it, or a new one.

    Raises `UserError("usage")` for an unknown thread, `UserError("config")` for an unknown project, or where nothing
    can answer: then nothing was made or changed.
    """
    chat = services.chat
    if options.thread is None:
        project = None if options.project is None else (await known_project(services, options.project)).id
        like = None if project is None else Thread("", "", "", "", project=project)
        choice = await chat.chooser.choose(like, backend=options.backend, model=options.model)
        await chat.chooser.check_usable(choice.backend)
        return await chat.new_thread(
            backend=options.backend, model=options.model, system=options.system or "", project=project
        )
    thread = await services.history.find_thread(options.thread)
    if options.backend is not None or options.model is not None:
        choice = await chat.chooser.choose(thread, backend=options.backend, model=options.model)
        await chat.chooser.check_usable(choice.backend)
        thread = await chat.switch(thread.id, backend=choice.backend.name, model=choice.model.id)
    if options.system is not None:
        thread = await chat.set_system(thread.id, options.system)
    return thread


async def tell_of_limit(services: AppServices, thread: Thread, output: Output, *, json: bool) -> None:
    """Says where the soft limit that is set is more than the model takes, and what is used instead."""
    if problem := await services.chat.chooser.limit_problem(thread):
        tell_notice("soft_limit", problem, output, json=json)


async def tell_of_folders(services: AppServices, thread: Thread, output: Output, *, json: bool) -> None:
    """Says where followed folders of the thread's project hold something else by now than the project."""
    with suppress(PlimsollError):  # the answer is worth more than the look
        changes = () if thread.project is None else await services.projects.followed_folders.look(thread.project)
        if thread.project is not None and changes:
            name = (await services.projects.one(thread.project)).name
            counts = Counter(one.kind for one in changes)
            told = ", ".join(f"{counts[kind]:,} {kind}" for kind in ("new", "changed", "removed") if counts[kind])
            words = (
                f"Files in followed folders of “{name}”: {told}. `plimsoll project follow` with the folder reads them."
            )
            tell_notice("folder_changes", words, output, json=json)


class ToldContext:
    """The context that the lines of one chat have told, `rows` its messages: the next line tells the changes since.

    `whole`: each line tells all. `alone`: there is one turn, whose line needs no name.
    """

    def __init__(self, *, whole: bool = False, alone: bool = False) -> None:
        self._whole = whole
        self._alone = alone
        self._name: str | None = None
        self._path: PlacedPath | None = None
        self.rows: list[PlacedMessage] = []

    def line(self, plan: ContextPlan, thread_id: str) -> dict[str, Json]:
        """The line of this plan, which is told from here on."""
        path, since = plan.placement.messages, None if self._whole else self._name
        changed = {} if self._path is None else path.changes_since(self._path)
        known = len(self.rows)
        moved = any(place < known and self.rows[place].id != row.id for place, row in changed.items())
        if self._path is None or len(path) < known or moved:
            self.rows, since = list(path), None  # another branch was chosen in between
        else:
            for place, row in changed.items():
                self.rows[place : place + 1] = [row]  # in their order, so that those behind the end are added
        self._path, self._name = path, token_hex(4)
        shape = context_shape(plan, thread_id, self.rows if since is None else changed.values())
        named = {} if self._alone else {"line": self._name, "since": since}
        return {"type": "context", **named, **shape}


class TurnPrinter:
    """Prints what is announced of one thread's turn, either as plain text or as one JSON object a line."""

    def __init__(
        self, output: Output, thread_id: str, *, json: bool, send_first: bool = False, told: ToldContext | None = None
    ) -> None:
        """`send_first`: the line of the context waits until the request is out. `told`: by the turns before."""
        self._output = output
        self._thread_id = thread_id
        self._json = json
        self._send_first = send_first
        self._told = told or ToldContext(alone=True)
        self._waiting: ContextPlan | None = None  # what is to be told once something of the answer is there
        self._plan: ContextPlan | None = None  # of the turn's first request
        self._early: list[tuple[str, ...]] = []
        self._text_open = self._text_before = False
        self._last: TextPart | None = None  # the text that ended right before
        self._held: list[str] = []  # begun behind it: its end will say whether both are one text
        self._runs_tools = self._goes_on = False
        self._counted = 0  # tokens of the turn's first request, as its provider counted them
        self._served = ""  # what was told last of the model that answered
        self._heard = 0.0  # when something of the turn came last
        self._calls: set[str] = set()  # whose results it waits for

    def hear(self, announcement: events.Announcement) -> None:
        """Takes one announcement, of any thread."""
        if getattr(announcement, "thread_id", None) != self._thread_id:
            return
        self._heard = monotonic()
        if not (isinstance(announcement, events.NoticeRaised) and announcement.code in _WITH_THE_START):
            self._begin_late()
        match announcement:
            case events.TurnStarted(_, _, plan):
                self._started(plan)
            case events.ToolAnswered(_, _, call, result):
                self._calls.discard(call.id)
                self._tool(call, summary_of(call, result))
            case events.AnswerContinued(_, message, _):
                self._goes_on = True
                self._end_text()
                self._usage(message)
            case events.SendRefused(_, _, plan) if plan is not None:
                self._begin(plan)
            case events.AnswerGrew(_, _, "text", delta) if delta:
                self._delta(delta)
            case events.AnswerGrew(_, _, _, delta) if delta:
                self._end_text()
            case events.AnswerPartFinished(_, _, part):
                self._part(part)
            case events.AnswerReset():
                self._reset()
            case events.NoticeRaised(_, code, message, detail):
                self._notice(code, message, detail)
            case _:
                pass

    async def tell_silence(self) -> None:
        """Says on standard error that nothing comes, once each time; runs until it is cancelled."""
        told, self._heard = 0.0, monotonic()
        while True:
            rest = self._heard + QUIET_S - monotonic()
            await asyncio.sleep(rest if rest > 0 else QUIET_S)
            if told != self._heard and not self._calls and monotonic() - self._heard >= QUIET_S:
                told = self._heard
                self._output.aside(f"Nothing has come for {QUIET_S:.0f} s. Ctrl+C stops; what came is kept.")

    def end(self, outcome: TurnOutcome) -> int:
        """Prints how it ended and returns the exit status."""
        self._begin_late()
        for early in self._early:
            self._print_notice(*early)
        self._end_text()
        if not self._json:
            self._output.end_line()
        message = outcome.message
        self._usage(message)
        if outcome.stop_reason == INTERRUPTED or (outcome.failure is not None and outcome.failure.code == INTERRUPTED):
            return self._interrupted(None if message is None else message.id)
        if outcome.failure is not None:
            return self.fail(outcome.failure, outcome.plan)
        capped = outcome.stop_reason == TURN_CAP
        if self._json:
            self._done(None if message is None else message.id, outcome.stop_reason)
        elif capped:
            self._output.tell("--no-turn-cap goes on; context.turn_cap_usd and turn_cap_calls of the settings set it.")
        elif outcome.stop_reason not in (None, "end_turn", "stop_sequence"):
            self._output.tell(_STOPS.get(str(outcome.stop_reason), f"The answer ended early: {outcome.stop_reason}."))
        return CAPPED if capped else DONE

    def fail(self, failure: Failure, plan: ContextPlan | None = None) -> int:
        """Prints a failure as the last line; the exit status. A refused `plan`: also its largest parts and ways out."""
        refused = plan if plan is not None and plan.decision == "refuse" else None
        if self._json:
            more = {} if refused is None else refusal_shape(refused, self._thread_id)
            self._output.json({**error_shape(failure, self._thread_id), **more})
        else:
            self._output.tell(failure.message)
            if refused is not None:
                self._tell_ways_out(refused, failure)
        return EXIT_STATUS[failure.code]

    def _tell_ways_out(self, plan: ContextPlan, failure: Failure) -> None:
        if failure.detail:
            self._output.tell(failure.detail)
        if ways := ways_out(plan, self._thread_id):
            self._output.tell("What you can do:")
        for way in ways:
            self._output.tell(way.line)

    def _interrupted(self, message_id: str | None) -> int:
        if self._json:
            self._done(message_id, INTERRUPTED)
        else:
            self._output.tell(
                "Interrupted. The text so far is kept." if message_id else "Interrupted; nothing was sent."
            )
        return EXIT_STATUS["interrupted"]

    def _done(self, message_id: str | None, stop_reason: str | None) -> None:
        self._output.json(
            {
                "type": "done",
                "thread": self._thread_id,
                "message": message_id,
                "stop_reason": stop_reason,
                "context": None if self._plan is None else sent_shape(self._plan, self._told.rows, self._counted),
            }
        )

    def _started(self, plan: ContextPlan) -> None:
        self._runs_tools = bool(plan.request.tools)
        # the request that takes results to the model is part of the turn whose context was told
        if not self._goes_on and self._send_first:
            self._waiting = plan
        elif not self._goes_on:
            self._begin(plan)
        self._goes_on = False

    def _begin_late(self) -> None:
        plan, self._waiting = self._waiting, None
        if plan is not None:
            self._begin(plan)

    def _begin(self, plan: ContextPlan) -> None:
        self._plan = plan
        if self._json:
            self._output.json(self._told.line(plan, self._thread_id), ours=True)
        for warning in plan.advice.warnings:
            if warning.code == "head_over_cap" or (plan.decision != "refuse" and warning.used <= warning.cap):
                # what is refused, or sent above the limit, is told as such
                self._print_notice(warning.code, warning.message)
        if question := crossing_question(plan):
            self._print_notice(plan.advice.asks, f"{question} {_GOING_ON[plan.advice.asks]}")
        early, self._early = self._early, []
        for notice in early:
            self._print_notice(*notice)

    def _delta(self, text: str) -> None:
        if not self._text_open and self._last is not None and not is_cited(self._last):
            self._held.append(text)
        else:
            self._print(text, apart=not self._text_open and self._last is None)
            self._text_open = True

    def _print(self, text: str, *, apart: bool) -> None:
        # Parts of one answer stand apart by a blank line, as in the stored message's text.
        text = f"\n\n{text}" if apart and self._text_before else text
        self._text_before = True
        if self._json:
            self._output.json({"type": "delta", "text": text})
        else:
            self._output.text(text)

    def _end_text(self) -> None:
        """End the text: another text comes next."""
        held, self._held = self._held, []
        if held:
            self._print("".join(held), apart=True)
        self._text_open, self._last = False, None

    def _part(self, part: Part) -> None:
        if isinstance(part, TextPart):
            if not self._text_open:
                self._held.clear()  # it is all in the part
                self._print(part.text, apart=self._last is None or not are_one_text(self._last, part))
            self._text_open, self._last = False, part
        else:
            self._end_text()
        if isinstance(part, ToolCallPart):
            self._calls.add(part.id)
        elif isinstance(part, ToolResultPart):
            self._calls.discard(part.call_id)
        # one that is run is told with what came of it
        if isinstance(part, ToolCallPart) and not self._runs_tools:
            self._tool(part, "")

    def _tool(self, call: ToolCallPart, summary: str) -> None:
        if self._json:
            line: dict[str, Json] = {"type": "tool", "name": call.name, "input": call.input, "summary": summary}
            self._output.json(line)
        else:
            self._output.tell(f"[{summary or call.extra.get('tool', call.name)}]")

    def _usage(self, message: Message | None) -> None:
        if message is not None and message.usage is not None:
            self._counted = self._counted or message.usage.opening
        if message is not None and (words := served_by(message)) and words != self._served:
            self._served = words
            self._print_notice("model_served", words)
        if message is not None and message.usage is not None and message.usage.is_counted and self._json:
            self._output.json({"type": "usage", **usage_shape(message.usage), "model": message.model})

    def _reset(self) -> None:
        self._text_open = self._text_before = False
        self._held, self._last = [], None
        if self._json:
            self._output.json({"type": "reset"})
        else:
            self._output.rule()

    def _notice(self, code: str, message: str, detail: str) -> None:
        if self._plan is not None:
            self._print_notice(code, message, detail)
        else:
            self._early.append((code, message, detail))

    def _print_notice(self, code: str, message: str, detail: str = "") -> None:
        if self._json:
            said: dict[str, Json] = {"detail": detail} if detail else {}
            self._output.json({"type": "notice", "code": code, "message": message, **said})
        else:
            self._output.tell(message)
            if code == "secret":
                self._output.tell("--allow-secret lets it leave.")


_WITH_THE_START = frozenset(("trimmed", "returned", "return_offered", "limit_passed"))
"""Notices that are raised before the request leaves."""

_GOING_ON = {
    "first_crossing": "This command keeps to the limit; soft_limit in settings.toml raises it.",
    "cold_reopen": "This command sends it as it is.",
}
"""The outcome of a question that nobody is there to answer."""

_STOPS = {
    "max_tokens": "The answer ends here: it reached the longest output that the model may give.",
    "refusal": "The model declined to answer.",
    "model_context_window_exceeded": "The answer ends here: the model's window is full.",
}


async def run_turn(
    services: AppServices,
    thread: Thread,
    options: TurnOptions,
    text: str,
    *,
    attached: Sequence[Part] = (),
    first_tokens: int | None = None,
    output: Output,
    interruption: Interruption,
    unsaved: UnsavedAnswers,
    send_first: bool = False,
    told: ToldContext | None = None,
) -> int:
    """Sends `text` and prints the answer as it comes; the wish to stop ends it with what came kept.

    `attached` goes with it, of its documents the `first_tokens` (None: as the options say) where they are longer; what
    is to be known of how a file was read is told first.
    """
    first_tokens = first_tokens or options.first_tokens
    printer = TurnPrinter(output, thread.id, json=options.json, send_first=send_first, told=told)
    if first_tokens is not None and attached:
        with suppress(PlimsollError):  # what keeps a plan from being made is told when it is sent
            attached = await in_part(attached, first_tokens, await services.chat.prepared(thread.id))
    for part in attached:
        if note := note_of(part):
            printer.hear(events.NoticeRaised(thread.id, "attachment", f"{name_of(part)}: {note}"))
        if left_out := left_out_of(part):
            words = f"{name_of(part)}: {left_out:,} tokens at its end are left out; the model can search them"
            printer.hear(events.NoticeRaised(thread.id, "attachment", words))
    unsubscribe = services.announcements.subscribe(printer.hear)
    silence = asyncio.ensure_future(printer.tell_silence())
    unsaved.turn_runs = True
    try:
        at_cap: AtCap = "pass" if options.no_turn_cap else "end"
        parts = (*attached, TextPart(text))
        if options.allow_secret:
            with suppress(PlimsollError):  # as above
                await services.chat.allow_secrets(thread.id, parts)
        anyway, tools, allow = options.send_anyway, options.tools, options.allow
        task = services.chat.start_send(thread.id, parts, send_anyway=anyway, at_cap=at_cap, tools=tools, allow=allow)
        waiting = asyncio.ensure_future(interruption.until_wished())
        await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if not task.done():
            await services.chat.stop(thread.id)
        outcome = await task
        status = printer.end(outcome)
        if not options.json and outcome.message is not None:
            await tell_sources(services, thread.id, outcome.message.text, output)
    finally:
        silence.cancel()
        unsubscribe()
        unsaved.turn_runs = False
    if status != DONE:
        unsaved.failed(status, outcome.message.id if outcome.message is not None else None)
    if status == EXIT_STATUS["interrupted"] and interruption.status is not None:
        return interruption.status
    return status
