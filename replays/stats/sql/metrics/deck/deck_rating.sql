-- deck_rating: how strong each deck is, in Elo points around 0, by the Bradley-Terry model with draws as half a win.
-- Grain: one row a game (of the list of games) and pair of decks that met; the model is fitted to these rows.
-- Unit: game. Definition version: m2. Mirror matches say nothing and are left out.
with met as (
    select distinct game, cell, least(deck, against) as one, greatest(deck, against) as other,
        if(deck < against, w, 1 - w) as w, n
    from filtered($filters) where deck <> against
),
told as (select game, one, other, sum(n)::bigint as games, sum(n * w) as won from met group by game, one, other)
select * from told order by game, one, other
