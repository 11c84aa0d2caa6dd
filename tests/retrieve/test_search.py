"""What a question brings back, through the whole flow, over an index in memory."""

import hashlib

import pytest
from tests.fakes.embedder import HashedEmbedder
from tests.fakes.store import MemoryStore

from minirag_mcp.errors import ModelError
from minirag_mcp.lexical.analyzer import terms
from minirag_mcp.model import (
    Answer,
    Candidates,
    Chunk,
    Cut,
    Document,
    Fingerprint,
    MarkKind,
    Place,
    Ranked,
    Section,
    SectionKind,
    SourceEntry,
    SourceKey,
    SourceRecord,
    SourceType,
    Span,
    Terms,
    Vector,
)
from minirag_mcp.retrieve.fuse import reciprocal_ranks
from minirag_mcp.retrieve.options import Grouping, SearchOptions
from minirag_mcp.retrieve.query import make_query
from minirag_mcp.retrieve.search import search


class Shelf:
    """An index of small documents; each paragraph is a chunk, and all of a document is one section."""

    def __init__(self) -> None:
        self.embedder = HashedEmbedder()
        self.store = MemoryStore(identity=self.embedder.identity)

    def put(self, name: str, *paragraphs: str, title: str = "", embedded: bool = True) -> None:
        text = "\n".join(paragraphs)
        starts = [sum(len(one) + 1 for one in paragraphs[:number]) for number in range(len(paragraphs) + 1)]
        chunks = tuple(
            Chunk(
                ordinal=number,
                section=0,
                span=Span(start=starts[number], end=min(starts[number + 1], len(text))),
                place=Place(kind=MarkKind.PAGE, first=number + 1, last=number + 1),
            )
            for number in range(len(paragraphs))
        )
        section = Section(ordinal=0, span=Span(start=0, end=len(text)), kind=SectionKind.HEADING, headings=("Part",))
        texts = [chunk.embedded(text) for chunk in chunks]
        hashes = tuple(hashlib.sha256(one.encode()).digest() for one in texts)
        vectors: dict[bytes, Vector] = {}
        if embedded:
            vectors = dict(zip(hashes, self.embedder.embed_passages(texts), strict=True))
        key = SourceKey(f"/docs/{name}")
        record = SourceRecord(
            key=key,
            source_type=SourceType.FILE,
            title=title or name,
            content_hash="0" * 64,
            fingerprint=Fingerprint(model="m", scheme="s"),
            chunk_count=len(chunks),
        )
        document = Document(text=text, title=title or name, own_title=bool(title), format="markdown")
        cut = Cut(document=document, sections=(section,), chunks=chunks)
        words = tuple(Terms(title=terms(title), context=(), body=terms(one)) for one in texts)
        self.store.replace(SourceEntry(record=record, cut=cut, terms=words, hashes=hashes, vectors=vectors))

    def ask(self, text: str, *, top_k: int = 8, scope: tuple[str, ...] = (), **options: object) -> Answer:
        return search(
            make_query(text, top_k=top_k, scope=tuple(SourceKey(f"/docs/{name}") for name in scope)),
            store=self.store,
            embedder=self.embedder,
            options=SearchOptions(**options),  # type: ignore[arg-type]
            display=lambda key: key.removeprefix("/docs/"),
        )


@pytest.fixture
def shelf() -> Shelf:
    shelf = Shelf()
    shelf.put("net.md", "Error ERR_CONN_4012 means the peer closed.", "Raise the timeout to 30 s.", title="Network")
    shelf.put("food/soup.md", "Boil water with salt.", "Add the carrots.", title="Soup")
    shelf.put("food/cake.md", "Beat eggs with sugar.", title="Cake")
    return shelf


def found(answer: Answer) -> list[tuple[str, int]]:
    return [(passage.display_path, passage.chunk_index) for passage in answer.passages]


def test_an_exact_code_comes_first_with_its_citation(shelf: Shelf) -> None:
    answer = shelf.ask("err_conn_4012")
    first = answer.passages[0]
    assert first.text == "Error ERR_CONN_4012 means the peer closed."
    assert str(first.citation) == "net.md · Part · page 1"
    assert (first.title, first.source, first.source_type) == ("Network", "/docs/net.md", SourceType.FILE)
    assert not answer.notices


def test_sections_come_in_the_order_of_their_passages(shelf: Shelf) -> None:
    for number in range(12):
        shelf.put(f"more/{number}.md", f"Salt, sugar and water, {number} times.")
    answer = shelf.ask("salt and water", top_k=15)
    assert len(answer.sections) > 10
    assert list(answer.sections) == list(dict.fromkeys(passage.section_id for passage in answer.passages))


def test_every_section_comes_once_and_whole(shelf: Shelf) -> None:
    answer = shelf.ask("timeout of the peer")
    of_net = [passage for passage in answer.passages if passage.display_path == "net.md"]
    assert len(of_net) == 2
    assert answer.sections[of_net[0].section_id] == (
        "Error ERR_CONN_4012 means the peer closed.\nRaise the timeout to 30 s."
    )
    assert set(answer.sections) == {passage.section_id for passage in answer.passages}


def test_sources_are_counted_in_order_of_their_first_passage(shelf: Shelf) -> None:
    answer = shelf.ask("water salt carrots sugar", max_files=2)
    assert [(source.display_path, source.hits) for source in answer.sources] == [
        (path, sum(other == path for other, _ in found(answer))) for path in dict.fromkeys(p for p, _ in found(answer))
    ]


def test_no_more_passages_than_asked_for(shelf: Shelf) -> None:
    assert len(shelf.ask("water", top_k=2).passages) == 2


def test_few_files_are_the_first_ones(shelf: Shelf) -> None:
    answer = shelf.ask("carrots", max_files=1)
    assert {path for path, _ in found(answer)} == {"food/soup.md"}
    assert len(answer.passages) == 2


def test_a_scope_keeps_the_rest_out(shelf: Shelf) -> None:
    assert {path for path, _ in found(shelf.ask("timeout", scope=("food",)))} == {"food/soup.md", "food/cake.md"}


def test_every_passage_with_a_vector_has_its_distance(shelf: Shelf) -> None:
    for number in range(60):
        shelf.put(f"near{number}.md", "alpha beta gamma delta")
    shelf.put("far.md", " ".join(f"word{number}" for number in range(300)) + " unique-code-77 alpha")
    answer = shelf.ask("alpha beta gamma delta unique-code-77", top_k=100)
    far = next(passage for passage in answer.passages if passage.display_path == "far.md")
    assert far.distance is not None
    assert 0 < far.distance <= 2


def test_the_order_is_by_score(shelf: Shelf) -> None:
    scores = [passage.score for passage in shelf.ask("boil water, add eggs").passages]
    assert scores == sorted(scores, reverse=True)


def test_words_only_never_touches_the_model(shelf: Shelf) -> None:
    shelf.embedder.fail_with = ModelError("must not be loaded")
    answer = shelf.ask("carrots", hybrid_weight=1.0)
    assert found(answer) == [("food/soup.md", 1)]
    assert answer.passages[0].distance is None
    assert not answer.notices


def test_vectors_only_finds_nothing_by_title_words(shelf: Shelf) -> None:
    by_words = shelf.ask("network", hybrid_weight=1.0)
    assert {path for path, _ in found(by_words)} == {"net.md"}
    by_vectors = shelf.ask("network", hybrid_weight=0.0)
    assert len(by_vectors.passages) == 5
    assert all(passage.distance is not None for passage in by_vectors.passages)


def test_a_failing_model_leaves_the_words_and_says_so(shelf: Shelf) -> None:
    shelf.embedder.fail_with = ModelError("The weights are damaged.", remedy="Delete the cache.")
    answer = shelf.ask("carrots")
    assert found(answer) == [("food/soup.md", 1)]
    assert len(answer.notices) == 1
    assert "The weights are damaged. Delete the cache." in answer.notices[0]


def test_a_failing_model_is_an_error_when_only_vectors_are_wanted(shelf: Shelf) -> None:
    shelf.embedder.fail_with = ModelError("The weights are damaged.")
    with pytest.raises(ModelError):
        shelf.ask("carrots", hybrid_weight=0.0)


def test_an_empty_index_says_so() -> None:
    answer = Shelf().ask("anything", scope=("food",))
    assert not answer.passages
    assert [notice for notice in answer.notices if "index is empty" in notice] == list(answer.notices)


def test_a_scope_that_matches_nothing_says_so(shelf: Shelf) -> None:
    answer = shelf.ask("carrots", scope=("foo",))
    assert not answer.passages
    assert len(answer.notices) == 1
    assert "under the scope foo" in answer.notices[0]


def test_chunks_without_vectors_are_counted_in_a_notice(shelf: Shelf) -> None:
    shelf.put("new.md", "Peel the parsnips.", "Slice them.", embedded=False)
    answer = shelf.ask("parsnips")
    assert found(answer)[0] == ("new.md", 0)
    assert answer.passages[0].distance is None
    assert any("2 of 7 chunks" in notice and "by their words only" in notice for notice in answer.notices)
    unseen = shelf.ask("parsnips", hybrid_weight=0.0)
    assert any("2 of 7 chunks" in notice and "cannot be found" in notice for notice in unseen.notices)
    assert not shelf.ask("parsnips", hybrid_weight=1.0).notices


def test_words_that_are_nowhere_say_so(shelf: Shelf) -> None:
    answer = shelf.ask("xyzzy", hybrid_weight=1.0)
    assert not answer.passages
    assert any("No passage holds any word" in notice for notice in answer.notices)


def test_a_query_of_signs_alone_says_so_when_only_words_count(shelf: Shelf) -> None:
    answer = shelf.ask("?!", hybrid_weight=1.0)
    assert any("No passage holds" in notice or "no word" in notice for notice in answer.notices)
    assert any("no word" in notice for notice in shelf.ask("...", hybrid_weight=1.0).notices)


def test_a_distance_limit_that_drops_everything_says_so(shelf: Shelf) -> None:
    assert any("RAG_MAX_DISTANCE=0 dropped" in notice for notice in shelf.ask("carrots", max_distance=0.0).notices)
    words_only = shelf.ask("carrots", max_distance=0.5, hybrid_weight=1.0)
    assert any("no passage has a distance" in notice for notice in words_only.notices)


def test_grouping_drops_the_far_ones(shelf: Shelf) -> None:
    everything = shelf.ask("Add the carrots.")
    similar = shelf.ask("Add the carrots.", grouping=Grouping.SIMILAR)
    assert found(similar)[0] == ("food/soup.md", 1)
    assert len(similar.passages) < len(everything.passages)


@pytest.mark.parametrize(
    "text",
    [
        '"unbalanced',
        "a AND OR NOT b",
        "NEAR(x, y)",
        "title: x*",
        "^x - + ()",
        "'; DROP TABLE--",
        "x" * 10_000,
        "a b " * 9_000,
    ],
    ids=lambda text: text[:12],
)
def test_no_query_text_is_an_error(shelf: Shelf, text: str) -> None:
    assert shelf.ask(text).passages


def test_another_fusion_can_take_the_place_of_the_default(shelf: Shelf) -> None:
    def reversed_ranks(candidates: Candidates, *, weight: float) -> tuple[Ranked, ...]:
        return reciprocal_ranks(candidates, weight=weight)[::-1]

    answer = search(
        make_query("carrots", top_k=100),
        store=shelf.store,
        embedder=shelf.embedder,
        options=SearchOptions(),
        display=str,
        fusion=reversed_ranks,
    )
    usual = shelf.ask("carrots", top_k=100)
    assert [p.section_id for p in answer.passages] == [p.section_id for p in usual.passages][::-1]
