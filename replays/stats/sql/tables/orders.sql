-- orders: shuffled piles in which a card lay, by the number of their cards (size) and of its copies (m), numbered (no), in
-- each detail from where its sides begin (see sides), so that what is of one lies together.
-- `code` may lie in the piles of both seats of a game: `other_size` and `other_m` are of the second such pile, and these
-- rows are once a game, of the side of seat 0; they are 0 in the rows of one seat.
-- Grain: one row a side, card, pile, size and m (and of both). Unit: a game seen from one seat, or a game.
-- Definition version: m2.
create table orders as
with lain as (
    select side, units.seat, g, code, pile, size, len(places) as m
    from cards join units using (unit) join piles using (unit, pile) where places is not null
),
single as (
    select side, code, pile, size, m, 0 as other_size, 0 as other_m, count(*) as n
    from lain group by side, code, pile, size, m
),
shared as (
    select one.side, code, pile, one.size, one.m, other.size as other_size, other.m as other_m, count(*) as n
    from lain as one join lain as other using (g, code, pile)
    where one.seat = 0 and other.seat = 1
    group by one.side, code, pile, one.size, one.m, other.size, other.m
),
every as (select * from single union all select * from shared),
told as (
    select row_number() over (order by side, code, pile, size, m, other_size, other_m) as no, * from every
)
select * from told order by no;
