-- deck_labels: what the logs call each deck.
-- Grain: one row a game (of the list of games) and deck. Unit: deck. Definition version: m2.
select game, deck, deck_name as name from decks
