"""The pages of the docs are followed as they are written."""
