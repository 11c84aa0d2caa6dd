"""Start the MCP server from a clone, for what starts a script and not a command: `.venv/bin/python run_server.py`."""

import sys

from minirag_mcp.__main__ import main

sys.exit(main())
