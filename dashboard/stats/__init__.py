"""What the pages of statistics share: tables of numbers, charts with their data, the games behind a number."""
