"""Cards and decks as files, their definitions, linter and rules texts."""
