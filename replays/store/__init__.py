"""Games kept: the library, importing, sharing, notes."""
