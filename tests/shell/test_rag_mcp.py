"""rag-mcp as a program: its server with one tool, and its command line; the tool in the main server."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest
from tests.measuring import unmeasured
from tests.shell.client import REVISIONS, Json, Session, environment, served

from minirag_mcp.shell.knowledge_tool import TOOL

RAG_MCP = (sys.executable, "-m", "minirag_mcp.shell.knowledge")


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    docs = tmp_path_factory.mktemp("corpus")
    (docs / "pump.md").write_text("# Pump\n\n## Errors\n\nE42: the inlet valve is blocked.\n", "utf-8")
    (docs / "handoff-2026-09-03.md").write_text("# Monday\n\nE42 waits for the valve.\n", "utf-8")
    return docs


@pytest.fixture(scope="module")
def index(docs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    index = tmp_path_factory.mktemp("work") / "index"
    assert answer_of(rag("ingest", docs, "--db", index))["ok"] is True
    return index


def rag(*arguments: object, **settings: str) -> "subprocess.CompletedProcess[str]":
    command = [*RAG_MCP, *map(str, arguments)]
    return subprocess.run(
        command, env=environment(**settings), capture_output=True, encoding="utf-8", timeout=100, check=False
    )


def answer_of(ran: "subprocess.CompletedProcess[str]", *, code: int = 0) -> Json:
    assert ran.returncode == code, ran
    assert ran.stderr == "", ran.stderr
    fields = json.loads(ran.stdout)
    assert isinstance(fields, dict)
    return fields


def error_of(fields: Json) -> Json:
    error = fields["error"]
    assert fields["ok"] is False
    assert isinstance(error, dict)
    return error


def server_settings(docs: Path, index: Path) -> dict[str, str]:
    return {"RAG_MCP_CORPUS_ROOT": str(docs), "RAG_MCP_DB_PATH": str(index)}


def structured(result: Json) -> Json:
    """The structured answer, equal to the text, of the shape that the tool declares, and marked when it is an error."""
    fields = result["structuredContent"]
    assert isinstance(fields, dict)
    content = result["content"]
    assert isinstance(content, list)
    assert content[0]["text"] == json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    jsonschema.validate(fields, TOOL.output, jsonschema.Draft202012Validator)
    assert bool(result.get("isError")) is not fields["ok"]
    return fields


@pytest.mark.parametrize("revision", REVISIONS)
def test_the_server_has_one_tool_and_answers_in_either_revision(revision: str, docs: Path, index: Path) -> None:
    env = environment(**server_settings(docs, index))
    with served(revision, env=env, cwd=docs.parent, command=RAG_MCP) as client:
        client.open()
        listed = client.request("tools/list")["tools"]
        assert isinstance(listed, list)
        assert [tool["name"] for tool in listed] == ["search_knowledge"]
        found = structured(client.ask("search_knowledge", query="inlet valve blocked", k=1))
        assert (found["k"], found["count"]) == (1, 1)
        check_errors(client)
        assert "Unknown tool" in str(client.ask("query_documents", query="x"))


@pytest.mark.parametrize("revision", REVISIONS)
def test_the_main_server_has_the_same_tool(revision: str, docs: Path, index: Path) -> None:
    env = environment(BASE_DIR=str(docs), DB_PATH=str(index))
    with served(revision, env=env, cwd=docs.parent) as client:
        client.open()
        found = structured(client.ask("search_knowledge", query="E42", doc_class="handoff"))
        assert "handoff-2026-09-03.md" in json.dumps(found["results"])
        assert "pump.md" not in json.dumps(found["results"])
        check_errors(client)


def check_errors(client: Session) -> None:
    expected: dict[str, tuple[Json, ...]] = {
        "invalid_query": ({"query": ""}, {"query": 7}, {}, {"query": "x" * 10_001}),
        "invalid_doc_class": ({"query": "x", "doc_class": "Note"}, {"query": "x", "doc_class": 1}),
        "invalid_k": ({"query": "x", "k": "many"},),
        "invalid_argument": ({"query": "x", "top_k": 3},),
    }
    for kind, calls in expected.items():
        for arguments in calls:
            fields = structured(client.ask("search_knowledge", **arguments))
            assert (error_of(fields)["type"], fields["results"]) == (kind, [])
    assert structured(client.ask("search_knowledge", query="E42", k=500))["k"] == 20


def test_a_server_without_a_corpus_starts_and_says_what_is_missing(docs: Path) -> None:
    with served(REVISIONS[0], env=environment(), cwd=docs.parent, command=RAG_MCP) as client:
        client.open()
        error = error_of(structured(client.ask("search_knowledge", query="E42")))
        assert error["type"] == "not_configured"
        assert "RAG_MCP_CORPUS_ROOT" in str(error["message"])


def test_a_server_over_nothing_says_how_to_begin(docs: Path, tmp_path: Path) -> None:
    env = environment(**server_settings(docs, tmp_path / "none"))
    with served(REVISIONS[0], env=env, cwd=docs.parent, command=RAG_MCP) as client:
        client.open()
        error = error_of(structured(client.ask("search_knowledge", query="E42")))
        assert error["type"] == "empty_store"
        assert "`rag-mcp ingest`" in str(error["message"])


def test_ingest_tells_what_it_did_and_the_next_run_is_cheap(docs: Path, tmp_path: Path) -> None:
    first = answer_of(rag("ingest", docs, "--db", tmp_path / "i"))
    assert (first["files_seen"], first["files_ingested"], first["incremental"]) == (2, 2, True)
    assert first["chunks_embedded"] == first["chunks"] == 2
    again = answer_of(rag("ingest", docs, "--db", tmp_path / "i"))
    assert (again["files_ingested"], again["files_unchanged"], again["chunks_embedded"]) == (0, 2, 0)


@pytest.mark.parametrize("how", ["--full", "--clean"])
def test_a_rebuild_does_everything_again_and_leaves_the_next_run_cheap(how: str, docs: Path, tmp_path: Path) -> None:
    answer_of(rag("ingest", docs, "--db", tmp_path / "i"))
    anew = answer_of(rag("ingest", docs, "--db", tmp_path / "i", how))
    assert (anew["files_ingested"], anew["chunks_embedded"], anew["incremental"]) == (2, 2, False)
    again = answer_of(rag("ingest", docs, "--db", tmp_path / "i"))
    assert (again["files_ingested"], again["chunks_embedded"]) == (0, 0)


def test_files_that_are_gone_renamed_or_shorter_are_pruned(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for name in ("gone", "old", "long", "stays"):
        text = f"# {name}\n\n" + "\n\n".join(f"## Part {n}\n\nquokka {name} {n}." for n in range(4))
        (docs / f"{name}.md").write_text(text, "utf-8")
    before = answer_of(rag("ingest", docs, "--db", tmp_path / "i"))
    (docs / "gone.md").unlink()
    (docs / "old.md").rename(docs / "new.md")
    (docs / "long.md").write_text("# long\n\n## Part 0\n\nquokka long 0.", "utf-8")
    after = answer_of(rag("ingest", docs, "--db", tmp_path / "i"))
    assert int(str(after["chunks"])) == int(str(before["chunks"])) - 4 - 3
    shown = json.dumps(answer_of(rag("query", "quokka", "--db", tmp_path / "i", "--corpus", docs, "-k", "20")))
    assert "gone.md" not in shown
    assert "old.md" not in shown
    assert "long 1." not in shown
    assert "new.md" in shown


@pytest.mark.skipif(find_spec("fastembed") is not None, reason="it would be downloaded")
def test_another_embedder_that_is_not_installed_is_told_and_changes_nothing(docs: Path, tmp_path: Path) -> None:
    answer_of(rag("ingest", docs, "--db", tmp_path / "i"))
    for name in ("minilm", "bge"):
        error = error_of(answer_of(rag("--embedder", name, "ingest", docs, "--db", tmp_path / "i"), code=1))
        assert error["type"] == "model_unavailable"
        assert "fastembed" in str(error["message"])
    error = error_of(answer_of(rag("ingest", docs, RAG_MCP_EMBEDDER="word2vec"), code=1))
    assert (error["type"], "minilm, bge" in str(error["message"])) == ("not_configured", True)
    assert answer_of(rag("ingest", docs, "--db", tmp_path / "i"))["files_ingested"] == 0


def test_a_damaged_index_is_set_aside_and_built_anew(docs: Path, tmp_path: Path) -> None:
    answer_of(rag("ingest", docs, "--db", tmp_path / "i"))
    file = tmp_path / "i" / "index.db"
    size = file.stat().st_size
    with file.open("r+b") as opened:
        opened.seek(100)
        opened.write(os.urandom(size - 100))
    damaged = file.read_bytes()
    ran = rag("ingest", docs, "--db", tmp_path / "i")
    assert ran.returncode == 0, ran
    told = json.loads(ran.stdout)
    assert (told["files_ingested"], told["incremental"]) == (2, False)
    assert "set aside" in told["rebuilt"]
    assert ran.stderr.startswith("warn: ")
    [aside] = (tmp_path / "i").glob("index.damaged-*.db")
    assert aside.read_bytes() == damaged
    assert answer_of(rag("query", "E42", "--db", tmp_path / "i", "--corpus", docs))["count"] == 2


def test_another_programs_database_is_left_alone(docs: Path, tmp_path: Path) -> None:
    import apsw

    (tmp_path / "i").mkdir()
    other = apsw.Connection(str(tmp_path / "i" / "index.db"))
    other.execute("CREATE TABLE theirs(x)")
    other.close()
    before = (tmp_path / "i" / "index.db").read_bytes()
    for how in ((), ("--clean",), ("--full",)):
        error = error_of(answer_of(rag("ingest", docs, "--db", tmp_path / "i", *how), code=1))
        assert error["type"] == "store_unreachable"
        assert (tmp_path / "i" / "index.db").read_bytes() == before


def test_collections_do_not_see_each_other(docs: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "quokka.md").write_text("# Quokka\n\nE42 is no marsupial.\n", "utf-8")
    answer_of(rag("ingest", docs, "--db", tmp_path / "i"))
    answer_of(rag("ingest", other, "--db", tmp_path / "i", "--collection", "animals"))
    default = answer_of(rag("query", "E42", "--db", tmp_path / "i", "--corpus", tmp_path))
    assert (default["count"], default["dropped_out_of_scope"]) == (0, 2)
    animals = answer_of(rag("query", "E42", "--db", tmp_path / "i", "--corpus", other, RAG_MCP_COLLECTION="animals"))
    assert "quokka.md" in json.dumps(animals)
    assert "pump.md" not in json.dumps(animals)
    for name in ("../up", "a/b", "", "-", "x" * 64):
        ran = rag("query", "E42", "--db", tmp_path / "i", "--corpus", other, f"--collection={name}")
        assert ran.returncode == (0 if name == "" else 1), name


def test_options_of_ingest_reach_the_labels_and_the_series(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    (docs / "sessions").mkdir(parents=True)
    (docs / "sessions" / "today.md").write_text("# Today\n\nThe quokka waits.\n", "utf-8")
    for day in (1, 2, 3):
        (docs / f"fleet-2026-07-0{day}.md").write_text("# Fleet\n\n## Red\n\nDrawdown.\n", "utf-8")
    mirror = ("--handoff-mirror-dir", "sessions", "--handoff-mirror-basename", "today.md")
    first = answer_of(rag("ingest", docs, "--db", tmp_path / "i", *mirror))
    assert first["chunks_deduped"] == 2
    query = ("query", "quokka", "--db", tmp_path / "i", "--corpus", docs, "--doc-class", "handoff")
    assert answer_of(rag(*query))["count"] == 1
    plain = answer_of(rag("ingest", docs, "--db", tmp_path / "i", "--no-snapshot-dedupe"))
    assert (plain["files_ingested"], plain["chunks_deduped"]) == (0, 0)
    assert answer_of(rag(*query))["count"] == 0
    for wrong in (("--handoff-mirror-dir", "a/b"), ("--handoff-mirror-dir", ""), ("--handoff-mirror-basename", "a/b")):
        assert (
            error_of(answer_of(rag("ingest", docs, "--db", tmp_path / "i", *wrong), code=1))["type"] == "not_configured"
        )


def test_a_file_that_fails_is_named_and_the_exit_code_says_so(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "fine.md").write_text("# Fine\n\nquokka\n", "utf-8")
    (tmp_path / "docs" / "bad.pdf").write_bytes(b"%PDF-1.7 nothing")
    fields = answer_of(rag("ingest", tmp_path / "docs", "--db", tmp_path / "i"), code=1)
    assert (fields["ok"], fields["files_ingested"], fields["files_failed"]) == (False, 1, 1)
    assert "bad.pdf" in json.dumps(fields["failures"])


@pytest.mark.parametrize(
    "arguments",
    [
        ["ingest"],
        ["query"],
        ["delete", "x"],
        ["ingest", "x", "--full", "--clean"],
        ["query", "x", "-k", "many"],
        ["--wrong"],
        ["query", "x", "--top-k", "3"],
    ],
)
def test_wrong_usage_ends_with_2_and_says_what_is_wrong(arguments: Sequence[str]) -> None:
    ran = rag(*arguments)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "error: " in ran.stderr


def test_a_corpus_that_does_not_exist_is_a_failure(tmp_path: Path) -> None:
    error = error_of(answer_of(rag("ingest", tmp_path / "none", "--db", tmp_path / "i"), code=1))
    assert error["type"] == "path_not_found"


def test_variables_of_the_other_program_name_nothing_here(docs: Path, index: Path, tmp_path: Path) -> None:
    other = {"BASE_DIR": str(tmp_path), "DB_PATH": str(tmp_path), "MODEL_NAME": "none/such", "BASE_DIRS": "nonsense"}
    assert answer_of(rag("query", "E42", **server_settings(docs, index), **other))["count"] == 2


def test_help_and_version_load_nothing_heavy() -> None:
    code = (
        "import sys\nfrom minirag_mcp.shell.knowledge import main\nsys.argv = ['rag-mcp', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(sorted(sys.modules), file=sys.stderr)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env=unmeasured(environment()),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    assert "rag-mcp ingest ~/docs" in ran.stdout
    loaded = set(json.loads(ran.stderr.replace("'", '"')))
    heavy = {"mcp", "numpy", "onnxruntime", "apsw", "lxml", "minirag_mcp.engine", "minirag_mcp.store.sqlite"}
    assert not loaded & heavy
    assert rag("--version").stdout.startswith("rag-mcp ")
