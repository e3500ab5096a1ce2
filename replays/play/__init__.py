"""Games played: people in the terminal, computer players by the thousand."""
