"""The server's factory on loopback HTTP, for the test suite, which does not speak stdio.

The SDK's own transport, with its checks of Host and Origin. Settings come from the environment, as for the product.
The first line of stdout is the address; the process ends when it is killed.
"""

import socket
import sys

import uvicorn

from minirag_mcp.shell.desk import Desk
from minirag_mcp.shell.mcp_server import build
from minirag_mcp.shell.opening import Opener

LOOPBACK = "127.0.0.1"


def main() -> None:
    """Serve on a free port until killed."""
    app = build(Desk(Opener())).streamable_http_app(host=LOOPBACK)
    with socket.create_server((LOOPBACK, 0)) as listening:
        sys.stdout.write(f"http://{LOOPBACK}:{listening.getsockname()[1]}/mcp\n")
        sys.stdout.flush()
        uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listening])


if __name__ == "__main__":
    main()
