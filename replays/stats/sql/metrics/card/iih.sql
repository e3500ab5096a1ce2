-- iih: improvement in hand, the in-hand win rate (GIH WR) less the not-seen win rate (GNS WR).
-- Grain: one row a game (of the list of games) and card. Unit: a game seen from one seat. Definition version: m1.
-- Copies in hand and unseen meet in one game: Var = Σ [k(w - p₁)/Σk - u(w - p₂)/Σu]². Where that is nought (a few
-- games only) the interval is Newcombe's, of the two rates' own intervals.
with copies as (
    select seen.game, c.code, w = 1 as won, if(w = 0.5, 0, opening + drawn)::bigint as k,
        if(w = 0.5, 0, unseen)::bigint as u
    from filtered($filters) as seen join cards as c using (unit)
),
sums as (
    select game, code, count(*) filter (k + u > 0) as games, sum(k)::bigint as copies, sum(u)::bigint as copies_unseen,
        coalesce(sum(k * k) filter (won), 0)::double as kk_won, sum(k * k)::double as kk,
        coalesce(sum(k * u) filter (won), 0)::double as ku_won, sum(k * u)::double as ku,
        coalesce(sum(u * u) filter (won), 0)::double as uu_won, sum(u * u)::double as uu
    from copies group by game, code
),
pair as (
    select sums.*, held.rate as held, held.low as held_low, held.high as held_high, held.shrunk as held_shrunk,
        unseen.rate as unseen, unseen.low as unseen_low, unseen.high as unseen_high, unseen.shrunk as unseen_shrunk
    from sums
        join card_rates($filters, ['opening', 'drawn']) as held using (game, code)
        join card_rates($filters, ['unseen']) as unseen using (game, code)
),
spread as (
    select *,
        ((1 - held) / copies) ^ 2 * kk_won + (held / copies) ^ 2 * (kk - kk_won)
        - 2 * ((1 - held) * (1 - unseen) * ku_won + held * unseen * (ku - ku_won)) / (copies * copies_unseen)
        + ((1 - unseen) / copies_unseen) ^ 2 * uu_won + (unseen / copies_unseen) ^ 2 * (uu - uu_won) as var
    from pair
),
halves as (
    select *, held - unseen as difference,
        if(var > 1e-12, 1.959963984540054 * sqrt(var), sqrt((held - held_low) ^ 2 + (unseen_high - unseen) ^ 2)) as down,
        if(var > 1e-12, 1.959963984540054 * sqrt(var), sqrt((held_high - held) ^ 2 + (unseen - unseen_low) ^ 2)) as up
    from spread
),
told as (
    select game, code, games, copies, copies_unseen, held, unseen, difference,
        if(difference is null, null, greatest(difference - down, -1)) as low,
        if(difference is null, null, least(difference + up, 1)) as high,
        held_shrunk - unseen_shrunk as shrunk, thin(difference - down, difference + up) as thin
    from halves
)
select * from told order by game, shrunk desc nulls last, code
