"""`./dev live`: asks the real providers what the loopback servers take for granted, and says what holds.

It costs money, so it says how much at most and waits for that sum to be typed, or for `--yes --cap SUM`. Keys are
taken from ANTHROPIC_API_KEY and OPENAI_API_KEY; the `claude` program is asked with its own login. Exit status: 0 all
hold, 1 some do not or nothing was sent, 2 wrong arguments, 3 there is neither key nor login. What only time tells is
asked with `--wait`: it takes 25 minutes.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from tests.live.chat_checks import ChatChecks
from tests.live.claude_checks import ClaudeChecks
from tests.live.findings import CannotTellError, NotReadyError, checks_of, findings
from tests.live.messages_checks import MessagesChecks
from tests.live.wire import Budget

CAP: Final = 0.50
NEEDED: Final = """\
Nothing to ask with. ./dev live needs at least one of these:
  ANTHROPIC_API_KEY   a key for Anthropic's API (console.anthropic.com)
  OPENAI_API_KEY      a key for OpenAI's API (platform.openai.com)
  claude              the program, signed in: run `claude` once and follow it"""


class Provider(Protocol):
    """A class of checks."""

    title: str

    def ready(self) -> None: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Wish:
    """What was asked for on the command line."""

    yes: bool
    wait: bool
    cap: float
    only: frozenset[str]
    anthropic_url: str
    openai_url: str
    claude: Path | None
    anthropic_model: str
    openai_model: str
    claude_model: str


NAMES: Final = ("anthropic", "openai", "claude")


def wish_of(arguments: Sequence[str]) -> Wish:
    """Reads the command line; `SystemExit(2)` with a sentence where it is wrong."""
    parser = argparse.ArgumentParser("./dev live", description="Checks what the loopback servers take for granted.")
    parser.add_argument("--yes", action="store_true", help="ask nothing; needs --cap")
    parser.add_argument("--wait", action="store_true", help="also ask how long a cache lives, for 25 minutes")
    parser.add_argument("--cap", type=float, metavar="DOLLARS", help=f"most that may be spent (default: {CAP:.2f})")
    parser.add_argument("--only", choices=NAMES, action="append", help="this provider alone; may be repeated")
    parser.add_argument("--anthropic-url", default="https://api.anthropic.com", metavar="URL")
    parser.add_argument("--openai-url", default="https://api.openai.com/v1", metavar="URL")
    parser.add_argument("--claude", type=Path, metavar="PROGRAM", help="the claude program, if not the one on the path")
    parser.add_argument("--anthropic-model", default="claude-haiku-5-5", metavar="MODEL")
    parser.add_argument("--openai-model", default="gpt-5.4-nano", metavar="MODEL")
    parser.add_argument("--claude-model", default="haiku", metavar="MODEL")
    if (read := parser.parse_args(arguments)).yes and read.cap is None:
        parser.error("--yes needs --cap, such as --yes --cap 0.50")
    if read.cap is not None and not 0 < read.cap <= 20:
        parser.error("--cap is a sum in dollars above 0 and up to 20")
    return Wish(
        yes=read.yes,
        wait=read.wait,
        cap=CAP if read.cap is None else read.cap,
        only=frozenset(read.only or NAMES),
        anthropic_url=read.anthropic_url,
        openai_url=read.openai_url,
        claude=read.claude,
        anthropic_model=read.anthropic_model,
        openai_model=read.openai_model,
        claude_model=read.claude_model,
    )


def providers(
    wish: Wish, environ: Mapping[str, str], budget: Budget, sleep: Callable[[float], None]
) -> dict[type, Callable[[], Provider]]:
    """How each provider that can be asked is made; nothing is sent by that."""

    def pause(minutes: float) -> None:
        if not wish.wait:
            raise CannotTellError("not tried: it takes some minutes; --wait tries it")
        sleep(60 * minutes)

    made: dict[type, Callable[[], Provider]] = {}
    if "anthropic" in wish.only and (key := environ.get("ANTHROPIC_API_KEY", "").strip()):
        made[MessagesChecks] = lambda: MessagesChecks(wish.anthropic_url, key, wish.anthropic_model, budget, pause)
    if "openai" in wish.only and (other := environ.get("OPENAI_API_KEY", "").strip()):
        made[ChatChecks] = lambda: ChatChecks(wish.openai_url, other, wish.openai_model, budget)
    if "claude" in wish.only and _signed_in(wish, environ):
        made[ClaudeChecks] = lambda: ClaudeChecks(wish.claude, environ, wish.claude_model, budget)
    return made


def _signed_in(wish: Wish, environ: Mapping[str, str]) -> bool:
    """Whether the program is there and may be asked; it is run, and sends nothing."""
    tried = ClaudeChecks(wish.claude, environ, wish.claude_model, Budget(0.0))
    try:
        tried.ready()
    except NotReadyError:
        return False
    finally:
        tried.close()
    return True


def confirmed(wish: Wish, made: Mapping[type, object], ask: Callable[[str], str]) -> bool:
    """Says what is about to be sent and what it may cost, and waits for the sum unless it was given with `--yes`."""
    for provider in made:
        print(f"{getattr(provider, 'title', '')}: {len(checks_of(provider))} assumptions")
    print(f"Small requests go to these, paid for by your key or plan; at most ${wish.cap:.2f} are spent on keys.")
    if wish.yes:
        return True
    try:
        said = ask(f"Type {wish.cap:.2f} to send them, anything else to stop: ")
    except (EOFError, KeyboardInterrupt):
        said = ""
    return said.strip().removeprefix("$") == f"{wish.cap:.2f}"


def run(made: Mapping[type, Callable[[], Provider]], budget: Budget) -> int:
    """Makes all checks and prints a line for each; 1 where one does not hold."""
    counts = {"pass": 0, "FAIL": 0, "unclear": 0}
    for make in made.values():
        provider = make()
        try:
            print(f"\n{provider.title}")
            provider.ready()
            for found in findings(provider):
                counts[found.verdict] += 1
                print(f"  {found.verdict:<8} {found.assumption}", flush=True)
                if found.detail:
                    print(f"           {found.detail[:300]}", flush=True)
        except NotReadyError as why:
            counts["FAIL"] += 1
            print(f"  FAIL     {why}")
        finally:
            provider.close()
    print(f"\n{counts['pass']} hold, {counts['FAIL']} do not, {counts['unclear']} unclear; ${budget.spent:.4f} spent")
    return int(counts["FAIL"] > 0)


def main(
    arguments: Sequence[str] | None = None,
    environ: Mapping[str, str] | None = None,
    ask: Callable[[str], str] = input,
    sleep: Callable[[float], None] = time.sleep,
) -> int:
    """The command. `environ`, `ask` and `sleep` are a test's."""
    environ = os.environ if environ is None else environ
    wish = wish_of(sys.argv[1:] if arguments is None else arguments)
    if environ.get("CI"):
        print("./dev live spends money and is not run in CI.", file=sys.stderr)
        return 2
    budget = Budget(wish.cap)
    if not (made := providers(wish, environ, budget, sleep)):
        print(NEEDED, file=sys.stderr)
        return 3
    if not confirmed(wish, made, ask):
        print("Nothing was sent.", file=sys.stderr)
        return 1
    return run(made, budget)


if __name__ == "__main__":
    sys.exit(main())
