-- means(filters): the win rate over everything filtered, which shrunk estimates lean on: a deck's where the filters
-- choose one deck, else the game's. Draws are left out.
-- Grain: one row a game (of the list of games). Unit: a game seen from one seat. Definition version: m1.
create macro means(f) as table
with decided as (select game, w = 1 as won from filtered(f) where w <> 0.5),
sums as (select game, count(*) filter (won) / count(*) as mean from decided group by game)
select * from sums;
