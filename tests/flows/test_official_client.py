"""The official SDK's client, in a process of its own, with the real server command, in both revisions."""

import json
import subprocess
import sys
from typing import Any

import pytest
from tests.flows.surfaces import REPOSITORY, settings
from tests.shell.client import HANDSHAKE, MODERN

from minirag_mcp.shell import tools

PUMP = (
    "# Pump manual\n\n## Faults\n\nE-4012: no pressure, check the inlet valve.\n\nE-4013: a leak, replace the seal.\n"
)


@pytest.fixture(scope="module", params=[("legacy", HANDSHAKE), ("auto", MODERN)], ids=[HANDSHAKE, MODERN])
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the client saw, and the revision it must have spoken."""
    mode, revision = request.param
    folder = tmp_path_factory.mktemp("documents")
    (folder / "pump.md").write_text(PUMP, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "tests.flows.official_client", mode, str(folder)],
        env=settings(folder, tmp_path_factory.mktemp("index")),
        cwd=REPOSITORY,
        capture_output=True,
        encoding="utf-8",
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    seen: dict[str, Any] = json.loads(done.stdout)
    return {**seen, "revision": revision}


def test_client_and_server_agree_on_the_revision(report: dict[str, Any]) -> None:
    assert (report["protocol"], report["server"]) == (report["revision"], "minirag-mcp")
    assert "query_documents" in report["instructions"]


def test_the_client_validates_the_answers_of_all_tools(report: dict[str, Any]) -> None:
    assert report["tools"] == [tool.name for tool in tools.TOOLS]
    assert report["validates"]


def test_a_folder_is_indexed_and_answers_with_a_citation(report: dict[str, Any]) -> None:
    scenario = report["scenario"]
    assert (scenario["first"]["state"], scenario["first"]["counts"]["ingested"]) == ("succeeded", 1)
    assert scenario["best"]["citation"]["text"].startswith("pump.md · Pump manual > Faults · lines ")
    assert "replace the seal" in report["answers"]["read_chunk_neighbors"]["text"]
    assert report["answers"]["read_file"]["structured"]["text"] == PUMP
    assert [file["state"] for file in report["answers"]["list_files"]["structured"]["files"]] == ["ingested"]


def test_text_is_kept_found_and_removed(report: dict[str, Any]) -> None:
    scenario = report["scenario"]
    assert [hit["source"] for hit in scenario["noted"]["results"]] == ["notes/1"]
    assert scenario["deleted"] == {"source": "notes/1", "deletedChunks": 1}
    assert report["answers"]["status"]["structured"]["sourceCount"] == 1


def test_every_answer_says_the_same_as_text_and_as_structure(report: dict[str, Any]) -> None:
    answers = report["answers"]
    assert set(answers) | {"ingest_url"} == set(tools.BY_NAME)
    assert [name for name, answer in answers.items() if answer["isError"] or answer["parts"] != 1] == []
    assert [name for name, answer in answers.items() if json.loads(answer["text"]) != answer["structured"]] == []


def test_a_refusal_says_what_to_do(report: dict[str, Any]) -> None:
    is_error, text = report["scenario"]["refused"]
    assert is_error
    assert "ALLOW_PRIVATE_URLS" in text


def test_calls_are_answered_side_by_side_while_a_sync_runs(report: dict[str, Any]) -> None:
    assert report["busy"] == {
        "before": "running",
        "answered": ["list_files False", "query_documents False"],
        "after": "running",
    }


def test_the_server_ends_by_itself_when_its_client_leaves_during_a_sync(report: dict[str, Any]) -> None:
    assert report["secondsToLeave"] < 2  # after two seconds the client would have killed it
