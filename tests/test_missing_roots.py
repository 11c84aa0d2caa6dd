"""A root that is not there is said to be missing by everything that would have used it, and nothing is made of it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from minirag_mcp.config import Flags, Settings, load_settings
from minirag_mcp.engine import Library
from minirag_mcp.errors import MissingPathError
from minirag_mcp.shell import calls, cli, tools
from minirag_mcp.shell.arguments import check
from tests.fakes.embedder import HashedEmbedder
from tests.flows.launch import open_library

SYNCS: list[Callable[[Library, Path], object]] = [
    lambda library, _: library.sync(),
    lambda library, _: library.start_sync(),
    lambda library, root: library.ingest_file(root / "a.md"),
]


def opened(*roots: Path, index: Path | None = None) -> Library:
    flags = Flags(base_dirs=tuple(map(str, roots)), db_path=str(index) if index else None)
    settings = load_settings(flags, {}, cwd=roots[0].parent, user_cache_dir=roots[0].parent / "cache")
    return Library(settings, embedder=HashedEmbedder())


@pytest.mark.parametrize("work", SYNCS)
def test_without_any_root_nothing_is_indexed_and_nothing_made(work: Callable[..., object], tmp_path: Path) -> None:
    typo, other = tmp_path / "dcos", tmp_path / "file.md"
    other.write_text("a file", "utf-8")
    for index in (None, tmp_path / "index"):
        with (
            opened(typo, other, index=index) as library,
            pytest.raises(MissingPathError, match=r"dcos, named by --base-dir, does not.*file\.md, .*is not a folder"),
        ):
            work(library, typo)
    assert list(tmp_path.iterdir()) == [other]


def test_the_setting_that_names_the_root_is_told(tmp_path: Path) -> None:
    for name, value in (("BASE_DIR", "dcos"), ("BASE_DIRS", '["dcos"]')):
        settings = load_settings(Flags(), {name: value}, cwd=tmp_path, user_cache_dir=tmp_path)
        with (
            Library(settings, embedder=HashedEmbedder()) as library,
            pytest.raises(MissingPathError, match=f"named by {name},"),
        ):
            library.sync()


def test_a_current_directory_that_went_is_not_blamed_on_a_setting(tmp_path: Path) -> None:
    settings = load_settings(Flags(), {}, cwd=tmp_path / "gone", user_cache_dir=tmp_path)
    with Library(settings, embedder=HashedEmbedder()) as library:
        with pytest.raises(MissingPathError, match="gone, the current directory, does not exist") as caught:
            library.sync()
        assert caught.value.remedy.startswith("Name the folders of your documents with --base-dir")


def test_one_root_of_several_may_be_missing_and_is_named(tmp_path: Path) -> None:
    here, gone = tmp_path / "here", tmp_path / "gone"
    here.mkdir()
    (here / "a.md").write_text("The seal leaks.", "utf-8")
    with opened(here, gone) as library:
        report = library.sync()
        assert (report.counts.ingested, report.unlisted) == (1, (str(gone),))
        answer = library.query("seal")
        assert len(answer.passages) == 1
        assert "gone, named by --base-dir, does not exist" in answer.notices[0]
        assert "gone, named by --base-dir, does not exist" in library.list_files().notices[0]
    assert not gone.exists()


def test_the_index_is_never_made_inside_a_root_that_is_missing(tmp_path: Path) -> None:
    here, gone = tmp_path / "here", tmp_path / "gone"
    here.mkdir()
    works: list[Callable[[Library], object]] = [
        Library.sync,
        Library.start_sync,
        lambda library: library.ingest_data("text", "note", format="text"),
    ]
    for work in works:
        with opened(gone, here) as library, pytest.raises(MissingPathError, match="The index would be made in it"):
            work(library)
    assert not gone.exists()


def test_text_can_be_kept_in_an_index_that_lies_elsewhere(tmp_path: Path) -> None:
    with opened(tmp_path / "gone", index=tmp_path / "index") as library:
        assert library.ingest_data("The seal leaks.", "note", format="text").chunk_count == 1
        assert len(library.query("seal").passages) == 1


def test_an_index_that_is_empty_because_its_root_is_missing_says_so_first(tmp_path: Path) -> None:
    with opened(tmp_path / "dcos") as library:
        for name, arguments in (("query_documents", {"query": "seal"}), ("list_files", {})):
            answer = calls.CALLS[name](library, check(tools.BY_NAME[name], arguments), calls.NOBODY)
            assert str(answer["notice"]).startswith(
                f"The document root {tmp_path / 'dcos'}, named by --base-dir, does not exist"
            ), name


def test_a_typo_on_the_command_line_is_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = [f"--base-dir={tmp_path / 'dcos'}"]
    assert cli.run(["sync", *flags], opening=open_library) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert f"error: The document root {tmp_path / 'dcos'}, named by --base-dir, does not exist" in shown.err
    assert cli.run(["sync", "--json", *flags], opening=open_library) == 1
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "path_not_found"
    for command in (["query", "seal"], ["list"]):
        assert cli.run([*command, *flags], opening=open_library) == 0
        assert capsys.readouterr().err.count("does not exist") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_sync_tells_why_a_root_was_not_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "a.md").write_text("text", "utf-8")
    (tmp_path / "bare").mkdir()
    roots = [f"--base-dir={tmp_path / name}" for name in ("here", "gone", "bare")]
    assert cli.run(["sync", *roots], opening=open_library) == 1
    shown = capsys.readouterr()
    assert "1 ingested" in shown.out
    assert f"warn: {tmp_path / 'gone'}: the folder does not exist" in shown.err
    assert f"warn: {tmp_path / 'bare'}: the folder is empty" in shown.err


def test_a_root_that_only_the_index_is_left_in_keeps_its_entries(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = tmp_path / "a.md"
    document.write_text("The seal leaks.", "utf-8")
    root = f"--base-dir={tmp_path}"
    assert cli.run(["sync", root], opening=open_library) == 0
    document.unlink()
    capsys.readouterr()
    told = f"warn: {tmp_path}: the folder is empty; what was indexed from it is kept"
    for command, code in (("sync", 1), ("list", 0)):
        assert cli.run([command, root], opening=open_library) == code
        assert told in capsys.readouterr().err, command
    assert cli.run(["query", "seal", root], opening=open_library) == 0
    assert "The seal leaks." in capsys.readouterr().out


def test_a_library_made_by_hand_names_the_usual_setting(tmp_path: Path) -> None:
    settings = Settings(roots=(tmp_path / "gone",), db_path=tmp_path / "index", cache_dir=tmp_path)
    with (
        Library(settings, embedder=HashedEmbedder()) as library,
        pytest.raises(MissingPathError, match="named by BASE_DIR,"),
    ):
        library.sync()
