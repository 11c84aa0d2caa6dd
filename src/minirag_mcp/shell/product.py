"""What the product calls itself, to people and to protocols."""

NAME = "minirag-mcp"
TITLE = "minirag: search your documents"
