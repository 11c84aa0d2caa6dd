import subprocess
import sys
import textwrap

import pytest
from tests.ingest.conftest import World

from minirag_mcp.model import SyncCounts

SYNC = textwrap.dedent("""
    import sys
    from pathlib import Path
    from minirag_mcp.ingest.guard import Roots
    from minirag_mcp.ingest.options import IndexOptions
    from minirag_mcp.ingest.pipeline import Indexer
    from minirag_mcp.ingest.sync import sync
    from minirag_mcp.parse import registry
    from minirag_mcp.store.sqlite import open_store
    from tests.fakes.embedder import HashedEmbedder

    import minirag_mcp.ingest.pipeline as pipeline
    pipeline.GROUP_SOURCES = 5
    embedder = HashedEmbedder(dimension=64)
    index = Path(sys.argv[2])
    store = open_store(index, identity=embedder.identity)
    options = IndexOptions(budget=110, max_file_size=10**6)
    indexer = Indexer(store, embedder, registry, roots=Roots([Path(sys.argv[1])]), options=options)

    def show(step):
        if not step.current and step.stage == "files":
            return
        print(step.done, flush=True)
        sys.stdin.readline()

    sync(indexer, folder=index, progress=show)
""")


@pytest.mark.parametrize("steps", [1, 7, 16, 40, 41])
def test_a_killed_sync_loses_nothing_that_was_written_and_the_next_one_finishes(world: World, steps: int) -> None:
    for number in range(40):
        world.write(f"{number:02}.md", f"# Note {number}\n\ntext {number}")
    with subprocess.Popen(
        [sys.executable, "-c", SYNC, str(world.root), str(world.index)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(steps):
            assert process.stdout.readline()
            process.stdin.write("\n")
            process.stdin.flush()
        assert process.stdout.readline()  # it now waits for us, in the middle of its work
        process.kill()
    kept = len(world.store.sources())
    assert kept >= min(40, steps)
    counts = world.counts()
    assert counts == SyncCounts(scanned=40, ingested=40 - kept, skipped=kept)
    assert world.store.counts(world.indexer().fingerprint).unembedded_chunks == 0
