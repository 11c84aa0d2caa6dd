"""What a user may choose about indexing."""

from dataclasses import dataclass, field

from minirag_mcp.ingest.labels import LabelRules


@dataclass(frozen=True, slots=True, kw_only=True)
class WritingOptions:
    """How sources are labelled, and whether repeats in dated series are folded."""

    labels: LabelRules = field(default_factory=LabelRules)
    fold_series: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexOptions:
    """How sources are read, cut and written.

    budget         tokens of a chunk at most, context included
    max_file_size  bytes
    """

    budget: int
    max_file_size: int
    writing: WritingOptions = field(default_factory=WritingOptions)
