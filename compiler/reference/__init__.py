"""Pages of the docs that are made from the grammar and the registry of codes."""
