"""Dated series: what every snapshot repeats is found once, and nothing is lost by it."""

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from tests.ingest.conftest import World

from minirag_mcp.ingest.entry import text_hash
from minirag_mcp.ingest.labels import LabelRules
from minirag_mcp.ingest.options import WritingOptions
from minirag_mcp.lexical.analyzer import terms
from minirag_mcp.model import ChunkId, DocClass, SectionId, SourceKey, StoredChunk

FOLDED, UNFOLDED = WritingOptions(), WritingOptions(fold_series=False)


def day(number: int) -> str:
    return f"fleet-2026-07-{number:02}.md"


def found(world: World, word: str, *, scope: tuple[str, ...] = ()) -> list[StoredChunk]:
    hits = world.store.search_terms(terms(word), limit=100, scope=tuple(world.key(name) for name in scope))
    return world.store.read([hit.chunk for hit in hits])


def places(world: World, word: str, *, scope: tuple[str, ...] = ()) -> list[str]:
    return sorted(Path(chunk.source).name for chunk in found(world, word, scope=scope))


def write_days(world: World, *values: str) -> None:
    for number, value in enumerate(values, 1):
        world.write(day(number), f"# Fleet 2026-07-{number:02}\n\n## Red\n\n{value}\n")


def test_a_paragraph_that_every_snapshot_repeats_is_found_once_with_all_its_dates(world: World) -> None:
    write_days(world, "drawdown", "drawdown", "drawdown", "drawdown")
    world.sync()
    [hit] = found(world, "drawdown")
    assert Path(hit.source).name == day(1)
    assert hit.dates is not None
    assert (hit.dates.own, hit.dates.others) == ("2026-07-01", ("2026-07-02", "2026-07-03", "2026-07-04"))
    assert [text for text in world.embedder.embedded if "drawdown" in text] == [
        text for text in world.embedder.embedded if "drawdown" in text and "2026-07-01" in text
    ]


def test_a_value_that_comes_back_is_a_new_fact(world: World) -> None:
    write_days(world, "drawdown", "recovered", "drawdown", "drawdown")
    world.sync()
    assert places(world, "drawdown") == [day(1), day(3)]
    dates = {hit.dates.own: hit.dates.others for hit in found(world, "drawdown") if hit.dates}
    assert dates == {"2026-07-01": (), "2026-07-03": ("2026-07-04",)}


def test_two_dated_files_are_no_series_and_the_third_makes_one(world: World) -> None:
    write_days(world, "drawdown", "drawdown")
    world.sync()
    assert places(world, "drawdown") == [day(1), day(2)]
    write_days(world, "drawdown", "drawdown", "drawdown")
    world.sync()
    assert places(world, "drawdown") == [day(1)]
    (world.root / day(3)).unlink()
    world.sync()
    assert places(world, "drawdown") == [day(1), day(2)]


def test_the_same_text_under_another_heading_is_another_fact(world: World) -> None:
    write_days(world, "drawdown", "drawdown", "drawdown")
    world.write(day(2), "# Fleet 2026-07-02\n\n## Green\n\ndrawdown\n")
    world.sync()
    assert places(world, "drawdown") == [day(1), day(2), day(3)]


def test_ordinary_files_and_dates_in_front_are_never_folded(world: World) -> None:
    for number in range(1, 5):
        world.write(f"2026-07-0{number}-week.md", "# Week\n\ndrawdown\n")
        world.write(f"copy {number}.md", "# Copy\n\ndrawdown\n")
    world.sync()
    assert len(found(world, "drawdown")) == 8


def test_what_a_snapshot_repeats_twice_counts_as_often_as_before(world: World) -> None:
    once, twice = "## Red\n\nsame\n", "## Red\n\nsame\n\n## Blue\n\nx\n\n## Red\n\nsame\n"
    for number, text in enumerate((once, twice, twice), 1):
        world.write(day(number), f"# Fleet\n\n{text}")
    world.sync()
    assert places(world, "same") == [day(1), day(2)]


def test_every_snapshot_is_read_back_whole_and_chunk_by_chunk(world: World) -> None:
    write_days(world, "drawdown", "drawdown", "drawdown")
    world.sync()
    assert world.text(day(3)) == "# Fleet 2026-07-03\n\n## Red\n\ndrawdown"
    record = world.record(day(3))
    assert record is not None
    chunks = world.store.chunks(world.key(day(3)), 0, 99)
    assert len(chunks) == record.chunk_count
    assert "drawdown" in "".join(chunk.text for chunk in chunks)


def test_a_scope_that_names_one_snapshot_finds_its_repeats_in_it(world: World) -> None:
    write_days(world, "drawdown", "drawdown", "drawdown")
    world.sync()
    [hit] = found(world, "drawdown", scope=(day(3),))
    assert Path(hit.source).name == day(3)
    assert hit.dates is not None
    assert (hit.dates.own, hit.dates.others) == ("2026-07-03", ("2026-07-01", "2026-07-02"))
    assert places(world, "drawdown", scope=(day(2), day(3))) == [day(2)]
    vector = world.embedder.embed_query("drawdown")
    scope = (world.key(day(3)),)
    near = world.store.read([near.chunk for near in world.store.search_vector(vector, limit=9, scope=scope)])
    assert {Path(chunk.source).name for chunk in near} == {day(3)}
    assert any("drawdown" in chunk.text for chunk in near)
    assert set(world.store.distances(vector, [chunk.chunk for chunk in near])) == {chunk.chunk for chunk in near}


def test_a_handoff_and_a_note_are_never_one_fact(world: World) -> None:
    write_days(world, "drawdown", "drawdown", "drawdown")
    world.write(day(2), "---\ntype: handoff\n---\n# Fleet 2026-07-02\n\n## Red\n\ndrawdown\n")
    world.sync()
    assert places(world, "drawdown") == [day(1), day(2), day(3)]


def test_folding_can_be_turned_off_and_on_and_follows_at_the_next_sync(world: World) -> None:
    write_days(world, "drawdown", "drawdown", "drawdown")
    world.writing = UNFOLDED
    world.sync()
    assert len(found(world, "drawdown")) == 3
    world.writing = FOLDED
    assert world.sync().counts.ingested == 0
    assert places(world, "drawdown") == [day(1)]
    world.writing = UNFOLDED
    assert world.sync().counts.ingested == 0
    assert len(found(world, "drawdown")) == 3
    assert world.store.unembedded(limit=9) == {}


def test_one_new_snapshot_costs_the_embedding_of_what_is_new_in_it(world: World) -> None:
    write_days(world, "drawdown", "drawdown", "drawdown")
    world.sync()
    world.embedder.embedded.clear()
    path = world.write(day(4), "# Fleet 2026-07-04\n\n## Red\n\ndrawdown\n\n## News\n\nrepaired\n")
    world.indexer().index_file(path)
    assert not [text for text in world.embedder.embedded if "drawdown" in text]
    assert [text for text in world.embedder.embedded if "repaired" in text]
    assert places(world, "drawdown") == [day(1)]


def test_a_series_keeps_its_facts_when_its_first_snapshot_is_forgotten(world: World) -> None:
    write_days(world, "drawdown", "drawdown", "drawdown", "drawdown")
    world.sync()
    world.indexer().writing.forget([world.key(day(1))])
    assert places(world, "drawdown") == [day(2)]


def test_an_edit_of_the_first_by_itself_leaves_no_text_without_a_vector(world: World) -> None:
    write_days(world, "drawdown", "drawdown", "drawdown")
    world.sync()
    path = world.write(day(1), "# Fleet 2026-07-01\n\n## Red\n\nrecovered\n")
    world.indexer().index_file(path)
    assert places(world, "drawdown") == [day(2)]
    assert world.store.unembedded(limit=9) == {}


def test_a_snapshot_whose_file_breaks_keeps_its_place_in_the_series(world: World) -> None:
    write_days(world, "drawdown", "drawdown", "drawdown")
    world.sync()
    world.write(day(1), b"")
    assert world.sync().counts.failed == 1
    [hit] = found(world, "drawdown")
    assert hit.dates is not None
    assert (hit.dates.own, len(hit.dates.others)) == ("2026-07-01", 2)
    assert world.store.faults() == []


def test_other_rules_are_applied_to_what_is_indexed_without_parsing_or_embedding(world: World) -> None:
    world.write("context/today.md", "# Today\n\nplans\n")
    world.write("other.md", "# Other\n\nplans\n")
    world.sync()
    world.parser.parsed.clear()
    world.embedder.embedded.clear()
    rules = LabelRules(mirror_basenames=("today.md",))
    world.writing = WritingOptions(labels=rules)
    world.sync()
    classes = {Path(record.key).name: record.labels.doc_class for record in world.store.sources()}
    assert classes == {"today.md": DocClass.HANDOFF, "other.md": DocClass.NOTE}
    assert not world.parser.parsed
    assert not world.embedder.embedded
    assert all(record.labels.rules == rules.name for record in world.store.sources())


def test_a_file_moved_into_the_mirror_folder_becomes_a_handoff(world: World) -> None:
    path = world.write("resume.md", "# Resume\n\nplans\n")
    world.sync()
    (world.root / "context").mkdir()
    path.rename(world.root / "context" / "resume.md")
    assert world.sync().counts.moved == 1
    record = world.record("context/resume.md")
    assert record is not None
    assert record.labels.doc_class is DocClass.HANDOFF


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_change_of_encoding_alone_is_no_change(world: World, encoding: str) -> None:
    text = "# Fleet\n\nпарус и ветер\n"
    world.write("fleet.md", text)
    world.sync()
    before = world.store.search_terms(terms("парус"), limit=1)
    world.write("fleet.md", text.encode(encoding))
    counts = world.counts()
    assert (counts.ingested, counts.skipped) == (0, 1)
    assert world.store.search_terms(terms("парус"), limit=1) == before
    assert world.counts().skipped == 1


class SeriesMachine(RuleBasedStateMachine):
    """Whatever happens to the snapshots, and in whatever order, the index is the one that a first sync would make."""

    @initialize()
    def open(self) -> None:
        self.base = Path(tempfile.mkdtemp())
        self.world = World(root=self.base / "docs", index=self.base / "index")
        self.world.write("other.md", "# Other\n\nAn empty root would look unmounted.\n")

    def teardown(self) -> None:
        self.world.store.close()
        shutil.rmtree(self.base)

    @rule(
        number=st.integers(1, 6),
        blocks=st.lists(
            st.tuples(st.sampled_from(["Red", "Green"]), st.sampled_from(["a", "b", "c"])), min_size=1, max_size=4
        ),
        handoff=st.sampled_from([False, False, False, True]),
    )
    def write(self, number: int, blocks: list[tuple[str, str]], *, handoff: bool) -> None:
        front = "---\ntype: handoff\n---\n" if handoff else ""
        body = "".join(f"## {heading}\n\nvalue{value}\n\n" for heading, value in blocks)
        self.world.write(day(number), f"{front}# Fleet\n\n{body}")

    @rule(number=st.integers(1, 6))
    def remove(self, number: int) -> None:
        (self.world.root / day(number)).unlink(missing_ok=True)

    @rule(number=st.integers(1, 6))
    def index_one(self, number: int) -> None:
        path = self.world.root / day(number)
        if path.exists():
            self.world.indexer().index_file(path)

    @rule(number=st.integers(1, 6))
    def forget_one(self, number: int) -> None:
        self.world.indexer().writing.forget([self.world.key(day(number))])

    @rule(options=st.sampled_from([FOLDED, FOLDED, UNFOLDED]))
    def turn(self, options: WritingOptions) -> None:
        self.world.writing = options

    @rule()
    def sync(self) -> None:
        self.world.sync()
        fresh = replace(self.world, index=self.base / "fresh")
        fresh.sync()
        try:
            assert list(state(self.world)) == list(state(fresh))
        finally:
            fresh.store.close()
            shutil.rmtree(self.base / "fresh")

    @invariant()
    def nothing_is_lost_and_nothing_is_broken(self) -> None:
        assert self.world.store.faults() == []
        for record in self.world.store.sources():
            for chunk in self.world.store.chunks(record.key, 0, 99):
                hits = self.world.store.search_terms(terms(chunk.text), limit=200)
                texts = [hit.text for hit in self.world.store.read([hit.chunk for hit in hits])]
                assert any(text.endswith(chunk.text.split("\n")[-1]) for text in texts)


def state(world: World) -> Iterator[tuple[object, ...]]:
    """All that a user could notice of each source: its record, its text, and how each chunk is found."""
    snapshots = {
        snapshot.source: snapshot
        for record in world.store.sources()
        if record.labels.snapshot
        for snapshot in world.store.snapshots(record.labels.snapshot.series)
    }
    names = {
        number: (snapshot.source, n) for snapshot in snapshots.values() for n, number in enumerate(snapshot.chunks)
    }
    for record in world.store.sources():
        cut = world.store.cut(record.key)
        assert cut is not None
        yield replace(record, stat=None), cut
        for chunk in world.store.chunks(record.key, 0, 99):
            snapshot = snapshots.get(record.key)
            first = snapshot.firsts.get(chunk.chunk) if snapshot else None
            own = text_hash(cut.chunks[chunk.ordinal].embedded(cut.document.text))
            has_vector = bool(world.store.known_hashes([own]))
            yield (
                replace(chunk, chunk=ChunkId(0), section_id=SectionId("")),
                names[first] if first else None,
                first is None and has_vector,
            )
    yield tuple(sorted(hit_names(world)))


def hit_names(world: World) -> Iterator[tuple[SourceKey, int]]:
    for word in ("valuea", "valueb", "valuec"):
        hits = world.store.search_terms(terms(word), limit=200)
        for chunk in world.store.read([hit.chunk for hit in hits]):
            yield chunk.source, chunk.ordinal


SeriesMachine.TestCase.settings = settings(max_examples=30, stateful_step_count=25, deadline=None)
test_any_history_ends_in_the_index_of_a_first_sync = pytest.mark.timeout(120)(SeriesMachine.TestCase)
