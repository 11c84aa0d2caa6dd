"""What is read back is the document: whole, in parts, as sections around hits, and chunk by chunk."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.fakes.embedder import HashedEmbedder
from tests.flows.surfaces import CommandLine, opened
from tests.shell.client import REVISIONS, Json, Session

from minirag_mcp.config import Settings
from minirag_mcp.engine import MOST_NEIGHBORS, Library
from minirag_mcp.errors import RequestError
from minirag_mcp.parse.registry import parse
from minirag_mcp.shell import cli_parser

WRONG_USAGE = 2

EXAMPLES = Path(__file__).parents[2] / "examples" / "documents"
NAMES = sorted(path.name for path in EXAMPLES.iterdir())

HANDBOOK = (
    "---\ntitle: Handbook\n---\n# Handbook 🙂\n\n| code | meaning |\n|---|---|\n"
    + "".join(f"| E-{number:04} | fault number {number} of the pump 泵 |\n" for number in range(300))
    + "\n## Code\n\n```python\n"
    + "".join(f"x{number} = {number}\n\n" for number in range(80))
    + "```\n\n## End\n\nThe last words"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("read") / "documents"
    made.mkdir()
    for path in EXAMPLES.iterdir():
        (made / path.name).write_bytes(path.read_bytes())
    (made / "handbook.md").write_bytes(HANDBOOK.replace("\n", "\r\n").encode())
    return made


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("index")


@pytest.fixture(scope="module")
def library(folder: Path, index: Path) -> Iterator[Library]:
    configured = Settings(roots=(folder,), db_path=index, cache_dir=index / "models")
    with Library(configured, embedder=HashedEmbedder()) as made:
        made.sync()
        made.ingest_data("# Minutes\n\nThe pump moves.\n\nIt moves on.\n", "minutes/1", format="markdown")
        yield made


@pytest.fixture(scope="module")
def command_line(library: Library) -> CommandLine:
    return CommandLine(library.settings.roots[0], library.settings.db_path)


@pytest.fixture(scope="module", params=REVISIONS)
def session(request: pytest.FixtureRequest, library: Library) -> Iterator[Session]:
    with opened(request.param, library.settings.roots[0], library.settings.db_path) as client:
        yield client.session  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", [*NAMES, "handbook.md"])
def test_a_document_reads_back_as_it_was_parsed(library: Library, command_line: CommandLine, name: str) -> None:
    path = library.settings.roots[0] / name
    parsed = parse(path.read_bytes(), name=name, stem=path.stem)
    assert library.read(file_path=path).text == parsed.text
    assert command_line.run("read", str(path)).stdout == parsed.text


@pytest.mark.parametrize("name", [*NAMES, "handbook.md"])
def test_headings_and_table_headers_stand_once_and_fences_are_whole(library: Library, name: str) -> None:
    text = library.read(file_path=library.settings.roots[0] / name).text
    prose = re.sub(r"(?ms)^(`{3,})[^`\n]*\n.*?^\1$", "", text)
    assert "```" not in prose
    assert len(re.findall(r"(?m)^\|[ :|-]*-[ :|-]*\|$", prose)) == len(re.findall(r"(?m)^(?!\|).*\n\|", "\n" + prose))
    headings = re.findall(r"(?m)^#+ .*(?:\n+#+ .*)*", prose)
    assert all(len(set(run.split("\n"))) == len(run.split("\n")) or "\n\n" in run for run in headings)
    assert "split to fit" not in text


def test_what_the_tool_reads_page_by_page_is_the_document(session: Session, library: Library, folder: Path) -> None:
    for name in ["handbook.md", *NAMES]:
        whole = library.read(file_path=folder / name).text
        for limit in (None, max(1, len(whole) // 7)):
            assert "".join(pages(session, str(folder / name), limit)) == whole


def pages(session: Session, path: str, limit: int | None) -> Iterator[str]:
    following: object = 0
    while following is not None:
        page = session.call("read_file", filePath=path, offset=following, **({"limit": limit} if limit else {}))
        assert page["offset"] == following
        assert limit is None or len(str(page["text"])) <= limit
        assert ("notice" in page) == (page["nextOffset"] is not None)
        yield str(page["text"])
        following = page["nextOffset"]


@pytest.mark.parametrize("limit", [1_000, 3_333])
def test_what_the_terminal_reads_part_by_part_is_the_document(
    command_line: CommandLine, library: Library, folder: Path, limit: int
) -> None:
    path = folder / "handbook.md"
    whole = library.read(file_path=path).text
    parts, offset = [], 0
    while offset < len(whole):
        part = command_line.run("read", str(path), "--offset", str(offset), "--limit", str(limit))
        assert part.returncode == 0
        assert part.stdout
        parts.append(part.stdout)
        offset += len(part.stdout)
        told = f"warn: there is more of the document: read on with --offset {offset}\n"
        assert part.stderr == (told if offset < len(whole) else "")
    assert "".join(parts) == whole


def test_a_section_is_read_in_the_terminal_as_by_the_tool(
    command_line: CommandLine, session: Session, library: Library
) -> None:
    name = library.query("pump").passages[0].section_id
    run = command_line.run("read", "--parent-id", name, "--json")
    fields = json.loads(run.stdout)
    assert fields == session.call("read_file", parentId=name)
    assert command_line.run("read", "--parent-id", name).stdout == fields["text"]
    assert command_line.run("read", "--parent-id", "999:0").returncode == 1


def test_a_part_as_json_says_where_it_stands(command_line: CommandLine, library: Library, folder: Path) -> None:
    whole = library.read(file_path=folder / "handbook.md").text
    run = command_line.run("read", str(folder / "handbook.md"), "--offset", "10", "--limit", "20", "--json")
    fields = json.loads(run.stdout)
    assert fields["text"] == whole[10:30]
    assert (fields["offset"], fields["totalChars"], fields["nextOffset"]) == (10, len(whole), 30)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("--offset=41", "offset 41 lies outside the 41 characters there are."),
        ("--offset=99999999999", "offset 99999999999 lies outside the 41 characters there are."),
    ],
)
def test_a_part_that_is_not_there_is_refused_in_the_terminal(command_line: CommandLine, asked: str, said: str) -> None:
    run = command_line.run("read", "--source", "minutes/1", asked)
    assert (run.returncode, run.stdout) == (1, "")
    assert said in run.stderr


def test_a_part_that_is_not_there_is_refused_by_the_tool(session: Session, library: Library, folder: Path) -> None:
    path = str(folder / "handbook.md")
    total = len(library.read(file_path=Path(path)).text)
    said = f"offset {total} lies outside the {total:,} characters there are."
    assert said in session.refusal("read_file", filePath=path, offset=total)
    assert "`offset` is -1; it must be at least 0." in session.refusal("read_file", filePath=path, offset=-1)
    assert "`limit` is 0; it must be at least 1." in session.refusal("read_file", filePath=path, limit=0)
    assert "`limit` must be a whole number, not 1.5." in session.refusal("read_file", filePath=path, limit=1.5)


def test_sections_are_the_documents_own_text_and_come_once_each(library: Library) -> None:
    answer = library.query("pump fault number E-0150 valve", top_k=60)
    assert len(answer.passages) > len(answer.sections)
    assert {passage.section_id for passage in answer.passages} == set(answer.sections)
    by_section = {passage.section_id: passage for passage in answer.passages}
    for section, shown in answer.sections.items():
        source = by_section[section].source
        asked = {"source": source} if source == "minutes/1" else {"file_path": Path(source)}
        document = library.read(**asked).text
        own = re.sub(r"\A\|.*\n\|[ :|-]+\|\n(?=\|)", "", shown)
        assert shown in document or own in document
    for passage in answer.passages:
        last = passage.text.rsplit("\n", 1)[-1]
        assert last in answer.sections[passage.section_id]


@pytest.mark.parametrize("name", [*NAMES, "handbook.md"])
def test_neighbors_walk_through_the_whole_source_and_stay_inside(library: Library, folder: Path, name: str) -> None:
    path, index, walked = folder / name, 0, []
    while True:
        read = library.read_neighbors(index, file_path=path, before=0, after=3)
        assert read.at_start == (index == 0)
        assert {chunk.source for chunk in read.chunks} == {str(path)}
        walked += [chunk.ordinal for chunk in read.chunks]
        if read.at_end:
            break
        index = walked[-1] + 1
    assert walked == list(range(len(walked)))
    for ordinal in walked[:2] + walked[-2:]:
        alone = library.read_neighbors(ordinal, file_path=path, before=0, after=0)
        assert [chunk.ordinal for chunk in alone.chunks] == [ordinal]
        assert (alone.at_start, alone.at_end) == (ordinal == 0, ordinal == walked[-1])
    whole = library.read_neighbors(0, file_path=path, before=0, after=MOST_NEIGHBORS)
    assert whole.at_end == (len(walked) <= MOST_NEIGHBORS + 1)
    last = library.read_neighbors(walked[-1], file_path=path, before=MOST_NEIGHBORS, after=MOST_NEIGHBORS)
    assert (last.at_end, last.chunks[-1].ordinal) == (True, walked[-1])


def test_a_person_is_told_where_the_document_begins_and_ends(command_line: CommandLine, folder: Path) -> None:
    path = str(folder / "handbook.md")
    first = command_line.run("read-neighbors", "--file-path", path, "--chunk-index", "0").stdout
    assert "(beginning of the document)" in first
    assert "(end of the document)" not in first
    inside = command_line.run("read-neighbors", "--file-path", path, "--chunk-index", "5").stdout
    assert "of the document)" not in inside
    only = command_line.run("read-neighbors", "--source", "minutes/1", "--chunk-index", "0").stdout
    assert only.index("(beginning of the document)") < only.index("The pump moves.") < only.index("(end of the")


NONSENSE: list[tuple[Json, str]] = [
    ({"chunkIndex": -1}, "`chunkIndex` is -1; it must be at least 0."),
    ({"chunkIndex": 10**12}, f"There is no chunk {10**12} in minutes/1; its chunks are 0 to 0."),
    ({"chunkIndex": 1.5}, "`chunkIndex` must be a whole number, not 1.5."),
    ({"chunkIndex": "x"}, '`chunkIndex` must be a whole number, not "x".'),
    ({"chunkIndex": True}, "`chunkIndex` must be a whole number, not true."),
    ({}, "read_chunk_neighbors needs `chunkIndex`."),
    ({"chunkIndex": 0, "before": -1}, "`before` is -1; it must be at least 0."),
    ({"chunkIndex": 0, "after": 51}, "before is 1 and after is 51; each must be from 0 to 50."),
    ({"chunkIndex": 0, "filePath": "/x.md"}, "Give either filePath or source; both were given."),
    ({"chunkIndex": 0, "source": None}, "Give either filePath or source; neither was given."),
    ({"chunkIndex": 0, "source": "nowhere"}, "nowhere is not in the index."),
]


def test_who_names_nothing_to_read_is_told_of_every_way(session: Session) -> None:
    assert "Give either filePath or source or parentId; none was given." in session.refusal("read_file")
    assert "Give either filePath or source; neither was given." in session.refusal("delete_file")


@pytest.mark.parametrize(("given", "said"), NONSENSE)
def test_nonsense_about_neighbors_is_refused_by_the_tool(session: Session, given: Json, said: str) -> None:
    assert said in session.refusal("read_chunk_neighbors", **({"source": "minutes/1"} | given))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--source=minutes/1", "--chunk-index=9"], "There is no chunk 9 in minutes/1; its chunks are 0 to 0."),
        (["--source=nowhere", "--chunk-index=0"], "nowhere is not in the index."),
    ],
)
def test_nonsense_about_neighbors_is_refused_in_the_terminal(
    command_line: CommandLine, arguments: list[str], said: str
) -> None:
    run = command_line.run("read-neighbors", *arguments)
    assert (run.returncode, run.stdout) == (1, "")
    assert said in run.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--source=minutes/1", "--chunk-index=1.5"], "'1.5' is not a whole number"),
        (["--source=minutes/1", "--chunk-index=-1"], "--chunk-index: '-1' is not allowed; it must be at least 0"),
        (["--source=minutes/1", "--chunk-index=0", "--before", "-1"], "'-1' is not allowed; it must be from 0 to 50"),
        (["--source=minutes/1", "--chunk-index=0", "--after=51"], "'51' is not allowed; it must be from 0 to 50"),
        (["--source=minutes/1"], "required: --chunk-index"),
        (["--chunk-index=0"], "one of the arguments --file-path --source is required"),
        (["--source=minutes/1", "--file-path=x.md", "--chunk-index=0"], "not allowed with argument"),
    ],
)
def test_what_is_no_question_about_neighbors_is_wrong_usage(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli_parser.build().parse_args(["read-neighbors", *arguments])
    assert ended.value.code == WRONG_USAGE
    assert said in capsys.readouterr().err


def test_the_library_takes_one_name_of_one_source(library: Library, folder: Path) -> None:
    for asked in ({}, {"file_path": folder / "stock.csv", "source": "minutes/1"}):
        with pytest.raises(RequestError, match="either a file path or a source id"):
            library.read(**asked)  # type: ignore[arg-type]
        with pytest.raises(RequestError, match="either a file path or a source id"):
            library.read_neighbors(0, **asked)  # type: ignore[arg-type]
