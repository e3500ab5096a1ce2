-- lengths: how long games are, in turns: the share that ends in turn T, and the share that has ended by it.
-- Grain: one row a game (of the list of games) and number of turns. Unit: game. Definition version: m2.
with ended as (select distinct game, cell, turns, reason, games from (select side, cell, game from filtered($filters)) join end_sums using (side)),
sums as (select game, turns, sum(games)::bigint as games from ended group by game, turns),
running as (
    select *, sum(games) over (partition by game)::bigint as all_games,
        sum(games) over (partition by game order by turns)::bigint as games_by
    from sums
),
shares as (select *, games / all_games as rate, games_by / all_games as rate_by from running),
told as (
    select game, turns, games, games_by, all_games,
        rate, wilson_low(rate, all_games) as low, wilson_high(rate, all_games) as high,
        thin(wilson_low(rate, all_games), wilson_high(rate, all_games)) as thin,
        rate_by, wilson_low(rate_by, all_games) as low_by, wilson_high(rate_by, all_games) as high_by,
        thin(wilson_low(rate_by, all_games), wilson_high(rate_by, all_games)) as thin_by
    from shares
)
select * from told order by game, turns
