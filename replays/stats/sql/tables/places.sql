-- places: at which place from the top of a shuffled pile the copies of a card lay. With x the copies among the first K
-- places, Σx is the sum of `copies` up to place K, Σx² that of `squares`; and where both seats' piles have the card
-- (see orders, whose `no` it is) Σx of seat 0 and of seat 1, and Σ of both multiplied, are those of `copies`,
-- `other_copies`, `products`.
-- Grain: one row a row of orders and place. Unit: a game seen from one seat, or a game. Definition version: m2.
create table places as
with lain as (
    select side, units.seat, g, code, pile, size, len(places) as m, places
    from cards join units using (unit) join piles using (unit, pile) where places is not null
),
alone as (
    select no, places from lain join orders using (side, code, pile, size, m) where other_size = 0
),
single as (
    select no, place, count(*) as copies, 0 as other_copies, sum(2 * j - 1)::bigint as squares, 0 as products
    from alone, unnest(places) with ordinality as _(place, j)
    group by no, place
),
both_lain as (
    select no, one.places, other.places as other_places
    from lain as one join lain as other using (g, code, pile)
        join orders on orders.side = one.side and orders.code = one.code and orders.pile = one.pile
            and orders.size = one.size and orders.m = one.m and other_size = other.size and other_m = other.m
    where one.seat = 0 and other.seat = 1
),
stepped as (
    select no, place, 1 as copies, 0 as other_copies, len(list_filter(other_places, lambda y: y <= place)) as products
    from both_lain, unnest(places) as _(place)
    union all
    select no, place, 0 as copies, 1 as other_copies, len(list_filter(places, lambda y: y < place)) as products
    from both_lain, unnest(other_places) as _(place)
),
shared as (
    select no, place, sum(copies)::bigint as copies, sum(other_copies)::bigint as other_copies, 0 as squares,
        sum(products)::bigint as products
    from stepped group by no, place
),
told as (select * from single union all select * from shared)
select * from told order by no, place;
