-- endings: how games end, the share of each reason.
-- Grain: one row a game (of the list of games) and reason. Unit: game. Definition version: m2.
with ended as (select distinct game, cell, turns, reason, games from (select side, cell, game from filtered($filters)) join end_sums using (side)),
sums as (select game, reason, sum(games)::bigint as games from ended group by game, reason),
shares as (select *, sum(games) over (partition by game)::bigint as all_games from sums),
told as (
    select game, reason, games, all_games, games / all_games as rate,
        wilson_low(games / all_games, all_games) as low, wilson_high(games / all_games, all_games) as high,
        thin(wilson_low(games / all_games, all_games), wilson_high(games / all_games, all_games)) as thin
    from shares
)
select * from told order by game, games desc, reason
