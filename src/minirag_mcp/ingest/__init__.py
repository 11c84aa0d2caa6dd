"""What changed? From the disk to the index."""
