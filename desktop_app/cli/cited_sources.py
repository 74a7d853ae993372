"""Tells below an answer which passages of documents it cites."""

from __future__ import annotations

from contextlib import suppress

from desktop_app.cli.output import Output
from desktop_app.composition import AppServices
from desktop_app.core.errors import PlimsollError


async def tell_sources(services: AppServices, thread_id: str, answer: str, output: Output) -> None:
    """One line for each: document and place, or that no such passage was sent. Nothing where none was."""
    if "[" not in answer:
        return
    from desktop_app.core.citations import SentPassages, citations_in  # most answers cite nothing

    with suppress(PlimsollError):  # the answer is there without
        sent = SentPassages((await services.chat.open_thread(thread_id)).path)
        titles = {one.id: sent.title_of(one.id) for one in citations_in(answer, sent)} if sent else {}
        for passage_id, title in titles.items():
            output.tell(f"[{passage_id}] {title or 'unverified: no such passage was sent'}")
