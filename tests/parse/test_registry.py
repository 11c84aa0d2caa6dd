import pytest
from tests.parse.text_files import page, read, zipped

from minirag_mcp.errors import (
    EmptyFileError,
    NoTextError,
    ParseError,
    ParseLimitError,
    UnsupportedFormatError,
    WrongFormatError,
)
from minirag_mcp.parse import registry

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
PDF = b"%PDF-1.7\n1 0 obj\n"
PLAIN = (".md", ".markdown", ".txt", ".csv", ".ipynb", ".vtt", ".srt", ".html", ".htm")


def test_every_promised_extension_has_a_parser() -> None:
    promised = "md markdown txt pdf docx pptx xlsx html htm csv epub ipynb vtt"
    assert {"." + suffix for suffix in promised.split()} <= registry.SUFFIXES


@pytest.mark.parametrize("suffix", sorted(registry.SUFFIXES))
def test_every_extension_leads_to_a_module_that_parses(suffix: str) -> None:
    with pytest.raises(EmptyFileError, match="x"):
        registry.parse(b"", name="x" + suffix)
    with pytest.raises(ParseError, match="x"):
        registry.parse(bytes(range(32)) * 20, name="x" + suffix)


def test_the_extension_counts_in_any_case() -> None:
    assert registry.format_of("/a/B.MD") == "markdown"


@pytest.mark.parametrize("name", ["a.exe", "README", ".md", "a.md.bak", ""])
def test_an_unknown_extension_is_refused_by_name(name: str) -> None:
    with pytest.raises(UnsupportedFormatError, match="no parser"):
        registry.format_of(name)


@pytest.mark.parametrize("suffix", PLAIN)
@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (PNG, "PNG"),
        (PDF, "PDF"),
        (zipped({"a": "b"}), "zip"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "Office"),
        (b"RIFF\x10\0\0\0WAVEfmt ", "WAV"),
        (b"\0\0\0\x18ftypmp42" + bytes(40), "MP4"),
        (b"ID3\x04\0\0\0\0\0" + bytes(40), "MP3"),
    ],
)
def test_a_file_of_another_kind_is_told_apart(suffix: str, data: bytes, kind: str) -> None:
    with pytest.raises(WrongFormatError, match=kind):
        registry.parse(data, name="report" + suffix)


@pytest.mark.parametrize("text", ["ID3 tags explained", "BZh is how it begins", "RIFF raff", "PK is a name", "GIF8 it"])
def test_text_that_begins_like_a_signature_is_text(text: str) -> None:
    assert read(text, "a.txt").text == text


@pytest.mark.parametrize("suffix", PLAIN)
def test_white_space_is_an_empty_file(suffix: str) -> None:
    for data in (b" \r\n\t", b"\xef\xbb\xbf\n", "\u3000\n".encode()):
        with pytest.raises(EmptyFileError):
            registry.parse(data, name="a" + suffix)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.md", "![](data:image/png;base64,AAAA)\n"),
        ("a.html", page("<img src='data:image/png;base64,AAAA'>")),
        ("a.ipynb", '{"cells": [], "nbformat": 4}'),
        ("a.vtt", "WEBVTT\n"),
        ("a.md", "---\ntitle: only this\n---\n"),
    ],
)
def test_a_file_without_text_says_so(name: str, content: str) -> None:
    with pytest.raises(NoTextError):
        read(content, name)


def test_errors_name_the_file_and_keep_their_remedy() -> None:
    with pytest.raises(EmptyFileError, match=r"^sub/a\.md: ") as caught:
        registry.parse(b"", name="sub/a.md")
    assert caught.value.remedy == EmptyFileError.default_remedy


def test_nesting_without_end_is_a_limit_and_no_crash() -> None:
    with pytest.raises(ParseLimitError, match="nested"):
        registry.parse(b"[" * 200_000, name="a.ipynb")


def test_no_lone_surrogate_leaves_the_room() -> None:
    document = read('{"nbformat": 4, "cells": [{"cell_type": "raw", "source": "a\\ud800b\\u0000c"}]}', "a.ipynb")
    assert document.text == "a\ufffdb\ufffdc"
    cells = '"cells": [{"cell_type": "raw", "source": "text"}]'
    document = read(f'{{"nbformat": 4, "metadata": {{"title": "a\\ud800b"}}, {cells}}}', "a.ipynb")
    assert document.title == "a\ufffdb"
    assert registry.parse(b"text", name="a.md", title="a\ud800b").title == "a\ufffdb"


def test_a_title_given_by_the_user_wins() -> None:
    document = registry.parse(b"# Heading\n", name="a.md", title="Mine", stem="a-long-name")
    assert (document.title, document.own_title) == ("Mine", True)


def test_a_source_without_a_name_has_no_title_made_up() -> None:
    document = registry.parse(b"text", name="data.txt")
    assert (document.title, document.own_title) == ("", False)
