"""The product as a process, with the tests' embedder in place of the bundled model."""

import sys

from tests.fakes.embedder import HashedEmbedder

from minirag_mcp.config import Settings
from minirag_mcp.engine import Library
from minirag_mcp.shell import cli, mcp_server, opening


def open_library(settings: Settings) -> Library:
    return Library(settings, embedder=HashedEmbedder())


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.exit(cli.run(sys.argv[1:], opening=open_library))
    mcp_server.serve(opening.Opener(opening=open_library))
