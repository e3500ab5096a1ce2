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
    select side, code, pile, size, m, unnest(places) as place, unnest(range(1, m + 1)) as j from lain
),
single as (
    select side, code, pile, size, m, 0 as other_size, 0 as other_m, place, count(*) as copies, 0 as other_copies,
        sum(2 * j - 1)::bigint as squares, 0 as products
    from alone group by side, code, pile, size, m, place
),
both_lain as (
    select one.side, code, pile, one.size, one.m, other.size as other_size, other.m as other_m, one.places,
        other.places as other_places
    from lain as one join lain as other using (g, code, pile)
    where one.seat = 0 and other.seat = 1
),
stepped as (
    select * exclude (places, other_places), unnest(places) as place, 1 as copies, 0 as other_copies,
        unnest(list_transform(places, lambda x: len(list_filter(other_places, lambda y: y <= x)))) as products
    from both_lain
    union all
    select * exclude (places, other_places), unnest(other_places) as place, 0 as copies, 1 as other_copies,
        unnest(list_transform(other_places, lambda x: len(list_filter(places, lambda y: y < x)))) as products
    from both_lain
),
shared as (
    select side, code, pile, size, m, other_size, other_m, place, sum(copies)::bigint as copies,
        sum(other_copies)::bigint as other_copies, 0 as squares, sum(products)::bigint as products
    from stepped group by side, code, pile, size, m, other_size, other_m, place
),
every as (select * from single union all select * from shared),
told as (
    select no, place, copies, other_copies, squares, products
    from every join orders using (side, code, pile, size, m, other_size, other_m)
)
select * from told order by no, place;
