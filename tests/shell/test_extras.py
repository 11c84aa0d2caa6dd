"""Resources, prompts, completions and progress, seen by the official client in this process."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.client.client import Client
from mcp.shared.dispatcher import ProgressFnT
from mcp.shared.exceptions import MCPError
from mcp_types import PromptReference, ResourceTemplateReference
from tests.shell.test_desk import MODES, desk, talk

from minirag_mcp.model import SourceKey
from minirag_mcp.shell import completions, mcp_server, prompts, resources, tools
from minirag_mcp.shell.brief import shortened
from minirag_mcp.shell.spelling import unspelled

modes = pytest.mark.parametrize("mode", MODES)
NOT_FOUND = {"legacy": -32002, "auto": -32602}
INVALID = -32602


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in {
        "pump.md": "# Pump\n\nThe seal leaks.\n",
        "winter/cold day.md": "# Frost\n\nDrain it.\n",
    }.items():
        path = tmp_path / "documents" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


async def indexed(client: Client, root: Path) -> None:
    for path in sorted((root / "documents").rglob("*.md")):
        await client.call_tool("ingest_file", {"filePath": str(path)})
    await client.call_tool("ingest_data", {"data": "Minutes of May.", "source": "notes/may", "format": "text"})


async def refused(request: Any, code: int, *, uri: str | None = None) -> str:
    with pytest.raises(MCPError) as caught:
        await request
    assert caught.value.error.code == code, caught.value.error
    assert caught.value.error.data == ({"uri": uri} if uri else None)
    return str(caught.value.error.message)


@modes
def test_what_is_indexed_is_listed_and_read_as_resources(mode: str, root: Path) -> None:
    async def work(client: Client) -> None:
        assert (await client.list_resources()).resources == []
        await indexed(client, root)
        listed = (await client.list_resources()).resources
        assert [(one.name, one.title, one.mime_type) for one in listed] == [
            ("pump.md", "Pump", "text/markdown"),
            ("winter/cold day.md", "Frost", "text/markdown"),
            ("notes/may", "notes/may", "text/markdown"),
        ]
        for one in listed:
            [content] = (await client.read_resource(str(one.uri))).contents
            tool = await client.call_tool("read_file", {"source": one.name})
            assert content.text == tool.structured_content["text"]  # type: ignore[union-attr]
            assert content.meta is not None
            assert content.meta["displayPath"] == one.name

    talk(desk(root), mode, work)


@modes
def test_a_document_is_read_by_any_of_its_names(mode: str, root: Path) -> None:
    path = root / "documents" / "winter" / "cold day.md"

    async def work(client: Client) -> None:
        await indexed(client, root)
        for name in (str(path), "winter/cold day.md"):
            read = await client.read_resource(f"minirag://document/{quote(name, safe='')}")
            assert read.contents[0].text.startswith("# Frost")  # type: ignore[union-attr]

    talk(desk(root), mode, work)


@modes
def test_the_section_of_a_result_is_a_resource_and_a_tool_away(mode: str, root: Path) -> None:
    async def work(client: Client) -> None:
        await indexed(client, root)
        found = (await client.call_tool("query_documents", {"query": "seal"})).structured_content
        name = found["results"][0]["parentId"]
        [content] = (await client.read_resource(f"minirag://section/{name}")).contents
        tool = (await client.call_tool("read_file", {"parentId": name})).structured_content
        assert content.text == tool["text"] == found["parents"][name]  # type: ignore[union-attr]
        assert content.meta is not None
        assert content.meta["citation"] == tool["citation"]
        assert tool["citation"]["displayPath"] == "pump.md"
        (root / "documents" / "pump.md").write_text("# Pump\n\nAnother seal.\n", encoding="utf-8")
        await client.call_tool("ingest_file", {"filePath": str(root / "documents" / "pump.md")})
        gone = await client.call_tool("read_file", {"parentId": name})
        assert gone.is_error
        assert "Search again" in gone.content[0].text  # type: ignore[union-attr]
        assert "Search again" in await refused(
            client.read_resource(f"minirag://section/{name}"), NOT_FOUND[mode], uri=f"minirag://section/{name}"
        )

    talk(desk(root), mode, work)


@modes
def test_a_long_document_comes_in_parts_that_join(mode: str, root: Path) -> None:
    text = "".join(f"Line {number} of many.\n\n" for number in range(6_000))
    (root / "documents" / "long.md").write_text(text, encoding="utf-8")

    async def work(client: Client) -> None:
        await indexed(client, root)
        parts: list[str] = []
        uri: str | None = "minirag://document/long.md"
        while uri is not None:
            contents = (await client.read_resource(uri)).contents
            parts.append(contents[0].text)  # type: ignore[union-attr]
            assert len(parts[-1]) <= 50_000
            uri = str(contents[1].uri) if len(contents) == 2 else None
        assert len(parts) == 3
        assert "".join(parts) == text

    talk(desk(root), mode, work)


@modes
def test_many_resources_come_in_pages(mode: str, root: Path) -> None:
    async def work(client: Client) -> None:
        for number in range(250):
            given = {"data": "x", "source": f"note/{number}", "format": "text"}
            await client.call_tool("ingest_data", given)
        names: list[str] = []
        cursor: str | None = None
        while True:
            page = await client.list_resources(cursor=cursor)
            names += [one.name for one in page.resources]
            cursor = page.next_cursor
            if cursor is None:
                break
        assert sorted(names) == sorted(f"note/{number}" for number in range(250))

    talk(desk(root), mode, work)


WRONG_ADDRESSES = [
    "minirag://document/",
    "minirag://document",
    "minirag://document/a/b",
    "minirag://other/a",
    "file:///etc/passwd",
    "minirag://document/%2Fetc%2Fpasswd",
    "minirag://document/..%2F..%2Fetc%2Fpasswd",
    "minirag://document/pump.md?offset=-1",
    "minirag://document/pump.md?offset=1000000",
    "minirag://document/pump.md?other=1",
    "minirag://section/1:99",
    "minirag://section/x",
    "minirag://[/x",
    "x" * 100_000,
]


@modes
@pytest.mark.parametrize("number", range(len(WRONG_ADDRESSES)))
def test_an_address_that_leads_nowhere_is_refused_in_few_words(mode: str, number: int, root: Path) -> None:
    async def work(client: Client) -> None:
        await indexed(client, root)
        uri = WRONG_ADDRESSES[number]
        said = await refused(client.read_resource(uri), NOT_FOUND[mode], uri=shortened(uri))
        assert 20 < len(said) < 500
        assert "root:" not in said

    talk(desk(root), mode, work)


@modes
def test_a_cursor_that_is_none_of_ours_is_refused(mode: str, root: Path) -> None:
    async def work(client: Client) -> None:
        for ask in (client.list_tools, client.list_prompts, client.list_resource_templates, client.list_resources):
            assert "cursor" in await refused(ask(cursor="no-cursor!"), INVALID)

    talk(desk(root), mode, work)


@modes
def test_a_wrong_setting_is_named_by_resources_and_completions_too(mode: str, root: Path) -> None:
    async def work(client: Client) -> None:
        assert "RAG_MAX_FILES" in await refused(client.list_resources(), -32603)
        prompt = PromptReference(name="summarize_document")
        assert "RAG_MAX_FILES" in await refused(client.complete(prompt, {"name": "source", "value": ""}), -32603)
        assert len((await client.list_prompts()).prompts) == len(prompts.PROMPTS)

    talk(desk(root, RAG_MAX_FILES="none"), mode, work)


ARGUMENTS = {
    "ask_documents": {"question": 'Why does it "leak"?', "scope": "winter"},
    "summarize_document": {"source": "pump.md", "focus": "costs"},
    "update_index": {},
}


@modes
def test_a_prompt_tells_a_model_what_to_do_with_what_the_person_said(mode: str, root: Path) -> None:
    async def work(client: Client) -> dict[str, str]:
        listed = (await client.list_prompts()).prompts
        assert {prompt.name for prompt in listed} == set(ARGUMENTS)
        assert all(prompt.title and prompt.description for prompt in listed)
        assert all(argument.description for prompt in listed for argument in prompt.arguments or [])
        texts = {}
        for name, arguments in ARGUMENTS.items():
            [message] = (await client.get_prompt(name, arguments)).messages
            assert message.role == "user"
            texts[name] = message.content.text  # type: ignore[union-attr]
        return texts

    texts = talk(desk(root), mode, work)
    assert 'scope="winter"' in texts["ask_documents"]
    assert r'query="Why does it \"leak\"?"' in texts["ask_documents"]
    assert 'source="pump.md"' in texts["summarize_document"]
    assert "costs" in texts["summarize_document"]
    for text in texts.values():
        assert any(name in text for name in tools.BY_NAME)
    for name in ("ask_documents", "summarize_document"):
        assert "is data" in texts[name]


@modes
def test_a_prompt_asked_for_wrongly_says_what_it_takes(mode: str, root: Path) -> None:
    async def work(client: Client) -> None:
        assert "no prompt 'nothing'" in await refused(client.get_prompt("nothing"), INVALID)
        assert "needs question" in await refused(client.get_prompt("ask_documents", {"question": " "}), INVALID)
        said = await refused(client.get_prompt("ask_documents", {"question": "x", "where": "y"}), INVALID)
        assert "does not know the argument 'where'; it takes question, scope" in said

    talk(desk(root), mode, work)


@modes
def test_sources_and_scopes_are_completed_from_what_is_indexed(mode: str, root: Path) -> None:
    ask = PromptReference(name="ask_documents")
    summarize = PromptReference(name="summarize_document")
    document = ResourceTemplateReference(uri=resources.DOCUMENT.uri)

    async def work(client: Client) -> None:
        await indexed(client, root)

        async def values(reference: Any, name: str, typed: str) -> list[str]:
            return (await client.complete(reference, {"name": name, "value": typed})).completion.values

        assert await values(summarize, "source", "") == ["notes/may", "pump.md", "winter/cold day.md"]
        assert await values(document, "source", "PUMP") == ["pump.md"]
        assert await values(ask, "scope", "w") == ["winter", "winter/cold day.md"]
        assert await values(ask, "question", "w") == []
        assert "no argument" in await refused(client.complete(ask, {"name": "other", "value": ""}), INVALID)
        other = ResourceTemplateReference(uri="file:///{path}")
        assert "no argument" in await refused(client.complete(other, {"name": "path", "value": ""}), INVALID)

    talk(desk(root), mode, work)


def test_at_most_a_hundred_completions_are_sent_and_all_are_counted(root: Path) -> None:
    async def work(client: Client) -> None:
        for number in range(120):
            await client.call_tool("ingest_data", {"data": "x", "source": f"n{number}", "format": "text"})
        found = await client.complete(PromptReference(name="summarize_document"), {"name": "source", "value": "n"})
        assert (len(found.completion.values), found.completion.total, found.completion.has_more) == (100, 120, True)

    talk(desk(root), "auto", work)


@given(st.lists(st.text("ab/.", min_size=1, max_size=8), max_size=8), st.text("abA/", max_size=3))
def test_completions_hold_what_was_typed_and_scopes_hold_every_source(names: list[str], typed: str) -> None:
    found = completions.scopes(names, typed)
    assert all(typed.casefold() in name.casefold() for name in found)
    assert len(found) == len(set(found))
    assert set(completions.sources(names, typed)) <= set(found)


def test_a_scope_above_a_page_ends_at_its_host() -> None:
    assert completions.scopes(["https://example.com/a/b"], "") == [
        "https://example.com",
        "https://example.com/a",
        "https://example.com/a/b",
    ]


@given(st.text(min_size=1))
def test_every_name_of_a_source_has_an_address_that_leads_back(name: str) -> None:
    kind, back, offset = resources._parts(resources.address(SourceKey(name), offset=7))
    assert (kind, unspelled(back), offset) == ("document", name, 7)


@modes
def test_a_long_ingest_tells_how_far_it_is(mode: str, root: Path) -> None:
    text = "".join(f"# Part {number}\n\n{'Some words of part ' * 30}{number}.\n\n" for number in range(600))
    heard: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total, message))

    async def work(client: Client) -> None:
        given = {"data": text, "source": "long", "format": "markdown"}
        answer = await client.call_tool("ingest_data", given, progress_callback=hear)
        assert not answer.is_error
        while heard[-1:] != [(1.0, 1.0, "done")]:
            await anyio.lowlevel.checkpoint()

    talk(desk(root), mode, work)
    values = [value for value, _, _ in heard]
    assert values == sorted(set(values))
    assert all(0 <= value < 1 for value in values[:-1])
    assert {total for _, total, _ in heard} == {1.0}
    assert heard[0][2] == "reading long"
    assert "passages embedded: long" in str(heard[-2][2])


@modes
def test_the_progress_of_a_short_ingest_ends_with_all_of_it_and_that_of_a_failed_one_does_not(
    mode: str, root: Path
) -> None:
    heard: dict[str, list[float]] = {"short": [], "bad": []}

    def listener(name: str) -> ProgressFnT:
        async def hear(progress: float, total: float | None, message: str | None) -> None:
            assert (total, bool(message)) == (1.0, True)
            heard[name].append(progress)

        return hear

    async def work(client: Client) -> None:
        for name, text in (("bad", " "), ("short", "One sentence.")):
            given = {"data": text, "source": name, "format": "text"}
            answer = await client.call_tool("ingest_data", given, progress_callback=listener(name))
            assert answer.is_error is (name == "bad")
        while heard["short"][-1:] != [1.0]:
            await anyio.lowlevel.checkpoint()

    talk(desk(root), mode, work)
    assert heard["short"] == sorted(set(heard["short"]))
    assert 1.0 not in heard["bad"]


def test_the_user_can_add_to_the_instructions(root: Path) -> None:
    async def work(client: Client) -> str:
        return str(client.instructions)

    said = talk(desk(root, RAG_INSTRUCTIONS_APPEND="The folder holds manuals of pumps."), "auto", work)
    assert said == mcp_server.instructions("The folder holds manuals of pumps.")
    assert talk(desk(root, RAG_INSTRUCTIONS_APPEND="x" * 501), "auto", work) == mcp_server.instructions()
