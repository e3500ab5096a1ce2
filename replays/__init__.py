"""Games that were played: kept, stepped through, told in words, checked, counted."""
