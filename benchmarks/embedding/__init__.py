"""What the bundled embedding model costs and is worth, beside other graphs of the same weights."""
