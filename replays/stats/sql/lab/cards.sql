-- cards: what the change does to the results of the decks that hold a card, and to how often the card is played.
-- Grain: one row a card. Unit: a game seen from one seat. Definition version: m2.
-- Win rates: games in which one seat holds the card and the other does not. Play rates: of the copies that were held,
-- the share that was played; the interval is by game, so that copies of one game count as one piece of evidence.
with copies as (
    select number, seat, p.code, w, changed_w,
        p.opening + p.drawn + p.fetched as held, p.held_played as played,
        c.opening + c.drawn + c.fetched as changed_held, c.held_played as changed_played
    from pairs join cards as p using (unit) join cards as c on c.unit = changed_unit and c.code = p.code
    where p.deck > 0
),
sides as (select *, count(*) over (partition by number, code) as seats from copies),
results as (
    select code, count(*) as games, avg(w) as printed, avg(changed_w) as changed,
        var_pop(w) + var_pop(changed_w) as variances,
        sum(changed_w - w) as s, sum((changed_w - w) ^ 2) as ss
    from sides where seats = 1 group by code
),
rates as (
    select code, sum(held)::bigint as u, sum(changed_held)::bigint as changed_u,
        sum(played) / nullif(sum(held), 0) as rate,
        sum(changed_played) / nullif(sum(changed_held), 0) as changed_rate
    from copies group by code
),
by_game as (
    select number, code, sum(held) as held, sum(played) as played, sum(changed_held) as changed_held,
        sum(changed_played) as changed_played
    from copies group by number, code
),
spread as (
    select code, 1.959963984540054 * sqrt(sum(
        ((changed_played - changed_rate * changed_held) / changed_u - (played - rate * held) / u) ^ 2)) as half
    from by_game join rates using (code) group by code
),
told as (
    select code, coalesce(games, 0) as games, printed, changed, s / games as difference,
        paired_low(games, s, ss) as low, paired_high(games, s, ss) as high,
        unpaired_half(variances, games) / paired_half(games, s, ss) as narrower,
        u as held, rate as play_rate, changed_rate as changed_play_rate, changed_rate - rate as play_difference,
        changed_rate - rate - half as play_low, changed_rate - rate + half as play_high
    from rates left join results using (code) join spread using (code)
)
select * from told order by difference desc nulls last, code
