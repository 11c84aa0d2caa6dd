"""Refuse modules over 400 lines and functions over 50: size is a budget."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

MODULE_LINES = 400
FUNCTION_LINES = 50


def oversized(path: Path) -> Iterator[str]:
    """Yield one line for each thing in `path` that is over its budget."""
    source = path.read_text(encoding="utf-8")
    length = source.count("\n")
    if length > MODULE_LINES:
        yield f"{path}: {length} lines, {MODULE_LINES} allowed"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LINES:
                yield f"{path}:{node.lineno}: {node.name} has {lines} lines, {FUNCTION_LINES} allowed"


def main(folders: list[str]) -> int:
    """Check every Python file under `folders`; print what is over, return 1 if anything is."""
    files = sorted(path for folder in folders for path in Path(folder).rglob("*.py"))
    problems = [problem for path in files for problem in oversized(path)]
    sys.stdout.writelines(f"{problem}\n" for problem in problems)
    sys.stdout.write(f"{len(files)} files within their size budgets\n" if not problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
