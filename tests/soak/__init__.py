"""The long versions of the tests: `make soak`. Nothing here runs in the suite but its own test."""
