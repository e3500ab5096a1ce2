-- play_rate: of the copies that came to the hand (opening, drawn, fetched), the share that was played from it.
-- Grain: one row a game (of the list of games) and card. Unit: a game seen from one seat. Definition version: m2.
-- By games: of the games with such a copy, those in which one was played. Draws count. Shrunk to the mean of all
-- cards filtered.
with sums as (
    select game, code, sum(all_held)::bigint as copies, sum(held_played)::bigint as played,
        sum(all_held_2)::bigint as k2, sum(all_held_played)::bigint as xk, sum(held_played_2)::bigint as x2,
        sum(all_held_n)::bigint as games, sum(held_played_n)::bigint as games_played
    from (select side, game from filtered($filters)) join card_sums using (side) group by game, code
),
prior as (
    select game, sum(played) / nullif(sum(copies), 0) as mean, sum(games_played) / nullif(sum(games), 0) as mean_by_games
    from sums group by game
),
rates as (select *, played / nullif(copies, 0) as p, games_played / nullif(games, 0) as q from sums join prior using (game)),
counted as (select *, effective(p, copies, k2, x2 - 2 * p * xk + p ^ 2 * k2) as n from rates),
told as (
    select game, code, copies, games,
        p as rate, wilson_low(p, n) as low, wilson_high(p, n) as high, shrunk(p, n, mean) as shrunk,
        thin(wilson_low(p, n), wilson_high(p, n)) as thin,
        q as rate_by_games, wilson_low(q, games) as low_by_games, wilson_high(q, games) as high_by_games,
        shrunk(q, games, mean_by_games) as shrunk_by_games,
        thin(wilson_low(q, games), wilson_high(q, games)) as thin_by_games,
        n as effective_games
    from counted
)
select * from told order by game, shrunk desc nulls last, code
