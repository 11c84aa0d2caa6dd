"""Index the example documents, ask four questions, and show how to connect a client. Run by `make demo`."""

import json
import shlex
import shutil
import subprocess
import sys
import textwrap
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent
DOCUMENTS = HERE / "documents"
INDEX = REPOSITORY / ".demo" / "index"
PROGRAM = Path(sys.executable).with_name("minirag-mcp")

QUESTIONS = (
    ("By meaning", "how do I stop it from bursting in the cold"),
    ("By an exact code", "ERR_CONN_4012"),
    ("In Russian, about an English text", "Что такое кавитация?"),
    ("About one row of a table", "price of the bronze impeller IMP-200-B"),
)
SHOWN_CHARACTERS = 700


def run(*arguments: str) -> str:
    """Run the installed program on the example documents; print the command, return its output and the seconds."""
    command = [str(PROGRAM), *arguments, "--base-dir", str(DOCUMENTS), "--db-path", str(INDEX)]
    start = time.perf_counter()
    done = subprocess.run([*command, "--json"], check=False, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    seconds = time.perf_counter() - start
    print(f"\n$ {shlex.join(shortened(command))}    # {seconds:.2f} s")
    if done.returncode:
        print(done.stdout)
        sys.exit(f"`{' '.join(command)}` ended with {done.returncode}.")
    return done.stdout


def shortened(command: list[str]) -> list[str]:
    """The command as it can be typed in the repository's folder."""
    return [word.removeprefix(f"{REPOSITORY}/") for word in command]


def indented(text: str) -> str:
    """`text` behind a bar, cut to a readable length."""
    short = text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS].rstrip() + " …"
    return textwrap.indent(short, "  │ ", lambda _line: True)


def sync() -> None:
    """Bring the index in step with the example folder and print the counts."""
    counts = json.loads(run("sync"))["counts"]
    changed = counts["ingested"] or counts["deleted"] or counts["moved"]
    print(
        f"  {counts['scanned']} documents: {counts['ingested']} indexed, {counts['skipped']} unchanged."
        + ("" if changed else " Nothing has changed since the last run.")
    )


def ask(kind: str, question: str) -> None:
    """Print the best passage for `question`, the section around it, and where it stands."""
    answer = json.loads(run("query", question, "--top-k", "3"))
    best = answer["results"][0]
    print(f"  {kind}. The best passage:\n{indented(best['text'])}")
    section = answer["parents"].get(best["parentId"], "")
    if section.strip() != best["text"].strip():
        print(f"  Section around it:\n{indented(section)}")
    print(f"  Citation: {best['citation']['text']}")


def show_clients() -> None:
    """Print the configuration that connects the same program to an MCP client."""
    entry = {"command": str(PROGRAM), "env": {"BASE_DIR": str(DOCUMENTS), "DB_PATH": str(INDEX)}}
    connect = [str(PROGRAM), "connect", "cursor", "--base-dir", str(DOCUMENTS), "--db-path", str(INDEX)]
    print("\nTo ask these documents from Cursor:\n")
    print(f"  {shlex.join(shortened(connect))}")
    print("\nIt shows what it writes, asks first, and tries the server. For your own documents give their folder as")
    print("--base-dir and leave --db-path out: the index then lies in that folder. The other clients are claude-code,")
    print(
        "claude-desktop, codex, vscode and gemini. By hand, Cursor, Claude Desktop and Gemini CLI take this JSON (the"
    )
    print("README has the form that the others take):\n")
    print(textwrap.indent(json.dumps({"mcpServers": {"minirag": entry}}, indent=2, ensure_ascii=False), "  "))


def main() -> None:
    """Run the demonstration."""
    if not PROGRAM.exists() and shutil.which("minirag-mcp") is None:
        sys.exit("minirag-mcp is not installed here; run `make demo`.")
    names = sorted(path.name for path in DOCUMENTS.iterdir())
    print(f"{len(names)} example documents: {', '.join(names)}")
    sync()
    for kind, question in QUESTIONS:
        ask(kind, question)
    show_clients()


if __name__ == "__main__":
    main()
