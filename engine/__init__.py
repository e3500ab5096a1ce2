"""The rules: the table, the one fold, the machine that asks and answers, and a folder for each game."""
