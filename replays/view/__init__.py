"""One game: stepping through it, telling it, verifying it."""
