"""Connections: servers that do not answer, several addresses, proxies, TLS."""

import socket
import ssl
import subprocess
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from tests.fetch.site import Names, Site, raw_server

from minirag_mcp.errors import FetchFailedError
from minirag_mcp.fetch.client import Limits, fetch


@pytest.mark.parametrize("drip", [b"", b"H", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nx"])
def test_a_server_that_never_finishes_is_left(drip: bytes) -> None:
    def talk(connection: socket.socket) -> None:
        connection.recv(4096)
        connection.sendall(drip)
        while connection.recv(4096):  # until the other side hangs up
            pass

    with raw_server(talk) as port, pytest.raises(FetchFailedError, match=r"longer than 0.2"):
        fetch(f"http://docs.example:{port}/", allow_private=True, limits=Limits(seconds=0.2), resolver=Names())


def test_a_server_that_drips_without_end_is_left() -> None:
    def talk(connection: socket.socket) -> None:
        connection.recv(4096)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
        connection.settimeout(0.02)
        while True:  # each read of the client succeeds well before its own timeout
            try:
                connection.sendall(b"x")
                if not connection.recv(1):
                    return
            except TimeoutError:
                continue
            except OSError:
                return

    with raw_server(talk) as port, pytest.raises(FetchFailedError, match=r"longer than 0.3"):
        fetch(f"http://docs.example:{port}/", allow_private=True, limits=Limits(seconds=0.3), resolver=Names())


def test_a_look_up_that_hangs_is_left() -> None:
    release = threading.Event()

    def slow(_host: str, _port: int) -> Sequence[str]:
        release.wait()
        return ["127.0.0.1"]

    try:
        with pytest.raises(FetchFailedError, match="took too long"):
            fetch("http://slow.example/", allow_private=True, limits=Limits(seconds=0.1), resolver=slow)
    finally:
        release.set()


def test_a_port_where_nobody_listens_and_an_answer_that_is_no_http_are_failures() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        port = server.getsockname()[1]
    with pytest.raises(FetchFailedError, match="refused"):
        fetch(f"http://docs.example:{port}/", allow_private=True, resolver=Names())

    def talk(connection: socket.socket) -> None:
        connection.recv(4096)
        connection.sendall(b"SSH-2.0-OpenSSH\r\n")

    with raw_server(talk) as port, pytest.raises(FetchFailedError):
        fetch(f"http://docs.example:{port}/", allow_private=True, resolver=Names())


def test_the_next_address_is_tried_when_one_does_not_answer(site: Site) -> None:
    site.page("/")
    page = fetch(site.url("/"), allow_private=True, resolver=lambda _host, _port: ["127.0.0.9", "127.0.0.1"])
    assert page.data == b"<p>hello</p>"


def test_proxies_of_the_environment_are_not_used(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.page("/")
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert site.get("/").data == b"<p>hello</p>"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tls")
    command = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout both.pem -out cert.pem "
        "-subj /CN=docs.example -addext subjectAltName=DNS:docs.example"
    )
    try:
        subprocess.run(command.split(), cwd=folder, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no openssl here to make a certificate")
    with (folder / "both.pem").open("a") as both:
        both.write((folder / "cert.pem").read_text())
    return folder


@pytest.fixture
def secure_site(site: Site, certificate: Path) -> Site:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate / "both.pem")
    site.server.socket = context.wrap_socket(site.server.socket, server_side=True)
    site.page("/")
    return site


def test_https_is_verified_against_the_name_in_the_url(
    secure_site: Site, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate / "cert.pem"))
    url = secure_site.url("/").replace("http:", "https:")
    assert fetch(url, allow_private=True, resolver=Names()).data == b"<p>hello</p>"
    with pytest.raises(FetchFailedError, match="secure connection"):
        fetch(url.replace("docs", "other"), allow_private=True, resolver=Names())


def test_a_certificate_that_nobody_vouches_for_is_refused(secure_site: Site) -> None:
    with pytest.raises(FetchFailedError, match="secure connection"):
        fetch(secure_site.url("/").replace("http:", "https:"), allow_private=True, resolver=Names())


def test_a_handshake_that_never_finishes_is_left() -> None:
    def talk(connection: socket.socket) -> None:
        while connection.recv(4096):
            pass

    with raw_server(talk) as port, pytest.raises(FetchFailedError, match=r"longer than 0.2"):
        fetch(f"https://docs.example:{port}/", allow_private=True, limits=Limits(seconds=0.2), resolver=Names())
