from pathlib import Path

import pytest
from tests.shell.connect.place import Place


@pytest.fixture
def place(tmp_path: Path) -> Place:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "pump.md").write_text("# Pump\n\nE42: the valve is blocked.\n", encoding="utf-8")
    return Place(home=tmp_path)
