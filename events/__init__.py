"""What a log may say, how it is written down and how it is read back. Knows no rule and no game."""
