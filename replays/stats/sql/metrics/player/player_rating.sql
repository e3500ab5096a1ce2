-- player_rating: how strong each player is, in Elo points around 0, by the Bradley-Terry model with draws as half a win.
-- Grain: one row a game (of the list of games) and pair of players that met; the model is fitted to these rows.
-- Unit: game. Definition version: m2. Players without a name, and games of one against himself, are left out.
with met as (
    select distinct sat.game, cell, least(sat.player, other.player) as one, greatest(sat.player, other.player) as other,
        if(sat.player < other.player, sat.w, 1 - sat.w) as w, sat.n
    from filtered($filters) as sat join sides as other using (cell)
    where sat.seat <> other.seat and sat.player <> other.player and sat.player <> '' and other.player <> ''
),
told as (select game, one, other, sum(n)::bigint as games, sum(n * w) as won from met group by game, one, other)
select * from told order by game, one, other
