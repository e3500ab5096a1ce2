-- first_in_matchup: win rate of the player who goes first, by the decks of both. Draws are left out and counted.
-- Grain: one row a game (of the list of games), first player's deck and second player's. Unit: game.
-- Definition version: m2. Shrunk to the mean of all who go first.
with fitting as (
    select game, deck, against, w, n from filtered($filters) where first and deck is not null and against is not null
),
sums as (
    select game, deck, against, coalesce(sum(n) filter (w <> 0.5), 0)::bigint as games,
        coalesce(sum(n) filter (w = 1), 0)::bigint as won, coalesce(sum(n) filter (w = 0.5), 0)::bigint as draws
    from fitting group by game, deck, against
),
rates as (
    select *, won / nullif(games, 0) as rate, sum(won) over (partition by game) / nullif(sum(games) over (partition by game), 0) as mean
    from sums
),
told as (
    select game, deck, against, games, draws, rate,
        wilson_low(rate, games) as low, wilson_high(rate, games) as high, shrunk(rate, games, mean) as shrunk,
        thin(wilson_low(rate, games), wilson_high(rate, games)) as thin
    from rates
)
select * from told order by game, deck, against
