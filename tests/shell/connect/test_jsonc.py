"""Changing one member of a JSON text, and nothing else."""

import json
import string
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minirag_mcp.shell.connect import jsonc
from minirag_mcp.shell.connect.jsonc import JsonProblem, Number

ENTRY = {"command": "/bin/минираг", "args": ["-m", "x"], "env": {"BASE_DIR": '/d/"ö\\\n'}}
PATH = ("mcpServers", "minirag")

LAYOUTS = {
    "{}": '{\n  "mcpServers": {\n    "minirag": 1\n  }\n}',
    "{ }\n": '{\n  "mcpServers": {\n    "minirag": 1\n  }\n }\n',
    "{\n}\n": '{\n  "mcpServers": {\n    "minirag": 1\n  }\n}\n',
    '{"a":1}': '{"a":1, "mcpServers": {"minirag": 1}}',
    '{"mcpServers":{}}': '{"mcpServers":{"minirag": 1}}',
    '{"mcpServers":{"b":{}}}': '{"mcpServers":{"b":{}, "minirag": 1}}',
    '{"mcpServers":{"minirag":0,"b":1}}': '{"mcpServers":{"minirag":1,"b":1}}',
    '{\n\t"a": 1\n}\n': '{\n\t"a": 1,\n\t"mcpServers": {\n\t\t"minirag": 1\n\t}\n}\n',
    '{\r\n    "a": 1\r\n}\r\n': ('{\r\n    "a": 1,\r\n    "mcpServers": {\r\n        "minirag": 1\r\n    }\r\n}\r\n'),
    '{\n  "mcpServers": {\n    "b": {} // mine\n  }\n}': (
        '{\n  "mcpServers": {\n    "b": {}, // mine\n    "minirag": 1\n  }\n}'
    ),
    '{\n  "mcpServers": {\n    "b": {}, /* c */\n  },\n}': (
        '{\n  "mcpServers": {\n    "b": {}, /* c */\n    "minirag": 1,\n  },\n}'
    ),
    '{\n  "mcpServers": {\n    // none yet\n  }\n}': (
        '{\n  "mcpServers": {\n    // none yet\n    "minirag": 1\n  }\n}'
    ),
    '{\n  "mcpServers": {}\n}': '{\n  "mcpServers": {\n    "minirag": 1\n  }\n}',
}
REMOVALS = {
    '{"a": {"x": 1}}': '{"a": {}}',
    '{"a": {"x": 1, "y": 2}}': '{"a": { "y": 2}}',
    '{"a": {"y": 2, "x": 1}}': '{"a": {"y": 2}}',
    '{"a": {"y": 2, "x": 1,}}': '{"a": {"y": 2,}}',
    '{"a": {\n  // of x\n  "x": 1, // end\n  "y": 2\n}}': '{"a": {\n  // of x\n   // end\n  "y": 2\n}}',
    '{"a": {\n  "y": 2, // of y\n  "x": 1\n}}': '{"a": {\n  "y": 2 // of y\n}}',
    '{"a": {\n  "y": 2, // of y\n  "x": 1}}': '{"a": {\n  "y": 2 // of y\n  }}',
    '{"a": 1}': None,
    '{"b": {"x": 1}}': '{"b": {"x": 1}}',
}
INVALID = {
    "": "line 1, column 1: a value",
    "[1 2]": "line 1, column 4: a comma or ]",
    "{'a': 1}": "line 1, column 2: a key in double quotes",
    '{"a" 1}': "a colon",
    '{"a": 1 "b": 2}': "a comma or }",
    '{\n "a": tru\n}': "line 2, column 7: a value",
    '{"a": "\n"}': "a string that is not closed",
    '{"a": "\\x"}': "a string that is not closed",
    '{"a": 1} x': "nothing more may follow",
    '{"a": 01}': "a comma or }",
    '{"a": [,]}': "a value",
    '{"a": 1,,}': "a key in double quotes",
    '{"a": /* 1}': "a value",
    "{": "a key",
    "[" * 5000: "more than 100 levels",
    '{"a":' * 5000: "more than 100 levels",
}

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)
BLANKS = st.text(alphabet=" \t\n", max_size=3)
TRIVIA = st.lists(
    BLANKS
    | st.text(alphabet=string.ascii_letters + '"{}[],: /', max_size=6).map(lambda text: f"//{text}\n")
    | st.text(alphabet=string.ascii_letters + '"{}[],:\n', max_size=6).map(lambda text: f"/*{text}*/"),
    max_size=2,
).map("".join)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A JSON object, with blanks and comments anywhere, and with or without servers and an entry of ours."""
    data: dict[str, object] = draw(st.dictionaries(st.text(max_size=3), VALUES, max_size=3))
    if draw(st.booleans()):
        servers = draw(st.dictionaries(st.text(max_size=3), VALUES, max_size=2))
        data["mcpServers"] = servers | ({"minirag": draw(VALUES)} if draw(st.booleans()) else {})
    return draw(TRIVIA) + _laid_out(draw, data) + draw(TRIVIA)


def _laid_out(draw: st.DrawFn, value: object) -> str:
    if not isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=draw(st.booleans()))
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}{draw(TRIVIA)}:{draw(TRIVIA)}{_laid_out(draw, one)}" for key, one in value.items()]
    else:
        parts = [_laid_out(draw, one) for one in value]
    inner = ",".join(f"{draw(TRIVIA)}{part}{draw(TRIVIA)}" for part in parts)
    with_comma: bool = draw(st.booleans())
    trailing = f",{draw(TRIVIA)}" if parts and with_comma else draw(TRIVIA)
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}{inner}{trailing}{closing}"


def data(text: str) -> dict[str, object]:
    value = jsonc.parse(text).value
    assert isinstance(value, dict)
    return value


def others(value: dict[str, object]) -> dict[str, object]:
    """All but our entry, and but an empty table of servers."""
    servers = value.get("mcpServers")
    assert servers is None or isinstance(servers, dict)
    kept = {name: one for name, one in (servers or {}).items() if name != "minirag"}
    return {name: one for name, one in value.items() if name != "mcpServers"} | ({"mcpServers": kept} if kept else {})


@given(VALUES, st.integers(min_value=0, max_value=4) | st.none())
def test_plain_json_is_read_as_the_standard_library_reads_it(value: object, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    assert json.dumps(plain(jsonc.parse(text).value)) == json.dumps(json.loads(text))


def plain(value: object) -> object:
    if isinstance(value, Number):
        return json.loads(value.text)
    if isinstance(value, list):
        return [plain(one) for one in value]
    return {key: plain(one) for key, one in value.items()} if isinstance(value, dict) else value


@given(documents())
def test_an_entry_goes_in_and_out_of_any_document_and_nothing_else_changes(text: str) -> None:
    before = data(text)
    with_entry = jsonc.put(text, PATH, ENTRY)
    after = data(with_entry)
    servers = after["mcpServers"]
    assert isinstance(servers, dict)
    assert servers["minirag"] == ENTRY
    assert others(after) == others(before)
    without = jsonc.take(with_entry, PATH)
    assert "minirag" not in str(data(without).get("mcpServers", "")) or "minirag" in str(others(before))
    assert others(data(without)) == others(before)


@given(documents())
def test_no_other_byte_changes(text: str) -> None:
    marked = jsonc.put(text, PATH, ENTRY)
    node = next(m for m in jsonc.parse(marked).members if m.key == "mcpServers").node
    member = next(m for m in node.members if m.key == "minirag")
    rest = marked[: member.start] + marked[member.node.end :]
    left = iter(rest)
    old = jsonc.parse(text)
    servers = next((m.node for m in old.members if m.key == "mcpServers"), None)
    ours = next((m for m in servers.members if m.key == "minirag"), None) if servers else None
    kept = text if ours is None else text[: ours.start] + text[ours.node.end :]
    assert all(character in left for character in kept), "what was there stands there, in the same order"


@pytest.mark.parametrize("text", LAYOUTS)
def test_a_new_entry_is_laid_out_like_the_rest(text: str) -> None:
    assert jsonc.put(text, PATH, 1) == LAYOUTS[text]


IN_AND_OUT = [
    '{\n  "mcpServers": {\n    "b": {}, // keep\n  },\n}\n',
    '{\n  "mcpServers": {\n    "b": {} // keep\n  }\n}\n',
    '{\n  "mcpServers": {\n    "b": {}\n  }\n}\n',
    '{\r\n\t"mcpServers": {\r\n\t\t"b": {}, /* keep */\r\n\t},\r\n}\r\n',
    '{"mcpServers": {"b": {},}}',
]


@pytest.mark.parametrize("text", IN_AND_OUT)
def test_an_entry_that_comes_and_goes_leaves_the_file_as_it_was(text: str) -> None:
    assert jsonc.take(jsonc.put(text, PATH, ENTRY), PATH) == text


@pytest.mark.parametrize("text", REMOVALS)
def test_removing_leaves_the_comments_of_others(text: str) -> None:
    expected = REMOVALS[text]
    if expected is None:
        with pytest.raises(JsonProblem, match="a holds no JSON object"):
            jsonc.take(text, ("a", "x"))
    else:
        assert jsonc.take(text, ("a", "x")) == expected


@pytest.mark.parametrize("text", INVALID, ids=lambda text: text[:20])
def test_what_is_no_json_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(JsonProblem) as caught:
        jsonc.parse(text)
    assert INVALID[text] in str(caught.value)


def test_a_key_that_is_there_twice_is_refused() -> None:
    with pytest.raises(JsonProblem, match="the key 'mcpServers' is there 2 times"):
        jsonc.put('{"mcpServers": {}, "mcpServers": {"a": 1}}', PATH, ENTRY)


def test_numbers_of_any_size_stay_as_they_are() -> None:
    text = '{"a": 1e999, "b": ' + "9" * 5000 + "}"
    assert jsonc.take(jsonc.put(text, PATH, ENTRY), PATH).startswith(text[:-1])


@given(st.text(alphabet='{}[]",:/* \n\\0a-', max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(JsonProblem):
        jsonc.parse(text)
