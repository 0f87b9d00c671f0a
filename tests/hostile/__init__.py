"""Files that mean harm: a diagnostic in bounded time and memory, never a traceback."""
