-- cards: what the change does to the results of the decks that hold a card, and to how often the card is played.
-- Grain: one row a card. Unit: a game seen from one seat. Definition version: m2.
-- Win rates: games in which one seat holds the card and the other does not. Play rates: of the copies that were held,
-- the share that was played; the interval is by game, so that copies of one game count as one piece of evidence. Draw
-- effects: as in draw_effect; both ways the copies lie at the same places, so their difference is β of the differences.
with copies as (
    select number, seat, pairs.game, p.code, w, changed_w,
        p.opening + p.drawn + p.fetched as held, p.held_played as played,
        c.opening + c.drawn + c.fetched as changed_held, c.held_played as changed_played
    from pairs join cards as p using (unit) join cards as c on c.unit = changed_unit and c.code = p.code
    where p.deck > 0
),
sides as (select *, count(*) over (partition by number, code) as seats from copies),
results as (
    select game, code, paired(w, changed_w) as result from sides where seats = 1 group by game, code
),
rates as (
    select game, code, sum(held)::bigint as u, sum(changed_held)::bigint as changed_u,
        sum(played) / nullif(sum(held), 0) as rate,
        sum(changed_played) / nullif(sum(changed_held), 0) as changed_rate
    from copies group by game, code
),
by_game as (
    select number, code, sum(held) as held, sum(played) as played, sum(changed_held) as changed_held,
        sum(changed_played) as changed_played
    from copies group by number, code
),
spread as (
    select code, z() * sqrt(sum(
        ((changed_played - changed_rate * changed_held) / changed_u - (played - rate * held) / u) ^ 2)) as half
    from by_game join rates using (code) group by code
),
met as (
    select deck, against, first, count(*) as games, avg(w) as mean, avg(changed_w) as changed_mean
    from pairs group by all
),
own as (select deck, avg(w) as mean, avg(changed_w) as changed_mean from pairs group by deck),
residuals as (
    select number, unit, w - if(met.games >= 30, met.mean, own.mean) as r,
        changed_w - if(met.games >= 30, met.changed_mean, own.changed_mean) as changed_r
    from pairs join met using (deck, against, first) join own using (deck) where deck is not null
),
laid as (
    select number, code, pile, len(list_filter(places, lambda place: place <= early)) - len(places) * early / size as x,
        len(places) * early / size * (1 - len(places) / size) * (size - early) / (size - 1) as v, r, changed_r
    from cards join residuals using (unit) join piles using (unit, pile)
    where places is not null and early between 1 and size - 1
),
by_pile as (
    select code, pile, count(*) as laid, sum(x * r) / sum(v) as effect, sum(x * changed_r) / sum(v) as changed_effect,
        sum(v) as information
    from laid group by code, pile having sum(v) > 1e-9
),
main_pile as (select * from by_pile qualify row_number() over (partition by code order by laid desc, pile) = 1),
scores as (select number, code, pile, sum(x * (changed_r - r)) as score from laid group by number, code, pile),
effects as (
    select code, any_value(effect) as effect, any_value(changed_effect) as changed_effect,
        z() * sqrt(sum(score ^ 2)) / any_value(information) as effect_half
    from main_pile join scores using (code, pile) group by code
),
told as (
    select game, code, coalesce(result.games, 0) as games, result.* exclude (games),
        u as held, rate as play_rate, changed_rate as changed_play_rate, changed_rate - rate as play_difference,
        changed_rate - rate - half as play_low, changed_rate - rate + half as play_high,
        effect, changed_effect, changed_effect - effect as effect_difference,
        changed_effect - effect - effect_half as effect_low, changed_effect - effect + effect_half as effect_high
    from rates left join results using (game, code) join spread using (code) left join effects using (code)
)
select * from told order by difference desc nulls last, code
