"""Homes with clients' configurations in them, and the command that writes those."""

import json
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from tests.shell.client import environment


@dataclass(frozen=True, kw_only=True)
class Place:
    """A home folder with documents in it."""

    home: Path

    @property
    def docs(self) -> Path:
        return self.home / "docs"

    def connect(
        self, *arguments: str, answer: bytes | None = None, **variables: str
    ) -> "subprocess.CompletedProcess[bytes]":
        """Run it with BASE_DIR on the documents; an `answer` is no terminal."""
        env = environment(HOME=str(self.home), USERPROFILE=str(self.home))
        for name in ("XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "GEMINI_CLI_HOME", "VSCODE_APPDATA"):
            env.pop(name, None)
        settings = {"BASE_DIR": str(self.docs), "CACHE_DIR": str(self.home / "cache"), **variables}
        return subprocess.run(
            [sys.executable, "-m", "minirag_mcp", "connect", *arguments],
            env={**env, **settings},
            cwd=self.home,
            input=answer or b"",
            capture_output=True,
            timeout=60,
            check=False,
        )

    def file(self, name: str, content: str | bytes) -> Path:
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def files(self) -> set[str]:
        """All files outside the documents, the index and the cache."""
        inside = [path.relative_to(self.home) for path in self.home.rglob("*") if not path.is_dir()]
        return {path.as_posix() for path in inside if path.parts[0] not in ("docs", "cache")}


def entry_of(path: Path, key: str = "mcpServers", name: str = "minirag") -> dict[str, object]:
    text = path.read_text(encoding="utf-8")
    data = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    entry = data[key][name]
    assert isinstance(entry, dict)
    return entry
