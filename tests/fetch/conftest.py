"""A site to fetch from."""

import threading
from collections.abc import Iterator

import pytest
from tests.fetch.site import Site


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    thread = threading.Thread(target=made.server.serve_forever, args=(0.01,))
    thread.start()
    yield made
    made.server.shutdown()
    made.server.server_close()
    thread.join()
