"""Servers on loopback, and a resolver that leads to them."""

import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address

from minirag_mcp.fetch.client import Fetched, Limits, fetch
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
