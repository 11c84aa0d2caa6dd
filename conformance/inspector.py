"""The official inspector: it must see the same over stdio and HTTP, in both revisions, and what the repository says."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.node import Node
from conformance.product import PROGRAM, REPOSITORY, Setting, over_http

_PROGRAM = "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
_ERAS = ("legacy", "modern")
_GOLDEN = REPOSITORY / "tests" / "golden" / "tools.json"
_QUERY = {"query": "how do I stop it from bursting in the cold", "topK": 3}
_UNKNOWN = {"query": "x", "top_k": 3}
_TOOL_FAILED = 5
"""The inspector's exit code for an answer that is marked as an error."""

_OF_THE_REVISION = {"_meta", "cacheScope", "ttlMs"}
_READ = 2
"""Resources of a list that are read, too."""

Answer = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One way in; each question is a process of its own."""

    node: Node
    setting: Setting
    name: str
    era: str
    target: Sequence[str]

    def ask(self, method: str, *options: str, code: int = 0) -> Answer:
        """The result, without what only one revision has. Raises RuntimeError when the exit code is another."""
        told = ["--cli", "--protocol-era", self.era, "--format", "json", "--method", method, *options, *self.target]
        done = self.node.run(_PROGRAM, *told, environment=self.setting.environment(), seconds=120)
        if done.code != code:
            raise RuntimeError(f"{method} {' '.join(options)} ended with {done.code}: {done.err or done.out}")
        result = json.loads(done.out)["result"]
        return {name: value for name, value in result.items() if name not in _OF_THE_REVISION}

    def call(self, tool: str, arguments: Answer, *, code: int = 0) -> Answer:
        """The answer of a tool."""
        return self.ask("tools/call", "--tool-name", tool, "--tool-args-json", json.dumps(arguments), code=code)


def run(node: Node, setting: Setting) -> list[str]:
    """What differs, as lines to read."""
    with over_http(setting) as address:
        ways = {
            "stdio": [*_passed_on(setting), "--", *PROGRAM],
            "http": ["--server-url", address, "--transport", "http"],
        }
        looks = [
            Look(node=node, setting=setting, name=f"{way}, {era}", era=era, target=target)
            for way, target in ways.items()
            for era in _ERAS
        ]
        try:
            seen = {look.name: dict(_questions(look)) for look in looks}
        except RuntimeError as failure:
            return [f"inspector: {failure}"]
    first = next(iter(seen.values()))
    print(f"inspector: {len(seen)} ways in, {len(first)} questions each")
    differing = [
        f"inspector: {way} answers {question} otherwise: {_difference(answers.get(question), answer)}"
        for way, answers in seen.items()
        for question, answer in first.items()
        if answers.get(question) != answer
    ]
    return differing + _untrue(first)


def _passed_on(setting: Setting) -> Iterator[str]:
    """The inspector starts a server with hardly any of its own environment."""
    environment = setting.environment()
    for name in (*setting.variables(), "PYTHONPATH"):
        if name in environment:
            yield from ("-e", f"{name}={environment[name]}")


def _questions(look: Look) -> Iterator[tuple[str, Answer]]:
    yield "tools/list", look.ask("tools/list", "--strict")
    yield "status", look.call("status", {})
    yield "query_documents", look.call("query_documents", _QUERY)
    yield "a wrong argument", look.call("query_documents", _UNKNOWN, code=_TOOL_FAILED)
    resources = look.ask("resources/list")
    yield "resources/list", resources
    yield "resources/templates/list", look.ask("resources/templates/list")
    for resource in resources["resources"][:_READ]:
        yield f"resources/read {resource['uri']}", look.ask("resources/read", "--uri", resource["uri"])
    prompts = look.ask("prompts/list")
    yield "prompts/list", prompts
    for prompt in prompts["prompts"]:
        yield (
            f"prompts/get {prompt['name']}",
            look.ask("prompts/get", "--prompt-name", prompt["name"], *_filled(prompt)),
        )


def _difference(one: object, other: object) -> str:
    """Where two answers part, and how they go on."""
    texts = json.dumps(one, ensure_ascii=False), json.dumps(other, ensure_ascii=False)
    start = next((place for place, pair in enumerate(zip(*texts, strict=False)) if len(set(pair)) > 1), 0)
    return " / ".join(text[max(0, start - 40) : start + 80] for text in texts)


def _filled(prompt: dict[str, Any]) -> list[str]:
    given = [f"{argument['name']}=winter" for argument in prompt.get("arguments", []) if argument.get("required")]
    return ["--prompt-args", *given] if given else []


def _untrue(seen: dict[str, Answer]) -> list[str]:
    """What every way in agrees on, and is not so."""
    golden = json.loads(_GOLDEN.read_text(encoding="utf-8"))
    found = seen["query_documents"]
    untrue = []
    if seen["tools/list"]["tools"] != golden:
        untrue.append(f"inspector: the tools are not those of {_GOLDEN.relative_to(REPOSITORY)}")
    for name in ("status", "query_documents"):
        answer = seen[name]
        if json.loads(answer["content"][0]["text"]) != answer["structuredContent"]:
            untrue.append(f"inspector: text and structure of {name} differ")
    if not found["structuredContent"]["results"]:
        untrue.append("inspector: query_documents finds nothing in the example documents")
    return untrue
