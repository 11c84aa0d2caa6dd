"""A site to fetch from."""

import socket
import threading
from collections.abc import Iterator
from ipaddress import ip_address

import pytest
from tests.fetch.site import Site


@pytest.fixture(autouse=True)
def _loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a test gets wrong, nothing beyond this machine hears of it."""
    connect = socket.create_connection

    def guarded(address: tuple[str, int], timeout: float | None = None) -> socket.socket:
        if not ip_address(address[0]).is_loopback:
            pytest.fail(f"{address} was connected to")
        return connect(address, timeout)

    monkeypatch.setattr(socket, "create_connection", guarded)


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    thread = threading.Thread(target=made.server.serve_forever, args=(0.01,))
    thread.start()
    yield made
    made.server.shutdown()
    made.server.server_close()
    thread.join()
