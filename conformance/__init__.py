"""How the product fares with the protocol's own test suite, its inspector and independent graders."""
