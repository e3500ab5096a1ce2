-- turn_played: the turn of the first play from the hand, and the turns from entering the hand to being played.
-- Grain: one row a game (of the list of games) and card. Unit: a game seen from one seat. Definition version: m2.
-- `turn` is a mean over games, `turns_held` over copies, with its interval by game; the opening hand is entered in turn 1.
with sums as (
    select game, code, sum(turn_n)::bigint as games, sum(turn) as s, sum(turn_2) as ss,
        sum(held_played)::bigint as copies, sum(waited) as x, sum(waited_2) as x2, sum(waited_played) as xk,
        sum(held_played_2)::bigint as k2
    from (select side, game from filtered($filters)) join card_sums using (side) group by game, code
),
means as (select *, s / nullif(games, 0) as turn, x / nullif(copies, 0) as turns_held from sums),
told as (
    select game, code, games, copies,
        turn, turn - mean_half(games, s, ss) as turn_low, turn + mean_half(games, s, ss) as turn_high,
        turns_held, turns_held - ratio_half(turns_held, copies, x2, xk, k2) as turns_held_low,
        turns_held + ratio_half(turns_held, copies, x2, xk, k2) as turns_held_high
    from means
)
select * from told order by game, turn nulls last, code
