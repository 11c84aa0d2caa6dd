"""Local-first retrieval for AI assistants: hybrid search over your documents, with exact citations."""
