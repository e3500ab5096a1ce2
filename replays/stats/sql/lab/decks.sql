-- decks: what the change does to the win rate of each deck, in points of the result (a draw is ½).
-- Grain: one row a deck. Unit: a game seen from one seat. Definition version: m2.
-- Games of a deck against itself say nothing of it and are left out. `narrower`: how much wider the interval would be
-- from as many games that are not the same.
with counted as (select * from pairs where deck is not null and deck <> against),
sums as (
    select game, deck, count(*) as games, avg(w) as printed, avg(changed_w) as changed,
        var_pop(w) + var_pop(changed_w) as variances,
        sum(changed_w - w) as s, sum((changed_w - w) ^ 2) as ss
    from counted group by game, deck
),
told as (
    select game, deck, games, printed, changed, s / games as difference,
        paired_low(games, s, ss) as low, paired_high(games, s, ss) as high,
        unpaired_half(variances, games) / paired_half(games, s, ss) as narrower
    from sums
)
select * from told order by difference desc, deck
