"""How is it asked? Translation only."""
