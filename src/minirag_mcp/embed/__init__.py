"""What does it mean? Texts to unit vectors."""
