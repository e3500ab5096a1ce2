-- turn_played: the turn of the first play from the hand, and the turns from entering the hand to being played.
-- Grain: one row a game (of the list of games) and card. Unit: a game seen from one seat. Definition version: m1.
-- `turn` is a mean over games, `held` over copies, with its interval by game; the opening hand is entered in turn 1.
with plays as (
    select u.game, c.code, c.first_turn::double as t, c.turns_held::double as x, c.held_played::bigint as k
    from filtered($filters) as u join cards as c using (unit)
),
sums as (
    select game, code, count(t) as games, sum(t) as s, sum(t * t) as ss,
        coalesce(sum(k), 0)::bigint as copies, sum(x) as x, sum(x * x) as x2, sum(x * k) as xk,
        sum(k * k)::bigint as k2
    from plays group by game, code
),
means as (select *, s / nullif(games, 0) as turn, x / nullif(copies, 0) as held from sums),
told as (
    select game, code, games, copies,
        turn, turn - mean_half(games, s, ss) as turn_low, turn + mean_half(games, s, ss) as turn_high,
        held, held - ratio_half(held, copies, x2, xk, k2) as held_low,
        held + ratio_half(held, copies, x2, xk, k2) as held_high
    from means
)
select * from told order by game, turn nulls last, code
