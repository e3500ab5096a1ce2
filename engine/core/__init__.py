"""The rules engine's core: a match, its stack, triggers, values. No rulebook is known here."""
