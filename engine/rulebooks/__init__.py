"""What a rulebook gives to the engine, the list of rulebooks, and the three games."""
