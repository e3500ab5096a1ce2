-- player_rating: how strong each player is, in Elo points around 0, by the Bradley-Terry model with draws as half a win.
-- Grain: one row a game (of the list of games) and pair of players that met; the model is fitted to these rows.
-- Unit: game. Definition version: m2. Players without a name, and games of one against himself, are left out.
with met as (
    select distinct game, cell, if(seat = 0, player, against_player) as one, if(seat = 0, against_player, player) as other,
        if(seat = 0, w, 1 - w) as w, games
    from (select side, cell, seat, game, w from filtered($filters)) join player_sums using (side)
    where player <> against_player and player <> '' and against_player <> ''
),
sums as (
    select game, least(one, other) as one, greatest(one, other) as other, games, if(one < other, w, 1 - w) as w from met
),
told as (select game, one, other, sum(games)::bigint as games, sum(games * w) as won from sums group by game, one, other)
select * from told order by game, one, other
