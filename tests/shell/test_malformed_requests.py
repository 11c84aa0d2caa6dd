"""Requests that no client should send: each is answered as the protocol asks, in words of ours, and nobody waits."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.flows.surfaces import PRODUCT, settings
from tests.shell.client import MODERN, REVISIONS, Json, Session, served

METHODS = [
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
    "prompts/get",
    "completion/complete",
]
DEEP: Any = "x"
for _ in range(150):
    DEEP = [DEEP]

NAMES_OF_PARAMETERS = ("name", "arguments", "cursor", "uri", "ref", "argument", "context", "_meta")
WRONG_VALUES: tuple[Any, ...] = (1, 1.5, True, [], [{}], "x", {}, {"a": {"b": [None]}}, DEEP)
DUMP = re.compile(
    r"Traceback|File \"|pydantic|validation error|Input should|Field required|input_value|NoneType"
    r"|<class|object at 0x|\b(dict|str|int|tuple|bool|float|RecursionError|KeyError|TypeError|AttributeError)\b"
)


@pytest.fixture(scope="module", params=REVISIONS)
def session(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    root = tmp_path_factory.mktemp("documents")
    (root / "pump.md").write_text("# Pump\n\nThe seal leaks.\n", encoding="utf-8")
    env = settings(root, tmp_path_factory.mktemp("index"))
    with served(request.param, env=env, cwd=root, command=PRODUCT) as opened:
        opened.open()
        yield opened


def told(session: Session, method: str, params: object) -> Json:
    """The error of a request that must fail as one, checked to be ours."""
    answer = session.request(method, **params) if isinstance(params, dict) else session.raw(method, params)
    assert "error" in answer, (method, str(params)[:200], answer)
    error = answer["error"]
    assert isinstance(error, dict)
    assert isinstance(error["code"], int)
    text = json.dumps(error, ensure_ascii=False)
    assert 10 < len(str(error["message"])) < 400
    assert not DUMP.search(text), text
    assert error["message"] != "Invalid request parameters"
    return error


WRONG: list[tuple[str, object, str]] = [
    ("tools/call", {}, "tools/call needs `name`, a string."),
    ("tools/call", {"name": None}, "tools/call needs `name`, a string."),
    ("tools/call", {"name": ["status"]}, "`name` of tools/call must be a string."),
    ("tools/call", {"name": "status", "arguments": []}, "`arguments` of tools/call must be an object."),
    ("tools/call", {"name": "status", "arguments": "{}"}, "`arguments` of tools/call must be an object."),
    ("tools/call", {"name": "s" * 100_000}, "tools/list names all there are."),
    ("tools/call", {"name": "no_such"}, "Unknown tool 'no_such'"),
    ("tools/list", {"cursor": 1}, "`cursor` of tools/list must be a string."),
    ("tools/list", {"cursor": "bogus"}, "cursor"),
    ("resources/list", {"cursor": "bogus"}, "cursor"),
    ("resources/list", {"cursor": {}}, "`cursor` of resources/list must be a string."),
    ("resources/templates/list", {"cursor": 1}, "`cursor` of resources/templates/list must be a string."),
    ("resources/read", {}, "resources/read needs `uri`, a string."),
    ("resources/read", {"uri": "http://[::1"}, "There is no resource"),
    ("resources/read", {"uri": "file:///etc/passwd"}, "There is no resource"),
    ("resources/read", {"uri": "\0"}, "There is no resource"),
    ("prompts/get", {"name": "no_such"}, "There is no prompt 'no_such'"),
    ("prompts/get", {"name": "x", "arguments": {"a": 1}}, "must be a string"),
    ("completion/complete", {"ref": {}, "argument": {}}, "`name` and `value`"),
    ("completion/complete", {"ref": {"type": "x"}, "argument": {"name": "a", "value": "b"}}, "ref/prompt"),
    ("no/such", {}, "Method not found"),
    ("tools/call", [], "`params` must be an object"),
    ("tools/call", "status", "`params` must be an object"),
    ("tools/list", 3, "`params` must be an object"),
]


@pytest.mark.parametrize(("method", "params", "text"), WRONG, ids=lambda one: str(one)[:40])
def test_what_is_wrong_with_a_request_is_named(session: Session, method: str, params: object, text: str) -> None:
    assert text in str(told(session, method, params)["message"])


@pytest.mark.parametrize("method", METHODS)
def test_no_value_in_any_place_brings_out_anything_but_an_answer(session: Session, method: str) -> None:
    sound = {"name": "status", "uri": "minirag://document/none", "cursor": None}
    for name in NAMES_OF_PARAMETERS:
        for value in WRONG_VALUES:
            given = {**sound, name: value}
            if name == "_meta":
                session.send({"jsonrpc": "2.0", "id": "odd", "method": method, "params": given})
                answer = session.answer()
                assert answer["id"] == "odd"
            else:
                answer = session.request(method, **given)
            assert not DUMP.search(json.dumps(answer.get("error", ""))), (name, value, answer)
    assert "roots" in session.call("status")


@pytest.mark.parametrize(
    "number", [0, -1, 2**53, 2**63, 10**30, "", "x" * 10_000, "насос"], ids=lambda one: str(one)[:20]
)
def test_an_id_comes_back_as_it_was(session: Session, number: int | str) -> None:
    session.send({"jsonrpc": "2.0", "id": number, "method": "no/such"})
    answer = session.answer()
    assert answer["id"] == number
    assert "error" in answer


def test_messages_that_no_request_asked_for_are_not_answered(session: Session) -> None:
    unasked: list[Json] = [
        {"jsonrpc": "2.0", "id": "mine", "result": {}},
        {"jsonrpc": "2.0", "id": "mine", "error": {"code": 1, "message": "x"}},
        {"jsonrpc": "2.0", "method": "notifications/no_such"},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "none"}},
        {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 1, "progress": 2}},
    ]
    for message in unasked:
        session.send(message)
    assert "roots" in session.call("status")


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_request_before_the_hello_is_answered(revision: str, tmp_path: Path) -> None:
    with served(revision, env=settings(tmp_path, tmp_path / "index"), cwd=tmp_path, command=PRODUCT) as early:
        early.send({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
        answer = early.answer()
        assert answer["id"] == 1
        assert not DUMP.search(json.dumps(answer.get("error", "")))
        assert early.open()


def test_a_hello_of_the_wrong_shape_is_answered(tmp_path: Path) -> None:
    with served(MODERN, env=settings(tmp_path, tmp_path / "index"), cwd=tmp_path, command=PRODUCT) as early:
        for params in ({}, {"protocolVersion": 1}, {"protocolVersion": "1999-01-01", "capabilities": []}):
            early.send({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
            assert "initialize" in early.answer()["error"]["message"]  # type: ignore[index]
        assert early.open()
