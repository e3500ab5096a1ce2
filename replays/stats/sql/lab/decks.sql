-- decks: what the change does to the win rate of each deck, in points of the result (a draw is ½).
-- Grain: one row a deck. Unit: a game seen from one seat. Definition version: m2.
-- Games of a deck against itself say nothing of it and are left out. `narrower`: how much wider the interval would be
-- from as many games that are not the same.
with counted as (select * from pairs where deck is not null and deck <> against),
results as (select game, deck, paired(w, changed_w) as result from counted group by game, deck),
told as (select game, deck, result.* from results)
select * from told order by difference desc, deck
