import gzip
import socket
import ssl
import subprocess
import threading
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path

import pytest

from minirag_mcp.errors import FetchFailedError, UrlRefusedError
from minirag_mcp.fetch.client import Fetched, Limits, fetch, fetch_under
from minirag_mcp.fetch.guard import Address, public_only

LOOPBACK = ip_address("127.0.0.1")
Answer = Callable[[BaseHTTPRequestHandler], None]


class Names:
    """A resolver that knows what it is told; the last answer of a name repeats."""

    def __init__(self, **answers: Sequence[str]) -> None:
        self._answers = {name.replace("_", "."): list(answer) for name, answer in answers.items()}
        self.asked: list[str] = []

    def __call__(self, host: str, _port: int) -> Sequence[str]:
        self.asked.append(host)
        answers = self._answers.get(host, ["127.0.0.1"])
        return [answers.pop(0) if len(answers) > 1 else answers[0]]


def loopback_server_only(address: Address) -> str | None:
    """As the policy for strangers, with the test server's address in the role of a public one."""
    return None if address == LOOPBACK else public_only(address)


def _not_found(handler: BaseHTTPRequestHandler) -> None:
    handler.send_error(404)


class Site:
    """A real HTTP server on loopback: paths to answers."""

    def __init__(self) -> None:
        self.pages: dict[str, Answer] = {}
        self.seen: list[tuple[str, dict[str, str]]] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                site.seen.append((self.path, dict(self.headers.items())))
                site.pages.get(self.path, _not_found)(self)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]

    def url(self, path: str, host: str = "docs.example") -> str:
        return f"http://{host}:{self.port}{path}"

    def page(self, path: str, body: bytes = b"<p>hello</p>", status: int = 200, **headers: str) -> None:
        def answer(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(status)
            given = {name.replace("_", "-"): value for name, value in headers.items()}
            for name, value in {"Content-Type": "text/html", "Content-Length": str(len(body)), **given}.items():
                handler.send_header(name, value)
            handler.end_headers()
            handler.wfile.write(body)

        self.pages[path] = answer

    def redirect(self, path: str, to: str, status: int = 302) -> None:
        self.page(path, b"", status, Location=to)

    def get(self, path: str, *, limits: Limits | None = None, host: str = "docs.example") -> Fetched:
        return fetch(self.url(path, host), allow_private=True, limits=limits or Limits(), resolver=Names())


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    thread = threading.Thread(target=made.server.serve_forever, args=(0.01,))
    thread.start()
    yield made
    made.server.shutdown()
    made.server.server_close()
    thread.join()


@contextmanager
def raw_server(talk: Callable[[socket.socket], None]) -> Iterator[int]:
    """A server that does with one connection whatever it likes."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            with closing(connection):
                talk(connection)

        thread = threading.Thread(target=serve)
        thread.start()
        yield listener.getsockname()[1]
        thread.join()


def test_a_page_is_fetched_with_what_the_server_says_of_it(site: Site) -> None:
    site.page("/a?b=1", "héllo".encode("latin-1"), Content_Type="Text/HTML; Charset=ISO-8859-1")
    page = site.get("/a?b=1")
    assert page == Fetched(
        url=site.url("/a?b=1"),
        final_url=site.url("/a?b=1"),
        content_type="text/html",
        charset="iso-8859-1",
        data="héllo".encode("latin-1"),
    )


def test_the_server_is_told_the_name_and_port_but_nothing_of_the_user(site: Site) -> None:
    site.page("/")
    site.get("/")
    ((_, headers),) = site.seen
    assert headers["Host"] == f"docs.example:{site.port}"
    assert set(headers) == {"Host", "User-Agent", "Accept", "Accept-Encoding", "Connection"}


def test_loopback_is_refused_unless_it_is_meant(site: Site) -> None:
    site.page("/")
    for host in ("127.0.0.1", "localhost", "docs.example"):
        with pytest.raises(UrlRefusedError, match="loopback"):
            fetch(site.url("/", host), resolver=Names())
    assert site.seen == []


def test_the_address_that_was_checked_is_the_one_connected_to(site: Site) -> None:
    site.page("/")
    names = Names(docs_example=["127.0.0.1", "127.0.0.2"])  # a second look-up would give another address
    page = fetch_under(loopback_server_only, site.url("/"), limits=Limits(), resolver=names)
    assert page.data == b"<p>hello</p>"
    assert names.asked == ["docs.example"]


def test_a_name_that_changes_its_address_between_redirects_is_checked_again(site: Site) -> None:
    site.redirect("/", "/next")
    site.page("/next")
    names = Names(docs_example=["127.0.0.1", "169.254.169.254"])
    with pytest.raises(UrlRefusedError, match=r"169\.254\.169\.254.*link-local"):
        fetch_under(loopback_server_only, site.url("/"), limits=Limits(), resolver=names)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed_to_the_final_address(site: Site, status: int) -> None:
    site.redirect("/old", "../new%20place#part", status)
    site.page("/new%20place")
    page = site.get("/old")
    assert (page.url, page.final_url) == (site.url("/old"), site.url("/new%20place"))


def test_a_redirect_may_be_written_carelessly(site: Site) -> None:
    site.redirect("/old", "/a b/é".encode().decode("latin-1"))
    site.page("/a%20b/%C3%A9")
    assert site.get("/old").data == b"<p>hello</p>"


@pytest.mark.parametrize(
    ("to", "reason"),
    [
        ("http://169.254.169.254/latest/meta-data/", "link-local"),
        ("http://127.0.0.2/", "loopback"),
        ("http://2130706434/", "loopback"),
        ("//inside.example/", "private"),
        ("file:///etc/passwd", "only http and https"),
        ("http://user:secret@docs.example/", "user name or password"),
    ],
)
def test_a_redirect_to_what_may_not_be_fetched_is_refused_and_says_it_was_one(site: Site, to: str, reason: str) -> None:
    site.redirect("/", to)
    names = Names(inside_example=["10.1.2.3"])
    with pytest.raises(UrlRefusedError, match="was redirected to") as refused:
        fetch_under(loopback_server_only, site.url("/"), limits=Limits(), resolver=names)
    assert reason in str(refused.value)


def test_endless_redirects_end(site: Site) -> None:
    site.redirect("/", "/")
    with pytest.raises(FetchFailedError, match="more than 5"):
        site.get("/")
    assert len(site.seen) == 6


def test_a_redirect_without_a_place_is_a_failure(site: Site) -> None:
    site.page("/", b"", 302)
    with pytest.raises(FetchFailedError, match="302"):
        site.get("/")


@pytest.mark.parametrize("status", [204, 206, 401, 404, 500])
def test_an_error_page_is_never_taken_for_the_document(site: Site, status: int) -> None:
    site.page("/", b"", status)
    with pytest.raises(FetchFailedError, match=str(status)):
        site.get("/")


@pytest.mark.parametrize(
    "kind",
    [
        "text/html",
        "text/markdown",
        "text/plain",
        "application/pdf",
        "application/json",
        "application/rss+xml",
        "application/octet-stream",
    ],
)
def test_documents_of_many_kinds_are_fetched(site: Site, kind: str) -> None:
    site.page("/", Content_Type=kind)
    assert site.get("/").content_type == kind


@pytest.mark.parametrize("kind", ["image/png", "video/mp4", "audio/ogg", "font/woff2", "application/zip", "text/css"])
def test_pictures_and_the_like_are_no_documents(site: Site, kind: str) -> None:
    site.page("/", Content_Type=kind)
    with pytest.raises(FetchFailedError, match="no document"):
        site.get("/")


def test_a_server_that_declares_no_type_leaves_it_open(site: Site) -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "1")
        handler.end_headers()
        handler.wfile.write(b"x")

    site.pages["/"] = answer
    assert site.get("/").content_type == ""


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
    with pytest.raises(FetchFailedError, match="larger than 2,000 bytes"):
        site.get("/", limits=Limits(size=2000))
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
