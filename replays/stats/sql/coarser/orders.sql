-- orders: those of a coarser detail, made of those of the detail before; `coarser_orders` says which became which.
-- Grain: one row a side, card, pile, size and m (and of both). Unit: a game seen from one seat, or a game. Definition version: m2.
create or replace temp table coarser_orders as
with moved as (
    select no, coarser_cell * 2 + side % 2 as side, code, pile, size, m, other_size, other_m, n
    from orders join coarser on side // 2 = cell
),
told as (
    select no as finer, side // 72057594037927936 * 72057594037927936 + dense_rank() over (
        order by side, code, pile, size, m, other_size, other_m
    ) as no, * exclude (no)
    from moved
)
select * from told;
insert into orders by name
with told as (
    select no, sum(n)::bigint as n, any_value(columns(* exclude (no, finer, n))) from coarser_orders group by no
)
select * from told order by no;
