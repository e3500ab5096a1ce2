"""Many games counted."""
