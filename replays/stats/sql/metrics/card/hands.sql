-- hands: of the opening hands with a card, the share that was kept; and the win rates of those who kept one, and of
-- those who drew anew a hand with it.
-- Grain: one row a game (of the list of games) and card. Unit: opening hand; of win rates a game seen from one seat.
-- Definition version: m2. Only games that know redraws. Hands that were drawn anew are no draws; the share is of all
-- opening hands with the card.
with sat as (select side, game, w from filtered($filters)),
sums as (
    select game, code, sum(opening_n)::bigint as kept, sum(redrawn)::bigint as redrawn,
        coalesce(sum(opening_n) filter (w <> 0.5), 0)::bigint as kept_games,
        coalesce(sum(opening_n) filter (w = 1), 0)::bigint as kept_won,
        coalesce(sum(redrawn_n) filter (w <> 0.5), 0)::bigint as redrawn_games,
        coalesce(sum(redrawn_n) filter (w = 1), 0)::bigint as redrawn_won
    from sat join card_sums using (side) group by game, code
),
shares as (
    select *, kept + redrawn as hands, kept / nullif(kept + redrawn, 0) as rate, kept_won / nullif(kept_games, 0) as p,
        redrawn_won / nullif(redrawn_games, 0) as q
    from sums where game in (select game from sums group by game having sum(redrawn) > 0)
),
told as (
    select game, code, hands, kept, redrawn, rate, wilson_low(rate, hands) as low, wilson_high(rate, hands) as high,
        thin(wilson_low(rate, hands), wilson_high(rate, hands)) as thin,
        kept_games, p as kept_rate, wilson_low(p, kept_games) as kept_rate_low, wilson_high(p, kept_games) as kept_rate_high,
        redrawn_games, q as redrawn_rate, wilson_low(q, redrawn_games) as redrawn_rate_low,
        wilson_high(q, redrawn_games) as redrawn_rate_high
    from shares
)
select * from told order by game, rate desc nulls last, code
