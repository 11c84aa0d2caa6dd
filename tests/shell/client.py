"""Runs the product as a user's client and terminal do: as a process."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import IO, Self

import jsonschema  # type: ignore[import-untyped]

from minirag_mcp.shell import tools

MODERN = "2026-07-28"
HANDSHAKE = "2025-11-25"
REVISIONS = (MODERN, HANDSHAKE)

_META = "io.modelcontextprotocol"
_ENVELOPE = {
    f"{_META}/protocolVersion": MODERN,
    f"{_META}/clientInfo": {"name": "test-client", "version": "1"},
    f"{_META}/clientCapabilities": {},
}
_SETTINGS = ("BASE_", "DB_", "CACHE_", "MODEL_", "MAX_FILE", "CHUNK_", "RAG_", "ALLOW_", "MINIRAG_")

_BYTECODE = Path(__file__).parents[2] / ".pytest_cache" / "bytecode"

Json = dict[str, object]


def environment(**settings: str) -> dict[str, str]:
    """This process's environment without any setting of the product, and with these.

    Modules stay compiled between the many processes of the tests, wherever the caller keeps that off.
    """
    plain = {name: value for name, value in os.environ.items() if not name.startswith(_SETTINGS)}
    plain.pop("PYTHONDONTWRITEBYTECODE", None)
    return {**plain, "PYTHONPYCACHEPREFIX": str(_BYTECODE), **settings}


def run(arguments: Sequence[str], *, env: Mapping[str, str], cwd: Path) -> "subprocess.CompletedProcess[bytes]":
    """One command of the product, to its end."""
    return subprocess.run(
        [sys.executable, "-m", "minirag_mcp", *arguments],
        env=dict(env),
        cwd=cwd,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )


class Session:
    """A client that speaks JSON lines to a server process, in one of the two revisions."""

    def __init__(self, process: "subprocess.Popen[str]", revision: str) -> None:
        self.process = process
        self.revision = revision
        self.noise: list[str] = []
        self._number = 0
        self._lines: Queue[str] = Queue()
        assert process.stdout is not None
        self._reader = Thread(target=self._read, args=(process.stdout,), daemon=True)
        self._reader.start()

    def open(self) -> Json:
        """Say hello as the revision asks; returns what the server says of itself."""
        if self.revision == MODERN:
            return self.request("server/discover")
        hello = {"capabilities": {}, "clientInfo": {"name": "test-client", "version": "1"}}
        answer = self.request("initialize", protocolVersion=HANDSHAKE, **hello)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    def request(self, method: str, /, **params: object) -> Json:
        """The `result` of a request, or its whole error answer."""
        envelope = {"_meta": _ENVELOPE} if self.revision == MODERN else {}
        return self.raw(method, {**params, **envelope})

    def post(self, method: str, /, **params: object) -> None:
        """Send a request and wait for nothing."""
        self._number += 1
        envelope = {"_meta": _ENVELOPE} if self.revision == MODERN else {}
        self.send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": {**params, **envelope}})

    def raw(self, method: str, params: object) -> Json:
        """The same of a request with these `params`, whatever they are."""
        self._number += 1
        self.send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        answer = self.answer()
        assert answer["id"] == self._number
        result = answer.get("result", answer)
        assert isinstance(result, dict)
        return result

    def ask(self, tool: str, /, **arguments: object) -> Json:
        """The result of a call, answered or refused."""
        return self.request("tools/call", name=tool, arguments=arguments)

    def call(self, tool: str, /, **arguments: object) -> Json:
        """The structured answer of a tool."""
        return self.answered(tool, self.ask(tool, **arguments))

    def answered(self, tool: str, result: Json) -> Json:
        """The structured answer in a result; its text must say the same, and its shape be the tool's."""
        assert not result.get("isError"), result
        fields = result["structuredContent"]
        assert isinstance(fields, dict)
        assert self._text(result) == json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
        jsonschema.validate(fields, tools.BY_NAME[tool].output, jsonschema.Draft202012Validator)
        return fields

    def refusal(self, tool: str, /, **arguments: object) -> str:
        """The text of a call that must fail."""
        return self.refused(self.ask(tool, **arguments))

    def refused(self, result: Json) -> str:
        """The text of a result that must be a refusal."""
        assert result.get("isError") is True, result
        assert "structuredContent" not in result
        return self._text(result)

    def send(self, message: Json) -> None:
        """Write one message."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def answer(self, seconds: float = 30.0) -> Json:
        """The next message of the server; every line of stdout must be one."""
        try:
            message = json.loads(self._lines.get(timeout=seconds))
        except Empty:
            raise TimeoutError("the server did not answer") from None
        assert isinstance(message, dict)
        assert message["jsonrpc"] == "2.0"
        return message

    def rest(self) -> str:
        """What of stdout is no message, after the process has ended."""
        self._reader.join(10)
        lines = [self._lines.get_nowait() for _ in range(self._lines.qsize())]
        return "".join(line for line in lines if not line.startswith('{"jsonrpc":"2.0"'))

    def close(self) -> float:
        """Close stdin, as a client that leaves does; returns how many seconds the process still took."""
        assert self.process.stdin is not None
        began = time.monotonic()
        self.process.stdin.close()
        self.process.wait(timeout=20)
        return time.monotonic() - began

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None and not stream.closed:
                stream.close()

    @staticmethod
    def _text(result: Json) -> str:
        content = result["content"]
        assert isinstance(content, list)
        assert [part["type"] for part in content] == ["text"]
        return str(content[0]["text"])

    def _read(self, stream: IO[str]) -> None:
        for line in stream:
            self._lines.put(line)


@contextmanager
def served(
    revision: str,
    *,
    env: Mapping[str, str],
    cwd: Path,
    command: Sequence[str] = (sys.executable, "-m", "minirag_mcp"),
    stderr: int = subprocess.DEVNULL,
) -> Iterator[Session]:
    """A server process and a client that has not said anything yet."""
    process = subprocess.Popen(
        command,
        env=dict(env),
        cwd=cwd,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        encoding="utf-8",
    )
    with Session(process, revision) as session:
        yield session
