import io
import json
import struct
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.measuring import unmeasured

from minirag_mcp.errors import CorruptFileError, EncryptedFileError, ParseError
from minirag_mcp.model import Document, Mark, MarkKind
from minirag_mcp.parse import registry, worker
from minirag_mcp.parse.frames import (
    BrokenAnswerError,
    Memory,
    Request,
    receive_answer,
    receive_request,
    send_answer,
    send_request,
)
from minirag_mcp.parse.limits import MemoryLimitError

REQUEST = Request(name="a.md", title=None, stem="a", data=b"# T\n")
names = st.text(st.characters(blacklist_categories=["Cs"]), max_size=20)
documents = st.builds(
    Document,
    text=names,
    title=names,
    own_title=st.booleans(),
    format=names,
    marks=st.lists(
        st.builds(Mark, kind=st.sampled_from(MarkKind), start=st.integers(0, 9), number=st.integers(0, 99), name=names)
    ).map(tuple),
    metadata=st.lists(st.tuples(names, names)).map(tuple),
)


@given(documents)
def test_what_a_worker_sends_is_what_arrives(document: Document) -> None:
    pipe = io.BytesIO()
    send_answer(pipe, document, Memory(peak=3, resident=2))
    pipe.seek(0)
    answer = receive_answer(pipe)
    assert answer.outcome == document
    assert answer.memory == Memory(peak=3, resident=2)


@given(st.binary(max_size=60))
def test_garbage_on_the_pipe_is_refused(garbage: bytes) -> None:
    with pytest.raises(BrokenAnswerError):
        receive_answer(io.BytesIO(garbage))
    head = struct.pack(">QQ", len(garbage), 0)
    with pytest.raises(BrokenAnswerError):
        receive_answer(io.BytesIO(head + garbage))


@pytest.mark.parametrize(
    "head",
    [
        b"[]", b"{}", b"null", b'{"peak": 1, "resident": 1}', b'{"peak": "x", "resident": 1, "error": []}',
        b'{"peak": 1, "resident": 1, "error": ["store_error", "m", "r"]}', b"[" * 100_000,
        b'{"peak": 1, "resident": 1, "document": {"marks": [["page"]]}}',
        b'{"peak": 1, "resident": 1, "document": {"marks": [["nonsense", 1, 1, ""]], "title": ""}}',
    ],
)  # fmt: skip
def test_an_answer_of_another_shape_is_refused(head: bytes) -> None:
    with pytest.raises(BrokenAnswerError):
        receive_answer(io.BytesIO(struct.pack(">QQ", len(head), 0) + head))


def test_an_answer_that_claims_to_be_endless_is_refused_unread() -> None:
    with pytest.raises(BrokenAnswerError):
        receive_answer(io.BytesIO(struct.pack(">QQ", 2, 2**62) + b"{}"))


def test_a_worker_answers_until_the_pipe_ends() -> None:
    requests, answers = io.BytesIO(), io.BytesIO()
    for name in ("a.md", "b.ipynb"):
        send_request(requests, Request(name=name, title=None, stem="a", data=b"# T\n"))
    requests.seek(0)
    worker.serve(requests, answers, seconds=60)
    answers.seek(0)
    first, second = receive_answer(answers), receive_answer(answers)
    assert isinstance(first.outcome, Document)
    assert isinstance(second.outcome, ParseError)
    assert receive_request(requests) is None


def test_every_error_keeps_its_kind_and_remedy() -> None:
    pipe = io.BytesIO()
    send_answer(pipe, EncryptedFileError("locked", remedy="ask"), Memory())
    pipe.seek(0)
    outcome = receive_answer(pipe).outcome
    assert isinstance(outcome, EncryptedFileError)
    assert (outcome.message, outcome.remedy) == ("locked", "ask")


def test_a_bug_in_a_parser_is_answered_as_a_damaged_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def parse(data: bytes, **_: object) -> Document:
        raise LookupError(len(data))

    monkeypatch.setattr(registry, "parse", parse)
    outcome = worker.answer(REQUEST)
    assert isinstance(outcome, CorruptFileError)
    assert "a.md" in outcome.message


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_memory_is_measured_where_the_platform_tells_it() -> None:
    held = worker.memory_held()
    assert held.peak >= held.resident > 1_000_000


def test_memory_is_unknown_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "_STATUS", worker._STATUS / "nowhere")
    assert worker.memory_held() == Memory()


def test_a_worker_for_text_imports_no_format_library() -> None:
    program = (
        "import sys; from minirag_mcp.parse import registry, worker; registry.parse(b'# x', name='a.md', stem='a');"
        "print([name for name in ('lxml','html_to_markdown','pypdfium2','python_calamine','numpy','asyncio','socket') "
        "if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=unmeasured())
    assert run.stdout.strip() == "[]"


def test_a_result_that_memory_has_no_room_to_send_is_answered_as_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def dumps(head: dict[str, object]) -> str:
        if "document" in head:
            raise MemoryError
        return json.JSONEncoder().encode(head)

    requests, answers = io.BytesIO(), io.BytesIO()
    send_request(requests, REQUEST)
    requests.seek(0)
    monkeypatch.setattr(json, "dumps", dumps)
    worker.serve(requests, answers, seconds=60)
    answers.seek(0)
    assert isinstance(receive_answer(answers).outcome, MemoryLimitError)
