"""Which numbers in a document are held against the tools and tests that there are, and how they are corrected."""

from collections.abc import Callable, Mapping

import pytest
from scripts.check_counts import corrected, documents, statements, wrong


def nobody() -> int:
    raise AssertionError("counted although no document states it")


TRUE: Mapping[str, Callable[[], int]] = {"tools": lambda: 12, "tests": lambda: 4_916}
TOOLS_ONLY: Mapping[str, Callable[[], int]] = {"tools": lambda: 12, "tests": nobody}


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Eleven tools: `a`, `b`.", "Twelve tools: `a`, `b`."),
        ("It serves eleven\ntools on stdin.", "It serves twelve\ntools on stdin."),
        ("one of the 11 MCP tools", "one of the 12 MCP tools"),
        ("| **11** tools |", "| **12** tools |"),
        ("These are 4,802 tests.", "These are 4,916 tests."),
        ("4802 Tests", "4,916 Tests"),
        ("11 tools, eleven tools and 100 tests", "12 tools, twelve tools and 4,916 tests"),
    ],
)
def test_a_number_that_does_not_hold_is_found_and_corrected_in_its_form(text: str, right: str) -> None:
    assert wrong(text, TRUE)
    assert corrected(text, TRUE) == right
    assert wrong(right, TRUE) == []


def test_what_is_found_names_its_place_the_stated_and_the_true_number() -> None:
    [(one, number)] = wrong("a\nb eleven tools", TRUE)
    assert (one.start, one.stated, one.number, one.what, number) == (4, "eleven", 11, "tools", 12)


@pytest.mark.parametrize(
    "text",
    [
        "two tests of a kind",
        "ninety-nine tests, or 99 tests",
        "three tools write, two read",
        "seven more tools",
        "200 slow tests",
        "the other ten tools",
        "seven tools that write",
        "seven tools of this kind",
        "the first eight tools",
        "6 to 9 tools, 6–9 tools",
        "revision-7 tools and 0.11 tools",
        "11 tools-like things, 11 toolsets, seventeen toolboxes",
    ],
)
def test_what_counts_something_else_is_left_alone(text: str) -> None:
    assert list(statements(text)) == []
    assert corrected(text, TRUE) == text


def test_a_number_too_large_for_a_word_is_corrected_in_digits() -> None:
    assert corrected("eleven tools", {"tools": lambda: 21}) == "21 tools"


def test_tests_are_counted_only_where_a_document_states_their_number() -> None:
    assert corrected("eleven tools, two tests", TOOLS_ONLY) == "twelve tools, two tests"


def test_history_and_the_documents_that_tests_read_are_not_looked_at() -> None:
    names = {path.name for path in documents()}
    assert {"README.md", "CONTRIBUTING.md", "tools.md", "instructions.md"} <= names
    assert not names & {"CHANGELOG.md", "controller-specification.md", "table.md"}
