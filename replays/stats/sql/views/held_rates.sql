-- held_rates(filters, whose): in-hand win rates as card_rates has them, apart for each deck: the one that the card was
-- in (`whose` is 'deck'), or the one that it met ('against'). Games in which that deck is not known are left out.
-- Draws are left out and counted.
-- Grain: one row a game (of the list of games), card and deck. Unit: a game seen from one seat. Definition version: m2.
create macro held_rates(f, whose) as table
with sat as (
    select side, game, w, if(whose = 'deck', deck, against) as other from filtered(f) where other is not null
),
sums as (
    select game, code, other, coalesce(sum(held) filter (w <> 0.5), 0)::bigint as copies,
        coalesce(sum(held) filter (w = 1), 0)::bigint as k_won, coalesce(sum(held_2) filter (w <> 0.5), 0)::bigint as k2,
        coalesce(sum(held_2) filter (w = 1), 0)::bigint as k2_won,
        coalesce(sum(held_n) filter (w <> 0.5), 0)::bigint as games,
        coalesce(sum(held_n) filter (w = 0.5), 0)::bigint as draws
    from sat join (select side, code, held, held_2, held_n from card_sums where held > 0) using (side)
    group by game, code, other
),
rates as (select *, k_won / nullif(copies, 0) as p from sums),
counted as (select *, effective(p, copies, k2, (1 - p) ^ 2 * k2_won + p ^ 2 * (k2 - k2_won)) as n from rates),
estimated as (
    select game, code, other, copies, games, draws, p as rate, wilson_low(p, n) as low, wilson_high(p, n) as high,
        shrunk(p, n, mean) as shrunk, thin(wilson_low(p, n), wilson_high(p, n)) as thin, n as effective_games
    from counted left join means(f) using (game)
)
select * from estimated;
