-- draw_effects(filters, every): what it does for the result to have one more copy among the first K cards of a shuffled pile,
-- for each K (with `every`; else for the number that is early): β = Σ (x - E[x]) r / Σ V[x], x the copies among the first K, r the residual; E and V are those of chance.
-- The variance is by game: what both seats give to one game is added before it is squared.
-- Grain: one row a game (of the list of games), card, pile and K. Unit: a game seen from one seat.
-- Definition version: m2.
create macro draw_effects(f, every) as table
with sat as (select * from residuals(f, coarsest(f))),
both_sat as (
    select one.side, one.r * other.r as rr
    from sat as one join sat as other on one.cell = other.cell where one.seat = 0 and other.seat = 1
),
lain as (
    select game, code, pile, size, m, other_size, other_m, no, orders.n, early,
        if(other_size = 0, r, 0) as r, if(other_size = 0, r * r, both_sat.rr) as rr
    from orders join sat using (side) left join both_sat using (side) join game_piles using (game, pile)
    where other_size = 0 or both_sat.rr is not null
),
totals as (
    select game, code, pile, size, m, other_size, other_m, early, sum(n) as n, sum(n * r) as r_0, sum(n * rr) as rr_0
    from lain group by all
),
steps as (
    select game, code, pile, size, m, other_size, other_m, place as k,
        sum(r * copies) as rx, sum(rr * copies) as rr_x, sum(rr * other_copies) as rr_y, sum(rr * squares) as rr_x2,
        sum(rr * products) as rr_xy
    from lain join places using (no)
    where no >= coarsest(f) * 72057594037927936 and no < (coarsest(f) + 1) * 72057594037927936  -- those of this detail
        and (every or place <= early)
    group by all
),
grid as (
    select totals.*, k
    from totals join (select game, pile, max(size) as longest from totals group by game, pile) using (game, pile),
        unnest(if(every, range(1, longest), range(1, least(early + 1, longest)))) as _(k)
),
summed as (
    select game, code, pile, size, m, other_size, other_m, k, n, r_0, rr_0, m * least(k / size, 1) as ex,
        if(other_size > 0, other_m * least(k / other_size, 1), 0) as ey,
        if(k < size, m * k / size * (1 - m / size) * (size - k) / (size - 1), 0) as vx,
        coalesce(sum(rx) over up_to, 0) as rx, coalesce(sum(rr_x) over up_to, 0) as rr_x,
        coalesce(sum(rr_y) over up_to, 0) as rr_y, coalesce(sum(rr_x2) over up_to, 0) as rr_x2,
        coalesce(sum(rr_xy) over up_to, 0) as rr_xy
    from grid left join steps using (game, code, pile, size, m, other_size, other_m, k)
    window up_to as (partition by game, code, pile, size, m, other_size, other_m order by k)
),
sums as (
    select game, code, pile, k,
        sum(n) filter (other_size = 0)::bigint as games, sum(n * m) filter (other_size = 0)::bigint as copies,
        sum(rx - ex * r_0) filter (other_size = 0) as score, sum(n * vx) filter (other_size = 0) as information,
        coalesce(sum(rr_x2 - 2 * ex * rr_x + ex * ex * rr_0) filter (other_size = 0), 0)
        + coalesce(2 * sum(rr_xy - ey * rr_x - ex * rr_y + ex * ey * rr_0) filter (other_size > 0), 0) as spread
    from summed group by game, code, pile, k
),
told as (
    select game, code, pile, k, games, copies, if(information > 1e-9, score / information, null) as effect,
        if(information > 1e-9 and spread > 1e-9, sqrt(spread) / information, null) as deviation
    from sums join game_piles using (game, pile) where every or k = early
)
select * from told;
