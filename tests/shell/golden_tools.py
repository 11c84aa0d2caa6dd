"""The tools as clients see them, for people to check; `python -m tests.shell.golden_tools` writes the file anew."""

import json
from pathlib import Path

from minirag_mcp.shell import desk, tools

FILE = Path(__file__).parent.parent / "golden" / "tools.json"


def written_out() -> str:
    """Everything `tools/list` says of each tool, in the words of the protocol."""
    declared = [desk.declared(tool) for tool in tools.TOOLS]
    fields = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in declared]
    return json.dumps(fields, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(written_out(), encoding="utf-8")
