from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minirag_mcp.errors import RequestError
from minirag_mcp.shell import declaration, tools
from minirag_mcp.shell.arguments import Arguments, check

ROOTED = str(Path("/docs/a.md").absolute())


def checked(name: str, **given: object) -> Arguments:
    return check(tools.BY_NAME[name], given)


def test_absent_and_null_are_the_same() -> None:
    given = checked("query_documents", query="seal", topK=None, scope=None)
    assert (given.text("query"), given.integer("topK"), given.scope()) == ("seal", 8, ())
    assert check(tools.BY_NAME["status"], None).values == {}


@pytest.mark.parametrize("value", [9, 9.0, "9", " 9 "])
def test_a_whole_number_may_come_in_any_form(value: object) -> None:
    assert checked("query_documents", query="seal", topK=value).integer("topK") == 9


@pytest.mark.parametrize("value", [True, 8.5, "eight", "", [8], {"n": 8}, "9" * 30, "--8", float("inf"), float("nan")])
def test_anything_else_is_not_a_whole_number(value: object) -> None:
    with pytest.raises(RequestError, match="`topK` must be a whole number"):
        checked("query_documents", query="seal", topK=value)


def test_a_number_below_its_limit_is_refused_and_one_above_is_left_to_the_search() -> None:
    with pytest.raises(RequestError, match="`topK` is 0; it must be at least 1"):
        checked("query_documents", query="seal", topK=0)
    assert checked("query_documents", query="seal", topK=5_000).integer("topK") == 5_000


def test_an_unknown_argument_is_named_with_what_was_probably_meant() -> None:
    with pytest.raises(RequestError) as caught:
        checked("query_documents", query="seal", top_k=3)
    assert "does not know the argument `top_k`" in caught.value.message
    assert "it takes `query`, `topK`, `scope`" in caught.value.message
    assert "Did you mean `topK`?" in caught.value.message
    with pytest.raises(RequestError, match="it takes no arguments"):
        checked("status", verbose=True)


def test_a_missing_argument_is_named() -> None:
    with pytest.raises(RequestError, match="ingest_data needs `source`, `format`"):
        checked("ingest_data", data="text")


def test_a_choice_outside_the_list_is_refused_with_the_list() -> None:
    with pytest.raises(RequestError, match="it must be one of text, markdown, html"):
        checked("ingest_data", data="x", source="id", format="pdf")


@pytest.mark.parametrize("value", [3, ["a"], {"a": 1}, True])
def test_a_string_must_be_a_string(value: object) -> None:
    with pytest.raises(RequestError, match="`query` must be a string"):
        checked("query_documents", query=value)


def test_a_long_wrong_value_is_not_repeated_whole() -> None:
    with pytest.raises(RequestError) as caught:
        checked("query_documents", query=["x" * 5_000])
    assert len(caught.value.message) < 120


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ("manuals", ("manuals",)),
        (" manuals ", ("manuals",)),
        ("", ()),
        ([], ()),
        ("[]", ()),
        ("[" * 5_000, ("[" * 5_000,)),
        (["a", "b"], ("a", "b")),
        ('["a", "b"]', ("a", "b")),
        ("[draft] notes.md", ("[draft] notes.md",)),
        ("[1, 2]", ("[1, 2]",)),
        ('["a"', ('["a"',)),
    ],
)
def test_a_scope_is_a_path_or_a_list_in_either_form(value: object, meant: tuple[str, ...]) -> None:
    assert checked("list_files", scope=value).scope() == meant


def test_a_scope_of_other_things_is_refused() -> None:
    with pytest.raises(RequestError, match="`scope` must be one string or a list of strings"):
        checked("list_files", scope=["a", 1])
    with pytest.raises(RequestError, match="`scope` must be a string"):
        checked("list_files", scope=7)


def test_exactly_one_of_path_and_source_names_a_target() -> None:
    assert checked("read_file", filePath=ROOTED).target() == (Path(ROOTED), None)
    assert checked("read_file", source="notes").target() == (None, "notes")
    with pytest.raises(RequestError, match="neither was given"):
        checked("read_file").target()
    with pytest.raises(RequestError, match="both were given"):
        checked("read_file", filePath=ROOTED, source="notes").target()


@pytest.mark.parametrize("value", ["docs/a.md", "./a.md", "~/a.md", "", "/a\0b"])
def test_a_path_must_be_absolute(value: str) -> None:
    with pytest.raises(RequestError, match="filePath must be an absolute path") as caught:
        checked("ingest_file", filePath=value).absolute_path("filePath")
    assert "status" in caught.value.remedy


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(st.sampled_from(tools.TOOLS), st.data())
def test_any_arguments_are_read_or_refused_with_a_remedy(tool: declaration.Tool, data: st.DataObject) -> None:
    names = st.sampled_from([*sorted(tool.names), "other"])
    raw = data.draw(st.dictionaries(names, _JSON))
    try:
        given = check(tool, raw)
        given.scope()
    except RequestError as error:
        said = error.remedy
    else:
        said = "nothing wrong"
        assert set(given.values) <= tool.names
    assert said
