"""Makes the graph of the bundled embedding model."""
