"""Tests of what the compiler says about wrong content."""
