"""The loading of other models, against a package of the library's shape."""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from minirag_mcp.embed.load import open_embedder
from minirag_mcp.errors import ModelError
from minirag_mcp.model import ModelIdentity


@pytest.fixture
def _installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(Path(__file__).with_name("fastembed_shaped")))
    yield
    sys.modules.pop("fastembed", None)


def test_without_the_extra_the_error_says_how_to_install_it(tmp_path: Path) -> None:
    embedder = open_embedder("some/model", tmp_path)
    for use in (lambda: embedder.identity, embedder.load, lambda: embedder.tokenizer.count("x")):
        with pytest.raises(ModelError, match="not installed") as caught:
            use()
        assert "pip install 'minirag-mcp[fastembed]'" in caught.value.remedy


@pytest.mark.usefixtures("_installed")
def test_an_unknown_name_is_refused_with_names_that_exist(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="'no/such'") as caught:
        open_embedder("no/such", tmp_path).embed_query("x")
    assert "Test/Letters" in caught.value.remedy


@pytest.mark.usefixtures("_installed")
def test_size_and_window_come_from_the_list_and_nothing_is_loaded_for_them(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert open_embedder("test/letters", cache).identity == ModelIdentity(name="Test/Letters", dimension=26, window=128)
    assert open_embedder("test/multilingual-e5-letters", cache).identity.window == 512
    assert not cache.exists()


@pytest.mark.usefixtures("_installed")
def test_the_model_is_kept_in_the_cache_folder_and_gives_unit_rows(tmp_path: Path) -> None:
    embedder = open_embedder("Test/Letters", tmp_path / "cache")
    rows = embedder.embed_passages(["aab", "zz"])
    assert (tmp_path / "cache" / "downloaded").exists()
    assert rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    assert int(rows[0].argmax()) == 0
    assert int(embedder.embed_query("zzz").argmax()) == 25
    assert embedder.embed_passages([]).shape == (0, 26)


@pytest.mark.usefixtures("_installed")
def test_models_trained_with_prefixes_are_given_them(tmp_path: Path) -> None:
    row = open_embedder("test/multilingual-e5-letters", tmp_path).embed_passages([""])[0]
    assert row[ord("s") - 97] > row[ord("p") - 97] > row[ord("z") - 97]


@pytest.mark.usefixtures("_installed")
def test_counting_is_neither_cut_nor_padded(tmp_path: Path) -> None:
    tokenizer = open_embedder("Test/Letters", tmp_path).tokenizer
    assert tokenizer.count("one two three four five six") == 6
    assert tokenizer.count_many(["one", "", "a b c d e f g"]) == [1, 0, 7]


@pytest.mark.usefixtures("_installed")
def test_the_limit_is_what_the_tokenizer_leaves_and_not_what_the_description_promises(tmp_path: Path) -> None:
    assert open_embedder("Test/Letters", tmp_path).tokenizer.limit == 4
    assert open_embedder("test/multilingual-e5-letters", tmp_path).tokenizer.limit == 4 - len(["passage:"])


@pytest.mark.usefixtures("_installed")
@pytest.mark.parametrize(
    ("name", "message"),
    [("test/unreachable", "from any source"), ("test/miscounted", "length 26"), ("test/no-tokenizer", "no tokenizer")],
)
def test_a_model_that_cannot_be_had_or_used_says_why(tmp_path: Path, name: str, message: str) -> None:
    embedder = open_embedder(name, tmp_path)
    with pytest.raises(ModelError, match=message):
        _ = (embedder.embed_query("x"), embedder.tokenizer.count("x"))
