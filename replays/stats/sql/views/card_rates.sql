-- card_rates(filters, classes): the win rate of a card, over its copies of these classes.
-- Grain: one row a game (of the list of games) and card. Unit: a game seen from one seat. Definition version: m1.
-- By copies a game weighs as many as it has copies, and the interval is by game; by games it weighs 1 if it has any.
-- Draws are left out and counted. A card of which nothing was seen has null rates.
create macro card_rates(f, classes) as table
with copies as (
    select u.game, c.code, u.w,
        if(list_contains(classes, 'deck'), deck_copies, 0)::bigint + if(list_contains(classes, 'opening'), opening, 0)
        + if(list_contains(classes, 'drawn'), drawn, 0) + if(list_contains(classes, 'played'), played, 0)
        + if(list_contains(classes, 'turned_up'), turned_up, 0) + if(list_contains(classes, 'milled'), milled, 0)
        + if(list_contains(classes, 'unseen'), unseen, 0) as k
    from filtered(f) as u join (select * rename (deck as deck_copies) from cards) as c using (unit)
),
sums as (
    select game, code,
        coalesce(sum(k) filter (w <> 0.5), 0)::bigint as copies, coalesce(sum(k) filter (w = 1), 0)::bigint as k_won,
        coalesce(sum(k * k) filter (w <> 0.5), 0)::bigint as k2,
        coalesce(sum(k * k) filter (w = 1), 0)::bigint as k2_won,
        count(*) filter (k > 0 and w <> 0.5) as games, count(*) filter (k > 0 and w = 1) as games_won,
        count(*) filter (k > 0 and w = 0.5) as draws
    from copies group by game, code
),
rates as (select *, k_won / nullif(copies, 0) as p, games_won / nullif(games, 0) as q from sums),
counted as (
    select *, effective(p, copies, k2, (1 - p) ^ 2 * k2_won + p ^ 2 * (k2 - k2_won)) as n from rates
),
estimated as (
    select game, code, copies, games, draws,
        p as rate, wilson_low(p, n) as low, wilson_high(p, n) as high, shrunk(p, n, mean) as shrunk,
        thin(wilson_low(p, n), wilson_high(p, n)) as thin,
        q as rate_by_games, wilson_low(q, games) as low_by_games, wilson_high(q, games) as high_by_games,
        shrunk(q, games, mean) as shrunk_by_games,
        thin(wilson_low(q, games), wilson_high(q, games)) as thin_by_games,
        n as effective_games
    from counted left join means(f) using (game)
)
select * from estimated;
