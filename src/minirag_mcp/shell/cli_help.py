"""What stands below the options in each subcommand's help: examples, variables, exit codes. Plain text, ASCII."""

_USAGE = {
    "ingest": "[OPTIONS] PATH...\n       minirag-mcp ingest [OPTIONS] - --source ID",
    "ingest-url": "[OPTIONS] URL",
    "sync": "[OPTIONS] [PATH]",
    "query": "[OPTIONS] TEXT...",
    "read-neighbors": "[OPTIONS] --file-path PATH --chunk-index N\n"
    "       minirag-mcp read-neighbors [OPTIONS] --source ID --chunk-index N",
    "read": "[OPTIONS] (PATH | --source ID | --parent-id ID)",
    "list": "[OPTIONS]",
    "status": "[OPTIONS]",
    "delete": "[OPTIONS] (PATH | --source ID)",
    "doctor": "[OPTIONS]",
    "connect": "[OPTIONS] CLIENT",
    "completion": "SHELL",
    "help": "[COMMAND]",
}

_EXAMPLES = {
    "ingest": [
        "minirag-mcp ingest ~/docs/manual.pdf ~/docs/letters --base-dir ~/docs",
        "pdftotext old.pdf - | minirag-mcp ingest - --source old-manual --title 'Old manual'",
    ],
    "ingest-url": ["minirag-mcp ingest-url https://example.com/release-notes --source release-notes"],
    "sync": ["minirag-mcp sync --base-dir ~/docs", "minirag-mcp sync ~/docs/manuals --base-dir ~/docs"],
    "query": [
        'minirag-mcp query "when must the seal be replaced" --top-k 5',
        "minirag-mcp query timeout --scope manuals --sections",
        "pbpaste | minirag-mcp query - --json",
    ],
    "read-neighbors": [
        "minirag-mcp read-neighbors --file-path manual.pdf --chunk-index 3 --before 2",
        "minirag-mcp read-neighbors --source release-notes --chunk-index 0",
    ],
    "read": [
        "minirag-mcp read ~/docs/notes.md --base-dir ~/docs",
        "minirag-mcp read --source release-notes --limit 2000",
    ],
    "list": ["minirag-mcp list --base-dir ~/docs", "minirag-mcp list --scope manuals --json"],
    "status": ["minirag-mcp status", "minirag-mcp status --json"],
    "doctor": ["minirag-mcp doctor --base-dir ~/docs"],
    "connect": ["minirag-mcp connect claude-code --base-dir ~/docs", "minirag-mcp connect cursor --dry-run"],
    "delete": ["minirag-mcp delete ~/docs/old-notes.md --base-dir ~/docs", "minirag-mcp delete --source release-notes"],
    "help": ["minirag-mcp help query"],
}

_CUTTING = (
    "MAX_FILE_SIZE, CHUNK_TOKEN_BUDGET\n"
    "  (give clients and terminals the same, or each cuts anew what the other indexed)"
)
_VARIABLES = {
    "ingest": _CUTTING,
    "ingest-url": f"ALLOW_PRIVATE_URLS, {_CUTTING}",
    "sync": _CUTTING,
    "query": "RAG_HYBRID_WEIGHT, RAG_GROUPING, RAG_MAX_DISTANCE,\n"
    "  RAG_MAX_FILES; for colours NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, CLICOLOR",
}
_SETTINGS_ONLY = "those of the settings above"

_DONE = {
    "ingest": "0 all indexed, 1 failed (also single files)",
    "sync": "0 in step, 1 failed (also single files)",
    "query": "0 also when nothing is found, 1 failed",
    "list": "0 also when nothing is listed, 1 failed",
    "doctor": "0 all is well, 1 something is broken",
    "connect": "0 written and tried, 1 failed",
    "status": "0 whatever is wrong, which it tells",
}
_COMPLETION = """\
Where the script goes:
  bash        mkdir -p ~/.local/share/bash-completion/completions
              minirag-mcp completion bash > ~/.local/share/bash-completion/completions/minirag-mcp
              (needs the package bash-completion; without it, put into ~/.bashrc:
              eval "$(minirag-mcp completion bash)")
  zsh         mkdir -p ~/.zfunc
              minirag-mcp completion zsh > ~/.zfunc/_minirag-mcp
              (~/.zshrc: fpath+=~/.zfunc; autoload -Uz compinit; compinit)
  fish        mkdir -p ~/.config/fish/completions
              minirag-mcp completion fish > ~/.config/fish/completions/minirag-mcp.fish
  powershell  minirag-mcp completion powershell >> $PROFILE

Commands, options and their values are completed, and what is indexed by its name.

Exit codes: 0 done, 1 failed, 2 wrong usage"""


def usage(name: str) -> str | None:
    """The usage line of a subcommand; None leaves it to the parser."""
    return f"minirag-mcp {name} {_USAGE[name]}" if name in _USAGE else None


def epilog(name: str) -> str:
    """What follows the options."""
    if name == "completion":
        return _COMPLETION
    parts = []
    if name in _EXAMPLES:
        parts.append("Examples:\n" + "\n".join(f"  {line}" for line in _EXAMPLES[name]))
    if name in _USAGE and name != "help":
        parts.append(f"Environment variables: {_VARIABLES.get(name, _SETTINGS_ONLY)}")
    parts.append(f"Exit codes: {_DONE.get(name, '0 done, 1 failed')}, 2 wrong usage, 130 interrupted")
    return "\n\n".join(parts)
