from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.chunk.word_parts import WordParts
from tests.fakes.embedder import WhitespaceTokenizer
from tests.strategies import documents, tidy_markdown

from minirag_mcp.chunk.blocks import BlockKind, scan
from minirag_mcp.chunk.chunks import NOTICE
from minirag_mcp.chunk.counter import TokenCounter
from minirag_mcp.chunk.cutter import cut
from minirag_mcp.chunk.units import SECTION_CAP
from minirag_mcp.model import Cut, Document, Mark, MarkKind

BUDGETS = st.sampled_from([16, 30, 110, 400])
COUNTERS: st.SearchStrategy[TokenCounter] = st.sampled_from([WordParts(), WhitespaceTokenizer()])
LIMIT = 500


@settings(max_examples=80)
@given(documents(), BUDGETS, COUNTERS)
def test_sections_are_disjoint_and_hold_every_character_that_is_not_blank(
    source: Document, budget: int, counter: TokenCounter
) -> None:
    made = cut(source, counter=counter, budget=budget)
    position = 0
    for ordinal, section in enumerate(made.sections):
        assert section.ordinal == ordinal
        assert position <= section.span.start < section.span.end
        assert not source.text[position : section.span.start].strip()
        position = section.span.end
    assert not source.text[position:].strip()


@settings(max_examples=80)
@given(documents(), BUDGETS, COUNTERS)
def test_the_chunks_of_a_section_join_to_the_section(source: Document, budget: int, counter: TokenCounter) -> None:
    made = cut(source, counter=counter, budget=budget)
    assert [chunk.ordinal for chunk in made.chunks] == list(range(len(made.chunks)))
    for section in made.sections:
        own = [chunk for chunk in made.chunks if chunk.section == section.ordinal]
        assert "".join(chunk.span.of(source.text) for chunk in own) == section.span.of(source.text)
        assert all(chunk.span.of(source.text).strip() for chunk in own)
    assert [chunk.section for chunk in made.chunks] == sorted(chunk.section for chunk in made.chunks)


@settings(max_examples=100)
@given(documents(), BUDGETS, COUNTERS)
def test_no_chunk_is_over_the_budget_but_one_that_keeps_a_code_block_whole(
    source: Document, budget: int, counter: TokenCounter
) -> None:
    made = cut(source, counter=counter, budget=budget)
    for chunk in made.chunks:
        tokens = counter.count(chunk.embedded(source.text))
        assert tokens <= LIMIT
        assert tokens <= budget or _holds_whole_code(made, chunk.span.start, chunk.span.end)
        assert counter.count(chunk.context) <= budget // 3


def _holds_whole_code(made: Cut, start: int, end: int) -> bool:
    text = made.document.text
    fences = (block for block in scan(text, 0, len(text)) if block.kind is BlockKind.FENCE)
    code = (text[block.start : block.end].strip() for block in fences)
    return any(fence in text[start:end] for fence in code)


@settings(max_examples=80)
@given(documents(tidy_markdown()), BUDGETS)
def test_no_edge_lies_inside_a_code_block_or_a_table_row_that_fits(source: Document, budget: int) -> None:
    counter = WordParts()
    text = source.text
    made = cut(source, counter=counter, budget=budget)
    edges = {edge for chunk in made.chunks for edge in (chunk.span.start, chunk.span.end)}
    for block in scan(text, 0, len(text)):
        if block.kind is BlockKind.FENCE and counter.count(text[block.start : block.end]) <= budget:
            inside = range(block.start + 1, block.start + len(text[block.start : block.end].rstrip()))
            assert not edges.intersection(inside)
        if block.kind is BlockKind.TABLE:
            for start, row in _lines(text, block.start, block.end):
                headings = _headings_above(source, start)
                if counter.count(f"{headings}\n{row}") <= budget:
                    assert not edges.intersection(range(start + 1, start + len(row)))


def _headings_above(source: Document, start: int) -> str:
    """The text of the headings, and the comments under them, that stand right above an offset."""
    above = [block for block in scan(source.text, 0, len(source.text)) if block.end <= start]
    first = start
    while above and above[-1].kind in (BlockKind.HEADING, BlockKind.COMMENT) and above[-1].end == first:
        first = above.pop().start
    return source.text[first:start]


@settings(max_examples=100)
@given(documents(tidy_markdown()), BUDGETS)
def test_no_chunk_holds_headings_alone_where_the_text_under_them_can_stand_beside(
    source: Document, budget: int
) -> None:
    counter = WordParts()
    made = cut(source, counter=counter, budget=budget)
    ends = {chunk.span.end: chunk for chunk in made.chunks}
    for block in scan(source.text, 0, len(source.text)):
        headings = _headings_above(source, block.start)
        chunk = ends.get(len(source.text[: block.start].rstrip())) or ends.get(block.start)
        if block.kind in (BlockKind.HEADING, BlockKind.COMMENT) or not headings or chunk is None:
            continue
        room = budget - counter.count(NOTICE) if block.kind is BlockKind.FENCE else budget
        assert chunk.span.of(source.text).strip() not in headings or counter.count(headings) > room - room // 8


def _lines(text: str, start: int, end: int) -> list[tuple[int, str]]:
    lines = []
    for line in text[start:end].split("\n"):
        lines.append((start, line))
        start += len(line) + 1
    return lines


@settings(max_examples=60)
@given(documents(), BUDGETS)
def test_a_section_over_the_cap_is_one_row_or_one_sentence(source: Document, budget: int) -> None:
    made = cut(source, counter=WordParts(), budget=budget)
    assert all(len(section.shown(source.text)) <= SECTION_CAP for section in made.sections)


@settings(max_examples=60)
@given(
    documents(),
    st.lists(
        st.tuples(st.sampled_from(list(MarkKind)), st.integers(0, 500), st.integers(1, 4000), st.sampled_from("AB")),
        max_size=12,
    ),
)
@example(
    Document(text="| col0 |\n| --- |\n\n", title="", own_title=False, format="markdown"), [(MarkKind.LINE, 9, 1, "A")]
)
def test_any_marks_give_a_cut_with_the_same_guarantees(
    source: Document, marks: list[tuple[MarkKind, int, int, str]]
) -> None:
    placed = [
        Mark(kind=kind, start=start, number=number, name=name)
        for kind, start, number, name in marks
        if start <= len(source.text)
    ]
    marked = Document(
        text=source.text,
        title=source.title,
        own_title=source.own_title,
        format="pdf",
        marks=tuple(sorted(placed, key=lambda mark: mark.start)),
    )
    made = cut(marked, counter=WordParts(), budget=40)
    covered = "".join(section.span.of(marked.text) for section in made.sections)
    assert "".join(covered.split()) == "".join(marked.text.split())
    assert all(section.place is None or str(section.place) for section in made.sections)
