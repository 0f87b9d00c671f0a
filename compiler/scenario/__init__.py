"""Tests that are content: scenario files read, played and judged."""
