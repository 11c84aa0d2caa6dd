"""Where may it be cut? Document to sections to chunks; pure."""
