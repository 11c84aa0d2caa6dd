"""May we go there? URL to bytes, or a typed refusal."""
