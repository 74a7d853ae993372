"""Owns which failed turns of a command were only not saved yet, and so its exit status. Prints when they are saved."""

from __future__ import annotations

from desktop_app.cli.exit_codes import DONE
from desktop_app.cli.output import Output
from desktop_app.core.events import Announcement, AnswerSaved


class UnsavedAnswers:
    """Hears of answers whose end is saved late, up to the close of the services."""

    def __init__(self, output: Output, *, json: bool) -> None:
        self._output = output
        self._json = json
        self._failed: list[tuple[int, str | None]] = []
        self._saved: set[str] = set()
        self.turn_runs = False
        """Whether what is printed now belongs to another turn."""

    def failed(self, status: int, answer_id: str | None) -> None:
        """A turn ended with this exit status; `answer_id` is what came of it."""
        self._failed.append((status, answer_id))

    def hear(self, announcement: Announcement) -> None:
        """Takes one announcement."""
        if not isinstance(announcement, AnswerSaved):
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
