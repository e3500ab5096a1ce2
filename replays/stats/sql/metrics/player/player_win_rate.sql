-- player_win_rate: win rate of each player, by name.
-- Grain: one row a game (of the list of games) and player. Unit: a game seen from one seat. Definition version: m2.
-- Draws are left out and counted. Players without a name are left out. Who plays against himself wins and loses.
with sums as (
    select game, player, coalesce(sum(games) filter (w <> 0.5), 0)::bigint as games,
        coalesce(sum(games) filter (w = 1), 0)::bigint as won, coalesce(sum(games) filter (w = 0.5), 0)::bigint as draws
    from (select side, game, w from filtered($filters)) join player_sums using (side)
    where player <> '' group by game, player
),
rates as (select *, won / nullif(games, 0) as rate from sums),
told as (
    select game, player, games, draws, rate, wilson_low(rate, games) as low, wilson_high(rate, games) as high,
        shrunk(rate, games, mean) as shrunk, thin(wilson_low(rate, games), wilson_high(rate, games)) as thin
    from rates left join means($filters) using (game)
)
select * from told order by game, shrunk desc nulls last, player
