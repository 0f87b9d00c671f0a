"""What tests and scenarios do with a position that no player may: deal it again so that one seat sees the same."""
