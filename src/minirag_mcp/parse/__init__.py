"""What does this file say? Bytes to Document."""
