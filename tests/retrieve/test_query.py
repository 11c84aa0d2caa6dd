import pytest

from minirag_mcp.errors import RequestError
from minirag_mcp.model import SourceKey
from minirag_mcp.retrieve.query import MAX_TOP_K, make_query


@pytest.mark.parametrize("text", ["", " ", "\n\t\u3000", "\0"])
def test_a_blank_query_is_refused_with_a_remedy(text: str) -> None:
    with pytest.raises(RequestError, match="blank") as caught:
        make_query(text, top_k=5)
    assert caught.value.remedy


@pytest.mark.parametrize("top_k", [0, -1, -(10**9)])
def test_fewer_than_one_passage_is_refused(top_k: int) -> None:
    with pytest.raises(RequestError, match=str(top_k)):
        make_query("x", top_k=top_k)


@pytest.mark.parametrize(("asked", "given"), [(1, 1), (8, 8), (100, 100), (101, 100), (10**9, 100)])
def test_too_many_passages_are_clamped(asked: int, given: int) -> None:
    assert make_query("x", top_k=asked).top_k == given <= MAX_TOP_K


def test_text_that_no_encoding_holds_is_made_readable() -> None:
    make_query("a\ud800b\0c", top_k=1).text.encode()


def test_the_scope_is_kept() -> None:
    scope = (SourceKey("/docs"),)
    assert make_query("x", top_k=1, scope=scope).scope == scope
