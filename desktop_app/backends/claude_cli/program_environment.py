"""Says what the `claude` program gets of our environment, and what is set in it.

Nothing of the desktop's environment passes but what is named here: a variable such as `CLAUDE_CODE_EXTRA_BODY` or
`ANTHROPIC_MODEL`, set for something else, would silently change what is sent.
"""

from __future__ import annotations

from collections.abc import Mapping

from desktop_app.core.context.plan import CacheLifetime

HANDED_OVER = frozenset(
    (
        *("PATH", "HOME", "USER"),  # macOS keeps the login in the keychain under the user's name
        *("LANG", "LANGUAGE", "TZ"),
        *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy"),
        *("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"),
        *("CLAUDE_CONFIG_DIR", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"),
        *("USERPROFILE", "APPDATA", "LOCALAPPDATA", "SYSTEMROOT", "TEMP"),  # Windows starts nothing without them
    )
)

SWITCHES: Mapping[str, str] = {
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    # one of three locks against reading the file named by an `@path` in the text; the others are in `invocation`
    "CLAUDE_CODE_DISABLE_ATTACHMENTS": "1",
    # the program's own marks stand where they never match again, and leave room for one of ours (decision 0015)
    "DISABLE_PROMPT_CACHING": "1",
    # by itself the program retries 10 times, more than 100 s of silence
    "CLAUDE_CODE_MAX_RETRIES": "2",
}


TOOL_SWITCHES: Mapping[str, str] = {
    # a tool that the model has to search for first would come into the request one turn late
    "ENABLE_TOOL_SEARCH": "false",
    # a result above this is written to a file in the user's home; by itself the program says 25000
    "MAX_MCP_OUTPUT_TOKENS": "500000",
}
"""The variables set beside `SWITCHES` for an answer that may call tools of ours."""


def reduced_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Return what every run of the program gets: the named variables of `environ`, all of `LC_*`, and the switches."""
    passed = {name: value for name, value in environ.items() if name in HANDED_OVER or name.startswith("LC_")}
    return {**passed, **SWITCHES}


def answer_environment(
    environ: Mapping[str, str], *, lifetime: CacheLifetime, max_output: int, tools: bool = False
) -> dict[str, str]:
    """`reduced_environment` for one answer of at most `max_output` tokens; `tools`: it may call tools of ours.

    `lifetime` is that of our cache marks. The program sets none of its own, but is told all the same: should a version
    set some, theirs has to be that of ours, since the Messages API answers 400 when a mark for an hour follows one for
    five minutes.
    """
    switches = TOOL_SWITCHES if tools else {}
    return {
        **reduced_environment(environ),
        **switches,
        "CLAUDE_CODE_PROMPT_CACHE_TTL": lifetime,
        "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(max_output),
    }
