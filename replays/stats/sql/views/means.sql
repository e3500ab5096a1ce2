-- means(filters): the win rate over everything filtered, which shrunk estimates lean on: a deck's where the filters
-- choose one deck, else the game's. Draws are left out.
-- Grain: one row a game (of the list of games). Unit: a game seen from one seat. Definition version: m2.
create macro means(f) as table
with sums as (
    select game, sum(n) filter (w = 1) as won, sum(n) as games from filtered(f) where w <> 0.5 group by game
),
told as (select game, coalesce(won, 0) / games as mean from sums)
select * from told;
