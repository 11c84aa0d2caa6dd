"""How documents are cut, measured."""
