-- played_by_turn: in which turn a card is first played from the hand, and how the games went in which that was so.
-- Grain: one row a game (of the list of games), card and turn. Unit: a game seen from one seat. Definition version: m2.
-- Copies: played. `share` is of the games in which it was played. Draws are in it, left out of the win rate, and counted.
with sums as (
    select game, code, first_turn, sum(games)::bigint as played,
        coalesce(sum(games) filter (w <> 0.5), 0)::bigint as games,
        coalesce(sum(games) filter (w = 1), 0)::bigint as won, coalesce(sum(games) filter (w = 0.5), 0)::bigint as draws
    from (select side, game, w from filtered($filters)) join play_sums using (side) group by game, code, first_turn
),
rates as (
    select *, won / nullif(games, 0) as rate, sum(played) over (partition by game, code) as plays, played / plays as share
    from sums left join means($filters) using (game)
),
told as (
    select game, code, first_turn, games, draws, rate, wilson_low(rate, games) as low, wilson_high(rate, games) as high,
        shrunk(rate, games, mean) as shrunk, thin(wilson_low(rate, games), wilson_high(rate, games)) as thin,
        share, wilson_low(share, plays) as share_low, wilson_high(share, plays) as share_high
    from rates
)
select * from told order by game, code, first_turn
