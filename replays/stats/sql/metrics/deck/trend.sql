-- trend: the win rate of each deck by day, by week (its Monday) and by version of card set.
-- Grain: one row a game (of the list of games), cut (`day`, `week` or `card_set`), period and deck.
-- Unit: a game seen from one seat. Definition version: m2. Draws are left out. Undated games are in no day and no week.
with sat as (select game, day, card_sets, deck, w, n from fitting($filters, least(coarsest($filters), 1)) where deck is not null and w <> 0.5),
parts as (
    select game, 'day' as cut, day::varchar as period, deck, w, n from sat where day is not null
    union all
    select game, 'week', date_trunc('week', day)::date::varchar, deck, w, n from sat where day is not null
    union all
    select game, 'card_set', unnest(card_sets), deck, w, n from sat
),
sums as (
    select game, cut, period, deck, sum(n)::bigint as games, coalesce(sum(n) filter (w = 1), 0)::bigint as won
    from parts group by game, cut, period, deck
),
told as (
    select game, cut, period, deck, games, won / games as rate,
        wilson_low(won / games, games) as low, wilson_high(won / games, games) as high,
        shrunk(won / games, games, mean) as shrunk,
        thin(wilson_low(won / games, games), wilson_high(won / games, games)) as thin
    from sums left join means($filters) using (game)
)
select * from told order by game, cut, period, deck
