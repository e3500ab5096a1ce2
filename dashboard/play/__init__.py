"""Playing in the browser: games that this server runs, their secrets, what a browser gets, and its routes."""
