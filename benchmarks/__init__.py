"""Measurements of the product, each run by a named command."""
