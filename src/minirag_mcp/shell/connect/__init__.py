"""Writes the entry that makes a client start this program, and tries it."""
