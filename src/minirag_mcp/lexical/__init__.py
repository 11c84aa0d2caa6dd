"""Which words are in it? Text to terms; pure."""
