import numpy as np
import pytest
from tests.fakes.embedder import HashedEmbedder

from minirag_mcp.embed.contract import Embedder
from minirag_mcp.errors import ModelError


def test_texts_that_share_words_are_nearer_than_texts_that_do_not() -> None:
    embedder: Embedder = HashedEmbedder()
    query = embedder.embed_query("connection timeout")
    near, far = embedder.embed_passages(["The connection timeout is 30 seconds.", "Apples grow on trees"])
    assert float(near @ query) > float(far @ query) + 0.3


def test_every_row_has_unit_length_even_of_a_text_without_words() -> None:
    rows = HashedEmbedder().embed_passages(["", "one", "Москва, 東京!"])
    assert rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-6)


def test_no_texts_give_no_rows_of_the_right_width() -> None:
    assert HashedEmbedder(dimension=64).embed_passages([]).shape == (0, 64)


def test_a_model_told_to_fail_raises_its_error() -> None:
    with pytest.raises(ModelError, match="no weights"):
        HashedEmbedder(fail_with=ModelError("no weights")).embed_query("x")


def test_tokens_are_words() -> None:
    assert HashedEmbedder().tokenizer.count_many(["a b  c", ""]) == [3, 0]
