"""Is everything in order? See ARCHITECTURE.md."""
