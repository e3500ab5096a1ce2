-- card_rates(filters, class): the win rate of a card, over its copies of this class (see card_sums).
-- Grain: one row a game (of the list of games) and card. Unit: a game seen from one seat. Definition version: m2.
-- By copies a game weighs as many as it has copies, and the interval is by game; by games it weighs 1 if it has any.
-- Draws are left out and counted. A card of which nothing was seen has null rates.
create macro card_rates(f, class) as table
with chosen as (
    select side, code,
        case class when 'deck' then deck when 'opening' then opening when 'drawn' then drawn when 'held' then held
            when 'unseen' then unseen when 'played' then played when 'sent' then sent end as k,
        case class when 'deck' then deck_2 when 'opening' then opening_2 when 'drawn' then drawn_2
            when 'held' then held_2 when 'unseen' then unseen_2 when 'played' then played_2
            when 'sent' then sent_2 end as k2,
        case class when 'deck' then deck_n when 'opening' then opening_n when 'drawn' then drawn_n
            when 'held' then held_n when 'unseen' then unseen_n when 'played' then played_n
            when 'sent' then sent_n end as kn
    from card_sums
),
sums as (
    select game, code,
        coalesce(sum(k) filter (w <> 0.5), 0)::bigint as copies, coalesce(sum(k) filter (w = 1), 0)::bigint as k_won,
        coalesce(sum(k2) filter (w <> 0.5), 0)::bigint as k2,
        coalesce(sum(k2) filter (w = 1), 0)::bigint as k2_won,
        coalesce(sum(kn) filter (w <> 0.5), 0)::bigint as games,
        coalesce(sum(kn) filter (w = 1), 0)::bigint as games_won,
        coalesce(sum(kn) filter (w = 0.5), 0)::bigint as draws
    from (select side, game, w from filtered(f)) join chosen using (side) group by game, code
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
