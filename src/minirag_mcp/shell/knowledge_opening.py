"""Opens the Library of rag-mcp from its own variables."""

from collections.abc import Mapping

from minirag_mcp.config import Settings
from minirag_mcp.shell.knowledge_settings import Given, knowledge_settings
from minirag_mcp.shell.opening import Opener


class KnowledgeOpener(Opener):
    """As `Opener`, by the options and variables of rag-mcp."""

    def __init__(self, given: Given | None = None, *, environment: Mapping[str, str]) -> None:
        super().__init__(environment=environment)
        self._given = given or Given()

    def settings(self) -> Settings:
        """The settings in force. Raises ConfigError."""
        return knowledge_settings(self._given, self._environment)
