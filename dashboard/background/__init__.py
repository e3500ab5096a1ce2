"""Long work in the background: what it may be, the process that does it, and the jobs of a library. Knows no page."""
