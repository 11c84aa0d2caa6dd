"""One scenario over one folder, through every way in: the values must be the same."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.flows.page import served_page
from tests.flows.surfaces import NAMES, CommandLine, Ran, Shell, Surface, opened, settings
from tests.shell.client import REVISIONS, Json, served

from minirag_mcp.shell.remedies import for_models, for_people

PUMP = """# Pump manual

## Operation

Open the inlet valve before the motor starts. The seal runs dry otherwise.

## Faults

| code | meaning | remedy |
|---|---|---|
| E-4012 | no pressure | check the inlet valve |
| E-4013 | leak | replace the seal |

""" + "".join(
    f"## Appendix {number}\n\nPart {number} of the list of spare parts, with a drawing.\n\n" for number in range(1, 6)
)
CONTRACT = """Договор поставки

1. Предмет договора
Поставщик передаёт насосы в срок до 1 марта.

2. Ответственность
За просрочку поставки начисляется неустойка 0,1 % в день.
"""
PRICES = "item,price\nseal,12\nmotor,340\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("documents")
    (root / "manuals").mkdir()
    (root / "manuals" / "pump.md").write_text(PUMP, encoding="utf-8")
    (root / "contract.txt").write_text(CONTRACT, encoding="utf-8")
    (root / "prices.csv").write_text(PRICES, encoding="utf-8")
    (root / "broken.docx").write_bytes(b"not an archive")
    return root


@pytest.fixture(scope="module", params=NAMES)
def surface(
    request: pytest.FixtureRequest, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Surface]:
    """A surface whose index is filled."""
    with opened(request.param, folder, tmp_path_factory.mktemp("index")) as way_in:
        report = way_in.sync()
        counts = report["counts"]
        assert isinstance(counts, dict)
        assert (counts["scanned"], counts["ingested"], counts["failed"]) == (4, 3, 1)
        yield way_in


@pytest.fixture(scope="module")
def reference(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Surface]:
    """The Library, on an index of its own."""
    with opened("library", folder, tmp_path_factory.mktemp("index")) as library:
        library.sync()
        yield library


def rows(fields: Json, name: str) -> list[Json]:
    value = fields[name]
    assert isinstance(value, list)
    return value


def own_ids(fields: Json) -> Json:
    """Section ids number the sources as they were written, which is by time: here they are numbered as they come."""
    text = json.dumps(fields)
    for number, section in enumerate(dict.fromkeys(re.findall(r'"parentId": ("\d+:\d+")', text))):
        text = text.replace(section, f'"section {number}"')
    return dict(json.loads(text))


def test_a_second_sync_finds_nothing_to_do_but_the_failed_file(surface: Surface, reference: Surface) -> None:
    report = surface.sync()
    assert report == reference.sync()
    counts = report["counts"]
    assert isinstance(counts, dict)
    assert (counts["ingested"], counts["skipped"], counts["deleted"]) == (0, 3, 0)


@pytest.mark.parametrize("query", ["E-4013", "неустойка за просрочку поставки", "seal price", "open the inlet valve"])
def test_a_query_gives_the_same_answer(surface: Surface, reference: Surface, query: str) -> None:
    answer = surface.query(query, top_k=5)
    assert own_ids(answer) == own_ids(reference.query(query, top_k=5))
    assert 1 <= len(rows(answer, "results")) <= 5


def test_a_hit_is_cited_and_stands_in_its_section(surface: Surface, folder: Path) -> None:
    answer = surface.query("E-4013", top_k=1)
    (hit,) = rows(answer, "results")
    assert "E-4013" in str(hit["text"])
    assert hit["source"] == str(folder / "manuals" / "pump.md")
    assert str(hit["citation"]["text"]).startswith("manuals/pump.md")  # type: ignore[index]
    assert "replace the seal" in answer["parents"][hit["parentId"]]  # type: ignore[index]


def test_a_scope_narrows_the_answer(surface: Surface, reference: Surface) -> None:
    answer = surface.query("seal", scope=["manuals"])
    assert own_ids(answer) == own_ids(reference.query("seal", scope=["manuals"]))
    assert {hit["displayPath"] for hit in rows(answer, "results")} == {"manuals/pump.md"}
    both = surface.query("seal", scope=["manuals", "prices.csv"])
    assert {hit["displayPath"] for hit in rows(both, "results")} == {"manuals/pump.md", "prices.csv"}


def test_neighbors_and_documents_read_the_same(surface: Surface, reference: Surface, folder: Path) -> None:
    pump = folder / "manuals" / "pump.md"
    around = surface.neighbors(pump, 1)
    assert own_ids(around) == own_ids(reference.neighbors(pump, 1))
    assert [one["isTarget"] for one in rows(around, "chunks")].count(True) == 1
    whole = surface.read(pump)
    assert whole == reference.read(pump)
    assert whole["text"] == PUMP


def test_the_list_has_every_file_and_its_state(surface: Surface, reference: Surface) -> None:
    listed = surface.list_files()
    assert listed == reference.list_files()
    errors = {str(one["displayPath"]): one["error"] for one in rows(listed, "files") if one["error"] is not None}
    assert list(errors) == ["broken.docx"]
    assert "broken.docx" in str(errors["broken.docx"])
    assert {one["displayPath"]: one["state"] for one in rows(listed, "files")} == {
        "broken.docx": "failed",
        "contract.txt": "ingested",
        "manuals/pump.md": "ingested",
        "prices.csv": "ingested",
    }
    assert len(rows(surface.list_files(["manuals"]), "files")) == 1


@pytest.mark.parametrize("name", NAMES)
def test_a_file_deleted_from_the_index_can_be_ingested_again(name: str, folder: Path, tmp_path: Path) -> None:
    prices = folder / "prices.csv"
    with opened(name, folder, tmp_path) as surface:
        first = surface.ingest_file(prices)
        before = surface.list_files(["prices.csv"])
        gone = surface.delete(prices)
        assert gone == {"source": str(prices), "deletedChunks": first["chunkCount"]}
        assert [one["state"] for one in rows(surface.list_files(["prices.csv"]), "files")] == ["not_ingested"]
        assert surface.ingest_file(prices) == first
        assert surface.list_files(["prices.csv"]) == before
    assert prices.read_text(encoding="utf-8") == PRICES


def test_status_tells_the_same_but_for_the_folders_of_the_index(surface: Surface, reference: Surface) -> None:
    here, there = surface.status(), reference.status()
    own = {"dbPath": "", "cacheDir": ""}
    assert here | own == there | own
    assert here["sourceCount"] == 3


SCOPES = {
    "pump": ["manuals/pump.md"],
    "folder": ["manuals"],
    "two": ["manuals", "prices.csv"],
    "data": ["notes"],
    "page": ["http://127.0.0.1"],
    "nothing": ["nowhere"],
    "part of a name": ["man"],
}


@pytest.mark.parametrize("name", NAMES)
def test_text_and_pages_are_the_same_sources_as_files(name: str, folder: Path, tmp_path: Path) -> None:
    """What a client holds and what it names on the web: kept, found, read, listed and removed alike."""
    private = {"ALLOW_PRIVATE_URLS": "1"}
    with (
        served_page() as address,
        opened(name, folder, tmp_path / "here", **private) as surface,
        opened("library", folder, tmp_path / "there", **private) as library,
    ):
        kept = [
            (
                way.sync()["counts"],
                way.ingest_data("<h1>Minutes</h1><p>The pump moves.</p>", "notes/1", format="html"),
                way.ingest_data("Of the seal.", "notes/2", format="text", title="Seal"),
                way.ingest_url(address),
                way.ingest_url(address, source="notes/page", title="The page"),
            )
            for way in (surface, library)
        ]
        assert kept[0] == kept[1]
        assert kept[0][1] == {"source": "notes/1", "chunkCount": 1, "title": "Minutes"}
        for scope in (*SCOPES.values(), [str(folder / "manuals")], [address]):
            assert own_ids(surface.query("seal", scope=scope)) == own_ids(library.query("seal", scope=scope)), scope
            assert surface.list_files(scope) == library.list_files(scope), scope
        for source in ("notes/1", "notes/page", address, "manuals/pump.md"):
            assert surface.read(source) == library.read(source)
            assert own_ids(surface.neighbors(source, 0)) == own_ids(library.neighbors(source, 0))
            assert surface.delete(source) == library.delete(source)
        assert surface.list_files() == library.list_files()


REFUSALS: dict[str, tuple[str, Callable[[Surface, Path], Json]]] = {
    "a file that is not indexed": ("source_not_found", lambda way, folder: way.read(folder / "nowhere.md")),
    "a source that is not indexed": ("source_not_found", lambda way, _: way.read("notes/9")),
    "a file to remove that is not indexed": ("source_not_found", lambda way, folder: way.delete(folder / "nowhere.md")),
    "a chunk past the end": ("invalid_request", lambda way, folder: way.neighbors(folder / "prices.csv", 99)),
    "a file outside the roots": ("outside_roots", lambda way, folder: way.read(folder.parent / "elsewhere.md")),
    "a question without words": ("invalid_request", lambda way, _: way.query("  ")),
    "an address of another kind": ("url_refused", lambda way, _: way.ingest_url("file:///etc/passwd")),
    "a private address": ("url_refused", lambda way, _: way.ingest_url("http://127.0.0.1:9/")),
    "an id that is a file": (
        "invalid_request",
        lambda way, folder: way.ingest_data("x", str(folder / "prices.csv"), format="text"),
    ),
    "an empty text": ("invalid_request", lambda way, _: way.ingest_data("", "notes/1", format="text")),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_a_refusal_means_the_same_in_the_words_of_each_shell(
    case: str, surface: Surface, reference: Surface, folder: Path
) -> None:
    code, ask = REFUSALS[case]
    meant = reference.refusal(lambda way: ask(way, folder))
    said = surface.refusal(lambda way: ask(way, folder))
    message, remedy = str(meant["message"]), str(meant["remedy"])
    assert meant["code"] == code
    assert remedy
    if "text" in said:
        assert said["text"] == for_models(f"{message} {remedy}")
    else:
        assert said in (meant, {**meant, "message": for_people(message), "remedy": for_people(remedy)})


@pytest.fixture
def command_line(folder: Path, tmp_path: Path) -> CommandLine:
    """The command line on the folder, not yet indexed."""
    return CommandLine(folder, tmp_path)


def test_a_list_tells_a_person_why_a_file_failed(command_line: CommandLine) -> None:
    command_line.run("sync")
    (line,) = [line for line in command_line.run("list").stdout.splitlines() if "broken.docx" in line]
    assert line.startswith("failed    0  broken.docx  (The content is not a Word document")
    assert line.count("broken.docx") == 1


def test_a_run_with_a_failed_file_prints_everything_and_exits_with_1(command_line: CommandLine, folder: Path) -> None:
    for arguments, shown in (
        (["sync"], "3 ingested, 1 failed"),
        (["ingest", str(folder)], "3 sources indexed, 1 failed"),
    ):
        done = command_line.run(*arguments)
        assert done.returncode == 1
        assert shown in done.stdout
        assert done.stderr.startswith("warn: ")
        assert done.stderr.count("\n") == 1
        assert "broken.docx" in done.stderr


def test_paths_of_a_terminal_are_relative_to_where_it_stands(folder: Path, tmp_path: Path) -> None:
    inside = Shell(settings(folder, tmp_path), folder / "manuals")
    assert inside.run("ingest", ".").returncode == 0
    assert inside.run("read", "pump.md") == Ran(returncode=0, stdout=PUMP, stderr="")
    hit = inside.run("query", "seal", "--scope", ".", "--top-k", "1")
    assert hit.returncode == 0
    assert "manuals/pump.md" in hit.stdout
    assert inside.run("delete", "../manuals/pump.md").returncode == 0
    again = inside.run("read", "pump.md")
    assert again.returncode == 1
    assert again.stderr.startswith("error: ")


def test_a_path_as_displayed_will_do_where_no_such_file_is(folder: Path, tmp_path: Path) -> None:
    inside = Shell(settings(folder, tmp_path / "index"), folder / "manuals")
    assert inside.run("ingest", str(folder)).returncode == 1  # broken.docx
    assert inside.run("read", "manuals/pump.md") == Ran(returncode=0, stdout=PUMP, stderr="")
    around = inside.run("read-neighbors", "--file-path", "manuals/pump.md", "--chunk-index", "0")
    assert (around.returncode, around.stderr) == (0, "")
    assert inside.run("delete", "contract.txt").stdout.startswith(f"{folder / 'contract.txt'}: ")
    again = inside.run("delete", "contract.txt")
    assert (again.returncode, f"{folder / 'manuals' / 'contract.txt'} is not in the index" in again.stderr) == (1, True)


def test_a_missing_file_is_told_apart_from_those_indexed(command_line: CommandLine, folder: Path) -> None:
    paths = [str(folder / name) for name in ("prices.csv", "nowhere.md", "contract.txt")]
    done = command_line.run("ingest", *paths)
    assert done.returncode == 1
    assert "2 sources indexed, 1 failed" in done.stdout
    assert "nowhere.md" in done.stderr


def test_a_folder_outside_the_roots_is_refused(command_line: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    done = command_line.run("ingest", str(tmp_path / "elsewhere"))
    assert done.returncode == 1
    assert "elsewhere" in done.stderr


def test_every_command_reads_well_without_json(command_line: CommandLine, folder: Path) -> None:
    pump, prices = str(folder / "manuals" / "pump.md"), str(folder / "prices.csv")
    command_line.run("sync")
    shown = {
        "query": command_line.run("query", "E-4013", "--top-k", "1"),
        "read-neighbors": command_line.run("read-neighbors", "--file-path", pump, "--chunk-index", "1"),
        "read": command_line.run("read", pump),
        "list": command_line.run("list"),
        "status": command_line.run("status"),
        "delete": command_line.run("delete", prices),
    }
    assert {name: (done.returncode, done.stderr) for name, done in shown.items()} == dict.fromkeys(shown, (0, ""))
    assert shown["query"].stdout.startswith("1. Pump manual\n   manuals/pump.md · ")
    assert shown["query"].stdout.endswith("\n1 passage from 1 document\n")
    assert "> [1] manuals/pump.md" in shown["read-neighbors"].stdout
    assert shown["read"].stdout == PUMP
    assert "failed    0  broken.docx" in shown["list"].stdout
    assert f"roots           {folder}" in shown["status"].stdout
    assert "the disk is untouched" in shown["delete"].stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["query", " "],
        ["read", "--source", "nothing"],
        ["ingest-url", "file:///etc/passwd"],
        ["ingest-url", "http://127.0.0.1:9/"],
    ],
)
def test_a_request_that_cannot_be_answered_exits_with_1(command_line: CommandLine, arguments: list[str]) -> None:
    done = command_line.run(*arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    as_json = command_line.run(*arguments, "--json")
    assert (as_json.returncode, as_json.stderr) == (1, "")
    assert set(json.loads(as_json.stdout)["error"]) == {"code", "message", "remedy"}


def test_an_index_that_cannot_be_read_is_told_by_status_and_fails_the_rest(
    command_line: CommandLine, tmp_path: Path
) -> None:
    command_line.run("sync")
    for file in tmp_path.iterdir():
        if file.is_file():
            file.write_bytes(b"no index at all" * 1_000)
    status = command_line.run("status", "--json")
    assert status.returncode == 0
    assert "DB_PATH" in json.loads(status.stdout)["indexError"]
    assert "warn: " in command_line.run("status").stderr
    assert command_line.run("query", "seal").returncode == 1


@pytest.mark.parametrize("revision", REVISIONS)
def test_text_that_a_client_holds_can_be_kept_found_and_removed(revision: str, folder: Path, tmp_path: Path) -> None:
    with opened(revision, folder, tmp_path) as client:
        session = client.session  # type: ignore[attr-defined]
        kept = session.call("ingest_data", data="<h1>Minutes</h1><p>The pump moves.</p>", source="m/1", format="html")
        assert kept == {"source": "m/1", "chunkCount": 1, "title": "Minutes"}
        (hit,) = session.call("query_documents", query="pump moves", scope="m")["results"]
        assert (hit["source"], hit["sourceType"], hit["displayPath"]) == ("m/1", "data", "m/1")
        assert "The pump moves." in session.call("read_file", source="m/1")["text"]
        assert session.call("delete_file", source="m/1") == {"source": "m/1", "deletedChunks": 1}
        assert "list_files" in session.refusal("read_file", source="m/1")
        inside = str(folder / "contract.txt")
        assert session.refusal("ingest_data", data="x", source=inside, format="text")


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_client_that_leaves_during_a_sync_takes_the_server_along(revision: str, tmp_path: Path) -> None:
    root = tmp_path / "documents"
    root.mkdir()
    for number in range(1_500):
        (root / f"{number}.md").write_text(f"# Note {number}\n\n{PUMP}", encoding="utf-8")
    with opened(revision, root, tmp_path / "index") as client:
        session = client.session  # type: ignore[attr-defined]
        job = session.call("sync_start")
        assert job["state"] == "running"
        assert session.call("query_documents", query="seal")["results"] is not None
        assert session.close() < 2
        assert session.process.returncode == 0
    with served(revision, env=settings(root, tmp_path / "index"), cwd=root) as after:
        after.open()
        assert "job_not_found" not in after.refusal("sync_status", jobId=job["jobId"])
