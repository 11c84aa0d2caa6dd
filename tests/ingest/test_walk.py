import os
import socket
from pathlib import Path

import pytest

from minirag_mcp.errors import OutsideRootsError, RequestError, UnsupportedFormatError
from minirag_mcp.ingest.guard import Roots
from minirag_mcp.ingest.walk import Walked, walk
from minirag_mcp.parse.registry import SUFFIXES


def walked(*roots: Path, start: Path | None = None, skip: Path | None = None) -> Walked:
    return walk(Roots(roots), SUFFIXES, start, skip or roots[0] / ".minirag" / "index")


def names(found: Walked, base: Path) -> list[str]:
    return [os.path.relpath(file.path, base) for file in found.files]


def write(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(path.name)


def test_supported_files_are_listed_in_order_of_path_with_their_size(tmp_path: Path) -> None:
    write(tmp_path / "b.md", tmp_path / "a" / "z.TXT", tmp_path / "a" / "c.pdf", tmp_path / "image.png")
    found = walked(tmp_path)
    assert names(found, tmp_path) == ["a/c.pdf", "a/z.TXT", "b.md"]
    assert [file.stat.size for file in found.files] == [5, 5, 4]
    assert found.unlisted == ()


def test_hidden_names_and_office_owner_files_are_left_out(tmp_path: Path) -> None:
    write(tmp_path / ".hidden.md", tmp_path / ".git" / "x.md", tmp_path / "~$plan.docx", tmp_path / "~plan.docx")
    assert names(walked(tmp_path), tmp_path) == ["~plan.docx"]


def test_the_index_folder_is_never_walked(tmp_path: Path) -> None:
    write(tmp_path / "a.md", tmp_path / "store" / "note.md", tmp_path / "store-2" / "b.md")
    (tmp_path / "to-store").symlink_to(tmp_path / "store")
    (tmp_path / "note.md").symlink_to(tmp_path / "store" / "note.md")
    assert names(walked(tmp_path, skip=tmp_path / "store"), tmp_path) == ["a.md", "store-2/b.md"]


def test_the_index_folder_is_not_walked_when_it_is_named(tmp_path: Path) -> None:
    write(tmp_path / "store" / "note.md")
    for start in (tmp_path / "store", tmp_path / "store" / "note.md"):
        with pytest.raises(RequestError, match="index"):
            walked(tmp_path, start=start, skip=tmp_path / "store")


def test_links_that_stay_inside_are_listed_under_their_own_name(tmp_path: Path) -> None:
    write(tmp_path / "a.md", tmp_path / "v2" / "guide.md")
    (tmp_path / "alias.md").symlink_to("a.md")
    (tmp_path / "current").symlink_to("v2")
    assert names(walked(tmp_path), tmp_path) == ["a.md", "alias.md", "current/guide.md", "v2/guide.md"]


def test_links_that_lead_out_or_nowhere_are_skipped_silently(tmp_path: Path) -> None:
    root = tmp_path / "root"
    write(root / "a.md", tmp_path / "secret.md", tmp_path / "private" / "x.md")
    (root / "notes.md").symlink_to(tmp_path / "secret.md")
    (root / "private").symlink_to(tmp_path / "private")
    (root / "broken.md").symlink_to("nothing.md")
    (root / "self.md").symlink_to("self.md")
    found = walked(root)
    assert names(found, root) == ["a.md"]
    assert found.unlisted == ()


def test_a_link_is_judged_by_its_own_name(tmp_path: Path) -> None:
    write(tmp_path / "a.md", tmp_path / "raw.bin")
    (tmp_path / "raw.md").symlink_to("raw.bin")
    (tmp_path / "a.bin").symlink_to("a.md")
    assert names(walked(tmp_path), tmp_path) == ["a.md", "raw.md"]


def test_loops_of_links_end(tmp_path: Path) -> None:
    write(tmp_path / "a" / "x.md", tmp_path / "b" / "y.md")
    (tmp_path / "a" / "up").symlink_to("..")
    (tmp_path / "a" / "here").symlink_to(".")
    (tmp_path / "a" / "to-b").symlink_to("../b")
    (tmp_path / "b" / "to-a").symlink_to("../a")
    assert names(walked(tmp_path), tmp_path) == ["a/to-b/y.md", "a/x.md", "b/to-a/x.md", "b/y.md"]


def test_a_web_of_links_stays_small(tmp_path: Path) -> None:
    folders = [tmp_path / f"d{number}" for number in range(12)]
    for folder in folders:
        write(folder / "x.md")
    for folder in folders:
        for other in folders:
            (folder / f"to-{other.name}").symlink_to(other)
    assert len(walked(tmp_path).files) == 12 * 12


def test_overlapping_roots_give_each_file_once(tmp_path: Path) -> None:
    write(tmp_path / "docs" / "proj" / "a.md", tmp_path / "docs" / "b.md")
    (tmp_path / "alias").symlink_to(tmp_path / "docs" / "proj")
    found = walked(tmp_path / "docs" / "proj", tmp_path / "docs", tmp_path / "alias", tmp_path / "docs")
    assert names(found, tmp_path) == ["docs/b.md", "docs/proj/a.md"]


def test_a_hidden_folder_that_is_itself_a_root_is_walked(tmp_path: Path) -> None:
    write(tmp_path / "docs" / ".notes" / "a.md", tmp_path / "docs" / "b.md")
    found = walked(tmp_path / "docs", tmp_path / "docs" / ".notes")
    assert names(found, tmp_path) == ["docs/.notes/a.md", "docs/b.md"]


def test_a_missing_root_and_an_empty_one_are_reported_not_fatal(tmp_path: Path) -> None:
    write(tmp_path / "docs" / "a.md")
    (tmp_path / "empty").mkdir()
    found = walked(tmp_path / "docs", tmp_path / "missing", tmp_path / "empty")
    assert names(found, tmp_path) == ["docs/a.md"]
    assert found.unlisted == (str(tmp_path / "empty"), str(tmp_path / "missing"))


@pytest.mark.parametrize("index", [".minirag/index", "store", "data/rag/index"])
def test_a_root_that_holds_nothing_but_the_index_is_reported_as_an_empty_one(index: str, tmp_path: Path) -> None:
    write(tmp_path / index / "index.db")
    assert walked(tmp_path, skip=tmp_path / index).unlisted == (str(tmp_path),)


def test_documents_beside_an_index_below_are_listed(tmp_path: Path) -> None:
    write(tmp_path / "data" / "rag" / "index" / "index.db", tmp_path / "data" / "a.md")
    found = walked(tmp_path, skip=tmp_path / "data" / "rag" / "index")
    assert names(found, tmp_path) == ["data/a.md"]
    assert found.unlisted == ()


def test_a_root_with_a_link_to_where_the_index_lies_is_not_empty(tmp_path: Path) -> None:
    write(tmp_path / ".minirag" / "index" / "index.db")
    (tmp_path / "here").symlink_to(".")
    assert walked(tmp_path).unlisted == ()


def test_a_root_that_is_a_file_is_reported(tmp_path: Path) -> None:
    write(tmp_path / "a.md")
    assert walked(tmp_path / "a.md").unlisted == (str(tmp_path / "a.md"),)


def test_a_folder_too_deep_to_list_is_reported_not_fatal(tmp_path: Path) -> None:
    write(tmp_path / "a.md")
    here = os.open(tmp_path, os.O_RDONLY)
    name = "d" * 200
    for _ in range(25):  # 5,000 characters: more than any system call takes
        os.mkdir(name, dir_fd=here)
        above, here = here, os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(above)
    os.close(here)
    found = walked(tmp_path)
    assert names(found, tmp_path) == ["a.md"]
    assert len(found.unlisted) == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may list everything")
def test_a_denied_folder_is_reported_not_fatal(tmp_path: Path) -> None:
    write(tmp_path / "a.md", tmp_path / "denied" / "b.md")
    (tmp_path / "denied").chmod(0)
    try:
        assert walked(tmp_path).unlisted == (str(tmp_path / "denied"),)
    finally:
        (tmp_path / "denied").chmod(0o755)


def test_pipes_sockets_and_folders_with_document_names_are_no_documents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "folder.md" / "inner.md")
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "to-pipe.md").symlink_to("pipe.md")
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("plug.md")
        assert names(walked(tmp_path), tmp_path) == ["folder.md/inner.md"]


def test_names_that_are_no_text_survive(tmp_path: Path) -> None:
    raw = os.fsencode(tmp_path) + b"/\xff\xfe report.md"
    try:
        with open(raw, "wb") as file:  # noqa: PTH123 - a path of bytes
            file.write(b"x")
    except OSError:
        pytest.skip("this file system takes only text")
    (found,) = walked(tmp_path).files
    assert os.fsencode(found.path) == raw
    assert Roots([tmp_path]).read(Path(found.path), limit=10)[0] == b"x"


def test_a_start_folder_lists_only_what_lies_below(tmp_path: Path) -> None:
    write(tmp_path / "a.md", tmp_path / "sub" / "b.md", tmp_path / "sub" / "deep" / "c.md")
    assert names(walked(tmp_path, start=tmp_path / "sub"), tmp_path) == ["sub/b.md", "sub/deep/c.md"]


def test_a_start_file_lists_itself(tmp_path: Path) -> None:
    write(tmp_path / "a.md", tmp_path / "b.md")
    assert names(walked(tmp_path, start=tmp_path / "a.md"), tmp_path) == ["a.md"]


def test_a_start_that_is_gone_lists_nothing(tmp_path: Path) -> None:
    write(tmp_path / "a.md")
    assert walked(tmp_path, start=tmp_path / "gone") == Walked(files=())


def test_a_start_outside_or_of_no_supported_kind_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "root" / "image.png")
    with pytest.raises(OutsideRootsError):
        walked(tmp_path / "root", start=tmp_path)
    with pytest.raises(UnsupportedFormatError):
        walked(tmp_path / "root", start=tmp_path / "root" / "image.png")


def test_a_link_that_is_reached_by_an_alias_of_the_root_is_spelled_by_the_root(tmp_path: Path) -> None:
    write(tmp_path / "docs" / "sub" / "a.md")
    (tmp_path / "alias").symlink_to("docs")
    found = walked(tmp_path / "alias", start=tmp_path / "docs" / "sub")
    assert names(found, tmp_path) == ["alias/sub/a.md"]
