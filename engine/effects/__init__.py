"""The effect language of cards."""
