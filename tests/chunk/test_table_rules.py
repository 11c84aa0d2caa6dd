import pytest
from tests.chunk.cutting import cut_text

from minirag_mcp.chunk.place import Places
from minirag_mcp.model import Mark, MarkKind, Span, rules_off

_TABLES = ["| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |", "a | b\n--- | ---\n1 | 2\n3 | 4"]
_TABLES.append("\n".join(f"> {line}" for line in _TABLES[0].split("\n")))


@pytest.mark.parametrize("table", _TABLES)
def test_the_line_that_rules_off_a_table_is_shown_and_not_embedded(table: str) -> None:
    chunk = cut_text(table).chunks[0]
    assert chunk.shown(table) == table
    assert "--" not in chunk.embedded(table)


@pytest.mark.parametrize("table", _TABLES)
def test_the_line_that_rules_off_a_table_is_in_none_of_its_rows(table: str) -> None:
    rule = table.index("\n") + 1
    rows = table.index("\n", rule) + 1
    places = Places(table, [Mark(kind=MarkKind.ROW, start=0, number=1), Mark(kind=MarkKind.ROW, start=rows, number=5)])
    assert str(places.of(Span(start=rule, end=len(table)))) == "rows 5–6"


@pytest.mark.parametrize("line", ["", "---", "> ---", "| a-b |", "|  |", "-- > | --"])
def test_other_lines_rule_off_nothing(line: str) -> None:
    assert not rules_off(line)
