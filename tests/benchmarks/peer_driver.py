"""One peer of `bench_peers`, in a process of its own with the peer's packages; imports nothing of this project.

`python peer_driver.py NAME ADDRESS MODEL LIMIT [COUNTER]`. Takes one JSON object a line: `{"user", "results"}` holds
one turn and says `{"error"}` (null: none); `{"preload", "words"}` fills the history. With COUNTER, the file of the
server's own counting of tokens, a peer counts as the server does; without it, as its documentation says. Cache marks
are ours, since the peers set none: system prompt, first message, the last two questions or results; `llm` sets its own.
"""

from __future__ import annotations

import asyncio
import copy
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib import import_module, util
from typing import Any

SYSTEM = "You are a careful colleague. Say what you know, what you only suppose, and what has to be looked up."
TOOL = "look_up"
ABOUT = "Looks up an entry of the register by its key."
SCHEMA = {"type": "object", "properties": {"key": {"type": "string"}}, "required": ["key"]}
MAX_TOKENS = 1024
MARK = {"type": "ephemeral"}
LAST = 20
RECENT = 800
"""Messages of a kilobyte that pass the limit."""
MOST_STEPS = 8
"""Requests of one turn."""

Said = dict[str, Any]
"""A message in the form of chat completions, which most peers share."""


def load(name: str) -> Any:
    """A module of the peer's environment, of which nothing is known here."""
    return import_module(name)


def user(text: str) -> Said:
    return {"role": "user", "content": text}


def marked_places(roles: Sequence[str]) -> set[int]:
    """Which messages carry a cache mark: the first and the last two that are not the model's own."""
    asked = [at for at, role in enumerate(roles) if role not in ("system", "assistant", "ai")]
    return {*asked[:1], *asked[-2:]}


def block(text: str, marked: bool) -> list[dict[str, Any]]:
    return [{"type": "text", "text": text, **({"cache_control": MARK} if marked else {})}]


class Peer:
    """Keeps a history and sends what `chosen` takes of it; a failed turn leaves nothing behind."""

    def __init__(self, address: str, model: str, limit: int, count: Callable[[str], int] | None) -> None:
        self.address, self.model, self.limit, self.count = address, model, limit, count
        self.history: list[Said] = []

    def chosen(self) -> list[Said]:
        return self.history

    def add(self, *said: Said) -> None:
        self.history.extend(said)

    def fill(self, said: Sequence[Said]) -> None:
        """Takes in a long history."""
        self.add(*said)

    def forget(self, length: int) -> None:
        del self.history[length:]

    def turn(self, text: str, results: Mapping[str, str]) -> None:
        before = len(self.history)
        try:
            self.add(user(text))
            for _ in range(MOST_STEPS):
                answer, calls = self.ask(self.chosen())
                self.add(said_by_model(answer, calls))
                if not calls:
                    return
                self.add(*({"role": "tool", "tool_call_id": one, "content": results[key]} for one, key in calls))
        except Exception:
            self.forget(before)
            raise

    def ask(self, messages: Sequence[Said]) -> tuple[str, list[tuple[str, str]]]:
        """Posts with the provider's own SDK."""
        marked = marked_places([one["role"] for one in messages])
        wire: list[dict[str, Any]] = []
        system = ""
        for at, one in enumerate(messages):
            if one["role"] == "system":
                system = one["content"]
            elif one["role"] == "tool":
                result = {"type": "tool_result", "tool_use_id": one["tool_call_id"], "content": one["content"]}
                wire.append({"role": "user", "content": [result | ({"cache_control": MARK} if at in marked else {})]})
            else:
                content = block(one["content"], at in marked) if one["content"] else []
                for call in one.get("tool_calls") or ():
                    given = json.loads(call["function"]["arguments"])
                    content.append({"type": "tool_use", "id": call["id"], "name": TOOL, "input": given})
                wire.append({"role": one["role"], "content": content})
        done = self.client().messages.create(
            model=self.model,
            max_tokens=MAX_TOKENS,
            system=block(system or SYSTEM, True),
            messages=wire,
            tools=[{"name": TOOL, "description": ABOUT, "input_schema": SCHEMA}],
        )
        text = "".join(one.text for one in done.content if one.type == "text")
        return text, [(one.id, one.input["key"]) for one in done.content if one.type == "tool_use"]

    @lru_cache(maxsize=1)  # noqa: B019
    def client(self) -> Any:
        return import_module("anthropic").Anthropic(api_key="sk-bench", base_url=self.address)


def said_by_model(text: str, calls: Sequence[tuple[str, str]]) -> Said:
    said: Said = {"role": "assistant", "content": text}
    if calls:
        said["tool_calls"] = [
            {"id": one, "type": "function", "function": {"name": TOOL, "arguments": json.dumps({"key": key})}}
            for one, key in calls
        ]
    return said


class LastTwenty(Peer):
    """The last 20 messages, begun at a question."""

    def chosen(self) -> list[Said]:
        kept = self.history[-LAST:]
        start = next((at for at, one in enumerate(kept) if one["role"] == "user"), 0)
        return kept[start:]


class LangChain(Peer):
    """`trim_messages` as its documentation shows it: by tokens, system kept, begun on human; by `ChatAnthropic`."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.said = import_module("langchain_core.messages")
        chat = import_module("langchain_anthropic").ChatAnthropic
        model = chat(model=self.model, base_url=self.address, api_key="sk-bench", max_tokens=MAX_TOKENS, max_retries=0)
        self.chat = model.bind_tools([{"name": TOOL, "description": ABOUT, "input_schema": SCHEMA}])
        self.history = [self.said.SystemMessage(SYSTEM)]

    def add(self, *said: Said) -> None:
        made = {"user": self.said.HumanMessage, "assistant": self.said.AIMessage}
        for one in said:
            if one["role"] == "tool":
                self.history.append(self.said.ToolMessage(one["content"], tool_call_id=one["tool_call_id"]))
            else:
                calls = [
                    {"id": call["id"], "name": TOOL, "args": json.loads(call["function"]["arguments"])}
                    for call in one.get("tool_calls") or ()
                ]
                more = {"tool_calls": calls} if calls else {}
                self.history.append(made[one["role"]](one["content"], **more))

    def counted(self, messages: Sequence[Any]) -> int:
        assert self.count is not None
        return sum(self.count(one.content) + 4 for one in messages)

    def chosen(self) -> list[Any]:
        chosen: list[Any] = self.said.trim_messages(
            self.history,
            max_tokens=self.limit,
            strategy="last",
            token_counter=self.counted if self.count else "approximate",
            include_system=True,
            start_on="human",
        )
        return chosen

    def ask(self, messages: Sequence[Any]) -> tuple[str, list[tuple[str, str]]]:
        marked = {0, *marked_places([one.type for one in messages])}
        # all as blocks, marked or not: a result that is a string once and a list once is not the same to a cache
        sent = [
            one.model_copy(update={"content": block(one.content, at in marked)}) if one.content else one
            for at, one in enumerate(messages)
        ]
        answer = self.chat.invoke(sent)
        return str(answer.text), [(call["id"], call["args"]["key"]) for call in answer.tool_calls]


class LlamaIndex(Peer):
    """`Memory` with its own size of flushing (3,000 tokens); all of the limit is for the chat history."""

    flush = 0

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        memory = import_module("llama_index.core.memory").Memory
        self.message = import_module("llama_index.core.llms").ChatMessage
        self.loop = asyncio.new_event_loop()
        more: dict[str, Any] = {"token_flush_size": self.flush} if self.flush else {}
        if self.count:
            count = self.count
            more["tokenizer_fn"] = lambda text: range(count(text))
        self.memory = memory.from_defaults(token_limit=self.limit, chat_history_token_ratio=1.0, **more)

    def add(self, *said: Said) -> None:
        made = []
        for one in said:
            more = {key: value for key, value in one.items() if key not in ("role", "content")}
            made.append(self.message(role=one["role"], content=one["content"], additional_kwargs=more))
        self.history.extend(said)
        self.loop.run_until_complete(self.memory.aput_messages(made))

    def fill(self, said: Sequence[Said]) -> None:
        """As it would be after so many turns: all but the last is archived; at once, that would take minutes."""
        status = load("llama_index.core.storage.chat_store.sql").MessageStatus
        old = [self.message(role=one["role"], content=one["content"]) for one in said[:-RECENT]]
        if old:
            add = self.memory.sql_store.add_messages(self.memory.session_id, old, status=status.ARCHIVED)
            self.loop.run_until_complete(add)
        self.add(*said[-RECENT:])

    def forget(self, length: int) -> None:
        gone = len(self.history) - length
        super().forget(length)
        kept = self.loop.run_until_complete(self.memory.aget())
        self.loop.run_until_complete(self.memory.aset(kept[: max(0, len(kept) - gone)]))

    def chosen(self) -> list[Said]:
        kept = self.loop.run_until_complete(self.memory.aget())
        return [{"role": str(one.role.value), "content": one.content or "", **one.additional_kwargs} for one in kept]


class LlamaIndexFlushing(LlamaIndex):
    """The same, flushing a third of the limit at once: what a user would set who knows of the provider's cache."""

    def __init__(self, address: str, model: str, limit: int, count: Callable[[str], int] | None) -> None:
        self.flush = limit // 3
        super().__init__(address, model, limit, count)


class LiteLlm(Peer):
    """`trim_messages` with `max_tokens`, then `completion`. It takes no counter: its counting is replaced."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.lite = load("litellm")
        self.trim = import_module("litellm.utils").trim_messages
        if self.count:
            counter: Any = import_module("litellm.litellm_core_utils.token_counter")
            counter._get_count_function = lambda *_: self.count
        self.history = [{"role": "system", "content": SYSTEM}]

    def chosen(self) -> list[Said]:
        chosen: list[Said] = self.trim(self.history, model=f"anthropic/{self.model}", max_tokens=self.limit)
        # it trims to an answer or a result as readily as to a question, which the provider refuses, also where
        # `modify_params` is set: what stands before the first question is left out
        start = next((at for at, one in enumerate(chosen) if one["role"] == "user"), len(chosen))
        return [*(one for one in chosen[:start] if one["role"] == "system"), *chosen[start:]]

    def ask(self, messages: Sequence[Said]) -> tuple[str, list[tuple[str, str]]]:
        marked = {0, *marked_places([one["role"] for one in messages])}
        sent = copy.deepcopy(list(messages))
        for at in marked:
            if sent[at]["role"] == "tool":
                sent[at]["cache_control"] = MARK
            else:
                sent[at]["content"] = block(sent[at]["content"], True)
        done = self.lite.completion(
            model=f"anthropic/{self.model}",
            messages=sent,
            api_base=self.address,
            api_key="sk-bench",
            max_tokens=MAX_TOKENS,
            num_retries=0,
            max_retries=0,
            tools=[{"type": "function", "function": {"name": TOOL, "description": ABOUT, "parameters": SCHEMA}}],
        )
        answer = done.choices[0].message
        calls = [(one.id, json.loads(one.function.arguments)["key"]) for one in answer.tool_calls or ()]
        return answer.content or "", calls


class Llm(Peer):
    """A conversation of `llm`, which sends all of it; its option `cache` marks the last message."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.llm = import_module("llm")
        model = self.llm.get_model(f"anthropic/{self.model}")
        model.base_url = self.address
        self.results: Mapping[str, str] = {}
        tool = self.llm.Tool(TOOL, ABOUT, SCHEMA, implementation=lambda key: self.results[key])
        self.talk = model.conversation(tools=[tool])

    def add(self, *said: Said) -> None:
        parts = import_module("llm.parts")
        self.talk.loaded_messages = [parts.Message(one["role"], [parts.TextPart(text=one["content"])]) for one in said]

    def turn(self, text: str, results: Mapping[str, str]) -> None:
        self.results = results
        responses = len(self.talk.responses)
        options = {"cache": True, "max_tokens": MAX_TOKENS}
        try:
            self.talk.chain(text, system=SYSTEM, key="sk-bench", options=options, chain_limit=MOST_STEPS).text()
        except Exception:
            del self.talk.responses[responses:]
            raise


PEERS: dict[str, type[Peer]] = {
    "LangChain": LangChain,
    "LlamaIndex": LlamaIndex,
    "LlamaIndex-third": LlamaIndexFlushing,
    "LiteLLM": LiteLlm,
    "llm": Llm,
    "last-20": LastTwenty,
}


def counter_of(path: str) -> Callable[[str], int]:
    """The server's counting, each text once."""
    spec = util.spec_from_file_location("counter", path)
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    counted: Callable[[str], int] = lru_cache(maxsize=1 << 16)(module.by_pieces)
    return counted


def main() -> None:
    """Does what the lines say until they end."""
    name, address, model, limit, *counter = sys.argv[1:]
    answers, sys.stdout = sys.stdout, sys.stderr  # what a peer prints is not an answer
    peer = PEERS[name](address, model, int(limit), counter_of(counter[0]) if counter else None)
    for line in sys.stdin:
        told, error = json.loads(line), None
        if "preload" in told:
            texts = [f"{at}. {told['words']}" for at in range(told["preload"])]
            peer.fill([said_by_model(one, ()) if at % 2 else user(one) for at, one in enumerate(texts)])
        else:
            try:
                peer.turn(told["user"], told.get("results") or {})
            except Exception as failure:  # noqa: BLE001
                error = f"{type(failure).__name__}: {failure}"[:2_000]
        answers.write(json.dumps({"error": error}) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
