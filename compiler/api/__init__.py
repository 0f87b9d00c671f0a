"""What a program asks of a package by its path: thin callers of a workspace, one module a question."""
