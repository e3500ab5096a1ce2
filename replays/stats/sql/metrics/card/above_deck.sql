-- above_deck: in-hand win rate (GIH WR) less the win rate that the decks of a card have, each weighing as many copies as
-- were seen in it: what is left when strong decks no longer make their cards look strong.
-- Grain: one row a game (of the list of games) and card. Unit: a game seen from one seat. Definition version: m2.
-- Draws are left out. With k copies in hand in a game, k' their mean over the deck's games and p its win rate, it is
-- Σ (k - k')(w - p) / Σk, so Var = Σ (k - k')²(w - p)² / (Σk)².
with sat as (select side, game, coalesce(deck, '') as deck, w, n from filtered($filters) where w <> 0.5),
decks as (
    select game, deck, sum(n) as played, sum(n) filter (w = 1) as won, coalesce(won, 0) / played as p
    from sat group by game, deck
),
held as (
    select game, code, deck, sum(held) as k, sum(held) filter (w = 1) as k_won, sum(held_2) as k2,
        sum(held_2) filter (w = 1) as k2_won, sum(held_n) as games
    from sat join (select side, code, held, held_2, held_n from card_sums) using (side) group by game, code, deck
),
parts as (
    select game, code, k, games, coalesce(k_won, 0) - p * k as above, k / played as mean,
        (1 - p) ^ 2 * (coalesce(k2_won, 0) - 2 * mean * coalesce(k_won, 0) + mean ^ 2 * coalesce(won, 0))
        + p ^ 2 * (k2 - coalesce(k2_won, 0) - 2 * mean * (k - coalesce(k_won, 0)) + mean ^ 2 * (played - coalesce(won, 0)))
        as spread
    from held join decks using (game, deck)
),
sums as (
    select game, code, sum(k)::bigint as copies, sum(games)::bigint as games, sum(above) / nullif(sum(k), 0) as difference,
        if(sum(spread) > 1e-9, z() * sqrt(sum(spread)) / nullif(sum(k), 0), null) as half
    from parts group by game, code
),
told as (
    select game, code, copies, games, difference, if(half is null, null, greatest(difference - half, -1)) as low,
        if(half is null, null, least(difference + half, 1)) as high,
        thin(-half, half) as thin
    from sums
)
select * from told order by game, difference desc nulls last, code
