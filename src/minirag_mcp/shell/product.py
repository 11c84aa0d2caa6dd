"""What the product calls itself and promises, to people and to protocols."""

NAME = "minirag-mcp"
DESCRIPTION = "Hybrid search over your own documents, with exact citations, on this machine."
TITLE = "minirag: search your documents"

DEFAULT_TOP_K = 8
"""Passages that a query gives unless told otherwise, by either shell."""

MOST_NEIGHBORS = 50
"""Chunks on either side that a terminal may ask for; the engine allows no more."""

CLIENTS = ("claude-code", "claude-desktop", "cursor", "codex", "vscode", "gemini")
"""The clients whose configuration `connect` knows."""
