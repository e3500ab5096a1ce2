-- first_player: win rate of the player who goes first. Draws are left out and counted. Shrunk to 1/2.
-- Grain: one row a game (of the list of games). Unit: game. Definition version: m2.
with sums as (
    select game, coalesce(sum(n) filter (w <> 0.5), 0)::bigint as games, coalesce(sum(n) filter (w = 1), 0)::bigint as won,
        coalesce(sum(n) filter (w = 0.5), 0)::bigint as draws
    from filtered($filters) where first group by game
),
rates as (select *, won / nullif(games, 0) as rate from sums),
told as (
    select game, games, draws, rate, wilson_low(rate, games) as low, wilson_high(rate, games) as high,
        shrunk(rate, games, 0.5) as shrunk, thin(wilson_low(rate, games), wilson_high(rate, games)) as thin
    from rates
)
select * from told order by game
