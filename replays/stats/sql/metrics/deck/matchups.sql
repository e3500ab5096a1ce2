-- matchups: how each deck fares against each other one; a draw is half a win for both, a mirror match is 1/2.
-- Grain: one row a game (of the list of games), deck and opposing deck. Unit: game. Definition version: m2.
-- Two rows of one pair add up to 1, and so do their shrunk estimates: these lean on 1/2 + (mean of the deck - mean of
-- the other) / 2. A filter by player kind is asked of both players. `field_rate` is the deck's mean over its opponents, each
-- weighing as often as it is played; of the intervals of its cells the squares are added.
with fitting as (
    select * from filtered($filters)
    where deck is not null and against is not null
        and ($filters['player_kind'] is null or list_contains($filters['player_kind'], against_player_kind))
),
played as (select game, deck, sum(n * w) / sum(n) as mean, sum(n) as seats from fitting group by game, deck),
met as (
    select game, deck, against, cell, any_value(n) as n, avg(w) as w, bool_and(w = 0.5) as drawn
    from fitting group by game, deck, against, cell
),
sums as (
    select game, deck, against, sum(n)::bigint as games, coalesce(sum(n) filter (drawn), 0)::bigint as draws,
        sum(n * w) / sum(n) as rate
    from met group by game, deck, against
),
leaning as (
    select sums.*, 0.5 + (one.mean - coalesce(other.mean, 0.5)) / 2 as mean, coalesce(other.seats, 0) as weight
    from sums
        join played as one on one.game = sums.game and one.deck = sums.deck
        left join played as other on other.game = sums.game and other.deck = sums.against
),
fields as (
    select game, deck, sum(weight * rate) / nullif(sum(weight), 0) as field,
        sqrt(sum(weight ^ 2 * if(deck = against, 0, wilson_half(rate, games) ^ 2))) / nullif(sum(weight), 0) as half
    from leaning group by game, deck
),
told as (
    select game, deck, against, games, draws, rate,
        wilson_low(rate, games) as low, wilson_high(rate, games) as high, shrunk(rate, games, mean) as shrunk,
        thin(wilson_low(rate, games), wilson_high(rate, games)) as thin,
        field as field_rate, if(half > 0, greatest(field - half, 0), null) as field_rate_low,
        if(half > 0, least(field + half, 1), null) as field_rate_high
    from leaning join fields using (game, deck)
)
select * from told order by game, deck, against
