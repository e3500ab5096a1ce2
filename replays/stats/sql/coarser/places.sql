-- places: those of a coarser detail, made of those of the detail before.
-- Grain: one row an order (no) and place. Unit: a game seen from one seat, or a game. Definition version: m2.
insert into places by name
with told as (
    select coarser_orders.no as no, place, sum(copies)::bigint as copies, sum(other_copies)::bigint as other_copies,
        sum(squares)::bigint as squares, sum(products)::bigint as products
    from places join coarser_orders on places.no = finer group by coarser_orders.no, place
)
select * from told order by no, place;
