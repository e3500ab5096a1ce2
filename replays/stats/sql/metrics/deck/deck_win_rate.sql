-- deck_win_rate: win rate of each deck. A deck is the digest of its list; the name is a label.
-- Grain: one row a game (of the list of games) and deck. Unit: a game seen from one seat. Definition version: m2.
-- Draws are left out and counted. Games whose deck list is not known are left out.
with sums as (
    select game, deck, coalesce(sum(n) filter (w <> 0.5), 0)::bigint as games,
        coalesce(sum(n) filter (w = 1), 0)::bigint as won, coalesce(sum(n) filter (w = 0.5), 0)::bigint as draws
    from filtered($filters) where deck is not null group by game, deck
),
rates as (
    select *, won / nullif(games, 0) as rate
    from sums left join means($filters) using (game)
),
told as (
    select game, deck, games, draws, rate, wilson_low(rate, games) as low, wilson_high(rate, games) as high,
        shrunk(rate, games, mean) as shrunk, thin(wilson_low(rate, games), wilson_high(rate, games)) as thin
    from rates
)
select * from told order by game, shrunk desc nulls last, deck
