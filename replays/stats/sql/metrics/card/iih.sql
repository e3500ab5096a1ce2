-- iih: improvement in hand, the in-hand win rate (GIH WR) less the not-seen win rate (GNS WR), and the same within
-- strata of deck, seat and length (`adjusted_difference`).
-- Grain: one row a game (of the list of games) and card. Unit: a game seen from one seat. Definition version: m2.
-- Not defined, with the reason `life`, where the pile is what the game is about: there only winners have copies unseen.
-- Copies in hand and unseen meet in one game: Var = Σ [k(w - p₁)/Σk - u(w - p₂)/Σu]². Where that is nought (a few
-- games only) the interval is Newcombe's, of the two rates' own intervals. A stratum (games of five lengths together)
-- weighs as many games as it has, where it has copies of both kinds.
with copies as (
    select game, code, deck, first, length, w = 1 as won, n, held as k, unseen as u, held_2 as kk,
        held_unseen as ku, unseen_2 as uu
    from (select side, game, deck, first, w from filtered($filters) where w <> 0.5)
        join (select side, length, code, n, held, held_2, unseen, unseen_2, held_unseen from card_sums) using (side)
),
strata as (
    select game, code, deck, first, length, sum(n) as games, sum(k)::bigint as copies, sum(u)::bigint as copies_unseen,
        coalesce(sum(k) filter (won), 0)::bigint as k_won, coalesce(sum(u) filter (won), 0)::bigint as u_won,
        coalesce(sum(kk) filter (won), 0)::double as kk_won, sum(kk)::double as kk,
        coalesce(sum(ku) filter (won), 0)::double as ku_won, sum(ku)::double as ku,
        coalesce(sum(uu) filter (won), 0)::double as uu_won, sum(uu)::double as uu
    from copies group by game, code, deck, first, length
),
compared as (
    select game, code, games, k_won / copies as p1, u_won / copies_unseen as p2,
        pair_spread(copies, copies_unseen, p1, p2, kk_won, kk, ku_won, ku, uu_won, uu) as var
    from strata where copies > 0 and copies_unseen > 0
),
adjusted as (
    select game, code, sum(games * (p1 - p2)) / sum(games) as adjusted,
        z() * sqrt(sum(games ^ 2 * var)) / sum(games) as half
    from compared group by game, code
),
sums as (
    select game, code, sum(copies)::bigint as copies, sum(copies_unseen)::bigint as copies_unseen,
        sum(kk_won) as kk_won, sum(kk) as kk, sum(ku_won) as ku_won, sum(ku) as ku, sum(uu_won) as uu_won, sum(uu) as uu
    from strata group by game, code
),
pair as (
    select sums.*, held.games, held.rate as held_rate, held.low as held_low, held.high as held_high,
        held.shrunk as held_shrunk, unseen.rate as unseen_rate, unseen.low as unseen_low, unseen.high as unseen_high,
        unseen.shrunk as unseen_shrunk, undefined,
        pair_spread(sums.copies, copies_unseen, held.rate, unseen.rate, kk_won, kk, ku_won, ku, uu_won, uu) as var
    from sums
        join card_rates($filters, 'held') as held using (game, code)
        join card_rates($filters, 'unseen') as unseen using (game, code)
        left join (select *, 'life' as undefined from life_cards($filters)) using (game, code)
),
halves as (
    select *, if(undefined is null, held_rate - unseen_rate, null) as difference,
        if(var > 1e-12, z() * sqrt(var), sqrt((held_rate - held_low) ^ 2 + (unseen_high - unseen_rate) ^ 2)) as down,
        if(var > 1e-12, z() * sqrt(var), sqrt((held_high - held_rate) ^ 2 + (unseen_rate - unseen_low) ^ 2)) as up
    from pair
),
told as (
    select game, code, games, copies, copies_unseen, held_rate, unseen_rate, difference,
        if(difference is null, null, greatest(difference - down, -1)) as low,
        if(difference is null, null, least(difference + up, 1)) as high,
        if(difference is null, null, held_shrunk - unseen_shrunk) as shrunk,
        thin(difference - down, difference + up) as thin,
        if(difference is null, null, adjusted) as adjusted_difference,
        if(difference is null or coalesce(half, 0) < 1e-6, null, greatest(adjusted - half, -1)) as adjusted_difference_low,
        if(difference is null or coalesce(half, 0) < 1e-6, null, least(adjusted + half, 1)) as adjusted_difference_high, undefined
    from halves left join adjusted using (game, code)
)
select * from told order by game, shrunk desc nulls last, code
