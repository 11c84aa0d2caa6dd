"""Whatever the bytes, whatever the format: a document or a typed error, never anything else."""

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.parse.text_files import book, page, zipped

from minirag_mcp.errors import ParseError
from minirag_mcp.model import Document
from minirag_mcp.parse import registry
from minirag_mcp.parse.limits import Limits
from minirag_mcp.parse.sandbox import Sandbox

MINE = [".md", ".txt", ".csv", ".ipynb", ".vtt", ".srt", ".html", ".epub"]
SEEDS = (
    b"# Title\n\n![a](data:image/png;base64,AAAA)\n```\ncode\n```\n",
    b"---\ntitle: x\ntags: [a, b]\n---\nbody",
    b'a;b\n"1\n2";3\n',
    b'{"cells": [{"cell_type": "code", "source": ["x"], "outputs": [{"text": "y"}]}], "nbformat": 4}',
    b"WEBVTT\n\n00:01.000 --> 00:02.000\n<v Bob>Hi &amp; bye\n",
    page("<h1>T</h1><table><tr><td>1</table><img src='data:x'>", "T").encode(),
    "Настоящий договор".encode("cp1251"),
    "日本語のテキスト".encode("utf-16"),
    book({"a.xhtml": page("<p>x</p>")}),
    zipped({"META-INF/container.xml": "<rootfile full-path='../../x'/>", "x.opf": "<itemref idref='a'/>"}),
)


def outcome_of(parse: Callable[..., Document], data: bytes, suffix: str) -> Document | ParseError:
    try:
        return parse(data, name="a" + suffix, stem="a")
    except ParseError as error:
        return error


def check(data: bytes, suffix: str) -> None:
    outcome = outcome_of(registry.parse, data, suffix)
    if isinstance(outcome, Document):
        assert_sound(outcome)
    else:
        assert outcome.message.startswith("a" + suffix)
        assert outcome.remedy


def assert_sound(document: Document) -> None:
    assert document.title
    assert document.text.strip()
    assert "\0" not in document.text
    assert "\r" not in document.text
    document.text.encode()
    starts = [mark.start for mark in document.marks]
    assert starts == sorted(starts)
    assert all(0 <= start <= len(document.text) for start in starts)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A sound file with a piece cut out, doubled or replaced."""
    data = draw(st.sampled_from(SEEDS))
    start = draw(st.integers(0, len(data)))
    end = draw(st.integers(start, len(data)))
    middle = draw(st.one_of(st.just(b""), st.just(data[start:end] * 2), st.binary(max_size=12)))
    return data[:start] + middle + data[end:]


@pytest.mark.parametrize("suffix", MINE)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.one_of(st.binary(max_size=200), damaged()))
def test_any_bytes_are_a_document_or_a_typed_error(suffix: str, data: bytes) -> None:
    check(data, suffix)


@pytest.mark.parametrize("suffix", MINE)
@settings(max_examples=40)
@given(text=st.text(max_size=80))
def test_any_text_is_a_document_or_a_typed_error(suffix: str, text: str) -> None:
    check(text.encode("utf-8", "surrogatepass"), suffix)


@pytest.mark.parametrize("suffix", sorted(registry.SUFFIXES))
def test_every_file_under_every_name_is_answered(suffix: str) -> None:
    with Sandbox() as sandbox:
        for data in SEEDS:
            outcome = outcome_of(sandbox.parse, data, suffix)
            assert isinstance(outcome, Document) or "could not be read" not in outcome.message


@pytest.mark.parametrize(
    ("suffix", "piece"),
    [
        (".md", b"!["), (".md", b"](data:"), (".md", b"<img "), (".md", b"```\n~~~\n"), (".md", b"[a]: data:"),
        (".md", b"# [[[["), (".md", b"# " + b"*" * 9), (".md", b"a\n=\n"), (".md", b"---\n"),
        (".md", b"<img src=data:x "),
        (".csv", b'"'), (".csv", b"\n"), (".csv", b",;\t|"), (".vtt", b"<v "), (".vtt", b"1:1-->1:1\n"),
        (".html", b"<div>"), (".html", b"<table><td>"), (".html", b"<meta "), (".html", b"<title>"),
        (".html", b"data:a;base64,"), (".ipynb", b'{"a":'), (".txt", b"\xe2\x82"), (".txt", b"\x81\x40"),
        (".txt", b"\x1b$B"),
    ],
)  # fmt: skip
def test_endless_repetition_does_not_take_endless_time(suffix: str, piece: bytes) -> None:
    repeated = b"x data:" + piece * (300_000 // len(piece))
    with Sandbox(limits=Limits(seconds=20)) as sandbox:
        outcome = outcome_of(sandbox.parse, repeated, suffix)
        assert isinstance(outcome, Document) or "longer than" not in outcome.message
