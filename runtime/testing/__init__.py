"""What tests and scenarios do with a position that no player may: edit it, deal it again."""
