-- residuals(filters, detail): by how much a result is above the mean of the deck (r): in the same matchup and seat (who
-- goes first) where there are at least 30 such games, else of the deck. Draws are half a win. Without a known deck: none.
-- Grain: one row a side. Unit: a game seen from one seat. Definition version: m2.
create macro residuals(f, wanted) as table
with sat as (
    select side, cell, seat, game, deck, coalesce(against, '') as against, first, w, n
    from fitting(f, wanted) where deck is not null
),
met as (select game, deck, against, first, sum(n) as games, sum(n * w) / sum(n) as mean from sat group by all),
decks as (select game, deck, sum(n * w) / sum(n) as mean from sat group by game, deck),
told as (
    select side, cell, seat, sat.game, sat.deck, n, w - if(met.games >= 30, met.mean, decks.mean) as r
    from sat join met using (game, deck, against, first) join decks using (game, deck)
)
select * from told;
