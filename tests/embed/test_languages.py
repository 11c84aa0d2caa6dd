"""A question finds its answer in whatever language that stands, also among documents in its own language."""

from pathlib import Path

import numpy as np

from minirag_mcp.embed.bundled_model import BundledEmbedder
from minirag_mcp.embed.languages import without_language
from minirag_mcp.model import Vectors

PASSAGES = [
    "Change the bearing oil every 4,000 running hours, or once every two years.",
    "Давление воздуха в баке проверяют раз в полгода автомобильным манометром.",
    "Гарантийный срок составляет 24 месяца со дня продажи насоса.",
    "Покупатель вносит аванс в течение десяти банковских дней после подписания договора.",
]


def test_the_answer_in_another_language_comes_before_other_matters_in_the_same(tmp_path: Path) -> None:
    embedder = BundledEmbedder(tmp_path)
    scores = embedder.embed_passages(PASSAGES) @ embedder.embed_query("Как часто менять масло в подшипниках?")
    assert scores.argmax() == 0


def test_what_is_left_is_a_unit_vector_and_stays_as_it_is() -> None:
    vectors: Vectors = np.random.default_rng(7).standard_normal((5, 384)).astype(np.float32)
    once = without_language(vectors)
    assert np.allclose(np.linalg.norm(once, axis=1), 1, atol=1e-6)
    assert np.allclose(without_language(once), once, atol=1e-6)
