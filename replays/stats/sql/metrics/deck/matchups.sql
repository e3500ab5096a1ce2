-- matchups: how each deck fares against each other one; a draw is half a win for both, a mirror match is 1/2.
-- Grain: one row a game (of the list of games), deck and opposing deck. Unit: game. Definition version: m1.
-- Two rows of one pair add up to 1, and so do their shrunk estimates: these lean on 1/2 + (mean of the deck - mean of
-- the other) / 2. A filter by player kind is asked of both players.
with fitting as (
    select * from filtered($filters)
    where deck is not null and against is not null
        and ($filters['player_kind'] is null or list_contains($filters['player_kind'], against_player_kind))
),
means as (select game, deck, avg(w) as mean from fitting group by game, deck),
sums as (
    select game, deck, against, min(deck_name) as deck_name, min(against_name) as against_name,
        count(distinct g) as games, count(distinct g) filter (w = 0.5) as draws, sum(w) / count(*) as rate
    from fitting group by game, deck, against
),
leaning as (
    select sums.*, 0.5 + (one.mean - coalesce(other.mean, 0.5)) / 2 as mean
    from sums
        join means as one on one.game = sums.game and one.deck = sums.deck
        left join means as other on other.game = sums.game and other.deck = sums.against
),
told as (
    select game, deck, deck_name, against, against_name, games, draws, rate,
        wilson_low(rate, games) as low, wilson_high(rate, games) as high, shrunk(rate, games, mean) as shrunk,
        thin(wilson_low(rate, games), wilson_high(rate, games)) as thin
    from leaning
)
select * from told order by game, deck, against
