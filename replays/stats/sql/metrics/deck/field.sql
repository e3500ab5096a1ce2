-- field: the share of the field that each deck has, by week (its Monday) and over all days.
-- Grain: one row a game (of the list of games), week and deck; the week is null for all days. Unit: a game seen from
-- one seat. Definition version: m2. Undated games are in no week, but in the rows of all days.
with sat as (
    select game, date_trunc('week', day)::date as week, deck, sum(n)::bigint as seats
    from fitting($filters, least(coarsest($filters), 1)) where deck is not null group by all
),
parts as (
    select game, week, deck, seats from sat where week is not null
    union all select game, null, deck, sum(seats)::bigint from sat group by game, deck
),
shares as (select *, sum(seats) over (partition by game, week)::bigint as all_seats from parts),
told as (
    select game, week, deck, seats as games, all_seats as all_games, seats / all_seats as rate,
        wilson_low(seats / all_seats, all_seats) as low, wilson_high(seats / all_seats, all_seats) as high,
        thin(wilson_low(seats / all_seats, all_seats), wilson_high(seats / all_seats, all_seats)) as thin
    from shares
)
select * from told order by game, week nulls first, rate desc, deck
