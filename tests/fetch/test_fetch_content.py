"""Content as it comes over the wire: packed, in pieces, too large, cut short."""

import gzip
import socket
import zlib
from collections.abc import Callable

import pytest
from tests.fetch.site import Names, Site, raw_server

from minirag_mcp.errors import FetchFailedError
from minirag_mcp.fetch.client import Limits, fetch


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


TEXT = b"some text that repeats " * 10_000


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", gzip.compress(TEXT)),
        ("x-gzip", gzip.compress(TEXT)),
        ("GZIP", gzip.compress(TEXT[:1000]) + gzip.compress(TEXT[1000:])),
        ("deflate", zlib.compress(TEXT)),
        ("deflate", raw_deflate(TEXT)),
        ("gzip", gzip.compress(TEXT) + b"\0\0trailing bytes"),
        ("identity", TEXT),
    ],
)
def test_compressed_content_is_unpacked(site: Site, encoding: str, packed: bytes) -> None:
    site.page("/", packed, Content_Encoding=encoding)
    assert site.get("/").data == TEXT


def test_empty_compressed_content_is_empty(site: Site) -> None:
    site.page("/", b"", Content_Encoding="gzip")
    assert site.get("/").data == b""


@pytest.mark.parametrize("packed", [gzip.compress(TEXT)[:-20], b"\x1f\x8bnonsense", b"\xff\xff\xff"])
def test_damaged_compressed_content_is_a_failure(site: Site, packed: bytes) -> None:
    site.page("/", packed, Content_Encoding="gzip")
    with pytest.raises(FetchFailedError, match="compressed content"):
        site.get("/")


def test_a_coding_that_was_not_asked_for_is_a_failure(site: Site) -> None:
    site.page("/", Content_Encoding="br")
    with pytest.raises(FetchFailedError, match="'br'"):
        site.get("/")


def test_a_large_page_is_refused(site: Site) -> None:
    site.page("/", b"x" * 2001)
    with pytest.raises(FetchFailedError, match="larger than 2,000 bytes") as refused:
        site.get("/", limits=Limits(size=2000))
    assert refused.value.remedy == "Fetch a smaller page."
    site.page("/", b"x" * 2000)
    assert len(site.get("/", limits=Limits(size=2000)).data) == 2000


def test_a_bomb_is_stopped_while_it_unfolds(site: Site) -> None:
    site.page("/", gzip.compress(b"\0" * 30_000_000, 1), Content_Encoding="gzip")
    with pytest.raises(FetchFailedError, match="larger than"):
        site.get("/", limits=Limits(size=100_000))


def test_a_page_cut_short_is_a_failure() -> None:
    def talk(connection: socket.socket) -> None:
        connection.recv(4096)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\nhalf")

    with raw_server(talk) as port, pytest.raises(FetchFailedError, match="96 bytes early"):
        fetch(f"http://docs.example:{port}/", allow_private=True, resolver=Names())


def test_chunked_content_is_read_and_cut_chunks_are_a_failure() -> None:
    def talk(body: bytes) -> Callable[[socket.socket], None]:
        def say(connection: socket.socket) -> None:
            connection.recv(4096)
            connection.sendall(
                b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n" + body
            )

        return say

    with raw_server(talk(b"3\r\nabc\r\n0\r\n\r\n")) as port:
        assert fetch(f"http://docs.example:{port}/", allow_private=True, resolver=Names()).data == b"abc"
    with raw_server(talk(b"30\r\nabc")) as port, pytest.raises(FetchFailedError):
        fetch(f"http://docs.example:{port}/", allow_private=True, resolver=Names())


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (b"", "the server closed the connection without a full answer"),
        (b"   garbage\r\n\r\n", "the server's answer is not valid HTTP"),
        (b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 200 + b"\r\n", "the server's answer is not valid HTTP"),
        (
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n30\r\nabc",
            "the connection ended before the content did",
        ),
        (
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8bnonsense",
            "The compressed content is damaged",
        ),
    ],
)
def test_what_went_wrong_is_told_in_plain_words(said: bytes, reason: str) -> None:
    def talk(connection: socket.socket) -> None:
        connection.recv(4096)
        connection.sendall(said)

    with raw_server(talk) as port, pytest.raises(FetchFailedError) as failed:
        fetch(f"http://docs.example:{port}/", allow_private=True, resolver=Names())
    assert failed.value.message == f"http://docs.example:{port}/ could not be fetched: {reason}."
