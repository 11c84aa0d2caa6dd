"""Dated series, folded and not."""
