"""Retrieval quality on sets of questions with judged documents."""
